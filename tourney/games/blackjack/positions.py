"""The positions of a hand and of the dealer, numbered, and how a card leads from one to the next.

They tell apart what a hand can still come to, and nothing else: which cards make it up counts
only while it has two. Between cards a move can change a hand's position, too: who stands closes
it, who doubles leaves it one card. Used to value luck; nothing here decides or pays.
"""

from itertools import combinations_with_replacement
from typing import NamedTuple

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import ACE_VALUE, AFTER, BEST_TOTAL

VALUES = tuple(range(2, ACE_VALUE + 1))
"""What a card can count; four of thirteen ranks count 10."""
COPIES = tuple(4 if value == 10 else 1 for value in VALUES)  # noqa: PLR2004 - tens
"""Ranks of each value."""
NOWHERE = -1
"""Stands for a position after a card that cannot come."""


class Own(NamedTuple):
    """A position of a hand."""

    kind: str  # empty, single, opening, split, pair, play, doubled, stood, natural or bust
    cards: tuple[int, ...] = ()  # values of the one or two cards, ascending, where they count
    total: int = 0  # where only the total counts
    soft: bool = False


class Shown(NamedTuple):
    """A position of the dealer."""

    kind: str  # none, up, two or drawn
    cards: tuple[int, ...] = ()  # values of the upcard and the second card
    total: int = 0  # of three cards or more
    soft: bool = False


EMPTY = Own("empty")
NATURAL, BUST = Own("natural"), Own("bust")
NO_CARD = Shown("none")
DEALER_BUST = Shown("drawn", total=BEST_TOTAL + 1)

TOTALS = tuple((total, False) for total in range(4, BEST_TOTAL + 1)) + tuple(
    (total, True) for total in range(ACE_VALUE + 1, BEST_TOTAL + 1)
)
PAIRS = tuple(combinations_with_replacement(VALUES, 2))

OWN: tuple[Own, ...] = (
    EMPTY,
    *(Own("single", (value,)) for value in VALUES),
    *(Own("opening", pair) for pair in PAIRS),  # the first two cards; an ace and a ten: NATURAL
    *(Own("split", (value,)) for value in VALUES),  # a card that was split off
    *(Own("pair", pair) for pair in PAIRS),  # two cards after a split
    *(Own("play", (), *total) for total in TOTALS),  # may stand or be hit, and no more
    *(Own("doubled", (), *total) for total in TOTALS),  # gets one more card
    *(Own("stood", (), total) for total in range(4, BEST_TOTAL + 1)),
    NATURAL,
    BUST,
)
OWN_AT = {position: number for number, position in enumerate(OWN)}

SHOWN: tuple[Shown, ...] = (
    NO_CARD,
    *(Shown("up", (value,)) for value in VALUES),
    *(Shown("two", (up, second)) for up in VALUES for second in VALUES),
    *(Shown("drawn", (), *total) for total in TOTALS),
    DEALER_BUST,
)
SHOWN_AT = {position: number for number, position in enumerate(SHOWN)}


def total_of(cards: tuple[int, ...]) -> tuple[int, bool]:
    """Give total and softness of one card or two.

    >>> total_of((11, 6)), total_of((11, 11))
    ((17, True), (12, True))
    """
    first, *others = cards
    total, soft = first, first == ACE_VALUE
    for value in others:
        total, soft = AFTER[soft][total][value]
    return total, soft


def own_after(position: Own, value: int) -> Own | None:
    """Give a hand's position after a card; None if it gets none."""
    match position.kind:
        case "empty":
            return Own("single", (value,))
        case "single":
            pair = _pair(position.cards[0], value)
            return NATURAL if total_of(pair)[0] == BEST_TOTAL else Own("opening", pair)
        case "split":
            return Own("pair", _pair(position.cards[0], value))
        case "play" | "doubled":
            total, soft = AFTER[position.soft][position.total][value]
            if total > BEST_TOTAL:
                return BUST
            closed = Own("stood", (), total)
            return Own("play", (), total, soft) if position.kind == "play" else closed
    return None


def own_acted(position: Own, action: Action) -> Own:
    """Give a hand's position after a move of its seat, before any card for it.

    Args:
        position: Of a hand that is in play.
        action: The move; after a split, both hands stand alike.
    """
    match action:
        case Action.SPLIT:
            return Own("split", position.cards[:1])
        case Action.HIT:
            return Own("play", (), *in_play(position))
        case Action.DOUBLE:
            return Own("doubled", (), *in_play(position))
        case Action.STAND:
            return Own("stood", (), in_play(position)[0])
        case Action.SURRENDER:
            return BUST
    return position


def shown_after(position: Shown, value: int) -> Shown | None:
    """Give the dealer's position after a card; None if the dealer cannot get one."""
    match position.kind:
        case "none":
            return Shown("up", (value,))
        case "up":
            return Shown("two", (position.cards[0], value))
    total, soft = dealer_total(position)
    if total > BEST_TOTAL:
        return None
    total, soft = AFTER[soft][total][value]
    return DEALER_BUST if total > BEST_TOTAL else Shown("drawn", (), total, soft)


def dealer_total(position: Shown) -> tuple[int, bool]:
    """Give total and softness of two cards of the dealer or more."""
    return total_of(position.cards) if position.cards else (position.total, position.soft)


def in_play(position: Own) -> tuple[int, bool]:
    """Give total and softness of a hand that somebody acts on."""
    return total_of(position.cards) if position.cards else (position.total, position.soft)


def _pair(first: int, second: int) -> tuple[int, ...]:
    return (min(first, second), max(first, second))


def _numbers(position: Own) -> tuple[int, ...]:
    after = (own_after(position, value) for value in VALUES)
    return tuple(NOWHERE if each is None else OWN_AT[each] for each in after)


OWN_AFTER = tuple(_numbers(position) for position in OWN)
"""Numbers of a hand's positions after each of VALUES; shape (positions, 10)."""

SHOWN_AFTER = tuple(
    tuple(
        NOWHERE if (after := shown_after(position, value)) is None else SHOWN_AT[after]
        for value in VALUES
    )
    for position in SHOWN
)
"""Numbers of the dealer's positions after each of VALUES; shape (positions, 10)."""
