"""The paper's queries over a `World`: at most four tuples and three words, a share of the tuples with full text.

*Dense* draws classes, properties and words by their frequency, as the paper does, so that a publication matches more
than one query in a hundred; *selective* draws them evenly but for most classes, so that it matches a few in a
hundred thousand.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from datasets.publications import ABSTRACT, LABEL, TYPE, World
from sparql_ft.terms import IRI

__all__ = ["queries"]


def queries(world: World, count: int, seed: int, *, dense: bool, text_share: float = 0.5) -> Iterator[tuple[str, str]]:
    """Queries as (id, text)."""
    rng = random.Random(seed)
    for number in range(count):
        yield f"q{number}", _query(world, rng, dense=dense, text_share=text_share)


def _query(world: World, rng: random.Random, *, dense: bool, text_share: float) -> str:
    tuples = []
    for number in range(rng.choice((1, 2, 2, 3, 3, 4, 4) if dense else (2, 3, 4))):
        if rng.random() < text_share:
            predicate = rng.choice((ABSTRACT, ABSTRACT, ABSTRACT, LABEL)) if not dense else ABSTRACT
            words = dict.fromkeys(
                _word(world, rng, dense=dense) for _ in range(rng.choice((1, 2, 3) if dense else (2, 3)))
            )
            text = " ftAND ".join(f'"{word}"' for word in words)
            tuples.append(f"?x {predicate} ?t{number} . FILTER ftcontains(?t{number}, {text})")
        else:
            tuples.append(_structural(world, rng, number, dense=dense))
    return f"SELECT ?x WHERE {{ {' '.join(tuples)} }}"


def _word(world: World, rng: random.Random, *, dense: bool) -> str:
    return world.word(rng) if dense else world.vocabulary[rng.randrange(300, len(world.vocabulary))]


def _structural(world: World, rng: random.Random, number: int, *, dense: bool) -> str:
    kind = rng.random()
    predicate: IRI = world.property(rng) if dense else rng.choice(world.properties)
    if kind < 0.4:
        return f"?x {TYPE} {world.class_(rng) if dense or rng.random() < 0.65 else rng.choice(world.classes)} ."
    if kind < 0.7:
        return f"?x {predicate} ?v{number} ."
    return f"?x {predicate} {world.resource(rng)} ."
