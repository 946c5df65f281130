"""The output of the program: hands, results, the balance and the summary.

Amounts are in half dollars, so that a natural and a surrender are whole.

Source: [EASYBJ], section Summary Output, in docs/sources.md.
"""

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.programs.easybj.shoes import card_letter
from tourney.games.blackjack.records import Outcome
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.seat_hand import SeatHand

HALVES = 2  # of a dollar
OFFERS = {
    Action.STAND: "Stand (S)",
    Action.HIT: "Hit (H)",
    Action.DOUBLE: "Double (D)",
    Action.SPLIT: "Split (P)",
    Action.SURRENDER: "Surrender (R)",
}
GO_ON = "Press Any Key to Continue, (Q to Quit): "


def hand_text(hand: Hand, *, is_split: bool = False) -> str:
    """Write cards and their value.

    Args:
        hand: Any hand.
        is_split: Whether it comes from a split; then it cannot be a natural.

    >>> from tourney.games.blackjack.programs.easybj import FileShoe
    >>> hand_text(Hand(FileShoe(b"JA"))), hand_text(Hand(FileShoe(b"JA")), is_split=True)
    ('J A (blackjack)', 'J A (soft 21)')
    """
    if hand.is_bust:
        worth = "bust"
    elif hand.is_natural and not is_split:
        worth = "blackjack"
    else:
        worth = f"soft {hand.total}" if hand.soft else str(hand.total)
    return f"{' '.join(map(card_letter, hand.cards))} ({worth})"


def money(halves: int) -> str:
    """Write an amount with its sign.

    >>> money(3), money(-1), money(0)
    ('+$1.50', '-$0.50', '$0.00')
    """
    sign = "+" if halves > 0 else "-" if halves < 0 else ""
    return f"{sign}${abs(halves) // HALVES}.{'50' if halves % HALVES else '00'}"


def position(dealer: Hand, player: Hand) -> str:
    """Write the dealer's hand and the hand in play."""
    return f"Dealer: {hand_text(dealer)}\nPlayer: {hand_text(player)}\n"


def offer(legal: tuple[Action, ...]) -> str:
    """Write the player's legal moves."""
    return f"{' '.join(OFFERS[action] for action in legal)}: "


def result(state: Round, balance: int) -> str:
    """Write a game that is over.

    Args:
        state: The game.
        balance: Sum of all results, including this game.
    """
    assert state.dealer is not None
    hands = "".join(f"Hand {hand.number + 1}: {_played(hand)}\n" for hand in state.hands)
    return (
        f"Dealer: {hand_text(state.dealer)}\n{hands}"
        f"Result: {money(state.results()[0])}\nCurrent Balance: {money(balance)}\n"
    )


def _played(played: SeatHand) -> str:
    text = hand_text(played.hand, is_split=played.is_split)
    if played.is_doubled:
        text += " DOUBLE"
    if played.outcome is Outcome.SURRENDERED:
        text += " SURRENDER"
    return text


def summary(games: int, balance: int) -> str:
    """Write the sum of all games; the advantage has four digits, as in C++ streams.

    >>> print(summary(4, 9), end="")
    Hands Played: 4
    Final Balance: +$4.50
    Player Advantage: 112.5%
    """
    played = f"Hands Played: {games}\n"
    if not games:
        return played
    advantage = 100 * balance / (HALVES * games)
    return f"{played}Final Balance: {money(balance)}\nPlayer Advantage: {advantage:.4g}%\n"
