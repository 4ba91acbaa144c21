"""The file of a registry: a SQLite database that says that it is one, and which version; errors that say what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

__all__ = ["RegistryError", "connect", "explained", "transaction"]

_APPLICATION: Final = 0x52544651  # "RTFQ" in the file's header: what sets a registry apart from other SQLite files
_VERSION: Final = 1
_SCHEMA: Final = """
CREATE TABLE query (
    place INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order of registration; never given twice
    id TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL,
    owner TEXT,
    tags TEXT NOT NULL, -- a JSON array, sorted
    created TEXT NOT NULL, -- UTC, as 2026-01-31T12:00:00Z
    enabled INTEGER NOT NULL DEFAULT 1
)"""


class RegistryError(ValueError):
    """A file that is no registry, or one that cannot be used: what is wrong, and what to do."""

    def __init__(self, path: object, why: str, remedy: str) -> None:
        super().__init__(str(path), why, remedy)
        self.path, self.why, self.remedy = str(path), why, remedy

    def __str__(self) -> str:
        return f"{self.path}: {self.why}; {self.remedy}"


def connect(path: Path, *, read_only: bool, create: bool, timeout: float) -> sqlite3.Connection:
    """Open a registry, or make one; statements commit by themselves outside of `transaction`."""
    if "\0" in str(path):
        raise RegistryError(path, "no file has NUL in its name", "name another file")
    try:
        exists = path.exists()
        if path.is_dir():
            raise RegistryError(path, "this is a folder", "name a file in it")
    except OSError as error:
        raise RegistryError(path, (error.strerror or str(error)).lower(), "name another file") from error
    if not exists and (read_only or not create):
        raise RegistryError(path, "there is no such file", "`rtf register` makes a registry")
    if not exists and not path.absolute().parent.is_dir():
        raise RegistryError(path, f"there is no folder {path.parent}", "make it first")
    uri = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc' if create else 'rw'}"
    with explained(path):
        connection = sqlite3.connect(uri, uri=True, timeout=timeout, isolation_level=None)
        try:
            connection.execute("PRAGMA synchronous = FULL")  # what was committed is there after a power cut, too
            _check(path, connection, read_only=read_only)
        except BaseException:
            connection.close()
            raise
    return connection


def _check(path: Path, connection: sqlite3.Connection, *, read_only: bool) -> None:
    if _is_empty(connection):
        if read_only:
            raise RegistryError(path, "this file is empty", "`rtf register` makes a registry")
        with transaction(connection):
            if _is_empty(connection):  # nobody else was faster
                connection.execute(_SCHEMA)
                connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                connection.execute(f"PRAGMA user_version = {_VERSION}")
    if _number(connection, "application_id") != _APPLICATION:
        raise RegistryError(path, "this is a SQLite file, but no registry of queries", "name another file")
    version = _number(connection, "user_version")
    if version != _VERSION:
        remedy = "update rtf" if version > _VERSION else "register its queries anew"
        raise RegistryError(path, f"this is a registry of version {version}; this rtf reads {_VERSION}", remedy)


def _is_empty(connection: sqlite3.Connection) -> bool:
    tables: int = connection.execute("SELECT count(*) FROM main.sqlite_master").fetchone()[0]
    return not tables and _number(connection, "application_id") == 0


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    number: int = connection.execute(f"PRAGMA {pragma}").fetchone()[0]
    return number


@contextmanager
def transaction(connection: sqlite3.Connection, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    """All of it or nothing. Whoever else writes waits from the beginning, so that nothing changes in between."""
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # some errors, a full disk among them, have undone it already
            connection.execute("ROLLBACK")
        raise


_ERRORS: Final = {
    "SQLITE_NOTADB": ("this is no registry", "name another file; `rtf register` makes a registry"),
    "SQLITE_CORRUPT": ("this registry is damaged", "take a copy from before, or register its queries anew"),
    "SQLITE_BUSY": ("another process writes to this registry", "try again when it is done"),
    "SQLITE_READONLY": ("this file, or its folder, is read-only", "ask for the right to write to both"),
    "SQLITE_READONLY_ROLLBACK": (
        "a process was killed while it wrote to this registry, and to clean up is not allowed here",
        "run `rtf list` as somebody who may write to it",
    ),
    "SQLITE_CANTOPEN": ("this file cannot be opened", "ask for the right to read it and its folder"),
    "SQLITE_PERM": ("this file cannot be opened", "ask for the right to read it"),
    "SQLITE_FULL": ("the disk is full, so nothing was changed", "make room and try again"),
}


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Errors of SQLite as a RegistryError that says what to do."""
    try:
        yield
    except sqlite3.Error as error:
        name: str = getattr(error, "sqlite_errorname", "")  # errors of the module itself, such as "closed", have none
        known = _ERRORS.get(name) or _ERRORS.get("_".join(name.split("_")[:2]))
        if known is None:
            raise
        raise RegistryError(path, *known) from error
