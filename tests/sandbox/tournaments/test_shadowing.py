"""Files that are called like modules of Python are never those modules, whoever runs a command."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.course.generated import class_of, gradebook, write_download

TOURNEY = Path(sys.executable).with_name("tourney")
PLAYER = """\
from contextlib import suppress

with suppress(OSError):  # shut in, it cannot
    with open({marked!r}, "a") as file:
        file.write(f"{{__name__}} ")

from tourney import Player


class Mine(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return False
"""
CUP = """\
name: Cup
seed: 1
game: ve280
bankroll: 1000
minimum: 5
format: {kind: duplicate, tables: 40, rounds: 20, batch_tables: 10}
entrants: [{file: socket.py}, {strategy: simple}]
"""
STEPS = (
    "check socket.py",
    "submit socket.py --to handed-in --as Ada --game ve280",
    "class new autumn --gradebook book.csv --yes",
    "submit --zip download.zip --to autumn",
    "run cup.yaml --workers 2",
    "verify --workers 2",
    "publish --output site --workers 2",
)


SCRIPT = """\
from tourney import play_tournament

if __name__ == "__main__":
    play_tournament("cup.yaml", store="script.db", workers=2)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with a file for every module of Python, all of which tell where they ran."""
    place = tmp_path / "class"
    place.mkdir()
    source = PLAYER.format(marked=str(tmp_path / "ran"))
    for name in sys.stdlib_module_names:
        (place / f"{name}.py").write_text(source, encoding="utf-8")
    (place / "cup.yaml").write_text(CUP, encoding="utf-8")
    students = class_of(4)
    (place / "book.csv").write_text(gradebook(students, "Canvas"), encoding="utf-8")
    write_download(place / "download.zip", students, "Canvas")
    return place


@pytest.mark.prove
def test_no_file_of_the_folder_is_a_module_of_python(folder: Path) -> None:
    """Neither for a command nor for any process that it starts."""
    for step in STEPS:
        done = subprocess.run(
            [TOURNEY, *step.split()], cwd=folder, capture_output=True, text=True, check=False
        )
        assert "Traceback" not in done.stderr, (step, done.stderr)
        assert done.returncode in {0, 1}, (step, done.stderr)  # 1: not all that is handed in plays
    assert ran_outside(folder) == ""


def test_nor_for_a_script(folder: Path) -> None:
    """That lies elsewhere."""
    script = folder.parent / "play.py"
    script.write_text(SCRIPT, encoding="utf-8")
    subprocess.run([sys.executable, str(script)], cwd=folder, check=True)
    assert ran_outside(folder) == ""


def ran_outside(folder: Path) -> str:
    """Name the files that ran and could write."""
    ran = folder.parent / "ran"
    return ran.read_text(encoding="utf-8") if ran.exists() else ""
