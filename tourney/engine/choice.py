"""Which engine plays a batch, and playing it."""

from collections.abc import Mapping

from tourney.engine.reference import MakePlayer, Watcher, play_block
from tourney.errors import EngineError
from tourney.ledger import BlockKey, BlockResult
from tourney.schedule import Batch

ENGINES = ("auto", "reference")


def check_engine(name: str) -> str:
    """Give the engine that `name` stands for.

    Raises: EngineError, if there is none of that name.

    >>> check_engine("auto")
    'reference'
    """
    if name not in ENGINES:
        raise EngineError(f"engine: expected {' or '.join(ENGINES)}, got {name!r}")
    return "reference"


def play_batch(
    batch: Batch,
    make_player: MakePlayer,
    engine: str = "auto",
    watchers: Mapping[BlockKey, Watcher] | None = None,
) -> tuple[BlockResult, ...]:
    """Play the blocks of a batch.

    Args:
        batch: What to play.
        make_player: Makes a new player for an entrant.
        engine: One of ENGINES.
        watchers: Who is told what happens in a block, for some of them.
    """
    check_engine(engine)
    told = watchers or {}
    return tuple(play_block(block, make_player, told.get(block.key)) for block in batch.blocks)
