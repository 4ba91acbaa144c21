"""Bytes eight at a time: the same answers as one by one, at all lengths and places."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from rtf.compiled.kernel.octets import FIRST, copy_octets, finish, has_octet, hash_octets, same_octets, zero_after

few = st.binary(max_size=40) | st.lists(st.sampled_from([0, 1, 92, 93, 127, 128, 220, 255]), max_size=40).map(bytes)


def array(data: bytes) -> npt.NDArray[np.uint8]:
    """Bytes as the kernel has them, in memory of their own."""
    return np.frombuffer(bytearray(data) or bytearray(1), np.uint8)


@given(few, few, few)
def test_same(one: bytes, before: bytes, after: bytes) -> None:
    """A string is equal to itself wherever it stands, and to no other of its length."""
    there = array(before + one + after)
    assert same_octets(array(one), 0, there, len(before), len(one))
    for place in range(len(one)):
        other = bytearray(one)
        other[place] ^= 1 << place % 8
        assert not same_octets(array(bytes(other)), 0, there, len(before), len(one))


def hashed(data: npt.NDArray[np.uint8], start: int, end: int) -> int:
    """The hash of the bytes [start, end)."""
    return int(finish(np.uint64(hash_octets(data, start, end, FIRST))))


@given(few, few, few)
def test_hashes(one: bytes, before: bytes, after: bytes) -> None:
    """What is hashed is the string, and not what stands around it; each byte counts, and so does the length."""
    there = array(before + one + after)
    expected = hashed(array(one), 0, len(one))
    assert hashed(there, len(before), len(before) + len(one)) == expected
    others = [one + b"\0", b"\0" + one, *(one[:place] + b"\x07\x08" + one[place + 2 :] for place in range(len(one)))]
    for other in others:
        if other != one:
            assert hashed(array(other), 0, len(other)) != expected


@given(few, few, few, st.sampled_from([0, 92, 128, 255]))
def test_has(one: bytes, before: bytes, after: bytes, octet: int) -> None:
    """A byte is found where it is, and only between the ends."""
    there = array(before + one + after)
    assert has_octet(there, len(before), len(before) + len(one), octet) == (octet in one)


@given(few, few)
def test_zero(before: bytes, after: bytes) -> None:
    """The next zero, from every place."""
    data = before + b"\0" + after + b"\0"
    for place in range(len(data)):
        assert zero_after(array(data), place) == data.index(0, place)


@given(few, few, few, st.binary(min_size=80, max_size=80))
def test_copy(one: bytes, before: bytes, after: bytes, there: bytes) -> None:
    """What is copied is the string, and nothing around its place changes."""
    out = array(there)
    copy_octets(array(before + one + after), len(before), out, 20, len(one))
    assert out.tobytes() == there[:20] + one + there[20 + len(one) :]
