"""Tables at which programs sit, of every game that has headers for them."""

from typing import Any

from tourney.game import Game
from tourney.game.blocks import Block, Seat
from tourney.game.ledger import BlockKey
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.straights.game import STRAIGHTS
from tourney.games.straights.rules import StraightsRules
from tourney.sandbox.budgets import Budget
from tourney.sandbox.native.compilation import build
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import Submitted

GAMES = (BLACKJACK, STRAIGHTS)
CONTRACTS = tuple(each for game in GAMES for each in game.native_contracts())
PATIENT = Budget(base=60.0)


def pool(game: Game[Any, Any, Any], text: str) -> SandboxedPool:
    """Give the pool of a program."""
    program = build((("player.cpp", text),), game.native_contracts()).program
    return SandboxedPool(game, Submitted("player.cpp", b"", program=program), None, PATIENT)


def blackjack(rules: Any, tables: int) -> list[Block]:
    """Lay tables of blackjack for two, in Easy Blackjack's units if need be."""
    chips, minimum = 200 * rules.unit, 10 * rules.unit
    return [
        Block(
            BlockKey(0, 0, table, 0, 1),
            rules,
            tuple(Seat(entrant, chips, bytes([table % 251, entrant]) * 8) for entrant in (0, 1)),
            minimum,
            10**9,
            30,
            table.to_bytes(16, "little"),
        )
        for table in range(tables)
    ]


def straights(tables: int) -> list[Block]:
    """Lay tables of Straights; two seats of some are the program's."""
    return [
        Block(
            BlockKey(0, 0, table, 0, 1),
            StraightsRules(limit=80 if table % 2 else None),
            tuple(
                Seat(entrant, 0, bytes([table % 251, seat]) * 8)
                for seat, entrant in enumerate((0, 1, table % 3 and 2, 3))
            ),
            0,
            0,
            6,
            table.to_bytes(16, "little"),
        )
        for table in range(tables)
    ]
