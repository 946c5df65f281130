"""Each format with each number of seats: it plays, or names what does."""

import re
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tourney.competitors.builtin_plugin import FORMATS
from tourney.errors import FormatError
from tourney.formats import Format, Solo
from tourney.formats.designs import SEATS, tables_each
from tourney.formats.field import Field
from tourney.game.cards.keys import Secret

from .made_up import at_random, play_made_up

PAGE = Path(__file__).parents[4] / "docs" / "rules" / "formats.md"
ENTRANTS = 8
RANGES = (
    *(range(seats, seats + 1) for seats in range(1, 8)),
    range(1, 8),
    range(2, 8),
    range(3, 6),
)
NEEDED: dict[str, dict[str, Any]] = {
    "match": {"rounds": 2},
    "multi-table": {"most_blocks": 40},
    "swiss": {"waves": 3},
    "ladder": {"waves": 3},
}
"""Options without which a run of the format would have no end or could not be written."""


class AnyGame:
    """A game of which formats know the name only."""

    def __str__(self) -> str:
        return "the game"

    def round_bounds(self, rules: object, minimum: int) -> None:
        """Know no bounds."""


ANY_GAME = AnyGame()


@dataclass(frozen=True)
class AnyRules:
    """Rules of which formats know seats and chips only."""

    seats: range
    most_points: int | None
    limit: int | None = None
    unit: int = 1
    deals_fresh: bool = True
    minimum: int | None = None
    game: Any = ANY_GAME

    def may_play(self, bankroll: int, minimum: int) -> bool:
        """Let those with chips play, or all where there are none."""
        return self.most_points is not None or bankroll >= minimum

    def decisions(self, rounds: int, seat_rounds: int, cards: int) -> int:
        """Count none."""
        return 0


def options_of(kind: str, rules: AnyRules, entrants: int) -> Format:
    """Give a format with the options that it needs, and defaults."""
    needed = dict(NEEDED.get(kind, {}))
    if kind == "match" or issubclass(FORMATS[kind], Solo):
        company = max(2, rules.seats.start)
        needed["tables"] = tables_each(entrants, SEATS if company == SEATS else 2)
        needed.setdefault("rounds", 4)
    return FORMATS[kind](**needed)


def play(kind: str, rules: AnyRules, entrants: int = ENTRANTS) -> None:
    """Play a format with made-up results.

    Raises: FormatError, if it does not take the game.
    """
    has_chips = rules.most_points is None
    chips = (100, 5, 50) if has_chips else (0, 0, 0)
    field = Field(entrants, rules, *chips, Secret.from_seed(1))
    run = play_made_up(options_of(kind, rules, entrants), field, at_random(1))
    assert {len(block.seats) for block in run.blocks} <= set(rules.seats)
    assert {seat.entrant for block in run.blocks for seat in block.seats} == set(range(entrants))


@pytest.mark.parametrize(
    ("kind", "seats", "points"), list(product(sorted(FORMATS), RANGES, (None, 9)))
)
def test_each_format_plays_or_names_what_plays(kind: str, seats: range, points: int | None) -> None:
    """A rejection names formats, or numbers of entrants, all of which are accepted."""
    rules = AnyRules(seats, points)
    try:
        play(kind, rules)
    except FormatError as refused:
        message = str(refused)
        numbers = re.search(r"such as (\d+) or (\d+) in all", message)
        if numbers:
            for entrants in map(int, numbers.groups()):
                play(kind, rules, entrants)
            return
        _, told = message.split("the format ", 1)
        names = [each for each in FORMATS if re.search(rf"(?<![\w-]){each}(?![\w-])", told)]
        assert names
        assert kind not in names
        for name in names:
            play(name, rules)
        quoted = {int(each) for each in re.findall(r"\d+", message)}
        assert quoted <= {2, 4, *seats}  # the sizes of plans, and what the game itself allows


def test_the_page_lists_what_is_played() -> None:
    """The generated table says of each format which games it takes, with 8 entrants or fewer."""
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| `([\w-]+)` \| ([\d, to]+|none) \| ([\d, to]+|none) \|$", text)
    assert sorted(kind for kind, _, _ in rows) == sorted(FORMATS)
    games = {str(seats): range(seats, seats + 1) for seats in range(1, 8)} | {"1 to 7": range(1, 8)}
    for kind, chips, points in rows:
        for cell, most in ((chips, None), (points, 9)):
            listed = set(cell.split(", ")) - {"none"}
            played = {
                name for name, seats in games.items() if is_played(kind, AnyRules(seats, most))
            }
            assert listed == played, (kind, most)


def is_played(kind: str, rules: AnyRules) -> bool:
    """Try a format with several numbers of entrants."""
    for entrants in range(2, ENTRANTS + 1):
        try:
            play(kind, rules, entrants)
        except FormatError:
            continue
        return True
    return False
