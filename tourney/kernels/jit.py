"""Compiling functions for the machine, and where the machine code is kept.

Compiling takes seconds, so its result is kept on disk: beside this module where that can be
written, else in the user's cache folder, else nowhere. A folder belongs to one state of all
these sources: numba itself looks only at the file of a function and would go on using one that
contains yesterday's code of another file.
"""

import os
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])

Word: TypeAlias = Any
"""A uint64 in compiled code; numpy's own types know no sum of it and another integer."""
Number: TypeAlias = Any
"""An int64 in compiled code, of numpy or of Python."""

HERE = Path(__file__).parent


def compiled(function: Function) -> Function:
    """Compile a function when it is first called, and keep the result on disk if possible.

    Args:
        function: Of numbers, arrays and named tuples of them; it lets go of the interpreter.
    """
    place = cache_folder()
    if place is None:
        return _jit(function, keep=False)
    # Numba has one setting for all of its users, so it is only lent to this function.
    others = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(place)
    try:
        return _jit(function, keep=True)
    except RuntimeError:  # numba cannot write there after all
        return _jit(function, keep=False)
    finally:
        numba.config.CACHE_DIR = others


def inlined(function: Function) -> Function:
    """Compile a function into those that call it."""
    made: Function = numba.njit(forceinline=True, _nrt=False)(function)
    return made


def _jit(function: Function, *, keep: bool) -> Function:
    # Without counting references: nothing is allocated in here, and arrays outlive the call.
    made: Function = numba.njit(nogil=True, cache=keep, _nrt=False)(function)
    return made


@cache
def cache_folder() -> Path | None:
    """Give the folder that machine code is kept in; None if there is none to write to."""
    name = f"numba-{_state_of_sources()}"
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    # No folder that others can write to, such as /tmp: what is loaded from here is executed.
    for place in (HERE / "__pycache__" / name, home / "tourney" / name):
        try:
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(place, os.W_OK):
            return place
    return None


def _state_of_sources() -> str:
    hasher = blake2b(numba.__version__.encode(), digest_size=8)
    for folder in (HERE, *(HERE.parent / name for name in ("cards", "games", "ledger"))):
        for path in sorted(folder.rglob("*.py")):  # kernels hold constants of the others
            hasher.update(path.name.encode() + path.read_bytes())
    return hasher.hexdigest()


@intrinsic
def _high_word(_typing: Any, _one: Any, _other: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        one, other = (builder.zext(argument, wide) for argument in arguments)
        product = builder.mul(one, other)
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


@intrinsic
def _first_byte_last(_typing: Any, _word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.bswap(arguments[0])

    return types.uint64(types.uint64), generate


def _high_word_in_python(one: Word, other: Word) -> Word:
    return np.uint64(int(one) * int(other) >> 64)


def _first_byte_last_in_python(word: Word) -> Word:
    return np.uint64(int.from_bytes(int(word).to_bytes(8, "little"), "big"))


# Numba can be told to compile nothing; machine instructions need a stand-in then.
IS_OFF = bool(numba.config.DISABLE_JIT)
high_word = _high_word_in_python if IS_OFF else _high_word
"""Gives the upper 64 of the 128 bits of a product, which NumPy cannot."""
first_byte_last = _first_byte_last_in_python if IS_OFF else _first_byte_last
"""Turns the eight bytes of a word round."""
