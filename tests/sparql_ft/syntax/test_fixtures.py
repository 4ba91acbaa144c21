"""Queries and their canonical text: NAME.rq and NAME.canonical.rq in tests/fixtures/queries."""

from __future__ import annotations

from pathlib import Path

import pytest

from sparql_ft import nodes, parse
from sparql_ft.nodes import Form, Node
from sparql_ft.rewriting import parts_of
from sparql_ft.signatures import ARITY
from sparql_ft.syntax.lexer import FT_KEYWORDS, KIND_OF_KEYWORD, SOFT_KEYWORDS, lex
from tests.query_fixtures import FIXTURES, canonical_of

NAMES = [path.name.removesuffix(".rq") for path in FIXTURES]
SUPPORTED_KEYWORDS = (
    "BASE PREFIX SELECT CONSTRUCT ASK DISTINCT REDUCED AS WHERE VALUES UNDEF OPTIONAL GRAPH BIND UNION MINUS FILTER IN "
    "NOT EXISTS USING"
).split()


@pytest.mark.parametrize("path", FIXTURES, ids=NAMES)
def test_canonical_text(path: Path) -> None:
    """A query prints as the canonical text beside it."""
    assert f"{parse(path.read_text(encoding='utf-8'))}\n" == canonical_of(path)


@pytest.mark.parametrize("path", FIXTURES, ids=NAMES)
def test_canonical_text_is_the_same_query(path: Path) -> None:
    """Canonical text parses to the tree that it was printed from, and prints as itself."""
    canonical = parse(canonical_of(path))
    assert canonical == parse(path.read_text(encoding="utf-8"))
    assert f"{canonical}\n" == canonical_of(path)


def test_every_canonical_text_has_its_query() -> None:
    """No file is left over when a fixture is renamed."""
    canonical = {path.name.replace(".canonical", "") for path in FIXTURES[0].parent.glob("*.canonical.rq")}
    assert canonical == {path.name for path in FIXTURES}


def test_fixtures_have_every_kind_of_node() -> None:
    """The pairs cover the language: every node of the syntax tree is in one of them, every form and modifier."""
    seen: set[type] = set()
    forms: set[tuple[Form, str]] = set()
    for path in FIXTURES:
        query = parse(canonical_of(path))
        forms.add((query.form, query.modifier))
        pending: list[object] = [query]
        while pending:
            part = pending.pop()
            if isinstance(part, Node | tuple):
                seen.add(type(part))
                pending.extend(parts_of(part))
    every = {getattr(nodes, name) for name in nodes.__all__ if isinstance(getattr(nodes, name), type)} - {Form}
    assert every - seen == set()
    assert forms == {(form, "") for form in Form} | {(Form.SELECT, "DISTINCT"), (Form.SELECT, "REDUCED")}


def test_fixtures_have_every_keyword_and_function() -> None:
    """Every keyword of the supported language is in the pairs, and every built-in function."""
    kinds = {kind for path in FIXTURES for kind in lex(path.read_text(encoding="utf-8")).kinds}
    words = [*SUPPORTED_KEYWORDS, *ARITY, *FT_KEYWORDS, *SOFT_KEYWORDS]
    assert [word for word in words if KIND_OF_KEYWORD[word] not in kinds] == []
