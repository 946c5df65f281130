"""A club that plays small tournaments."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from .any_run import Club


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Give a club with a folder of its own."""
    with Club(tmp_path) as club:
        yield club
