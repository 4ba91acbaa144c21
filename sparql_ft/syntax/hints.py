"""What the writer of a text that is no query may have meant, and what to do about it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from sparql_ft.errors import quoted
from sparql_ft.signatures import ARITY
from sparql_ft.syntax.grammar import ParseFailure, Tree
from sparql_ft.syntax.lexer import FT_KEYWORDS, KIND_OF_KEYWORD, KIND_OF_SYMBOL, SOFT_KEYWORDS, STRUCTURE, Tokens

__all__ = ["hint", "misspelling"]

_KIND: Final = KIND_OF_KEYWORD
_WORD_OF_KIND: Final = {kind: word for word, kind in _KIND.items()}
_KEYWORDS: Final = {word.lower(): word for word in (*FT_KEYWORDS, *SOFT_KEYWORDS, *STRUCTURE, *ARITY)}
_KIND_OF: Final = _KIND | KIND_OF_SYMBOL
_ALIASES: Final = {  # what other languages call it, or another part of this one
    "and": ("ftAND", "&&"),
    "or": ("ftOR", "||"),
    "not": ("ftNOT", "!"),
    "near": ("ftNEAR",),
    "&&": ("ftAND",),
    "||": ("ftOR",),
    "!": ("ftNOT",),
    "ftand": ("&&",),
    "ftor": ("||",),
    "ftnot": ("!",),
    "<>": ("!=",),
}
_TERM_STARTS: Final = "svbipndefDEFt([*w"
_CONNECTIVES: Final = f"AO{_KIND['ftAND']}{_KIND['ftOR']}"
_SOFT: Final = "".join(_KIND[word] for word in SOFT_KEYWORDS)
_IN_DISTANCE: Final = re.compile(rf"{_KIND['ftNEAR']}(?:\[(?:d(?:,d?)?)?)?\Z")
_MOST_TOKENS: Final = 10_000  # before a word, for its replacements to be tried

ParseTree: TypeAlias = Callable[[str], Tree]


# --- misspelt keywords ------------------------------------------------------------------------------------------------


def misspelling(tokens: Tokens, failure: ParseFailure, parse_tree: ParseTree) -> tuple[int, str] | None:
    """A token here or just before that is better replaced: ftNEER, ft_and, FLITER, but not `title`.

    A replacement is only offered if parsing gets further with it.
    """
    if failure.index > _MOST_TOKENS:
        return None
    kinds = tokens.kinds
    back = 3 if kinds[failure.index - 1 : failure.index] == "(" else 2  # `FLITER (` looks like the start of a triple
    for place in range(failure.index, max(failure.index - back, -1), -1):
        if place >= len(kinds):
            continue
        for replacement in _replacements(tokens.texts[place], kinds[place]):
            trial = kinds[:place] + _KIND_OF[replacement] + kinds[place + 1 : failure.index + 1]
            if _reaches(trial, parse_tree) > failure.index:
                return place, replacement
    return None


def _replacements(text: str, kind: str) -> Iterator[str]:
    word = text.lower()
    plain = word.replace("_", "").replace("-", "")
    if kind == "w" and plain in _KEYWORDS:
        yield _KEYWORDS[plain]
    yield from _ALIASES.get(word, ())
    if kind == "w":
        yield from (_KEYWORDS[close] for close in difflib.get_close_matches(plain, _KEYWORDS, n=3, cutoff=0.75))


def _reaches(kinds: str, parse_tree: ParseTree) -> int:
    """The token at which parsing fails."""
    try:
        parse_tree(kinds)
    except ParseFailure as failure:
        return failure.index
    return len(kinds)


# --- other mistakes that are often made -------------------------------------------------------------------------------


def hint(tokens: Tokens, failure: ParseFailure) -> str | None:
    """Advice for the place where parsing failed."""
    kind = tokens.kinds[failure.index : failure.index + 1]
    if not kind:
        return None
    for advice in (_on_full_text, _on_symbols, _on_patterns, _on_words):
        found = advice(tokens, failure.index, kind, failure.expected)
        if found is not None:
            return found
    return None


def _on_full_text(tokens: Tokens, index: int, kind: str, expected: tuple[str, ...]) -> str | None:
    kinds, before = tokens.kinds, tokens.kinds[index - 1 : index]
    if kinds[index - 2 : index] == _KIND["ftcontains"] + "(":
        return 'It looks at a variable for words in quotes: ftcontains(?text, "olympic" ftAND "games").'
    if _IN_DISTANCE.search(kinds, max(index - 4, 0), index):
        return "Say how many words may stand between, from least to most: ftNEAR[0,5], or ftNEAR[2,*] for 2 or more."
    if (kind == _KIND["ftNEAR"] and before == ")") or (kind == "(" and before == "]" and expected == ("a string",)):
        return "ftNEAR stands between strings, not between expressions in parentheses."
    if "ftNOT" in expected:
        if kind == "w":
            return f'Words stand in quotes: "{quoted(tokens.texts[index])}".'
        if kind == "v":
            return "Words stand in quotes; they cannot be taken from a variable."
    elif "ftNEAR" in expected:
        if kind in _SOFT:
            return f"An option needs `using` before it: using {tokens.texts[index]}."
        if kind in "@T":
            return "A string of words has neither a language nor a datatype."
        if kind == "s":
            return "Join strings by ftAND, ftOR or ftNEAR; the words in one string are a phrase."
    return None


def _on_symbols(tokens: Tokens, index: int, kind: str, expected: tuple[str, ...]) -> str | None:
    kinds, before = tokens.kinds, tokens.kinds[index - 1 : index]
    if kinds[max(index - 2, 0) : index + 1] == "n//":
        return "An IRI stands in angle brackets: <http://…>."
    if kinds[index : index + 2] == "//":
        return "A comment starts with #."
    if kind == "<" and _EXPRESSION_STARTS not in expected:
        return 'An IRI has no spaces between its angle brackets, and none of < > " { } | ^ ` \\'
    if kind == "i" and "an operator" in expected:
        return "Put a space after < and before >: without spaces, what stands between them is an IRI."
    if kind == "=" and before == "=":
        return "Equality is written with one =."
    if kind == "," and "WHERE" in expected:
        return "Variables are separated by spaces."
    if "PREFIX" in expected:
        if tokens.texts[index].lower() in ("@prefix", "@base"):
            return f"Write {tokens.texts[index][1:].upper()} without @, and without a dot at its end."
        if kind == ".":
            return "There is no dot after PREFIX and BASE."
    return None


def _on_patterns(tokens: Tokens, index: int, kind: str, expected: tuple[str, ...]) -> str | None:
    kinds, before = tokens.kinds, tokens.kinds[index - 1 : index]
    if expected == ("EXISTS",):
        return "Negation is written with !, as in FILTER (!bound(?x))."
    if before == _KIND["FILTER"] and kind not in ("w", "n", "p"):
        return "A condition stands in parentheses: FILTER (…)."
    if "FILTER" in expected and kind in _CONNECTIVES:
        return "Conditions are joined by && and ||, with parentheses around all of them: FILTER (… && …)."
    if kind == _KIND["UNION"]:
        return "UNION stands between two groups: { … } UNION { … }."
    if "'.' or '}'" in expected:
        around = _opening(kinds, index)
        if kinds[around - 1 : around] == _KIND["CONSTRUCT"]:
            return "A template has triples only; patterns stand in WHERE." if kind not in _TERM_STARTS else _DOT
        if kinds[max(around - 2, 0) : around] == _KIND["CONSTRUCT"] + _KIND["WHERE"] and kind not in _TERM_STARTS:
            return "CONSTRUCT WHERE has triples only; for more, write CONSTRUCT { … } WHERE { … }."
        if kinds[index - 2 : index] == "v*":
            return "A path is made of IRIs; a variable cannot be repeated."
        if kind in _TERM_STARTS:
            return _DOT
    return None


_DOT: Final = "Put a dot between triples, and a semicolon between the properties of one subject."
_EXPRESSION_STARTS: Final = "a value"  # in the list of what is expected only where an expression may begin


def _on_words(tokens: Tokens, index: int, kind: str, expected: tuple[str, ...]) -> str | None:
    text = quoted(tokens.texts[index])
    after = tokens.kinds[index + 1 : index + 2]
    if kind == "w":
        if "a function" in expected and after == "(":
            return f"There is no function {text}; a function of your own needs an IRI."
        if _EXPRESSION_STARTS in expected:
            return f"A bare name stands for an IRI only in a triple pattern; here, write <{text}>."
        return None
    if kind not in _WORD_OF_KIND or kind in _SOFT:
        return None
    # Where any pattern may begin, a keyword is rather one too many than the name of something.
    is_name = "FILTER" not in expected or after in tuple("vipnaw")
    if is_name and ("a term" in expected or "a predicate" in expected):
        return f"{text} is a keyword; as the name of something it is written <{text}>."
    return None


def _opening(kinds: str, index: int) -> int:
    """The brace that is open at a place; 0 if none is."""
    level = 0
    for place in range(index - 1, -1, -1):
        if kinds[place] == "}":
            level += 1
        elif kinds[place] == "{":
            if not level:
                return place
            level -= 1
    return 0
