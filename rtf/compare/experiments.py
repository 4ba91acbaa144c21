"""The experiments: how a database of queries grows, and what that does to filtering, memory and insertion.

One sweep serves several figures. All systems of a sweep hold the same queries in the same process; they are found to
agree before they are timed, in rounds that take turns.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from rtf.compare.agreement import Agreed, agree
from rtf.compare.measure import Spread, spreads
from rtf.compare.memory import size_of
from rtf.compare.systems import Matcher, System, made
from sparql_ft import Publication, prepare

__all__ = ["PARSING", "ROUNDS", "TEXTS", "Effort", "Step", "bytes_of", "shown_steps", "sweep"]

Queries: TypeAlias = Sequence[tuple[str, str]]
Show: TypeAlias = Callable[[str], object]

PARSING: Final = "parsing alone"
TEXTS: Final = "texts and ids alone"
ROUNDS: Final = {"slow": 3, "slowest": 2}  # at most: they take so long that little disturbs them
_PARSED: Final = 20_000  # queries of a batch; their shapes are those of the others


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is done: on how many publications each pace is timed, and in how many rounds."""

    rounds: int  # of the slow systems fewer
    publications: dict[str, int]  # pace -> how many

    def of(self, system: System, publications: Sequence[Publication]) -> Sequence[Publication]:
        """The publications for a system."""
        return publications[: self.publications[system.pace]]

    def rounds_of(self, system: System) -> int:
        """In how many rounds a system is timed."""
        return min(self.rounds, ROUNDS.get(system.pace, self.rounds))


@dataclass(frozen=True, slots=True)
class Step:
    """What was measured with so many queries."""

    queries: int
    agreed: Agreed
    seconds: dict[str, Spread]  # a publication, by system
    publications: dict[str, int]  # that these are means of
    few: int  # publications of the system that has the fewest
    seconds_of_few: dict[str, Spread]  # a publication, on these alone: what ratios to the slowest systems are taken of
    added: int  # queries of this step
    insertion: dict[str, float]  # seconds for these; also PARSING, and not those that came late
    memory: dict[str, int]  # bytes, also of TEXTS


def sweep(
    systems: Sequence[System],
    batches: Sequence[Queries],
    publications: Sequence[Publication],
    effort: Effort,
    show: Show = lambda _: None,
    *,
    weigh: Container[int] | None = None,
    late: Sequence[System] = (),
) -> Iterator[Step]:
    """Register batch after batch with all systems, and measure after each.

    `weigh` are the batches, counted from 0, after which memory is counted, which takes long; None: all of them. `late`
    systems come with the last batch and get all queries at once: they are timed beside the others there. Texts are
    prepared before they are registered, because the first to parse texts of a shape takes longer.
    """
    _warm([*systems, *late], publications)
    try:
        yield from _sweep(systems, batches, publications, effort, show, weigh=weigh, late=late)
    finally:
        gc.unfreeze()


def _sweep(
    systems: Sequence[System],
    batches: Sequence[Queries],
    publications: Sequence[Publication],
    effort: Effort,
    show: Show,
    *,
    weigh: Container[int] | None,
    late: Sequence[System],
) -> Iterator[Step]:
    matchers = made(systems)
    texts: dict[str, str] = {}
    for number, batch in enumerate(batches):
        texts.update(batch)
        many = f"{len(texts):,} queries"
        show(f"{many}: parsing")
        insertion = {PARSING: _parsing(batch)}
        for system in systems:
            show(f"{many}: registering with {system.name}")
            insertion[system.name] = _insertion(matchers[system.name], batch)
        memory: dict[str, int] = {}
        is_weighed = weigh is None or number in weigh
        if is_weighed:
            memory[TEXTS] = size_of(texts)
        for system in systems if is_weighed else ():
            show(f"{many}: weighing {system.name}")
            memory[system.name] = size_of(matchers[system.name])
        timed = list(systems)
        for system in late if number == len(batches) - 1 else ():
            show(f"{many}: registering with {system.name}")
            matchers[system.name] = system.make()
            _insertion(matchers[system.name], list(texts.items()))
            timed.append(system)
        for system in timed:
            system.check(matchers[system.name])
        chosen = {system.name: effort.of(system, publications) for system in timed}
        show(f"{many}: comparing matches")
        agreed = agree(matchers, texts, chosen)
        show(f"{many}: timing")
        rounds = {system.name: effort.rounds_of(system) for system in timed}
        counts = {name: len(some) for name, some in chosen.items()}
        few = min(counts.values())
        seconds, of_few = _filtering(matchers, chosen, few, rounds)
        yield Step(len(texts), agreed, seconds, counts, few, of_few, len(batch), insertion, memory)


def shown_steps(systems: int, batches: int, weighed: int | None = None, late: int = 0) -> int:
    """How often a sweep calls `show`; `weighed` are the batches after which memory is counted, None: all."""
    return batches * (3 + systems) + systems * (batches if weighed is None else weighed) + late


def bytes_of(publication: Publication) -> int:
    """The size of a publication in N-Triples."""
    return sum(len(f"{s} {p} {o} .\n".encode()) for s, p, o in publication.triples)


def _warm(systems: Iterable[System], publications: Sequence[Publication]) -> None:
    """Let compilers and caches do what they do once."""
    for matcher in made(systems).values():
        matcher.register_many([("warm", 'ASK { ?x ?p ?o . FILTER ftcontains(?o, "warm") }')])
        for publication in publications[:1]:
            matcher.match_ids(publication)


def _parsing(batch: Queries) -> float:
    """Seconds for all, from those of the first, which are prepared three times: a shape is quick from the third."""
    some = batch[:_PARSED]
    for _ in range(2):
        for _, text in some:
            prepare(text)
    start = time.perf_counter()
    for _, text in some:
        prepare(text)
    return (time.perf_counter() - start) * len(batch) / len(some)


def _insertion(matcher: Matcher, batch: Queries) -> float:
    """Seconds. No garbage is collected meanwhile: whoever holds the most objects, or comes last, would pay for it."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        start = time.perf_counter()
        matcher.register_many(batch)
        return time.perf_counter() - start
    finally:
        gc.enable()


def _filtering(
    matchers: dict[str, Matcher], publications: dict[str, Sequence[Publication]], few: int, rounds: dict[str, int]
) -> tuple[dict[str, Spread], dict[str, Spread]]:
    """Seconds a publication, of all and of the first few alone, in the same rounds."""
    firsts: dict[str, list[float]] = {name: [] for name in matchers}

    def task(name: str) -> Callable[[], None]:
        match_ids, first, others = matchers[name].match_ids, publications[name][:few], publications[name][few:]

        def run() -> None:
            start = time.perf_counter()
            for publication in first:
                match_ids(publication)
            firsts[name].append(time.perf_counter() - start)
            for publication in others:
                match_ids(publication)

        return run

    measured = spreads({name: task(name) for name in matchers}, rounds)
    of_all = {name: spread.times(1 / len(publications[name])) for name, spread in measured.items()}
    return of_all, {name: Spread.of(seconds).times(1 / few) for name, seconds in firsts.items()}
