"""Standings that were written down are the same when they are read."""

from fractions import Fraction

from tourney.game.ledger import Verdict
from tourney.standings.standing import PLACE, Standing, read_standings, write_standings

VERDICT = Verdict("raised", "bet", 3, 7, "expected an answer,\ngot '\ud800'", "a.py:3", "")


def standing(name: str, verdict: Verdict | None) -> Standing:
    """Give a row whose numbers no float and no decimal could hold."""
    return Standing(
        place=None if verdict else 1,
        name=name,
        strategy="simple",
        group=None,
        tables=3,
        rounds=10**20,
        mean=Fraction(1, 3),
        half_width=0.1 + 0.2,
        quantiles=(1 / 3, 2.0, 1e300),
        ruin=1 / 7,
        profit_per_round=-1 / 9,
        handle=10**30,
        faults=1,
        verdict=verdict,
        measure=PLACE,
        games=4,
        wins=1 / 12,
    )


def test_standings_survive_being_written_down() -> None:
    """To the last bit, with verdicts, line ends and all."""
    rows = (standing("Ann", None), standing("Bob\nby", VERDICT))
    assert read_standings(write_standings(rows)) == rows


def test_nobody_has_played() -> None:
    """No rows are no lines."""
    assert read_standings(write_standings(())) == ()
