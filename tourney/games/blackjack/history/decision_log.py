"""The decisions of a block in a compact form, to be judged later.

A decision takes about 25 bytes, because a published run keeps those of thousands of blocks.
"""

from collections.abc import Iterator, Sequence
from struct import Struct
from typing import Any, NamedTuple

from tourney.game.cards.card import RANKS, Card
from tourney.game.watcher import Watcher
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.asking.views import LEGAL

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
