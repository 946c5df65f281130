"""Blackjack hands as rows of data: cards, outcomes, counts, and the best moves.

As for luck, the best move is for an infinite shoe with a single split. So a counter may have good
reasons to deviate from it.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from tourney.game.cards.card import DECK_SIZE, RANKS, cards_seen, names_of, short_name
from tourney.game.cards.shoe import InfiniteShoe, Shoe
from tourney.game.rows import Field, RowsWriter
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import TOTALS
from tourney.games.blackjack.exact.baseline import MoveWorths
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.position import (
    ACE,
    DEALT,
    MORE,
    PAIR,
    SPLIT,
    SPLIT_ACES,
    Position,
    after,
    hand_after,
)
from tourney.games.blackjack.records import Acted, InsuranceSettled, Settled, TableCards
from tourney.games.blackjack.round import Round

BETWEEN = " | "
"""Separates the hands of a seat that has split."""
INSURANCE_WORTHS = {Action.DECLINE: 0.0, Action.INSURE: -1 / 26}
"""Per chip wagered: insurance costs half a chip and pays 2:1 for four of thirteen ranks."""
LOW, HIGH = range(2, 7), range(10, 12)
"""Values that count +1 and -1 in the high-low count."""


class HandRows(RowsWriter):
    """Writes the rows of a block of blackjack."""

    of_hands: ClassVar[tuple[Field, ...]] = (
        *RowsWriter.of_hands,
        Field("cards", "string", f"own cards as dealt; hands after a split with{BETWEEN}between"),
        Field("dealer", "string", "the dealer's cards, including the hole card"),
        Field("actions", "string", "moves of each hand, and insurance"),
        Field("outcome", "string", "result of each hand"),
        Field("insurance", "string", "paid or lost; null if it was not taken"),
        Field("count", "integer", "high-low count before the round, of cards since the shuffle"),
        Field("unseen", "integer", "cards of the shoe not shown before it; null if infinite"),
    )

    of_decisions: ClassVar[tuple[Field, ...]] = (
        *RowsWriter.of_decisions,
        Field("least", "integer", "least wager in chips; null if the decision is not a wager"),
        Field("most", "integer", "greatest wager in chips; null if the decision is not a wager"),
        Field("hand", "integer", "number of the seat's hand, from 1; null for a wager"),
        Field("cards", "strings", "cards of that hand; null for a wager"),
        Field("total", "integer", "total of these cards; null for a wager"),
        Field("soft", "boolean", "whether an ace counts 11; null for a wager"),
        Field("upcard", "string", "the dealer's first card; null for a wager"),
        Field("exposed", "strings", "the dealer's cards that lie face up; null for a wager"),
        Field("wager", "number", "chips wagered on the hand; null for a wager"),
        Field("count", "integer", "high-low count of the cards shown since the shuffle"),
        Field("unseen", "integer", "cards of the shoe not shown; null if infinite"),
        Field("true_count", "number", "points per 52 unseen cards; null if no card is unseen"),
        Field("best", "string", "best legal action without a count; null if unknown"),
        Field("cost", "number", "chips lost on average by not choosing it; null if unknown"),
    )

    def __init__(self, seats: int, unit: int, worths: MoveWorths | None = None) -> None:
        super().__init__(seats, unit)
        self._worths = worths
        self._count, self._unseen = 0, 0
        self._whole = 0  # number of cards of a full shoe
        self._shown = 0  # cards shown in the round
        self._is_infinite = False

    def shuffled(self, shoe: Shoe) -> None:
        """Reset the count; the shown cards on the table stay seen, as the new shoe lacks them."""
        self._whole = max(self._whole, shoe.size)
        self._count, self._unseen = 0, self._whole - self._shown
        self._is_infinite = isinstance(shoe, InfiniteShoe)
        # A shoe may run out during the opening deal, whose cards are reported only after it.
        if not self._wagers:
            self._known = (self._count, self._unseen)

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Clear the table."""
        super().opened(number, bankrolls)
        self._known = (self._count, self._unseen)  # before the round
        self._shown = 0
        self._cards = TableCards(len(bankrolls))
        self._actions: dict[tuple[int, int], list[str]] = {}  # by turn and hand
        self._outcomes: dict[tuple[int, int], str] = {}
        self._insured: dict[int, str] = {}

    def happened(self, record: Any) -> None:
        """Track the cards, moves and outcomes."""
        if card := self._cards.follow(record):
            self._shown += 1
            self._unseen -= 1
            self._count += (card.value in LOW) - (card.value in HIGH)
        kind = type(record)
        if kind is Acted:
            self._actions.setdefault((record.seat, record.hand), []).append(str(record.action))
        elif kind is Settled:
            self._outcomes[record.seat, record.hand] = record.outcome.name.lower().replace("_", " ")
        elif kind is InsuranceSettled:
            self._insured[record.seat] = "paid" if record.is_paid else "lost"

    def decision_of(self, view: Any, legal: Sequence[Any], answer: str) -> tuple[Any, ...]:
        """Return the limits of a wager, or the hand, the dealer's cards and the best action."""
        unseen = None if self._is_infinite else self._unseen
        true = self._count * DECK_SIZE / unseen if unseen else 0.0 if self._is_infinite else None
        known = (self._count, unseen, true)
        if not legal:
            least, most = view[1:] if view else (None, None)
            return (least, most, *(None,) * 7, *known, None, None)
        played, exposed = view.in_play, view.exposed.cards
        hand, wager = played.hand, played.wager / self._unit
        own = (played.number + 1, names_of(hand.cards), hand.total, hand.soft)
        dealer = (short_name(exposed[0]), names_of(exposed))
        return (None, None, *own, *dealer, wager, *known, *self._judged(view, legal, answer))

    def _judged(
        self, state: Round, legal: Sequence[Action], answer: str
    ) -> tuple[str | None, float | None]:
        """Return the best action, and the average loss of the answer against it, in chips."""
        played = state.in_play
        if self._worths is None or played is None:
            return None, None
        if state.asks_insurance:
            worths = INSURANCE_WORTHS
        else:
            values = [card.value for card in state.exposed.cards]
            worths = self._worths.of(values, position_of(played.hand, is_split=played.is_split))
        if not all(action in worths for action in legal):
            return None, None
        best = max(legal, key=worths.__getitem__)  # the first of equals
        if not answer:
            return str(best), None
        lost = worths[best] - worths[Action[answer.upper()]]
        return str(best), lost * played.wager / self._unit

    def hand_of(self, turn: int) -> tuple[Any, ...]:
        """Return the cards, moves and results of a seat's hands."""
        hands = self._cards.hands[turn]
        numbers = range(len(hands))
        count, unseen = self._known
        return (
            BETWEEN.join(cards_seen(hand.cards) for hand in hands),
            cards_seen(self._cards.dealer_cards),
            BETWEEN.join(" ".join(self._actions.get((turn, number), [])) for number in numbers),
            BETWEEN.join(self._outcomes.get((turn, number), "") for number in numbers),
            self._insured.get(turn),
            count,
            None if self._is_infinite else unseen,
        )


def position_of(hand: Hand, *, is_split: bool) -> Position:
    """Return the position of a hand in play.

    Args:
        hand: The hand.
        is_split: Whether it comes from a split.
    """
    if len(hand) != PAIR:
        return Position(hand.soft * TOTALS + hand.total, MORE)
    first, second = (card.code % RANKS for card in hand.cards)
    origin = (SPLIT_ACES if first == ACE else SPLIT) if is_split else DEALT
    single = hand_after(0, hand.cards[0].value)
    return after(Position(single, 1, first, origin=origin), second)
