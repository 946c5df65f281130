"""The shoes of Easy Blackjack, and how one is recorded."""

import os
import stat
import sys
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.games.blackjack.programs.easybj import FileShoe, InfiniteShoe, RecordedShoe
from tourney.games.blackjack.programs.easybj.shoes import (
    MOST_BYTES,
    CourseShoe,
    card_letter,
    check_record,
    write_record,
)


def letters(shoe: CourseShoe, cards: int) -> str:
    """Deal so many cards and give their letters."""
    return "".join(card_letter(card) for card in islice(shoe, cards))


@given(st.binary(max_size=300))
def test_a_file_s_cards_are_the_bytes_that_name_one(content: bytes) -> None:
    """In their order; lower case, 1, 0 and any other byte are skipped."""
    expected = "".join(chr(byte) for byte in content if byte in b"A23456789TJQK")
    assert letters(FileShoe(content), 300) == expected


def test_a_file_is_over_below_26_bytes() -> None:
    """Bytes are counted, not cards, from behind the last card dealt."""
    shoe = FileShoe(b"K" + b" " * 26)
    assert not shoe.is_over
    assert letters(shoe, 1) == "K"
    assert not shoe.is_over
    assert letters(shoe, 1) == ""
    assert shoe.is_over
    assert FileShoe(b"2" * 25).is_over
    assert not FileShoe(b"#" * 26).is_over


def test_a_device_without_end_is_no_shoe(tmp_path: Path) -> None:
    """Reading stops; a file of holes takes no room."""
    file = tmp_path / "endless"
    with file.open("wb") as endless:
        endless.truncate(MOST_BYTES + 1)
    with pytest.raises(OSError, match="the file is larger than"):
        FileShoe.read(file)


@pytest.mark.parametrize(("seed", "same"), [(0, 1), (5, 5 + (1 << 32)), ((1 << 63) - 1, -1)])
def test_seeds_count_as_the_c_library_takes_them(seed: int, same: int) -> None:
    """As unsigned ints, and 0 as 1."""
    assert letters(InfiniteShoe(seed), 99) == letters(InfiniteShoe(same), 99)


def test_a_recording_has_the_cards_dealt_and_26_more() -> None:
    """So that a file replays the last game as well; nothing is dealt twice."""
    shoe = RecordedShoe(InfiniteShoe(3))
    letters(shoe, 40)
    assert shoe.record().decode() == letters(InfiniteShoe(3), 66)
    assert not shoe.is_over


def test_a_recording_takes_the_place_of_a_file(tmp_path: Path) -> None:
    """As a whole, with the rights that the file had, and without anything beside it."""
    file = tmp_path / "record"
    file.write_bytes(b"before")
    file.chmod(0o640)
    write_record(file, b"AK")
    assert file.read_bytes() == b"AK"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_a_recording_follows_a_link(tmp_path: Path) -> None:
    """The link stays one."""
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    check_record(link)
    write_record(link, b"AK")
    assert link.is_symlink()
    assert target.read_bytes() == b"AK"


def test_a_recording_that_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing half-written, and the file of before."""
    file = tmp_path / "record"
    file.write_bytes(b"before")

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="the disk is full"):
        write_record(file, b"AK")
    assert file.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(sys.platform == "win32", reason="needs devices and pipes")
def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """Nor is a pipe."""
    write_record(Path(os.devnull), b"AK")
    assert not Path(os.devnull).is_file()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        check_record(pipe)
        write_record(pipe, b"AK")
        assert os.read(reader, 9) == b"AK"
    finally:
        os.close(reader)


def test_where_nothing_can_be_written_is_told_before_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder, no folder, a name that is too long, and rights that are missing."""
    (tmp_path / "file").touch()
    for place in ("", "nowhere/record", "file/record", "x" * 300):
        with pytest.raises(OSError, match=r"directory|too long|exists"):
            check_record(tmp_path / place)
    check_record(tmp_path / "record")
    monkeypatch.setattr(os, "access", lambda *_: False)
    for place in ("record", "file"):
        with pytest.raises(PermissionError, match="Permission denied"):
            check_record(tmp_path / place)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
