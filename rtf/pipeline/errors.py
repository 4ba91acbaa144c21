"""What can go wrong with a dump or with Spark, in words for whoever started the job."""

from __future__ import annotations

__all__ = ["PipelineError", "UnreadableFileError"]


class PipelineError(Exception):
    """The job cannot be done: what is wrong, and what to do about it."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message + (f"\n{self.hint}" if self.hint else "")


class UnreadableFileError(PipelineError):
    """A file turned out to be damaged while it was read."""

    def __init__(self, file: str, why: str) -> None:
        hint = "the file is damaged or was cut off; fetch it again, and start anew: nothing was written"
        super().__init__(f"{file} cannot be read: {why}", hint)
        self.file = file
        self.why = why
