"""Whatever happens while something is taken in, the folder holds whole versions."""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.proving import with_more
from tourney.course import files
from tourney.course.folder import Submissions

from .conftest import Take, competitor

CLERK = Path(__file__).with_name("clerk.py")


def clerk(folder: Path, *arguments: object) -> subprocess.Popen[str]:
    """Start a process that takes in."""
    command = [sys.executable, str(CLERK), str(folder), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def read_all(folder: Path) -> int:
    """Read every version with its source; give how many there are."""
    desk = Submissions(folder)
    versions = desk.versions()
    for each in versions:
        assert desk.read(each).digest == each.digest
    return len(versions)


class _PowerCut(BaseException):
    """Stands for the end of the machine."""


@pytest.fixture
def cut_at(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Give what lets the power fail before the nth step that writes."""
    steps = {"left": 0}

    def counted(step: Any) -> Any:
        def counting(*arguments: Any, **named: Any) -> Any:
            steps["left"] -= 1
            if steps["left"] == 0:
                raise _PowerCut
            return step(*arguments, **named)

        return counting

    for home, name in ((files, "_write"), (files, "_settle"), (Path, "replace"), (Path, "mkdir")):
        monkeypatch.setattr(home, name, counted(getattr(home, name)))

    def cut(number: int) -> None:
        steps["left"] = number

    return cut


def test_a_power_cut_at_any_step_leaves_whole_versions(
    desk: Submissions, take: Take, cut_at: Callable[[int], None]
) -> None:
    """The new one is there or is not; the one before plays on; the next attempt succeeds."""
    take(10)
    step = 0
    is_cut = True
    while is_cut:
        step += 1
        cut_at(step)
        try:
            take(10 + step)
            is_cut = False
        except _PowerCut:
            is_cut = True
        cut_at(0)
        before = {competitor(10 + number).digest for number in range(step + 1)}
        assert {each.digest for each in desk.versions()} <= before
        assert desk.current()
        assert read_all(desk.folder)
        take(10 + step)
        assert [each.digest for each in desk.current()] == [competitor(10 + step).digest]
    assert step > 6
    assert not list(desk.folder.rglob(f"{files.UNFINISHED}*"))


def test_a_power_cut_never_damages_a_record(
    desk: Submissions, take: Take, cut_at: Callable[[int], None]
) -> None:
    """Records are the only files that change."""
    first = take(10)
    for step in range(1, 10):
        cut_at(step)
        try:
            desk.withdraw("Ada", first.digest, "why")
        except _PowerCut:
            pass
        else:
            break
        assert desk.versions()[0].status in {"accepted", "withdrawn"}
    cut_at(0)
    assert desk.versions()[0].status == "withdrawn"


@pytest.mark.parametrize("kills", with_more([2], [6]))
def test_a_process_may_be_killed_at_any_time(tmp_path: Path, kills: int) -> None:
    """Over and over; the next one goes on where it was."""
    dice, taken = random.Random(3), 0
    for number in range(kills):
        process = clerk(tmp_path, "Ada", number * 1000, number * 1000 + 1000)
        assert process.stdout
        process.stdout.readline()
        time.sleep(dice.random() / 2)
        process.kill()
        process.communicate()
        found = read_all(tmp_path)
        assert found >= taken
        taken = found
    assert taken > kills


def test_two_processes_take_in_at_once(tmp_path: Path) -> None:
    """Nothing is lost, whatever name it is for."""
    team = [clerk(tmp_path, name, 0, 12) for name in ("Ada", "Bob")]
    for process in team:
        process.communicate()
        assert process.returncode == 0
    assert read_all(tmp_path) == 24


def test_two_processes_keep_one_limit(tmp_path: Path) -> None:
    """Of versions a day, to the last."""
    (tmp_path / "submissions.yaml").write_text("per_day: 7\n", "utf-8")
    team = [clerk(tmp_path, "Ada", first, first + 7) for first in (0, 100)]
    said = [line for process in team for line in process.communicate()[0].splitlines()]
    assert read_all(tmp_path) == 7
    assert sum("limit of 7 versions a day" in line for line in said) == 7
