"""Whether all systems give the same matches, asked before anything is timed.

Where two differ, the queries in question are evaluated, so that the message tells who is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rtf.compare.systems import Matcher
from sparql_ft import Publication, matches

__all__ = ["Agreed", "DisagreementError", "agree"]

_SHOWN = 3  # ids in a message


class DisagreementError(AssertionError):
    """A system loses or invents a match, so nothing is timed."""

    def __init__(self, system: str, publication: str, lost: Sequence[str], invented: Sequence[str]) -> None:
        super().__init__(system, publication, lost, invented)
        self.system, self.publication = system, publication
        self.lost, self.invented = tuple(lost), tuple(invented)

    def __str__(self) -> str:
        told = [f"{verb} {_some(ids)}" for verb, ids in (("loses", self.lost), ("invents", self.invented)) if ids]
        what = " and ".join(told) or "gives matches twice or not in order of registration"
        return f"{self.system} {what} on {self.publication}; nothing is timed"


@dataclass(frozen=True, slots=True)
class Agreed:
    """How much was compared."""

    publications: int
    matches: int  # on all of them

    @property
    def mean(self) -> float:
        """Matches a publication."""
        return self.matches / self.publications if self.publications else 0.0


def agree(
    matchers: Mapping[str, Matcher],
    texts: Mapping[str, str],
    publications: Mapping[str, Sequence[Publication]],
) -> Agreed:
    """Compare the matches of all systems, of each on its own publications; DisagreementError if they differ.

    The publications of a slow system are the first of those of a fast one. `texts` are the queries by id.
    """
    order = {id: place for place, id in enumerate(texts)}
    longest = max(publications.values(), key=len)
    total = 0
    for place, publication in enumerate(longest):
        found = {
            name: matcher.match_ids(publication)
            for name, matcher in matchers.items()
            if place < len(publications[name])
        }
        sets = [set(ids) for ids in found.values()]
        doubtful = set[str]().union(*sets) - sets[0].intersection(*sets)
        right = {id for id in doubtful if matches(texts[id], publication, max_steps=None)}
        for name, ids in found.items():
            lost, invented = right.difference(ids), (doubtful - right).intersection(ids)
            if lost or invented or ids != sorted(set(ids), key=order.__getitem__):
                raise DisagreementError(name, publication.id, _sorted(lost, order), _sorted(invented, order))
        total += len(next(iter(found.values())))
    return Agreed(len(longest), total)


def _sorted(ids: set[str], order: Mapping[str, int]) -> list[str]:
    return sorted(ids, key=order.__getitem__)


def _some(ids: Sequence[str]) -> str:
    shown = ", ".join(ids[:_SHOWN])
    return shown if len(ids) <= _SHOWN else f"{shown} and {len(ids) - _SHOWN} more"
