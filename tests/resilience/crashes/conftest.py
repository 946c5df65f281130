"""An organiser's desk, its luck, and the run that nobody interrupts."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tourney import play_tournament
from tourney.store.store import Store

from .desk import CONFIG, Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Give an organiser's desk; its name has a space, as folders do."""
    desk = Desk(tmp_path / "my desk")
    yield desk
    desk.clean_up()


@pytest.fixture
def random() -> Random:
    """Give the same luck every time."""
    return Random(1912)


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Give the digest of the run that nobody interrupts."""
    folder = tmp_path_factory.mktemp("whole")
    config = folder / "crash.yaml"
    config.write_text(CONFIG, encoding="utf-8")
    play_tournament(config, store=folder / "tourney.db")
    with Store.open(folder / "tourney.db", create=False) as store:
        return store.run_digest(1)
