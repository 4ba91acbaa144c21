"""The two ways in which an expression can fail to have a value."""

from __future__ import annotations

__all__ = ["EvaluationLimitError", "ExpressionError"]


class ExpressionError(Exception):
    """SPARQL's "error" (section 17.2): a part of the language, which FILTER, `||`, COALESCE … give a meaning to."""


class EvaluationLimitError(Exception):
    """The evaluation was given up, so nothing is known about its result.

    Not an `ExpressionError`: a FILTER that took this one for "false" would give a wrong answer silently.
    """
