"""Loading machine code before it is needed, or compiling it where nobody has yet.

Plays a round of each kind of declared player, the way any block of theirs is played, so that
all functions they need are there afterwards. Leaves out when that is worth it; see
`tourney.execution.workers`.
"""

import os
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from threading import Thread
from time import process_time

from tourney.execution.background_compile import start
from tourney.execution.compiled_blocks import play_compiled
from tourney.execution.engine_selection import end_patience
from tourney.formats.field import Field
from tourney.game.accelerators import FEW_ROUNDS, Kernels
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.declaration_result import Declared
from tourney.game.ledger import BlockKey
from tourney.game.lineup import declare
from tourney.game.machine.compile_cache import CodeUnit, is_made, note_made
from tourney.game.rules import Rules

CHIPS, MINIMUM = 1_000, 10


def warm_up(rules: Rules, *, is_long: bool = False) -> None:
    """Load the machine code of a game into this process, which plays by it from now on.

    What is not there is made first, in as many processes as there are parts.

    Args:
        rules: Of the game; there need not be any machine code for it.
        is_long: Whether so much is to be played that the ways that begin slowly are used, too.
    """
    kernels = rules.game.kernels()
    if not kernels:
        return
    first, *others = kernels.parts[: None if is_long else 1]
    with ExitStack() as stack:
        children = [
            child for part in others if not is_made(part) and (child := start(kernels, part))
        ]
        for child in children:
            stack.callback(child.end)
        load(kernels, first)
        for child in children:
            child.wait()  # what went wrong there goes wrong again here
    for part in others:
        load(kernels, part)
    end_patience()


def load(kernels: Kernels, part: CodeUnit) -> None:
    """Load a part of the machine code into this process, and make it if it is not there."""
    rules, kinds, rounds = kernels.usual(part)
    began = process_time()
    for make in kinds:
        declared = declare(make, rules)
        play_compiled([usual_block(rules, rounds)], _everybody(declared), {part})
    if not is_made(part):
        note_made(part, process_time() - began)


def make_for_parent(module: str, kind: str, name: str) -> None:
    """Make a part; the process ends at once if its parent does.

    Args:
        module: That the class of kernels stands in.
        kind: Name of that class.
        name: Of the part.
    """
    Thread(target=_end_with_parent, daemon=True).start()
    kernels: Kernels = getattr(import_module(module), kind)()
    load(kernels, next(part for part in kernels.parts if part.name == name))


def _end_with_parent() -> None:
    """Wait until the other end of the input is closed, which only the end of the parent does."""
    os.read(0, 1)
    os._exit(1)


def _everybody(declared: Declared) -> Callable[[int, Rules], Declared]:
    return lambda _entrant, _rules: declared


def usual_block(rules: Rules, rounds: int = FEW_ROUNDS) -> Block:
    """Draw up rounds at a table such as most have, a few by default."""
    chips = rules.most_points is None
    minimum = (rules.minimum or MINIMUM) * rules.unit if chips else 0
    bankroll = CHIPS * rules.unit if chips else 0
    field = Field(1, rules, bankroll, minimum, bankroll, Secret.from_seed(0))
    seats = ((0, bankroll),) * rules.seats[0]
    return field.block(BlockKey(0, 0, 0, 0, 1), seats, rounds)
