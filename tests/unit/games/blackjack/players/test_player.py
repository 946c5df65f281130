"""What a player is given at the table, and what it sees of it while it plays."""

from collections.abc import Callable
from random import Random
from typing import Any, ClassVar

import pytest

from tourney import Card, Hand, Player, TableView
from tourney.formats.field import Field
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.seats import play_block
from tourney.games.blackjack.players import sit_down, watches_cards
from tourney.games.blackjack.rules import BlackjackRules


class Quiet(Player):
    """Bets the minimum and stands."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the minimum."""
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Stand."""
        return False


class Seeing(Quiet):
    """Sees cards."""

    def expose(self, card: Card) -> None:
        """See one."""


class Hearing(Quiet):
    """Hears shuffles."""

    def shuffled(self) -> None:
        """Hear one."""


VIEW = TableView(0, 5, 100, 9, (100,), (0,))


def test_a_player_must_bet_and_draw() -> None:
    """The other two questions need no answer."""
    with pytest.raises(TypeError, match="abstract"):
        Player()  # type: ignore[abstract]  # on purpose
    player = Quiet()
    player.shuffled()
    assert player.bet(100, 5) == 5


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("random", r"set player\.random = random\.Random\(1\)"),
        ("table", r"set player\.look = lambda: TableView\(…\)"),
    ],
)
def test_what_is_given_at_the_table_is_explained_before(name: str, remedy: str) -> None:
    """A constructor that reaches for it is told when it comes, and what a test does."""
    with pytest.raises(
        AttributeError,
        match=rf"^self\.{name} is not set before the player sits down, so the constructor "
        rf"cannot use it; in your own tests, {remedy}$",
    ):
        getattr(Quiet(), name)


def test_other_missing_names_are_plain_mistakes() -> None:
    """As with any object."""
    with pytest.raises(AttributeError, match="'Quiet' object has no attribute 'cuont'"):
        _ = Quiet().cuont  # type: ignore[attr-defined]  # on purpose
    assert not hasattr(Quiet(), "count")


def test_sitting_down_gives_luck_and_sight() -> None:
    """The generator follows from its seed; the view is whatever the table shows."""
    player = Quiet()
    sit_down(player, 7, lambda: VIEW)
    assert player.random.random() == Random(7).random()
    assert player.table is VIEW


def test_a_view_is_looked_up_anew_each_time() -> None:
    """It is current whenever a player looks."""
    views = iter((VIEW, TableView(0, 5, 100, 8, (95,), (5,))))
    player = Quiet()
    sit_down(player, 7, lambda: next(views))
    assert (player.table.rounds_left, player.table.rounds_left) == (9, 8)


def test_a_view_cannot_be_changed() -> None:
    """What a player is shown is not its to change."""
    with pytest.raises(AttributeError):
        VIEW.maximum = 10**6  # type: ignore[misc]  # on purpose


@pytest.mark.parametrize(
    ("kind", "watches"), [(Quiet, False), (Seeing, True), (Hearing, True)], ids=lambda value: value
)
def test_whoever_overrides_expose_or_shuffled_watches(kind: type[Player], watches: bool) -> None:
    """Others are not called for every card."""
    assert watches_cards(kind()) is watches


class Looking(Quiet):
    """Writes down what it sees of the table when it is asked."""

    log: ClassVar[list[tuple[str, TableView]]] = []

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet by the place at the table: 5, 10, 15."""
        table = self.table
        self.log.append(("bet", table))
        assert bankroll == table.bankrolls[table.seat]
        assert minimum == table.minimum
        return minimum * (table.seat + 1)

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Stand."""
        self.log.append(("draw", self.table))
        return False


class Failing(Quiet):
    """Fails at its first wager."""

    def bet(self, bankroll: int, minimum: int) -> Any:
        """Raise."""
        raise ValueError


def play(*players: Callable[[], Player], rounds: int = 1, payout: Any = "floor") -> BlockResult:
    """Play a table with 100 chips a seat, a minimum of 5 and a maximum of 50."""
    rules = BlackjackRules(payout=payout)
    unit = rules.unit
    field = Field(len(players), rules, 100 * unit, 5 * unit, 50 * unit, Secret.from_seed(1))
    seats = tuple((number, field.bankroll) for number in range(len(players)))
    block = field.block(BlockKey(0, 0, 0, 0, 1), seats, rounds)
    Looking.log.clear()
    return play_block(block, lambda entrant: players[entrant]())


def test_wagers_are_seen_in_the_order_in_which_they_are_placed() -> None:
    """Who bets first sees nobody's wager, who bets last sees all others'."""
    play(Looking, Looking, Looking)
    bets = [table for call, table in Looking.log if call == "bet"]
    assert [(table.seat, table.wagers) for table in bets] == [
        (0, (0, 0, 0)),
        (1, (5, 0, 0)),
        (2, (5, 10, 0)),
    ]
    assert bets[0].bankrolls == (100, 100, 100)


def test_while_cards_are_dealt_all_wagers_lie_on_the_table() -> None:
    """And are no longer among the chips behind."""
    play(Looking, Looking, Looking)
    draws = [table for call, table in Looking.log if call == "draw"]
    assert draws
    assert {table.wagers for table in draws} == {(5, 10, 15)}
    assert {table.bankrolls for table in draws} == {(95, 90, 85)}
    assert {(table.minimum, table.maximum) for table in draws} == {(5, 50)}


def test_rounds_left_count_the_one_in_play() -> None:
    """The last round says 1."""
    play(Looking, rounds=4)
    assert [table.rounds_left for call, table in Looking.log if call == "bet"] == [4, 3, 2, 1]


def test_chips_are_whole_where_the_rules_count_parts() -> None:
    """Half a chip is the house's secret until it makes a whole one."""
    play(Looking, Looking, payout="exact")
    bets = [table for call, table in Looking.log if call == "bet"]
    assert [table.wagers for table in bets] == [(0, 0), (5, 0)]
    assert bets[0].bankrolls == (100, 100)
    assert {(table.minimum, table.maximum) for table in bets} == {(5, 50)}


def test_a_seat_at_fault_keeps_its_place() -> None:
    """A stand-in bets the minimum there, so nobody's number changes."""
    play(Failing, Looking, rounds=2)
    bets = [table for call, table in Looking.log if call == "bet"]
    assert [(table.seat, table.wagers) for table in bets] == [(1, (5, 0)), (1, (5, 0))]


def test_luck_is_the_same_whenever_a_block_is_played() -> None:
    """Each seat has its own, and it follows from the block."""
    seen: list[float] = []

    class Lucky(Quiet):
        def bet(self, bankroll: int, minimum: int) -> int:
            seen.append(self.random.random())
            return minimum

    play(Lucky, Lucky)
    play(Lucky, Lucky)
    assert seen[:2] == seen[2:]
    assert seen[0] != seen[1]
