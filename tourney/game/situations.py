"""Turns of random rounds, for tests and as examples."""

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from tourney.game.ledger import BlockKey
from tourney.game.seats import accounts_of
from tourney.game.turns import FlowTable, Turn

if TYPE_CHECKING:  # rules import their game, so this would be a cycle
    from tourney.game.rules import Rules

ROUNDS = 200
LEAST, BANKROLL = 10, 10_000
"""The least wager and the bankroll in chips, if the rules leave them open."""


def situations(rules: "Rules", rounds: int = ROUNDS) -> Iterator[Turn[Any, Any]]:
    """Yield the turns of rounds in which seats act at random; the same in every call.

    Args:
        rules: Rules of a game whose table has a flow.
        rounds: Number of rounds, at most.
    """
    from tourney.game.blocks import Block, Seat  # noqa: PLC0415 - rules import their game

    chips = BANKROLL * rules.unit if rules.most_points is None else 0
    least = (rules.minimum or LEAST) * rules.unit
    seats = tuple(Seat(seat, chips, bytes(16)) for seat in range(rules.seats.start))
    block = Block(BlockKey(0, 0, 0, 0, 1), rules, seats, least, chips, rounds, bytes(16))
    table = rules.game.table(block, accounts_of(block))
    assert isinstance(table, FlowTable), "a table without a flow yields no turns"
    flow, dice, action = table.flow(), Random(13), None  # noqa: S311 - any moves do
    while (turn := _next(flow, action)) is not None:
        yield turn
        action = dice.choice(turn.legal)


def _next(flow: Any, action: Any) -> Turn[Any, Any] | None:
    try:
        turn: Turn[Any, Any] = flow.send(action)
    except StopIteration:
        return None
    return turn
