"""The original course programs, byte for byte, thin over the games."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.games.blackjack.programs.driver import (
        Session,
        asked_at,
        made_by,
        play_session,
        read_cuts,
    )
    from tourney.games.blackjack.programs.transcript import Transcript
else:
    __getattr__ = exports(__name__)
