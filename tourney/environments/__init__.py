"""Environments for learning programs: Gymnasium's for one seat, PettingZoo's for several.

Open `games` first: any game of a plugin, with `ids` for Gymnasium. `blackjack` plays many tables
together in machine code, and `blackjack_seats` several seats of one. `policies` saves a learned
player. This part is optional: it is the only room that uses gymnasium and pettingzoo (the extra
`rl`), and no other room imports it.

    from tourney.environments import BlackjackVectorEnv

    env = BlackjackVectorEnv(1_024, "six-decks-h17")

Cards, rules and chips are those of a tournament, and a table can be chosen by its key. Names are
imported on demand.
"""

from typing import TYPE_CHECKING

from tourney.errors import TourneyError
from tourney.lazy import exports

EXTRA = ("gymnasium", "pettingzoo")

if TYPE_CHECKING:
    from tourney.environments.blackjack import (
        BlackjackEnv as BlackjackEnv,
        BlackjackVectorEnv as BlackjackVectorEnv,
    )
    from tourney.environments.blackjack_seats import BlackjackSeatsEnv as BlackjackSeatsEnv
    from tourney.environments.games import (
        GameEnv as GameEnv,
        SeatEnv as SeatEnv,
        StraightsEnv as StraightsEnv,
    )
    from tourney.environments.policies import (
        chart_places as chart_places,
        chart_shape as chart_shape,
        save_network as save_network,
        save_strategy as save_strategy,
        save_table as save_table,
    )
    from tourney.environments.seats import tournament_shoes as tournament_shoes
else:
    _found = exports(__name__)

    def __getattr__(name: str) -> object:
        """Import a name on demand.

        Raises: TourneyError, if the extra is not installed.
        """
        try:
            return _found(name)
        except ModuleNotFoundError as error:
            if error.name not in EXTRA:
                raise
            raise TourneyError(
                f"tourney.environments: {error.name} is not installed; "
                "run: pip install 'tourney-cards[rl]'"
            ) from None
