"""The moves of blackjack, as players name them."""

from enum import IntEnum


class Action(IntEnum):
    """A move of a seat; the number is its code in digests."""

    HIT = 1
    STAND = 2
    DOUBLE = 3
    SPLIT = 4
    SURRENDER = 5
    INSURE = 6
    DECLINE = 7

    def __str__(self) -> str:
        """Return the name in lower case, such as `hit`."""
        return self.name.lower()


HIT_OR_STAND: tuple[Action, ...] = (Action.STAND, Action.HIT)
"""The moves of any hand that may get cards."""

LISTED = (
    *HIT_OR_STAND,
    Action.DOUBLE,
    Action.SPLIT,
    Action.SURRENDER,
    Action.DECLINE,
    Action.INSURE,
)
"""All moves, in the order in which players get those that are legal."""

ACTION_CODES = 8
"""Base in which a seat's actions of one round are packed into one number."""
