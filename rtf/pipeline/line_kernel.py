"""Lines of N-Triples and N-Quads taken apart by numba, many at once: where each term begins and ends.

A line is only taken apart here if it is certainly valid: the usual characters and forms. Whatever else there is, from
escapes in IRIs to plain nonsense, is UNSURE, and pyoxigraph decides (see `lines`). So this may know less of the grammar
than the specification does, but never accept more. Texts are valid UTF-8, which is checked before.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rtf.compiled.kernel.jit import compiled, entry, load8
from rtf.compiled.kernel.octets import copy_octets

__all__ = ["BLANK", "COMMENT", "QUAD", "TRIPLE", "UNSURE", "gather", "gathered_size", "scan"]

BLANK, COMMENT, TRIPLE, QUAD, UNSURE = range(5)

_HEX, _LETTER, _DIGIT, _HOST, _PATH, _LABEL, _SCHEME = (1 << bit for bit in range(7))


def _classes() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The sets that each byte belongs to."""
    letters, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "0123456789"
    sets = (
        (_HEX, digits + "ABCDEFabcdef"),
        (_LETTER, letters),
        (_DIGIT, digits),
        (_HOST, letters + digits + "-._~"),
        (_PATH, letters + digits + "-._~!$&'()*+,;=:@/"),  # pchar and `/` of RFC 3987, without escapes
        (_LABEL, letters + digits + "_-"),
        (_SCHEME, letters + digits + "+-."),
    )
    table = np.zeros(256, np.uint8)
    for bit, characters in sets:
        table[np.frombuffer(characters.encode(), np.uint8)] |= bit
    return table


_CLASS = _classes()

_TAB, _SPACE, _QUOTE, _HASH, _PERCENT, _HYPHEN, _DOT, _SLASH = 9, 32, 34, 35, 37, 45, 46, 47
_COLON, _LESS, _GREATER, _QUESTION, _AT, _BACKSLASH, _CARET, _UNDERSCORE = 58, 60, 62, 63, 64, 92, 94, 95
_LF, _CR, _SMALL_U, _BIG_U = 10, 13, 117, 85
_FAILED: Final = -1


@compiled
def _after_space(data, at, end):
    while at < end and (load8(data, at) == _SPACE or load8(data, at) == _TAB):
        at += 1
    return at


@compiled
def _after_iri(data, at, end):
    """The end of the IRI that begins at `at`, which has `<`."""
    at += 1
    if at >= end or not _CLASS[load8(data, at)] & _LETTER:
        return _FAILED
    while at < end and _CLASS[load8(data, at)] & _SCHEME:
        at += 1
    if at >= end or load8(data, at) != _COLON:
        return _FAILED
    at += 1
    if at + 1 < end and load8(data, at) == _SLASH and load8(data, at + 1) == _SLASH:
        at += 2
        while at < end and _CLASS[load8(data, at)] & _HOST:
            at += 1
        if at < end and load8(data, at) == _COLON:
            at += 1
            while at < end and _CLASS[load8(data, at)] & _DIGIT:
                at += 1
        if at < end and not (
            load8(data, at) == _SLASH
            or load8(data, at) == _QUESTION
            or load8(data, at) == _HASH
            or load8(data, at) == _GREATER
        ):
            return _FAILED  # user names, escapes or other letters in the host
    in_fragment = False
    while at < end:
        byte = load8(data, at)
        if _CLASS[byte] & _PATH:
            at += 1
        elif byte == _GREATER:
            return at + 1
        elif byte == _PERCENT:
            if at + 2 >= end or not (_CLASS[load8(data, at + 1)] & _HEX and _CLASS[load8(data, at + 2)] & _HEX):
                return _FAILED
            at += 3
        elif byte == _QUESTION:
            at += 1
        elif byte == _HASH and not in_fragment:
            in_fragment = True
            at += 1
        elif byte >= 0xC2:
            at = _after_letter(data, at, end)
            if at == _FAILED:
                return _FAILED
        else:
            return _FAILED
    return _FAILED


@compiled
def _after_letter(data, at, end):
    """The end of a character beyond ASCII that an IRI may have in any place (ucschar of RFC 3987, up to U+FFEF)."""
    lead = data[at]
    if lead < 0xE0:
        if at + 1 >= end or (lead == 0xC2 and data[at + 1] < 0xA0):
            return _FAILED
        return at + 2
    if lead < 0xF0 and at + 2 < end:
        code = (np.int64(lead & 0x0F) << 12) | (np.int64(data[at + 1] & 0x3F) << 6) | np.int64(data[at + 2] & 0x3F)
        if code < 0xD800 or 0xF900 <= code < 0xFDD0 or 0xFDF0 <= code < 0xFFF0:
            return at + 3
    return _FAILED


@compiled
def _after_blank_node(data, at, end):
    if at + 2 >= end or data[at + 1] != _COLON or data[at + 2] == _HYPHEN or not _CLASS[data[at + 2]] & _LABEL:
        return _FAILED
    at += 2
    while at < end and _CLASS[data[at]] & _LABEL:
        at += 1
    if at < end and (data[at] >= 0x80 or data[at] == _COLON):
        return _FAILED
    if at + 1 < end and data[at] == _DOT:  # part of the label, or the end of the statement?
        after = data[at + 1]
        if after in (_DOT, _COLON) or after >= 128 or _CLASS[after] & _LABEL:
            return _FAILED
    return at


@compiled
def _hex_value(data, at, count):
    """The value of some hexadecimal digits, or _FAILED."""
    value = np.int64(0)
    for place in range(at, at + count):
        byte = np.int64(data[place])
        if not _CLASS[byte] & _HEX:
            return _FAILED
        value = value * 16 + (byte - 48 if byte < 58 else (byte | 32) - 87)
    return value


@compiled
def _after_literal(data, at, end):
    """The end of the literal that begins at `at`, which has `"`."""
    at += 1
    while True:
        if at >= end:
            return _FAILED
        byte = load8(data, at)
        if byte == _QUOTE:
            break
        if byte == _BACKSLASH:
            if at + 1 >= end:
                return _FAILED
            escaped = load8(data, at + 1)
            if escaped in (_SMALL_U, _BIG_U):
                digits = 4 if escaped == _SMALL_U else 8
                if at + 2 + digits > end:
                    return _FAILED
                code = _hex_value(data, at + 2, digits)
                if code < 0 or code > 0x10FFFF or 0xD800 <= code < 0xE000:
                    return _FAILED
                at += 2 + digits
            # t b n r f " ' \
            elif escaped in (116, 98, 110, 114, 102) or escaped in (_QUOTE, _BACKSLASH) or escaped == 39:
                at += 2
            else:
                return _FAILED
        elif byte >= 0x20 or byte == _TAB:
            at += 1
        else:
            return _FAILED
    at += 1
    if at < end and load8(data, at) == _AT:
        return _after_language(data, at + 1, end)
    if at + 2 < end and load8(data, at) == _CARET:
        if load8(data, at + 1) != _CARET or load8(data, at + 2) != _LESS:
            return _FAILED
        return _after_iri(data, at + 2, end)
    return at


@compiled
def _after_language(data, at, end):
    """The end of a language of two or three letters, perhaps with one of the usual subtags."""
    start = at
    while at < end and _CLASS[data[at]] & _LETTER:
        at += 1
    if not 2 <= at - start <= 3 or (at < end and _CLASS[data[at]] & _DIGIT):
        return _FAILED
    if at < end and data[at] == _HYPHEN:
        start = at + 1
        at = start
        letters = digits = 0
        while at < end and _CLASS[data[at]] & (_LETTER | _DIGIT):
            if _CLASS[data[at]] & _LETTER:
                letters += 1
            else:
                digits += 1
            at += 1
        size = at - start
        region = (size == 2 and digits == 0) or (size == 3 and letters == 0)
        script = size == 4 and digits == 0
        variant = 5 <= size <= 8
        if not (region or script or variant) or (at < end and data[at] == _HYPHEN):
            return _FAILED
    return at


@compiled
def _scan_line(data, start, end, number, bounds):
    """What the line is; `bounds` gets start and end of subject, predicate, object and graph."""
    while end > start and load8(data, end - 1) == _CR:
        end -= 1
    at = _after_space(data, start, end)
    if at == end:
        return BLANK
    if load8(data, at) == _HASH:
        return COMMENT
    for place in range(4):
        if at >= end:
            return UNSURE
        byte = load8(data, at)
        bounds[number, 2 * place] = at
        if byte == _LESS:
            at = _after_iri(data, at, end)
        elif byte == _UNDERSCORE and place != 1:
            at = _after_blank_node(data, at, end)
        elif byte == _QUOTE and place == 2:
            at = _after_literal(data, at, end)
        elif byte == _DOT and place == 3:
            bounds[number, 2 * place] = 0
            break
        else:
            return UNSURE
        if at == _FAILED:
            return UNSURE
        bounds[number, 2 * place + 1] = at
        at = _after_space(data, at, end)
    if at >= end or load8(data, at) != _DOT:
        return UNSURE
    at = _after_space(data, at + 1, end)
    if at < end and load8(data, at) != _HASH:
        return UNSURE
    return QUAD if bounds[number, 6] else TRIPLE


@entry
def scan(stamp):
    """What each line is, and the bounds of its terms: eight numbers a line, the graph's zero where there is none."""

    def scan(data, offsets, kinds, bounds):
        _ = stamp
        for number in range(len(kinds)):
            bounds[number, 6] = 0
            bounds[number, 7] = 0
            start, end = np.int64(offsets[number]), np.int64(offsets[number + 1])
            kinds[number] = _scan_line(data, start, end, number, bounds)

    return scan


@entry
def gathered_size(stamp):
    """How many bytes `gather` will write."""

    def gathered_size(data, starts, ends, prefix):
        _ = stamp
        size = np.int64(0)
        for number in range(len(starts)):
            size += ends[number] - starts[number]
            if ends[number] > starts[number] and load8(data, starts[number]) == _UNDERSCORE:
                size += len(prefix) - 2
        return size

    return gathered_size


@entry
def gather(stamp):
    """Pieces of the data one after the other, and where each begins; the `_:` of a blank node becomes the prefix."""

    def gather(data, starts, ends, prefix, offsets, out):
        _ = stamp
        size = np.int64(0)
        offsets[0] = 0
        for number in range(len(starts)):
            at, end = starts[number], ends[number]
            if end > at and load8(data, at) == _UNDERSCORE:
                for byte in prefix:
                    out[size] = byte
                    size += 1
                at += 2
            copy_octets(data, at, out, size, end - at)
            size += end - at
            offsets[number + 1] = size

    return gather
