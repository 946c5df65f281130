"""Turns of Straights in bytes, and the header of players in C++, which read the same bytes.

Turns are short, without pickle, and readable in other languages. A turn contains only the public
moves since the seat's last turn. The receiver stores earlier moves and combines both into a view.
"""

from array import array
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from tourney.game import Turn
from tourney.game.accelerators import NativeContract, in_folder
from tourney.game.batches import QuestionBatch, Read, TurnCodec, Turns, Write
from tourney.game.cards.card import CARDS, Card
from tourney.game.codec import Column, read_columns, write_columns
from tourney.games.straights.player import StraightsView
from tourney.games.straights.records import FACE_DOWN as LAID_FACE_DOWN
from tourney.games.straights.records import PLAYED, SEATS, PublicEvent
from tourney.games.straights.round import NO_DISCARDS, SIZES
from tourney.games.straights.suits import EMPTY_TABLE, POINTS, with_card

FACE_DOWN = 255
"""Code of a hidden discard."""

CALL = "play"
"""The method of players that is called."""

LAYOUT = (
    Column("rounds", "q", 1),  # number of the round
    Column("scores", "q", SEATS),  # points by seat of the table, before the round
    Column("seats", "i", 1),  # number among the entrant's seats
    Column("places", "B", 1),  # seat at the table
    Column("sizes", "B", 4),  # of the hand, the legal plays, the seat's discards, new moves
    Column("cards", "B", 0),  # codes of all of these, in turn; a move is a seat and a code
)
"""The wide columns come first, so that all are aligned."""


class StraightsCodec(TurnCodec[StraightsView, Card]):
    """Turns of Straights; an answer is a position among the legal cards."""

    layout = LAYOUT

    def writer(self) -> Write:
        """Return a function that writes turns."""
        return Shown().write

    def reader(self) -> Read:
        """Return a function that reads turns."""
        return Memory().read

    def told(self, questions: Turns, place: int, answer: int) -> str:
        """Write the full name of a card."""
        return str(questions.legal[place][answer])


class Shown:
    """The moves already sent to each seat, so that only new moves are written."""

    def __init__(self) -> None:
        self._moves: dict[int, tuple[int, int]] = {}  # by seat: round, and number of its moves

    def write(self, asked: Sequence[QuestionBatch]) -> bytes:
        """Write turns."""
        cards, sizes, scores = bytearray(), bytearray(), array("q")
        for seat, turn in asked:
            view, history = turn.view, turn.view.history
            for some in (view.hand, view.legal_plays, view.discards):
                cards += bytes([card.code for card in some])
                sizes.append(len(some))
            in_round, moves = self._moves.get(seat, (0, 0))
            news = history[moves if in_round == turn.round else 0 :]
            self._moves[seat] = turn.round, len(history)
            sizes.append(len(news))
            for event in news:
                cards += bytes((event.seat, FACE_DOWN if event.card is None else event.card.code))
            scores.extend(view.scores)
        columns = (
            array("q", [turn.round for _, turn in asked]),
            scores,
            array("i", [seat for seat, _ in asked]),
            bytes([turn.view.seat for _, turn in asked]),
            sizes,
            cards,
        )
        return write_columns(LAYOUT, len(asked), columns)


class Memory:
    """The moves already received for each seat."""

    def __init__(self) -> None:
        self._seen: defaultdict[int, Seen] = defaultdict(Seen)  # by seat

    def read(self, body: bytes) -> list[QuestionBatch]:
        """Read turns: each seat's view and legal cards."""
        rounds, scores, seats, places, sizes, codes = read_columns(LAYOUT, body)
        asked, at, cards = [], 0, bytes(codes)
        for place, seat in enumerate(seats):
            seen, number, own = self._seen[seat], rounds[place], places[place]
            if seen.round != number:
                seen.begin(number)
            held, playable, laid, moves = sizes[4 * place : 4 * (place + 1)]
            groups = []
            for size in (held, playable, laid):
                groups.append(tuple([CARDS[code] for code in cards[at : at + size]]))
                at += size
            seen.take(cards[at : at + 2 * moves])
            at += 2 * moves
            hand, plays, discards = groups
            view = StraightsView(
                own,
                hand,
                plays,
                seen.table,
                seen.sizes(own),
                seen.counts,
                discards,
                tuple(scores[SEATS * place : SEATS * (place + 1)]),
                seen.history,
            )
            asked.append(QuestionBatch(seat, Turn(own, number, CALL, view, plays or hand)))
        return asked


class Seen:
    """A round as one seat has seen it so far."""

    __slots__ = ("counts", "history", "round", "table")

    def __init__(self) -> None:
        self.begin(0)

    def begin(self, number: int) -> None:
        """Start a new round."""
        self.round = number
        self.table = EMPTY_TABLE
        self.counts = NO_DISCARDS
        self.history: tuple[PublicEvent, ...] = ()

    def take(self, moves: bytes) -> None:
        """Add moves: a seat and a code each."""
        if not moves:
            return
        events: list[PublicEvent] = []
        table, counts = list(self.table), list(self.counts)
        for seat, code in zip(moves[::2], moves[1::2], strict=True):
            if code == FACE_DOWN:
                events.append(LAID_FACE_DOWN[seat])
                counts[seat] += 1
            else:
                events.append(PLAYED[seat][code])
                suit = CARDS[code].suit
                table[suit] = with_card(table[suit], POINTS[code])
        self.table, self.counts = tuple(table), tuple(counts)
        self.history += tuple(events)

    def sizes(self, asked: int) -> tuple[int, ...]:
        """Return the cards left by seat when a seat is asked; the first seat asked begins the
        round.
        """
        first = self.history[0].seat if self.history else asked
        return SIZES[first][len(self.history)]


CPP = Path(__file__).parent / "cpp"

STRAIGHTS_PLAYER = NativeContract(
    game="straights",
    player="StraightsPlayer",
    header="straights_player.h",
    functions=("get_Competitor",),
    headers=in_folder(CPP, "straights_player.h"),
    parts=in_folder(CPP, "plays.cpp"),
)
