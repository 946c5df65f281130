"""Seating: tables are opened, balanced and closed so that all are nearly equally full.

Source of the conventions: [TDA] in docs/sources.md.
"""

from collections.abc import Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush, heapreplace

from tourney.formats.base import Event, Happening
from tourney.formats.field import Lots
from tourney.game.ledger import BlockResult


class Tables:
    """The tables in play, each with its players in the order in which they bet next."""

    def __init__(self, seats: int) -> None:
        """Start with an empty room.

        Args:
            seats: Most players at a table.
        """
        self._seats = seats
        self._orders: dict[int, list[int]] = {}  # by number of the table
        self._next = 0

    def __len__(self) -> int:
        """Count the tables."""
        return len(self._orders)

    def __iter__(self) -> Iterator[tuple[int, list[int]]]:
        """Iterate over the tables by number, each with its order of play."""
        return iter(self._orders.items())

    @property
    def players(self) -> int:
        """Number of seated players."""
        return sum(map(len, self._orders.values()))

    def turn(self, result: BlockResult) -> None:
        """Rotate the first bet as in a block."""
        left = {
            seat.entrant: seat.left_round - result.key.first_round + 1
            for seat in result.seats
            if seat.left_round is not None and not seat.verdict
        }
        number = result.key.table
        self._orders[number] = turned(self._orders[number], result.rounds, left)

    def dismiss(self, entrants: set[int]) -> None:
        """Remove players that are out."""
        for number, order in self._orders.items():
            if not entrants.isdisjoint(order):
                self._orders[number] = [each for each in order if each not in entrants]

    def arrange(self, comers: Iterable[int], lots: Lots) -> list[Happening]:
        """Seat new players at as few tables as possible, whose sizes differ by one at most.

        Args:
            comers: Players that sit down for the first time.
            lots: Draws for seats, among tables of equal size.
        """
        events: list[Happening] = []
        new = list(comers)
        needed = -(-(self.players + len(new)) // self._seats)
        moving = self._break(needed, events)
        while len(self._orders) < needed:
            self._orders[self._next] = []
            self._next += 1
        events += self._seat(new, moving, lots)
        events += self._balance()
        return events

    def redraw(self, lots: Lots) -> None:
        """Draw new seats at all tables."""
        for number, order in self._orders.items():
            self._orders[number] = lots.shuffled(order)

    def _break(self, needed: int, events: list[Happening]) -> list[int]:
        """Close empty tables, and break the last ones until only the needed number is left."""
        closing = [number for number, order in self._orders.items() if not order]
        left = [number for number, order in self._orders.items() if order]
        closing += left[needed:]
        events += [Happening(Event.BREAK_TABLE, table=number) for number in closing]
        return [entrant for number in closing for entrant in self._orders.pop(number)]

    def _seat(self, new: list[int], moving: list[int], lots: Lots) -> Iterator[Happening]:
        """Assign random seats, always at the emptiest table."""
        arriving = [(Event.SEAT, each) for each in new] + [(Event.MOVE, each) for each in moving]
        if not arriving:
            return
        emptiest = [(len(order), number) for number, order in self._orders.items()]
        heapify(emptiest)
        for place in lots.shuffled(range(len(arriving))):
            event, entrant = arriving[place]
            players, number = emptiest[0]
            self._orders[number].insert(lots.below(players + 1), entrant)
            heapreplace(emptiest, (players + 1, number))
            yield Happening(event, entrant, number)

    def _balance(self) -> Iterator[Happening]:
        """Move the next first bettor from the fullest table to the emptiest, into the same
        position.
        """
        emptiest = [(len(order), number) for number, order in self._orders.items()]
        if not emptiest or max(emptiest)[0] - min(emptiest)[0] < 2:  # noqa: PLR2004 - the rule
            return
        fullest = [(-players, number) for players, number in emptiest]
        heapify(emptiest)
        heapify(fullest)
        while True:
            most, least = heappop(fullest), heappop(emptiest)
            if -most[0] - least[0] < 2:  # noqa: PLR2004 - the rule
                return
            entrant = self._orders[most[1]].pop(0)
            self._orders[least[1]].insert(0, entrant)
            # From now on each table is in only one heap, the one that can still need it: a table
            # that gave a player is never the emptiest, nor one that took a player the fullest.
            heappush(fullest, (most[0] + 1, most[1]))
            heappush(emptiest, (least[0] + 1, least[1]))
            yield Happening(Event.MOVE, entrant, least[1])


def turned(order: list[int], rounds: int, left: Mapping[int, int]) -> list[int]:
    """Return the order of play after some rounds, each of which began one seat further on.

    Args:
        order: Of the first round.
        rounds: Number of rounds played.
        left: Round after which a player left, from 1, for each player that left.
    Returns: All players, including those that left; one that stayed comes first, if any.

    >>> turned([7, 8, 9], 2, {}), turned([7, 8, 9], 2, {8: 1})
    ([9, 7, 8], [7, 8, 9])
    """
    playing = [each for each in order if left.get(each, 1) > 0]
    before = 0
    for number in (*sorted(set(left.values()) - {0}), rounds):
        if not playing:
            return order
        first = (number - before) % len(playing)
        playing = [*playing[first:], *playing[:first]]
        if left:
            playing = [each for each in playing if left.get(each) != number]
        before = number
    first = order.index(playing[0]) if playing else 0
    return [*order[first:], *order[:first]]
