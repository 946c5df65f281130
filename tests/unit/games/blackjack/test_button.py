"""The order of play moves round the table, and secret wagers stay hidden until all are placed."""

from collections.abc import Callable

import pytest

from tourney import Card, Hand, Player, TableView, pure
from tourney.formats.field import Field
from tourney.game.blocks import Block, TableState
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.game.lineup import declared_by
from tourney.game.players import Undeclared
from tourney.game.seats import play_block
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.history.hand_history import HandHistoryWriter
from tourney.games.blackjack.rules import VE280
from tourney.strategies.simple import Simple

Seen = list[tuple[int, TableView]]
"""Who was asked for a wager, and what it saw."""


class Watchful(Simple):
    """Bets the minimum, and notes what it sees of its table."""

    def __init__(self, seen: Seen, stake: int = 1) -> None:
        self.seen, self.stake = seen, stake

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet some minimums, as far as the bankroll goes."""
        self.seen.append((self.table.seat, self.table))
        return min(bankroll, minimum * self.stake)


def block_of(bankrolls: tuple[int, ...], rounds: int, state: TableState) -> Block:
    """Give a block whose seats are entrants of their own."""
    field = Field(len(bankrolls), VE280, 0, 10, 1000, Secret.from_seed(3))
    return field.block(BlockKey(0, 0, 0, 0, 1), tuple(enumerate(bankrolls)), rounds, state=state)


def asked(block: Block, make: Callable[[Seen, int], Player]) -> Seen:
    """Play a block and give what was seen, in the order of wagers."""
    seen: Seen = []
    play_block(block, lambda entrant: make(seen, entrant))
    return seen


def test_the_button_moves_a_seat_on_every_round() -> None:
    """Three seats, four rounds: the first, the second, the third and the first again begin."""
    block = block_of((1000, 1000, 1000), 4, TableState(moves_button=True))
    seen = asked(block, lambda seen, _: Watchful(seen))
    assert [seat for seat, _ in seen] == [0, 1, 2, 1, 2, 0, 2, 0, 1, 0, 1, 2]
    assert [view.button for _, view in seen[::3]] == [0, 1, 2, 0]
    assert {view.button for _, view in seen[3:6]} == {1}


@pytest.mark.parametrize("rounds", [3, 4, 5])
def test_whoever_watches_is_told_each_seat_its_own_bankroll(rounds: int) -> None:
    """A round ends in the order in which it was played; the button moves after it."""
    block = block_of((1000, 1100, 1200), rounds, TableState(moves_button=True))
    hands = HandHistoryWriter(3)
    result = play_block(block, lambda entrant: Watchful([], 1 + 3 * entrant), hands)
    hands.finish()
    finals = [seat.final for seat in result.seats]
    assert len(set(finals)) == 3
    assert hands.paths[-1] == finals


def test_the_order_of_play_stays_where_nothing_is_said() -> None:
    """As at every table before there were tournaments of several."""
    seen = asked(block_of((1000, 1000), 3, TableState()), lambda seen, _: Watchful(seen))
    assert [(seat, view.button) for seat, view in seen] == [(0, 0), (1, 0)] * 3


def test_the_next_in_order_has_the_button_of_a_seat_that_left() -> None:
    """Whoever stakes all each round is gone soon, and those who stay begin in turn."""
    state = TableState(moves_button=True)
    block = block_of((10, 1000, 1000), 12, state)
    seen = asked(block, lambda seen, entrant: Watchful(seen, 1000 if entrant == 0 else 1))
    begun = [seat for seat, view in seen if seat == view.button]
    left = begun.index(1, 2) if 0 not in begun[1:] else len(begun) - begun[::-1].index(0)
    assert 0 not in begun[left:]
    assert begun[left:] == [begun[left + number % 2] for number in range(len(begun) - left)]
    assert set(begun[left:]) == {1, 2}


def test_secret_wagers_are_shown_when_all_are_placed() -> None:
    """Round 2 is secret: nobody sees a wager while they are placed, nor chips that are missing."""
    state = TableState(secret_rounds=(2,))
    seen = asked(block_of((1000, 1000), 2, state), lambda seen, _: Watchful(seen))
    (_, open_first), (_, open_last), (_, first), (_, last) = seen
    assert (open_first.wagers, open_last.wagers) == ((0, 0), (10, 0))
    assert (first.wagers, last.wagers) == ((0, 0), (0, 0))
    assert first.bankrolls == last.bankrolls


def test_a_table_shows_what_the_tournament_is_at() -> None:
    """Its level, the places that go on, and the rounds left of the whole heat."""
    state = TableState(level=4, rounds_after=20, advance=2)
    seen = asked(block_of((1000, 1000), 2, state), lambda seen, _: Watchful(seen))
    assert [(v.level, v.advance, v.rounds_left) for _, v in seen[::2]] == [(4, 2, 22), (4, 2, 21)]


class DrawsLate(Simple):
    """Promises too much of its hands."""

    @pure
    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit in the last round."""
        return self.table.rounds_left == 1


class BetsLate(Simple):
    """Promises too much of its wagers."""

    @pure
    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet all in the last round."""
        return bankroll if self.table.rounds_left == 1 else minimum


@pytest.mark.parametrize("kind", [DrawsLate, BetsLate])
def test_who_looks_at_the_table_cannot_promise_to_be_pure(kind: type[Player]) -> None:
    """Neither a hand nor a wager that depends on the table is declared."""
    found = declared_by(kind(), VE280)
    assert isinstance(found, Undeclared)
    assert found.reason.endswith(
        "it looks at self.table when asked about a hand, which is not pure"
    )


def test_wagers_that_look_at_the_table_are_asked() -> None:
    """Who does not promise anything of its wagers still declares its hands."""
    found = declared_by(Watchful([]), VE280)
    assert isinstance(found, Declaration)
    assert found.own_bet == "its bet is not marked @pure and it has no ramp"
