"""Literals in N-Triples syntax: what stands behind the quote, and escapes."""

from __future__ import annotations

import numpy as np

from rtf.compiled.kernel.arrays import FULL, UNCLEAR
from rtf.compiled.kernel.jit import compiled
from rtf.compiled.kernel.octets import has_octet

__all__ = ["is_iri", "literal_head", "unescape"]

_QUOTE, _BACKSLASH, _LESS, _GREATER, _AT = ord('"'), ord("\\"), ord("<"), ord(">"), ord("@")


@compiled
def is_iri(data, start, end):
    """Whether this is an IRI in angle brackets, without escapes."""
    if end - start < 3 or data[start] != _LESS or data[end - 1] != _GREATER:
        return False
    return not has_octet(data, start + 1, end - 1, _BACKSLASH)


_STRING_TYPE = np.frombuffer(b"http://www.w3.org/2001/XMLSchema#string", np.uint8)


@compiled
def literal_head(head, data, start, end):
    """What a key has before the lexical form: its length, or minus what is wrong. [start, end) is behind the quote."""
    n = 0
    if end > start:
        if end - start > len(head) - 2:
            return -FULL
        if data[start] == _AT:
            for i in range(start, end):
                byte = data[i] | 32  # lower case
                if not (97 <= byte <= 122 or 48 <= byte <= 57 or data[i] == 45 or i == start):
                    return -UNCLEAR
                head[n] = data[i] if data[i] < 65 else byte
                n += 1
            head[0] = _AT
        elif end - start > 4 and data[start] == 94 and data[start + 1] == 94 and is_iri(data, start + 2, end):
            is_string = end - start - 4 == len(_STRING_TYPE)
            for i in range(start + 3, end - 1):
                head[n] = data[i]
                is_string = is_string and data[i] == _STRING_TYPE[n]
                n += 1
            if is_string:
                n = 0
        else:
            return -UNCLEAR
    head[n] = 1
    return n + 1


@compiled
def unescape(data, start, end, out):
    """The bytes [start, end) without their escapes, in `out`: how many, or minus what is wrong."""
    n = 0
    if end - start > len(out):
        return -FULL
    i = start
    while i < end:
        byte = data[i]
        if byte != _BACKSLASH:
            if byte == _QUOTE:
                return -UNCLEAR
            out[n] = byte
            n += 1
            i += 1
            continue
        if i + 1 >= end:
            return -UNCLEAR
        letter = data[i + 1]
        i += 2
        if letter in (117, 85):  # u, U
            digits = 4 if letter == 117 else 8
            if i + digits > end:
                return -UNCLEAR
            code = 0
            for k in range(i, i + digits):
                digit = data[k]
                if 48 <= digit <= 57:
                    code = 16 * code + digit - 48
                elif 65 <= digit <= 70:
                    code = 16 * code + digit - 55
                elif 97 <= digit <= 102:
                    code = 16 * code + digit - 87
                else:
                    return -UNCLEAR
            i += digits
            if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
                return -UNCLEAR
            if code < 0x80:
                out[n] = code
                n += 1
            elif code < 0x800:
                out[n] = 192 | (code >> 6)
                out[n + 1] = 128 | (code & 63)
                n += 2
            elif code < 0x10000:
                out[n] = 224 | (code >> 12)
                out[n + 1] = 128 | ((code >> 6) & 63)
                out[n + 2] = 128 | (code & 63)
                n += 3
            else:
                out[n] = 240 | (code >> 18)
                out[n + 1] = 128 | ((code >> 12) & 63)
                out[n + 2] = 128 | ((code >> 6) & 63)
                out[n + 3] = 128 | (code & 63)
                n += 4
            continue
        if letter == 116:  # t
            plain = 9
        elif letter == 98:  # b
            plain = 8
        elif letter == 110:  # n
            plain = 10
        elif letter == 114:  # r
            plain = 13
        elif letter == 102:  # f
            plain = 12
        elif letter in (_QUOTE, 39, _BACKSLASH):
            plain = letter
        else:
            return -UNCLEAR
        out[n] = plain
        n += 1
    return n
