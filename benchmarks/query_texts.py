"""Query texts to be parsed: of many shapes, as people write them, and many of one shape, as programs do.

The full text is in the portable spelling, so that every SPARQL parser reads the same texts.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

__all__ = ["from_log", "of_many_shapes", "of_one_shape"]

_PREFIXES = (
    "PREFIX dbo: <http://dbpedia.org/ontology/>\n"
    "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n"
    "PREFIX ft: <urn:sparql-ft:>\n"
)
_RESOURCE = "http://dbpedia.org/resource/E"
_CLASSES = "City Person Scientist Film Album River Mountain Company University Book Politician Settlement".split()
_OBJECTS = "birthPlace country author director genre location party spouse almaMater starring".split()
_LITERALS = "abstract comment motto slogan nickname".split()
_NUMBERS = "populationTotal elevation length runtime numberOfPages".split()
_WORDS = (
    "olympic games rio river mountain famous science music born capital european railway novel war early museum "
    "century football award university church island northern language election"
).split()


def of_many_shapes(count: int, seed: int) -> list[str]:
    """Texts of mixed and mostly distinct shapes: stars, joins, full text, filters, OPTIONAL, UNION, paths."""
    rng = random.Random(seed)
    return [_query(rng) for _ in range(count)]


def of_one_shape(count: int, seed: int) -> list[str]:
    """Texts that differ in their constants only."""
    rng = random.Random(seed)
    return [
        f"{_PREFIXES}SELECT ?x WHERE {{\n"
        f"  ?x a dbo:{rng.choice(_CLASSES)}{number % 97} ; dbo:{rng.choice(_OBJECTS)} <{_RESOURCE}{number}> ;\n"
        f"     dbo:{rng.choice(_LITERALS)} ?text .\n"
        f"""  FILTER(ft:contains(?text, '"{rng.choice(_WORDS)}{number % 1009}" ftAND "{rng.choice(_WORDS)}"'))\n}}"""
        for number in range(count)
    ]


def from_log(path: Path) -> list[str]:
    """The `query` (or `text`) of each line of a JSON Lines file."""
    with path.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines if line.strip()]
    return [record.get("query") or record["text"] for record in records]


def _query(rng: random.Random) -> str:
    patterns = [f"?x a dbo:{rng.choice(_CLASSES)} ."]
    patterns += [_pattern(rng, number) for number in range(rng.randint(1, 4))]
    head = rng.choice(["SELECT ?x", "SELECT DISTINCT ?x ?v0", "SELECT *", "ASK"])
    return f"{_PREFIXES}{head} WHERE {{\n  " + "\n  ".join(patterns) + "\n}"


def _pattern(rng: random.Random, number: int) -> str:
    variable = f"?v{number}"
    text = f"?x dbo:{rng.choice(_LITERALS)} {variable} . FILTER(ft:contains({variable}, '{_full_text(rng)}'))"
    edge = f"?x dbo:{rng.choice(_OBJECTS)} {variable} ."
    value = f"?x dbo:{rng.choice(_NUMBERS)} {variable} ."
    return rng.choice(
        [
            text,
            text,
            edge,
            f"?x dbo:{rng.choice(_OBJECTS)} <{_RESOURCE}{rng.randrange(10_000)}> .",
            f"{edge} {variable} rdfs:label ?l{number} . FILTER(lang(?l{number}) = 'en')",
            f"{value} FILTER({variable} {rng.choice(['<', '>', '>=', '!='])} {rng.randrange(100_000)})",
            f"OPTIONAL {{ {edge} }}",
            f"{{ {edge} }} UNION {{ {text} }}",
            f"?x dbo:{rng.choice(_OBJECTS)}/dbo:{rng.choice(_OBJECTS)} {variable} .",
            f"FILTER NOT EXISTS {{ {edge} }}",
            f"{text} FILTER(strlen({variable}) > {rng.randrange(50)} || regex({variable}, '{rng.choice(_WORDS)}'))",
        ]
    )


def _full_text(rng: random.Random) -> str:
    words = [f'"{word}"' for word in rng.sample(_WORDS, rng.randint(1, 3))]
    return rng.choice([" ftAND ", " ftOR ", " ftNEAR[0,5] "]).join(words)
