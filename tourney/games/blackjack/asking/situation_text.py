"""What lay before a seat when it was asked, in one line: for verdicts and for authors.

Nothing that a person in that seat would not see: no hole card, no card of the shoe.
"""

from collections.abc import Iterable

from tourney.game.cards.card import Card
from tourney.game.cards.letters import cards_seen
from tourney.games.blackjack.action import Action


def wager_seen(bankroll: int, least: int, most: int) -> str:
    """Say what a seat saw that was asked for a wager, in chips.

    >>> wager_seen(995, 5, 50)
    'bankroll 995, wager from 5 to 50'
    """
    return f"bankroll {bankroll}, wager from {least} to {most}"


def fixed_seen(bankroll: int, wager: int) -> str:
    """Say what a seat saw that is not asked for a wager, as that is fixed, in chips.

    >>> fixed_seen(995, 5)
    'bankroll 995, fixed wager 5'
    """
    return f"bankroll {bankroll}, fixed wager {wager}"


def draw_seen(chips: tuple[int, int], upcard: Card, hand: Iterable[Card]) -> str:
    """Say what a seat saw that was asked whether it draws.

    Args:
        chips: Behind it, and wagered.
        upcard: The dealer's.
        hand: Its own.
    """
    return f"{_chips(chips)}, dealer {cards_seen([upcard])}, hand {cards_seen(hand)}, hit or stand"


def action_seen(
    chips: tuple[int, int], dealer: Iterable[Card], hand: Iterable[Card], legal: Iterable[Action]
) -> str:
    """Say what a seat saw that was asked for a move.

    Args:
        chips: Behind it, and wagered.
        dealer: The dealer's cards that lie face up.
        hand: The hand in play.
        legal: The moves to choose from.
    """
    moves = ", ".join(action.name.lower() for action in legal)
    return f"{_chips(chips)}, dealer {cards_seen(dealer)}, hand {cards_seen(hand)}, legal {moves}"


def _chips(chips: tuple[int, int]) -> str:
    behind, wager = chips
    return f"bankroll {behind}, wager {wager}"
