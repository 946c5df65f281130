"""A store that is no longer where it was is noticed, and one that is only tidied up is not."""

from pathlib import Path

import pytest

from tourney.errors import StoreRemovedError
from tourney.sqlite.database import Place
from tourney.store.store import Store


@pytest.mark.parametrize("name", ["tourney.db", "tourney.db-wal"])
def test_either_file_may_be_lost(store: Store, path: Path, name: str) -> None:
    """The log holds the latest results."""
    place = Place(path)
    place.check()
    (path.parent / name).unlink()
    with pytest.raises(StoreRemovedError, match=f"{name} was deleted or moved while it was open"):
        place.check()


def test_a_file_of_the_same_name_is_another(store: Store, path: Path) -> None:
    """Whatever it holds."""
    place = Place(path)
    (path.parent / "other").write_bytes(path.read_bytes())
    (path.parent / "other").rename(path)
    with pytest.raises(StoreRemovedError, match="was replaced by another file"):
        place.check()


def test_a_log_is_put_away_by_whoever_writes(store: Store, path: Path) -> None:
    """Somebody who may only read does not hold it where it is, and has lost nothing."""
    place = Place(path, is_read_only=True)
    store.close()
    assert not path.with_name("tourney.db-wal").exists()
    place.check()


def test_a_link_to_a_store_has_the_log_of_what_it_means(store: Store, path: Path) -> None:
    """SQLite keeps it there."""
    link = path.parent / "link.db"
    link.symlink_to(path)
    place = Place(link)
    path.with_name("tourney.db-wal").unlink()
    with pytest.raises(StoreRemovedError):
        place.check()


def test_saved_stores_never_meet(path: Path) -> None:
    """Each gets a name of its own."""
    path.touch()
    place = Place(path)
    assert [place.beside().name for _ in range(2)] == ["tourney.saved-1.db", "tourney.saved-2.db"]
