"""Any table at all: random rules, seats and players, for hypothesis to choose from."""

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st

from tourney import Card, Hand, Player
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.games.blackjack.rules import CARDS_IN_A_DECK, BlackjackRules
from tourney.strategies.chaser import Chaser
from tourney.strategies.composition import Composition
from tourney.strategies.counting import Counting
from tourney.strategies.edge import Edge
from tourney.strategies.kelly import Kelly
from tourney.strategies.mimic import Mimic
from tourney.strategies.never_bust import NeverBust
from tourney.strategies.progression import Progression
from tourney.strategies.ramp import Ramp
from tourney.strategies.sharp import Sharp
from tourney.strategies.simple import Simple
from tourney.strategies.survivor import Survivor


class Whim(Player):
    """Does anything that is allowed."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet anything, often all."""
        most = min(bankroll, self.table.maximum)
        return self.random.choice([minimum, most, self.random.randint(minimum, most)])

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Toss a coin."""
        return self.random.random() < 0.5


class Watchful(Whim):
    """Does anything that is allowed, and lets what it sees decide."""

    def __init__(self) -> None:
        self.seen = 0

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Mix all that was seen."""
        return hash((self.seen, dealer.value, player.total)) % 2 == 0

    def expose(self, card: Card) -> None:
        """Remember the cards and their order."""
        self.seen = hash((self.seen, card.code))

    def shuffled(self) -> None:
        """Remember how often."""
        self.seen += 1


class Clumsy(Watchful):
    """Breaks its contract now and then, in every way there is."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet too much, or fail."""
        self._stumble()
        return bankroll + 1 if self.random.random() < 0.01 else super().bet(bankroll, minimum)

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Answer nothing, or fail."""
        self._stumble()
        if self.random.random() < 0.01:
            return None  # type: ignore[return-value]  # the fault that is meant
        return super().draw(dealer, player)

    def expose(self, card: Card) -> None:
        """Fail, too."""
        self._stumble()
        super().expose(card)

    def _stumble(self) -> None:
        if self.random.random() < 0.005:
            raise RuntimeError


BUNDLED = (
    Chaser,
    Composition,
    Counting,
    Edge,
    Kelly,
    Mimic,
    NeverBust,
    Progression,
    Ramp,
    Sharp,
    Simple,
    Survivor,
)
CORRECT: tuple[type[Player], ...] = (Whim, Watchful, *BUNDLED)


@dataclass(frozen=True)
class AnyTable:
    """A block and who sits at it."""

    block: Block
    kinds: tuple[type[Player], ...]

    @property
    def make_player(self) -> Callable[[int], Player]:
        """Make a new player for a seat's entrant."""
        return lambda entrant: self.kinds[entrant]()


@st.composite
def any_rules(draw: st.DrawFn) -> BlackjackRules:
    """Draw rules that do not contradict each other."""
    decks = draw(st.sampled_from([1, 1, *range(2, 9), "infinite"]))
    most = CARDS_IN_A_DECK * (decks if isinstance(decks, int) else 1)
    return BlackjackRules(
        decks=decks,
        shuffle=draw(st.sampled_from(["uniform", "riffle"] if decks == 1 else ["uniform"])),
        reshuffle=draw(st.one_of(st.integers(1, most), st.just("every-round"))),
        natural=draw(st.sampled_from(["3:2", "6:5", "1:1"])),
        payout=draw(st.sampled_from(["floor", "exact"])),
        soft_17=draw(st.sampled_from(["stand", "hit"])),
        stop=draw(st.sampled_from(["at-least", "above"])),
    )


@st.composite
def any_table(draw: st.DrawFn, kinds: tuple[type[Player], ...] = CORRECT) -> AnyTable:
    """Draw a table of one to seven seats."""
    rules = draw(any_rules())
    seated = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=7))
    minimum = draw(st.integers(1, 20))
    maximum = minimum * draw(st.integers(1, 30))
    field = Field(
        entrants=len(seated),
        rules=rules,
        bankroll=0,  # every seat has its own
        minimum=minimum * rules.unit,
        maximum=maximum * rules.unit,
        secret=Secret.from_seed(draw(st.integers(0, 10**6))),
    )
    bankrolls = draw(st.lists(st.integers(0, 600), min_size=len(seated), max_size=len(seated)))
    seats = tuple((entrant, chips * rules.unit) for entrant, chips in enumerate(bankrolls))
    key = BlockKey(0, 0, draw(st.integers(0, 99)), 0, draw(st.integers(1, 1000)))
    return AnyTable(field.block(key, seats, draw(st.integers(1, 40))), tuple(seated))
