"""Where the turns of one entrant's players of Straights arrive, and their cards.

Every seat has a player of its own, as at the reference engine's tables, and the same checks and
verdicts. A seat's view is put together from what it was told and what it remembers.
"""

from collections.abc import Callable, Sequence
from typing import Any

from tourney.asking.newcomer import Newcomer
from tourney.asking.seated import CompetitorFault
from tourney.asking.seating import Seating, Verdicts
from tourney.asking.turns import FACE_DOWN, Turns, read_turns
from tourney.cards.card import CARDS, Card
from tourney.game import Turn
from tourney.game.seats import SeatedPlayer
from tourney.games.straights.game import STRAIGHTS
from tourney.games.straights.pile import EMPTY_TABLE, with_card
from tourney.games.straights.points import POINTS
from tourney.games.straights.records import FACE_DOWN as LAID_FACE_DOWN
from tourney.games.straights.records import PLAYED, SEATS, PublicEvent
from tourney.games.straights.round import NO_DISCARDS, SIZES
from tourney.games.straights.view import StraightsView
from tourney.ledger import Account
from tourney.players import StraightsPlayer, give_luck

ELSEWHERE = Account(seat=0, entrant=0, bankroll=0)
"""A seat's points are counted at its table, not here."""
FAULT = -1


class Seen:
    """A round as one seat has seen it so far."""

    __slots__ = ("counts", "history", "round", "table")

    def __init__(self) -> None:
        self.begin(0)

    def begin(self, number: int) -> None:
        """Forget the round before."""
        self.round = number
        self.table = EMPTY_TABLE
        self.counts = NO_DISCARDS
        self.history: tuple[PublicEvent, ...] = ()

    def take(self, moves: bytes) -> None:
        """Look at further moves: a seat and a code each."""
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
        """Give the cards left by seat, when a seat is asked; whoever is first begins."""
        first = self.history[0].seat if self.history else asked
        return SIZES[first][len(self.history)]


class StraightsDesk:
    """The players of one entrant at tables that advance together.

    Args:
        make_player: Makes a new player.
    """

    read = staticmethod(read_turns)
    """How a batch is read out of a frame."""

    def __init__(self, make_player: Callable[[], Any]) -> None:
        self._make_player = make_player
        self._chairs: list[SeatedPlayer | None] = []  # None if it could not be made
        self._seen: list[Seen] = []

    def sit(self, newcomers: Sequence[Newcomer]) -> list[Seating]:
        """Make players, in order; seats are numbered as they come, from 0."""
        return [self._sit(newcomer) for newcomer in newcomers]

    def decide(self, turns: Turns) -> tuple[list[int], Verdicts]:
        """Ask players whose seats have not failed, each at most once.

        Returns: Codes of cards, or FAULT; and faults by the places of their turns.
        """
        answers: list[int] = []
        faults: Verdicts = {}
        for place, (view, legal) in enumerate(self._views(turns)):
            seat = turns.seats[place]
            chair = self._chairs[seat]
            assert chair is not None, "asked although it has failed"
            turn = Turn(view.seat, turns.rounds[place], "play", view, legal)
            try:
                answers.append(chair.ask(STRAIGHTS, turn).code)
            except CompetitorFault as fault:
                answers.append(FAULT)
                faults[place] = fault.verdict
                self._chairs[seat] = None
        return answers, faults

    def close(self) -> None:
        """Do nothing: players in this process end with their desk."""

    def _sit(self, newcomer: Newcomer) -> Seating:
        def make() -> StraightsPlayer:
            player: Any = self._make_player()
            if not isinstance(player, StraightsPlayer):
                kind = type(player).__name__
                raise TypeError(f"expected a player of Straights, got {kind}")
            give_luck(player, int.from_bytes(newcomer.random_key, "little"))
            return player

        self._seen.append(Seen())
        try:
            self._chairs.append(SeatedPlayer(ELSEWHERE, make, newcomer.first_round))
        except CompetitorFault as fault:
            self._chairs.append(None)
            return Seating(acts=False, watches=False, verdict=fault.verdict)
        return Seating(acts=False, watches=False)

    def _views(self, turns: Turns) -> "list[tuple[StraightsView, tuple[Card, ...]]]":
        """Show every seat its table, and what it may choose from."""
        views, at, cards = [], 0, bytes(turns.cards)
        for place, seat in enumerate(turns.seats):
            seen, number = self._seen[seat], turns.rounds[place]
            if seen.round != number:
                seen.begin(number)
            held, playable, laid, moves = turns.sizes[SEATS * place : SEATS * (place + 1)]
            groups = []
            for size in (held, playable, laid):
                groups.append(tuple([CARDS[code] for code in cards[at : at + size]]))
                at += size
            seen.take(cards[at : at + 2 * moves])
            at += 2 * moves
            hand, plays, discards = groups
            own = turns.places[place]
            scores = tuple(turns.scores[SEATS * place : SEATS * (place + 1)])
            view = StraightsView(
                own,
                hand,
                plays,
                seen.table,
                seen.sizes(own),
                seen.counts,
                discards,
                scores,
                seen.history,
            )
            views.append((view, plays or hand))
        return views
