"""Positions: the states of a hand, and their transitions by cards and moves.

A position contains all that matters for the future of a hand, and no more; single cards count only
while there are one or two. It depends on three rules: the legal moves, the dealer's draws, and the
winner. Kernels, exact values and luck are computed from positions. `round` plays with cards and
does not use them, nor any of their tables and constants of rules, so comparisons find a rule that
is wrong here. Chips and the number of a seat's hands are not part of a position; the caller removes
moves that they forbid.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

from tourney.game.cards.card import CARDS, RANKS
from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.declaration import PAIRS_FROM, SPLIT_ACES_ROW, TOTALS
from tourney.games.blackjack.hand import ACE_VALUE, BEST_TOTAL
from tourney.games.blackjack.rules import BlackjackRules

VALUES = tuple(range(2, ACE_VALUE + 1))
"""Possible values of a card; four of thirteen ranks count ten."""
RANK_VALUES = tuple(card.value for card in CARDS[:RANKS])
"""Value of a card, by rank; two is rank 0."""
COPIES = tuple(map(RANK_VALUES.count, VALUES))
"""Ranks of each value."""
RANK_OF = tuple(map(RANK_VALUES.index, VALUES))
"""The first rank of each value."""
ACE = RANK_VALUES.index(ACE_VALUE)
DEALER_STANDS = 17
LEAST_OF_NATURAL = 10
"""A dealer with a lower upcard cannot have a natural."""
INSURANCE_PAYS = 2
"""Chips that an insured chip wins."""
DOUBLED_TOTALS = {"first-two": (0, BEST_TOTAL), "9-11": (9, 11), "10-11": (10, 11)}
"""Least and greatest total that may be doubled, by the rule; missing rules do not allow
doubling."""

BUST = 2 * TOTALS
HANDS = BUST + 1
"""A hand is a number: `softness * 22 + total`, or BUST; without cards it is 0."""
SOFT_21 = TOTALS + BEST_TOTAL

PAIR, MORE = 2, 3
DEALT, SPLIT, SPLIT_ACES = range(3)
OPEN, DOUBLED, CLOSED, NATURAL, SURRENDERED = range(5)
NO_RANK = -1


class Position(NamedTuple):
    """The position of a seat's hand."""

    hand: int = 0
    cards: int = 0  # 0, 1, 2 or MORE
    rank: int = NO_RANK  # of one card, or of two equal ranks
    is_pair: bool = False  # two cards of one value
    origin: int = DEALT  # or from a split, while it has at most two cards
    status: int = OPEN  # DOUBLED: it gets one more card


class Shown(NamedTuple):
    """The position of the dealer's hand, with its second card visible or not."""

    hand: int = 0
    upcard: int = 0  # its value, while there are at most two cards


EMPTY = Position()
GONE = Position(BUST, MORE, status=CLOSED)
"""A bust hand."""
NOTHING_SHOWN = Shown()


def hand_after(hand: int, value: int) -> int:
    """Return a hand's number after a card; a bust hand remains bust."""
    if hand == BUST:
        return BUST
    is_soft, total = divmod(hand, TOTALS)
    # All aces count 1; then one of them counts ten more if the hand does not bust.
    has_ace = bool(is_soft) or value == ACE_VALUE
    least = total - 10 * is_soft + (1 if value == ACE_VALUE else value)
    if least > BEST_TOTAL:
        return BUST
    is_soft = has_ace and least + 10 <= BEST_TOTAL
    return is_soft * TOTALS + least + 10 * is_soft


def total_of(hand: int) -> int:
    """Return the total of a hand; 22 if it is bust."""
    return TOTALS if hand == BUST else hand % TOTALS


def dealer_draws(rules: BlackjackRules, hand: int) -> bool:
    """Return whether the dealer takes another card.

    >>> from tourney.games.blackjack.rules import SIX_DECKS_H17, SIX_DECKS_S17
    >>> dealer_draws(SIX_DECKS_H17, TOTALS + 17), dealer_draws(SIX_DECKS_S17, TOTALS + 17)
    (True, False)
    """
    if hand == TOTALS + DEALER_STANDS:
        return rules.soft_17 == "hit"
    return total_of(hand) < DEALER_STANDS


def sign(hand: int, dealer: int) -> int:
    """Return 1 if a hand wins against the dealer's final hand, 0 for a push, -1 if it loses."""
    if BUST in (hand, dealer):
        return -1 if hand == BUST else 1
    return (hand % TOTALS > dealer % TOTALS) - (hand % TOTALS < dealer % TOTALS)


def beats_all(rules: BlackjackRules, shown: Shown) -> bool:
    """Return whether the dealer has a natural that beats other hands of 21."""
    return rules.dealer_natural != "is-21" and shown.hand == SOFT_21 and bool(shown.upcard)


def shown_after(shown: Shown, value: int) -> Shown:
    """Return the dealer's position after a card."""
    hand = hand_after(shown.hand, value)
    if not shown.hand:
        return Shown(hand, value)
    is_second = shown.hand == hand_after(0, shown.upcard)
    return Shown(hand, shown.upcard if is_second else 0)


def after(position: Position, rank: int) -> Position:
    """Return a hand's position after a card; unchanged if the hand gets no cards.

    Args:
        position: Of the hand.
        rank: Of the card; two is 0.
    """
    if position.status not in (OPEN, DOUBLED) or position.hand == BUST:
        return position
    hand = hand_after(position.hand, RANK_VALUES[rank])
    if not position.cards:
        return Position(hand, 1, rank)
    if position.cards == 1:
        if hand == SOFT_21 and position.origin == DEALT:
            return Position(hand, PAIR, status=NATURAL)
        is_pair = RANK_VALUES[position.rank] == RANK_VALUES[rank]
        alike = rank if position.rank == rank else NO_RANK
        return Position(hand, PAIR, alike, is_pair, position.origin)
    if hand == BUST:
        return GONE
    return _closed(hand) if position.status == DOUBLED else Position(hand, MORE)


def acted(position: Position, action: Action) -> Position:
    """Return a hand's position after a move of its seat, before any card for it.

    Args:
        position: Of a hand in play.
        action: The move; after a split, both hands have the same position.
    """
    match action:
        case Action.HIT:
            return Position(position.hand, MORE)
        case Action.STAND:
            return _closed(position.hand)
        case Action.DOUBLE:
            return Position(position.hand, MORE, status=DOUBLED)
        case Action.SURRENDER:
            return Position(0, MORE, status=SURRENDERED)
        case Action.SPLIT:
            # Tens of different ranks are split only by value, where ranks do not matter.
            rank = position.rank if position.rank != NO_RANK else RANK_VALUES.index(10)
            origin = SPLIT_ACES if rank == ACE else SPLIT
            return Position(hand_after(0, RANK_VALUES[rank]), 1, rank, origin=origin)
    return position


def legal(
    rules: BlackjackRules, position: Position, *, can_stake: bool = True, can_hold: bool = True
) -> tuple[Action, ...]:
    """Return the legal moves of a hand: stand, hit, double, split and surrender, in this order.

    Args:
        rules: The rules.
        position: Of the hand.
        can_stake: Whether its seat can stake its wager once more.
        can_hold: Whether its seat may hold one more hand.
    Returns: Legal moves; empty if the seat is not asked.
    """
    total = position.hand % TOTALS
    if position.cards < PAIR or position.status != OPEN:
        return ()
    if rules.stands_on_21 and total == BEST_TOTAL:
        return ()
    if position.cards == MORE:
        return HIT_OR_STAND
    moves = HIT_OR_STAND
    if rules.double_after_split or position.origin == DEALT:
        least, most = DOUBLED_TOTALS.get(rules.double, (TOTALS, 0))
        moves += (Action.DOUBLE,) * (can_stake and least <= total <= most)
    splits = can_stake and can_hold and _is_splittable(rules, position)
    if position.origin == SPLIT_ACES and rules.split_aces != "played":
        is_asked = splits and rules.split_aces == "resplit"
        return (Action.STAND, Action.SPLIT) if is_asked else ()
    moves += (Action.SPLIT,) * splits
    return moves + (Action.SURRENDER,) * (rules.surrender == "first" and position.origin == DEALT)


def _is_splittable(rules: BlackjackRules, position: Position) -> bool:
    """Return whether the rules allow to split two cards."""
    if rules.split == "never" or rules.hands == 1:
        return False
    return position.is_pair and (rules.split == "by-value" or position.rank != NO_RANK)


def row_of(position: Position, rules: BlackjackRules) -> int:
    """Return the row of `Declaration.moves` for a hand."""
    if position.origin == SPLIT_ACES and rules.split_aces == "resplit":
        return SPLIT_ACES_ROW
    if position.is_pair:
        return PAIRS_FROM + (ACE_VALUE if position.hand >= TOTALS else position.hand // 2)
    return position.hand


def _closed(hand: int) -> Position:
    """Return the position of a finished hand, in which softness no longer matters."""
    return Position(hand % TOTALS, MORE, status=CLOSED)


Place = TypeVar("Place", Position, Shown)


def _reached(first: Place, nexts: Callable[[Place], Iterator[Place]]) -> tuple[Place, ...]:
    """Return all reachable positions, in the order in which they are found."""
    found = {first: None}
    waiting = [first]
    for position in waiting:  # the list grows during the loop
        for each in nexts(position):
            if each not in found:
                found[each] = None
                waiting.append(each)
    return tuple(found)


def _nexts(position: Position) -> Iterator[Position]:
    yield from (after(position, rank) for rank in range(RANKS))
    if position.cards >= PAIR and position.status == OPEN:
        moves = (Action.HIT, Action.STAND, Action.DOUBLE, Action.SURRENDER)
        yield from (acted(position, move) for move in moves)
        if position.is_pair:
            yield acted(position, Action.SPLIT)


def _nexts_of_dealer(shown: Shown) -> Iterator[Shown]:
    return (shown_after(shown, value) for value in VALUES)


POSITIONS = _reached(EMPTY, _nexts)
"""All positions of a hand; their indices are their numbers."""
NUMBER_OF = {position: number for number, position in enumerate(POSITIONS)}
SHOWN = _reached(NOTHING_SHOWN, _nexts_of_dealer)
"""All positions of the dealer."""
NUMBER_OF_SHOWN = {shown: number for number, shown in enumerate(SHOWN)}


AFTER_RANK = tuple(
    tuple(NUMBER_OF[after(each, rank)] for rank in range(RANKS)) for each in POSITIONS
)
"""Numbers of a hand's positions after each rank; shape (positions, 13)."""
AFTER_VALUE = tuple(tuple(row[rank] for rank in RANK_OF) for row in AFTER_RANK)
"""The same by VALUES, with tens of different ranks taken as equal; shape (positions, 10)."""
SHOWN_AFTER = tuple(
    tuple(NUMBER_OF_SHOWN[shown_after(each, value)] for value in VALUES) for each in SHOWN
)
"""Numbers of the dealer's positions after each of VALUES; shape (positions, 10)."""
