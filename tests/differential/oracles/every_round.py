"""Easy Blackjack as its document tells it, played with every possible order of cards.

Written from the text without the platform's parts: cards are values, 1 for an ace, the hands
of a round wait in a queue, and a chart is the words of its file. Whenever a card is needed that
is not there, the round is played once more with each card that could come.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction


class NeedsCard(Exception):  # noqa: N818 - says what happened
    """The cards have run out in the middle of a round."""


@dataclass(frozen=True)
class House:
    """What a house may do otherwise than the document."""

    hands: int = 4
    doubles_after_split: bool = True
    aces_play_on: bool = False
    hits_soft_17: bool = True


@dataclass
class Hand:
    """One of the player's hands."""

    cards: list[int]
    wagers: int = 1
    stopped: bool = False


def total_of(cards: Sequence[int]) -> tuple[int, bool]:
    """Give the total, and whether an ace counts 11."""
    low = sum(cards)
    return (low + 10, True) if 1 in cards and low + 10 <= 21 else (low, False)


def label(cards: Sequence[int]) -> str:
    """Name a hand that is not played as a pair, as the chart does."""
    total, soft = total_of(cards)
    if soft and total == 12:
        return "AA"
    return f"A{total - 11}" if soft else str(total)


class Table:
    """A chart as words, and one round at a time."""

    def __init__(self, text: str, house: House) -> None:
        header, *rows = (line.split() for line in text.splitlines())
        self.cells = {row[0]: dict(zip(header, row[1:], strict=True)) for row in rows}
        self.house = house
        self.cards: list[int] = []

    def card(self) -> int:
        """Deal a card."""
        if not self.cards:
            raise NeedsCard
        return self.cards.pop(0)

    def play(self, cards: Sequence[int]) -> Fraction:
        """Play a round with these cards and give what the player wins."""
        self.cards = list(cards)
        dealer = [self.card(), self.card()]
        player = [self.card(), self.card()]
        if total_of(dealer)[0] == 21:
            return Fraction(0 if total_of(player)[0] == 21 else -1)
        if total_of(player)[0] == 21:
            return Fraction(3, 2)
        column = label(dealer)
        if total_of(dealer)[1] and total_of(dealer)[0] >= 18:
            column = str(total_of(dealer)[0])
        played = self.play_hands(player, column)
        return Fraction(-1, 2) if played is None else Fraction(sum(self.results(dealer, played)))

    def play_hands(self, player: list[int], column: str) -> list[Hand] | None:
        """Play all hands in the order of the queue; None if the first is surrendered."""
        queue, hands = [Hand(player)], 1
        played: list[Hand] = []
        while queue:
            hand = queue.pop(0)
            while not hand.stopped and total_of(hand.cards)[0] < 21:
                move = self.move(hand, column, hands)
                if move == "R":
                    return None
                if move in {"H", "D"}:
                    hand.cards.append(self.card())
                if move == "P":
                    hands += 1
                    queue.append(self.split(hand))
                hand.wagers += move == "D"
                hand.stopped |= move in {"S", "D"}
            played.append(hand)
        return played

    def split(self, hand: Hand) -> Hand:
        """Give the new hand; the next card goes to the current one, the following to the new."""
        new = Hand([hand.cards.pop()])
        hand.cards.append(self.card())
        new.cards.append(self.card())
        if new.cards[0] == 1 and not self.house.aces_play_on:
            hand.stopped = new.stopped = True
        return new

    def move(self, hand: Hand, column: str, hands: int) -> str:
        """Look up the first move of the cell that is permitted."""
        two = len(hand.cards) == 2
        pair = two and hand.cards[0] == hand.cards[1]
        permitted = {"H", "S"}
        if two and (hands == 1 or self.house.doubles_after_split):
            permitted.add("D")
        if pair and hands < self.house.hands:
            permitted.add("P")
        if two and hands == 1:
            permitted.add("R")
        rows = [label(hand.cards)]
        if pair:
            card = {1: "A", 10: "T"}.get(hand.cards[0], str(hand.cards[0]))
            rows = [card * 2, str(max(4, 2 * hand.cards[0]))]
        for row in rows:
            for letter in self.cells[row][column].upper():
                if letter in permitted:
                    return letter
        return "S"

    def results(self, dealer: list[int], played: Sequence[Hand]) -> list[int]:
        """Let the dealer play if a hand is left, and compare."""
        if any(total_of(hand.cards)[0] <= 21 for hand in played):
            while total_of(dealer)[0] < 17 or (
                total_of(dealer) == (17, True) and self.house.hits_soft_17
            ):
                dealer.append(self.card())
        best = total_of(dealer)[0]
        nets = []
        for hand in played:
            total = total_of(hand.cards)[0]
            if total > 21:
                nets.append(-hand.wagers)
            elif best > 21:
                nets.append(hand.wagers)
            else:
                nets.append(hand.wagers * ((total > best) - (total < best)))
        return nets


def enumerate_rounds(
    text: str, copies: Mapping[int, int], house: House
) -> dict[Fraction, Fraction]:
    """Give the exact probability of every result.

    Args:
        text: A chart.
        copies: How often each card is in the shoe, which never gets empty.
        house: What is played otherwise than in the document.
    """
    table, size = Table(text, house), sum(copies.values())
    law: dict[Fraction, Fraction] = defaultdict(Fraction)
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        cards, p = waiting.pop()
        try:
            law[table.play(cards)] += p
        except NeedsCard:
            waiting += [((*cards, card), p * Fraction(n, size)) for card, n in copies.items()]
    return dict(law)
