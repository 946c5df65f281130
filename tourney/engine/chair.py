"""A player in a seat: asking it, checking its answers and finding it at fault.

The player is code of somebody else, so nothing it raises or answers is trusted: whatever
goes wrong ends in a verdict with its cause and place, and the round goes on without it.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from traceback import StackSummary, extract_tb, format_exception_only
from typing import NoReturn

from tourney.cards.card import Card
from tourney.games.blackjack.hand import Hand
from tourney.ledger import Account, Verdict
from tourney.players import Player, watches_cards

Exposures = Sequence[Card | None]
"""Cards that lay face up, in dealing order, with SHUFFLED between two shoes."""

SHUFFLED = None
"""Stands in a list of exposures for the shuffle between two shoes."""

HOUSE_CHIPS = 1 << 62
"""What a stand-in plays with: the house's own money, never counted."""

PLATFORM = Path(__file__).parents[1]
"""The folder of this package: a fault is placed where the author's code stands."""

MOST_TEXT = 2_000
"""Characters kept of a message or traceback of a competitor."""


class CompetitorFault(Exception):  # noqa: N818 - named for whose it is
    """A player broke its contract; the table turns it into a verdict."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.message)
        self.verdict = verdict


class Chair:
    """One seat's player and account, and the only place where a player is called."""

    is_stand_in = False

    __slots__ = ("_call", "_player", "_seen", "account", "decisions", "round", "watches")

    def __init__(self, account: Account, make_player: Callable[[], Player], first: int) -> None:
        """Seat a new player.

        Args:
            account: The seat's chips.
            make_player: Makes the player and sits it down.
            first: The number of the block's first round.
        Raises: CompetitorFault, if making the player fails.
        """
        self.account = account
        self.decisions = 0
        self.round = first
        self._call = "constructor"
        self._seen = 0
        try:
            self._player = make_player()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise self._raised(error) from error
        self.watches = watches_cards(self._player)

    def ask_wager(self, bankroll: int, minimum: int, most: int, exposures: Exposures) -> int:
        """Ask for a wager, in chips.

        Args:
            bankroll: Chips the seat has.
            minimum: The least wager.
            most: The greatest wager the seat can place.
            exposures: What the table showed since the wagers of the round before.
        Raises: CompetitorFault, if there is no legal answer.
        """
        try:
            if self.watches:
                self._show(exposures)
                self._seen = 0  # the table clears its list once all wagers are in
            self._call = "bet"
            wager = self._player.bet(bankroll, minimum)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise self._raised(error) from error
        if type(wager) is not int or not minimum <= wager <= most:
            self._refuse(f"a whole number from {minimum} to {most}", wager, "int")
        self.decisions += 1
        return wager

    def ask_draw(self, upcard: Card, hand: Hand, exposures: Exposures) -> bool:
        """Ask whether to be dealt another card.

        Raises: CompetitorFault, if there is no legal answer.
        """
        try:
            if self.watches:
                self._show(exposures)
            self._call = "draw"
            answer = self._player.draw(upcard, hand)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise self._raised(error) from error
        if answer is not True and answer is not False:
            self._refuse("True or False", answer, "bool")
        self.decisions += 1
        return answer

    def show_rest(self, exposures: Exposures) -> None:
        """Show what the seat has not seen when the block ends.

        Raises: CompetitorFault, if the player fails at it.
        """
        if self.watches:
            try:
                self._show(exposures)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                raise self._raised(error) from error

    def _show(self, exposures: Exposures) -> None:
        player = self._player
        for card in exposures[self._seen :]:
            if card is SHUFFLED:
                self._call = "shuffled"
                player.shuffled()
            else:
                self._call = "expose"
                player.expose(card)
        self._seen = len(exposures)

    def _refuse(self, expected: str, answer: object, kind: str) -> NoReturn:
        got = _say(answer)
        if answer is None:
            got += ": every way through it must end in a return"
        elif type(answer).__name__ != kind:
            got += f", a {type(answer).__name__}: wrap it in {kind}(…)"
        message = f"{self._call}: expected {expected}, got {got}"
        raise CompetitorFault(self._verdict("illegal", message))

    def _raised(self, error: BaseException) -> CompetitorFault:
        frames = _authors_frames(extract_tb(error.__traceback__))
        what = _last_line(error)
        place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
        trace = "".join(frames.format())[-MOST_TEXT:]
        message = f"{self._call}: expected an answer, got {what}"
        return CompetitorFault(self._verdict("raised", message, place, trace))

    def _verdict(self, cause: str, message: str, place: str = "", trace: str = "") -> Verdict:
        return Verdict(
            cause=cause,
            call=self._call,
            round=self.round,
            decision=self.decisions,
            message=_printable(message),
            place=_printable(place),
            traceback=_printable(trace, keep="\n"),
        )


def _authors_frames(frames: StackSummary) -> StackSummary:
    """Leave out the platform's own frames, above the author's and below."""
    return StackSummary.from_list(
        [frame for frame in frames if PLATFORM not in Path(frame.filename).parents]
    )


def _last_line(error: BaseException) -> str:
    try:
        return format_exception_only(error)[-1].strip()
    except Exception as second:  # noqa: BLE001 - even saying what went wrong is the author's code
        return f"{type(error).__name__}, whose text raises {type(second).__name__}"


def _say(answer: object) -> str:
    try:
        return repr(answer)
    except Exception as error:  # noqa: BLE001 - repr() of an answer is the author's code
        return f"something whose repr() raises {type(error).__name__}"


def _printable(text: str, keep: str = "") -> str:
    """Escape control characters, which could write over a terminal, and cap the length."""
    capped = text if len(text) <= MOST_TEXT else text[: MOST_TEXT - 1] + "…"
    return "".join(
        char if char.isprintable() or char in keep else char.encode("unicode_escape").decode()
        for char in capped
    )


class StandIn:
    """Sits where a faulted player sat: bets the minimum, stands, and owns no chips."""

    __slots__ = ("account", "round")

    watches = False
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

    def show_rest(self, exposures: Exposures) -> None:
        """Look away."""
