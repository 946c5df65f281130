"""Hands of blackjack as rows: the cards, how hands ended, and what a counter knew."""

from typing import Any, ClassVar

from tourney.game.cards.card import Card
from tourney.game.cards.letters import cards_seen
from tourney.game.cards.shoe import InfiniteShoe, Shoe
from tourney.game.rows import Field, RowsWriter
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.records import (
    DEALER,
    Acted,
    Dealt,
    InsuranceSettled,
    Revealed,
    Settled,
)

BETWEEN = " | "
"""Stands between the hands of a seat that has split."""
LOW, HIGH = range(2, 7), range(10, 12)
"""Values that the high-low count adds one for, and takes one for."""


class BlackjackRows(RowsWriter):
    """Writes rows down for a block of blackjack."""

    of_hands: ClassVar[tuple[Field, ...]] = (
        *RowsWriter.of_hands,
        Field("cards", "string", f"own cards as dealt; hands after a split with{BETWEEN}between"),
        Field("dealer", "string", "the dealer's cards, the hole card too"),
        Field("actions", "string", "moves of each hand, and insurance"),
        Field("outcome", "string", "how each hand ended"),
        Field("insurance", "string", "paid or lost; null if none was taken"),
        Field("count", "integer", "high-low count before the round, of cards since the shuffle"),
        Field("unseen", "integer", "cards of the shoe not shown before it; null if endless"),
    )

    def __init__(self, seats: int, unit: int) -> None:
        super().__init__(seats, unit)
        self._count, self._unseen = 0, 0
        self._whole = 0  # cards of a full shoe
        self._shown = 0  # cards shown in the round
        self._is_endless = False
        self._known = (0, 0)  # the count and the cards unseen, before the round
        self._dealer: list[Card] = []
        self._cards: dict[tuple[int, int], list[Card]] = {}  # by turn and hand
        self._actions: dict[tuple[int, int], list[str]] = {}
        self._outcomes: dict[tuple[int, int], str] = {}
        self._insured: dict[int, str] = {}

    def shuffled(self, shoe: Shoe) -> None:
        """Forget the count; cards on the table are in no new shoe, but those shown stay so."""
        self._whole = max(self._whole, shoe.size)
        self._count, self._unseen = 0, self._whole - self._shown
        self._is_endless = isinstance(shoe, InfiniteShoe)
        # A shoe may run out among the opening cards, which are told when all of them lie there.
        if not self._wagers:
            self._known = (self._count, self._unseen)

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Clear the table."""
        super().opened(number, bankrolls)
        self._known = (self._count, self._unseen)
        self._shown = 0
        self._dealer, self._cards, self._actions = [], {}, {}
        self._outcomes, self._insured = {}, {}

    def happened(self, record: Any) -> None:
        """Follow the cards."""
        kind = type(record)
        if kind is Dealt:
            mine = self._cards.setdefault((record.seat, record.hand), [])
            (self._dealer if record.seat == DEALER else mine).append(record.card)
            if record.is_face_up:
                self._show(record.card)
        elif kind is Revealed:
            self._show(record.card)
        elif kind is Acted:
            self._act(record)
        elif kind is Settled:
            self._outcomes[record.seat, record.hand] = record.outcome.name.lower().replace("_", " ")
        elif kind is InsuranceSettled:
            self._insured[record.seat] = "paid" if record.is_paid else "lost"

    def _show(self, card: Card) -> None:
        self._shown += 1
        self._unseen -= 1
        self._count += (card.value in LOW) - (card.value in HIGH)

    def _act(self, record: Acted) -> None:
        self._actions.setdefault((record.seat, record.hand), []).append(str(record.action))
        if record.action is Action.SPLIT:
            first, second = self._cards[record.seat, record.hand]
            new = max(hand for seat, hand in self._cards if seat == record.seat) + 1
            self._cards[record.seat, record.hand] = [first]
            self._cards[record.seat, new] = [second]

    def hand_of(self, turn: int) -> tuple[Any, ...]:
        """Give cards, moves and ends of a seat's hands."""
        hands = sorted(hand for seat, hand in self._cards if seat == turn)
        count, unseen = self._known
        return (
            BETWEEN.join(cards_seen(self._cards[turn, hand]) for hand in hands),
            cards_seen(self._dealer),
            BETWEEN.join(" ".join(self._actions.get((turn, hand), [])) for hand in hands),
            BETWEEN.join(self._outcomes.get((turn, hand), "") for hand in hands),
            self._insured.get(turn),
            count,
            None if self._is_endless else unseen,
        )
