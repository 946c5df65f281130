"""Rounds from a shoe that ends, dealt in every order there is, in fractions.

Two oracles, both slow. `value_of_chart` has the naive casino play a round again for every card
that could come next; it knows every rule and needs a shoe of very few kinds of cards. `best_value`
looks for the best move by all cards of a hand, with recursion that knows hits, stands, doubles and
surrender, and no splits. Cards are ranks of the naive casino: 2 to 14, an ace.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

from naive_blackjack import best_total, is_soft_17
from naive_casino import Choose, House, play_round

Worth = Callable[[int, tuple[int, ...]], Fraction]
WAGER = 4  # so that every payout is whole


def value_of_chart(house: House, shoe: Mapping[int, int], choose: Choose) -> Fraction:
    """Give what somebody wins a round on average, in wagers."""

    def value(dealt: tuple[int, ...], left: Mapping[int, int]) -> Fraction:
        try:
            nets, _ = play_round(house, dealt, [WAGER], 1000 * WAGER, choose)
        except IndexError:  # it took one from an empty list
            whole = sum(left.values())
            assert whole, f"expected a shoe for every round, got to the end of it: {dealt}"
            return sum(
                (
                    Fraction(copies, whole) * value((*dealt, card), {**left, card: copies - 1})
                    for card, copies in left.items()
                    if copies
                ),
                Fraction(0),
            )
        return Fraction(nets[0], WAGER)

    return value((), shoe)


def best_value(house: House, shoe: Mapping[int, int]) -> Fraction:
    """Give what the best play wins a round, without splits, by all cards of the hand."""
    return _Best(house, shoe).value()


class _Best:
    """Recursion over what is in the player's hand, and what the dealer draws."""

    def __init__(self, house: House, shoe: Mapping[int, int]) -> None:
        self.house = house
        self.shoe = tuple(sorted(shoe.items()))
        self.final = cache(self._final)
        self.best = cache(self._best)

    def value(self) -> Fraction:
        return sum(
            (
                p * q * r * self.opened(up, tuple(sorted((one, two))))
                for one, p in self.next(())
                for up, q in self.next((one,))
                for two, r in self.next((one, up))
            ),
            Fraction(0),
        )

    def next(self, out: tuple[int, ...]) -> list[tuple[int, Fraction]]:
        """Give each card that can come, and its probability."""
        left = {card: copies - out.count(card) for card, copies in self.shoe}
        whole = sum(left.values())
        return [(card, Fraction(copies, whole)) for card, copies in left.items() if copies]

    def opened(self, up: int, hand: tuple[int, ...]) -> Fraction:
        """Give what two cards are worth, before the dealer looks."""
        natural = sum(
            (p for card, p in self.next((up, *hand)) if best_total([up, card]) == 21), Fraction(0)
        )
        if best_total(list(hand)) == 21:
            pushes = natural if self.house.dealer_natural != "is-21" else Fraction(0)
            return (1 - pushes) * Fraction(3, 2)
        if self.house.dealer_natural == "wins-at-once":
            return self.best(up, hand) - natural
        return self.best(up, hand)

    def _best(self, up: int, hand: tuple[int, ...]) -> Fraction:
        """Give the value over all hole cards with which the round goes on."""
        total, house = best_total(list(hand)), self.house
        stand = self.stand(up, hand)
        if total == 21:
            return stand
        moves = [stand, self.hit(up, hand, self.best)]
        if len(hand) == 2 and total in house.doubled:
            moves.append(2 * self.hit(up, hand, self.stand))
        if len(hand) == 2 and house.surrender:
            moves.append(-self.alive(up, hand) / 2)
        return max(moves)

    def hit(self, up: int, hand: tuple[int, ...], then: Worth) -> Fraction:
        """Give what a hand is worth after one card."""
        found = Fraction(0)
        for card, p in self.next((up, *hand)):
            more = tuple(sorted((*hand, card)))
            busts = best_total(list(more)) > 21
            found += p * (-self.alive(up, more) if busts else then(up, more))
        return found

    def alive(self, up: int, hand: tuple[int, ...]) -> Fraction:
        """Give the probability that no natural has ended the round at once."""
        if self.house.dealer_natural != "wins-at-once":
            return Fraction(1)
        return sum(
            (p for card, p in self.next((up, *hand)) if best_total([up, card]) != 21), Fraction(0)
        )

    def stand(self, up: int, hand: tuple[int, ...]) -> Fraction:
        """Give what a hand is worth against all that the dealer can draw."""
        return self.final((up,), hand)

    def _final(self, dealer: tuple[int, ...], hand: tuple[int, ...]) -> Fraction:
        mine, theirs = best_total(list(hand)), best_total(list(dealer))
        if len(dealer) == 2 and theirs == 21 and self.house.dealer_natural != "is-21":
            return Fraction(0 if self.house.dealer_natural == "wins-at-once" else -1)
        soft = self.house.hits_soft_17 and is_soft_17(list(dealer))
        if len(dealer) > 1 and (theirs >= 17 and not soft):
            return Fraction(1 if theirs > 21 or mine > theirs else -(mine < theirs))
        found = Fraction(0)
        for card, p in self.next((*dealer, *hand)):
            # What the dealer drew first decides whether it has a natural; the rest has no order.
            more = (
                (*dealer, card) if len(dealer) < 2 else (*dealer[:1], *sorted((*dealer[1:], card)))
            )
            found += p * self.final(more, hand)
        return found
