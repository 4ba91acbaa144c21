"""A frozen segment in one file, which is mapped when it is opened: processes on a host share one copy.

The file begins with MAGIC, the length of a header, and the header in JSON: the version of the format, what the index
was made with, and where each array stands, with its checksum. A file is written beside its place and then moved there,
so that there is never half of one.
"""

from __future__ import annotations

import json
import os
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final
from unicodedata import unidata_version

import numpy as np
import numpy.typing as npt

from rtf.compiled.frozen import Frozen
from rtf.compiled.query_store import ARRAYS, QueryStore
from rtf.compiled.sections import SECTIONS
from rtf.compiled.segment import FrozenSegment, FrozenSize
from rtf.errors import IndexFileError
from sparql_ft.analyser import Analysis

__all__ = ["load_segment", "save_segment"]

MAGIC: Final = b"RTFINDEX"
VERSION: Final = 2
_ALIGNMENT: Final = 64
_REMEDY: Final = "make it again from the queries, with Engine.save"


def save_segment(segment: FrozenSegment, path: Path, about: dict[str, Any]) -> None:
    """Write a segment, from which no query has been removed. `about` is kept with it."""
    arrays = {"index": segment.frozen.buffer, **segment.store.arrays}
    places = {}
    offset = 0
    for name, array in arrays.items():
        offset += -offset % _ALIGNMENT
        places[name] = [offset, len(array), zlib.crc32(np.ascontiguousarray(array).data)]
        offset += array.nbytes
    header = json.dumps(
        {
            "version": VERSION,
            "unicode": unidata_version,
            "sections": SECTIONS,
            "analyses": [asdict(each) for each in segment.frozen.analyses],
            "searched": None if segment.frozen.searched is None else sorted(segment.frozen.searched),
            "size": asdict(segment.size),
            "about": about,
            "arrays": places,
            "length": offset,
        }
    ).encode()
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.unfinished")
    try:
        with unfinished.open("wb") as file:
            file.write(MAGIC + len(header).to_bytes(8, "little") + zlib.crc32(header).to_bytes(4, "little") + header)
            file.write(bytes(-file.tell() % _ALIGNMENT))
            start = file.tell()
            for name, array in arrays.items():
                file.write(bytes(start + places[name][0] - file.tell()))
                np.ascontiguousarray(array).tofile(file)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def load_segment(path: Path, *, verify: bool = True) -> tuple[FrozenSegment, dict[str, Any]]:
    """Map the segment in a file, and what is kept with it. `verify` reads all of it, to compare checksums.

    Raises IndexFileError for a file that is none, damaged, or of another version.
    """
    header, start = _header(path)
    size = path.stat().st_size
    if size < start + header["length"]:
        raise IndexFileError(path, f"{start + header['length'] - size:,} bytes are missing at the end", _REMEDY)
    whole = np.memmap(path, np.uint8, "r")
    arrays: dict[str, npt.NDArray[Any]] = {}
    for name, kind in {"index": np.int32, **ARRAYS}.items():
        offset, length, checksum = header["arrays"][name]
        part = whole[start + offset : start + offset + length * np.dtype(kind).itemsize]
        if verify and zlib.crc32(part.data) != checksum:
            raise IndexFileError(path, f"it is damaged: the checksum of `{name}` is wrong", _REMEDY)
        arrays[name] = part.view(kind)
    store = QueryStore({name: arrays[name] for name in ARRAYS})
    frozen = Frozen(
        arrays["index"],
        [Analysis(**each) for each in header["analyses"]],
        None if header["searched"] is None else frozenset(header["searched"]),
        store.text,
        header["about"].get("base"),
    )
    return FrozenSegment(frozen, store, FrozenSize(**header["size"])), header["about"]


def _header(path: Path) -> tuple[dict[str, Any], int]:
    """The header, and where the arrays start."""
    with path.open("rb") as file:
        lead = file.read(len(MAGIC) + 12)
        if not lead.startswith(MAGIC):
            raise IndexFileError(path, "this is no saved index", "save one with Engine.save")
        length = int.from_bytes(lead[len(MAGIC) : len(MAGIC) + 8], "little")
        if len(lead) < len(MAGIC) + 12 or length > path.stat().st_size:
            raise IndexFileError(path, "it ends in the middle of its header", _REMEDY)
        data = file.read(length)
        if zlib.crc32(data) != int.from_bytes(lead[-4:], "little"):
            raise IndexFileError(path, "its header is damaged or incomplete", _REMEDY)
        start = file.tell()
    header: dict[str, Any] = json.loads(data)
    if header["version"] != VERSION or header["sections"] != list(SECTIONS):
        why = f"it has version {header['version']} of the format; this program reads version {VERSION}"
        raise IndexFileError(path, why, _REMEDY)
    if header["unicode"] != unidata_version:
        why = f"its words were made with Unicode {header['unicode']}; this Python has {unidata_version}"
        raise IndexFileError(path, why, _REMEDY)
    return header, start + -start % _ALIGNMENT
