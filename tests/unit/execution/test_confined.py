"""Players in pools of their own: nothing of theirs runs here, and pools close, come what may."""

from collections.abc import Callable
from typing import NoReturn

import pytest

from tourney import Card, Hand, Player
from tourney.errors import EngineError
from tourney.execution.engine_selection import play_batch
from tourney.formats.field import Field
from tourney.game.blocks import Batch
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.game.lineup import Lineup
from tourney.game.rules import Rules
from tourney.game.seats import play_block
from tourney.games.blackjack.asking.pool import Pool
from tourney.games.blackjack.engines.fit import may_have_overflowed
from tourney.games.blackjack.players.questions import Questions
from tourney.games.blackjack.rules import BlackjackRules

LIMIT = 10**9


class Bold(Player):
    """Wagers all it may."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager all."""
        return min(bankroll, self.table.maximum)

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit a low hand."""
        return player.total < 15


class Noted(Pool):
    """A pool that knows whether it was closed."""

    is_closed = False

    def close(self) -> None:
        """Note it."""
        self.is_closed = True


class Broken(Noted):
    """A pool that fails as no player can make it fail."""

    def decide(self, questions: Questions) -> NoReturn:
        """Fail."""
        raise OSError(questions)


def batch(bankroll: int = 1000, rules: Rules | None = None) -> Batch:
    """Draw up three tables of two entrants."""
    field = Field(2, rules or BlackjackRules(), bankroll, 5, LIMIT, Secret.from_seed(1))
    keys = [BlockKey(0, 0, table, 0, 1) for table in range(3)]
    seats = tuple((entrant, bankroll) for entrant in (0, 1))
    return Batch(0, 0, tuple(field.block(key, seats, 30) for key in keys))


def never(*_: object) -> NoReturn:
    """Fail: this would run a confined player's code here."""
    raise AssertionError


def lineup(kind: Callable[[Callable[[], Player]], Noted]) -> tuple[Lineup, list[Noted]]:
    """Give a lineup of confined players, with the pools that were asked for."""
    pools: list[Noted] = []

    def confined(_entrant: int) -> Noted:
        pools.append(kind(Bold))
        return pools[-1]

    def load(entrants: object) -> None:
        assert not entrants

    return Lineup(never, never, load, confined), pools


def test_the_confined_are_neither_made_nor_loaded_nor_asked_what_they_declare() -> None:
    """However few their tables, they are asked in lockstep."""
    confined, pools = lineup(Noted)
    played = play_batch(batch(), confined)
    assert played.engines == ("lockstep",)
    assert list(played.results) == [play_block(block, lambda _: Bold()) for block in batch().blocks]
    assert sum(pool.is_closed for pool in pools) == 2


def test_pools_close_when_something_fails() -> None:
    """Their processes end although the batch does not."""
    confined, pools = lineup(Broken)
    with pytest.raises(OSError, match="Questions"):
        play_batch(batch(), confined)
    assert sum(pool.is_closed for pool in pools) == 2


def test_squares_beyond_a_word_are_added_up_from_the_answers() -> None:
    """Nobody stops a run by winning too much."""
    work = batch(20 * LIMIT)
    played = play_batch(work, lineup(Noted)[0])
    assert all(map(may_have_overflowed, played.results))
    assert list(played.results) == [play_block(block, lambda _: Bold()) for block in work.blocks]


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_no_other_engine_plays_the_confined(engine: str) -> None:
    """It would run their code here."""
    with pytest.raises(
        EngineError,
        match=rf"seat 1: .* cannot be played with a sandboxed player: --engine {engine}",
    ):
        play_batch(batch(), lineup(Noted)[0], engine)
