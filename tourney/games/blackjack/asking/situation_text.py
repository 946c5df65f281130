"""The situation of a seat at a question, in one line, for verdicts and authors.

It contains only information visible from the seat: no hole card, no card of the shoe.
"""

from collections.abc import Iterable

from tourney.game.cards.card import Card
from tourney.game.cards.letters import cards_seen
from tourney.games.blackjack.action import Action


def wager_seen(bankroll: int, least: int, most: int) -> str:
    """Describe the view of a seat that is asked for a wager, in chips.

    >>> wager_seen(995, 5, 50)
    'bankroll 995, wager from 5 to 50'
    """
    return f"bankroll {bankroll}, wager from {least} to {most}"


def fixed_seen(bankroll: int, wager: int) -> str:
    """Describe the view of a seat with a fixed wager, in chips.

    >>> fixed_seen(995, 5)
    'bankroll 995, fixed wager 5'
    """
    return f"bankroll {bankroll}, fixed wager {wager}"


def draw_seen(chips: tuple[int, int], upcard: Card, hand: Iterable[Card]) -> str:
    """Describe the view of a seat that is asked whether to hit.

    Args:
        chips: Remaining bankroll, and wager.
        upcard: Of the dealer.
        hand: Of the seat.
    """
    return f"{_chips(chips)}, dealer {cards_seen([upcard])}, hand {cards_seen(hand)}, hit or stand"


def action_seen(
    chips: tuple[int, int], dealer: Iterable[Card], hand: Iterable[Card], legal: Iterable[Action]
) -> str:
    """Describe the view of a seat that is asked for a move.

    Args:
        chips: Remaining bankroll, and wager.
        dealer: The dealer's visible cards.
        hand: The hand in play.
        legal: The legal moves.
    """
    moves = ", ".join(action.name.lower() for action in legal)
    return f"{_chips(chips)}, dealer {cards_seen(dealer)}, hand {cards_seen(hand)}, legal {moves}"


def _chips(chips: tuple[int, int]) -> str:
    behind, wager = chips
    return f"bankroll {behind}, wager {wager}"
