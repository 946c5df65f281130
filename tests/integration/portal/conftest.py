"""One portal for every test that asks for it."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from .portals import Portal, make_portal


@pytest.fixture
def portal(tmp_path: Path) -> Iterator[Portal]:
    """A portal with people of every kind."""
    with asyncio.Runner() as runner:
        made = make_portal(tmp_path / "portal", runner)
        yield made
        made.close()
