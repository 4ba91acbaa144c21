"""What can go wrong with an index. What can be wrong with queries is in `sparql_ft.errors`, for every matcher."""

from __future__ import annotations

from sparql_ft.errors import DuplicateQueryError, RegistrationError, UnknownQueryError

__all__ = ["DuplicateQueryError", "IndexFileError", "RegistrationError", "UnknownQueryError"]


class IndexFileError(ValueError):
    """A file that is no saved index, or one that cannot be used: what is wrong, and what to do."""

    def __init__(self, path: object, why: str, remedy: str) -> None:
        super().__init__(str(path), why, remedy)
        self.path, self.why, self.remedy = str(path), why, remedy

    def __str__(self) -> str:
        return f"{self.path}: {self.why}; {self.remedy}"
