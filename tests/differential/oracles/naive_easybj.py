"""A slow and naive Easy Blackjack, written from its document without the platform's parts.

Cards are their letters and a hand is a text of them; one function after the other says what
one paragraph of the document says.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

RANKS = "A23456789TJQK"
WORDS = {
    "S": "Stand (S)",
    "H": "Hit (H)",
    "D": "Double (D)",
    "P": "Split (P)",
    "R": "Surrender (R)",
}


class NaiveAbort(Exception):  # noqa: N818 - says what happened
    """The file of cards ended in the middle of a game."""


class NaiveEnd(Exception):  # noqa: N818 - says what happened
    """The input ended."""


def points(rank: str) -> int:
    """Count an ace as 1."""
    return 1 if rank == "A" else 10 if rank in "TJQK" else int(rank)


def total(hand: str) -> tuple[int, bool]:
    """Give the points and whether the hand is soft."""
    hard = sum(points(rank) for rank in hand)
    if "A" in hand and hard + 10 <= 21:
        return hard + 10, True
    return hard, False


def dollars(amount: float) -> str:
    """Show an amount with its sign, none for zero."""
    sign = "+" if amount > 0 else "-" if amount < 0 else ""
    return f"{sign}${abs(amount):.2f}"


@dataclass
class NaiveHand:
    """A hand of the player."""

    cards: str
    from_split: bool = False
    doubled: bool = False
    surrendered: bool = False
    finished: bool = False

    def show(self) -> str:
        """Write it as the summary does."""
        text = show(self.cards, self.from_split)
        return text + " DOUBLE" * self.doubled + " SURRENDER" * self.surrendered


def show(cards: str, from_split: bool = False) -> str:  # noqa: FBT002 - a naive page is short
    """Write cards and their points."""
    number, soft = total(cards)
    if number > 21:
        text = "bust"
    elif len(cards) == 2 and number == 21 and not from_split:
        text = "blackjack"
    else:
        text = f"soft {number}" if soft else f"{number}"
    return f"{' '.join(cards)} ({text})"


@dataclass
class NaiveProgram:
    """The program with a file-based shoe."""

    content: bytes
    chart: str | None = None
    hands: int = 0
    silent: bool = False
    lines: Sequence[str] = ()
    output: str = ""
    place: int = 0
    said: int = 0
    chances: dict[tuple[str, str], str] = field(default_factory=dict)

    def run(self) -> str:  # noqa: C901 - one page from top to bottom, to be checked by eye
        """Play and give all output; raise NaiveAbort if the cards end too early."""
        if self.chart is not None:
            header, *rows = (line.split() for line in self.chart.splitlines())
            for label, *cells in rows:
                for column, cell in zip(header, cells, strict=True):
                    self.chances[label, column] = cell
        balance, games = 0.0, 0
        try:
            while len(self.content) - self.place >= 26:
                won, text = self.game()
                games += 1
                balance += won
                if not self.silent:
                    self.output += text + f"Result: {dollars(won)}\n"
                    self.output += f"Current Balance: {dollars(balance)}\n"
                if self.chart is not None:
                    if games == self.hands:
                        break
                elif self.ask("Press Any Key to Continue, (Q to Quit): ")[:1] in ("q", "Q"):
                    break
        except NaiveEnd:
            pass
        self.output += f"Hands Played: {games}\n"
        if games:
            self.output += f"Final Balance: {dollars(balance)}\n"
            self.output += "Player Advantage: %.4g%%\n" % (balance / games * 100)
        return self.output

    def card(self) -> str:
        """Draw the next card of the file; other bytes are skipped."""
        while self.place < len(self.content):
            letter = chr(self.content[self.place])
            self.place += 1
            if letter in RANKS:
                return letter
        raise NaiveAbort

    def ask(self, question: str) -> str:
        """Ask and give the line that is answered."""
        self.output += question
        if self.said == len(self.lines):
            raise NaiveEnd
        self.said += 1
        return self.lines[self.said - 1]

    def game(self) -> tuple[float, str]:
        """Play one game; give what the player wins and the lines that show the hands."""
        dealer = self.card() + self.card()
        hands = [NaiveHand(self.card() + self.card())]
        dealer_has = total(dealer)[0] == 21
        player_has = total(hands[0].cards)[0] == 21
        if dealer_has or player_has:
            won = 0.0 if dealer_has and player_has else 1.5 if player_has else -1.0
            return won, f"Dealer: {show(dealer)}\nHand 1: {hands[0].show()}\n"
        number = 0
        while number < len(hands):  # splitting adds to the end of the list
            self.play_hand(hands, number, dealer)
            number += 1
        if any(total(hand.cards)[0] <= 21 and not hand.surrendered for hand in hands):
            while total(dealer)[0] < 17 or total(dealer) == (17, True):
                dealer += self.card()
        won = sum(self.won(hand, total(dealer)[0]) for hand in hands)
        shown = [f"Dealer: {show(dealer)}\n"]
        shown += [f"Hand {place}: {hand.show()}\n" for place, hand in enumerate(hands, 1)]
        return won, "".join(shown)

    def play_hand(self, hands: list[NaiveHand], number: int, dealer: str) -> None:
        """Let the player act on a hand until it stands or busts."""
        hand = hands[number]
        while not hand.finished and total(hand.cards)[0] < 21:
            allowed = "SH"
            if len(hand.cards) == 2:
                allowed += "D"
                first, second = hand.cards
                if points(first) == points(second) and len(hands) < 4:
                    allowed += "P"
                if not hand.from_split:
                    allowed += "R"
            action = self.decide(hand, dealer, allowed)
            if action == "S":
                hand.finished = True
            elif action == "R":
                hand.finished = hand.surrendered = True
            elif action == "H":
                hand.cards += self.card()
            elif action == "D":
                hand.cards += self.card()
                hand.finished = hand.doubled = True
            else:
                self.split(hands, hand)

    def split(self, hands: list[NaiveHand], hand: NaiveHand) -> None:
        """Give the next card to the current hand and the one after it to the new hand."""
        first, second = hand.cards
        aces = first == "A"
        hand.cards = first + self.card()
        hand.from_split = True
        hand.finished = aces
        hands.append(NaiveHand(second + self.card(), from_split=True, finished=aces))

    def won(self, hand: NaiveHand, dealer: int) -> float:
        """Say what a hand wins when the dealer is done."""
        bet = 2.0 if hand.doubled else 1.0
        mine = total(hand.cards)[0]
        if hand.surrendered:
            return -0.5
        if mine > 21:
            return -bet
        if dealer > 21 or mine > dealer:
            return bet
        return 0.0 if mine == dealer else -bet

    def decide(self, hand: NaiveHand, dealer: str, allowed: str) -> str:
        """Read the table, or ask the person."""
        if self.chart is not None:
            return self.look_up(hand.cards, dealer, allowed)
        self.output += f"Dealer: {show(dealer)}\nPlayer: {show(hand.cards, hand.from_split)}\n"
        while True:
            answer = self.ask(" ".join(WORDS[letter] for letter in allowed) + ": ")
            if answer and answer[0].upper() in allowed:
                return answer[0].upper()

    def look_up(self, cards: str, dealer: str, allowed: str) -> str:
        """Take the first action allowed of the cell; for a pair then that of its hard total."""
        number, soft = total(dealer)
        column = str(number)
        if soft and number < 18:
            column = "AA" if number == 12 else f"A{number - 11}"
        number, soft = total(cards)
        rows = [f"A{number - 11}" if soft else str(number)]
        if len(cards) == 2 and points(cards[0]) == points(cards[1]):
            rank = "T" if points(cards[0]) == 10 else cards[0]
            # Two aces are a hard 2; no row is lower than 4.
            rows = [rank + rank, "4" if rank == "A" else str(number)]
        for row in rows:
            for letter in self.chances[row, column].upper():
                if letter in allowed:
                    return letter
        return "S"
