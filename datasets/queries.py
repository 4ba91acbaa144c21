"""The paper's queries over a `World`: at most four tuples and three words, a share of the tuples with full text.

*Dense* draws words by their frequency, as the paper does, so that a publication matches more than one query in a
hundred; *selective* draws them evenly, so that it matches a few in a hundred thousand.
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
    for number in range(_few(rng, 4, dense=dense)):
        if rng.random() < text_share:
            predicate = rng.choice((ABSTRACT, ABSTRACT, ABSTRACT, LABEL)) if not dense else ABSTRACT
            words = dict.fromkeys(_word(world, rng, dense=dense) for _ in range(_few(rng, 3, dense=dense)))
            text = " ftAND ".join(f'"{word}"' for word in words)
            tuples.append(f"?x {predicate} ?t{number} . FILTER ftcontains(?t{number}, {text})")
        else:
            tuples.append(_structural(world, rng, number, dense=dense))
    return f"SELECT ?x WHERE {{ {' '.join(tuples)} }}"


def _few(rng: random.Random, most: int, *, dense: bool) -> int:
    return rng.randint(1 if dense else 2, most)


def _word(world: World, rng: random.Random, *, dense: bool) -> str:
    return world.word(rng) if dense else rng.choice(world.vocabulary[300:])


def _structural(world: World, rng: random.Random, number: int, *, dense: bool) -> str:
    kind = rng.random()
    predicate: IRI = world.property(rng) if dense else rng.choice(world.properties)
    if kind < 0.4:
        return f"?x {TYPE} {world.class_(rng)} ."
    if kind < 0.7:
        return f"?x {predicate} ?v{number} ."
    return f"?x {predicate} {world.resource(rng)} ."
