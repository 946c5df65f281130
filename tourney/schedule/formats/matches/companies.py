"""Tables of several by score: near ones together, with few who have met.

Tables are filled from the top, then players change places as long as that mends a repeated
meeting. Several orders are tried where some remain, so a good seating is found where there are
many, though not surely the best: that would take too long to search for. Pure.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

Meetings = Callable[[int, int], int]


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
