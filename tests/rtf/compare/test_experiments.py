"""Sweeps: what is registered, compared and measured, in which order."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import pytest

from datasets.publications import World
from datasets.queries import queries
from rtf.compare.agreement import DisagreementError
from rtf.compare.experiments import PARSING, ROUNDS, TEXTS, Effort, shown_steps, sweep
from rtf.compare.naive import Naive
from rtf.compare.systems import ABLATION, SYSTEMS, MislabelledError, System
from rtf.engine import Engine
from sparql_ft import Publication

WORLD = World(5, classes=10, properties=20, vocabulary=300)
QUERIES = list(queries(WORLD, 120, 5, dense=True))
PUBLISHED = list(WORLD.entities(6, first=1_000))
EFFORT = Effort(1, {"fast": 6, "slow": 4, "slowest": 2})


class Forgetful(Engine):
    """Loses the last match of every publication."""

    def match_ids(self, publication: Publication, tags: Iterable[str] | None = None) -> list[str]:
        """See `Engine`."""
        return super().match_ids(publication, tags)[:-1]


def test_all_systems_agree() -> None:
    """On the workload of the paper, dense so that there is something to agree on; steps tell what was measured."""
    systems = list(dict.fromkeys((*SYSTEMS.values(), *ABLATION)))
    shown: list[str] = []
    steps = list(sweep(systems, [QUERIES[:60], QUERIES[60:]], PUBLISHED, EFFORT, shown.append))
    names = {system.name for system in systems}
    assert [step.queries for step in steps] == [60, 120]
    assert steps[1].agreed.matches > steps[0].agreed.matches > 0
    for step in steps:
        assert set(step.seconds) == names
        assert set(step.memory) == names | {TEXTS}
        assert set(step.insertion) == names | {PARSING}
        assert {name: step.publications[name] for name in ("naive", "IBROKER", "RTFS compiled")} == {
            "naive": 2,
            "IBROKER": 4,
            "RTFS compiled": 6,
        }
    assert len(shown) == shown_steps(len(systems), 2)


def test_late_systems() -> None:
    """They come with the last batch, get all queries, and are checked and timed beside the others there."""
    shown: list[str] = []
    batches = [QUERIES[:60], QUERIES[60:]]
    late = [system for system in ABLATION if system.name not in SYSTEMS]
    first, last = sweep([SYSTEMS["RTFS"]], batches, PUBLISHED, EFFORT, shown.append, late=late)
    assert set(first.seconds) == {"RTFS"}
    assert set(last.seconds) == {"RTFS", *(system.name for system in late)}
    assert set(last.insertion) == {"RTFS", PARSING}  # of a batch, which the late ones did not get alone
    assert len(shown) == shown_steps(1, 2, late=len(late))
    wrong = System("late", "loses matches", lambda: Forgetful("rtfm", freeze_at=None), lambda _: True, "slow")
    with pytest.raises(DisagreementError, match=r"^late loses"):
        list(sweep([SYSTEMS["RTFS"]], batches, PUBLISHED, EFFORT, late=[wrong]))


def test_each_system_is_timed_with_its_own_matcher() -> None:
    """Every matcher is asked about its own publications: once to compare matches, and once a round."""
    asked: dict[str, list[str]] = {"fast": [], "slow": [], "slowest": []}

    class Counted(Naive):
        def __init__(self, pace: str) -> None:
            super().__init__()
            self.pace = pace

        def match_ids(self, publication: Publication) -> list[str]:
            asked[self.pace].append(publication.id)
            return super().match_ids(publication)

    systems = [
        System(f"the {pace}", "counts", partial(Counted, pace), partial(_has_pace, pace), pace) for pace in asked
    ]
    effort = Effort(4, {"fast": 6, "slow": 4, "slowest": 2})
    (step,) = sweep(systems, [QUERIES[:5]], PUBLISHED, effort)
    warm = 1  # before anything else, with another matcher
    assert {pace: len(ids) for pace, ids in asked.items()} == {
        "fast": warm + 6 * (1 + 4),
        "slow": warm + 4 * (1 + ROUNDS["slow"]),
        "slowest": warm + 2 * (1 + ROUNDS["slowest"]),
    }
    assert step.publications == {"the fast": 6, "the slow": 4, "the slowest": 2}
    assert step.few == 2
    assert step.seconds_of_few["the slowest"].median == pytest.approx(step.seconds["the slowest"].median, rel=0.5)


def _has_pace(pace: str, matcher: object) -> bool:
    return getattr(matcher, "pace", None) == pace


def test_a_wrong_system_is_not_timed() -> None:
    """A sweep ends where a system loses a match."""
    right = SYSTEMS["RTFS"]
    wrong = System("RTFM", "loses matches", lambda: Forgetful("rtfm", freeze_at=None), SYSTEMS["RTFM"].is_it, "slow")
    with pytest.raises(DisagreementError, match=r"^RTFM loses"):
        next(sweep([right, wrong], [QUERIES], PUBLISHED, EFFORT))


def test_swapped_systems_are_not_timed() -> None:
    """Nor does it go on where what was made under a name is another system."""
    swapped = System("IBROKER", "it says", SYSTEMS["RTFS"].make, SYSTEMS["IBROKER"].is_it)
    with pytest.raises(MislabelledError, match="no IBROKER"):
        next(sweep([swapped], [QUERIES], PUBLISHED, EFFORT))
