"""Transcripts of a table in the words of the original drivers.

The documents define the words for one player that hits or stands. At a table of several, "Player"
becomes "Seat 2" and so on, and after a split "Player's hand 2".
"""

from collections.abc import Callable

from tourney.game.cards.shoe import RiffleShoe, Shoe
from tourney.game.ledger import Verdict
from tourney.game.narration import Teller
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.asking.seats import HOUSE_CHIPS
from tourney.games.blackjack.hand import BEST_TOTAL
from tourney.games.blackjack.records import (
    DEALER,
    Acted,
    Dealt,
    InsuranceSettled,
    Outcome,
    Record,
    Revealed,
    Settled,
    TableCards,
)

COMPARED = {
    Outcome.WIN: "{who} wins",
    Outcome.LOSS: "Dealer wins",
    Outcome.PUSH: "Push",
    Outcome.DEALER_BUST: "Dealer busts",
}

AT_ONCE = {
    Outcome.NATURAL: "{who} dealt natural 21",
    Outcome.DEALER_NATURAL: "Dealer dealt natural 21",
    Outcome.BOTH_NATURAL: "{who} and dealer dealt natural 21",
}
SAID = {
    Action.DOUBLE: "doubles",
    Action.SPLIT: "splits",
    Action.SURRENDER: "surrenders",
    Action.INSURE: "takes insurance",
}


class Transcript(Teller):
    """Writes the output of the drivers while a table plays."""

    def __init__(self, write: Callable[[str], None], mark: str, unit: int = 1) -> None:
        """Set the output.

        Args:
            write: Writes one line, given without its end.
            mark: "# " for VE280, "" for EECS 280.
            unit: Parts of a chip in which amounts are counted.
        """
        self._write = write
        self._mark = mark
        self._unit = unit
        self._seats = 1
        self._order: tuple[int, ...] = ()  # of the seats, by their turns
        self._cards = TableCards(self._seats)
        self._has_told_dealer = False

    def shuffled(self, shoe: Shoe) -> None:
        """Announce the shuffle and its cuts, if it has any."""
        self._write(f"{self._mark}Shuffling the deck")
        if isinstance(shoe, RiffleShoe):
            for cut in shoe.cuts:
                self._write(f"cut at {cut}")

    def seated(self, seats: tuple[int, ...]) -> None:
        """Store the order of play."""
        self._order = seats

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Announce the hand."""
        self._seats = len(bankrolls)
        self._cards = TableCards(self._seats)
        self._has_told_dealer = False
        by_seat = sorted(zip(self._order or range(self._seats), bankrolls, strict=True))
        chips = ", ".join(self._chips(bankroll) for _, bankroll in by_seat)
        self._write(f"{self._mark}Hand {number} bankroll {chips}")

    def wagered(self, seat: int, wager: int) -> None:
        """Announce the wager."""
        self._write(f"{self._mark}{self._who(seat)} bets {self._chips(wager)}")

    def ended(self, bankroll: int, rounds: int) -> None:
        """Announce the outcome."""
        self._write(f"{self._mark}Player has {self._chips(bankroll)} after {rounds} hands")

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """Write a verdict."""
        self._write(f"{self._mark}{self._who(seat)} is out: {verdict.message}")

    def happened(self, record: Record) -> None:
        """Write the lines of a record."""
        match record:
            case Dealt(seat, card, True, number):
                self._write(f"{self._who(seat, number)} dealt {card}")
                self._cards.follow(record)
                self._bust(seat, number)
            case Acted(seat, Action.STAND, number):
                self._total(seat, number)
            case Acted(seat, action, number) if action in SAID:
                self._write(f"{self._mark}{self._who(seat, number)} {SAID[action]}")
                self._cards.follow(record)
            case Revealed(card):
                self._write(f"Dealer's hole card is {card}")
                self._cards.follow(record)
            case InsuranceSettled(seat, is_paid):
                end = "paid" if is_paid else "lost"
                self._write(f"{self._mark}{self._who(seat)}'s insurance is {end}")
            case Settled():
                self._settled(record)

    def _bust(self, seat: int, number: int) -> None:
        if seat != DEALER and self._cards.hands[seat][number].total > BEST_TOTAL:
            self._total(seat, number)
            self._write(f"{self._mark}{self._who(seat, number)} busts")

    def _total(self, seat: int, number: int = 0) -> None:
        total = self._cards.hands[seat][number].total
        self._write(f"{self._who(seat, number)}'s total is {total}")

    def _settled(self, record: Settled) -> None:
        who, outcome = self._who(record.seat, record.hand), record.outcome
        if outcome in AT_ONCE:
            self._write(self._mark + AT_ONCE[outcome].format(who=who))
        elif outcome in COMPARED:
            if not self._has_told_dealer:
                self._has_told_dealer = True
                self._total(DEALER)
            self._write(self._mark + COMPARED[outcome].format(who=who))

    def _who(self, seat: int, number: int = 0) -> str:
        if seat == DEALER:
            return "Dealer"
        place = self._order[seat] if self._order else seat
        who = "Player" if self._seats == 1 else f"Seat {place + 1}"
        return f"{who}'s hand {number + 1}" if len(self._cards.hands[seat]) > 1 else who

    def _chips(self, amount: int) -> str:
        if amount > HOUSE_CHIPS // 2:  # only a stand-in has this much
            return "house"
        # Chips are counted in halves or fifths, so one decimal is exact.
        return f"{amount / self._unit:.1f}" if amount % self._unit else str(amount // self._unit)
