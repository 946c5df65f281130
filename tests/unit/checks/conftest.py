"""The fixture that clears the cache of source lines before each test."""

from tests.unit.course.conftest import _forget_files

__all__ = ["_forget_files"]
