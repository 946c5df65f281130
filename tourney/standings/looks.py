"""Looks: the numbers of tables after which a run may stop, and how much each may be wrong.

Whoever looks often enough sees a difference where there is none. So the 5 % that may be wrong
are spent once for all looks: each has a share as large as the tables that it adds. Whatever the
looks have in common, they are all right together with 95 % probability, and whoever stops at one
of them, for whatever reason, is not wrong more often.

Source: Lan and DeMets, 1983, for spending by a function; docs/sources.md.
"""

from collections.abc import Sequence

from tourney.standings.rank_sets import ALPHA

FIRST_LOOK = 400


def doubling(most: int, step: int = 1, first: int = FIRST_LOOK) -> tuple[int, ...]:
    """Give looks that double up to the most tables.

    Args:
        most: Tables to end with.
        step: What every number must be a multiple of.
        first: The first look.

    >>> doubling(3200), doubling(1000), doubling(300)
    ((400, 800, 1600, 3200), (400, 800, 1000), (300,))
    """
    looks: list[int] = []
    tables = -(-first // step) * step
    while tables < most:
        looks.append(tables)
        tables *= 2
    return *looks, most


def look_at(tables: int, looks: Sequence[int]) -> int:
    """Say how many looks have been taken with so many tables; at least one, if there are any.

    >>> look_at(400, (400, 800)), look_at(700, (400, 800)), look_at(700, ())
    (1, 1, 0)
    """
    return max(1, sum(look <= tables for look in looks)) if looks else 0


def alpha_at(look: int, looks: Sequence[int]) -> float:
    """Give how often the answers of a look may be wrong.

    >>> [alpha_at(look, (400, 800, 1600)) for look in (1, 2, 3)]
    [0.0125, 0.0125, 0.025]
    """
    if not looks:
        return ALPHA
    before = looks[look - 2] if look > 1 else 0
    return ALPHA * (looks[look - 1] - before) / looks[-1]
