"""Queries that go into a registry together, or not at all."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Self

from rtf.errors import DuplicateQueryError, RegistrationError
from rtf.registry.file import explained, transaction
from sparql_ft import prepare

__all__ = ["Registered", "Registration"]

_BATCH: Final = 1000  # rows that SQLite gets at once

# CROSS JOIN, because SQLite keeps its order: what was staged is gone through, the registry only looked up.
_OTHER_TEXT: Final = """SELECT staged.id FROM temp.staged CROSS JOIN main.query
    WHERE query.id = staged.id AND query.text <> staged.text"""
_SAME_TEXT: Final = "SELECT owner, tags FROM temp.staged WHERE staged.id = query.id"


@dataclass(frozen=True, slots=True)
class Registered:
    """What became of the queries of one registration. An id that was added several times counts once."""

    new: int
    changed: int  # they have another text, owner or tags now, or are enabled again
    as_before: int


class Registration:
    """Queries that are registered together; a context, in which they are added and then committed.

    They wait in a table of their own, so that the registry is locked no longer than it takes to copy them.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection
        self._waiting: list[tuple[str, str, str | None, str, str]] = []

    def __enter__(self) -> Self:
        with explained(self._path):
            self._connection.execute(
                """CREATE TEMP TABLE staged
                (number INTEGER PRIMARY KEY, id TEXT, text TEXT, owner TEXT, tags TEXT, created TEXT)"""
            )
        return self

    def __exit__(self, *_: object) -> None:
        with explained(self._path):
            self._connection.execute("DROP TABLE temp.staged")

    def add(
        self, id: str, text: str, owner: str | None = None, tags: Iterable[str] = (), base: str | None = None
    ) -> None:
        """Check a query, and keep it for `commit`. QueryError says what is wrong with its text.

        A base is kept as a BASE line before the text, which means the same wherever the text goes.
        """
        prepare(text, base)
        if not id:
            raise ValueError("an id must not be empty")
        whole = text if base is None else f"BASE <{base}>\n{text}"
        self._waiting.append((_text(id), _text(whole), owner and _text(owner), _tags(tags), now()))
        if len(self._waiting) >= _BATCH:
            self._flush()

    def commit(self, *, replace: bool = False) -> Registered:
        """Register all that was added, or nothing: RegistrationError tells which ids belong to another text."""
        self._flush()
        with explained(self._path):
            self._connection.execute("CREATE INDEX temp.staged_id ON staged (id)")
        with explained(self._path), transaction(self._connection):
            self._check_ids(replace=replace)
            return self._copy(replace=replace)

    def _flush(self) -> None:
        insert = "INSERT INTO temp.staged (id, text, owner, tags, created) VALUES (?, ?, ?, ?, ?)"
        with explained(self._path), transaction(self._connection, "BEGIN"):  # of one row each they would be slow
            self._connection.executemany(insert, self._waiting)
        self._waiting.clear()

    def _check_ids(self, *, replace: bool) -> None:
        """Whether each id has one text among those added, and the same in the registry unless that is replaced."""
        clashes = "SELECT id FROM temp.staged GROUP BY id HAVING count(DISTINCT text) > 1"
        if not replace:
            clashes += f" UNION {_OTHER_TEXT}"
        errors = {id: DuplicateQueryError(id) for (id,) in self._connection.execute(clashes)}
        if errors:
            raise RegistrationError(errors, self._staged())

    def _copy(self, *, replace: bool) -> Registered:
        execute = self._connection.execute
        # Of an id that was added several times, the first counts.
        execute("DELETE FROM temp.staged WHERE number NOT IN (SELECT min(number) FROM temp.staged GROUP BY id)")
        removed = execute(f"DELETE FROM main.query WHERE id IN ({_OTHER_TEXT})").rowcount
        change, differs = "enabled = 1", "enabled = 0"
        if replace:
            change += f", (owner, tags) = ({_SAME_TEXT})"
            differs += f" OR EXISTS ({_SAME_TEXT} AND (owner, tags) IS NOT (query.owner, query.tags))"
        updated = execute(
            f"UPDATE main.query SET {change} WHERE id IN (SELECT id FROM temp.staged) AND ({differs})"
        ).rowcount
        added = execute(
            """INSERT INTO main.query (id, text, owner, tags, created)
            SELECT id, text, owner, tags, created FROM temp.staged
            WHERE NOT EXISTS (SELECT 1 FROM main.query WHERE query.id = staged.id) ORDER BY number"""
        ).rowcount
        return Registered(added - removed, removed + updated, self._staged() - added - updated)

    def _staged(self) -> int:
        found: int = self._connection.execute("SELECT count(*) FROM temp.staged").fetchone()[0]
        return found


def now() -> str:
    """The time as a registry has it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _tags(tags: Iterable[str]) -> str:
    chosen = sorted(set(tags))
    for tag in chosen:
        if not tag.strip() or "," in tag:
            raise ValueError(f"{tag!r} cannot be a tag: a tag has a character that is not blank, and no comma")
    return json.dumps([_text(tag) for tag in chosen], ensure_ascii=False)


def _text(text: str) -> str:
    """The same, if it can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"{text!r} is no text: it has half a surrogate pair, as names of files in other encodings"
        ) from None
    return text
