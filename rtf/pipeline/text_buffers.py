"""The bytes of a column of texts, for the loops of numba."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

__all__ = ["Numbers", "text_buffers"]

Numbers: TypeAlias = np.ndarray[Any, np.dtype[Any]]


def text_buffers(texts: pa.Array) -> tuple[Numbers, Numbers]:
    """The bytes of all texts, and where each begins and the last ends; nothing is copied."""
    wide = pa.types.is_large_string(texts.type)
    _, offsets, data = texts.buffers()
    numbers = np.frombuffer(offsets, np.int64 if wide else np.int32)
    octets = np.zeros(1, np.uint8) if data is None or data.size == 0 else np.frombuffer(data, np.uint8)
    return octets, numbers[texts.offset : texts.offset + len(texts) + 1]
