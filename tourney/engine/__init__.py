"""How a block is played. Whatever the engine, the result is the same."""

from tourney.engine.cast import Cast, cast_of, declare
from tourney.engine.choice import (
    ENGINES,
    ROUNDS_WORTH_LOADING,
    Played,
    check_engine,
    play_batch,
    why_not_in_lockstep,
)
from tourney.engine.compiled.eligible import why_not_compiled
from tourney.engine.lockstep.repeated import unrepeatable_faults
from tourney.engine.reference import Table, Watcher, play_block, play_recorded
from tourney.engine.report import Playable, playable
from tourney.engine.warm import LONG_ROUNDS, usual_block, warm_up

__all__ = [
    "ENGINES",
    "LONG_ROUNDS",
    "ROUNDS_WORTH_LOADING",
    "Cast",
    "Playable",
    "Played",
    "Table",
    "Watcher",
    "cast_of",
    "check_engine",
    "declare",
    "play_batch",
    "play_block",
    "play_recorded",
    "playable",
    "unrepeatable_faults",
    "usual_block",
    "warm_up",
    "why_not_compiled",
    "why_not_in_lockstep",
]
