"""A portal in one file, and back again."""

import io
import json
import signal
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tourney.errors import PortalError, StoreError
from tourney.portal import boards, jobs, worker
from tourney.portal.admin_actions import set_up_link
from tourney.portal.backup import back_up, restore
from tourney.portal.checker import Checks
from tourney.portal.database import FIRST_VERSION, open_database
from tourney.portal.places import OTHERS, Places
from tourney.store.store import Store

from .classes import CONFINED
from .hands import bold, hand_in, make_course, number_of
from .portals import Portal
from .served import LONGEST, Served, wait_until

TOURNAMENT = """\
name: Cards
game: ve280
bankroll: 1000
minimum: 5
format: {kind: duplicate, tables: 200, rounds: 200}
entrants:
  - submissions: .
  - strategy: simple
"""


def test_a_restored_portal_is_the_same(portal: Portal, tmp_path: Path) -> None:
    """With databases that are open meanwhile, and files as they were."""
    folder = portal.places.course("cards")
    (folder / "Ada" / "3f0c").mkdir(parents=True)
    (folder / "Ada" / "3f0c" / "record.json").write_text("{}")
    Store.open(portal.places.final_store("cards")).close()
    backup = tmp_path / "portal.tar.gz"
    back_up(portal.places, backup)
    assert backup.stat().st_mode & 0o777 == 0o600
    there = Places(tmp_path / "elsewhere")
    restore(backup, there)
    with closing(open_database(there)) as database:
        assert database.first("SELECT count(*) FROM accounts") == (len(portal.people),)
    assert (there.course("cards") / "Ada" / "3f0c" / "record.json").read_text() == "{}"
    Store.open(there.final_store("cards"), create=False).close()
    assert not [path for path in there.root.rglob("*") if path.name.endswith("-wal")]
    for path in (there.database, there.inbox, there.root / "courses", there.final_store("cards")):
        assert not path.stat().st_mode & OTHERS, path


@pytest.mark.prove
@CONFINED
def test_a_backup_during_play_goes_on_elsewhere(portal: Portal, tmp_path: Path) -> None:
    """With a final that is half played, and uploads that wait; what came of it all verifies."""
    make_course(portal)
    (portal.places.course("cards") / "tournament.yaml").write_text(TOURNAMENT)
    student = portal.browser("student")
    number_of(hand_in(student, bold(12)))
    worker.do_all(portal.places, Checks.load().handlers)
    jobs.add(portal.database, "final", {"title": "Final"}, course=portal.courses["cards"])
    mate = number_of(hand_in(portal.browser("mate"), bold(13)))
    backup = tmp_path / "portal.tar.gz"
    here = Served(portal.places.root).start()
    try:
        assert wait_until(lambda: bool(boards.finals(portal.database)))
        number_of(hand_in(student, bold(14)))
        back_up(portal.places, backup)
    finally:
        here.end(signal.SIGKILL)
    there = Places(tmp_path / "elsewhere")
    restore(backup, there)
    with closing(open_database(there)) as database:
        row = database.first("SELECT state FROM jobs WHERE kind = 'final'")
        assert row == ("running",), "the final was over before the backup was made"
    served = Served(there.root).start()
    try:
        with closing(open_database(there)) as database:
            waits = (
                "SELECT 1 FROM jobs WHERE state IN ('queued', 'running') "
                "AND kind IN ('check', 'practice', 'final')"
            )
            assert wait_until(lambda: not database.first(waits), 4 * LONGEST)
            final = database.first("SELECT state, result FROM jobs WHERE kind = 'final'")
            assert final, served.errors.read_text()
            assert json.loads(final[1]).get("status") == "played", served.errors.read_text()
            told: dict[int, str] = dict(
                database.read(iter, "SELECT id, result FROM jobs WHERE kind = 'check'")
            )
            assert json.loads(told[mate])["status"] == "accepted"
            assert {json.loads(each)["status"] for each in told.values()} == {"accepted"}
    finally:
        served.end()
    for store in (there.final_store("cards"), there.practice_store("cards")):
        command = [sys.executable, "-m", "tourney", "verify", "--full", "--store", str(store)]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert ran.returncode == 0, ran.stderr


def test_nothing_is_written_over(portal: Portal, tmp_path: Path) -> None:
    """Neither a file nor a folder."""
    backup = tmp_path / "portal.tar.gz"
    back_up(portal.places, backup)
    with pytest.raises(PortalError, match="already exists; choose another name"):
        back_up(portal.places, backup)
    with pytest.raises(PortalError, match="the folder is not empty"):
        restore(backup, portal.places)


@pytest.mark.parametrize("name", ["../outside", "/outside/of/it", "courses/../../outside"])
def test_an_archive_writes_nowhere_else(tmp_path: Path, name: str) -> None:
    """Whatever it says."""
    forged = tmp_path / "forged.tar.gz"
    with tarfile.open(forged, "w:gz") as archive:
        member = tarfile.TarInfo(name)
        member.size = 3
        archive.addfile(member, io.BytesIO(b"abc"))
    with pytest.raises(PortalError, match="is not a plain file of a backup"):
        restore(forged, Places(tmp_path / "portal"))
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize("content", [b"", b"not an archive", b"\x1f\x8b\x08\x00"])
def test_what_is_no_backup_is_said_so(tmp_path: Path, content: bytes) -> None:
    """In a line, and no folder is made."""
    forged = tmp_path / "forged.tar.gz"
    forged.write_bytes(content)
    with pytest.raises(PortalError) as refused:
        restore(forged, Places(tmp_path / "portal"))
    assert str(refused.value) == (
        f"{forged}: this file is not an archive; name a backup of `tourney serve backup`"
    )
    assert not (tmp_path / "portal").exists()


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda whole: whole[: len(whole) // 2], "it is incomplete or damaged"),
        (lambda whole: whole[:1500] + bytes(200) + whole[1700:], "it"),
    ],
)
def test_a_backup_that_is_damaged_is_said_to_be(
    portal: Portal, tmp_path: Path, spoil: Callable[[bytes], bytes], fault: str
) -> None:
    """With what to do about the folder that it was put into by half."""
    backup, there = tmp_path / "portal.tar.gz", tmp_path / "elsewhere"
    back_up(portal.places, backup)
    backup.write_bytes(spoil(backup.read_bytes()))
    with pytest.raises(PortalError) as refused:
        restore(backup, Places(there))
    words = str(refused.value)
    assert words.startswith(f"{backup}: {fault}")
    assert words.endswith(f"delete {there}, which is not a portal, and restore another backup")
    assert "\n" not in words


@pytest.mark.parametrize(
    ("content", "got"),
    [
        (lambda whole: b"no database " * 500, "(file is not a database)"),
        (lambda whole: whole[: len(whole) // 2], "database disk image is malformed"),
        (lambda whole: whole[:4096] + bytes(len(whole) - 4096), "database disk image is malf"),
    ],
)
def test_a_damaged_portal_says_how_a_backup_is_put_back(
    tmp_path: Path, content: Callable[[bytes], bytes], got: str
) -> None:
    """It has no option that names another store, and no command repairs it."""
    places = Places(tmp_path / "portal")
    places.make_private()
    open_database(places).close()
    places.database.write_bytes(content(places.database.read_bytes()))
    with pytest.raises(StoreError) as refused:  # as `tourney serve` does at first
        set_up_link(places, "http://portal.test")
    words = str(refused.value)
    assert words.startswith(f"{places.database}: th")
    assert got in words
    fix = "restore a backup into a new folder: `tourney serve restore BACKUP DIR`"
    assert words.removesuffix(")").endswith(fix)
    assert "--store" not in words


def test_a_database_from_before_the_first_release_is_refused(tmp_path: Path) -> None:
    """The message says so and proposes a new file."""
    places = Places(tmp_path / "portal")
    places.make_private()
    open_database(places).close()
    with closing(sqlite3.connect(places.database)) as connection:
        connection.execute(f"PRAGMA user_version = {FIRST_VERSION - 1}")
    with pytest.raises(StoreError) as refused:
        open_database(places)
    assert str(refused.value) == (
        f"{places.database}: version {FIRST_VERSION - 1} of the file is from before the first "
        "release of tourney and cannot be read; start with a new file, or use the tourney that "
        "made this one"
    )
