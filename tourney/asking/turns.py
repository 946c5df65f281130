"""Turns of Straights at many tables at once, as flat arrays, and in bytes.

Nothing in it but what a person in each seat sees. Of the moves that everybody sees only those
since a seat's last turn are told; who is asked remembers the others. Works without NumPy.
"""

from array import array
from collections.abc import Iterable, Sequence
from struct import Struct
from typing import Any, NamedTuple

from tourney.cards.card import Card
from tourney.games.straights.records import SEATS, PublicEvent
from tourney.games.straights.view import StraightsView

HEAD = Struct("<II8x")  # how many turns, and cards in all
FACE_DOWN = 255
"""Stands for a card that was discarded, for all to see that it was."""


class Asked(NamedTuple):
    """A turn at a table."""

    seat: int  # of the entrant's, as they sat down
    round: int
    view: StraightsView
    news: Sequence[PublicEvent]  # moves of this round since the seat's last turn


class Turns(NamedTuple):
    """A batch of n turns, each of another seat."""

    seats: Any  # (n,) which of the entrant's seats; 32 bits
    rounds: Any  # (n,) number of the round; 64 bits
    scores: Any  # (4n,) points by seat of the table, before the round; 64 bits
    places: Any  # (n,) seat at the table; bytes
    sizes: Any  # (4n,) of the hand, what of it may be played, own discards, moves; bytes
    cards: Any  # codes: hand, what may be played, own discards, then seat and code of each move

    def choices(self) -> list[bytes]:
        """Give the codes of the cards that each turn may choose from."""
        found, at, cards = [], 0, bytes(self.cards)
        for held, playable, discards, moves in _fours(self.sizes):
            hand, plays = cards[at : at + held], cards[at + held : at + held + playable]
            found.append(plays or hand)
            at += held + playable + discards + 2 * moves
        return found


def turns_of(asked: Sequence[Asked]) -> Turns:
    """Lay out some turns.

    Args:
        asked: Each of another seat.
    """
    cards, sizes, scores = bytearray(), bytearray(), array("q")
    for turn in asked:
        view = turn.view
        for some in (view.hand, view.legal_plays, view.discards):
            cards += _codes(some)
            sizes.append(len(some))
        sizes.append(len(turn.news))
        for event in turn.news:
            cards += bytes((event.seat, FACE_DOWN if event.card is None else event.card.code))
        scores.extend(view.scores)
    return Turns(
        array("i", [turn.seat for turn in asked]),
        array("q", [turn.round for turn in asked]),
        scores,
        bytes(turn.view.seat for turn in asked),
        bytes(sizes),
        bytes(cards),
    )


def write_turns(turns: Turns) -> bytes:
    """Write turns, the wide columns first so that all lie aligned."""
    wide = (memoryview(column).cast("B") for column in (turns.rounds, turns.scores, turns.seats))
    head = HEAD.pack(len(turns.seats), len(turns.cards))
    return b"".join((head, *wide, turns.places, turns.sizes, turns.cards))


def read_turns(body: bytes) -> Turns:
    """Read turns that a referee wrote."""
    count, cards = HEAD.unpack_from(body)
    view, at, columns = memoryview(body), HEAD.size, []
    for size in (8 * count, 8 * SEATS * count, 4 * count, count, SEATS * count, cards):
        columns.append(view[at : at + size])
        at += size
    rounds, scores, seats, *rest = columns
    return Turns(seats.cast("i"), rounds.cast("q"), scores.cast("q"), *rest)


def _codes(cards: Iterable[Card]) -> bytes:
    return bytes([card.code for card in cards])


def _fours(numbers: Sequence[int]) -> Iterable[Sequence[int]]:
    """Give numbers by fours."""
    return (numbers[at : at + 4] for at in range(0, len(numbers), 4))
