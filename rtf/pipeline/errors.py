"""What can go wrong with a dump or with Spark, in words for whoever started the job."""

from __future__ import annotations

__all__ = ["PipelineError"]


class PipelineError(Exception):
    """The job cannot be done: what is wrong, and what to do about it."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message + (f"\n{self.hint}" if self.hint else "")
