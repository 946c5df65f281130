"""What a researcher asks in a line of Python; commands of the same names say what these give.

A strategy is what is typed on the command line, or a class or a player of the program that asks,
which then plays in that program: it is trusted, and not confined. A game is a preset with
overrides, a mapping as in a configuration, or rules. A configuration is a file, what was read from
one, or a mapping with the same settings.
"""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.research.asked import GAME, LEAST, game_of, load_rules
    from tourney.research.checked import Checked, check, check_game, new_competitor
    from tourney.research.compared import Compared, compare
    from tourney.research.measured import Measured, Sweep, ev, risk_of, sweep
    from tourney.research.planned import Planned, plan
    from tourney.research.solved import Deviations, Solved, deviations, solve, solver_of
    from tourney.research.stored import Replayed, StoredRun, StoredRuns, open_store, replay
else:
    __getattr__ = exports(__name__)
