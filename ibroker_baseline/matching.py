"""Chains -> queries: which of the queries whose chains are followed match the publication."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from ibroker_baseline.arrival import Arrival
from ibroker_baseline.entries import Chain, StoredQuery

__all__ = ["matching"]

_log = logging.getLogger("ibroker_baseline")


def matching(arrival: Arrival, candidates: Iterable[Chain]) -> list[StoredQuery]:
    """The queries that match because of these chains, each once, in order of registration.

    Where a chain is not enough, the query is evaluated. A query that fails has no answer, which is logged, and the
    others are answered.
    """
    found: dict[StoredQuery, None] = {}
    undecided: dict[StoredQuery, None] = {}
    failed: dict[StoredQuery, Exception] = {}
    for chain in candidates:
        try:
            if arrival.satisfies(chain):
                (found if chain.is_enough else undecided)[chain.query] = None
        except Exception as error:  # another chain of the query may still hold
            failed[chain.query] = error
    for query in [query for query in undecided if query not in found]:
        assert query.tree is not None, "a chain is not enough, so the tree was kept"
        try:
            if arrival.matches(query.tree):
                found[query] = None
            failed.pop(query, None)  # it has been answered
        except Exception as error:
            failed[query] = error
    for query, why in failed.items():
        if query not in found:
            _log.warning("query %s has no answer on %s: %s", query.id, arrival.publication.id, why)
    return sorted(found, key=lambda query: query.place)
