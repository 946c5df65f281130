"""Decorators that compile functions to machine code, cached on disk; see `compile_cache`."""

from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.registry import CPUDispatcher
from numba.extending import intrinsic

from tourney.game.machine.compile_cache import Locator, is_kept

Function = TypeVar("Function", bound=Callable[..., Any])

NO_WAYS_IN = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

Word: TypeAlias = Any
"""A uint64 in compiled code; numpy's types define no sum with another integer type."""
Number: TypeAlias = Any
"""An int64 in compiled code, from numpy or Python."""


def compiled(function: Function, **options: bool) -> Function:
    """Compile a function when it is first called, and cache the result on disk if possible.

    Args:
        function: A function of numbers, arrays and named tuples of them; it releases the GIL.
        options: Additional options of numba.
    """
    # Numba has one global setting, so restore it for other users of numba.
    others = numba.config.CACHE_LOCATOR_CLASSES
    numba.config.CACHE_LOCATOR_CLASSES = f"{Locator.__module__}.{Locator.__qualname__}"
    try:
        # No reference counting: the function allocates nothing, and arrays outlive the call.
        options = {"nogil": True, "_nrt": False, "no_cfunc_wrapper": True} | options
        made: Function = numba.njit(cache=is_kept(function.__module__), **options)(function)
    finally:
        numba.config.CACHE_LOCATOR_CLASSES = others
    return made


def subroutine(function: Function) -> Function:
    """Compile a function once for the compiled functions that call it; Python cannot call it.

    Omitting the entry point for Python saves a tenth of the compile time.
    """
    return _without_way_in(compiled(function, **NO_WAYS_IN))


def inlined(function: Function) -> Function:
    """Compile a function into its callers; Python can call its `py_func` only.

    >>> inlined(abs_of := lambda number: max(number, -number)).py_func(-2)
    2
    >>> inlined(abs_of)(-2)
    Traceback (most recent call last):
    ...
    TypeError: <lambda> can be called from compiled code only; in Python, call its py_func
    """
    made: Function = numba.njit(forceinline=True, _nrt=False, **NO_WAYS_IN)(function)
    return _without_way_in(made)


def _without_way_in(made: Function) -> Function:
    if not IS_OFF:
        made.__class__ = _CompiledOnly
    return made


class _CompiledOnly(CPUDispatcher):  # type: ignore[misc]  # numba has no types
    """A compiled function without an entry point; numba would call it anyway, and crash."""

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        """Reject a call from Python.

        Raises: TypeError, always.
        """
        raise TypeError(
            f"{self.py_func.__name__} can be called from compiled code only; in Python, call its "
            "py_func"
        )


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


# With NUMBA_DISABLE_JIT numba compiles nothing; use Python instead of machine instructions.
IS_OFF = bool(numba.config.DISABLE_JIT)
high_word = _high_word_in_python if IS_OFF else _high_word
"""Returns the upper 64 of the 128 bits of a product, which NumPy cannot compute."""
first_byte_last = _first_byte_last_in_python if IS_OFF else _first_byte_last
"""Reverses the eight bytes of a word."""
