"""Any block of declared players at any hit-or-stand table, for hypothesis to choose from."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

from hypothesis import strategies as st

from tourney import (
    Action,
    BetRamp,
    Card,
    CountingPlayer,
    CountSystem,
    Hand,
    Player,
    Rank,
    deviates,
    pure,
)
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.games.blackjack.players import Chart, ChartPlayer
from tourney.games.blackjack.players.chart import always
from tourney.games.blackjack.rules import CARDS_IN_A_DECK, BlackjackRules
from tourney.strategies.chaser import Chaser
from tourney.strategies.counting import TAGS, Counting
from tourney.strategies.mimic import Mimic
from tourney.strategies.never_bust import NeverBust
from tourney.strategies.ramp import Ramp
from tourney.strategies.sharp import Sharp
from tourney.strategies.simple import Simple

from .any_state import any_state


class Reckless(Simple):
    """Hits everything, a 21 too."""

    @pure
    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit."""
        return True


class Timid(Simple):
    """Never hits."""

    @pure
    def draw(self, dealer: Card, player: Hand) -> bool:
        """Stand."""
        return False


class Erratic(Simple):
    """Plays by a table without any sense."""

    @pure
    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit by total, softness and upcard, but by no reason."""
        return (player.total * 7 + dealer.value * 5 + player.soft * 3) % 4 > 1


class Wild(CountingPlayer, Erratic):
    """Counts with odd tags, rounds to the nearest and wagers all it may."""

    system = CountSystem(
        {Rank.FIVE: 3, Rank.KING: -2, Rank.ACE: -5, Rank.SEVEN: 1},
        per_deck=True,
        decks=2,
        rounding="nearest",
    )
    ramp = BetRamp({-3: 2, 0: 1, 1: 7, 5: 40}, short="rest")

    @deviates({12: {2: 0, 11: 1}, 16: {10: -1, 9: 2}, 20: {6: 3}})
    def draw(self, dealer: Card, player: Hand) -> bool:
        """Play by no reason where there is no index."""
        return super().draw(dealer, player)


class Cautious(CountingPlayer, Sharp):
    """Takes a running count of aces, and a true one towards zero."""

    system = CountSystem(TAGS, per_deck=True, rounding="to-zero")
    ramp = BetRamp({-1: 1, 1: 3}, short="minimum")


class HitsTo16(ChartPlayer):
    """Plays a chart of one letter."""

    chart: ClassVar[Chart] = always(Action.STAND, shows_both=False)


DECLARED: tuple[type[Player], ...] = (
    Simple,
    Counting,
    Sharp,
    Ramp,
    Mimic,
    NeverBust,
    Reckless,
    Timid,
    Erratic,
    Wild,
    Cautious,
    HitsTo16,
)


@dataclass(frozen=True)
class AnyBlock:
    """A block and who sits at it."""

    block: Block
    kinds: tuple[type[Player], ...]

    @property
    def make_player(self) -> Callable[[int], Player]:
        """Make a new player for a seat's entrant."""
        return lambda entrant: self.kinds[entrant]()


@st.composite
def any_rules(draw: st.DrawFn) -> BlackjackRules:
    """Draw rules of hit or stand that do not contradict each other."""
    decks: int | Literal["infinite"] = draw(st.sampled_from([1, 1, 1, 2, 3, 6, 8, 20, "infinite"]))
    most = CARDS_IN_A_DECK * (decks if isinstance(decks, int) else 1)
    few = st.integers(1, min(most, 30))
    return BlackjackRules(
        decks=decks,
        shuffle=draw(st.sampled_from(["uniform", "riffle"] if decks == 1 else ["uniform"])),
        reshuffle=draw(st.one_of(few, st.integers(1, most), st.just("every-round"))),
        reshuffle_percent=draw(st.sampled_from([0, 0, 30, 75, 100])),
        wager=draw(st.sampled_from(["chosen", "chosen", "minimum"])),
        dealing=draw(st.sampled_from(["seats-first", "dealer-first", "dealer-both"])),
        dealer_shows=draw(st.sampled_from(["upcard", "both"])),
        hole_card=draw(st.sampled_from(["if-compared", "always"])),
        dealer_natural=draw(st.sampled_from(["is-21", "wins-at-once"])),
        natural=draw(st.sampled_from(["3:2", "6:5", "1:1"])),
        payout=draw(st.sampled_from(["floor", "exact"])),
        soft_17=draw(st.sampled_from(["stand", "hit"])),
        stands_on_21=draw(st.booleans()),
        stop=draw(st.sampled_from(["at-least", "above"])),
    )


@st.composite
def any_block(
    draw: st.DrawFn, kinds: tuple[type[Player], ...] = DECLARED, most_seats: int = 7
) -> AnyBlock:
    """Draw a block of declared players, poor ones and rich ones."""
    rules = draw(any_rules())
    seated = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=most_seats))
    if rules.wager == "minimum" and draw(st.booleans()):
        seated[0] = Chaser  # whose wagers are its own affair, where nobody asks for them
    minimum = draw(st.integers(1, 20))
    field = Field(
        entrants=len(seated),
        rules=rules,
        bankroll=0,  # every seat has its own
        minimum=minimum * rules.unit,
        maximum=minimum * draw(st.integers(1, 60)) * rules.unit,
        secret=Secret.from_seed(draw(st.integers(0, 10**9))),
        follows_luck=rules.shuffle == "uniform" and draw(st.booleans()),
    )
    chips = st.one_of(st.integers(0, 600), st.just(10**9))
    bankrolls = draw(st.lists(chips, min_size=len(seated), max_size=len(seated)))
    parts = draw(st.integers(0, rules.unit - 1))  # of a chip, which cannot be wagered
    seats = tuple((entrant, each * rules.unit + parts) for entrant, each in enumerate(bankrolls))
    key = BlockKey(0, 0, draw(st.integers(0, 99)), 0, draw(st.integers(1, 1000)))
    rounds = draw(st.one_of(st.integers(1, 40), st.integers(100, 300)))
    state = draw(any_state(key.first_round))
    return AnyBlock(field.block(key, seats, rounds, state=state), tuple(seated))
