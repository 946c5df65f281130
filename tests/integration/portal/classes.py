"""A class in a portal's folder, with what people have handed in, as its processes find it."""

from datetime import UTC, datetime

import pytest

from tourney.checks.report import CheckReport
from tourney.checks.source import source_of
from tourney.course.folder import Submissions
from tourney.sandbox.levels import Level, probe

from .portals import Portal

CONFINED = pytest.mark.skipif(
    probe() is not Level.FULL, reason="this machine cannot confine players fully"
)

TOURNAMENT = """\
name: Cards
game: ve280
bankroll: 1000
minimum: 5
format: {kind: duplicate, tables: 6, rounds: 20}
entrants:
  - submissions: .
"""
STRAIGHTS = """\
name: Cards
game: straights
format: {kind: duplicate, tables: 4, rounds: 3}
entrants:
  - submissions: .
  - strategy: thrifty
"""
PLAYER = """\
from tourney import Player


class Mine(Player):
    def bet(self, bankroll, minimum):
        return minimum * {times}

    def draw(self, dealer, player):
        return player.total < {total}
"""
STRAIGHTS_PLAYER = """\
from tourney import StraightsPlayer


class Mine(StraightsPlayer):
    def play(self, view):
        return view.legal[{first}]
"""


def make_class(portal: Portal, tournament: str = TOURNAMENT, slug: str = "cards") -> Submissions:
    """Make the folder of a course."""
    folder = portal.places.course(slug)
    folder.mkdir(parents=True)
    (folder / "tournament.yaml").write_text(tournament, encoding="utf-8")
    game = "straights" if "straights" in tournament else "ve280"
    (folder / "submissions.yaml").write_text(f"game: {game}\n", encoding="utf-8")
    return Submissions(folder)


def hand_in(course: Submissions, name: str, text: str, author: str = "") -> str:
    """File a version as one that passed its check; give its digest."""
    filed = course.take(
        source_of({f"{name.lower()}.py": text.encode()}),
        name,
        author=author or name,
        now=datetime.now(UTC),
        check=lambda _: CheckReport(passed=True),
    )
    return filed.digest


def player(total: int = 16, times: int = 1) -> str:
    """Write a player who draws below a total."""
    return PLAYER.format(total=total, times=times)
