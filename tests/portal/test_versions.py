"""A portal of an older version is brought up to date, with everything that was in it."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tourney.portal.database import MIGRATIONS, open_database
from tourney.portal.places import Places

OLD = Path(__file__).parent / "versions"
VERSIONS = sorted(OLD.glob("portal-*.db"))


def contents(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Give the rows of each table."""
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        ).fetchall()
        return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for (name,) in names}  # noqa: S608 - names of ours


@pytest.mark.parametrize("old", VERSIONS, ids=[path.stem for path in VERSIONS])
def test_an_old_portal_is_brought_up_to_date(old: Path, tmp_path: Path) -> None:
    """Every row of every table is still there, and every new column is at a table's end."""
    places = Places(tmp_path)
    shutil.copyfile(old, places.database)
    before = contents(old)
    assert all(before.values()), "a table without a row shows nothing"
    open_database(places).close()
    after = contents(places.database)
    for name, rows in before.items():
        assert [row[: len(rows[0])] for row in after[name]] == rows, name
    with closing(sqlite3.connect(places.database)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_every_older_version_is_kept() -> None:
    """As a file that was made by it; a new script comes with the file of the version before."""
    assert [path.stem for path in VERSIONS] == [f"portal-{n}" for n in range(1, len(MIGRATIONS))]
