"""Any rules of blackjack, and any block at them, for hypothesis to choose from."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from hypothesis import strategies as st

from tourney import Player
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.games.blackjack.rules import CARDS_IN_A_DECK, BlackjackRules

from .any_state import any_state


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
def any_casino_rules(draw: st.DrawFn) -> BlackjackRules:
    """Draw rules with every choice that a seat can have."""
    some_decks: list[int | Literal["infinite"]] = [1, 1, 2, 6, 8, "infinite"]
    decks = draw(st.sampled_from(some_decks))
    most = CARDS_IN_A_DECK * (decks if isinstance(decks, int) else 1)
    rules = BlackjackRules(
        decks=decks,
        shuffle=draw(st.sampled_from(["uniform", "riffle"] if decks == 1 else ["uniform"])),
        reshuffle=draw(st.one_of(st.integers(1, most), st.just("every-round"))),
        reshuffle_percent=draw(st.sampled_from([0, 0, 30])),
        wager=draw(st.sampled_from(["chosen", "chosen", "minimum"])),
        dealing=draw(st.sampled_from(["seats-first", "dealer-first", "dealer-both"])),
        dealer_shows=draw(st.sampled_from(["upcard", "upcard", "both"])),
        hole_card=draw(st.sampled_from(["if-compared", "always"])),
        dealer_natural=draw(st.sampled_from(["is-21", "beats-all", "wins-at-once"])),
        insurance=draw(st.sampled_from(["never", "offered"])),
        natural=draw(st.sampled_from(["3:2", "6:5", "1:1"])),
        payout=draw(st.sampled_from(["floor", "exact"])),
        soft_17=draw(st.sampled_from(["stand", "hit"])),
        stands_on_21=draw(st.booleans()),
        double=draw(st.sampled_from(["first-two", "first-two", "never", "9-11", "10-11"])),
        double_after_split=draw(st.booleans()),
        split=draw(st.sampled_from(["by-value", "by-value", "by-rank", "never"])),
        hands=draw(st.sampled_from([1, 2, 4, 4, 8])),
        split_aces=draw(st.sampled_from(["one-card", "resplit", "played"])),
        surrender=draw(st.sampled_from(["never", "first"])),
        stop=draw(st.sampled_from(["at-least", "above"])),
    )
    if draw(st.integers(0, 3)) or rules.dealer_natural == "wins-at-once":
        return rules
    return replace(rules, hole_card="none", dealer_shows="upcard")


@st.composite
def any_casino_block(draw: st.DrawFn, kinds: tuple[type[Player], ...]) -> AnyBlock:
    """Draw a block of one to seven seats, poor ones and rich ones.

    Args:
        draw: Chooses.
        kinds: Players to choose from.
    """
    rules = draw(any_casino_rules())
    # Seven seats that split all they can may put a whole deck on the table.
    most = 3 if rules.decks == 1 else 7
    seated = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=most))
    minimum = draw(st.integers(1, 20))
    chips = st.one_of(st.integers(0, 600), st.just(10**9))
    bankrolls = draw(st.lists(chips, min_size=len(seated), max_size=len(seated)))
    parts = draw(st.integers(0, rules.unit - 1))  # of a chip, which cannot be wagered
    first_round = draw(st.integers(1, 1000))
    block = block_of(
        rules,
        [each * rules.unit + parts for each in bankrolls],
        draw(st.one_of(st.integers(1, 40), st.integers(100, 200))),
        minimum=minimum * rules.unit,
        maximum=minimum * draw(st.integers(1, 60)) * rules.unit,
        first_round=first_round,
        rng_seed=draw(st.integers(0, 10**9)),
    )
    follows_luck = rules.shuffle == "uniform" and draw(st.booleans())
    block = replace(block, state=draw(any_state(first_round)), follows_luck=follows_luck)
    return AnyBlock(block, tuple(seated))


def block_of(
    rules: BlackjackRules,
    bankrolls: list[int],
    rounds: int,
    *,
    minimum: int = 20,
    maximum: int = 2_000,
    first_round: int = 1,
    rng_seed: int = 1,
) -> Block:
    """Give a block whose seats are entrants of their own; all chips in the unit of the rules."""
    field = Field(
        entrants=len(bankrolls),
        rules=rules,
        bankroll=0,  # every seat has its own
        minimum=minimum,
        maximum=maximum,
        secret=Secret.from_seed(rng_seed),
    )
    key = BlockKey(0, 0, 0, 0, first_round)
    return field.block(key, tuple(enumerate(bankrolls)), rounds)
