"""One round of Straights, from the deal to the last card.

Each seat makes thirteen moves, so the number of moves determines the next seat.
"""

from collections.abc import Iterator, Sequence
from itertools import compress

from tourney.errors import CardsError, IllegalActionError
from tourney.game.cards.card import CARDS, DECK_SIZE, Card, Rank, Suit, short_name
from tourney.game.rounds import RoundTable
from tourney.games.straights.player import StraightsView
from tourney.games.straights.records import DISCARDED, FACE_DOWN, PLAYED, SEATS, PublicEvent, Record
from tourney.games.straights.suits import ACE, EMPTY_TABLE, KING, POINTS, SEVEN, card_of, with_card

HAND_SIZE = DECK_SIZE // SEATS
NO_SCORES = NO_DISCARDS = (0,) * SEATS
FIRST_PLAY = Card(Rank.SEVEN, Suit.SPADES).code


def _opened_by(card: Card) -> tuple[int, ...]:
    """Return the codes of the cards that become playable when a card is played."""
    points = POINTS[card.code]
    opened = []
    if ACE < points <= SEVEN:
        opened.append(card_of(card.suit, points - 1).code)
    if SEVEN <= points < KING:
        opened.append(card_of(card.suit, points + 1).code)
    if card.code == FIRST_PLAY:
        opened += [card_of(suit, SEVEN).code for suit in Suit if suit is not card.suit]
    return tuple(opened)


OPENED_BY = tuple(map(_opened_by, CARDS))


def _sizes_after(first: int, moves: int) -> tuple[int, ...]:
    """Return the cards left in each hand after a number of moves."""
    moved = [(moves + SEATS - 1 - (seat - first) % SEATS) // SEATS for seat in range(SEATS)]
    return tuple(HAND_SIZE - each for each in moved)


SIZES = tuple(
    tuple(_sizes_after(first, moves) for moves in range(DECK_SIZE + 1)) for first in range(SEATS)
)
"""Cards left by seat; indexed by the first seat and the number of moves."""


class Round:
    """The state of a round; only `apply_action` changes it."""

    __slots__ = (
        "_cards",
        "_codes",
        "_discard_counts",
        "_discards",
        "_first",
        "_history",
        "_legal",
        "_moves",
        "_playable",
        "_table",
        "is_discard",
        "is_over",
        "records",
        "scores",
        "to_act",
    )

    def __init__(
        self, hands: Sequence[Sequence[Card]], scores: tuple[int, ...] = NO_SCORES
    ) -> None:
        """Start a round.

        Args:
            hands: Thirteen cards for each seat, in the order in which they are held.
            scores: Points of each seat before the round; players see them.
        Raises: CardsError, if the hands are not one whole deck or a seat has no score.
        """
        self._cards = [tuple(hand) for hand in hands]
        self._codes = [[card.code for card in hand] for hand in hands]  # of the same cards
        _check_deal(self._codes, scores)
        self.scores = scores
        self.records: list[Record] = []
        self.is_over = False
        self.is_discard = False  # whether the seat that must act has no legal play
        self._discards: list[tuple[Card, ...]] = [()] * SEATS
        self._discard_counts = NO_DISCARDS
        self._history: tuple[PublicEvent, ...] = ()
        self._table = EMPTY_TABLE
        self._playable = bytearray(DECK_SIZE)  # by code: 1 once the card may be played
        self._playable[FIRST_PLAY] = 1
        self._moves = 0
        self._first = next(seat for seat in range(SEATS) if FIRST_PLAY in self._codes[seat])
        self.to_act: int | None = self._first
        self._legal: tuple[Card, ...] = (CARDS[FIRST_PLAY],)

    def legal_actions(self) -> tuple[Card, ...]:
        """Return the cards that the next seat may choose, in the order of its hand.

        These are its legal plays or, without legal plays, all its cards, one of which it must
        discard.
        """
        if self.to_act is None:
            return ()
        return self._cards[self.to_act] if self.is_discard else self._legal

    def apply_action(self, card: Card) -> Record:
        """Play or discard a card of the next seat, and return the record."""
        place, seat, code = self._place_of(card), self.to_act, card.code
        assert seat is not None
        codes, cards = self._codes[seat], self._cards[seat]
        del codes[place]
        self._cards[seat] = cards[:place] + cards[place + 1 :]
        record: Record
        if self.is_discard:
            record = DISCARDED[seat][code]
            self._lay_face_down(seat, record.card)
        else:
            record = played = PLAYED[seat][code]
            self._history += (played,)
            self._put_on_table(code)
        self.records.append(record)
        self._next_seat(seat)
        return record

    def observation(self, seat: int) -> StraightsView:
        """Return the view of a seat."""
        return StraightsView(
            seat,
            self._cards[seat],
            self._legal if seat == self.to_act else self._legal_plays(seat),
            self._table,
            SIZES[self._first][self._moves],
            self._discard_counts,
            self._discards[seat],
            self.scores,
            self._history,
        )

    def discards(self, seat: int) -> tuple[Card, ...]:
        """Return the discards of a seat, in order."""
        return self._discards[seat]

    def wagers(self) -> tuple[int, ...]:
        """Return zeros: Straights has no wagers."""
        return NO_SCORES

    def results(self) -> tuple[int, ...]:
        """Return the points of each seat's discards.

        Raises: IllegalActionError, if the round is not over.
        """
        if not self.is_over:
            raise IllegalActionError("the round is not over, so it has no results yet")
        return tuple(sum(POINTS[card.code] for card in cards) for cards in self._discards)

    def _place_of(self, card: Card) -> int:
        """Find a card in the hand of the next seat, if the seat may choose it."""
        seat = self.to_act
        if seat is None:
            raise IllegalActionError(f"the round is over; {card} cannot be played any more")
        if not isinstance(card, Card):
            raise IllegalActionError(
                f"expected a card, got {type(card).__name__}: answer one of view.legal_plays, "
                "or of view.hand if no play is legal"
            )
        try:
            place = self._codes[seat].index(card.code)
        except ValueError:
            raise IllegalActionError(
                f"{card} is not in the hand; choose {self._choice()}"
            ) from None
        if not (self.is_discard or self._playable[card.code]):
            raise IllegalActionError(
                f"{card} cannot be played, and you may not discard while you have a legal play; "
                f"choose {self._choice()}"
            )
        return place

    def _put_on_table(self, code: int) -> None:
        table, suit = self._table, CARDS[code].suit
        self._table = (*table[:suit], with_card(table[suit], POINTS[code]), *table[suit + 1 :])
        for opened in OPENED_BY[code]:
            self._playable[opened] = 1

    def _lay_face_down(self, seat: int, card: Card) -> None:
        self._discards[seat] += (card,)
        self._discard_counts = tuple(map(len, self._discards))
        self._history += (FACE_DOWN[seat],)

    def _next_seat(self, seat: int) -> None:
        self._moves += 1
        if self._moves < DECK_SIZE:
            self.to_act = seat = (seat + 1) % SEATS
            self._legal = self._legal_plays(seat)
            self.is_discard = not self._legal
        else:
            self.is_over, self.is_discard, self.to_act, self._legal = True, False, None, ()

    def _legal_plays(self, seat: int) -> tuple[Card, ...]:
        return tuple(
            compress(self._cards[seat], map(self._playable.__getitem__, self._codes[seat]))
        )

    def _choice(self) -> str:
        """List the seat's choices, for an error."""
        kind = "a discard from the hand" if self.is_discard else "a legal play"
        return f"{kind} ({' '.join(map(short_name, self.legal_actions()))})"


def _check_deal(codes: Sequence[Sequence[int]], scores: tuple[int, ...]) -> None:
    """Raise CardsError for a deal that is not one whole deck for four seats."""
    sizes = [len(hand) for hand in codes]
    different = len({code for hand in codes for code in hand})
    if sizes != [HAND_SIZE] * SEATS or different != DECK_SIZE:
        raise CardsError(
            f"hands of {sizes} with {different} different cards are not one whole deck; deal "
            f"{SEATS} hands of {HAND_SIZE}"
        )
    if len(scores) != SEATS:
        raise CardsError(
            f"scores has {len(scores)} entries, and the round has {SEATS} seats; before a game all "
            "scores are 0"
        )


class StraightsTable(RoundTable[StraightsView, Card]):
    """Four seats and a deck, for a number of rounds or one game."""

    call = "play"

    def open(self, bankrolls: tuple[int, ...], cards: Iterator[Card]) -> Round:
        """Deal the whole deck."""
        deck = list(cards)
        hands = [deck[seat * HAND_SIZE :][:HAND_SIZE] for seat in range(SEATS)]
        if self.watcher:
            self.watcher.dealt(hands)
        return Round(hands, bankrolls)

    def code(self, action: Card, legal: tuple[Card, ...]) -> int:
        """Return the code of a card."""
        del legal
        return action.code
