"""A slow and naive blackjack with doubles, splits and surrender, without the platform's parts.

Cards are plain numbers: rank 2 to 14. One list is the shoe; players are functions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from naive_blackjack import best_total, is_soft_17

Choose = Callable[[list[int], list[int], list[str]], str]


@dataclass
class House:
    """What the house offers."""

    dealing: str = "seats-first"
    both_shown: bool = False
    natural_ends: bool = False
    asks_at_21: bool = True
    double: bool = False
    double_after_split: bool = True
    split: str = "never"
    hands: int = 4
    aces_get_one: bool = True
    surrender: bool = False
    hits_soft_17: bool = False


@dataclass
class Box:
    """One hand before a seat."""

    cards: list[int]
    bet: int
    from_split: bool = False
    stopped: bool = False
    gave_up: bool = False


@dataclass
class Table:
    """A round on the way."""

    house: House
    shoe: list[int]
    boxes: list[list[Box]] = field(default_factory=list)
    dealer: list[int] = field(default_factory=list)

    def card(self) -> int:
        """Take the next card of the shoe."""
        return self.shoe.pop(0)

    def open(self, bets: Sequence[int]) -> None:
        """Deal two cards to everybody."""
        self.boxes = [[Box([], bet)] for bet in bets]
        players = [boxes[0].cards for boxes in self.boxes]
        if self.house.dealing == "dealer-both":
            for hand in [self.dealer, *players]:
                hand += [self.card(), self.card()]
            return
        circle = [*players, self.dealer]
        if self.house.dealing == "dealer-first":
            circle = [self.dealer, *players]
        for hand in circle * 2:
            hand.append(self.card())

    def seen_of_dealer(self) -> list[int]:
        """Give what players see of the dealer's cards."""
        return self.dealer[: 2 if self.house.both_shown else 1]

    def options(self, boxes: list[Box], box: Box, behind: int) -> list[str]:
        """Give what may be done with a box."""
        house, options = self.house, ["stand", "hit"]
        if len(box.cards) == 2:
            one, other = box.cards
            may_double = house.double and (house.double_after_split or not box.from_split)
            if may_double and behind >= box.bet:
                options.append("double")
            equal = {
                "by-value": min(one, 10) == min(other, 10) if 14 not in box.cards else one == other,
                "by-rank": one == other,
                "never": False,
            }[house.split]
            if equal and len(boxes) < house.hands and behind >= box.bet:
                options.append("split")
            if house.surrender and not box.from_split:
                options.append("surrender")
        return options

    def play_seat(self, seat: int, chips: int, choose: Choose) -> None:
        """Play the boxes of a seat, the oldest first; new ones go to the end."""
        boxes, number = self.boxes[seat], 0
        while number < len(boxes):
            box = boxes[number]
            while not box.stopped and best_total(box.cards) <= 21:
                if best_total(box.cards) == 21 and not self.house.asks_at_21:
                    break
                behind = chips - sum(each.bet for each in boxes)
                what = choose(self.seen_of_dealer(), box.cards, self.options(boxes, box, behind))
                self.do(what, boxes, box)
            number += 1

    def do(self, what: str, boxes: list[Box], box: Box) -> None:
        """Do what a seat chose."""
        if what == "stand":
            box.stopped = True
        elif what == "surrender":
            box.stopped = box.gave_up = True
        elif what == "hit":
            box.cards.append(self.card())
        elif what == "double":
            box.bet *= 2
            box.cards.append(self.card())
            box.stopped = True
        else:
            moved = box.cards.pop()
            box.cards.append(self.card())
            new = Box([moved, self.card()], box.bet, from_split=True)
            box.from_split = True
            if moved == 14 and self.house.aces_get_one:
                box.stopped = new.stopped = True
            boxes.append(new)

    def play_dealer(self) -> None:
        """Draw to 17."""
        while best_total(self.dealer) < 17 or (self.house.hits_soft_17 and is_soft_17(self.dealer)):
            self.dealer.append(self.card())

    def worth(self, box: Box) -> int:
        """Give what a box wins against the dealer's final cards."""
        mine, theirs = best_total(box.cards), best_total(self.dealer)
        if box.gave_up:
            return -box.bet // 2
        if mine > 21:
            return -box.bet
        if theirs > 21 or mine > theirs:
            return box.bet
        return 0 if mine == theirs else -box.bet


def play_round(
    house: House, shoe: Sequence[int], bets: Sequence[int], chips: int, choose: Choose
) -> tuple[list[int], int]:
    """Play a round; even bets, every seat with the same chips.

    Returns: The nets of the seats, and the number of cards used.
    """
    table = Table(house, list(shoe))
    table.open(bets)
    naturals = [best_total(boxes[0].cards) == 21 for boxes in table.boxes]
    if house.natural_ends and best_total(table.dealer) == 21:
        nets = [0 if natural else -bet for natural, bet in zip(naturals, bets, strict=True)]
        return nets, len(shoe) - len(table.shoe)
    for seat, natural in enumerate(naturals):
        if not natural:
            table.play_seat(seat, chips, choose)
    if any(
        not natural and any(best_total(box.cards) <= 21 and not box.gave_up for box in boxes)
        for natural, boxes in zip(naturals, table.boxes, strict=True)
    ):
        table.play_dealer()
    nets = [
        boxes[0].bet * 3 // 2 if natural else sum(map(table.worth, boxes))
        for natural, boxes in zip(naturals, table.boxes, strict=True)
    ]
    return nets, len(shoe) - len(table.shoe)
