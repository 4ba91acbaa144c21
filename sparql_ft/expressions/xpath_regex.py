r"""REGEX and REPLACE: the regular expressions of XPath (F&O 3.1, section 5.6) on the `regex` package.

XPath's syntax is XML Schema's with `^`, `$`, reluctant quantifiers and back-references. It shares most of its looks
with Python's, and differs where that hurts: `$` does not match before a last newline, `.` matches no carriage return,
`\w` is another set, classes can be subtracted, and there is no `\b`, no lookahead, no possessive quantifier. So a
pattern is parsed by XPath's grammar, what that does not allow is an error, and the rest is written anew for `regex`.

SPARQL 1.1 refers to F&O 2.0; the W3C tests for it use the flag `q` of 3.0. A pattern that takes too long is given up
with an `EvaluationLimitError`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import regex

from sparql_ft.expressions.errors import EvaluationLimitError, ExpressionError
from sparql_ft.expressions.xpath_regex_syntax import PatternSyntaxError, translate

__all__ = ["DEFAULT_TIMEOUT", "matches", "replace"]

DEFAULT_TIMEOUT: Final = 0.5  # seconds for one call
_FLAGS: Final = frozenset("smixq")
_DIGITS: Final = frozenset("0123456789")


def matches(text: str, pattern: str, flags: str = "", timeout: float = DEFAULT_TIMEOUT) -> bool:
    """fn:matches: whether the pattern matches somewhere in the text."""
    compiled = _compile(pattern, flags)
    try:
        return compiled.search(text, timeout=timeout) is not None
    except TimeoutError:
        raise _too_slow(pattern, timeout) from None


def replace(text: str, pattern: str, replacement: str, flags: str = "", timeout: float = DEFAULT_TIMEOUT) -> str:
    """fn:replace: all matches that do not overlap, from the left. The pattern must not match the empty string."""
    compiled = _compile(pattern, flags)
    parts = (replacement,) if "q" in flags else _replacement_parts(replacement, compiled.groups)

    def expanded(match: regex.Match[str]) -> str:
        return "".join(part if isinstance(part, str) else match[part] or "" for part in parts)

    try:
        if compiled.search("", timeout=timeout) is not None:
            raise ExpressionError(f"the pattern {pattern!r} of REPLACE matches the empty string")
        return compiled.sub(expanded, text, timeout=timeout)
    except TimeoutError:
        raise _too_slow(pattern, timeout) from None


def _too_slow(pattern: str, timeout: float) -> EvaluationLimitError:
    return EvaluationLimitError(f"the regular expression {pattern!r} took more than {timeout} seconds")


@lru_cache(maxsize=1024)
def _compile(pattern: str, flags: str) -> regex.Pattern[str]:
    if not _FLAGS.issuperset(flags):
        raise ExpressionError(f"{flags!r} are no flags of a regular expression: those are i, m, q, s and x")
    options = regex.V0 | (regex.IGNORECASE if "i" in flags else regex.V0)
    try:
        translated = regex.escape(pattern) if "q" in flags else translate(pattern, flags)
        return regex.compile(translated, options)
    except (PatternSyntaxError, regex.error) as error:
        raise ExpressionError(f"{pattern!r} is no regular expression: {error}") from None
    except (RecursionError, OverflowError, MemoryError):
        raise EvaluationLimitError(f"the regular expression {pattern[:100]!r}… is too large") from None


@lru_cache(maxsize=1024)
def _replacement_parts(replacement: str, groups: int) -> tuple[str | int, ...]:
    r"""The literal parts and the numbers of groups in a replacement string (`$1`, `\$`, `\\`)."""
    parts: list[str | int] = []
    position = 0
    while position < len(replacement):
        character = replacement[position]
        follower = replacement[position + 1 : position + 2]
        if character == "\\":
            if follower not in ("\\", "$"):
                raise ExpressionError(f"in the replacement {replacement!r} of REPLACE a backslash escapes nothing")
            parts.append(follower)
            position += 2
        elif character == "$":
            if not follower or follower not in _DIGITS:
                raise ExpressionError(f"in the replacement {replacement!r} of REPLACE no digit follows a $")
            number = int(follower)
            position += 2
            # Digits that would make a number above that of the last group are text.
            while (digit := replacement[position : position + 1]) in _DIGITS and number * 10 + int(digit) <= groups:
                number = number * 10 + int(digit)
                position += 1
            if number <= groups:  # a group that does not exist is the empty string
                parts.append(number)
        else:
            parts.append(character)
            position += 1
    return tuple(parts)
