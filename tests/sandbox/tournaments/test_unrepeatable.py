"""Players that are never the same twice are named, and everybody else plays and is verified."""

from pathlib import Path

import pytest

from tourney import play_tournament
from tourney.plugins.loading import load_plugins
from tourney.sandbox.levels import Level, probe
from tourney.standings.standing import Standing
from tourney.store.store import Store
from tourney.tournament.audit import verify_run
from tourney.tournament.loading import enter, enter_again, run_record
from tourney.tournament.tournament import Play, TournamentResult, play_run, resume_tournament

from .classroom import by_itself
from .dicey import CLOCK, DUPLICATE, KERNEL, NUMBER, SHARED, STRAIGHTS, written

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL, reason="this machine cannot confine players fully"
)

SMALL_BATCHES = DUPLICATE.replace("rounds: 40", "rounds: 40, batch_tables: 2")


def blamed(result: TournamentResult) -> set[str]:
    """Name those whose verdict is that they are never the same twice; nobody has another one."""
    rows = [row for row in result.standings if row.verdict]
    assert {row.verdict.cause for row in rows if row.verdict} <= {"unrepeatable"}
    return {row.name for row in rows}


def differing(store: Path) -> list[list[str]]:
    """Verify all of the only run; say who is blamed for each batch that differs."""
    with Store.open(store) as kept:
        tournament = enter_again(kept.run(1), load_plugins())
        found = verify_run(tournament, kept, kept.run(1), sample=None).differing
        return [[tournament.labels[each].name for each in batch.blamed] for batch in found]


def digest(store: Path) -> bytes:
    """Give the digest of the only run."""
    with Store.open(store) as kept:
        return kept.run_digest(1)


def row_of(result: TournamentResult, name: str) -> Standing:
    """Give a row without what it says of others."""
    return next(by_itself(row) for row in result.standings if row.name == name)


@pytest.mark.parametrize("dice", [CLOCK, KERNEL], ids=["clock", "kernel"])
def test_dice_are_blamed_by_name(tmp_path: Path, dice: str) -> None:
    """The honest row is that of a run without them, and the run is verified."""
    config = written(tmp_path, DUPLICATE, dice)
    result = play_tournament(config, store=tmp_path / "cups.db")
    assert blamed(result) == {"dicey"}
    assert differing(tmp_path / "cups.db") == []
    alone = config.with_name("alone.yaml")
    alone.write_text(DUPLICATE.replace("  - file: dicey.py\n", ""), encoding="utf-8")
    honest = play_tournament(alone, store=tmp_path / "alone.db")
    assert row_of(result, "honest") == row_of(honest, "honest")


def test_dice_by_the_number_of_a_process_are_blamed_or_harmless(tmp_path: Path) -> None:
    """Where the jail tells the number they are never the same; where it does not, always."""
    result = play_tournament(written(tmp_path, DUPLICATE, NUMBER), store=tmp_path / "cups.db")
    assert blamed(result) <= {"dicey"}
    assert differing(tmp_path / "cups.db") == []


@pytest.mark.parametrize("config", [SHARED, STRAIGHTS], ids=["blackjack", "straights"])
def test_at_shared_tables_a_stand_in_sits_from_the_first_round(tmp_path: Path, config: str) -> None:
    """Cards hang on its answers, so none of them may count; nobody else is blamed."""
    result = play_tournament(written(tmp_path, config), store=tmp_path / "cups.db")
    assert {name.partition(" ")[0].partition("-")[0] for name in blamed(result)} == {"dicey"}
    assert differing(tmp_path / "cups.db") == []
    with Store.open(tmp_path / "cups.db") as kept:
        faulted = list(kept.faulted(1))
    assert faulted
    for key, seat in faulted:
        assert seat.verdict
        assert (seat.verdict.round, seat.verdict.decision) == (key.first_round, 0)


def test_the_verdict_is_the_same_on_any_number_of_workers(tmp_path: Path) -> None:
    """Where two plays differ hangs on chance, but no digest does."""
    config = written(tmp_path, SMALL_BATCHES)
    stores = [tmp_path / f"{workers}.db" for workers in (1, 2)]
    results = [
        play_tournament(config, store=store, workers=workers)
        for workers, store in enumerate(stores, start=1)
    ]
    assert list(map(blamed, results)) == [{"dicey"}] * 2
    assert digest(stores[0]) == digest(stores[1])


class Killed(Exception):  # noqa: N818 - says what happened
    """Somebody killed the run."""


@pytest.mark.parametrize("config", [SMALL_BATCHES, SHARED], ids=["alone", "shared"])
def test_a_run_that_goes_on_keeps_its_verdicts(tmp_path: Path, config: str) -> None:
    """What was found before a kill is not looked for again, in later waves neither."""
    path = written(tmp_path, config)
    play_tournament(path, store=tmp_path / "whole.db")

    def kill(play: Play) -> None:
        if play.batches_done == 3:
            raise Killed

    tournament = enter(path, load_plugins())
    with Store.open(tmp_path / "cups.db") as kept:
        run = kept.create_run(run_record(tournament))
        with pytest.raises(Killed):
            play_run(tournament, kept, run, on_batch=kill)
    assert blamed(resume_tournament(store=tmp_path / "cups.db"))
    assert digest(tmp_path / "cups.db") == digest(tmp_path / "whole.db")
    assert differing(tmp_path / "cups.db") == []


def test_what_rolls_late_is_blamed_when_it_is_verified(tmp_path: Path) -> None:
    """After the first tenth nobody looks during the run; then its batch differs, by its doing."""
    config = written(tmp_path, DUPLICATE, late=200)
    assert blamed(play_tournament(config, store=tmp_path / "cups.db")) == set()
    assert differing(tmp_path / "cups.db") == [["dicey"]]


def test_what_rolls_late_at_a_shared_table_is_blamed_alone(tmp_path: Path) -> None:
    """Everybody's cards differ there, but only one has answered otherwise first."""
    config = written(tmp_path, SHARED.replace("block_rounds: 5", "block_rounds: 40"), late=20)
    play_tournament(config, store=tmp_path / "cups.db")
    found = differing(tmp_path / "cups.db")
    assert found
    assert {name.partition(" ")[0].partition("-")[0] for batch in found for name in batch} == {
        "dicey"
    }


def test_one_that_ends_its_process_by_dice_is_not_taken_for_another(tmp_path: Path) -> None:
    """To die depends on the machine; it is confirmed or not, and the comparison ends there."""
    ending = DUPLICATE.replace("rounds: 40", "rounds: 20")
    config = written(tmp_path, ending)
    source = (
        CLOCK
        + """
import os
from tourney import Player


class Mortal(Player):
    def bet(self, bankroll, minimum):
        if roll() % 2:
            os._exit(1)
        return minimum

    def draw(self, dealer, player):
        return False
"""
    )
    (tmp_path / "dicey.py").write_text(source, encoding="utf-8")
    result = play_tournament(config, store=tmp_path / "cups.db")
    assert {row.name for row in result.standings if row.verdict} <= {"dicey"}
