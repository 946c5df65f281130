"""Strategies that say what they do, so that the platform can do it for them, at speed.

`@pure` is a promise about a method. A `CountingPlayer` keeps a count; its `system` says what a
card adds to it, its `ramp` what it wagers at which count, and `@deviates` which hands it plays
by the count; an `InsuringPlayer` takes insurance by it, and a `DeviatingPlayer` doubles, splits,
stands or gives up by it as well. A class beside it may play by a chart. All
of that is also how it plays when it is asked card by card, so nothing is written twice. Leaves out
how the promises are checked; see `declaration_request`.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Literal, TypeVar

from tourney.game.cards.card import CARDS, DECK_SIZE, Card, Rank
from tourney.game.view import TableView
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import NEVER, ROUNDINGS, Rounding
from tourney.games.blackjack.hand import Hand, is_pair
from tourney.games.blackjack.players.grid import (
    HARD,
    ROWS,
    SOFT,
    UPCARDS,
    pair_row,
    total_row,
    upcard_column,
)
from tourney.games.blackjack.players.player import Player

Method = TypeVar("Method", bound=Callable[..., Any])
Draw = Callable[[Any, Card, Hand], bool]
StandFrom = Mapping[int, Mapping[int, int]]
"""Counts by hard total and value of the upcard, 11 for an ace."""


def pure(method: Method) -> Method:
    """Promise that a method's answer depends on little, so that it need not be asked again.

    A pure `draw` depends on the value of the upcard, the total of the hand and whether that is
    soft. A pure `act` depends on what is legal and, of the cards of each side, on their total,
    whether that is soft, and whether the hand is a pair. A pure `bet` is the minimum. All are
    asked once, before play, about every hand that there is, and then looked up.

    >>> class Coward(Player):
    ...     @pure
    ...     def draw(self, dealer, player):
    ...         return player.total < 12
    """
    method.promise = {}  # type: ignore[attr-defined]  # a function holds what it is given
    return method


def deviates(stand_from: StandFrom) -> Callable[[Draw], Draw]:
    """Play some hard hands by the count, and all others by a `draw` that is pure.

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
    """What seen cards add to a count, and how the count is read.

    Args:
        tags: Points by rank; ranks left out count nothing.
        per_deck: Read as points per 52 unseen cards (a true count), or as it is.
        decks: Decks in the shoe, for counts per deck.
        rounding: How points per deck become whole.

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
            count: Tags of the cards seen since the last shuffle, summed.
            seen: How many those are.
        """
        if not self.per_deck:
            return count
        # A shoe of more decks than it was told of must not end in a division by zero.
        unseen = max(self.decks * DECK_SIZE - seen, 1)
        scaled = count * DECK_SIZE
        if self.rounding == "nearest":
            return (2 * scaled + unseen) // (2 * unseen)
        if self.rounding == "to-zero" and scaled < 0:
            return -(-scaled // unseen)
        return scaled // unseen


class BetRamp:
    """What to wager at which count.

    Args:
        steps: Minimums to wager from so many points on; below the lowest, one.
        short: What to do where the bankroll or the table does not allow that much: wager the
            "minimum", or the "rest" of what is allowed.

    >>> ramp = BetRamp({2: 2, 4: 5})
    >>> [ramp.units(points) for points in (1, 2, 3, 9)]
    [1, 2, 2, 5]
    """

    def __init__(
        self, steps: Mapping[int, int], *, short: Literal["minimum", "rest"] = "minimum"
    ) -> None:
        if any(units < 1 for units in steps.values()):
            raise ValueError(f"steps: expected at least 1 minimum each, got {dict(steps)}")
        self._steps = sorted(steps.items(), reverse=True)
        self.bets_rest = short == "rest"

    @property
    def ends(self) -> tuple[int, int]:
        """The points below which, and above which, nothing changes."""
        return (self._steps[-1][0] - 1, self._steps[0][0]) if self._steps else (0, 0)

    def units(self, points: int) -> int:
        """Give how many minimums to wager."""
        for start, units in self._steps:
            if points >= start:
                return units
        return 1

    def wager(self, points: int, minimum: int, most: int) -> int:
        """Give what to wager.

        Args:
            points: As the count is read.
            minimum: The least wager.
            most: The greatest, by bankroll and table.
        """
        wager = self.units(points) * minimum
        if wager > most:
            return most if self.bets_rest else minimum
        return wager


class BetLine(BetRamp):
    """A ramp that climbs evenly.

    Args:
        above: The most points at which one minimum is wagered.
        slope: Minimums more for every further point.
        most: Minimums wagered at most.
        short: As for `BetRamp`.

    >>> [BetLine(above=2, slope=2, most=8).units(points) for points in (2, 3, 4, 5, 6)]
    [1, 3, 5, 7, 8]
    """

    def __init__(
        self, *, above: int, slope: int, most: int, short: Literal["minimum", "rest"] = "minimum"
    ) -> None:
        super().__init__({}, short=short)
        if slope < 0 or most < 1:
            raise ValueError(f"expected slope >= 0 and most >= 1, got {slope} and {most}")
        self._above, self._slope, self._most = above, slope, most

    @property
    def ends(self) -> tuple[int, int]:
        """The points below which, and above which, nothing changes."""
        return self._above, self._above - (1 - self._most) // max(self._slope, 1)

    def units(self, points: int) -> int:
        """Give how many minimums to wager."""
        return min(max(1 + self._slope * (points - self._above), 1), self._most)


class CountingPlayer(Player):
    """A player that counts cards and wagers by the count.

    Give it a `system` and a `ramp`, as attributes of the class or, if they depend on options,
    in the constructor; and a `draw`, or another class beside it that has one.
    """

    system: CountSystem
    """What cards add to the count."""

    ramp: BetRamp
    """What it wagers."""

    count = 0
    """Tags of the cards seen since the last shuffle, summed."""

    seen = 0
    """Cards seen since the last shuffle."""

    @property
    def points(self) -> int:
        """The count as the system reads it."""
        return self.system.points(self.count, self.seen)

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager as the ramp says; away from a table only the bankroll is a limit."""
        look: Callable[[], TableView] | None = getattr(self, "look", None)
        most = min(bankroll, look().maximum) if look else bankroll
        return self.ramp.wager(self.points, minimum, most)

    def expose(self, card: Card) -> None:
        """Count a card that lies face up."""
        self.count += self.system.tags[card.code]
        self.seen += 1

    def shuffled(self) -> None:
        """Begin again at zero."""
        self.count = self.seen = 0


class InsuringPlayer(CountingPlayer):
    """A counting player that takes insurance by the count, and else acts as the class beside it.

    Give it `insures_from`, as an attribute of the class or in the constructor.

    >>> class Casino(InsuringPlayer):
    ...     insures_from = 3
    """

    insures_from: int = NEVER
    """Points from which insurance is taken; by default it never is."""

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Take insurance by the count; leave everything else to the class beside."""
        if Action.INSURE in legal:
            return Action.INSURE if self.points >= self.insures_from else Action.DECLINE
        return super().act(dealer, player, legal)


Deviations = Mapping[tuple[str, str], tuple[int, Action]]
"""Points from which a move is made, by the row of a chart and the dealer's upcard."""


class DeviatingPlayer(InsuringPlayer):
    """A counting player that makes some moves from a count on, and else acts as the class beside.

    Give it `deviations`, as an attribute of the class or in the constructor: from how many points
    on a hand makes which move, where that is legal. Hands are named by the rows of a chart, as
    "16", "A7" or "TT", and upcards by its columns; two cards of one value are that pair and not
    their total.

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
        """Make a move that the count asks for; leave everything else to the class beside."""
        if Action.INSURE not in legal:
            found = self.deviations.get((row_name(player), upcard_name(dealer.cards[0])))
            if found and self.points >= found[0] and found[1] in legal:
                return found[1]
        return super().act(dealer, player, legal)


def row_name(hand: Hand) -> str:
    """Name the row of a chart that a hand of two cards or more is looked up in; or none."""
    if is_pair(hand):
        return ROWS[pair_row(hand.total, hand.soft)]
    if hand.total not in (SOFT if hand.soft else HARD):
        return ""
    return ROWS[total_row(hand.total, hand.soft)]


def upcard_name(card: Card) -> str:
    """Name the column of a chart that an upcard stands for."""
    return UPCARDS[upcard_column(card.value)]
