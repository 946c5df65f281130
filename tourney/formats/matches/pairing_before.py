"""Pairing as it once was, for stored runs: they go on, and are verified, as they began.

Nobody meets again if it can be avoided, but a dead end is mended by whatever maximum matching is
found first, so the first in the order may get the last where a nearer one is to be had. What it
gives may not change. New runs are paired by `pairing`; why both are there,
docs/decisions/0023-swiss-pairs-by-least-weight.md says.

Source: [Edmonds1965] in docs/sources.md.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence

from tourney.formats.matches.pairing import NOBODY, Meetings, Pairs

MayMeet = Callable[[int, int], bool]


def paired_before(
    order: Sequence[int], meetings: Meetings, may_wait: Collection[int] = ()
) -> tuple[Pairs, int | None]:
    """Pair players with near ones, and as few as can be with somebody they have met.

    Args and returns: as those of `pairing.paired`.
    """
    if len(order) % 2 == 0:
        return _even(order, meetings), None
    best: tuple[int, int, Pairs] | None = None
    for bye in reversed([each for each in order if each in may_wait]):
        pairs = _even([each for each in order if each != bye], meetings)
        repeated = sum(meetings(one, other) > 0 for one, other in pairs)
        if best is None or repeated < best[0]:
            best = repeated, bye, pairs
        if not repeated:
            break
    assert best is not None
    return best[2], best[1]


def _even(order: Sequence[int], meetings: Meetings) -> Pairs:
    pairs: Pairs = []
    left = list(range(len(order)))
    often = 0
    while left:  # who have all met each other are paired among themselves, the same way
        here = [order[place] for place in left]
        mates = _matching(
            len(here),
            lambda one, other, here=here, often=often: meetings(here[one], here[other]) <= often,  # type: ignore[misc]  # defaults bind the loop's values
        )
        pairs += [(left[one], left[mate]) for one, mate in enumerate(mates) if one < mate]
        left = [left[one] for one, mate in enumerate(mates) if mate == NOBODY]
        often += 1
    return [(order[one], order[other]) for one, other in sorted(pairs)]


def _matching(players: int, may_meet: MayMeet) -> list[int]:
    """Pair as many as can be: a maximum matching.

    Args:
        players: How many; those with near numbers are paired where it can be chosen.
        may_meet: Whether two may be paired.
    Returns: Everybody's mate; NOBODY for who has none.
    """
    mates = [NOBODY] * players
    for one in range(players):
        if mates[one] == NOBODY:
            for other in range(one + 1, players):
                if mates[other] == NOBODY and may_meet(one, other):
                    mates[one], mates[other] = other, one
                    break
    for one in range(players - 1, -1, -1):  # dead ends are at the end of the order
        if mates[one] == NOBODY:
            _Search(mates, may_meet).mend(one)
    return mates


class _Search:
    """A search for an augmenting path: from one without a mate to another, edges in turn.

    Odd circles on the way are treated as one, their blossom, whose base stands for them.
    """

    def __init__(self, mates: list[int], may_meet: MayMeet) -> None:
        self._mates = mates
        self._may_meet = may_meet
        self._before = [NOBODY] * len(mates)  # on the path, at every other step
        self._base = list(range(len(mates)))
        self._seen = [False] * len(mates)
        self._waiting: deque[int] = deque()

    def mend(self, root: int) -> None:
        """Pair one more, if a path is found; everybody who has a mate keeps having one."""
        end, mates = self._path(root), self._mates
        while end != NOBODY:
            before = self._before[end]
            following = mates[before]
            mates[end], mates[before] = before, end
            end = following

    def _path(self, root: int) -> int:
        """Give who the path ends at; NOBODY if there is none."""
        self._see(root)
        while self._waiting:
            one = self._waiting.popleft()
            for other in self._near(one):
                if self._base[one] == self._base[other] or self._mates[one] == other:
                    continue
                if not self._may_meet(one, other):
                    continue
                mate = self._mates[other]
                if other == root or (mate != NOBODY and self._before[mate] != NOBODY):
                    self._contract(one, other)
                elif self._before[other] == NOBODY:
                    self._before[other] = one
                    if mate == NOBODY:
                        return other
                    self._see(mate)
        return NOBODY

    def _near(self, one: int) -> Iterator[int]:
        """Give all others, who have no mate first, then near ones first."""
        free = [other for other, mate in enumerate(self._mates) if mate == NOBODY and other != one]
        yield from free
        for apart in range(1, len(self._mates)):
            for other in (one - apart, one + apart):
                if 0 <= other < len(self._mates):
                    yield other

    def _see(self, one: int) -> None:
        if not self._seen[one]:
            self._seen[one] = True
            self._waiting.append(one)

    def _contract(self, one: int, other: int) -> None:
        """Make one of an odd circle that an edge closes."""
        base = self._common_base(one, other)
        circle: set[int] = set()
        for start, following in ((one, other), (other, one)):
            self._mark(start, base, following, circle)
        for each in range(len(self._mates)):
            if self._base[each] in circle:
                self._base[each] = base
                self._see(each)

    def _mark(self, one: int, base: int, following: int, circle: set[int]) -> None:
        """Follow a side of the circle back to its base, and lay the path around it."""
        while self._base[one] != base:
            mate = self._mates[one]
            circle |= {self._base[one], self._base[mate]}
            self._before[one] = following
            following, one = mate, self._before[mate]

    def _common_base(self, one: int, other: int) -> int:
        passed = set()
        while True:
            one = self._base[one]
            passed.add(one)
            if self._mates[one] == NOBODY:
                break
            one = self._before[self._mates[one]]
        while (other := self._base[other]) not in passed:
            other = self._before[self._mates[other]]
        return other
