"""Loading machine code before it is needed, and compiling it if it does not exist yet.

This plays a round with each kind of declared player, as in any block, so that all necessary
functions exist afterwards.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from threading import Thread
from time import process_time

from tourney.execution.background_compile import start
from tourney.execution.engine_selection import end_patience, play_compiled
from tourney.formats.field import Field
from tourney.game.accelerators import FEW_ROUNDS, Kernels
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.game.lineup import Declared, declare
from tourney.game.machine.compile_cache import CodeUnit, is_made, note_made
from tourney.game.rules import Rules

CHIPS, MINIMUM = 1_000, 10


def warm_up(rules: Rules, *, is_long: bool = False) -> None:
    """Load the machine code of a game into this process.

    Missing parts are compiled first, each in a separate process.

    Args:
        rules: The rules of the game, which need not have machine code.
        is_long: Whether the run is long enough for the parts that start slowly.
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
            child.wait()  # an error there occurs again here
    for part in others:
        load(kernels, part)
    end_patience()


@contextmanager
def failures_printed() -> Iterator[None]:
    """Print an error of a warm-up instead of raising it.

    The run goes on: a task that needs the code loads it itself, and reports an error that remains.
    """
    try:
        yield
    except Exception as error:  # noqa: BLE001 - printed; see above
        what = f"{type(error).__name__}: {error}"
        sys.stderr.write(f"warning: machine code could not be loaded before play: {what}\n")


def load(kernels: Kernels, part: CodeUnit) -> None:
    """Load a part of the machine code into this process; compile it if it does not exist."""
    rules, kinds, rounds = kernels.usual(part)
    began = process_time()
    for make in kinds:
        declared = declare(make, rules)
        play_compiled([usual_block(rules, rounds)], _everybody(declared), {part})
    if not is_made(part):
        note_made(part, process_time() - began)


def make_for_parent(module: str, kind: str, name: str) -> None:
    """Compile a part; end immediately if the parent ends.

    Args:
        module: Module of the class of kernels.
        kind: Name of that class.
        name: Name of the part.
    """
    Thread(target=_end_with_parent, daemon=True).start()
    kernels: Kernels = getattr(import_module(module), kind)()
    load(kernels, next(part for part in kernels.parts if part.name == name))


def _end_with_parent() -> None:
    """Wait until standard input is closed, which happens only when the parent ends."""
    os.read(0, 1)
    os._exit(1)


def _everybody(declared: Declared) -> Callable[[int, Rules], Declared]:
    return lambda _entrant, _rules: declared


def usual_block(rules: Rules, rounds: int = FEW_ROUNDS) -> Block:
    """Make a block at a typical table, with few rounds by default."""
    chips = rules.most_points is None
    minimum = (rules.minimum or MINIMUM) * rules.unit if chips else 0
    bankroll = CHIPS * rules.unit if chips else 0
    field = Field(1, rules, bankroll, minimum, bankroll, Secret.from_seed(0))
    seats = ((0, bankroll),) * rules.seats[0]
    return field.block(BlockKey(0, 0, 0, 0, 1), seats, rounds)
