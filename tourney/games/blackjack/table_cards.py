"""The cards on the table in a round, hand by hand, by the records of the round."""

from tourney.game.cards.card import Card
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.records import DEALER, Acted, Dealt, Record, Revealed


class TableCards:
    """Follows the records of a round.

    Args:
        seats: Number of seats in the round.
    """

    def __init__(self, seats: int) -> None:
        self.dealer = Hand()  # the face-up cards
        self.dealer_cards: list[Card] = []  # with a hole card that is face down
        self.hands = [*([Hand()] for _ in range(seats)), [self.dealer]]
        """By seat and number; DEALER is -1 and so the last."""

    def follow(self, record: Record) -> Card | None:
        """Deal, turn or split cards as in a record; return the card that it turns face up."""
        if isinstance(record, Dealt):
            if record.seat == DEALER:
                self.dealer_cards.append(record.card)
            if record.is_face_up:
                self.hands[record.seat][record.hand].add_card(record.card)
                return record.card
        elif isinstance(record, Revealed):
            self.dealer.add_card(record.card)
            return record.card
        elif isinstance(record, Acted) and record.action is Action.SPLIT:
            hands = self.hands[record.seat]
            first, second = hands[record.hand].cards
            hands[record.hand] = Hand((first,))
            hands.append(Hand((second,)))
        return None
