"""Seating plans in which all entrants meet equally often: all pairs, or balanced fours.

In a plan each entrant sits at the same number of tables, and each pair of entrants shares the same
number of tables. Fours are developed from starter blocks: adding each element of a group to each
block gives all tables.

Source: [ColbournDinitz2007] in docs/sources.md.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from math import gcd

from tourney.formats.starters import CHARACTERS, STARTERS

PAIR, SEATS = 2, 4
MOST_ENTRANTS = 1000
"""A plan for more would have more than half a million tables."""

Four = tuple[int, int, int, int]

COSETS = "~"  # marks a subgroup in the list of starters

# No cyclic group has starters for these, but a product of smaller groups has.
PRODUCTS = {25: (5, 5), 28: (3, 3, 3)}


def plan_of(entrants: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """Return the smallest known plan: the entrants at each of its tables.

    Args:
        entrants: Number of entrants; `has_plan` must be true for it.
        seats: Seats at a table, 2 or 4.

    >>> plan_of(3, 2)
    ((0, 1), (0, 2), (1, 2))
    """
    return tuple(combinations(range(entrants), PAIR)) if seats == PAIR else fours(entrants)


@cache
def fours(entrants: int) -> tuple[Four, ...]:
    """Return the smallest known plan of fours: the four entrants at each of its tables.

    Args:
        entrants: Number of entrants; `has_plan` must be true for it.

    >>> fours(5)
    ((0, 2, 3, 4), (1, 3, 4, 0), (2, 4, 0, 1), (3, 0, 1, 2), (4, 1, 2, 3))
    """
    found = _developed(entrants) if entrants in STARTERS else _staircase(entrants)
    return tuple(found)


def has_plan(entrants: int, seats: int = SEATS) -> bool:
    """Return whether a plan for this number of entrants and seats is known.

    >>> [number for number in (3, 4, 63, 64, 65, 66, 67, 1001) if has_plan(number)]
    [4, 63, 64, 65, 66, 67]
    """
    if seats == PAIR:
        return entrants <= MOST_ENTRANTS
    if entrants in STARTERS:
        return True
    is_listed = entrants <= max(STARTERS) or entrants > MOST_ENTRANTS
    return not is_listed and gcd(_odd(entrants), 6) == 1


def tables_each(entrants: int, seats: int = SEATS) -> int:
    """Return the number of tables at which each entrant sits in the plan.

    >>> [tables_each(number) for number in (4, 5, 6, 7, 8, 9, 10, 13, 16)]
    [1, 4, 10, 4, 7, 8, 6, 4, 5]
    """
    if seats == PAIR:
        return entrants - 1
    if entrants in STARTERS:
        return _meetings(entrants) * (entrants - 1) // (SEATS - 1)
    return 2 * (entrants - 1)


def nearest_plans(entrants: int, seats: int = SEATS) -> tuple[int, ...]:
    """Return the nearest numbers of entrants, below and above, for which a plan is known."""
    fewer = range(min(entrants - 1, MOST_ENTRANTS), seats - 1, -1)
    more = range(max(entrants + 1, seats), MOST_ENTRANTS + 1)
    below, above = (next((n for n in some if has_plan(n, seats)), None) for some in (fewer, more))
    return tuple(number for number in (below, above) if number is not None)


def _odd(entrants: int) -> int:
    """Return the number of entrants that change places during development, an odd number."""
    return entrants if entrants % 2 else entrants - 1


def _meetings(entrants: int) -> int:
    """Return the least number of times that two entrants must meet for whole tables."""
    return next(
        times
        for times in (1, 2, 3, 6)
        if times * (entrants - 1) % (SEATS - 1) == 0
        and times * entrants * (entrants - 1) % (SEATS * (SEATS - 1)) == 0
    )


def _developed(entrants: int) -> Iterator[Four]:
    """Develop the starters of the list."""
    moving = _odd(entrants)
    group = _Group(PRODUCTS.get(entrants, (moving,)))
    for word in STARTERS[entrants].split():
        numbers = tuple(CHARACTERS.find(character) for character in word)
        if word.startswith(COSETS):
            yield from group.cosets(numbers[1], moving)
        elif len(word) == SEATS:
            yield _four(numbers)
        else:
            yield from group.orbit((0, *numbers), moving)


def _staircase(entrants: int) -> Iterator[Four]:
    """Develop a plan with two tables for each pair, for numbers without the factors 2 and 3.

    The starters are 0, i, 2i and 3i: their differences are i three times, 2i twice and 3i once, so
    over all i each difference comes six times. For an even number of entrants, two threes with the
    fixed entrant have the differences of i = 1.
    """
    moving = _odd(entrants)
    group = _Group((moving,))
    first = 1
    if moving < entrants:
        yield from group.orbit((0, 1, 2), moving)
        yield from group.orbit((0, 1, 3), moving)
        first = 2
    for step in range(first, (moving + 1) // 2):
        block = tuple(step * times % moving for times in range(SEATS))
        yield from group.orbit(block, moving)


class _Group:
    """Sums of entrants: each is written in mixed radix and added digit by digit."""

    def __init__(self, radices: tuple[int, ...]) -> None:
        self._digits = [each[::-1] for each in product(*map(range, reversed(radices)))]
        self._radices = radices
        self._numbers = {digits: number for number, digits in enumerate(self._digits)}

    def add(self, one: int, other: int) -> int:
        """Add two entrants."""
        parts = zip(self._digits[one], self._digits[other], self._radices, strict=True)
        return self._numbers[tuple((a + b) % radix for a, b, radix in parts)]

    def orbit(self, block: tuple[int, ...], fixed: int) -> Iterator[Four]:
        """Add each element to a block; the fixed entrant completes a block of three."""
        still = (fixed,) * (SEATS - len(block))
        for element in range(len(self._digits)):
            yield _four((*(self.add(each, element) for each in block), *still))

    def cosets(self, third: int, fixed: int) -> Iterator[Four]:
        """Return the cosets of a subgroup of three, each with the fixed entrant."""
        subgroup = (0, third, self.add(third, third))
        seen: set[int] = set()
        for element in range(len(self._digits)):
            if element not in seen:
                coset = tuple(self.add(each, element) for each in subgroup)
                seen.update(coset)
                yield _four((*coset, fixed))


def _four(entrants: tuple[int, ...]) -> Four:
    one, two, three, four = entrants
    return one, two, three, four
