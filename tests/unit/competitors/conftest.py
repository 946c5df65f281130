"""The fixtures for plugins that are installed for one test."""

from tests.unit.plugins.conftest import _forget_modules, shelf

__all__ = ["_forget_modules", "shelf"]
