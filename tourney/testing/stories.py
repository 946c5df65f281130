"""What happens around a player that is tested: many questions, and whole tables.

Nothing here judges; `conformance` and `traits` do.
"""

from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any

from tourney.game.blocks import Block, Seat
from tourney.game.cards.card import CARDS, Card
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.rules import Rules
from tourney.games.blackjack.hand import Hand
from tourney.play import play_block
from tourney.testing.hands import UPCARDS, reachable_hands
from tourney.testing.seats import BANKROLL, MINIMUM, ROUNDS, Make, Offer, seated


def questions() -> Iterator[tuple[Card, Hand]]:
    """Give every upcard with every reachable hand."""
    hands = reachable_hands()
    return ((upcard, hand) for hand in hands for upcard in UPCARDS)


def answers(make: Make, *, shuffles: bool = False) -> list[object]:
    """Tell a new player a long story and note whatever it answers.

    Args:
        make: Makes the player.
        shuffles: Shuffle between any two questions, not only now and then.
    """
    player, ask = seated(make)
    said: list[object] = []
    for number, (upcard, hand) in enumerate(questions()):
        if number % 7 == 0:
            said.append(ask(Offer(BANKROLL + 5 * (number % 31), MINIMUM, BANKROLL, ROUNDS)))
        player.expose(CARDS[number * 11 % len(CARDS)])
        said.append(player.draw(upcard, hand))
        if shuffles or number % 30 == 0:
            player.shuffled()
    return said


def first_difference(first: list[object], second: list[object]) -> str:
    """Say where two lists of answers part; empty if they do not."""
    for number, (one, other) in enumerate(zip(first, second, strict=True), 1):
        if one != other:
            return f"{one!r} and {other!r} as answer {number}"
    return ""


def table_played(make: Callable[[], Any], rules: Rules, seats: int) -> BlockResult:
    """Play 200 rounds at a table of the reference engine, every seat taken by a new player."""
    chips = BANKROLL if rules.most_points is None else 0
    keys = [blake2b(bytes([seat]), digest_size=16).digest() for seat in range(seats + 1)]
    block = Block(
        key=BlockKey(stage=0, heat=0, table=0, seating=0, first_round=1),
        rules=rules,
        seats=tuple(Seat(entrant, chips, keys[entrant]) for entrant in range(seats)),
        minimum=MINIMUM,
        maximum=20 * MINIMUM,
        rounds=ROUNDS,
        shoe_key=keys[-1],
    )
    return play_block(block, lambda _: make())
