"""Pairing: two by two or table by table, with few repeated meetings, and near ones first.

Two by two, whoever comes first in the order is paired with the next it has not met. Where that
leads to a dead end, as few of the last pairs as need be are taken back, and those players are
paired by a matching of least weight. Of all pairings exactly one is the best; every weight is a
whole number of any size, so nothing is rounded and nothing ties.

Tables of several are filled from the top, then players change places as long as that mends a
repeated meeting. Several orders are tried where some remain, so a good seating is found where
there are many, though not surely the best: that would take too long to search for.

Pure; knows no scores but the order, and no seats. Source: [Edmonds1965] in docs/sources.md.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
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


def filled(orders: Iterator[Sequence[int]], seats: int, meetings: Meetings) -> list[list[int]]:
    """Fill tables.

    Args:
        orders: Orders of the same players, near ones being good company, of which the first is
            taken that needs no repeated meeting; a multiple of the seats in each.
        seats: At a table.
        meetings: How often two have met.
    Returns: Tables, from the top.
    """
    best: tuple[int, list[list[int]]] | None = None
    for order in orders:
        tables = _mended(_greedy(order, seats, meetings), meetings)
        repeated = sum(cost(table, meetings) for table in tables)
        if best is None or repeated < best[0]:
            best = repeated, tables
        if not repeated:
            break
    return best[1] if best else []


def cost(table: Sequence[int], meetings: Meetings) -> int:
    """Count the meetings before of those at a table."""
    return sum(meetings(one, other) for one, other in combinations(table, 2))


def _greedy(order: Sequence[int], seats: int, meetings: Meetings) -> list[list[int]]:
    """Fill tables from the top, each seat with the next who has met the fewest there."""
    waiting = dict.fromkeys(order)  # ordered, and cheap to take out of
    tables = []
    while waiting:
        table: list[int] = []
        for _ in range(seats):
            fewest, chosen = -1, next(iter(waiting))
            for each in waiting:
                met = sum(meetings(each, other) for other in table)
                if fewest < 0 or met < fewest:
                    fewest, chosen = met, each
                if not met:
                    break
            table.append(chosen)
            del waiting[chosen]
        tables.append(table)
    return tables


def _mended(tables: list[list[int]], meetings: Meetings) -> list[list[int]]:
    """Let two players change places as long as fewer meetings are repeated by it."""
    is_better = True
    while is_better:
        is_better = False
        for number in range(len(tables)):
            while cost(tables[number], meetings) and _swap_one(tables, number, meetings):
                is_better = True
    return tables


def _swap_one(tables: list[list[int]], number: int, meetings: Meetings) -> bool:
    """Find somebody at a near table with whom one of this table should change places."""
    mine = tables[number]
    for apart in range(1, len(tables)):
        for other in (number + apart, number - apart):
            if not 0 <= other < len(tables):
                continue
            theirs = tables[other]
            before = cost(mine, meetings) + cost(theirs, meetings)
            for one in range(len(mine)):
                for two in range(len(theirs)):
                    mine[one], theirs[two] = theirs[two], mine[one]
                    if cost(mine, meetings) + cost(theirs, meetings) < before:
                        return True
                    mine[one], theirs[two] = theirs[two], mine[one]
    return False
