"""Plain SPARQL, and what almost is: we take what pyoxigraph takes, but for differences that have their reasons."""

from __future__ import annotations

import re
from collections import Counter

import pyoxigraph as ox
import pytest

from sparql_ft import Query, QuerySyntaxError, UnsupportedFeatureError, parse
from sparql_ft.signatures import ARITY
from sparql_ft.syntax.lexer import KIND_OF_KEYWORD, SOFT_KEYWORDS, STRUCTURE, Tokens, lex
from tests.mutations import PLAIN, mutants
from tests.query_fixtures import FIXTURES, canonical_of

BASE = "http://example.org/base"
SOFT = {KIND_OF_KEYWORD[word] for word in SOFT_KEYWORDS}
BEGINS_LIKE_A_KEYWORD = re.compile("|".join(["a:", *STRUCTURE, *ARITY]), re.IGNORECASE)
# RFC 5646, which pyoxigraph asks of language tags, and SPARQL's [145] does not.
WELL_FORMED_TAG = re.compile(r"@(?:[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*|[xXiI]-.*)")


def pyoxigraph_takes(text: str) -> bool:
    """Whether pyoxigraph's parser takes a text."""
    try:
        ox.Store().query(text, base_iri=BASE)
    except SyntaxError:
        return False
    except RuntimeError:
        pass  # a function that does not exist is found when the query runs
    return True


def taken_by_us_alone(tokens: Tokens, query: Query) -> str | None:
    """Why pyoxigraph refuses a query."""
    words = {text for kind, text in zip(tokens.kinds, tokens.texts, strict=True) if kind == "w" or kind in SOFT}
    if words:
        return "a bare name, which is our extension"
    if re.search(r"(?<![\w>])\* |\* \.", str(query)):
        return "a wildcard, which is our extension"
    if query.projection is not None and len(set(query.projection)) < len(query.projection):
        return "a variable twice in SELECT, which section 16.1 does not forbid"
    if any(
        kind == "t" and text not in ("true", "false") for kind, text in zip(tokens.kinds, tokens.texts, strict=True)
    ):
        return "TRUE, since section 19.8 has keywords in any case"
    if any(
        kind == "@" and not WELL_FORMED_TAG.fullmatch(text)
        for kind, text in zip(tokens.kinds, tokens.texts, strict=True)
    ):
        return "a language tag that is none by RFC 5646, but by production [145]"
    return None


def refused_by_us_alone(tokens: Tokens) -> str | None:
    """Why pyoxigraph takes what is a syntax error here."""
    if re.search("[+-][def]", tokens.kinds):
        return "a sign apart from its number, which productions [149, 152] have as one token"
    if not pyoxigraph_takes(" ".join(tokens.texts)):
        return "a longer token than pyoxigraph sees: `:a.:b` is one name (section 19.8)"
    if any(kind == "i" and text[1] in "?$" for kind, text in zip(tokens.kinds, tokens.texts, strict=True)):
        return "a longer token than pyoxigraph sees: `<?a&&?b>` is an IRI (section 19.8)"
    names = [text for kind, text in zip(tokens.kinds, tokens.texts, strict=True) if kind in "wnp"]
    if any(BEGINS_LIKE_A_KEYWORD.match(name) for name in names):
        return "a keyword that runs into what follows: `PREFIXa:` is a prefix (section 19.8), `FILTERbound` a bare name"
    return None


def difference(text: str) -> str | None:
    """None where pyoxigraph and we agree; else the reason. It is an error if there is none."""
    try:
        query = parse(text, base=BASE)
    except UnsupportedFeatureError:
        return None
    except QuerySyntaxError:
        query = None
    if pyoxigraph_takes(text) == (query is not None):
        return None
    reason = refused_by_us_alone(lex(text)) if query is None else taken_by_us_alone(lex(text), query)
    assert reason is not None, f"only {'pyoxigraph takes' if query is None else 'we take'} it: {text}"
    return reason


TEXTS = [
    text
    for path in FIXTURES
    for text in (path.read_text(encoding="utf-8"), canonical_of(path))
    if pyoxigraph_takes(text) and "urn:sparql-ft:" not in text  # a function like any other for pyoxigraph
]


def test_there_are_enough_texts() -> None:
    """Most fixtures are plain SPARQL."""
    assert len(TEXTS) > 30


def test_mutations() -> None:
    """A few thousand texts that are almost queries; few differ at all."""
    found = Counter(map(difference, mutants(TEXTS, seed=2, count=2_500, tokens=PLAIN)))
    assert found[None] > 2_300


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20, 26))
def test_many_mutations(seed: int) -> None:
    """Many more."""
    found = Counter(map(difference, mutants(TEXTS, seed, count=10_000, tokens=PLAIN)))
    assert found[None] > 9_000
