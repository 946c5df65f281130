"""Workers get ready for what they are going to play, where that pays."""

from dataclasses import replace
from time import sleep

import pytest

from tourney import Card, Hand, Player, PreferencePlayer, pure
from tourney.execution.workers import pool, worker_choice, workload
from tourney.execution.workers.task import EntrantSpec
from tourney.execution.workers.workload import ROUNDS_WORTH_WAITING, Workload
from tourney.game.accelerators import ROUNDS_WORTH_LOADING
from tourney.game.rules import Rules
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.straights.game import STRAIGHTS
from tourney.games.straights.rules import StraightsRules
from tourney.research import simulated_ev
from tourney.sandbox.levels import Level

LONG = Workload(BlackjackRules(), 100, 2 * ROUNDS_WORTH_LOADING)


class Promising(Player):
    """Draws by its hand alone."""

    @pure
    def draw(self, dealer: Card, player: Hand) -> bool:
        """Draw under 12."""
        return player.total < 12


class Moody(Player):
    """Promises nothing."""

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Draw when lucky."""
        return self.random.random() < 0.5


def test_promises_show_in_the_class() -> None:
    """Nobody has to be made to find out."""
    assert BLACKJACK.promises(Promising)
    assert STRAIGHTS.promises(PreferencePlayer)
    assert not BLACKJACK.promises(Moody)


@pytest.mark.parametrize(
    ("promises", "engine", "workers", "rounds", "is_worth"),
    [
        (True, "auto", 2, 2 * ROUNDS_WORTH_LOADING, True),
        (True, "auto", 3, 2 * ROUNDS_WORTH_LOADING, False),
        (True, "reference", 1, 10**9, False),
        (True, "compiled", 9, 1, True),
        (False, "auto", 1, 10**9, False),
    ],
)
def test_machine_code_is_loaded_where_it_will_be_used_enough(
    promises: bool, engine: str, workers: int, rounds: int, is_worth: bool, bold: EntrantSpec
) -> None:
    """By somebody who promises something, for long enough, by an engine that has it."""
    entrants = [bold, replace(bold, promises=promises)]
    found = replace(LONG, rounds=rounds).is_worth_warming(entrants, engine, workers)
    assert found is is_worth


@pytest.mark.parametrize(
    ("confinement", "rules", "engine", "rounds", "is_sooner"),
    [
        (Level.FULL, BlackjackRules(), "auto", 50_000, True),
        (Level.FULL, BlackjackRules(), "auto", 50_001, False),  # by then code would be there
        (Level.FULL, BlackjackRules(), "lockstep", 50_000, False),  # who names it, waits for it
        (None, BlackjackRules(), "auto", 50_000, False),  # the reference engine does not wait
        (Level.FULL, StraightsRules(), "auto", 50_000, False),  # nor do flows
    ],
)
def test_a_short_run_of_the_confined_is_not_worth_compiling_for(
    confinement: Level | None,
    rules: Rules,
    engine: str,
    rounds: int,
    is_sooner: bool,
    bold: EntrantSpec,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where there is no machine code, and only there."""
    entrants = [bold, replace(bold, confinement=confinement)]
    work = Workload(rules, 10, rounds)
    monkeypatch.setattr(workload, "is_there", lambda _: False)
    assert work.is_over_sooner_uncompiled(entrants, engine) is is_sooner
    monkeypatch.setattr(workload, "is_there", lambda _: True)
    assert not work.is_over_sooner_uncompiled(entrants, engine)


def test_people_are_told_what_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing of what does not."""
    told: list[str] = []
    with workload.told_if_long(told.append):
        pass
    assert told == []
    monkeypatch.setattr(workload, "LONG_SECONDS", 0.01)
    with workload.told_if_long(told.append):
        sleep(0.2)
    assert told == [workload.LOADING]


@pytest.mark.parametrize(("waits", "made"), [(False, []), (True, [BlackjackRules()])])
def test_much_play_waits_for_machine_code(
    monkeypatch: pytest.MonkeyPatch, waits: bool, made: list[Rules]
) -> None:
    """Because the reference engine would take longer; little play does not."""
    compiled: list[Rules] = []
    monkeypatch.setattr(worker_choice, "is_there", lambda *_, **_how: False)
    monkeypatch.setattr(pool, "warm_up", lambda rules, **_: compiled.append(rules))
    entrant = EntrantSpec("a", "strategy", "simple", (), (), b"", promises=True)
    work = replace(LONG, waits=waits)
    worker_choice.make_workers(1, {0: entrant}, workload=work)
    assert compiled == made


def test_a_sweep_compiles_before_it_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """If all of its values together are much play, though none of them is."""
    compiled: list[Rules] = []
    monkeypatch.setattr(simulated_ev, "is_there", lambda _: False)
    monkeypatch.setattr(simulated_ev, "warm_up", compiled.append)
    entrant = EntrantSpec("a", "strategy", "simple", (), (), b"", promises=True)
    asked, each = [(entrant, BlackjackRules())] * 5, ROUNDS_WORTH_WAITING // 5
    simulated_ev.wait_for_machine_code(asked[:4], each, "auto")
    simulated_ev.wait_for_machine_code(asked, each, "reference")
    simulated_ev.wait_for_machine_code(
        [(replace(entrant, promises=False), BlackjackRules())] * 5, each, "auto"
    )
    assert compiled == []
    simulated_ev.wait_for_machine_code(asked, each, "auto")
    assert compiled == [BlackjackRules()]
