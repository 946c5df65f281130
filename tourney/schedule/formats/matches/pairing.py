"""Pairing: two by two, with as few repeated meetings as can be, and near ones first.

Whoever comes first in the order is paired with the next it has not met. Where that leads to a
dead end, as few of the last pairs as need be are taken back, and those players are paired by a
matching of least weight. Of all pairings exactly one is the best; every weight is a whole number
of any size, so nothing is rounded and nothing ties. Pure; knows no scores but the order, and no
seats.

Source: [Edmonds1965] in docs/sources.md.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import combinations

Meetings = Callable[[int, int], int]
"""How often two have met."""

Pairs = list[tuple[int, int]]

NOBODY = -1
"""Whom somebody meets that has the bye."""


def paired(
    order: Sequence[int], meetings: Meetings, may_wait: Collection[int] = ()
) -> tuple[Pairs, int | None]:
    """Pair players: as few as can be with somebody they have met, and then near ones.

    Of two pairings the better one is, in this order: that in which fewer meet again; of those who
    do, fewer for the third time, and so on; in which a later one of the order has the bye; in which
    the first of the order meets the earlier one; in which the first that is left does, and so on.

    Args:
        order: Their numbers; near ones are good opponents.
        meetings: How often two have met.
        may_wait: Who may have the bye; looked at with an odd number of players only.
    Returns: Pairs by their first in the order, and who has the bye.

    >>> paired([5, 7, 2, 3], lambda one, other: {one, other} in ({5, 7}, {5, 2}))
    ([(5, 3), (7, 2)], None)
    >>> paired([5, 7, 2], lambda *_: 0, may_wait=[5, 7])
    ([(5, 2)], 7)
    """
    if len(order) % 2 == 0:
        return _best(order, meetings, order), None
    waiting = [each for each in reversed(order) if each in may_wait]
    (_, bye), *pairs = _best([NOBODY, *order], meetings, waiting)
    return pairs, bye


def _best(players: Sequence[int], meetings: Meetings, waiting: Sequence[int]) -> Pairs:
    """Find the best pairing.

    A pair from the top is right if all behind it can still be paired without meeting again, so
    one from the top for which that holds proves all above it right, too.

    Args:
        players: In order; NOBODY, where somebody has the bye, is the first.
        meetings: How often two have met.
        waiting: Who may have the bye, best first.
    """
    pairs, left = _from_the_top(players, meetings, waiting)
    back = 1
    while left:
        back = back * 3 // 2 + 1
        free = {*left, *(each for pair in pairs[-back:] for each in pair)}
        kept, rest = pairs[:-back], [each for each in players if each in free]
        mended = _least(rest, meetings, waiting, may_repeat=False)
        if 2 * len(mended) == len(rest):
            return kept + mended
        if not kept:
            return _least(rest, meetings, waiting, may_repeat=True)
    return pairs


def _from_the_top(
    players: Sequence[int], meetings: Meetings, waiting: Sequence[int]
) -> tuple[Pairs, Sequence[int]]:
    """Pair the first with the next it has not met, as long as that goes; give who is left, too."""
    pairs: Pairs = []
    left = list(players)
    while left:
        first, *others = left
        near = waiting if first == NOBODY else others
        mate = next((each for each in near if not _met(first, each, meetings)), None)
        if mate is None:
            break
        pairs.append((first, mate))
        others.remove(mate)
        left = others
    return pairs, left


def _least(
    players: Sequence[int], meetings: Meetings, waiting: Sequence[int], *, may_repeat: bool
) -> Pairs:
    """Find the best pairing of few as a matching of least weight; fewer pairs, if there is none.

    A weight is a number of many digits, each of which outweighs all those behind it: first how
    many pairs meet again, then, player by player, how far off its mate is.
    """
    # A quarter of a second to import, which whoever only plays does not need.
    import networkx as nx  # noqa: PLC0415 - see above

    base = len(players) + 1  # greater than any digit, and than any sum of equal ones
    ranks = {each: rank for rank, each in enumerate(players)}
    behind = [base ** (len(players) - rank) for rank in range(len(players))]
    wishes = {each: rank for rank, each in enumerate(waiting)}
    pairs = [
        (one, other)
        for one, other in combinations(players, 2)
        if (other in wishes if one == NOBODY else may_repeat or not meetings(one, other))
    ]
    most = max((_met(*pair, meetings) for pair in pairs), default=0)
    repeats = [0]  # by how often two have met
    for times in range(most):
        repeats.append(repeats[-1] + base ** (len(players) + most - times))
    graph = nx.Graph()
    graph.add_weighted_edges_from(
        (
            one,
            other,
            repeats[_met(one, other, meetings)]
            + behind[ranks[one]] * (wishes if one == NOBODY else ranks)[other],
        )
        for one, other in pairs
    )
    matched = nx.min_weight_matching(graph)
    return sorted(
        (tuple(sorted(pair, key=ranks.__getitem__)) for pair in matched),
        key=lambda pair: ranks[pair[0]],
    )


def _met(one: int, other: int, meetings: Meetings) -> int:
    """Say how often two have met; a bye is no meeting."""
    return 0 if one == NOBODY else meetings(one, other)
