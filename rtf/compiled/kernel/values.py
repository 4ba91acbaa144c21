"""Literals -> where they are on the lines that intervals lie on (see `rtf.index.intervals`)."""

from __future__ import annotations

import numpy as np

from rtf.compiled.kernel.jit import compiled

__all__ = ["on_line"]

_XSD = np.frombuffer(b"http://www.w3.org/2001/XMLSchema#", np.uint8)
_TYPES = np.frombuffer(b"integer decimal double float nonNegativeInteger positiveInteger date dateTime ", np.uint8)
_DATE, _DATE_TIME = 6, 7  # of these types
_MOST_DIGITS = 15  # an integer of so many is exact as a 64-bit float, and so is a power of ten up to 22


@compiled
def on_line(head, n_head, data, start, end):
    """The line of a literal and where it is on it (see `rtf.index.intervals`); -1 and NaN if that is not sure."""
    kind = _type_number(head, n_head)
    if kind < 0:
        return np.int64(-1), np.float32(np.nan)
    if kind >= _DATE:
        day = _day(data, start, end, kind == _DATE_TIME)
        if day < 0:
            return np.int64(-1), np.float32(np.nan)
        return np.int64(kind - _DATE + 1), np.float32(day)
    mantissa = np.int64(0)
    digits = 0
    behind = 0  # digits behind the point
    exponent = 0
    has_point = False
    i = start
    is_negative = i < end and data[i] == 45
    if i < end and (data[i] == 45 or data[i] == 43):
        i += 1
    first = i
    while i < end:
        byte = data[i]
        if 48 <= byte <= 57:
            mantissa = 10 * mantissa + byte - 48
            digits += 1
            behind += has_point
        elif byte == 46 and not has_point and 1 <= kind <= 3:
            has_point = True
        elif byte in (101, 69) and kind in (2, 3) and digits:
            exponent, i = _exponent(data, i + 1, end)
            if i < 0:
                return np.int64(-1), np.float32(np.nan)
            break
        else:
            return np.int64(-1), np.float32(np.nan)
        i += 1
        if digits > _MOST_DIGITS:
            return np.int64(-1), np.float32(np.nan)
    exponent -= behind
    too_small = kind >= 4 and (is_negative or (kind == 5 and mantissa == 0))
    if first == end or digits == 0 or exponent > 15 or exponent < -22 or too_small:
        return np.int64(-1), np.float32(np.nan)
    value = np.float64(mantissa)
    for _ in range(exponent):
        value *= 10.0
    power = 1.0
    for _ in range(-exponent):
        power *= 10.0
    value /= power
    return np.int64(0), np.float32(-value if is_negative else value)


@compiled
def _exponent(data, i, end):
    """The exponent that is all that is left, and where it ends; -1 there if it is none, or a large one."""
    is_negative = i < end and data[i] == 45
    if i < end and (data[i] == 45 or data[i] == 43):
        i += 1
    if i >= end or end - i > 2:
        return 0, -1
    exponent = 0
    while i < end:
        if not 48 <= data[i] <= 57:
            return 0, -1
        exponent = 10 * exponent + data[i] - 48
        i += 1
    return (-exponent if is_negative else exponent), i


@compiled
def _type_number(head, n_head):
    """Which of _TYPES a datatype is, or -1."""
    if n_head <= len(_XSD):
        return -1
    for i in range(len(_XSD)):
        if head[i] != _XSD[i]:
            return -1
    number = 0
    place = 0
    while place < len(_TYPES):
        i = len(_XSD)
        same = True
        while _TYPES[place] != 32:
            same = same and i < n_head and head[i] == _TYPES[place]
            i += 1
            place += 1
        if same and i == n_head:
            return number
        number += 1
        place += 1
    return -1


@compiled
def _day(data, start, end, has_time):
    """The number of the day of `yyyy-mm-dd`, with a time `Thh:mm:ss` or `Thh:mm:ssZ`; -1 if it is not written so."""
    if end - start != 10 and not has_time:
        return -1
    if has_time and not _is_time(data, start + 10, end):
        return -1
    for i in range(10):
        byte = data[start + i]
        if i in (4, 7):
            if byte != 45:
                return -1
        elif not 48 <= byte <= 57:
            return -1
    year = 1000 * data[start] + 100 * data[start + 1] + 10 * data[start + 2] + data[start + 3] - 1111 * 48
    month = 10 * data[start + 5] + data[start + 6] - 11 * 48
    day = 10 * data[start + 8] + data[start + 9] - 11 * 48
    if not 1 <= month <= 12 or not 1 <= day <= 28 or year < 1:
        return -1  # or it would depend on the month
    if month <= 2:
        year -= 1
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * ((month + 9) % 12) + 2) // 5 + day - 1


@compiled
def _is_time(data, start, end):
    if end - start not in (9, 10) or (end - start == 10 and data[end - 1] != 90):  # Z
        return False
    for i in range(9):
        byte = data[start + i]
        if i % 3 == 0:
            if byte != (58 if i else 84):  # T and colons
                return False
        elif not 48 <= byte <= (57 if i % 3 == 2 else 53 if i > 1 else 49):  # up to 19:59:59
            return False
    return True
