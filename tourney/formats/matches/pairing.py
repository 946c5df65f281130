"""Pairing: groups of two or more, with few repeated meetings, and with near neighbours first.

Pairs: the first player in the order is paired with the next player it has not met. At a dead end,
as few of the last pairs as possible are dissolved, and their players are paired by a matching of
least weight. Exactly one pairing is the best: each weight is an integer of any size, so there are
no rounding errors and no ties.

Larger tables are filled from the top; then players change places while that removes a repeated
meeting. If repeated meetings remain, several orders are tried. This finds a good seating where many
exist, but not always the best, for which a search would take too long.

Source: [Edmonds1965] in docs/sources.md.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations

Meetings = Callable[[int, int], int]
"""Number of times that two players have met."""

Pairs = list[tuple[int, int]]

NOBODY = -1
"""Opponent of the player with the bye."""


def paired(
    order: Sequence[int], meetings: Meetings, may_wait: Collection[int] = ()
) -> tuple[Pairs, int | None]:
    """Pair players with as few repeated meetings as possible, then with near neighbours.

    Of two pairings, the better is the first to win on these criteria, in this order: fewer pairs
    meet again; fewer pairs meet for the third time, and so on; the bye goes to a later player in
    the order; the first player meets an earlier one; the first of the rest does, and so on.

    Args:
        order: Their numbers; near neighbours are good opponents.
        meetings: Number of times that two players have met.
        may_wait: Players that may get the bye; used only if the number of players is odd.
    Returns: Pairs by their first in the order, and the player with the bye.

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

    A pair from the top is right if all players behind it can be paired without repeated meetings.
    One such pair proves all pairs above it right, too.

    Args:
        players: In order; with a bye, `NOBODY` is the first.
        meetings: Number of times that two players have met.
        waiting: Players that may get the bye, best first.
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
    """Pair the first with the next it has not met, as long as possible; also return the players
    left.
    """
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
    """Find the best pairing of few players by a matching of least weight; fewer pairs if it has no
    match.

    A weight is a number of many digits, each of which outweighs all digits behind it: first the
    number of repeated meetings, then, for each player, the distance of its opponent.
    """
    # The import takes a quarter of a second, and most runs do not need it.
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
    repeats = [0]  # by number of earlier meetings
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
    """Return the number of times that two players have met; 0 with a bye."""
    return 0 if one == NOBODY else meetings(one, other)


def filled(orders: Iterator[Sequence[int]], seats: int, meetings: Meetings) -> list[list[int]]:
    """Fill tables.

    Args:
        orders: Orders of the same players, a multiple of `seats`, with near neighbours as good
            company. The first order without repeated meetings is used.
        seats: At a table.
        meetings: Number of times that two players have met.
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
    """Count the earlier meetings of the players at a table."""
    return sum(meetings(one, other) for one, other in combinations(table, 2))


def _greedy(order: Sequence[int], seats: int, meetings: Meetings) -> list[list[int]]:
    """Fill tables from the top; each seat gets the next player with the fewest meetings there."""
    waiting = dict.fromkeys(order)  # ordered, and quick to remove from
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
    """Let two players change places while that reduces the repeated meetings."""
    is_better = True
    while is_better:
        is_better = False
        for number in range(len(tables)):
            while cost(tables[number], meetings) and _swap_one(tables, number, meetings):
                is_better = True
    return tables


def _swap_one(tables: list[list[int]], number: int, meetings: Meetings) -> bool:
    """Find two players, one at a near table, that should change places."""
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
