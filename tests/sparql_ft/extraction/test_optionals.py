"""OPTIONALs that a FILTER makes mandatory, and those that stay optional."""

from __future__ import annotations

import pytest

from tests.sparql_ft.extraction.shown import shown

MANDATORY = "(?x, :p, ?y) ^ (?x, :q, ?z"


@pytest.mark.parametrize(
    "condition",
    [
        'lang(?z) = "en"',
        'langMatches(lang(?z), "en")',
        "bound(?z)",
        "?z > 1",
        "1 < -?z + 1",
        "!(?z > 1)",
        'regex(?z, "a")',
        'ftcontains(?z, "a")',
        "?z IN (1, 2)",
        "?z NOT IN (1, 2)",
        "?y != ?z && isIRI(?z)",
        "?z > 3 || bound(?z)",
        "!(?z > 3 && ?z < 7)",
        "IF(?z > 1, ?y, 1) > 1",
        "<http://www.w3.org/2001/XMLSchema#integer>(?z) > 1",
    ],
)
def test_mandatory(condition: str) -> None:
    """What cannot be true of an unbound variable makes the OPTIONAL that binds it a group."""
    (only,) = shown(f"{{ ?x :p ?y OPTIONAL {{ ?x :q ?z }} FILTER({condition}) }}")
    assert only.startswith(MANDATORY)
    assert not only.endswith("~")


@pytest.mark.parametrize(
    "condition",
    [
        "!bound(?z)",
        "?z > 1 || ?y > 1",
        "!(?z > 1 || ?y > 1 && ?y < 2) || ?y = 1",
        "COALESCE(?z, 1) = 1",
        "IF(bound(?z), ?z, 1) = 1",
        "IF(?y > 1, ?z, 1) = 1",
        "EXISTS { ?x :r ?z }",
        "?z NOT IN ()",
    ],
)
def test_optional(condition: str) -> None:
    """What can be true of an unbound variable does not."""
    (only,) = shown(f"{{ ?x :p ?y OPTIONAL {{ ?x :q ?z }} FILTER({condition}) }}")
    assert ":q" not in only
    assert only.endswith("~")


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("{ ?x :p ?z OPTIONAL { ?x :q ?z } FILTER(?z > 1) }", ["(?x, :p, ?z, ?z > 1)"]),
        ("{ ?x :p 1 OPTIONAL { ?x :q ?z } OPTIONAL { ?x :r ?z } FILTER(?z > 1) }", ["(?x, :p, 1) ~"]),
        (
            "{ ?x :p 1 OPTIONAL { ?x :q ?z } OPTIONAL { ?x :r ?w } FILTER(?z > 1) }",
            ["(?x, :p, 1) ^ (?x, :q, ?z, ?z > 1)"],
        ),
        ("{ ?x :p ?y OPTIONAL { ?x :q ?z FILTER(?y = ?z) } FILTER(?z > 1) }", ["(?x, :p, ?y) ~"]),
        (
            "{ ?x :p ?y OPTIONAL { ?x :q ?z FILTER(?z < 9) } FILTER(?z > 1) }",
            ["(?x, :p, ?y) ^ (?x, :q, ?z, ?z < 9, ?z > 1)"],
        ),
        ("{ ?x :p 1 OPTIONAL { ?x :q ?z OPTIONAL { ?z :r ?w } } FILTER(?w > 1) }", ["(?x, :p, 1) ^ (?x, :q, ?z) ~"]),
        (
            "{ ?x :p 1 OPTIONAL { ?x :q ?z OPTIONAL { ?z :r ?w } FILTER(?w > 2) } FILTER(?z != 1) }",
            ["(?x, :p, 1) ^ (?x, :q, ?z, ?z != 1) ^ (?z, :r, ?w, ?w > 2)"],
        ),
        (
            "{ { ?x :p 1 OPTIONAL { ?x :q ?z } FILTER(?z > 1) } UNION { ?x :r 1 } }",
            ["(?x, :p, 1) ^ (?x, :q, ?z, ?z > 1)", "(?x, :r, 1)"],
        ),
        ("{ GRAPH :g { ?x :p 1 OPTIONAL { ?x :q ?z } FILTER(?z > 1) } }", ["(?x, :p, 1) ^ (?x, :q, ?z, ?z > 1) @ :g"]),
    ],
)
def test_which_optional(pattern: str, expected: list[str]) -> None:
    """Only the one that alone binds the variable, wherever it stands, and whose FILTERs do not look outside."""
    assert shown(pattern) == expected


def test_not_inside_exists() -> None:
    """There, the variable may have a value from outside, and the OPTIONAL need not bind it."""
    pattern = "{ ?x :p ?z FILTER EXISTS { ?x :q ?w OPTIONAL { ?w :r ?z } FILTER(?z > 1) } }"
    assert shown(pattern) == ["(?x, :p, ?z) ^ (?x, :q, ?exists.0) & ?z > 1 ~"]
