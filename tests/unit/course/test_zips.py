"""Zip files that somebody made to do harm, and what is read of them."""

import random
import stat
import struct
from pathlib import Path
from typing import IO
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from tests.support.proving import with_more
from tourney.course import zips
from tourney.course.zips import Member, read_zip, time_of
from tourney.errors import SubmissionError


def made(path: Path, *members: tuple[str | ZipInfo, bytes]) -> Path:
    """Write a zip file."""
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        for name, content in members:
            file.writestr(name, content)
    return path


def only(path: Path) -> Member:
    """Read a zip of one file."""
    (member,) = read_zip(path)
    return member


def test_files_are_read_and_folders_are_none(tmp_path: Path) -> None:
    """In their order."""
    path = made(tmp_path / "a.zip", ("b/", b""), ("b/x.py", b"1"), ("a.txt", b"2"))
    assert read_zip(path) == (Member("b/x.py", b"1"), Member("a.txt", b"2"))


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    """A file that unpacks to far more than a competitor has."""
    path = made(tmp_path / "a.zip", ("x.py", b"\0" * 50_000_000))
    assert path.stat().st_size < 60_000
    assert only(path).refused == "It has more than 1,000,000 bytes. Make it shorter."


def test_a_zip_in_a_zip_is_no_bomb_either(tmp_path: Path) -> None:
    """All that is in it may have as many bytes as a competitor, and no zip in it is opened."""
    files = [(f"{number}.py", b"\0" * 900_000) for number in range(20)]
    many = made(tmp_path / "many.zip", *files).read_bytes()
    one = made(tmp_path / "one.zip", ("x.py", b"\0" * 50_000_000)).read_bytes()
    deep = made(tmp_path / "deep.zip", ("many.zip", many), ("y.py", b"1")).read_bytes()
    path = made(tmp_path / "a.zip", ("many.zip", many), ("one.zip", one), ("deep.zip", deep))
    first, second, third = read_zip(path, opens_zips=True)
    assert "many.zip has more than 1,000,000 bytes when unpacked. Split it." in first.refused
    assert not first.packed
    assert "It has more than 1,000,000 bytes" in second.packed[0].refused
    assert "It is an archive within the download" in third.packed[0].refused
    assert third.packed[1] == Member("y.py", b"1")
    assert all("It is an archive" in each.refused for each in read_zip(path))


def test_a_bomb_that_lies_about_its_size_is_not_unpacked(tmp_path: Path) -> None:
    """What is counted is what comes out."""
    path = made(tmp_path / "a.zip", ("x.py", b"\0" * 5_000_000))
    content = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = content.index(mark) + at
        content[place : place + 4] = struct.pack("<I", 10)
    path.write_bytes(content)
    member = only(path)
    assert len(member.content) <= 10 or member.refused
    assert "It cannot be unpacked (BadZipFile" in member.refused


def test_many_files_together_are_a_bomb_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each small, but too many bytes or too many files in all."""
    path = made(tmp_path / "a.zip", *((f"{n}.py", b"#" * 1000) for n in range(20)))
    monkeypatch.setattr(zips, "MOST_IN_ALL", 10_500)
    with pytest.raises(SubmissionError, match=r"a\.zip has more than 10,500 bytes when unpacked"):
        read_zip(path)
    monkeypatch.setattr(zips, "MOST_MEMBERS", 10)
    with pytest.raises(SubmissionError, match=r"a\.zip has 20 files, and the limit is 10"):
        read_zip(path)


@pytest.mark.parametrize(
    "name",
    [
        "../x.py",
        "/etc/x.py",
        "a/../../x.py",
        "..\\x.py",
        "C:/x.py",
        "C:x.py",
        "a/..",
        "\\x",
        "a\\..\\..\\x",
    ],
)
def test_a_path_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    """Although nothing is ever written where a zip says."""
    path = made(tmp_path / "a.zip", ("x" * len(name), b"1"))
    path.write_bytes(path.read_bytes().replace(b"x" * len(name), name.encode()))
    assert only(path).refused == "Its path leads out of the zip."


@pytest.mark.parametrize("name", ["x\x1b[2J.py", "x.py\0.txt", "x\ny.py"])
def test_a_name_that_works_on_a_terminal_is_refused(tmp_path: Path, name: str) -> None:
    """And shown without doing so."""
    path = made(tmp_path / "a.zip", (name.replace("\0", "="), b"1"))
    if "\0" in name:  # which no writer writes
        path.write_bytes(path.read_bytes().replace(b"=", b"\0"))
    member = only(path)
    assert member.refused == "Its name has unprintable characters. Rename it."
    assert member.path.isprintable()


@pytest.mark.parametrize("mode", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_a_link_or_device_is_refused(tmp_path: Path, mode: int) -> None:
    """It could lead to somebody's secrets, or never end."""
    info = ZipInfo("x.py")
    info.external_attr = (mode | 0o777) << 16
    member = only(made(tmp_path / "a.zip", (info, b"/etc/passwd")))
    assert member.refused == "It is a link or a device. Submit the file itself."


@pytest.mark.parametrize("name", ["b.zip", "b.tar.gz", "b.7z", "B.RAR", "b.whl"])
def test_an_archive_within_is_refused(tmp_path: Path, name: str) -> None:
    """Whoever hands one in is told to unpack it."""
    member = only(made(tmp_path / "a.zip", (name, b"PK")))
    assert member.refused.startswith("It is an archive within the download. Unpack it")


def test_a_file_with_a_password_is_refused(tmp_path: Path) -> None:
    """Nobody could read it."""
    path = made(tmp_path / "a.zip", ("x.py", b"1"))
    content = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + at] |= 1
    path.write_bytes(content)
    assert only(path).refused == "It has a password. Submit it without."


def test_a_file_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    """Readers do not agree which of them counts."""
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = made(tmp_path / "a.zip", ("x.py", b"1"), ("x.py", b"2"))
    assert [member.refused for member in read_zip(path)] == [
        "",
        "The zip has a file of this name already.",
    ]


def test_what_systems_leave_is_junk(tmp_path: Path) -> None:
    """It is nobody's, and no fault."""
    names = ("__MACOSX/._x.py", ".DS_Store", "a/Thumbs.db", "a/._x.py")
    path = made(tmp_path / "a.zip", *((name, b"1") for name in names))
    assert all(member.is_junk and not member.refused for member in read_zip(path))


def test_a_file_of_a_folder_that_cannot_be_read_is_named_without_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are read, and a student does not see the path on the organiser's disk."""
    (tmp_path / "a.py").write_bytes(b"1")
    (tmp_path / "b.py").write_bytes(b"2")
    (tmp_path / "link.py").symlink_to("a.py")

    def opened(path: Path) -> IO[bytes]:
        if path.name == "a.py":
            raise PermissionError(13, "Permission denied", str(path))
        return path.open("rb")

    monkeypatch.setattr(zips, "_open", opened)
    locked, read, link = read_zip(tmp_path)
    assert (
        locked.refused
        == "It cannot be unpacked (PermissionError: Permission denied). Zip it again."
    )
    assert (read.path, read.content, link.content) == ("b.py", b"2", b"")
    assert "link" in link.refused


def test_a_damaged_file_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    """One bad file loses nobody else's."""
    path = tmp_path / "a.zip"
    with ZipFile(path, "w") as file:
        file.writestr("bad.py", b"badbadbad")
        file.writestr("odd.py", b"o" * 2000, ZIP_BZIP2)
        file.writestr("good.py", b"good")
    path.write_bytes(path.read_bytes().replace(b"badbadbad", b"BADbadbad"))
    bad, odd, good = read_zip(path)
    assert "It cannot be unpacked (BadZipFile: Bad CRC" in bad.refused
    assert odd.refused == "It is packed in an unusual way. Zip it again."
    assert good == Member("good.py", b"good")


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04", b"#!/bin/sh\n", b"PK\x05\x06" + b"\xff" * 18]
)
def test_what_is_no_zip_is_refused(tmp_path: Path, content: bytes) -> None:
    """In one line."""
    path = tmp_path / "a.zip"
    path.write_bytes(content)
    with pytest.raises(SubmissionError, match=r"a\.zip cannot be read as a zip file \(BadZipFile"):
        read_zip(path)
    with pytest.raises(SubmissionError, match=r"unpack an archive of another kind, such as \.7z"):
        read_zip(path)
    with pytest.raises(SubmissionError, match=r"b\.zip: there is no such file"):
        read_zip(tmp_path / "b.zip")


@pytest.mark.parametrize("zips", with_more([200], [2_000]))
def test_a_zip_with_wrong_bytes_never_does_worse_than_refuse(tmp_path: Path, zips: int) -> None:
    """Hundreds or thousands of zips, each with some bytes changed."""
    path = made(tmp_path / "a.zip", ("a/x.py", b"x = 1\n" * 50), ("b.txt", b"chart"))
    content, dice = path.read_bytes(), random.Random(5)
    for _ in range(zips):
        changed = bytearray(content)
        for _ in range(dice.randint(1, 6)):
            changed[dice.randrange(len(changed))] = dice.randrange(256)
        path.write_bytes(changed)
        try:
            members = read_zip(path)
        except SubmissionError as error:
            members = ()
            assert str(path) in str(error)  # noqa: PT017 - most changes are refused, not all
        assert all(member.path.isprintable() for member in members)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2026-11-30 22:59:59.384103000 Z", "2026-11-30T22:59:59+00:00"),
        ("2026-11-30 22:59:59.384103000 -05:00", "2026-12-01T03:59:59+00:00"),
        ("2026-11-30T22:59:59Z", "2026-11-30T22:59:59+00:00"),
        ("2026-11-30 22:59:59", "2026-11-30T22:59:59+00:00"),
    ],
)
def test_a_time_is_read_as_the_platform_writes_it(text: str, iso: str) -> None:
    """In UTC."""
    moment = time_of(text)
    assert moment
    assert moment.isoformat() == iso


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01 00:00:00 Z", "2026-11-30"])
def test_what_is_no_time_is_none(text: str) -> None:
    """So the time of taking in counts."""
    assert time_of(text) is None
