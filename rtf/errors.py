"""What can go wrong with the set of registered queries; what can be wrong with one query is in `sparql_ft.errors`."""

from __future__ import annotations

from collections.abc import Mapping

from sparql_ft import QueryError

__all__ = ["DuplicateQueryError", "IndexFileError", "RegistrationError", "UnknownQueryError"]


class DuplicateQueryError(ValueError):
    """The id belongs to a query with another text."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.id = id

    def __str__(self) -> str:
        return f"there is a query {self.id!r} already, with another text; choose another id, or pass replace=True"


class UnknownQueryError(KeyError):
    """No query has this id."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.id = id

    def __str__(self) -> str:
        return f"there is no query {self.id!r}"


class RegistrationError(ValueError):
    """Of many queries some cannot be registered, so none was. `errors` tells which and why."""

    def __init__(self, errors: Mapping[str, QueryError | DuplicateQueryError], total: int) -> None:
        super().__init__(errors, total)
        self.errors = dict(errors)
        self.total = total

    def __str__(self) -> str:
        lines = [f"{len(self.errors)} of {self.total} queries cannot be registered; none was"]
        lines += [f"{id}: {error}" for id, error in self.errors.items()]
        return "\n".join(lines)


class IndexFileError(ValueError):
    """A file that is no saved index, or one that cannot be used: what is wrong, and what to do."""

    def __init__(self, path: object, why: str, remedy: str) -> None:
        super().__init__(str(path), why, remedy)
        self.path, self.why, self.remedy = str(path), why, remedy

    def __str__(self) -> str:
        return f"{self.path}: {self.why}; {self.remedy}"
