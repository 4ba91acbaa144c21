"""Query text -> tokens, each with a kind that is one character.

The kinds of a text, joined, are a string in which position i is token i. The grammar is written over that string, so
that it never looks at white space, comments or the spelling of a name, and a lookahead is one character wide.

SPARQL is tokenised by the longest match, whatever the context: `?a<?b&&?c>?d` holds the IRI `<?b&&?c>`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sparql_ft.errors import QuerySyntaxError
from sparql_ft.signatures import ARITY

__all__ = [
    "FT_KEYWORDS",
    "KIND_OF_KEYWORD",
    "KIND_OF_SYMBOL",
    "MAX_CHARACTERS",
    "MAX_DEPTH",
    "MAX_TOKENS",
    "SOFT_KEYWORDS",
    "STRUCTURE",
    "Tokens",
    "depth",
    "lex",
]

MAX_CHARACTERS: Final = 1_000_000
MAX_TOKENS: Final = 100_000
MAX_DEPTH: Final = 64  # of nested brackets; everything that walks a tree may recurse this deep
_MAX_DOTS: Final = 64  # in a prefix

# What each letter stands for in a kind string. Symbols of one character are their own kind.
VAR, IRIREF, PNAME_LN, PNAME_NS, NAME, BLANK, STRING, LANGTAG = "v", "i", "p", "n", "w", "b", "s", "@"
INTEGER, DECIMAL, DOUBLE, SIGNED_INTEGER, SIGNED_DECIMAL, SIGNED_DOUBLE, BOOLEAN = "d", "e", "f", "D", "E", "F", "t"
KIND_OF_SYMBOL: Final = {
    **{symbol: symbol for symbol in "{}()[].;,^|/*+-!=<>?~"},  # `~` is SPARQL 1.2, and known to be refused by name
    "^^": "T",
    "||": "O",
    "&&": "A",
    "!=": "N",
    "<=": "L",
    ">=": "G",
}

STRUCTURE: Final = (
    "BASE PREFIX SELECT CONSTRUCT DESCRIBE ASK DISTINCT REDUCED AS FROM NAMED WHERE GROUP BY HAVING ORDER "
    "ASC DESC LIMIT OFFSET VALUES UNDEF OPTIONAL GRAPH SERVICE SILENT BIND UNION MINUS FILTER IN NOT "
    "EXISTS COUNT SUM MIN MAX AVG SAMPLE GROUP_CONCAT SEPARATOR INSERT DELETE LOAD CLEAR DROP CREATE ADD "
    "MOVE COPY WITH USING DATA INTO TO DEFAULT ALL"
).split()
FT_KEYWORDS: Final = "ftcontains ftAND ftOR ftNOT ftNEAR".split()
# Words of the `using` options. No SPARQL keywords, so they may still be bare names in a triple pattern.
SOFT_KEYWORDS: Final = "wildcards stemming language case diacritics sensitive insensitive".split()

KIND_OF_KEYWORD: Final = {
    word: chr(0xE000 + number) for number, word in enumerate([*STRUCTURE, *ARITY, *FT_KEYWORDS, *SOFT_KEYWORDS])
}
# Keywords may follow each other without a space, where no name can stand: before the first brace.
_RUN_TOGETHER: Final = {"askwhere": 3, "constructwhere": 9, "selectdistinct": 6, "selectreduced": 6}
_KIND_BY_FOLDED_WORD: Final = {word.lower(): kind for word, kind in KIND_OF_KEYWORD.items()} | {
    "true": BOOLEAN,
    "false": BOOLEAN,
}

_BASE = (
    "A-Za-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C-\\u200D\\u2070-\\u218F"
    "\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\U00010000-\\U000EFFFF"
)  # [164] PN_CHARS_BASE
_VARNAME = f"[{_BASE}_0-9][{_BASE}_0-9\\u00B7\\u0300-\\u036F\\u203F-\\u2040]*"  # [166]
_CHARS = f"{_BASE}_0-9\\u00B7\\u0300-\\u036F\\u203F-\\u2040\\-"  # [167] PN_CHARS
_PLX = r"%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"  # [170]
# [168] PN_PREFIX and the colon. How many dots it may have is limited, because `a.b.c.d` is a prefix, or four names and
# their dots, depending on what follows: without a limit, each name would look to the end of the text.
_PREFIX = f"(?:[{_BASE}][{_CHARS}]*+(?:\\.++[{_CHARS}]++){{0,{_MAX_DOTS}}}+)?:"
_LOCAL = f"(?:[{_BASE}_:0-9]|{_PLX})(?:\\.*(?:[{_CHARS}:]|{_PLX}))*"  # [169] PN_LOCAL
_ECHAR = r"\\[tbnrf\\\"']"  # [160]
_LONG = "{quote}{quote}{quote}(?:{quote}{{0,2}}(?:[^{quote}\\\\]|" + _ECHAR + "))*{quote}{quote}{quote}"
_SHORT = "{quote}(?!{quote}{quote})(?:[^{quote}\\\\\\n\\r]|" + _ECHAR + ")*{quote}"

# The commonest tokens come first, in forms that are cheap to recognise; the complete forms follow.
_TOKEN_GROUPS: Final = (
    (NAME, r"[A-Za-z][A-Za-z0-9_]*+(?=[ \t\r\n({\[,)}])"),
    (VAR, f"[?$](?:[A-Za-z0-9_]++(?![^\\x00-\\x7f])|{_VARNAME})"),  # [143, 144]
    ("", r"[{}()\[\];,=]"),
    (IRIREF, r"<[^<>\"{}|^`\\\x00-\x20]*+>"),  # [139]
    (STRING, r"\"(?!\"\")[^\"\\\n\r]*+\""),
    (PNAME_LN, f"{_PREFIX}{_LOCAL}"),  # [141]
    (PNAME_NS, _PREFIX),  # [140]
    (BLANK, f"_:[{_BASE}_0-9](?:\\.*[{_CHARS}])*"),  # [142]
    (NAME, r"[A-Za-z_][A-Za-z0-9_\-]*"),  # keywords and bare names
    (
        STRING,
        "|".join(
            (_LONG.format(quote="'"), _LONG.format(quote='"'), _SHORT.format(quote="'"), _SHORT.format(quote='"'))
        ),
    ),  # [156-159]
    (LANGTAG, r"@[A-Za-z]+(?:-[A-Za-z0-9]+)*"),  # [145]
    (SIGNED_DOUBLE, r"[+-](?:[0-9]+\.[0-9]*|\.?[0-9]+)[eE][+-]?[0-9]+"),  # [151, 154]
    (SIGNED_DECIMAL, r"[+-][0-9]*\.[0-9]+"),
    (SIGNED_INTEGER, r"[+-][0-9]+"),
    (DOUBLE, r"(?:[0-9]+\.[0-9]*|\.?[0-9]+)[eE][+-]?[0-9]+"),  # [148]
    (DECIMAL, r"[0-9]*\.[0-9]+"),  # [147]
    (INTEGER, r"[0-9]+"),  # [146]
    ("", r"\^\^|\|\||&&|!=|<=|>=|[{}()\[\].;,^|/*+\-!=<>?~]"),  # symbols
)
_SPACE = r"[ \t\r\n]*+(?:\#[^\r\n]*+[ \t\r\n]*+)*+"
_TOKEN: Final = re.compile(
    _SPACE + "(?:" + "|".join(f"({pattern})" for _, pattern in _TOKEN_GROUPS) + r"|(\Z)|(.))", re.DOTALL
)
_KIND_BY_GROUP: Final = ("", *(kind for kind, _ in _TOKEN_GROUPS))
_END_GROUP: Final = len(_TOKEN_GROUPS) + 1
_BEGUN_STRING: Final = re.compile(  # up to where it cannot go on
    "|".join(f"{quote * 3}(?:[^\\\\]|{_ECHAR})*+|{quote}(?:[^{quote}\\\\\\n\\r]|{_ECHAR})*+" for quote in "\"'")
)
_NO_SPACES: Final = "\ufeff\u200b\u200c\u200d\u2060\u00ad"  # byte order mark, joiners, soft hyphen
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_ESCAPED: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[^uU])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text: `kinds[i]` and `texts[i]` belong together."""

    source: str  # as the user wrote it
    kinds: str
    texts: list[str]

    def offset(self, index: int) -> int:
        """Where token `index` starts in the source; the end of the source for an index past the last token."""
        return self.offsets()[index]

    def offsets(self) -> list[int]:
        """Where the tokens start in the source, and where it ends.

        Only errors and shapes ask, so the text is lexed again rather than all positions kept.
        """
        text, shifts = _replace_codepoint_escapes(self.source)
        matches = _TOKEN.finditer(text)
        starts: list[int] = []
        while len(starts) < len(self.texts):
            match = next(matches)
            assert match.lastindex is not None
            start, end = match.span(match.lastindex)
            while start < end:  # twice for keywords that ran together
                starts.append(start)
                start += len(self.texts[len(starts) - 1])
        positions = [place for place, _ in shifts]
        lost = [0, *(characters for _, characters in shifts)]
        return [start + lost[bisect_right(positions, start)] for start in starts] + [len(self.source)]


def lex(source: str) -> Tokens:
    """The tokens of `source`. Refuses what no query of SPARQL can hold, and what is too long or too deep."""
    if len(source) > MAX_CHARACTERS:
        raise QuerySyntaxError(
            f"the query has {len(source):,} characters; the limit is {MAX_CHARACTERS:,}",
            hint="A standing query of this size is better registered as several queries.",
        )
    if not source.isascii() and (half := _SURROGATE.search(source)):
        raise QuerySyntaxError(f"{half[0]!r} is half of a character", source, half.start())
    text = source
    if "\\u" in source or "\\U" in source:
        text, _ = _replace_codepoint_escapes(source)
    kinds: list[str] = []
    texts: list[str] = []
    looked = 0  # tokens in which there is no brace
    symbol_kind, word_kind, group_kind = KIND_OF_SYMBOL, _KIND_BY_FOLDED_WORD, _KIND_BY_GROUP
    for match in _TOKEN.finditer(text):
        group = match.lastindex
        assert group is not None
        if group >= _END_GROUP:
            if group > _END_GROUP:
                raise _no_token(source, text, match.start(group))
            break
        token = match[group]
        kind = group_kind[group]
        if kind == NAME:
            word = token.lower()
            kind = word_kind.get(word, NAME) if token != "a" else "a"
            if word in _RUN_TOGETHER and "{" not in kinds[looked:]:
                looked = len(kinds)
                length = _RUN_TOGETHER[word]
                kinds.append(word_kind[word[:length]])
                texts.append(token[:length])
                kind, token = word_kind[word[length:]], token[length:]
        kinds.append(kind or symbol_kind[token])
        texts.append(token)
        if len(kinds) > MAX_TOKENS:
            raise QuerySyntaxError(
                f"the query has more than {MAX_TOKENS:,} words and symbols",
                hint="A standing query of this size is better registered as several queries.",
            )
    tokens = Tokens(source, "".join(kinds), texts)
    _check_depth(tokens)
    return tokens


def depth(kinds: str) -> int:
    """How deep brackets nest, ftNOTs counting like brackets."""
    return max(_depths(kinds), default=0)


def _depths(kinds: str) -> Iterator[int]:
    """How deep each token stands; a bracket belongs to what is in it."""
    level = nots = 0
    around: list[int] = []  # the levels outside of the brackets that are open
    ft_not = KIND_OF_KEYWORD["ftNOT"]
    for kind in kinds:
        if kind == ft_not:
            nots += 1
        elif kind in "([{":
            around.append(level)
            level += nots + 1
            nots = 0
        else:
            nots = 0
            if kind in ")]}":
                level = around.pop() if around else 0
        yield level + nots


def _check_depth(tokens: Tokens) -> None:
    kinds = tokens.kinds
    brackets = kinds.count("(") + kinds.count("{") + kinds.count("[")
    if brackets + kinds.count(KIND_OF_KEYWORD["ftNOT"]) <= MAX_DEPTH:
        return
    too_deep = next((index for index, level in enumerate(_depths(kinds)) if level > MAX_DEPTH), None)
    if too_deep is not None:
        raise QuerySyntaxError(
            f"nested more than {MAX_DEPTH} levels deep",
            tokens.source,
            tokens.offset(too_deep),
            hint="Write it flatter.",
        )


def _replace_codepoint_escapes(source: str) -> tuple[str, list[tuple[int, int]]]:
    r"""The text with \uXXXX and \UXXXXXXXX replaced, as section 19.2 has it done before the grammar looks.

    Also the places where it grew shorter: (position in the result, characters lost up to there).
    """
    shifts: list[tuple[int, int]] = []
    lost = 0

    def replace(match: re.Match[str]) -> str:
        nonlocal lost
        digits = match[1] or match[2]
        if digits is None:
            return match[0]
        code = int(digits, 16)
        if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            raise QuerySyntaxError(f"{match[0]} is no Unicode character", source, match.start())
        lost += len(match[0]) - 1
        shifts.append((match.end() - lost, lost))
        return chr(code)

    return _ESCAPED.sub(replace, source), shifts


def _in_source(position: int, shifts: list[tuple[int, int]]) -> int:
    return position + max((lost for start, lost in shifts if start <= position), default=0)


def _no_token(source: str, text: str, position: int) -> QuerySyntaxError:
    """The error for a character at which no token starts, with what its writer probably meant."""
    character = text[position]
    _, shifts = _replace_codepoint_escapes(source)
    hint = None
    if character in "\"'":
        message = "this string does not end"
        hint = "A string ends with the quote it starts with; line breaks need triple quotes, a backslash needs another."
        begun = _BEGUN_STRING.match(text, position)
        assert begun is not None  # it starts with a quote
        if text[begun.end() : begun.end() + 1] == "\\" and text[begun.end() + 1 : begun.end() + 2].isprintable():
            position = begun.end()
            message = f"{text[position : position + 2]} is no escape sequence"
            hint = r"Write \\ for a backslash; the escapes are \t \b \n \r \f \" \' \\ and \uXXXX."
    elif character in "“”„«»‘’":
        message = f"unexpected character {character}"
        hint = "Strings stand in straight quotes: \" or '."
    elif character == "&":
        message = "unexpected character &"
        hint = "The conjunction of conditions is &&, of words ftAND."
    else:
        message = f"unexpected character {character!r}"
        if character in _NO_SPACES or character.isspace():
            hint = "This is a space of another kind, or a mark that cannot be seen. Put an ordinary space, or nothing."
        elif not character.isascii() and character.isalpha():
            hint = "Names outside of ASCII need a prefix or angle brackets: <…>."
    return QuerySyntaxError(message, source, _in_source(position, shifts), hint=hint)
