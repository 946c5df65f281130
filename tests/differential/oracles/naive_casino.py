"""A slow and naive blackjack with all that casinos offer, without the platform's parts.

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
    has_hole: bool = True
    dealer_natural: str = "is-21"
    insures: bool = False
    asks_at_21: bool = True
    doubled: tuple[int, ...] = ()
    double_after_split: bool = True
    split: str = "never"
    hands: int = 4
    aces: str = "one-card"
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
    split_or_nothing: bool = False


@dataclass
class Table:
    """A round on the way."""

    house: House
    shoe: list[int]
    boxes: list[list[Box]] = field(default_factory=list)
    dealer: list[int] = field(default_factory=list)
    premiums: list[int] = field(default_factory=list)

    def card(self) -> int:
        """Take the next card of the shoe."""
        return self.shoe.pop(0)

    def open(self, bets: Sequence[int]) -> None:
        """Deal two cards to everybody, or one to the dealer."""
        self.boxes = [[Box([], bet)] for bet in bets]
        self.premiums = [0] * len(bets)
        players = [boxes[0].cards for boxes in self.boxes]
        circle = [*players, self.dealer]
        if self.house.dealing == "dealer-first":
            circle = [self.dealer, *players]
        turns = circle * 2
        if self.house.dealing == "dealer-both":
            turns = [hand for hand in [self.dealer, *players] for _ in range(2)]
        for hand in turns:
            if hand is not self.dealer or not hand or self.house.has_hole:
                hand.append(self.card())

    def sell_insurance(self, chips: int, choose: Choose) -> None:
        """Ask all who have the chips, a natural in their hands or not."""
        if not self.house.insures or self.dealer[0] != 14:
            return
        for seat, (box,) in enumerate(self.boxes):
            if chips - box.bet >= box.bet // 2:
                what = choose(self.seen_of_dealer(), box.cards, ["decline", "insure"])
                self.premiums[seat] = box.bet // 2 if what == "insure" else 0

    def seen_of_dealer(self) -> list[int]:
        """Give what players see of the dealer's cards."""
        return self.dealer[: 2 if self.house.both_shown else 1]

    def options(self, boxes: list[Box], box: Box, behind: int) -> list[str]:
        """Give what may be done with a box."""
        house, options = self.house, ["stand", "hit"]
        if len(box.cards) == 2:
            one, other = box.cards
            if box.split_or_nothing:
                options.remove("hit")
            allowed = house.double_after_split or not box.from_split
            doubles = best_total(box.cards) in house.doubled and not box.split_or_nothing
            if allowed and doubles and behind >= box.bet:
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
                behind = chips - sum(each.bet for each in boxes) - self.premiums[seat]
                options = self.options(boxes, box, behind)
                if options == ["stand"]:
                    break
                self.do(choose(self.seen_of_dealer(), box.cards, options), boxes, box)
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
            if moved == 14 and self.house.aces == "one-card":
                box.stopped = new.stopped = True
            if moved == 14 and self.house.aces == "resplit":
                box.split_or_nothing = new.split_or_nothing = True
            boxes.append(new)

    def finish(self) -> None:
        """Take a second card if anybody waits for it, and draw to 17 if a hand does."""
        every = [box for boxes in self.boxes for box in boxes if not box.gave_up]
        hands = [box for box in every if not is_natural(box) and best_total(box.cards) <= 21]
        naturals = [box for box in every if is_natural(box)]
        may_tie = self.house.dealer_natural == "beats-all" and self.dealer[0] >= 10
        if len(self.dealer) == 1 and (hands or any(self.premiums) or (naturals and may_tie)):
            self.dealer.append(self.card())
        while hands and (
            best_total(self.dealer) < 17 or (self.house.hits_soft_17 and is_soft_17(self.dealer))
        ):
            self.dealer.append(self.card())

    def wins_all(self) -> bool:
        """Say whether the dealer has a natural that is more than a 21."""
        has_natural = len(self.dealer) == 2 and best_total(self.dealer) == 21
        return has_natural and self.house.dealer_natural != "is-21"

    def worth(self, box: Box) -> int:
        """Give what a box wins against the dealer's final cards."""
        if self.wins_all() and not box.gave_up and best_total(box.cards) <= 21:
            return 0 if is_natural(box) else -box.bet
        if is_natural(box):
            return box.bet * 3 // 2
        mine, theirs = best_total(box.cards), best_total(self.dealer)
        if box.gave_up:
            return -box.bet // 2
        if mine > 21:
            return -box.bet
        if theirs > 21 or mine > theirs:
            return box.bet
        return 0 if mine == theirs else -box.bet


def is_natural(box: Box) -> bool:
    """Say whether a box holds an ace and a ten-value card as they were dealt."""
    return len(box.cards) == 2 and not box.from_split and best_total(box.cards) == 21


def play_round(
    house: House, shoe: Sequence[int], bets: Sequence[int], chips: int, choose: Choose
) -> tuple[list[int], int]:
    """Play a round; even bets, every seat with the same chips.

    Returns: The nets of the seats, and the number of cards used.
    """
    table = Table(house, list(shoe))
    table.open(bets)
    table.sell_insurance(chips, choose)
    if house.dealer_natural != "wins-at-once" or best_total(table.dealer) != 21:
        for seat, (box, *_) in enumerate(table.boxes):
            if not is_natural(box):
                table.play_seat(seat, chips, choose)
        table.finish()
    nets = [sum(map(table.worth, boxes)) for boxes in table.boxes]
    has_natural = len(table.dealer) == 2 and best_total(table.dealer) == 21
    for seat, premium in enumerate(table.premiums):
        nets[seat] += 2 * premium if has_natural else -premium
    return nets, len(shoe) - len(table.shoe)
