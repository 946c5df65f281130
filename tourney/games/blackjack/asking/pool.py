"""Pools of players in this process: one question at a time, or a whole batch in one call.

Each seat has its player, with the checks and verdicts of the reference engine. Questions and
answers are plain arrays.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from operator import length_hint
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from tourney.game.asking.exchange import AskedHere, Decided, SeatReply, SeatRequest, Verdicts
from tourney.game.asking.player_calls import CompetitorError
from tourney.game.ledger import Account, Verdict
from tourney.game.players import game_of
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.asking.seats import SHUFFLED, PlayerSeat
from tourney.games.blackjack.asking.views import (
    LEGAL,
    NAMES,
    Places,
    Sight,
    dealers_hands,
    hands_in_play,
    illegal_places,
    shown,
    upcards,
)
from tourney.games.blackjack.players import Player, sit_down
from tourney.games.blackjack.players.questions import (
    FAULT,
    BatchPlayer,
    Call,
    Questions,
    checked_answers,
    limits,
    read_questions,
)

HIT, STAND = int(Action.HIT), int(Action.STAND)
ELSEWHERE = Account(seat=0, entrant=0, bankroll=0)
"""Placeholder account; the table counts the chips of the seat."""
LARGE = 256
"""Number of questions from which it is faster to lay out only the rows in use."""


class BatchPool:
    """All seats of a `BatchPlayer`.

    Args:
        occupant: The first seat; its player answers for all seats.
        seats: Number of seats.
    """

    def __init__(self, occupant: PlayerSeat, seats: int) -> None:
        assert isinstance(occupant.player, BatchPlayer)
        self._occupant = occupant
        self._player = occupant.player
        self._player.look = _refuse_to_look
        self._decisions = np.zeros(seats, np.int64)

    def decide(self, questions: Questions) -> tuple[NDArray[np.int64], dict[int, Verdict]]:
        """Ask the player.

        Returns: The answers, and the faults by position.
        """
        try:
            found = self._player.act_batch(_as_shown(questions))
            answers = checked_answers(found, len(questions.calls))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - a player's code; becomes verdicts
            return self._all_failed(questions, error)
        failed = illegal_places(questions, answers, ()).tolist()
        faults = {place: self._refusal(questions, place, int(answers[place])) for place in failed}
        answers[failed] = FAULT
        self._decisions[questions.seats] += questions.calls != Call.LOOK
        return answers, faults

    def _all_failed(
        self, questions: Questions, error: BaseException
    ) -> tuple[NDArray[np.int64], dict[int, Verdict]]:
        verdict = self._occupant.raised(error).verdict
        faults = {
            place: self._at(questions, place, verdict) for place in range(len(questions.calls))
        }
        return np.full(len(questions.calls), FAULT, np.int64), faults

    def _refusal(self, questions: Questions, place: int, answer: int) -> Verdict:
        call = Call(questions.calls[place])
        if call is Call.WAGER:
            _, least, most = limits(questions.table[place : place + 1])
            fault = self._occupant.refused_wager(answer, int(least[0]), int(most[0]))
        else:
            legal = LEGAL[questions.legal[place]]
            fault = self._occupant.refused_action(BatchPlayer.move(answer), legal)
        return self._at(questions, place, fault.verdict)

    def _at(self, questions: Questions, place: int, verdict: Verdict) -> Verdict:
        """Return a verdict as that of one seat."""
        name = NAMES[Call(questions.calls[place])]
        return replace(
            verdict,
            call=name,
            message=f"{name}:{verdict.message.partition(':')[2]}",
            round=int(questions.rounds[place]),
            decision=int(self._decisions[questions.seats[place]]),
        )


def _as_shown(questions: Questions) -> Questions:
    """Return a copy for the player, because answers are checked against the original."""
    shown = questions._replace(rounds=np.zeros_like(questions.rounds))
    shown = Questions._make(array.view() for array in shown)
    for array in shown:
        array.flags.writeable = False
    return shown


def _refuse_to_look() -> NoReturn:
    raise AttributeError("a BatchPlayer sees its tables in questions.table, not in self.table")


class Pool:
    """The players of one entrant at tables that advance together.

    Args:
        make_player: Creates a new player.
    """

    warning = ""
    """Empty: the time of players in this process is not limited."""

    def __init__(self, make_player: Callable[[], Any]) -> None:
        self._make_player = make_player
        self._occupants: dict[int, PlayerSeat] = {}
        self._players = np.empty(0, object)  # by seat; None for an empty seat
        self._decisions = np.zeros(0, np.int64)  # by seat
        self._together: BatchPool | None = None
        self._sight = Sight()

    read = staticmethod(read_questions)

    def sit(self, seat_requests: Sequence[SeatRequest]) -> list[SeatReply]:
        """Create players in order; seats are numbered in that order, from 0."""
        self._decisions = np.zeros(len(seat_requests), np.int64)
        self._players = np.empty(len(seat_requests), object)
        seatings: list[SeatReply] = []
        for seat, seat_request in enumerate(seat_requests):
            if self._together:
                seatings.append(SeatReply(acts=True, watches=True))
                continue
            seatings.append(self._sit(seat, seat_request))
            occupant = self._occupants.get(seat)
            is_first = len(self._occupants) == 1
            if occupant and is_first and isinstance(occupant.player, BatchPlayer):
                self._together = BatchPool(occupant, len(seat_requests))
        return seatings

    def decide(self, questions: Questions) -> Decided:
        """Ask players, after all of them have been shown their exposures.

        Args:
            questions: To seats whose players have not failed, each at most once.
        """
        if self._together:
            return Decided(*self._together.decide(questions))
        calls = questions.calls
        answers = np.zeros(len(calls), np.int64)
        faults: Verdicts = {}
        self._sight.lay_out(questions.table, questions.seats)
        if len(questions.exposed):
            self._show(questions, faults)
            if faults:
                answers[list(faults)] = FAULT
        known = calls.tobytes()
        for call, ask in ASKERS.items():
            if call not in known:
                continue
            places = (calls == call).nonzero()[0]
            if faults:
                places = places[answers[places] != FAULT]
            if len(calls) > LARGE:
                self._sight.lay_out(questions.table[places], questions.seats[places])
            answers[places] = ask(self, questions, places, faults)
        self._decisions[questions.seats] += questions.calls != LOOK
        for place in faults:
            seat = int(questions.seats[place])  # it is not asked again
            self._players[seat] = None
            del self._occupants[seat]
        return Decided(answers, faults)

    def asking(self, questions: Questions) -> AskedHere:
        """Prepare to ask players."""
        return AskedHere(partial(self.decide, questions))

    def close(self) -> None:
        """Do nothing: players in this process end with their pool."""

    def _sit(self, seat: int, seat_request: SeatRequest) -> SeatReply:
        def make() -> Player:
            player: Any = self._make_player()
            if not isinstance(player, Player):
                kind = type(player)
                game = game_of(kind) or "no game"
                raise TypeError(f"expected a player of blackjack, got {kind.__name__}, of {game}")
            look = partial(self._sight.look, seat)
            sit_down(player, int.from_bytes(seat_request.random_key, "little"), look)
            return player

        try:
            occupant = PlayerSeat(ELSEWHERE, make, seat_request.first_round)
        except CompetitorError as fault:
            return SeatReply(acts=False, watches=False, verdict=fault.verdict)
        self._occupants[seat] = occupant
        self._players[seat] = occupant.player
        return SeatReply(occupant.acts, occupant.watches)

    def _asked(self, questions: Questions, places: Places) -> list[Any]:
        """Return the players of some questions."""
        return self._players[questions.seats[places]].tolist()  # type: ignore[no-any-return]  # players

    # Apart from the players' own time, most time is spent in these loops. They therefore call the
    # players directly, and use the occupants only for faults. One loop shows cards to all seats.

    def _show(self, questions: Questions, faults: Verdicts) -> None:
        cards, stops = shown(questions), questions.exposed_stops
        counts = stops.copy()
        counts[1:] -= stops[:-1]
        players = self._players[questions.seats.repeat(counts)].tolist()
        begin = 0
        while begin < len(cards):
            left = iter(cards[begin:])
            call = "expose"
            try:
                for player, card in zip(players[begin:], left, strict=True):
                    if card is SHUFFLED:
                        call = "shuffled"
                        player.shuffled()
                        call = "expose"
                    else:
                        player.expose(card)
                begin = len(cards)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001 - a player's code; becomes a verdict
                at = len(cards) - length_hint(left) - 1
                place = int(np.searchsorted(stops, at, side="right"))
                self._failing(questions, faults, call)(place, PlayerSeat.raised, error)
                begin = int(stops[place])

    def _ask_wagers(self, questions: Questions, places: Places, faults: Verdicts) -> list[int]:
        answers: list[int] = []
        fail = self._failing(questions, faults, "bet")
        players = self._asked(questions, places)
        bankrolls, least, most = (each.tolist() for each in limits(questions.table[places]))
        for player, bankroll, minimum, maximum in zip(players, bankrolls, least, most, strict=True):
            try:
                wager = player.bet(bankroll, minimum)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001 - as above
                answers.append(fail(places[len(answers)], PlayerSeat.raised, error))
                continue
            if type(wager) is int and minimum <= wager <= maximum:
                answers.append(wager)
            else:
                place = places[len(answers)]
                answers.append(fail(place, PlayerSeat.refused_wager, wager, minimum, maximum))
        return answers

    def _ask_draws(self, questions: Questions, places: Places, faults: Verdicts) -> list[int]:
        answers: list[int] = []
        fail = self._failing(questions, faults, "draw")
        players = self._asked(questions, places)
        hands = hands_in_play(questions, places)
        for player, upcard, hand in zip(players, upcards(questions, places), hands, strict=True):
            try:
                answer: object = player.draw(upcard, hand)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001 - as above
                answers.append(fail(places[len(answers)], PlayerSeat.raised, error))
                continue
            if answer is True:
                answers.append(HIT)
            elif answer is False:
                answers.append(STAND)
            else:
                answers.append(fail(places[len(answers)], PlayerSeat.refused_draw, answer))
        return answers

    def _ask_actions(self, questions: Questions, places: Places, faults: Verdicts) -> list[int]:
        answers: list[int] = []
        fail = self._failing(questions, faults, "act")
        players = self._asked(questions, places)
        hands = hands_in_play(questions, places)
        dealers = dealers_hands(questions, places)
        legal = map(LEGAL.__getitem__, questions.legal[places].tobytes())
        for player, dealer, hand, moves in zip(players, dealers, hands, legal, strict=True):
            try:
                answer = player.act(dealer, hand, moves)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001 - as above
                answers.append(fail(places[len(answers)], PlayerSeat.raised, error))
                continue
            if type(answer) is Action and answer in moves:
                answers.append(answer)
            else:
                answers.append(fail(places[len(answers)], PlayerSeat.refused_action, answer, moves))
        return answers

    def _failing(self, questions: Questions, faults: Verdicts, call: str) -> Callable[..., int]:
        """Return a function that finds the fault of a seat, by its position and a method of the
        occupant.
        """

        def fail(place: int, find: Callable[..., CompetitorError], *facts: Any) -> int:
            seat = int(questions.seats[place])
            occupant = self._occupants[seat]
            occupant.call, occupant.round = call, int(questions.rounds[place])
            occupant.decisions = int(self._decisions[seat])
            faults[int(place)] = find(occupant, *facts).verdict
            return FAULT

        return fail


LOOK = int(Call.LOOK)  # an array compares with it ten times faster
ASKERS = {
    int(Call.WAGER): Pool._ask_wagers,  # noqa: SLF001 - the class of this module
    int(Call.DRAW): Pool._ask_draws,  # noqa: SLF001 - as above
    int(Call.ACT): Pool._ask_actions,  # noqa: SLF001 - as above
}
"""Methods by kind of question, in the order in which they are asked."""
