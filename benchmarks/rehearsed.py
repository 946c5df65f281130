"""The students of a rehearsal, and what they submit: files, projects, charts, faults, attacks.

Everything follows from a seed. The expected status of a version is known when it is written. See
`rehearsal` for the course itself.
"""

import io
import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from tests.e2e.course.generated import Student, class_of
from tests.sandbox.attacks.asking import CORPUS
from tests.sandbox.cpp import game_twins, test_styles, twins
from tests.sandbox.tournaments.classroom import BETS, HOSTILE, STUDENT

ROOT = Path(__file__).parents[1]
CHARTS = ROOT / "strategies" / "charts"
PACKAGE = ROOT / "examples" / "competitor-package"
LEDUC = ROOT / "examples" / "leduc-poker"
BROKEN_PERCENT, CPP_PERCENT, PROJECT_PERCENT, CHART_PERCENT = 12, 6, 8, 8
GAMES = ("eecs280", "easybj", "csc24400", "straights", "leduc")
"""The games of the other courses. The last is a plugin's, with two seats."""

ACTS = """\
from tourney import Action, ActPlayer


class Mine(ActPlayer):
    def bet(self, bankroll, minimum):
        return min(bankroll, minimum * {times})

    def act(self, dealer, player, legal):
        if Action.DOUBLE in legal and player.total == {total} - 6:
            return Action.DOUBLE
        return Action.HIT if player.total < {total} else Action.STAND
"""
PLAYS = """\
from tourney import StraightsPlayer


class Mine(StraightsPlayer):
    def play(self, view):
        cards = view.hand if view.must_discard else view.legal_plays
        return sorted(cards, key=lambda card: (card.rank * {times} + {total}) % 17)[{first}]
"""
BETS_AT_LEDUC = """\
from leduc_poker import LeducPlayer, Move


class Mine(LeducPlayer):
    def act(self, view):
        if Move.RAISE in view.legal and view.rank.value + 2 * (view.rank == view.board) >= {rank}:
            return Move.RAISE
        return Move.CALL
"""
UNREPEATABLE = ("extra = random", "extra = id", "extra = time")
REPEATABLE = [each for each in BETS if not each.startswith(UNREPEATABLE)]
"""Wagers that do not depend on the order of tables; checks reject all others."""
FAULTS = (
    ("return", "retrun"),
    ("class ", "clas "),
)
"""Typing mistakes."""


class Version(NamedTuple):
    """An uploaded file, and its expected status."""

    filename: str
    content: bytes
    expected: str  # what its check must say of it: accepted or rejected


@dataclass(frozen=True)
class Member:
    """A student with the kind of their files."""

    student: Student
    game: str
    kind: str  # python, cpp, project, chart, broken or attacker
    attack: str = ""

    def version(self, number: int) -> Version:
        """Write a version.

        Args:
            number: From 0; broken files are mended by the third.
        """
        if self.kind == "attacker":
            source = (CORPUS / f"{self.attack}.attack").read_bytes()
            return Version("player.py", source, "rejected")
        if self.kind == "chart":
            names = sorted(CHARTS.glob("*.txt"))
            path = names[(self.student.number + number) % len(names)]
            return Version("chart.txt", path.read_bytes(), "accepted")
        if self.kind == "project":
            return Version("project.zip", self._project(number), "accepted")
        if self.kind == "cpp":
            return Version("player.cpp", self._cpp(number).encode(), "accepted")
        text = self._python(number)
        if self.kind == "broken" and number < 2:
            old, new = FAULTS[self.student.number % 2]
            return Version("player.py", text.replace(old, new, 1).encode(), "rejected")
        return Version("player.py", text.encode(), "accepted")

    def _python(self, number: int) -> str:
        own = self.student.number + number
        numbers = {"total": 12 + own % 7, "times": 1 + own % 3, "first": -(own % 2)}
        if self.game == "easybj":
            return ACTS.format(**numbers)
        if self.game == "straights":
            return PLAYS.format(**numbers)
        if self.game == "leduc":
            return BETS_AT_LEDUC.format(rank=11 + own % 4)
        name = f"student{self.student.number}version{number}"
        bet = REPEATABLE[own % len(REPEATABLE)].format(name=name)
        return STUDENT.format(name=name, bet=bet, total=numbers["total"])

    def _project(self, number: int) -> bytes:
        """Pack a folder as macOS does, with a C++ project or with a file of Python."""
        own = self.student.number + number
        if own % 2:
            files = list(test_styles.ALL.values())[own % len(test_styles.ALL)]
        else:
            files = {"player.py": self._python(number).encode()}
        packed = io.BytesIO()
        with ZipFile(packed, "w") as archive:
            for name, content in files.items():
                archive.writestr(f"My project/{name}", content)
                archive.writestr(f"__MACOSX/My project/._{name}", b"\0\5\x16\7")
            archive.writestr("My project/.DS_Store", b"\0\0\0\1Bud1")
        return packed.getvalue()

    def _cpp(self, number: int) -> str:
        if self.game == "easybj":
            return game_twins.ACTS
        if self.game == "straights":
            return (game_twins.FIRST, game_twins.THRIFTY)[self.student.number % 2]
        bet = (
            "    int bet(unsigned int bankroll, unsigned int minimum) "
            f"{{ (void)bankroll; return minimum; }} // {self.student.number}\n"
        )
        below = str(12 + (self.student.number + number) % 7)
        return twins.written(f"{bet}{twins.NO_CARDS}", below=below)


def members(game: str, count: int, attackers: int, seed: int) -> list[Member]:
    """Give a course: mostly Python, with C++, charts and files that are broken at first.

    Args:
        game: What it plays.
        count: Of everybody.
        attackers: How many of them attack.
        seed: Says who does what.
    """
    chance = random.Random(f"{seed} {game}")
    students = [each for each in class_of(count + 3) if not each.team and each.fault != "excluded"]
    hostile = set(chance.sample(range(count), attackers))
    attacks = iter(HOSTILE * (1 + attackers // len(HOSTILE)))
    found = []
    for place, student in enumerate(students):
        if place in hostile:
            found.append(Member(student, game, "attacker", next(attacks)))
            continue
        drawn = chance.randrange(100)
        kind = "python"
        if drawn < BROKEN_PERCENT:
            kind = "broken"
        elif drawn < BROKEN_PERCENT + CPP_PERCENT and game != "leduc":
            kind = "cpp"
        elif drawn < BROKEN_PERCENT + CPP_PERCENT + CHART_PERCENT and game == "easybj":
            kind = "chart"
        elif drawn < BROKEN_PERCENT + CPP_PERCENT + PROJECT_PERCENT and game == "ve280":
            kind = "project"
        found.append(Member(student, game, kind))
    return found


def packages(folder: Path, count: int) -> Sequence[tuple[Path, str]]:
    """Write packages as pip installs them; give each with the name of its strategy."""
    made = []
    for number in range(count):
        name = f"bold{number}"
        place = folder / name
        shutil.copytree(PACKAGE, place, ignore=shutil.ignore_patterns("__pycache__"))
        (place / "bold_player.py").rename(place / f"{name}_player.py")
        for path in place.iterdir():
            text = path.read_text(encoding="utf-8")
            text = text.replace("bold_player", f"{name}_player").replace(
                "tourney-bold", f"tourney-{name}"
            )
            text = text.replace("\nbold = ", f"\n{name} = ").replace(
                '"bold": Bold', f'"{name}": Bold'
            )
            path.write_text(text, encoding="utf-8")
        made.append((place, name))
    return made
