"""Who sits where in every format, recorded as text; RECORD_SEATINGS=1 writes what is missing."""

import os
from pathlib import Path

import pytest

from tourney.formats import (
    EliminationBlackjack,
    Format,
    Gauntlet,
    Knockout,
    Ladder,
    MultiTable,
    RoundRobin,
    Swiss,
)

from .made_up import MadeUpRun, at_random, field_of, play_made_up, seating_text

RECORDED = Path(__file__).parents[3] / "golden" / "seatings"
NUMBERS = (*range(2, 10), 100)
RECORDED_FORMATS: dict[str, Format] = {
    "multi-table": MultiTable(),
    "knockout": Knockout(seats=4, advance=2, wildcards=2),
    "knockout-pairs": Knockout(seats=2),
    "elimination-blackjack": EliminationBlackjack(advance=2),
    "roundrobin": RoundRobin(times=2),
    "gauntlet": Gauntlet(times=2),
    "swiss": Swiss(waves=6),
    "ladder": Ladder(waves=6),
}


@pytest.mark.parametrize("entrants", NUMBERS)
@pytest.mark.parametrize("name", RECORDED_FORMATS)
def test_seats_are_drawn_as_they_were_recorded(name: str, entrants: int) -> None:
    """For the seed 1 and results that are made up; a change here changes every stored run."""
    run = play_made_up(RECORDED_FORMATS[name], field_of(entrants), at_random(1, faults=0.05))
    check_recorded(run, RECORDED / name / f"{entrants}.txt")


def check_recorded(run: MadeUpRun, path: Path) -> None:
    """Compare a run with what is recorded."""
    places = ", ".join(
        f"{each.entrant + 1} ({each.note})" for each in sorted(run.finishes, key=lambda it: it[1])
    )
    text = f"{seating_text(run.waves)}places: {places}\n"
    if "RECORD_SEATINGS" in os.environ and not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
