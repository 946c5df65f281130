"""Base classes and decorators of strategies that the platform can play without calling them.

`@pure` is a promise about a method. A `CountingPlayer` keeps a count: its `system` defines the tags
of cards, its `ramp` the wagers by count, and `@deviates` the hands that it plays by the count. An
`InsuringPlayer` also takes insurance by the count, and a `DeviatingPlayer` also doubles, splits,
stands or surrenders by it. Such a class can be combined with a chart player. The same definitions
apply when the player is asked card by card. `declaration_request` checks the promises.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Literal, TypeVar

from tourney.game.cards.card import CARDS, DECK_SIZE, Card, Rank
from tourney.game.view import TableView
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import (
    HARD,
    NEVER,
    ROUNDINGS,
    ROWS,
    SOFT,
    UPCARDS,
    Rounding,
    pair_row,
    total_row,
    upcard_column,
)
from tourney.games.blackjack.hand import Hand, is_pair
from tourney.games.blackjack.players.player import Player

Method = TypeVar("Method", bound=Callable[..., Any])
Draw = Callable[[Any, Card, Hand], bool]
StandFrom = Mapping[int, Mapping[int, int]]
"""Counts by hard total and value of the upcard, 11 for an ace."""


def pure(method: Method) -> Method:
    """Promise that a method's answer depends only on a few values, so that it can be tabulated.

    A pure `draw` depends on the value of the upcard, the total of the hand and whether it is soft.
    A pure `act` depends on the legal moves and, for the cards of each side, on their total, whether
    it is soft, and whether the hand is a pair. A pure `bet` is the minimum. The platform asks each
    method before play about all hands, and then looks the answers up.

    >>> class Coward(Player):
    ...     @pure
    ...     def draw(self, dealer, player):
    ...         return player.total < 12
    """
    method.promise = {}  # type: ignore[attr-defined]  # functions accept attributes
    return method


def deviates(stand_from: StandFrom) -> Callable[[Draw], Draw]:
    """Play some hard hands by the count, and all others by a pure `draw`.

    Args:
        stand_from: The points from which such a hand stands; with fewer it hits.
    """

    def decorate(chart: Draw) -> Draw:
        @wraps(chart)
        def draw(self: Any, dealer: Card, player: Hand) -> bool:
            if not player.soft:
                index = stand_from.get(player.total, {}).get(dealer.value)
                if index is not None:
                    return bool(self.points < index)
            return chart(self, dealer, player)

        draw.promise = stand_from  # type: ignore[attr-defined]  # as for `pure`
        return draw

    return decorate


class CountSystem:
    """The tags of cards, and the reading of a count.

    Args:
        tags: Points by rank; missing ranks count 0.
        per_deck: Read as points per 52 unseen cards (a true count), or as it is.
        decks: Decks in the shoe, for counts per deck.
        rounding: Rounding of points per deck.

    >>> CountSystem({Rank.FIVE: 1}, per_deck=True, rounding="down").points(1, seen=26)
    2
    """

    def __init__(
        self,
        tags: Mapping[Rank, int],
        *,
        per_deck: bool = False,
        decks: int = 1,
        rounding: Rounding = "down",
    ) -> None:
        if rounding not in ROUNDINGS:
            raise ValueError(f"rounding: expected {' or '.join(ROUNDINGS)}, got {rounding!r}")
        self.tags = tuple(tags.get(card.rank, 0) for card in CARDS)  # by code
        self.per_deck = per_deck
        self.decks = decks
        self.rounding = rounding

    def points(self, count: int, seen: int) -> int:
        """Read a count.

        Args:
            count: Sum of the tags of the cards seen since the last shuffle.
            seen: Number of these cards.
        """
        if not self.per_deck:
            return count
        # A shoe with more decks than `decks` must not cause a division by zero.
        unseen = max(self.decks * DECK_SIZE - seen, 1)
        scaled = count * DECK_SIZE
        if self.rounding == "nearest":
            return (2 * scaled + unseen) // (2 * unseen)
        if self.rounding == "to-zero" and scaled < 0:
            return -(-scaled // unseen)
        return scaled // unseen


class BetRamp:
    """Wagers by the count.

    Args:
        steps: Number of minimums to wager from these points on; below the lowest, one.
        short: Wager if the bankroll or the table does not allow that much: the "minimum", or the
            "rest" that is allowed.

    >>> ramp = BetRamp({2: 2, 4: 5})
    >>> [ramp.units(points) for points in (1, 2, 3, 9)]
    [1, 2, 2, 5]
    """

    def __init__(
        self, steps: Mapping[int, int], *, short: Literal["minimum", "rest"] = "minimum"
    ) -> None:
        if any(units < 1 for units in steps.values()):
            raise ValueError(f"steps: wagers must be at least 1 minimum; these are {dict(steps)}")
        self._steps = sorted(steps.items(), reverse=True)
        self.bets_rest = short == "rest"

    @property
    def ends(self) -> tuple[int, int]:
        """The points below which, and above which, the wager does not change."""
        return (self._steps[-1][0] - 1, self._steps[0][0]) if self._steps else (0, 0)

    def units(self, points: int) -> int:
        """Return the number of minimums to wager."""
        for start, units in self._steps:
            if points >= start:
                return units
        return 1

    def wager(self, points: int, minimum: int, most: int) -> int:
        """Return the wager.

        Args:
            points: The count, as read by the system.
            minimum: The minimum bet.
            most: The maximum, by bankroll and table.
        """
        wager = self.units(points) * minimum
        if wager > most:
            return most if self.bets_rest else minimum
        return wager


class BetLine(BetRamp):
    """A ramp that rises evenly.

    Args:
        above: Greatest points at which one minimum is wagered.
        slope: Additional minimums per further point.
        most: Most minimums to wager.
        short: As for `BetRamp`.

    >>> [BetLine(above=2, slope=2, most=8).units(points) for points in (2, 3, 4, 5, 6)]
    [1, 3, 5, 7, 8]
    """

    def __init__(
        self, *, above: int, slope: int, most: int, short: Literal["minimum", "rest"] = "minimum"
    ) -> None:
        super().__init__({}, short=short)
        if slope < 0 or most < 1:
            raise ValueError(
                f"slope must be at least 0 and most at least 1; got {slope} and {most}"
            )
        self._above, self._slope, self._most = above, slope, most

    @property
    def ends(self) -> tuple[int, int]:
        """The points below which, and above which, the wager does not change."""
        return self._above, self._above - (1 - self._most) // max(self._slope, 1)

    def units(self, points: int) -> int:
        """Return the number of minimums to wager."""
        return min(max(1 + self._slope * (points - self._above), 1), self._most)


class CountingPlayer(Player):
    """A player that counts cards and wagers by the count.

    Give it a `system` and a `ramp`, as class attributes or, if they depend on options, in the
    constructor; and a `draw`, or combine it with a class that has one.
    """

    system: CountSystem
    """The tags of cards, and the reading of the count."""

    ramp: BetRamp
    """The wagers."""

    count = 0
    """Sum of the tags of the cards seen since the last shuffle."""

    seen = 0
    """Number of cards seen since the last shuffle."""

    @property
    def points(self) -> int:
        """The count, as read by the system."""
        return self.system.points(self.count, self.seen)

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager by the ramp; without a table, only the bankroll is a limit."""
        look: Callable[[], TableView] | None = getattr(self, "look", None)
        most = min(bankroll, look().maximum) if look else bankroll
        return self.ramp.wager(self.points, minimum, most)

    def expose(self, card: Card) -> None:
        """Count a visible card."""
        self.count += self.system.tags[card.code]
        self.seen += 1

    def shuffled(self) -> None:
        """Reset the count."""
        self.count = self.seen = 0


class InsuringPlayer(CountingPlayer):
    """A counting player that takes insurance by the count, and leaves other moves to the next
    class.

    Give it `insures_from`, as a class attribute or in the constructor.

    >>> class Casino(InsuringPlayer):
    ...     insures_from = 3
    """

    insures_from: int = NEVER
    """Points from which insurance is taken; by default never."""

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Take insurance by the count; leave other moves to the next class."""
        if Action.INSURE in legal:
            return Action.INSURE if self.points >= self.insures_from else Action.DECLINE
        return super().act(dealer, player, legal)


Deviations = Mapping[tuple[str, str], tuple[int, Action]]
"""Points from which a move is made, by the row of a chart and the dealer's upcard."""


class DeviatingPlayer(InsuringPlayer):
    """A counting player that makes some moves by the count, and leaves others to the next class.

    Give it `deviations`, as a class attribute or in the constructor: the points from which a hand
    makes a move, if it is legal. Hands are named by the rows of a chart, such as "16", "A7" or
    "TT", and upcards by its columns. Two cards of one value are that pair, not their total.

    >>> class Indices(DeviatingPlayer):
    ...     deviations = {
    ...         ("16", "10"): (0, Action.STAND),
    ...         ("11", "A"): (1, Action.DOUBLE),
    ...         ("TT", "6"): (4, Action.SPLIT),
    ...     }
    """

    deviations: Deviations
    """Moves by the count."""

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Make a move by the count; leave other moves to the next class."""
        if Action.INSURE not in legal:
            found = self.deviations.get((row_name(player), upcard_name(dealer.cards[0])))
            if found and self.points >= found[0] and found[1] in legal:
                return found[1]
        return super().act(dealer, player, legal)


def row_name(hand: Hand) -> str:
    """Return the row of a chart for a hand of two or more cards; empty if it has no row."""
    if is_pair(hand):
        return ROWS[pair_row(hand.total, hand.soft)]
    if hand.total not in (SOFT if hand.soft else HARD):
        return ""
    return ROWS[total_row(hand.total, hand.soft)]


def upcard_name(card: Card) -> str:
    """Return the column of a chart for an upcard."""
    return UPCARDS[upcard_column(card.value)]
