"""All ways to play a round, for games that are small enough to list them.

A round draws cards and asks seats. It is played again and again, each time with another choice,
until every choice was made: of a card, each as likely as the others that are left, and of each
action. The ends are kept in sequence form. A seat decides by its own earlier views and actions
alone, so the chance that it plays towards an end is that of its last action there.

Source: von Stengel, "Efficient computation of behavior strategies", 1996; Knuth, "Estimating the
efficiency of backtrack programs", 1975, for the size of a game.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from random import Random
from typing import Any

from tourney.errors import PluginError, PluginFailedError, RulesError
from tourney.game.blocks import HOUSE_LIMIT, Block, Seat
from tourney.game.cards.card import CARDS, Card
from tourney.game.cards.keys import KEY_BYTES
from tourney.game.ledger import BlockKey
from tourney.game.rounds import Round, RoundTable
from tourney.game.rules import Rules
from tourney.game.seats import accounts_of
from tourney.research.inputs import LEAST

MOST_WAYS = 300_000
"""Most ways to play a round that are listed, in about half a minute."""
PROBES = 100
"""Random rounds that estimate the number of ways."""
FAR_TOO_LARGE = 20
"""An estimate of this many times the limit is not checked by counting."""
BANKROLL = 1_000
"""In minimums, of every seat."""
ROOT = 0
"""The number of a seat's empty sequence, before its first action."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What a seat knows when it must act: an information set."""

    seat: int
    view: Any
    legal: tuple[Any, ...]
    earlier: tuple[tuple[Any, Any], ...]  # its views and actions before, in order
    after: int  # the sequence that leads here
    first: int  # the sequence of its first legal action; those of others follow


@dataclass(frozen=True, slots=True)
class Ending:
    """Ends of a round with the same last sequence of every seat."""

    sequences: tuple[int, ...]  # by seat
    chance: float  # of the cards, if all seats act to get here
    results: tuple[float, ...]  # by seat, times `chance`: minimums, or points with a minus sign


@dataclass(slots=True)
class GameTree:
    """A game in sequence form."""

    rules: Rules
    seats: int
    ways: int = 0
    situations: list[Situation] = field(default_factory=list)  # earlier ones of a seat first
    endings: list[Ending] = field(default_factory=list)
    sequences: list[int] = field(default_factory=list)  # number by seat, with the empty one

    def of_seat(self, seat: int) -> Iterator[tuple[int, Situation]]:
        """Yield the situations of a seat with their numbers."""
        for number, each in enumerate(self.situations):
            if each.seat == seat:
                yield number, each


def is_listable(rules: Rules) -> bool:
    """Return whether the ways to play a round can be listed, if there are not too many."""
    deals_alone = rules.seats.start == 1
    return not deals_alone and isinstance(_table_of(rules, rules.seats.start)[0], RoundTable)


def check_size(rules: Rules) -> None:
    """Reject a game with far too many ways to play a round, by an estimate.

    Raises: RulesError, with the estimate.
    """
    _Deals(rules, rules.seats.start).check_size(MOST_WAYS)


def _table_of(rules: Rules, seats: int) -> tuple[Any, int]:
    """Return a table, and the bankroll of every seat in the unit of the rules."""
    minimum = _minimum_of(rules)
    places = tuple(Seat(n, BANKROLL * minimum, bytes(KEY_BYTES)) for n in range(seats))
    most = HOUSE_LIMIT * rules.unit if minimum else 0
    block = Block(BlockKey(0, 0, 0, 0, 1), rules, places, minimum, most, 1, bytes(KEY_BYTES))
    return rules.game.table(block, accounts_of(block)), BANKROLL * minimum


def _minimum_of(rules: Rules) -> int:
    """Return the least wager in the unit of the rules; 0 in a game of points."""
    return (rules.minimum or LEAST) * rules.unit if rules.most_points is None else 0


def tree_of(rules: Rules, seats: int | None = None, most: int = MOST_WAYS) -> GameTree:
    """List all ways to play a round.

    Args:
        rules: The rules.
        seats: Number of seats; by default the fewest.
        most: Largest number of ways.
    Raises: RulesError, if there are more, or the game is of another kind.
    """
    deals = _Deals(rules, rules.seats.start if seats is None else seats)
    deals.check_size(most)
    builder = _Builder(deals)
    for _ in deals.ways():
        builder.take()
        if builder.tree.ways > most:
            raise _too_large(rules, f"more than {most:,}", most)
    return builder.finished()


def _too_large(rules: Rules, ways: str, most: int) -> RulesError:
    return RulesError(
        f"{rules.game}: {ways} ways to play a round, and the limit is {most:,}; use a smaller "
        "variant, or let strategies meet in `compare` or a tournament; if only some cards matter, "
        "the game can name them as `pack` of its table"
    )


@dataclass(slots=True)
class _Choice:
    """A choice on the way to an end."""

    count: int  # of possibilities
    taken: int  # the number of the one that was taken


class _Deals:
    """Plays rounds of a game, each with another combination of choices."""

    def __init__(self, rules: Rules, seats: int) -> None:
        if seats not in rules.seats:
            raise RulesError(
                f"seats: expected from {rules.seats.start} to {rules.seats.stop - 1}, got {seats}"
            )
        self.rules, self.seats = rules, seats
        self.minimum = _minimum_of(rules)
        table, bankroll = _table_of(rules, seats)
        self._bankrolls = (bankroll,) * seats
        if not isinstance(table, RoundTable):
            raise RulesError(
                f"{rules.game}: rounds can be listed only for games whose table is a RoundTable"
            )
        self._table = table
        self._pack = Counter(dict.fromkeys(table.pack or CARDS, table.decks))
        self._choices: list[_Choice] = []
        self._at = 0
        self._luck: Random | None = None  # for probes
        self.chance = 1.0  # of the cards of this round
        self.acted: list[tuple[int, Any, tuple[Any, ...], int]] = []  # seat, view, legal, taken
        self.results: tuple[float, ...] = ()

    def check_size(self, most: int) -> None:
        """Reject a game with far too many ways, by an estimate.

        Raises: RulesError, with the estimate.
        """
        luck = Random(0)  # noqa: S311 - probes, not a secret
        estimate = sum(self.probe(luck) for _ in range(PROBES)) / PROBES
        if estimate > FAR_TOO_LARGE * most:
            raise _too_large(self.rules, f"about {estimate:.0e}", most)

    def ways(self) -> Iterator[None]:
        """Play every way once; after each, its facts are in the attributes."""
        self._choices, self._luck = [], None
        while True:
            self._play()
            yield
            while self._choices and self._choices[-1].taken == self._choices[-1].count - 1:
                self._choices.pop()
            if not self._choices:
                return
            self._choices[-1].taken += 1

    def probe(self, luck: Random) -> float:
        """Play a random way, and return the product of its numbers of possibilities."""
        self._choices, self._luck = [], luck
        self._play()
        return prod((each.count for each in self._choices), start=1.0)

    def _play(self) -> None:
        self._at, self.chance, self.acted = 0, 1.0, []
        self._table.luck.begin(0)
        state: Round[Any, Any] = self._table.open(self._bankrolls, self._cards())
        while (seat := state.to_act) is not None:
            view, legal = state.observation(seat), tuple(state.legal_actions())
            if not legal:
                raise PluginFailedError(f"game {self.rules.game}: legal_actions() is empty")
            taken = self._choose(len(legal))
            self.acted.append((seat, view, legal, taken))
            state.apply_action(legal[taken])
        if self._table.luck.word:
            raise RulesError(
                f"{self.rules.game}: its table draws random numbers with self.luck; rounds can be "
                "listed only if all chance comes from the cards"
            )
        results = [float(each) for each in state.results()]
        if self.minimum:
            self.results = tuple(each / self.minimum for each in results)
        else:
            self.results = tuple(-each for each in results)

    def _cards(self) -> Iterator[Card]:
        """Deal cards that are chosen one by one; equal ones of several decks are one choice."""
        left = Counter(self._pack)
        while total := left.total():
            cards = [card for card, count in left.items() if count]
            card = cards[self._choose(len(cards))]
            self.chance *= left[card] / total
            left[card] -= 1
            yield card

    def _choose(self, count: int) -> int:
        if self._at == len(self._choices):
            taken = self._luck.randrange(count) if self._luck else 0
            self._choices.append(_Choice(count, taken))
        choice = self._choices[self._at]
        self._at += 1
        if choice.count != count:
            raise PluginFailedError(
                f"game {self.rules.game}: a round differs when it is played again with the same "
                "cards and actions; tourney check --game shows the cause"
            )
        return choice.taken


class _Builder:
    """Collects the sequence form of a game."""

    def __init__(self, deals: _Deals) -> None:
        self.tree = GameTree(deals.rules, deals.seats, sequences=[1] * deals.seats)
        self._deals = deals
        self._numbers: dict[Any, int] = {}
        self._sums: dict[tuple[int, ...], list[float]] = {}

    def take(self) -> None:
        """Add the way that was just played."""
        deals, tree = self._deals, self.tree
        last = [ROOT] * tree.seats
        earlier: list[tuple[tuple[Any, Any], ...]] = [()] * tree.seats
        for seat, view, legal, taken in deals.acted:
            situation = self._situation(seat, view, legal, last[seat], earlier[seat])
            last[seat] = situation.first + taken
            earlier[seat] = (*earlier[seat], (view, legal[taken]))
        tree.ways += 1
        sums = self._sums.setdefault(tuple(last), [0.0] * (tree.seats + 1))
        sums[-1] += deals.chance
        for seat, result in enumerate(deals.results):
            sums[seat] += deals.chance * result

    def finished(self) -> GameTree:
        """Return the game."""
        self.tree.endings = [
            Ending(sequences, sums[-1], tuple(sums[:-1])) for sequences, sums in self._sums.items()
        ]
        return self.tree

    def _situation(
        self,
        seat: int,
        view: Any,
        legal: tuple[Any, ...],
        after: int,
        earlier: tuple[tuple[Any, Any], ...],
    ) -> Situation:
        tree, key = self.tree, (seat, after, view)
        try:
            number = self._numbers.get(key)
        except TypeError:
            raise PluginError(
                f"game {tree.rules.game}: a view cannot be hashed; use tuples instead of lists and "
                "frozen classes in views"
            ) from None
        if number is None:
            number = self._numbers[key] = len(tree.situations)
            first = tree.sequences[seat]
            tree.sequences[seat] += len(legal)
            tree.situations.append(Situation(seat, view, legal, earlier, after, first))
        found = tree.situations[number]
        if found.legal != legal:
            raise PluginFailedError(
                f"game {tree.rules.game}: a seat cannot know its legal actions from its view {view}"
            )
        return found
