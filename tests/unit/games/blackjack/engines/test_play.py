"""Playing in lockstep: order, shared state, and sums that do not fit into a word."""

from random import Random
from typing import ClassVar

import pytest

from tourney import Card, Hand, Player
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.game.lineup import Lineup
from tourney.game.players import Undeclared
from tourney.game.seats import play_block
from tourney.games.blackjack.engines.fit import (
    could_overflow,
    may_have_overflowed,
    why_not_in_lockstep,
)
from tourney.games.blackjack.engines.lockstep_play import play_lockstep
from tourney.games.blackjack.rules import BlackjackRules

LIMIT = 10**9


def blocks(tables: int, bankroll: int = 1000, rounds: int = 30, seats: int = 2) -> list[Block]:
    """Draw up blocks of one entrant."""
    field = Field(1, BlackjackRules(), bankroll, 5, LIMIT, Secret.from_seed(1))
    keys = [BlockKey(0, 0, table, 0, 1) for table in range(tables)]
    return [field.block(key, ((0, bankroll),) * seats, rounds) for key in keys]


def asked(_entrant: int, _rules: object) -> Undeclared:
    """Have everybody asked."""
    return Undeclared("a test")


def test_players_are_made_seat_by_seat_before_anybody_is_asked() -> None:
    """In the order in which the reference engine makes those of one entrant."""
    luck: list[float] = []

    class Made(Player):
        made: ClassVar[list["Made"]] = []

        def __init__(self) -> None:
            self.made.append(self)

        def bet(self, bankroll: int, minimum: int) -> int:
            luck.append(len(self.made))
            return minimum

        def draw(self, dealer: Card, player: Hand) -> bool:
            return False

    work = blocks(3)
    play_lockstep(work, Lineup(lambda _: Made(), asked))
    assert set(luck) == {6}
    keys = [seat.random_key for block in work for seat in block.seats]
    reference = [int.from_bytes(key, "little") for key in keys]
    assert [player.random.getstate() for player in Made.made] == [
        Random(seed).getstate() for seed in reference
    ]


def test_a_class_that_remembers_its_tables_plays_a_batch_the_same_again() -> None:
    """The order in which tables advance is part of the batch; another engine has another one."""

    def learner() -> type[Player]:
        class Learner(Player):
            rounds_played: ClassVar[list[int]] = []

            def bet(self, bankroll: int, minimum: int) -> int:
                self.rounds_played.append(bankroll)
                return minimum + sum(self.rounds_played) % 7

            def draw(self, dealer: Card, player: Hand) -> bool:
                return len(self.rounds_played) % 2 == 0

        return Learner

    work = blocks(5)
    first, second = learner(), learner()
    one, other = (Lineup(lambda _, made=made: made(), asked) for made in (first, second))  # type: ignore[misc]  # a default is what binds it
    assert play_lockstep(work, one) == play_lockstep(work, other)


class Bold(Player):
    """Wagers all it may."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager all."""
        return min(bankroll, self.table.maximum)

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit a low hand."""
        return player.total < 15


def test_squares_beyond_a_word_are_added_up_by_python() -> None:
    """A player that wagers a thousand million chips a round."""
    work = blocks(3, bankroll=20 * LIMIT)
    found = play_lockstep(work, Lineup(lambda _: Bold(), asked)).results
    assert all(map(may_have_overflowed, found))
    assert max(seat.squares for result in found for seat in result.seats) >= 1 << 63
    assert found == [play_block(block, lambda _: Bold()) for block in work]


class Repentant(Bold):
    """Wagers all that it may the first time that it is made, and little after that."""

    made = 0

    def __init__(self) -> None:
        kind = type(self)
        kind.made += 1
        self.is_first = kind.made <= SEATS

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager all, or little."""
        return super().bet(bankroll, minimum) if self.is_first else minimum


SEATS = 6


def test_a_block_that_is_added_up_by_python_is_not_played_again_by_its_players() -> None:
    """Else who wagers very much, and is behind, would have a second try."""
    work = blocks(3, bankroll=20 * LIMIT)
    found = play_lockstep(work, Lineup(lambda _: Repentant(), asked)).results
    assert Repentant.made == SEATS
    assert found == [play_block(block, lambda _: Bold()) for block in work]


@pytest.mark.parametrize(
    ("bankroll", "limit", "is_possible"), [(100, 50, False), (100, 10**9, True)]
)
def test_answers_are_kept_where_sums_could_need_more_than_a_word(
    bankroll: int, limit: int, is_possible: bool
) -> None:
    """Which takes memory, so nowhere else."""
    field = Field(1, BlackjackRules(), bankroll, 5, limit, Secret.from_seed(1))
    block = field.block(BlockKey(0, 0, 0, 0, 1), ((0, bankroll),), 100)
    assert could_overflow(block) is is_possible


@pytest.mark.parametrize(("bankroll", "fits"), [(1000, True), (1 << 62, False)])
def test_blocks_whose_chips_need_more_than_a_word_do_not_fit(bankroll: int, fits: bool) -> None:
    """They are left to the reference engine."""
    (block,) = blocks(1, bankroll)
    assert (why_not_in_lockstep(block) == "") is fits
