"""What is compared: each system by name, how it is made, and how it is told from the others.

RTF and IBROKER come in two executions of the same algorithm, in plain Python and compiled, because a comparison of
compiled code with interpreted code says nothing about algorithms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from ibroker_baseline import IBroker
from rtf.compare.naive import Naive
from rtf.compare.paper_flat import PaperRtfCompiled
from rtf.compare.paper_rtf import PaperRtf
from rtf.compare.rarest_term import RarestTerm
from rtf.engine import Engine
from rtf.mutable.forest import Layout
from sparql_ft import Publication

__all__ = ["ABLATION", "SYSTEMS", "Matcher", "MislabelledError", "System", "made"]


class Matcher(Protocol):
    """What a system offers."""

    def register_many(self, queries: Iterable[tuple[str, str]], /) -> None:
        """Add queries."""

    def match_ids(self, publication: Publication, /) -> list[str]:
        """The ids of the queries that match, in order of registration."""

    def __len__(self) -> int: ...


class MislabelledError(AssertionError):
    """What was measured under a name is something else."""


@dataclass(frozen=True, slots=True)
class System:
    """A system under its name."""

    name: str
    what: str  # in a sentence
    make: Callable[[], Matcher]
    is_it: Callable[[object], bool]  # whether a matcher that holds queries is this system
    pace: str = "fast"  # "slow" and "slowest" are timed on fewer publications

    def check(self, matcher: object) -> None:
        """Raise MislabelledError if a matcher is not this system."""
        if not self.is_it(matcher):
            raise MislabelledError(f"{self.name} was to be measured, but this is no {self.name}: {matcher!r}")


def made(systems: Iterable[System]) -> dict[str, Matcher]:
    """An empty matcher for each system."""
    return {system.name: system.make() for system in systems}


def _engine(layout: Layout, *, compiled: bool) -> System:
    def is_it(matcher: object) -> bool:
        if not isinstance(matcher, Engine) or matcher.layout != layout:
            return False
        return (matcher.stats().index_bytes > 0) == compiled  # of frozen segments

    name = layout.upper()
    return System(
        f"{name} compiled" if compiled else name,
        f"our engine with the layout {name}, "
        + ("frozen" if compiled else "the mutable forest alone, which is on pygtrie"),
        lambda: Engine(layout, max_steps=None, freeze_at=1 if compiled else None, background=False),
        is_it,
        "fast" if compiled else "slow",
    )


def _ibroker(name: str, what: str, *, compiled: bool = False, to_the_letter: bool = False) -> System:
    def is_it(matcher: object) -> bool:
        return (
            isinstance(matcher, IBroker)
            and matcher.compiled == (len(matcher) if compiled else 0)
            and matcher.to_the_letter == to_the_letter
        )

    def make() -> Matcher:
        return IBroker(max_steps=None, compile_at=1 if compiled else None, to_the_letter=to_the_letter)

    return System(name, what, make, is_it, "fast" if compiled else "slowest" if to_the_letter else "slow")


_CHANGES: Final = ("rarest_first", "access_tuples", "equal_once")


def _paper(layout: Layout, name: str, what: str, *options: str, compiled: bool = False) -> System:
    chosen = {option: option in options for option in _CHANGES}

    def is_it(matcher: object) -> bool:
        if compiled:
            return isinstance(matcher, PaperRtfCompiled) and (matcher.layout, matcher.options) == (layout, chosen)
        return (
            isinstance(matcher, PaperRtf)
            and matcher.layout == layout
            and all(getattr(matcher, option) == value for option, value in chosen.items())
        )

    make = PaperRtfCompiled if compiled else PaperRtf
    return System(name, what, lambda: make(layout, **chosen), is_it, "fast" if compiled else "slow")


def _simple(name: str, what: str, kind: type[Naive | RarestTerm], pace: str) -> System:
    return System(name, what, kind, lambda matcher: isinstance(matcher, kind), pace)


_ALL: Final = (
    _simple("naive", "every query is evaluated in turn, without an index", Naive, "slowest"),
    _simple("rarest term", "each query filed under its rarest term, in plain Python", RarestTerm, "fast"),
    _paper("rtfm", "paper's RTFM", "the paper's algorithm, scan of the query table included, in plain Python"),
    _paper("rtfs", "paper's RTFS", "the same with one forest of words for all, in plain Python"),
    _engine("rtfm", compiled=False),
    _engine("rtfs", compiled=False),
    _ibroker("IBROKER", "an inverted index of attributes, and chains of entries that are followed, in plain Python"),
    _paper("rtfm", "paper's RTFM compiled", "the paper's RTFM over flat arrays", compiled=True),
    _paper("rtfs", "paper's RTFS compiled", "the paper's RTFS over flat arrays", compiled=True),
    _engine("rtfm", compiled=True),
    _engine("rtfs", compiled=True),
    _ibroker("IBROKER compiled", "IBROKER over flat arrays", compiled=True),
)
SYSTEMS: Final = {system.name: system for system in _ALL}

_LETTER: Final = "the paper's section on IBROKER taken at its word, in plain Python"

# From the paper's algorithms to ours, one change after the other; RTFS after its compilation, as IBROKER has none.
ABLATION: Final = (
    _ibroker("IBROKER to the letter", _LETTER, to_the_letter=True),
    SYSTEMS["IBROKER"],
    SYSTEMS["paper's RTFS"],
    SYSTEMS["IBROKER compiled"],
    SYSTEMS["paper's RTFS compiled"],
    _paper(
        "rtfs",
        "+ rarest first",
        "the paper's RTFS compiled, words in a path by frequency",
        *_CHANGES[:1],
        compiled=True,
    ),
    _paper(
        "rtfs",
        "+ access tuples",
        "and a query is looked at where its most selective tuple matched, without a scan",
        *_CHANGES[:2],
        compiled=True,
    ),
    _paper("rtfs", "+ equal tuples once", "and equal tuples of several queries have one id", *_CHANGES, compiled=True),
    SYSTEMS["RTFS compiled"],
)
