"""Seats at a table: a player of this process, a player elsewhere, or answers from a record.

Any fault ends in a verdict, and a stand-in finishes the round. A verdict describes the situation of
the seat in one line, which contains only information visible from the seat: no hole card, no card
of the shoe.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from tourney.game.asking.exchange import AnyPool, SeatRequest
from tourney.game.asking.player_calls import CompetitorError, Seated
from tourney.game.cards.card import Card, cards_seen
from tourney.game.ledger import Account, Verdict
from tourney.game.view import TableView
from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.players import Player, acts, watches_cards
from tourney.games.blackjack.players.questions import FAULT, Call, question
from tourney.games.blackjack.players.questions import SHUFFLED as SHUFFLED_CODE


def wager_seen(bankroll: int, least: int, most: int) -> str:
    """Describe the view of a seat that is asked for a wager, in chips.

    >>> wager_seen(995, 5, 50)
    'bankroll 995, wager from 5 to 50'
    """
    return f"bankroll {bankroll}, wager from {least} to {most}"


def fixed_seen(bankroll: int, wager: int) -> str:
    """Describe the view of a seat with a fixed wager, in chips.

    >>> fixed_seen(995, 5)
    'bankroll 995, fixed wager 5'
    """
    return f"bankroll {bankroll}, fixed wager {wager}"


def draw_seen(chips: tuple[int, int], upcard: Card, hand: Iterable[Card]) -> str:
    """Describe the view of a seat that is asked whether to hit.

    Args:
        chips: Remaining bankroll, and wager.
        upcard: Of the dealer.
        hand: Of the seat.
    """
    return f"{_chips(chips)}, dealer {cards_seen([upcard])}, hand {cards_seen(hand)}, hit or stand"


def action_seen(
    chips: tuple[int, int], dealer: Iterable[Card], hand: Iterable[Card], legal: Iterable[Action]
) -> str:
    """Describe the view of a seat that is asked for a move.

    Args:
        chips: Remaining bankroll, and wager.
        dealer: The dealer's visible cards.
        hand: The hand in play.
        legal: The legal moves.
    """
    moves = ", ".join(action.name.lower() for action in legal)
    return f"{_chips(chips)}, dealer {cards_seen(dealer)}, hand {cards_seen(hand)}, legal {moves}"


def _chips(chips: tuple[int, int]) -> str:
    behind, wager = chips
    return f"bankroll {behind}, wager {wager}"


Exposures = Sequence[Card | None]
"""Visible cards, in dealing order, with SHUFFLED between two shoes."""

SHUFFLED = None
"""Marks the shuffle between two shoes in a list of exposures."""

HOUSE_CHIPS = 1 << 62
"""Chips of a stand-in; they are the house's and are not counted."""


class PlayerSeat(Seated[Player]):
    """A seat's player and account, with all calls of a blackjack player.

    Lockstep play calls players elsewhere, but uses this class to find faults.
    """

    __slots__ = ("acts", "seen", "watches")

    def __init__(self, account: Account, make_player: Callable[[], Player], first: int) -> None:
        """Seat a new player.

        Args:
            account: The seat's chips.
            make_player: Creates the player and sits it down.
            first: Number of the block's first round.
        Raises: CompetitorError, if creating the player fails.
        """
        super().__init__(account, make_player, first)
        self.seen = 0  # entries of the table's list of exposures
        self.acts = acts(self.player)
        self.watches = watches_cards(self.player)

    def ask_wager(self, bankroll: int, minimum: int, most: int, exposures: Exposures) -> int:
        """Ask for a wager, in chips.

        Args:
            bankroll: Chips of the seat.
            minimum: The minimum bet.
            most: The maximum that the seat can place.
            exposures: Cards shown since the wagers of the round before.
        Raises: CompetitorError, if the answer is not legal.
        """
        try:
            if self.watches:
                self._show(exposures)
                self.seen = 0  # the table clears its list after all wagers
            self.call = "bet"
            wager = self.player.bet(bankroll, minimum)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise self.raised(error) from error
        if type(wager) is not int or not minimum <= wager <= most:
            raise self.refused_wager(wager, minimum, most)
        self.decisions += 1
        return wager

    def catch_up(self, exposures: Exposures) -> None:
        """Show new exposures, if the wager is fixed and no question is asked.

        Raises: CompetitorError, if the player fails.
        """
        self.show_rest(exposures)
        self.seen = 0  # as for `ask_wager`

    def ask_draw(self, upcard: Card, hand: Hand, exposures: Exposures) -> bool:
        """Ask whether to hit.

        Raises: CompetitorError, if the answer is not legal.
        """
        try:
            if self.watches:
                self._show(exposures)
            self.call = "draw"
            answer = self.player.draw(upcard, hand)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise self.raised(error) from error
        if answer is not True and answer is not False:
            raise self.refused_draw(answer)
        self.decisions += 1
        return answer

    def ask_action(
        self, dealer: Hand, hand: Hand, legal: tuple[Action, ...], exposures: Exposures
    ) -> Action:
        """Ask for a move.

        Args:
            dealer: The dealer's visible cards.
            hand: The hand in play.
            legal: The legal moves.
            exposures: Cards shown since the wagers of the round before.
        Raises: CompetitorError, if the answer is not legal.
        """
        try:
            if self.watches:
                self._show(exposures)
            self.call = "act"
            answer = self.player.act(dealer, hand, legal)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise self.raised(error) from error
        if type(answer) is not Action or answer not in legal:
            raise self.refused_action(answer, legal)
        self.decisions += 1
        return answer

    def show_rest(self, exposures: Exposures) -> None:
        """Show the remaining exposures at the end of the block.

        Raises: CompetitorError, if the player fails.
        """
        if self.watches:
            try:
                self._show(exposures)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                raise self.raised(error) from error

    def refused_wager(self, wager: object, minimum: int, most: int) -> CompetitorError:
        """Create the error for an illegal wager."""
        if minimum == most:
            # To wrap a fraction in int() could give another illegal bet.
            is_other = isinstance(wager, float) and float.__ne__(wager, most)
            kind = "" if is_other else "int"
            return self.illegal(f"your bet must be exactly {most} here; you bet", wager, kind)
        limits = f"a whole number from {minimum} to {most}"
        return self.illegal(f"your bet must be {limits}; you bet", wager, "int")

    def refused_draw(self, answer: object) -> CompetitorError:
        """Create the error for an answer that is neither hit nor stand."""
        return self.refused("True or False", answer, "bool")

    def refused_action(self, answer: object, legal: tuple[Action, ...]) -> CompetitorError:
        """Create the error for an illegal move."""
        names = ", ".join(f"Action.{each.name}" for each in legal)
        return self.refused(f"one of {names}", answer)

    def _show(self, exposures: Exposures) -> None:
        player = self.player
        self.call = "expose"
        for card in exposures[self.seen :]:
            if card is SHUFFLED:
                self.call = "shuffled"
                player.shuffled()
                self.call = "expose"
            else:
                player.expose(card)
        self.seen = len(exposures)


class StandIn:
    """Replaces a player after a verdict: bets the minimum, stands, and owns no chips."""

    __slots__ = ("account", "round")

    watches = False
    acts = False
    is_stand_in = True

    def __init__(self, seat: int) -> None:
        self.account = Account(seat, entrant=-1, bankroll=HOUSE_CHIPS)
        self.round = 0

    def ask_wager(self, bankroll: int, minimum: int, most: int, exposures: Exposures) -> int:
        """Bet the minimum."""
        del bankroll, most, exposures
        return minimum

    def ask_draw(self, upcard: Card, hand: Hand, exposures: Exposures) -> bool:
        """Stand."""
        del upcard, hand, exposures
        return False

    def catch_up(self, exposures: Exposures) -> None:
        """Ignore exposures."""

    def ask_action(
        self, dealer: Hand, hand: Hand, legal: tuple[Action, ...], exposures: Exposures
    ) -> Action:
        """Stand, or decline insurance."""
        del dealer, hand, exposures
        return legal[0]

    def show_rest(self, exposures: Exposures) -> None:
        """Ignore exposures."""


class NumberedOccupant(StandIn):
    """A seat's account, and the conversion of its questions to numbers: wagers in chips,
    and moves.
    """

    __slots__ = ()

    is_stand_in = False

    @abstractmethod
    def answer(self, call: Call, exposures: Exposures, *seen: Iterable[Any]) -> int:
        """Answer, after cards are shown.

        Args:
            call: Kind of question.
            exposures: Cards shown since the wagers of the round before.
            seen: The dealer's cards, those of the hand in play, and the legal moves.
        Raises: CompetitorError, if the answer is not legal.
        """

    def ask_wager(self, bankroll: int, minimum: int, most: int, exposures: Exposures) -> int:
        """Ask for a wager; see `PlayerSeat.ask_wager`."""
        del bankroll, minimum, most  # the table has them
        return self.answer(Call.WAGER, exposures)

    def ask_draw(self, upcard: Card, hand: Hand, exposures: Exposures) -> bool:
        """Ask whether to hit; see `PlayerSeat.ask_draw`."""
        answer = self.answer(Call.DRAW, exposures, (upcard,), hand.cards, HIT_OR_STAND)
        return answer == Action.HIT

    def ask_action(
        self, dealer: Hand, hand: Hand, legal: tuple[Action, ...], exposures: Exposures
    ) -> Action:
        """Ask for a move; see `PlayerSeat.ask_action`."""
        return Action(self.answer(Call.ACT, exposures, dealer.cards, hand.cards, legal))

    def catch_up(self, exposures: Exposures) -> None:
        """Show new exposures; see `PlayerSeat.catch_up`."""
        self.show_rest(exposures)


class PooledOccupant(NumberedOccupant):
    """A seat whose player sits alone in a pool."""

    __slots__ = ("_look", "_pool", "acts", "seen", "watches")

    def __init__(
        self, account: Account, pool: AnyPool, look: Callable[[], TableView], first: int
    ) -> None:
        """Seat a new player.

        Args:
            account: The seat's chips.
            pool: The pool.
            look: Returns the table as the seat sees it.
            first: Number of the block's first round.
        Raises: CompetitorError, if creating the player fails.
        """
        self.account, self.round, self.seen = account, first, 0
        self._pool, self._look = pool, look
        (seating,) = pool.sit([SeatRequest(first, b"")])
        if seating.verdict:
            raise CompetitorError(seating.verdict)
        self.acts, self.watches = seating.acts, seating.watches

    def show_rest(self, exposures: Exposures) -> None:
        """Show the remaining exposures; see `PlayerSeat.show_rest`."""
        if self.watches and len(exposures) > self.seen:
            self.answer(Call.LOOK, exposures)

    def catch_up(self, exposures: Exposures) -> None:
        """Show new exposures; the table then clears its list."""
        self.show_rest(exposures)
        self.seen = 0

    def answer(self, call: Call, exposures: Exposures, *seen: Iterable[Any]) -> int:
        """Ask in the pool."""
        shown = exposures[self.seen :] if self.watches else ()
        self.seen = 0 if call == Call.WAGER else len(exposures)
        exposed = bytes([SHUFFLED_CODE if card is None else card.code for card in shown])
        asked = question(call, self._look(), *seen, exposed=exposed)
        asked.rounds[0] = self.round
        answers, faults = self._pool.decide(asked)
        if faults:
            raise CompetitorError(faults[0])
        return int(answers[0])


class Recorded(NamedTuple):
    """The answers of a seat in a block."""

    acts: bool
    answers: tuple[tuple[int, int], ...]  # calls and answers, in order
    verdict: Verdict | None  # of the answer FAULT; of the seating, if there are no answers


class RecordedOccupant(NumberedOccupant):
    """A seat that replays its record.

    Sandboxed players are asked in lockstep only. If the reference engine must play their block,
    because it is watched or a sum exceeded its word, it replays their answers.
    """

    __slots__ = ("_coming", "_verdict", "acts")

    def __init__(self, account: Account, recorded: Recorded) -> None:
        """Open the record.

        Args:
            account: The seat's chips.
            recorded: Its answers.
        Raises: CompetitorError, if its player could not be created.
        """
        self.account, self.round = account, 0
        self.acts, self._verdict = recorded.acts, recorded.verdict
        self._coming = list(reversed(recorded.answers))
        if not self._coming and self._verdict:
            raise CompetitorError(self._verdict)

    def show_rest(self, exposures: Exposures) -> None:
        """Fail if it failed when cards were shown."""
        if self._coming and self._coming[-1][0] == Call.LOOK:
            self.answer(Call.LOOK, exposures)

    def answer(self, call: Call, exposures: Exposures, *seen: Iterable[Any]) -> int:
        """Return the next answer."""
        del call, exposures, seen
        assert self._coming, "asked for more than was answered"
        _, answer = self._coming.pop()
        if answer == FAULT:
            assert self._verdict
            raise CompetitorError(self._verdict)
        return answer
