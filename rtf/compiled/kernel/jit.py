"""How the functions of the kernel are compiled, and what numba has no words for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

__all__ = ["accessor", "compiled", "entry", "load8", "load32", "load64", "prefetch", "put", "source_stamp", "store64"]

# Nothing in the kernel makes an array, so nothing has to count who uses one, which would take a third of the time.
_OPTIONS: Final[dict[str, Any]] = {"nogil": True, "_nrt": False}

compiled: Any = numba.njit(**_OPTIONS)
"""A function for other functions of the kernel."""


def source_stamp(files: Iterable[Path]) -> int:
    """A number that changes when one of these files does."""
    digest = blake2b(digest_size=7)
    for file in sorted(files):
        digest.update(file.read_bytes())
    return int.from_bytes(digest.digest(), "big")


_HERE: Final = Path(__file__).parent
_SOURCES: Final = ("compiled/kernel/*.py", "compiled/*.py", "index/*.py", "pipeline/*_kernel.py")
_STAMP: Final = source_stamp(file for pattern in _SOURCES for file in _HERE.parents[1].glob(pattern))


def entry(make: Callable[[int], Callable[..., Any]], stamp: int = _STAMP) -> Any:
    """A function for callers outside, which is kept on disk once it is compiled.

    numba's cache looks at the file of this function only, and not at those of the functions that it calls. But what a
    closure has closed over is part of the key; so the function is made with a stamp of all the sources.
    """
    return numba.njit(cache=True, **_OPTIONS)(make(stamp))


# --- arrays by their address ------------------------------------------------------------------------------------------


def accessor(place: int, dtype: Any) -> Any:
    """A function that gives the array which entry `place` of a table of addresses and lengths is about.

    The loops look at dozens of arrays. One table is passed about instead: numba takes apart and puts together each
    array that it is given, which costs a tenth of a µs for those that come from Python.
    """
    kind = types.Array(numba.from_dtype(dtype), 1, "C")

    @intrinsic
    def array(_: Any, table: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            address, length = (builder.load(each) for each in _entry(context, builder, signature, arguments, place))
            its_type = context.get_data_type(kind.dtype)
            size = context.get_constant(types.intp, context.get_abi_sizeof(its_type))
            made = context.make_array(kind)(context, builder)
            data = builder.inttoptr(address, its_type.as_pointer())
            populate_array(made, data=data, shape=[length], strides=[size], itemsize=size, meminfo=None)
            return made._getvalue()

        return kind(table), generate

    return array


def put(place: int) -> Any:
    """A function that makes entry `place` of a table be about an array."""

    @intrinsic
    def function(_: Any, table: Any, array: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            given = context.make_array(signature.args[1])(context, builder, arguments[1])
            address, length = _entry(context, builder, signature, arguments, place)
            builder.store(builder.ptrtoint(given.data, ir.IntType(64)), address)
            builder.store(given.nitems, length)
            return context.get_dummy_value()

        return types.void(table, array), generate

    return function


def _entry(context: Any, builder: Any, signature: Any, arguments: Any, place: int) -> tuple[Any, Any]:
    """Pointers to the address and the length of an entry."""
    numbers = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    address, length = (context.get_constant(types.intp, 2 * place + i) for i in range(2))
    return builder.gep(numbers, [address]), builder.gep(numbers, [length])


# --- numbers in bytes -------------------------------------------------------------------------------------------------


def _loader(bits: int) -> Any:
    """A function that reads a number of so many bits at any place in an array of bytes."""
    kind = types.Integer.from_bitwidth(bits, signed=False)

    @intrinsic
    def load(_: Any, data: Any, index: Any) -> Any:  # noqa: ARG001  its type is always the same
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            place = builder.gep(array.data, [arguments[1]])
            number = builder.load(builder.bitcast(place, ir.IntType(bits).as_pointer()))
            number.align = 1
            return number

        return kind(data, types.int64), generate

    return load


@intrinsic
def _store64(_: Any, data: Any, index: Any, number: Any) -> Any:  # noqa: ARG001
    """Write a number of 64 bits at any place in an array of bytes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        builder.store(arguments[2], builder.bitcast(place, ir.IntType(64).as_pointer())).align = 1
        return context.get_dummy_value()

    return types.void(data, types.int64, types.uint64), generate


store64: Final[Any] = _store64
load8: Final = _loader(8)
load32: Final = _loader(32)
load64: Final = _loader(64)


@intrinsic
def _prefetch(_: Any, data: Any, index: Any) -> Any:  # noqa: ARG001
    """Have the processor fetch an element that will be looked at soon."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        octet, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        place = builder.bitcast(builder.gep(array.data, [arguments[1]]), octet)
        kind = ir.FunctionType(ir.VoidType(), [octet, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [octet], kind)
        builder.call(function, [place, *(ir.Constant(number, each) for each in (0, 3, 1))])  # to read, to keep, data
        return context.get_dummy_value()

    return types.void(data, types.int64), generate


prefetch: Final[Any] = _prefetch
