"""The matchers that all have to pass the contract, behind the interface that it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from ibroker_baseline import IBroker
from rtf import DuplicateQueryError, Engine, RegistrationError, UnknownQueryError
from rtf.columns import columns_of
from sparql_ft import Publication, QueryError, matches, parse

__all__ = ["MATCHERS", "BruteForce", "Matcher"]


class Matcher(Protocol):
    """What a matcher offers, whatever is inside."""

    def register(self, id: str, text: str, *, replace: bool = False) -> None:
        """Add a query."""

    def register_many(self, queries: Iterable[tuple[str, str]]) -> None:
        """Add all of these queries, or none."""

    def unregister(self, id: str) -> None:
        """Remove a query."""

    def match_ids(self, publication: Publication) -> list[str]:
        """The ids of the queries that match, in order of registration."""

    def __len__(self) -> int: ...

    def __contains__(self, id: object) -> bool: ...


class BruteForce:
    """No filtering: every query is evaluated on every publication. The baseline of correctness."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._texts)

    def __contains__(self, id: object) -> bool:
        return id in self._texts

    def register(self, id: str, text: str, *, replace: bool = False) -> None:
        """See `Matcher`."""
        parse(text)
        if self._texts.get(id, text) != text:
            if not replace:
                raise DuplicateQueryError(id)
            del self._texts[id]
        self._texts[id] = text

    def register_many(self, queries: Iterable[tuple[str, str]]) -> None:
        """See `Matcher`."""
        before, errors, total = dict(self._texts), {}, 0
        for id, text in queries:
            total += 1
            try:
                self.register(id, text)
            except (QueryError, DuplicateQueryError) as error:
                errors[id] = error
        if errors:
            self._texts = before
            raise RegistrationError(errors, total)

    def unregister(self, id: str) -> None:
        """See `Matcher`."""
        if id not in self._texts:
            raise UnknownQueryError(id)
        del self._texts[id]

    def match_ids(self, publication: Publication) -> list[str]:
        """See `Matcher`."""
        return [id for id, text in self._texts.items() if matches(text, publication)]


class Batch(Engine):
    """The same engine, given columns wherever there is a triple to be a row."""

    def match_ids(self, publication: Publication, tags: Iterable[str] | None = None) -> list[str]:
        """See `Matcher`."""
        if not publication.triples:
            return super().match_ids(publication, tags)
        found: list[str] = self.match_batch(columns_of([publication]), tags).column("query_id").to_pylist()
        return found


class BrokerBatch(IBroker):
    """IBROKER, given columns likewise."""

    def match_ids(self, publication: Publication) -> list[str]:
        """See `Matcher`."""
        if not publication.triples or self._stored:
            return super().match_ids(publication)
        found: list[str] = self.report_batch(columns_of([publication])).matches.column("query_id").to_pylist()
        return found


MATCHERS: dict[str, Callable[[], Matcher]] = {
    "brute force": BruteForce,
    "RTFM": lambda: Engine(layout="rtfm", freeze_at=None),
    "RTFS": lambda: Engine(layout="rtfs", freeze_at=None),
    "RTFM compiled": lambda: Engine(layout="rtfm", freeze_at=1, background=False),
    "RTFS compiled": lambda: Engine(layout="rtfs", freeze_at=1, background=False),
    "RTFM batch": lambda: Batch(layout="rtfm", freeze_at=1, background=False),
    "RTFS batch": lambda: Batch(layout="rtfs", freeze_at=1, background=False),
    "IBROKER": lambda: IBroker(compile_at=None),
    "IBROKER to the letter": lambda: IBroker(to_the_letter=True),
    "IBROKER compiled": lambda: IBroker(compile_at=1),
    "IBROKER batch": lambda: BrokerBatch(compile_at=1),
}
