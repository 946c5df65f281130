"""Mistakes that authors of formats and games make: what they are told, without a traceback.

The plugins are those of the pages on adding a format and a game, each with one thing changed.
"""

from __future__ import annotations

import re
import sys
from multiprocessing import context, popen_forkserver, resource_tracker
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tourney import cli
from tourney.plugins.loading import installed_plugins
from tourney.sandbox.levels import Level, probe

if TYPE_CHECKING:
    from tests.unit.plugins.conftest import Shelf

KEPT = (context, popen_forkserver, resource_tracker, np)
"""Loaded before any test, as none of these can be loaded a second time."""
PAGES = Path(__file__).parents[3] / "docs" / "how-to"
CLUB = """\
name: Club night
seed: 3
game: {preset: ve280, shuffle: uniform}
bankroll: 200
minimum: 5
format: {kind: halving, tables: 2, rounds: 5}
entrants: [{strategy: simple}, {strategy: mimic}, {strategy: never-bust}]
"""

COLUMNS = """\
name: Club night
seed: 3
game: {preset: ve280, shuffle: uniform}
bankroll: 200
minimum: 5
format: {kind: duplicate, tables: 4, rounds: 5}
leaderboard: {columns: [rank, entrant, wager]}
entrants: [{strategy: simple}, {strategy: counting}]
"""


def on_page(page: str, file: str) -> str:
    """Give a file that a page says to save."""
    text = (PAGES / page).read_text(encoding="utf-8")
    found = re.search(rf"```python {re.escape(file)}\n(.*?)```", text, re.DOTALL)
    assert found
    return found[1]


def changed(text: str, before: str, after: str) -> str:
    """Make one mistake."""
    assert text.count(before) == 1
    return text.replace(before, after)


@pytest.fixture
def folder(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """Give a shelf on which to play."""
    monkeypatch.chdir(shelf.folder)
    shelf.write("club.yaml", CLUB)
    return shelf


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (
            "number += len(self.playing)",
            "number += 1 + len(self.playing)",
            "HalvingSchedule.waves, wave 1: expected Batch(1, 3, …), numbered from 0 without gaps, "
            "got Batch(1, 4, …)",
        ),
        (
            "[(entrant, self.field.begins_with(entrant))]",
            "[(entrant, 200), (entrant, 200)]",
            "expected each entrant once at a table, got entrants [0, 0]",
        ),
        (
            "[(entrant, self.field.begins_with(entrant))]",
            "[(entrant, 200)] * 0",
            "expected 1 to 7 seats in blackjack, got 0",
        ),
        (
            "Batch(wave, number + place, self.blocks(wave, entrant))",
            "self.blocks(wave, entrant)[0]",
            "HalvingSchedule.waves, wave 0: expected a list of Batch, got Block(",
        ),
        (
            "        return tuple(\n            self.field.block(",
            "        return list(\n            self.field.block(",
            "HalvingSchedule.waves, wave 0, batch 0: expected a tuple of blocks, got [Block(",
        ),
        (
            "for entrant, place, (waves, chips) in by_score(scores)",
            "for entrant, place, (waves, chips) in by_score(scores[1:])",
            "HalvingSchedule.finishes: expected one place for each entrant from 0 to 2, got places",
        ),
        (
            "    def finishes(self)",
            "    def places(self)",
            "HalvingSchedule: finishes() is missing, and Halving.measure returns FINISH",
        ),
        (
            "        return FINISH\n",
            "        return None\n",
            "Halving.measure: expected one of BANKROLL, POINTS, PLACE, FINISH, got None",
        ),
        (
            "        return HalvingSchedule(self, field)",
            "        return HalvingSchedule",
            "Halving.schedule: expected a Schedule, got <class",
        ),
        (
            "    def finishes(self)",
            "    def happenings(self):\n        return ('out',)\n\n    def finishes(self)",
            "HalvingSchedule.happenings: expected a tuple of Happening, got out",
        ),
        (
            "    def finishes(self)",
            "    def happenings(self):\n"
            "        from tourney.formats import Happening\n"
            "        return (Happening('out', 0),)\n\n"
            "    def finishes(self)",
            "HalvingSchedule.happenings, Happening.event: expected an Event, got out",
        ),
        (
            "    def finishes(self)",
            "    def happenings(self):\n"
            "        from tourney.formats import Event, Happening\n"
            "        return (Happening(Event.OUT, 99),)\n\n"
            "    def finishes(self)",
            "HalvingSchedule.happenings, Happening.entrant: expected from 0 to 2, or -1, "
            "got 99, an int; fix the plugin",
        ),
        (
            "bankroll=chips // self",
            "bankroll=chips / self",
            "HalvingSchedule.finishes, Finish.bankroll: expected a whole number, in the unit of",
        ),
        (
            "                note=",
            "                counts={'hills': 1},\n                note=",
            "HalvingSchedule.finishes, Finish.counts: expected a tuple of pairs such as",
        ),
        (
            "    def finishes(self)",
            "    def better(self):\n        return [(0, 1)]\n\n    def finishes(self)",
            "HalvingSchedule.better: expected a NumPy array of booleans of shape (3, 3), or None",
        ),
        (
            "        wave = number = 0\n",
            "        wave = number = 0\n        self.playing = []\n",
            "HalvingSchedule.waves: expected at least one wave, got no wave",
        ),
        (
            "        wave = number = 0\n",
            "        wave = number = 0\n        yield []\n",
            "HalvingSchedule.waves, wave 0: expected at least one Batch, got []",
        ),
        (
            "    def waves(self) ->",
            "    def waves(self):\n        return None\n\n    def _waves(self) ->",
            "HalvingSchedule.waves: expected waves, each a list of Batch, got None, a NoneType",
        ),
        (
            "[(entrant, self.field.begins_with(entrant))]",
            "[(entrant + 17, self.field.begins_with(entrant))]",
            "batch 0: expected entrants from 0 to 2, got entrants [17]",
        ),
        (
            "    def finishes(self)",
            "    def finishes(self):\n        return ()\n\n    def _finishes(self)",
            "expected one place for each entrant from 0 to 2, got places for no entrant",
        ),
        (
            "[(entrant, self.field.begins_with(entrant))]",
            "[(entrant, 0)]",
            "expected an entrant who can play, got bankrolls [0]",
        ),
        (
            "seat.final",
            "seat.finale",
            "plugin club of club 1.0: club_module.py:106: failed with AttributeError: "
            "'SeatResult' object has no attribute 'finale'",
        ),
        (
            "seating=entrant, ",
            "seating=0, ",
            "a format must give every block its own key",
        ),
    ],
)
def test_a_format_with_a_mistake_is_told_what_was_expected(
    folder: Shelf, capsys: pytest.CaptureFixture[str], before: str, after: str, told: str
) -> None:
    """Before whatever depends on it is shown, and without a traceback."""
    folder.install(
        "club", changed(on_page("add-a-format.md", "club/club_formats.py"), before, after)
    )
    assert cli.main(["run", "club.yaml"]) in {1, 2}
    error = capsys.readouterr().err
    assert told in error
    assert "Traceback" not in error


def test_the_format_of_the_page_is_played_as_a_stage(folder: Shelf) -> None:
    """Batches of a stage are numbered from 0 for its format, and on for the run."""
    folder.install("club", on_page("add-a-format.md", "club/club_formats.py"))
    stage = "{name: NAME, format: {kind: halving, tables: 2, rounds: 5}}"
    first, second = (
        stage.replace("NAME", "first"),
        stage.replace("NAME", "last, qualifiers: {top: 2}"),
    )
    text = changed(
        CLUB, "format: {kind: halving, tables: 2, rounds: 5}", f"stages: [{first}, {second}]"
    )
    folder.write("stages.yaml", text)
    assert cli.main(["run", "stages.yaml"]) == 0
    assert cli.main(["verify", "--full"]) == 0


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (
            "return Move.FOLD, Move.STAY",
            "return ()",
            "game high-card, round 1: legal_actions() is empty for seat 1",
        ),
        (
            "            return 0, 0\n",
            "            return (0,)\n",
            "game high-card, round 2: there are 2 seats, but wagers (1, 1) and results (0,)",
        ),
        (
            "return (2, -2) if one",
            "return (1.5, -1.5) if one",
            "wagers and results must be whole numbers, not wagers (2, 2) and results (",
        ),
        (
            "            return 0, 0\n",
            "            return None\n",
            "game high-card, round 2: expected a tuple of numbers from results(), got None",
        ),
        (
            "return tuple(1 + move.value for move in self.moves)",
            "tuple(1 + move.value for move in self.moves)",
            "game high-card, round 1: expected a tuple of numbers from wagers(), got None",
        ),
        (
            "return tuple(1 + move.value",
            "return tuple(-1 - move.value",
            "game high-card, round 1: expected wagers from 0, got -",
        ),
        (
            "return len(self.moves) if",
            "return 5 if",
            "expected None or a seat from 0 to 1 as to_act, got 5, an int",
        ),
        (
            "return len(self.moves) if",
            "return 'a' if",
            "expected None or a seat from 0 to 1 as to_act, got 'a', a str",
        ),
        (
            "return Round((next(cards), next(cards)))",
            "Round((next(cards), next(cards)))",
            "game high-card, round 1: expected a round from open(), got None",
        ),
        (
            "return (2, -2) if one",
            "return (200_000, -200_000) if one",
            "a seat loses more than its bankroll: bankrolls (",
        ),
        (
            "return Round((",
            "for _ in range(52):\n            next(cards)\n        return Round((",
            "cards of cards 1.0: high_card.py:86: failed with StopIteration; mend the",
        ),
        (
            "def observation(",
            "def observe(",
            "'Round' object has no attribute 'observation'; mend the line",
        ),
        (
            "return View(self.cards[seat])",
            "return View(self.card[seat])",
            "plugin cards of cards 1.0: high_card.py:53: failed with AttributeError: "
            "'Round' object has no attribute 'card'; mend the line",
        ),
    ],
)
def test_a_game_with_a_mistake_is_told_where(
    folder: Shelf, capsys: pytest.CaptureFixture[str], before: str, after: str, told: str
) -> None:
    """Whoever asks it for rounds is not shown the inside of the platform."""
    text = on_page("add-a-game.md", "club/high_card.py")
    folder.install("cards", changed(text, before, after), module="high_card")
    assert cli.main(["new", "competitor", "bold", "--game", "high-card"]) in {1, 2}
    error = capsys.readouterr().err
    assert told in error
    assert "Traceback" not in error


def test_a_board_says_why_its_column_is_not_there(
    folder: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    """The board leaves the column empty, and the reason names the line."""
    text = on_page("add-a-column.md", "club/club_columns.py")
    folder.install("club", text, module="club_columns")
    folder.write("columns.yaml", COLUMNS)
    assert cli.main(["run", "columns.yaml"]) == 0
    folder.install("club", text.replace("row.handle", "row.handled"), module="club_columns")
    installed_plugins.cache_clear()  # as in another process
    del sys.modules["club_columns"]
    capsys.readouterr()
    assert cli.main(["leaderboard"]) == 0
    error = capsys.readouterr().err
    assert "plugin club of club 1.0 is in quarantine: club_columns.py:" in error
    assert "rows have no field handled (did you mean 'handle'?)" in error
    assert "run 1 needs club 1.0 (column wager), which is in quarantine" in error


BOLD = """\
from high_card import HighCardPlayer, Move


class Bold(HighCardPlayer):
    def play(self, view):
        return Move.STAY
"""


@pytest.mark.skipif(probe() is Level.UNSAFE, reason="this machine cannot confine players")
@pytest.mark.parametrize(
    ("text", "game", "said", "remedy"),
    [
        (
            BOLD,
            ["--game", "high-card"],
            "bold.py:4: fault: Bold: expected a class that answers act, got one without",
            "define act in Bold",
        ),
        (BOLD, [], "bold.py:1: fault: ", "if it plays high-card, check it with --game high-card"),
    ],
    ids=["another method", "another game"],
)
def test_a_player_of_a_plugins_game_is_told_what_it_lacks(
    folder: Shelf,
    capsys: pytest.CaptureFixture[str],
    text: str,
    game: list[str],
    said: str,
    remedy: str,
) -> None:
    """As players of the platform's own games are."""
    folder.install("cards", on_page("add-a-game.md", "club/high_card.py"), module="high_card")
    folder.write("bold.py", text)
    assert cli.main(["check", "bold.py", *game]) == 1
    told = capsys.readouterr().out
    assert said in told
    assert f"to fix it: {remedy}" in told


def test_players_are_asked_the_one_method_of_their_contract(
    folder: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever its name is; `act` is the name where nothing else was said."""
    text = on_page("add-a-game.md", "club/high_card.py").replace("def act(", "def choose(")
    folder.install("cards", text, module="high_card")
    assert cli.main(["new", "competitor", "bold", "--game", "high-card"]) == 0
    assert "def choose(self, view):" in (folder.folder / "bold.py").read_text(encoding="utf-8")
    assert capsys.readouterr().err


def test_a_contract_of_several_methods_needs_a_call(
    folder: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which of them is asked cannot be known."""
    text = on_page("add-a-game.md", "club/high_card.py")
    two = "def bet(self): ...\n    @abstractmethod\n    def choose("
    folder.install("cards", changed(text, "def act(", two), module="high_card")
    assert cli.main(["new", "competitor", "bold", "--game", "high-card"]) == 2
    assert (
        "contract HighCardPlayer has no method act, and 2 abstract methods (bet, choose) instead "
        "of one; set call = … in the table"
    ) in capsys.readouterr().err
