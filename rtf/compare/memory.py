"""How much memory a matcher takes: all objects that can be reached from it, each once, and the data of arrays.

Counted and not measured, so that it is the same in every run and does not depend on what else the process holds. What
belongs to no matcher is left out: modules, classes and functions. Texts of queries are part of every matcher that keeps
them.
"""

from __future__ import annotations

import gc
import sys
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Final

import numpy as np

__all__ = ["size_of"]

_LEFT_OUT: Final = (type, ModuleType, BuiltinFunctionType)


def size_of(root: object) -> int:
    """Bytes."""
    seen: set[int] = set()
    pending: list[object] = [root]
    total = 0
    while pending:
        each = pending.pop()
        if id(each) in seen or isinstance(each, _LEFT_OUT):
            continue
        seen.add(id(each))
        if isinstance(each, FunctionType):  # of a closure, what it holds on to
            pending.extend(cell.cell_contents for cell in each.__closure__ or () if _is_filled(cell))
            continue
        total += sys.getsizeof(each)
        if isinstance(each, np.ndarray) and each.base is not None:
            pending.append(each.base)  # a view
        pending.extend(gc.get_referents(each))
    return total


def _is_filled(cell: object) -> bool:
    try:
        cell.cell_contents  # type: ignore[attr-defined]  # noqa: B018
    except ValueError:
        return False
    return True
