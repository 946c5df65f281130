"""The decisions of a block in a compact form, and the true count before each round.

A decision takes about 25 bytes, because a published run keeps those of thousands of blocks.

A true count is the points of the cards seen since the shuffle, per 52 unseen cards, rounded down.
A card is seen when players see it: a hole card when it is turned.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple

from tourney.errors import RulesError
from tourney.game.cards.card import CARDS, RANKS, Card
from tourney.game.cards.shoe import Shoe
from tourney.game.counting import NO_COUNT, CountedRounds, tags_of
from tourney.game.turns import Watcher
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.asking.views import LEGAL
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.exact.deviations import HIGH_LOW
from tourney.games.blackjack.position import VALUES
from tourney.games.blackjack.records import Dealt, Revealed
from tourney.games.blackjack.rules import CARDS_IN_A_DECK, BlackjackRules

if TYPE_CHECKING:
    from tourney.game.arrays import NDArray, np
    from tourney.game.blocks import Block

HEAD = Struct("<QqBBBBB")
"""Round, wager, action, bits of the legal actions, whether the hand comes from a split, and the
numbers of the dealer's face-up cards and of the hand's cards. Their ranks follow, a byte each.
"""


class Situation(NamedTuple):
    """All facts about a decision that its value depends on, for each chip wagered."""

    exposed: bytes  # ranks of the dealer's face-up cards
    cards: bytes  # ranks of the hand's cards; two is rank 0
    legal: tuple[Action, ...]
    is_split: bool  # whether the hand comes from a split


class LoggedDecision(NamedTuple):
    """A move of a player."""

    round: int
    wager: int  # on the hand, in parts of a chip
    action: Action
    situation: Situation


class DecisionLog(Watcher):
    """Records the moves of the players of a block.

    Args:
        seats: Number of seats.
    """

    def __init__(self, seats: int) -> None:
        self._records = [bytearray() for _ in range(seats)]
        self._round = 0
        self._faced: tuple[Any, Sequence[Action]] | None = None  # state and legal actions

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Begin a round."""
        del bankrolls
        self._round = number

    def faced(self, seat: int, view: Any, legal: Sequence[Any]) -> None:
        """Store the situation of a seat, which answers next."""
        del seat
        self._faced = (view, legal) if legal else None

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Record a move."""
        del call, seen
        faced, self._faced = self._faced, None
        if not answer or not faced:  # a fault, or a wager
            return
        (state, legal), action = faced, Action[answer.upper()]
        played = state.in_play
        exposed, cards = _ranks(state.exposed.cards), _ranks(played.hand.cards)
        bits = sum(1 << each for each in legal)
        counts = (len(exposed), len(cards))
        head = HEAD.pack(self._round, played.wager, action, bits, played.is_split, *counts)
        self._records[seat] += head + exposed + cards

    def decisions(self, seat: int) -> Iterator[LoggedDecision]:
        """Yield the decisions of a seat, from 0, in order."""
        records, at = bytes(self._records[seat]), 0
        while at < len(records):
            number, wager, action, bits, is_split, shown, own = HEAD.unpack_from(records, at)
            middle = at + HEAD.size + shown
            exposed, cards = records[at + HEAD.size : middle], records[middle : middle + own]
            situation = Situation(exposed, cards, LEGAL[bits], bool(is_split))
            yield LoggedDecision(number, wager, Action(action), situation)
            at = middle + own


def _ranks(cards: Sequence[Card]) -> bytes:
    return bytes(card.code % RANKS for card in cards)


HI_LO, OWN = "hi-lo", "its own"
"""Names of counts: the most common one, and the count of the player itself."""
MOST_POINTS = 1_000
"""Limit for the points of a card; it keeps sums within 64 bits."""


class _CountedRounds(CountedRounds):
    def __init__(self, tags: tuple[int, ...], decks: int) -> None:
        super().__init__()
        self._tags, self._cards = tags, decks * CARDS_IN_A_DECK
        self._count = self._seen = 0

    @property
    def points(self) -> int:
        return self._count * CARDS_IN_A_DECK // max(self._cards - self._seen, 1)

    def shuffled(self, shoe: Shoe) -> None:
        del shoe
        self._count = self._seen = 0

    def happened(self, record: Any) -> None:
        if isinstance(record, Revealed) or (isinstance(record, Dealt) and record.is_face_up):
            self._count += self._tags[record.card.code]
            self._seen += 1


@dataclass(frozen=True, slots=True)
class BlackjackCounting:
    """A count: the points of each card."""

    name: str
    tags: tuple[int, ...]  # by card code
    rules: BlackjackRules

    def watcher(self) -> CountedRounds:
        """Return a watcher that counts the cards of a block."""
        decks = self.rules.decks
        return _CountedRounds(self.tags, decks if isinstance(decks, int) else 0)

    def logged(self, block: "Block", declared: object) -> "NDArray[np.int64]":
        """Play a block in compiled code, and return its rounds."""
        from tourney.games.blackjack.engines.compiled_play import log_block  # noqa: PLC0415 - loads numba

        assert isinstance(declared, Declaration)
        return log_block(block, declared, self.tags)


def counting_of(rules: BlackjackRules, text: str, declared: object) -> BlackjackCounting:
    """Return the count that a text names.

    Args:
        rules: The rules of the game.
        text: "hi-lo", the points of ten cards from 2 to ace, or empty for the player's own count.
        declared: The player's declaration; without a count in it, hi-lo is used.
    Raises: RulesError, if the text is not a count, or the game has no true count.
    """
    if text == NO_COUNT:
        return BlackjackCounting(text, (0,) * len(CARDS), rules)
    if rules.decks == "infinite":
        raise RulesError("decks: an infinite shoe has no true count; add decks=6, for example")
    if not text and isinstance(declared, Declaration) and declared.counts:
        return BlackjackCounting(OWN, declared.tags, rules)
    values = HIGH_LOW if text in {"", HI_LO} else tags_of(text, len(VALUES))
    if not any(values) or max(map(abs, values)) > MOST_POINTS:
        raise RulesError(
            f"tags: {text[:40]!r} is not a count; use {HI_LO} or the points of ten cards from 2 to "
            f"ace, such as '{' '.join(map(str, HIGH_LOW))}'"
        )
    tags = tuple(values[VALUES.index(card.value)] for card in CARDS)
    return BlackjackCounting(text or HI_LO, tags, rules)
