"""Why a text is no query: the grammar's failure -> an error that its writer can act on."""

from __future__ import annotations

import difflib
from typing import Final

from sparql_ft.errors import QueryError, QuerySyntaxError, UnsupportedFeatureError
from sparql_ft.signatures import ARITY
from sparql_ft.syntax.grammar import ParseFailure
from sparql_ft.syntax.lexer import FT_KEYWORDS, KIND_OF_KEYWORD, SOFT_KEYWORDS, STRUCTURE, Tokens

__all__ = ["explain"]

_UPDATE: Final = "INSERT DELETE LOAD CLEAR DROP CREATE ADD MOVE COPY WITH".split()
_AGGREGATES: Final = "COUNT SUM MIN MAX AVG SAMPLE GROUP_CONCAT".split()
_SPARQL_12: Final = (
    "VERSION LATERAL TRIPLE SUBJECT PREDICATE OBJECT ISTRIPLE LANGDIR STRLANGDIR HASLANG HASLANGDIR ADJUST".split()
)
# A keyword at which parsing ends -> what its writer wanted to use.
_CONSTRUCTS: Final = {
    **{word: f"SPARQL Update ({word})" for word in _UPDATE},
    **{word: f"the aggregate {word}" for word in _AGGREGATES},
    **{word: f"SPARQL 1.2 ({word})" for word in _SPARQL_12},
    "DESCRIBE": "DESCRIBE",
    "FROM": "FROM",
    "GROUP": "GROUP BY",
    "HAVING": "HAVING",
    "ORDER": "ORDER BY",
    "LIMIT": "LIMIT",
    "OFFSET": "OFFSET",
    "SERVICE": "SERVICE",
}
_HINTS: Final = {
    "DESCRIBE": "Use SELECT or ASK: a standing query matches by its WHERE.",
    "FROM": "A standing query is matched against each publication; it has no data set of its own.",
    "GROUP BY": "Each publication is matched on its own; leave GROUP BY out.",
    "ORDER BY": "Matches have no order; leave ORDER BY out.",
    "LIMIT": "A query matches as soon as it has one solution; leave LIMIT out.",
    "OFFSET": "A query matches as soon as it has one solution; leave OFFSET out.",
    "SPARQL Update": "Register a SELECT, ASK or CONSTRUCT query.",
}
_WORD_OF_KIND: Final = {kind: word for word, kind in KIND_OF_KEYWORD.items()}
_EXPRESSION_STARTS: Final = "a value"  # in the list of what is expected only where an expression may begin
_MANY: Final = 8  # more expectations than this are no help


def explain(tokens: Tokens, failure: ParseFailure) -> QueryError:
    """The error to raise for a text that the grammar refused."""
    index = failure.index
    construct = _unsupported(tokens, failure)
    if construct is not None:
        hint = _HINTS.get(construct) or _HINTS.get(construct.partition(" (")[0])
        return UnsupportedFeatureError(construct, tokens.source, tokens.offset(index), hint=hint)
    expected = _readable(failure.expected)
    if index >= len(tokens.texts):
        found = "the query ends here"
    else:
        found = f"unexpected {_quoted(tokens, index)}"
    wanted = f"; expected {_list(expected)}" if 0 < len(expected) <= _MANY else ""
    return QuerySyntaxError(
        found + wanted, tokens.source, tokens.offset(index), hint=_hint(tokens, failure), expected=expected
    )


def _unsupported(tokens: Tokens, failure: ParseFailure) -> str | None:
    """The construct outside of the supported language that parsing ran into, if that is what it was."""
    index = failure.index
    word = _word(tokens, index)
    if word == "SELECT" and index > 0 and tokens.kinds[index - 1] == "{":
        return "a sub-select"
    if word in _CONSTRUCTS and (word not in _SPARQL_12 or tokens.kinds[index + 1 : index + 2] in "(s{"):
        return _CONSTRUCTS[word]
    if tokens.kinds[index : index + 2] == "<<" or tokens.kinds[index : index + 2] == "{|":
        return "SPARQL 1.2 (triple terms)"
    in_select = tokens.kinds.rfind(KIND_OF_KEYWORD["SELECT"], 0, index)
    if in_select >= 0 and "{" not in tokens.kinds[in_select:index]:
        if tokens.kinds[index : index + 1] == "(":
            aggregate = _word(tokens, index + 1)
            return _CONSTRUCTS[aggregate] if aggregate in _AGGREGATES else "(expression AS ?variable) in SELECT"
        if word in ARITY:
            return "an expression in SELECT"
    if word == "DISTINCT" and tokens.kinds[index - 1] == "(":
        return "DISTINCT in a function call"
    return None


def _hint(tokens: Tokens, failure: ParseFailure) -> str | None:
    """What the writer may have meant: a misspelt keyword here or one token back, or a keyword used as a name."""
    index = failure.index
    for place in (index, index - 1):
        if 0 <= place < len(tokens.kinds) and tokens.kinds[place] == "w":
            meant = _closest(tokens.texts[place])
            if meant is not None:
                return f"Did you mean {meant}?"
    word = _word(tokens, index)
    if tokens.kinds[index : index + 1] == "w":
        if _EXPRESSION_STARTS in failure.expected:
            if tokens.kinds[index + 1 : index + 2] == "(":
                return f"There is no function {tokens.texts[index]}; a function of your own needs an IRI."
            return f"A bare name stands for an IRI only in a triple pattern; here, write <{tokens.texts[index]}>."
        return None
    if (
        word is not None
        and word not in SOFT_KEYWORDS
        and ("a term" in failure.expected or "a predicate" in failure.expected)
    ):
        return f"{tokens.texts[index]} is a keyword; as the name of something it is written <{tokens.texts[index]}>."
    if tokens.kinds[index : index + 2] == "//":
        return "A comment starts with #."
    return None


def _closest(word: str) -> str | None:
    """The keyword that a word is a misspelling of: ftNEER, ft_and, FLITER, but not `title`."""
    keywords = {key.lower(): key for key in (*FT_KEYWORDS, *STRUCTURE, *ARITY)}
    plain = word.lower().replace("_", "").replace("-", "")
    if plain in keywords:
        return keywords[plain]
    close = difflib.get_close_matches(plain, keywords, n=1, cutoff=0.75)
    return keywords[close[0]] if close else None


def _word(tokens: Tokens, index: int) -> str | None:
    """The keyword at a place; a bare name in upper case, because SPARQL 1.2 has more keywords."""
    kind = tokens.kinds[index : index + 1]
    if kind == "w":
        return tokens.texts[index].upper()
    return _WORD_OF_KIND.get(kind)


def _quoted(tokens: Tokens, index: int) -> str:
    text = tokens.texts[index]
    return text if len(text) <= 40 else text[:39] + "…"


def _readable(expected: tuple[str, ...]) -> tuple[str, ...]:
    """Expectations with those left out that another one implies."""
    names = set(expected)
    if "a value" in names:
        names -= {"'+' or '-'", "'!'", "'('", "a function", "ftcontains", "EXISTS", "NOT"}
        names = (names - {"a value"}) | {"an expression"}
    if "a term" in names:
        names -= {"'('", "'['"}
    if "a predicate" in names:
        names -= {"'!'", "'^'", "'('"}
    return tuple(sorted(names, key=lambda name: (not name.startswith("a"), name)))


def _list(names: tuple[str, ...]) -> str:
    if len(names) == 1:
        return names[0]
    return ", ".join(names[:-1]) + " or " + names[-1]
