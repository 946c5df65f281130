"""Tables in machine code give what the reference engine gives, at any rules of blackjack."""

from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney import (
    Action,
    ActPlayer,
    BetRamp,
    Card,
    ChartPlayer,
    CountingPlayer,
    CountSystem,
    Hand,
    InsuringPlayer,
    Player,
    deviates,
    pure,
)
from tourney.errors import DeckEmpty
from tourney.execution.engine_selection import play_batch
from tourney.game.blocks import Batch
from tourney.game.lineup import Declared, Lineup, declared_by
from tourney.game.rules import Rules
from tourney.game.seats import play_block
from tourney.games.blackjack.declaration import ROWS, UPCARDS, Cell
from tourney.games.blackjack.players import Chart
from tourney.games.blackjack.rules import PRESETS, BlackjackRules
from tourney.strategies.counting import TAGS, Counting
from tourney.strategies.sharp import Sharp
from tourney.strategies.simple import Simple

from .any_casino import AnyBlock, any_casino_block, block_of
from .any_declared import Indices

MOVES = (Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)


def random_chart(rng_seed: int) -> Chart:
    """Make a chart of random cells."""
    dice = Random(rng_seed)

    def any_cell() -> Cell:
        return tuple(dice.sample(MOVES, dice.randint(1, 3)))

    return Chart(tuple(tuple(any_cell() for _ in UPCARDS) for _ in ROWS), shows_both=False)


class Charted(ChartPlayer):
    """Plays a random chart."""

    chart = random_chart(1)


class Splitter(ActPlayer):
    """Splits and doubles whatever it may, and gives up a 15."""

    @pure
    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Make as many wagers as possible."""
        wishes = [Action.INSURE, Action.SPLIT]
        wishes += [Action.SURRENDER] if player.total == 15 else [Action.DOUBLE]
        wishes += [Action.HIT] if player.total < 12 + dealer.total // 5 else []
        return next((each for each in wishes if each in legal), legal[0])


class Erratic(ActPlayer):
    """Acts by a table without any sense."""

    @pure
    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Choose by all that is allowed to matter, but by no reason."""
        if Action.DECLINE in legal:
            return Action.DECLINE
        is_pair = len(player) == 2 and player.cards[0].value == player.cards[1].value
        number = player.total * 7 + dealer.total * 5 + player.soft * 3 + dealer.soft + is_pair
        return legal[number % len(legal)]


class Casino(InsuringPlayer, ChartPlayer):
    """Counts, ramps, plays a chart, and takes insurance by the count."""

    chart = random_chart(2)
    insures_from = 1
    system = CountSystem(TAGS, per_deck=True, decks=2)
    ramp = BetRamp({1: 3, 3: 10}, short="rest")


class CharteredCount(CountingPlayer, Charted):
    """Counts and plays a chart."""

    system = CountSystem(TAGS)
    ramp = BetRamp({2: 4}, short="minimum")


class Insured(InsuringPlayer, Simple):
    """Only draws, by the count, but takes insurance by the count too."""

    insures_from = 0
    system = CountSystem(TAGS, per_deck=True, decks=6, rounding="nearest")
    ramp = BetRamp({0: 2, 2: 7}, short="rest")

    @deviates({12: {2: 0, 11: 1}, 16: {10: -1, 9: 2}})
    def draw(self, dealer: Card, player: Hand) -> bool:
        """Deviate now and then."""
        return super().draw(dealer, player)


class Deviator(Indices):
    """The same with a true count and a chart of two decks."""

    chart = random_chart(5)
    system = CountSystem(TAGS, per_deck=True, decks=2)


SHOWN_BOTH: tuple[type[Player], ...] = (Simple, Counting, Sharp, Splitter, Erratic, Insured)
"""Those who play by whatever the dealer shows; a chart by upcards is not declared for two cards."""
DECLARED: tuple[type[Player], ...] = (
    *SHOWN_BOTH,
    Charted,
    Casino,
    CharteredCount,
    Deviator,
)


@cache
def declared(kind: type[Player], rules: Rules) -> Declared:
    """Give what a player declares, asked once for all blocks at some rules."""
    return declared_by(kind(), rules)


def check(table: AnyBlock) -> None:
    """Play a block twice and compare everything."""
    batch = Batch(0, 0, (table.block,))
    lineup = Lineup(table.make_player, lambda entrant, rules: declared(table.kinds[entrant], rules))
    try:
        expected = play_block(table.block, table.make_player)
    except DeckEmpty:
        with pytest.raises(DeckEmpty):
            play_batch(batch, lineup, "compiled")
        return
    (found,) = play_batch(batch, lineup, "compiled").results
    assert found == expected
    assert found.digest == expected.digest


@tried(150)
@given(any_casino_block(DECLARED))
def test_tables_with_every_choice_are_played_alike(table: AnyBlock) -> None:
    """Any rules, seats, bankrolls that run short, and shoes that run out in the middle."""
    rules = table.block.rules
    assert isinstance(rules, BlackjackRules)
    if rules.dealer_shows == "both":
        assume(set(table.kinds) <= set(SHOWN_BOTH))
    check(table)


@pytest.mark.parametrize("name", PRESETS)
@tried(4)
@given(seats=st.lists(st.sampled_from(DECLARED), min_size=1, max_size=7), key=st.integers(0, 99))
def test_presets_are_played_alike(name: str, seats: list[type[Player]], key: int) -> None:
    """The games that people play, for long enough to see what is rare."""
    rules = PRESETS[name]
    if rules.dealer_shows == "both":
        seats = [each for each in seats if each in SHOWN_BOTH] or [Splitter]
    block = block_of(rules, [10**6] * len(seats), 500, rng_seed=key)
    follows_luck = rules.shuffle == "uniform"
    check(AnyBlock(replace(block, follows_luck=follows_luck), tuple(seats)))


class Greedy(ActPlayer):
    """Splits what it may, and draws to 18."""

    @pure
    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Take as many cards as possible."""
        if Action.SPLIT in legal:
            return Action.SPLIT
        return Action.HIT if player.total < 18 else Action.STAND


def test_a_deck_that_is_all_on_the_table_is_an_error_of_both() -> None:
    """Seven seats that split all they can need more cards than a deck has."""
    rules = BlackjackRules(split="by-value", hands=8, split_aces="played", reshuffle=1)
    crowd = AnyBlock(block_of(rules, [10**6] * 7, 2_000), (Greedy,) * 7)
    with pytest.raises(DeckEmpty, match="every card is on the table"):
        play_block(crowd.block, crowd.make_player)
    check(crowd)
