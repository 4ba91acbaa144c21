"""Queries that last: a SQLite file of registered queries, each with its owner and tags.

A registration is one transaction: all of its queries are there, or none. A process may be killed at any point; whatever
was committed before is there when the file is next opened.

The journal is SQLite's default (rollback), not WAL. So a registry is one file, which can be copied when nobody writes,
read from a read-only disk, and kept on a network drive; with WAL it would be three files that can do none of that. The
price is that readers keep writers waiting, so nobody reads for long: texts are checked before a transaction begins, and
whoever asks for all queries reads a copy of his own.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from rtf.errors import DuplicateQueryError, RegistrationError, UnknownQueryError
from rtf.registered_query import RegisteredQuery
from rtf.registry.file import RegistryError, connect, explained, transaction
from rtf.registry.registration import Registered, Registration
from sparql_ft import QueryError

if TYPE_CHECKING:
    from rtf.engine import Engine

__all__ = ["Registered", "Registration", "Registry", "RegistryError", "StoredQuery"]

_COLUMNS: Final = "id, text, owner, tags, place, created, enabled"


@dataclass(frozen=True, slots=True)
class StoredQuery(RegisteredQuery):
    """A query of a registry. One that is not enabled is kept, but not matched."""

    created: datetime
    enabled: bool


class Registry:
    """The queries of a SQLite file, which is made if it is not there, unless `read_only` or not `create`.

    A change that another process is in the way of waits `timeout` seconds for it. RegistryError says what is wrong with
    a file. Not to be shared between threads; several processes, or several objects, may have one file open.
    """

    def __init__(
        self, path: str | PathLike[str], *, read_only: bool = False, create: bool = True, timeout: float = 30
    ) -> None:
        self.path = Path(path)
        self._connection = connect(self.path, read_only=read_only, create=create, timeout=timeout)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- reading ------------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """How many queries there are, enabled or not."""
        with explained(self.path):
            found: int = self._connection.execute("SELECT count(*) FROM query").fetchone()[0]
        return found

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and self._row(id) is not None

    def __getitem__(self, id: str) -> StoredQuery:
        row = self._row(id)
        if row is None:
            raise UnknownQueryError(id)
        return _stored(row)

    def _row(self, id: str) -> tuple[Any, ...] | None:
        with explained(self.path), suppress(UnicodeEncodeError):  # SQLite's text is UTF-8: there is no such id
            found: tuple[Any, ...] | None = self._connection.execute(
                f"SELECT {_COLUMNS} FROM query WHERE id = ?", (id,)
            ).fetchone()
            return found
        return None

    def __iter__(self) -> Iterator[StoredQuery]:
        """All queries, in order of registration, as they are now: what is changed meanwhile is not seen."""
        return self.queries()

    def queries(
        self, owner: str | None = None, tags: Iterable[str] | None = None, *, enabled: bool | None = None
    ) -> Iterator[StoredQuery]:
        """Those of an owner, with one of these tags, that are enabled (or are not); None is all of them."""
        conditions, values = ["1"], []
        if owner is not None:
            conditions.append("owner = ?")
            values.append(owner)
        if tags is not None:
            wanted = "SELECT value FROM json_each(?)"
            conditions.append(f"EXISTS (SELECT 1 FROM json_each(query.tags) WHERE value IN ({wanted}))")
            values.append(json.dumps(list(tags)))
        if enabled is not None:
            conditions.append(f"enabled = {enabled:d}")
        chosen = f"SELECT {_COLUMNS} FROM query WHERE {' AND '.join(conditions)} ORDER BY place"
        copy = sqlite3.connect("", isolation_level=None)  # without a name: SQLite's own, on disk where it is large
        with explained(self.path):
            copy.execute(f"CREATE TABLE query ({_COLUMNS})")
            with transaction(copy):
                copy.executemany(
                    "INSERT INTO query VALUES (?, ?, ?, ?, ?, ?, ?)", self._connection.execute(chosen, values)
                )
        return _read(copy)

    def fingerprint(self) -> str:
        """A text that is another one whenever anything about the queries is."""
        digest = blake2b(digest_size=16)
        with explained(self.path):
            for row in self._connection.execute(f"SELECT {_COLUMNS} FROM query ORDER BY place"):
                digest.update(json.dumps(row).encode())
        return digest.hexdigest()

    def engine(
        self,
        *,
        owner: str | None = None,
        tags: Iterable[str] | None = None,
        show: Callable[[int], object] = lambda _: None,
        **options: Any,
    ) -> Engine:
        """A new engine with all enabled queries, or those of an owner or with one of these tags.

        `show` is told how many were read so far, `options` are those of Engine. RegistrationError if some text is no
        query any more, as after an update of rtf.
        """
        from rtf.engine import Engine

        def read() -> Iterator[StoredQuery]:
            for number, query in enumerate(self.queries(owner, tags, enabled=True), 1):
                show(number)
                yield query

        engine = Engine(**options)
        engine.register_many(read())
        return engine

    # --- changing -----------------------------------------------------------------------------------------------------

    def register(
        self,
        id: str,
        text: str,
        owner: str | None = None,
        tags: Iterable[str] = (),
        *,
        base: str | None = None,
        replace: bool = False,
    ) -> Registered:
        """Add a query. QuerySyntaxError and UnsupportedFeatureError are as those of Engine.register.

        The same id with the same text changes nothing, but that a query which was disabled is enabled. With another
        text it is a DuplicateQueryError, unless `replace`: then the new query takes the place of the old one, at the
        end of the order of registration. With `replace` and the same text, its owner and tags are changed.
        """
        with self.registration() as registration:
            registration.add(id, text, owner, tags, base)
            try:
                return registration.commit(replace=replace)
            except RegistrationError as error:
                raise error.errors[id] from None

    def register_many(
        self,
        queries: Iterable[tuple[str, str] | RegisteredQuery],
        owner: str | None = None,
        tags: Iterable[str] = (),
        *,
        base: str | None = None,
        replace: bool = False,
    ) -> Registered:
        """Add all of these queries, or none: RegistrationError tells what is wrong with which.

        They are given as (id, text), or as RegisteredQuery with an owner and tags of its own.
        """
        chosen = frozenset(tags)
        errors: dict[str, QueryError | DuplicateQueryError] = {}
        total = 0
        with self.registration() as registration:
            for each in queries:
                total += 1
                query = each if isinstance(each, RegisteredQuery) else RegisteredQuery(*each, owner, chosen, 0)
                try:
                    registration.add(query.id, query.text, query.owner, query.tags, base)
                except QueryError as error:
                    errors[query.id] = error
            if errors:
                raise RegistrationError(errors, total)
            return registration.commit(replace=replace)

    def registration(self) -> Registration:
        """A context in which queries are added one by one, and then committed together."""
        return Registration(self.path, self._connection)

    def unregister(self, *ids: str) -> None:
        """Remove queries, all or none. UnknownQueryError if there is none of an id."""
        self._change("DELETE FROM query WHERE id = ?", ids)

    def disable(self, *ids: str) -> None:
        """Keep queries, but match them no more. UnknownQueryError if there is none of an id."""
        self._change("UPDATE query SET enabled = 0 WHERE id = ?", ids)

    def enable(self, *ids: str) -> None:
        """Match them again. UnknownQueryError if there is none of an id."""
        self._change("UPDATE query SET enabled = 1 WHERE id = ?", ids)

    def _change(self, statement: str, ids: Iterable[str]) -> None:
        with explained(self.path), transaction(self._connection):
            for id in dict.fromkeys(ids):
                if not self._connection.execute(statement, (id,)).rowcount:
                    raise UnknownQueryError(id)


def _read(copy: sqlite3.Connection) -> Iterator[StoredQuery]:
    with closing(copy):
        yield from map(_stored, copy.execute(f"SELECT {_COLUMNS} FROM query ORDER BY rowid"))


def _stored(row: tuple[Any, ...]) -> StoredQuery:
    id, text, owner, tags, place, created, enabled = row
    return StoredQuery(id, text, owner, _tags(tags), place, _time(created), bool(enabled))


# Of a million queries, most have the tags of others, and the second of their registration.


@lru_cache(1024)
def _tags(written: str) -> frozenset[str]:
    return frozenset(json.loads(written))


@lru_cache(1024)
def _time(written: str) -> datetime:
    return datetime.fromisoformat(written).replace(tzinfo=UTC)
