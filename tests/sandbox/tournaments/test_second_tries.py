"""Nobody gets a second try: what a player answered in a first play has to come again."""

from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tourney import play_tournament
from tourney.errors import SandboxLostError
from tourney.execution.workers import task
from tourney.formats.schedule_checks import schedule_of
from tourney.game.ledger import Remark, SeatResult
from tourney.plugins.loading import load_plugins
from tourney.sandbox.levels import Level, probe
from tourney.store.store import Store
from tourney.tournament.loading import enter, run_record
from tourney.tournament.tournament import TournamentResult, play_run, resume_tournament

from .classroom import by_itself
from .dicey import DUPLICATE, HONEST, KERNEL

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL, reason="this machine cannot confine players fully"
)

ROUNDS = 30
CUP = (
    DUPLICATE.replace("rounds: 40", f"rounds: {ROUNDS}")
    + "limits: {max_sleep_seconds: 0.3, base_seconds: 0.3}\n"
)

# Wagers by the kernel's dice after the rounds that are asked again. In the last round, when all its
# tables have come that far, it provokes another play, always or if it is behind.
GAMBLER = (
    KERNEL
    + """
import _thread
from tourney import Player

LOCK = _thread.allocate_lock()
CHIPS = {{}}


class Gambler(Player):
    def __init__(self):
        self.rounds = 0

    def bet(self, bankroll, minimum):
        self.rounds += 1
        CHIPS[id(self)] = bankroll
        if self.rounds == {last} and {condition}:
            {act}
        return min(bankroll, minimum + ({luck} if self.rounds > 5 else 0))

    def draw(self, dealer, player):
        return player.total < 16
"""
)
ACTS = {
    "died": "os._exit(0)",
    "stalled": "LOCK.acquire() and LOCK.acquire()",
    "memory": "[0] * 10**10",
    "cpu": "sum(range(10**10))",
}
BEHIND = "sum(CHIPS.values()) < 1000 * len(CHIPS)"
NEVER, ALWAYS = "False", "True"


def write(
    folder: Path,
    act: str = "pass",
    condition: str = ALWAYS,
    luck: str = "roll()",
    last: int = ROUNDS,
) -> None:
    """Write a cup of somebody honest and a gambler."""
    source = GAMBLER.format(act=act, condition=condition, luck=luck, last=last)
    (folder / "honest.py").write_text(HONEST, encoding="utf-8")
    (folder / "dicey.py").write_text(source, encoding="utf-8")
    (folder / "cup.yaml").write_text(CUP, encoding="utf-8")


def played(folder: Path, *what: str, **named: Any) -> TournamentResult:
    """Write the cup and play it."""
    write(folder, *what, **named)
    return play_tournament(folder / "cup.yaml", store=folder / "cups.db")


def stored(folder: Path) -> tuple[Sequence[SeatResult], Sequence[Remark]]:
    """Give the results at fault and the remarks of the only run."""
    with closing(Store.open(folder / "cups.db")) as store:
        return [seat for _, seat in store.faulted(1)], store.remarks(1)


@pytest.mark.parametrize(("cause", "act"), ACTS.items())
def test_who_provokes_a_second_play_and_answers_otherwise_loses_both(
    cause: str, act: str, tmp_path: Path
) -> None:
    """Nothing of its own counts, the first fault is remarked, and the honest play as ever."""
    result = played(tmp_path, act)
    faulted, remarks = stored(tmp_path)
    assert {(seat.entrant, seat.verdict.cause) for seat in faulted if seat.verdict} == {
        (1, "unrepeatable")
    }
    assert len(faulted) == 6
    assert all(seat.rounds == 0 for seat in faulted)
    (remark,) = (each for each in remarks if each.verdict)
    assert remark.verdict
    assert (remark.entrant, remark.verdict.cause, remark.verdict.round) == (1, cause, ROUNDS)
    (tmp_path / "alone").mkdir()
    alone = played(tmp_path / "alone", condition=NEVER, luck="0")
    honest = [
        next(by_itself(row) for row in each.standings if row.name == "honest")
        for each in (result, alone)
    ]
    assert honest[0] == honest[1]


def test_who_provokes_it_only_if_it_is_behind_gains_nothing(tmp_path: Path) -> None:
    """It stands as it was in the first play, or nothing of it counts."""
    played(tmp_path, ACTS["died"], BEHIND)
    faulted, remarks = stored(tmp_path)
    causes = {seat.verdict.cause for seat in faulted if seat.verdict}
    assert causes in (set(), {"unrepeatable"})
    assert bool(causes) is any(each.verdict for each in remarks)


@pytest.mark.parametrize("act", ["os._exit(0)", "[0] * 10**10"])
def test_a_fault_that_comes_again_after_the_same_answers_is_confirmed(
    act: str, tmp_path: Path
) -> None:
    """Without dice there is only one play, however often it is played."""
    played(tmp_path, act, luck="self.random.randrange(50)")
    faulted, remarks = stored(tmp_path)
    assert len(faulted) == 6
    assert all(seat.verdict and seat.verdict.is_confirmed for seat in faulted)
    assert not [each for each in remarks if each.verdict]


def test_a_helper_cannot_give_somebody_else_a_second_try(tmp_path: Path) -> None:
    """Everybody in a batch that is played again has to answer as before."""
    config = """
name: room
seed: 7
game: {preset: ve280, shuffle: uniform}
bankroll: 1000
minimum: 5
format: {kind: multi-table, seats: 3, block_rounds: 30, level_rounds: 30}
entrants:
  - file: honest.py
  - file: dicey.py
  - file: helper.py
"""
    (tmp_path / "honest.py").write_text(HONEST, encoding="utf-8")
    own = {"condition": NEVER, "act": "pass", "luck": "roll()", "last": ROUNDS}
    (tmp_path / "dicey.py").write_text(GAMBLER.format(**own), encoding="utf-8")
    own |= {"condition": ALWAYS, "act": ACTS["died"], "luck": "0", "last": 25}
    (tmp_path / "helper.py").write_text(GAMBLER.format(**own), encoding="utf-8")
    (tmp_path / "cup.yaml").write_text(config, encoding="utf-8")
    play_tournament(tmp_path / "cup.yaml", store=tmp_path / "cups.db")
    faulted, remarks = stored(tmp_path)
    assert "unrepeatable" in {
        seat.verdict.cause for seat in faulted if seat.entrant == 1 and seat.verdict
    }
    causes = {seat.verdict.cause for seat in faulted if seat.entrant == 2 and seat.verdict}
    assert causes == {"died"} or any(each.entrant == 2 and each.verdict for each in remarks)
    assert not [seat for seat in faulted if seat.entrant == 0]


def losing(play: Callable[..., Any], error: Exception, at: int = 0) -> Callable[..., Any]:
    """Give what plays, but ends one of its plays with an error when it is over."""
    plays = count()

    def lose(*arguments: Any, **named: Any) -> Any:
        played = play(*arguments, **named)
        if next(plays) == at:
            raise error
        return played

    return lose


@pytest.mark.parametrize(("name", "batches"), [("play_batch", 1), ("play_joined", 2)])
def test_a_play_whose_processes_were_lost_is_binding(
    name: str, batches: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever answers otherwise in the next play has the verdict; all are remarked."""
    write(tmp_path, luck="roll()", condition=NEVER)
    tournament = enter(tmp_path / "cup.yaml", load_plugins())
    wave = list(next(schedule_of(tournament.format, tournament.field).waves()))
    assert [set(each.entrants) for each in wave] == [{0}, {1}]
    lost = SandboxLostError("the process has ended")
    monkeypatch.setattr(task, name, losing(getattr(task, name), lost))
    chosen = wave[-batches:]
    played = task.play_task(task.Task(tuple(chosen), tuple(tournament.specs().items()), "auto"))
    causes = [
        {seat.verdict and seat.verdict.cause for result in each.results for seat in result.seats}
        for each in played
    ]
    assert causes == [{None}, {"unrepeatable"}][-batches:]
    for each in played:
        assert [(one.is_replay, one.message) for one in each.remarks] == [(True, task.HOSTS_LOST)]
        assert each.notices[0].endswith(task.HOSTS_LOST)


class Killed(Exception):  # noqa: N818 - says what happened
    """Somebody killed the run."""


def test_a_batch_whose_play_was_interrupted_is_remarked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first answers are lost, so that there was another play is kept instead."""
    (tmp_path / "honest.py").write_text(HONEST, encoding="utf-8")
    (tmp_path / "dicey.py").write_text(HONEST, encoding="utf-8")
    config = CUP.replace("rounds: 30", "rounds: 30, batch_tables: 1")
    (tmp_path / "cup.yaml").write_text(config, encoding="utf-8")

    monkeypatch.setattr(task, "play_batch", losing(task.play_batch, Killed()))
    tournament = enter(tmp_path / "cup.yaml", load_plugins())
    with Store.open(tmp_path / "cups.db") as kept:
        run = kept.create_run(run_record(tournament))
        with pytest.raises(Killed):
            play_run(tournament, kept, run)
        begun = kept.begun_batches(run.number)
    resume_tournament(store=tmp_path / "cups.db")
    _, remarks = stored(tmp_path)
    replayed = [each for each in remarks if each.is_replay]
    assert len(replayed) == len(begun) > 0
    assert all("the run was interrupted" in each.message for each in replayed)
    with Store.open(tmp_path / "cups.db") as kept:
        assert kept.begun_batches(1) == frozenset()
