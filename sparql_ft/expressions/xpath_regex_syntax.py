r"""The grammar of XPath's regular expressions, and their translation for the `regex` package.

One pass over the pattern, without recursion on groups. Three things have no direct counterpart in `regex`:

- class subtraction: `[a-z-[aeiou]]` becomes `(?:(?![aeiou])[a-z])`, which is the same as a class matches one character;
- `\p{Lu}` and the other escapes for many characters ignore the flag `i` in XPath (F&O 3.1, 5.6.2), but not in
  `regex`: they are taken out of their class into a part of their own where the flag is off;
- a back-reference to a group that took no part in the match matches the empty string.
"""

from __future__ import annotations

import re
from typing import Final

import regex

__all__ = ["PatternSyntaxError", "translate"]

MAX_REPEAT: Final = 100_000
"""Most repetitions that a pattern may ask for; those of a quantifier within a quantifier multiply.

`regex` has no bound of its own, and takes time in proportion to compile a pattern.
"""


class PatternSyntaxError(ValueError):
    """A pattern that is no regular expression of XPath."""


_CATEGORIES: Final = frozenset(
    "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po Z Zs Zl Zp S Sm Sc Sk So C Cc Cf Co Cn".split()
)
# Names of blocks that XSD keeps from old versions of Unicode.
_OLD_BLOCKS: Final = {
    "Greek": "GreekandCoptic",
    "CombiningMarksforSymbols": "CombiningDiacriticalMarksforSymbols",
    "PrivateUse": "PrivateUseArea",
}
_NAME_START: Final = (
    r":A-Z_a-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D\u2070-\u218F\u2C00-\u2FEF"
    r"\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\U00010000-\U000EFFFF"
)
_NAME: Final = _NAME_START + r"\-.0-9\u00B7\u0300-\u036F\u203F-\u2040"
# What follows the backslash -> what stands in a class for `regex`, and whether that is to be negated.
_MULTI_ESCAPES: Final[dict[str, tuple[str, bool]]] = {
    "s": (r" \t\n\r", False),
    "S": (r" \t\n\r", True),
    "d": (r"\p{Nd}", False),
    "D": (r"\p{Nd}", True),
    "w": (r"\p{P}\p{Z}\p{C}", True),
    "W": (r"\p{P}\p{Z}\p{C}", False),
    "i": (_NAME_START, False),
    "I": (_NAME_START, True),
    "c": (_NAME, False),
    "C": (_NAME, True),
}
_CONTROL_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t"}
_SELF_ESCAPES: Final = frozenset("\\|.-^?*+{}()[]$")
_QUANTIFIER: Final = re.compile(r"[?*+]|\{(?P<least>[0-9]+)(?P<open>,(?P<most>[0-9]*))?\}")
_PROPERTY: Final = re.compile(r"\{(?P<name>[A-Za-z0-9-]+)\}")
_SPACE: Final = " \t\n\r"


def translate(pattern: str, flags: str) -> str:
    """The pattern for `regex` (V0) that means what `pattern` means in XPath with these flags; `i` is passed on."""
    return _Translation(_without_space(pattern) if "x" in flags else pattern, flags).run()


def _without_space(pattern: str) -> str:
    """The flag `x`: space is removed, but not within classes."""
    kept = []
    depth = 0
    escaped = False
    for character in pattern:
        if character in _SPACE and not depth:
            continue
        if not escaped:
            depth = max(depth + (character == "[") - (character == "]"), 0)
        escaped = character == "\\" and not escaped
        kept.append(character)
    return "".join(kept)


class _Translation:
    """The state of one translation: the position in the pattern, and the groups that are open or closed."""

    def __init__(self, pattern: str, flags: str) -> None:
        self._pattern = pattern
        self._position = 0
        self._any = "(?s:.)" if "s" in flags else r"[^\n\r]"
        # Line ends are \n alone; a line does not begin after a newline that is the last character.
        self._start = r"(?:\A|(?<=\n)(?!\Z))" if "m" in flags else r"\A"
        self._end = r"(?=\n|\Z)" if "m" in flags else r"\Z"
        self._groups = 0
        self._closed: set[int] = set()

    def run(self) -> str:
        """The whole pattern."""
        output: list[str] = []
        open_groups: list[int | None] = []  # numbers; None is a group that does not capture
        sizes = [0]  # for each open group, how many atoms it has when repetitions are written out
        while self._position < len(self._pattern):
            character = self._take()
            if character == "|":
                output.append("|")
            elif character == "(":
                output.append(self._open_group(open_groups))
                sizes.append(0)
            else:
                output.append(self._close_group(open_groups) if character == ")" else self._atom(character))
                size = sizes.pop() if character == ")" else 1
                quantifier, least = self._quantifier()
                output.append(quantifier)
                sizes[-1] += size * max(least, 1)
                if sizes[-1] > MAX_REPEAT:
                    raise OverflowError
        if open_groups:
            raise PatternSyntaxError("a parenthesis is not closed")
        return "".join(output)

    # --- groups, atoms, quantifiers ---

    def _open_group(self, open_groups: list[int | None]) -> str:
        if not self._pattern.startswith("?", self._position):
            self._groups += 1
            open_groups.append(self._groups)
            return "("
        if not self._pattern.startswith("?:", self._position):
            raise PatternSyntaxError("XPath knows no (?…) but (?:…)")
        self._position += 2
        open_groups.append(None)
        return "(?:"

    def _close_group(self, open_groups: list[int | None]) -> str:
        if not open_groups:
            raise PatternSyntaxError("a closing parenthesis has no opening one")
        number = open_groups.pop()
        if number is not None:
            self._closed.add(number)
        return ")"

    def _atom(self, character: str) -> str:
        match character:
            case ".":
                return self._any
            case "^":
                return f"(?:{self._start})"
            case "$":
                return f"(?:{self._end})"
            case "[":
                return self._class()
            case "\\":
                return self._escape()
            case "?" | "*" | "+" | "{" | "}" | "]":
                raise PatternSyntaxError(f"an unescaped {character} at {self._position - 1}")
        return regex.escape(character)

    def _quantifier(self) -> tuple[str, int]:
        """A quantifier, if there is one, and how many repetitions it asks for."""
        match = _QUANTIFIER.match(self._pattern, self._position)
        if match is None:
            return "", 1
        self._position = match.end()
        if match["least"] is not None:
            least, most = match["least"], match["most"]
            if any(len(bound) > 9 or int(bound) > MAX_REPEAT for bound in (least, most) if bound):
                raise OverflowError
            if most and int(most) < int(least):
                raise PatternSyntaxError(f"{match[0]} asks for more than it allows")
        repetitions = int(match["least"] or 0)
        if self._pattern.startswith("?", self._position):
            self._position += 1
            return match[0] + "?", repetitions
        return match[0], repetitions

    def _escape(self) -> str:
        character = self._peek()
        if character and character in "123456789":
            return self._back_reference()
        chars, many = self._escaped()
        return _case_sensitive(many) if many else regex.escape(chars)

    def _back_reference(self) -> str:
        r"""`\12` is group 12 if that is closed already, else group 1 and a 2 (F&O 5.6.1)."""
        number = int(self._take())
        if number not in self._closed:
            raise PatternSyntaxError(f"\\{number} refers to a group that is not closed before it")
        while self._peek() and self._peek() in "0123456789" and number * 10 + int(self._peek()) in self._closed:
            number = number * 10 + int(self._take())
        return rf"(?:(?({number})\{number}|))"

    def _escaped(self) -> tuple[str, str]:
        """What follows a backslash: one character, or the inside of a class for many (the other one is empty)."""
        character = self._take()
        if character in _CONTROL_ESCAPES:
            return _CONTROL_ESCAPES[character], ""
        if character in _SELF_ESCAPES:
            return character, ""
        if character in _MULTI_ESCAPES:
            inside, negated = _MULTI_ESCAPES[character]
            return "", f"[^{inside}]" if negated else f"[{inside}]"
        if character in ("p", "P"):
            return "", rf"\{character}{{{self._property()}}}"
        raise PatternSyntaxError(f"XPath knows no escape \\{character}")

    def _property(self) -> str:
        match = _PROPERTY.match(self._pattern, self._position)
        if match is None:
            raise PatternSyntaxError("\\p needs a category or a block in braces")
        self._position = match.end()
        name = match["name"]
        if name.startswith("Is"):
            return "In" + _OLD_BLOCKS.get(name[2:], name[2:])
        if name not in _CATEGORIES:
            raise PatternSyntaxError(f"{name} is no category of characters")
        return name

    # --- classes ---

    def _class(self) -> str:
        """The rest of `[…]`, its opening bracket being taken."""
        negated = self._peek() == "^"
        self._position += negated
        singles: list[str] = []  # characters and ranges, which the flag `i` is for
        many: list[str] = []  # what stands for many characters, which it is not for
        subtracted = ""
        while (character := self._take()) != "]":
            if character == "-" and self._peek() == "[" and (singles or many):
                self._position += 1
                subtracted = f"(?!{self._class()})"
                if self._take() != "]":
                    raise PatternSyntaxError("a class ends with what is subtracted from it")
                break
            if character == "-" and (singles or many) and not self._pattern.startswith(("]", "-["), self._position):
                raise PatternSyntaxError("a hyphen in a class stands first or last, in a range, or is escaped")
            if character == "[":
                raise PatternSyntaxError("an unescaped [ in a class")
            first = character
            if character == "\\":
                first, escape = self._escaped()
                if escape:
                    many.append(escape)
                    continue
            singles.append(self._range(first))
        if not singles and not many:
            raise PatternSyntaxError("an empty class")
        return f"(?:{subtracted}{_class_text(singles, many, negated)})"

    def _range(self, first: str) -> str:
        """One character, or the range that begins with it."""
        rest = self._pattern[self._position : self._position + 2]
        if len(rest) < 2 or rest[0] != "-" or rest[1] in "[]-":
            return _in_class(first)
        self._position += 1
        last = self._take()
        if last == "\\":
            last, escape = self._escaped()
            if escape:
                raise PatternSyntaxError("a range ends with one character")
        if last < first:
            raise PatternSyntaxError(f"the range {first}-{last} is empty")
        return f"{_in_class(first)}-{_in_class(last)}"

    # --- characters ---

    def _peek(self) -> str:
        return self._pattern[self._position : self._position + 1]

    def _take(self) -> str:
        if self._position == len(self._pattern):
            raise PatternSyntaxError("it ends too early")
        self._position += 1
        return self._pattern[self._position - 1]


def _class_text(singles: list[str], many: list[str], negated: bool) -> str:
    if not many:
        return f"[{'^' if negated else ''}{''.join(singles)}]"
    alternatives = [f"[{''.join(singles)}]"] if singles else []
    alternatives += (_case_sensitive(escape) for escape in many)
    union = f"(?:{'|'.join(alternatives)})"
    return f"(?!{union})(?s:.)" if negated else union


def _case_sensitive(escape: str) -> str:
    return f"(?-i:{escape})"


def _in_class(character: str) -> str:
    return "\\" + character if character in "\\[]^-&~|" else character
