"""Asking again: who is asked, how much of it, and where a comparison ends."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from random import SystemRandom
from typing import Any

import numpy as np
import pytest

from tourney import Card, Hand, Player
from tourney.execution.engine_selection import Played, play_batch
from tourney.formats.field import Field
from tourney.game import determinism_check
from tourney.game.asking.exchange import Decided
from tourney.game.blocks import Batch
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey, Verdict
from tourney.game.lineup import Lineup
from tourney.games.blackjack.asking.pool import Pool
from tourney.games.blackjack.players.questions import FAULT, Questions
from tourney.games.blackjack.rules import BlackjackRules

ROUNDS, TABLES = 30, 40


class Steady(Player):
    """Draws by luck, which is the same again."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager by luck."""
        return min(bankroll, minimum + self.random.randrange(9))

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit a low hand."""
        return player.total < 15


class Dicey(Steady):
    """Draws by real dice."""

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Roll."""
        return player.total < 12 + SystemRandom().randrange(9)


class Counted(Pool):
    """A pool that counts what it is asked."""

    def __init__(self, make_player: Callable[[], Any]) -> None:
        super().__init__(make_player)
        self.asked = 0
        self.is_closed = False

    def decide(self, questions: Questions) -> Decided:
        """Count and answer."""
        self.asked += len(questions.calls)
        return super().decide(questions)

    def close(self) -> None:
        """Note it."""
        self.is_closed = True


class Mortal(Counted):
    """A pool whose process dies at its second batch of questions."""

    def decide(self, questions: Questions) -> Decided:
        """Answer once."""
        if not self.asked:
            return super().decide(questions)
        fault = Verdict("died", "draw", 1, 1, "draw: expected an answer", "", "")
        answers = np.full(len(questions.calls), FAULT, np.int64)
        return Decided(answers, dict.fromkeys(range(len(answers)), fault))


def batch(bankroll: int = 10_000, wave: int = 0) -> Batch:
    """Draw up tables of three entrants."""
    field = Field(3, BlackjackRules(), bankroll, 5, 500, Secret.from_seed(1))
    keys = [BlockKey(0, 0, table, 0, 1) for table in range(TABLES)]
    seats = tuple((entrant, bankroll) for entrant in (0, 1, 2))
    return Batch(wave, 0, tuple(field.block(key, seats, ROUNDS) for key in keys))


def played(
    players: tuple[type[Player], ...],
    pools: list[Counted],
    kinds: tuple[type[Counted], ...] = (Counted,),
    bankroll: int = 10_000,
) -> Played:
    """Play with everybody in a pool of its own, and have all asked again.

    Args:
        players: By entrant.
        pools: Takes the pools as they are opened.
        kinds: Of pools, for those opened first, second … by an entrant.
        bankroll: Of everybody.
    """
    opened = [count() for _ in players]

    def open_pool(entrant: int) -> Pool:
        kind = kinds[min(next(opened[entrant]), len(kinds) - 1)]
        pools.append(kind(players[entrant]))
        return pools[-1]

    lineup = Lineup(
        lambda entrant: players[entrant](), lambda _entrant, _rules: None, confined=open_pool
    )  # type: ignore[arg-type,return-value]  # nobody is asked what it declares
    return play_batch(batch(bankroll), lineup, asks_again=True)


def test_only_those_who_differ_are_blamed_whoever_sits_beside_them() -> None:
    """At every table of theirs, and before the first question."""
    found = played((Steady, Dicey, Steady), []).differing
    assert len(found) == TABLES
    for fault in found:
        assert fault.seat == 1
        assert (fault.verdict.cause, fault.verdict.round) == ("unrepeatable", 1)
        assert "the answer to the same question changed: " in fault.verdict.message


@pytest.mark.parametrize("bankroll", [10_000, 30])
def test_a_tenth_of_all_questions_is_asked_again(bankroll: int) -> None:
    """And what was asked at once with the last of them; also where most are soon broke."""
    pools: list[Counted] = []
    assert played((Steady, Steady, Steady), pools, bankroll=bankroll).differing == ()
    # The first pool of each is only asked whether there is one.
    used = [pool for pool in pools if pool.asked]
    firsts, agains = used[:3], used[3:]
    assert len(agains) == 3
    for first, again in zip(firsts, agains, strict=True):
        assert first.asked / 10 <= again.asked <= first.asked / 10 + TABLES
    assert all(pool.is_closed for pool in used)


def test_what_depends_on_the_machine_blames_nobody() -> None:
    """Whoever dies when asked again has given no other answer."""
    pools: list[Counted] = []
    kinds = (Counted, Counted, Mortal)
    assert played((Steady, Dicey, Steady), pools, kinds).differing == ()
    assert any(isinstance(pool, Mortal) for pool in pools)


def test_nobody_waits_once_more_for_what_depends_on_the_machine() -> None:
    """Whoever died the first time is asked no further than to where it died."""
    pools: list[Counted] = []
    kinds = (Counted, Mortal, Counted)  # the first are only looked at
    assert played((Steady, Steady, Steady), pools, kinds).differing == ()
    died = [pool for pool in pools if isinstance(pool, Mortal)]
    again = [pool for pool in pools[3:] if pool not in died]
    assert len(died) == len(again) == 3
    assert [pool.asked for pool in again] == [pool.asked for pool in died]


def test_no_more_is_kept_than_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a very large batch less than a tenth is asked again."""
    monkeypatch.setattr(determinism_check, "MOST_KEPT", 50)
    pools: list[Counted] = []
    played((Steady, Steady, Steady), pools)
    agains = [pool for pool in pools if pool.asked][3:]
    assert len(agains) == 3
    assert all(50 <= pool.asked < 50 + TABLES for pool in agains)


def test_who_is_known_to_differ_is_asked_nothing() -> None:
    """Its record stands; the stand-in's cards are those of the record's play."""
    found = played((Steady, Dicey, Steady), []).differing
    pools: list[Counted] = []

    def open_pool(entrant: int) -> Pool:
        pools.append(Counted((Steady, Dicey, Steady)[entrant]))
        pools[-1].entrant = entrant  # type: ignore[attr-defined]  # for this test
        return pools[-1]

    lineup = Lineup(lambda _entrant: Steady(), lambda _entrant, _rules: None, confined=open_pool)  # type: ignore[arg-type,return-value]  # as above
    results = [play_batch(replace(batch(), recorded=found), lineup).results for _ in range(2)]
    assert results[0] == results[1]
    assert all(block.seats[1].rounds == 0 and block.seats[1].verdict for block in results[0])
    assert not any(pool.asked for pool in pools if pool.entrant == 1)  # type: ignore[attr-defined]  # as above


def test_of_small_batches_every_tenth_wave_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process costs more than what it plays; where there is one wave, that is the first."""
    waves = [determinism_check.worth_asking_again(batch(wave=wave)) for wave in range(21)]
    assert [wave for wave, who in enumerate(waves) if who == {0, 1, 2}] == [0, 10, 20]
    monkeypatch.setattr(determinism_check, "ROUNDS_WORTH_A_START", TABLES * ROUNDS)
    assert determinism_check.worth_asking_again(batch(wave=1)) == {0, 1, 2}
