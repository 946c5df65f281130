"""No text that others read holds a path of this machine."""

import os
import sys
import sysconfig
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest

import tourney
from tourney.game.asking.printable_text import printable
from tourney.game.asking.redaction import NEUTRAL, redact

PATHS = [
    sys.prefix,
    sys.base_prefix,
    sys.executable,
    sysconfig.get_path("stdlib"),
    np.__file__,
    tourney.__file__,
    str(Path.cwd()),
]


@pytest.mark.parametrize("path", PATHS)
def test_a_path_of_this_machine_is_replaced(path: str) -> None:
    """As it is, within words, in a `repr`, in capitals and in the address of a file."""
    folders = {str(Path(sys.prefix)), str(Path(tourney.__file__).parents[1])}
    for text in (path, f"x{path}y", repr([path]), path.upper(), "file://" + quote(path, safe="")):
        shown = redact(text).casefold()
        assert shown != text.casefold()
        assert not any(each.casefold() in shown for each in (path, *folders))


def test_the_home_folder_and_the_account_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both as the environment names them; the name only as a part of a path."""
    monkeypatch.setenv("HOME", "/users/ada.lovelace")
    monkeypatch.setenv("USER", "lovelace")
    text = "/users/ada.lovelace/x.py, /run/lovelace/y, lovelace, /users/ada"
    assert redact(text) == "<home>/x.py, /run/<user>/y, lovelace, /users/ada"


def test_a_folder_that_was_removed_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no current folder then."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert redact(f"{sys.prefix}/x") == f"{NEUTRAL}/x"
    os.chdir("/")


def test_other_texts_stay_as_they_are() -> None:
    """A quotient is no path, nor is a folder that every machine has."""
    for text in ("1/2", "a/b.py:3", "/var", "and/or", "C:\\x", ""):
        assert redact(text) == text


def test_half_a_path_is_not_left_at_the_end() -> None:
    """What is cut is cut after paths were replaced."""
    for most in range(20, 20 + len(sys.prefix) + 20):
        shown = printable(f"seen {sys.prefix}/bin {sys.prefix}", most=most)
        assert sys.prefix[: len(sys.prefix) // 2] not in shown
