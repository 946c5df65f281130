"""How a block is played. Whatever the engine, the result is the same."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.game.accelerators import LONG_ROUNDS, ROUNDS_WORTH_LOADING
    from tourney.game.repeated import unrepeatable_faults
    from tourney.game.seats import play_block
    from tourney.play.choice import (
        MOST_TOGETHER,
        Played,
        check_engine,
        compile_nothing,
        play_batch,
        play_joined,
        why_not_in_lockstep,
    )
    from tourney.play.compiled.blocks import why_not_compiled
    from tourney.play.making import (
        is_being_made,
        is_there,
        make_missed,
        missed_parts,
        own_making,
    )
    from tourney.play.names import ENGINES
    from tourney.play.report import Playable, playable
    from tourney.play.warm import usual_block, warm_up
else:
    __getattr__ = exports(__name__)
