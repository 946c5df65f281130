"""The platform's own games, formats, columns and languages, registered like anybody else's."""

from collections.abc import Mapping, Sequence

from tourney.entrants.language import Language
from tourney.entrants.languages import CHART, ChartFile, Package, PythonFile, Strategy
from tourney.entrants.spec import hookimpl
from tourney.game.rules import Rules
from tourney.games.blackjack.rules import PRESETS
from tourney.games.straights.rules import PRESETS as STRAIGHTS
from tourney.schedule import FORMATS, Format
from tourney.standings import COLUMNS, Column


@hookimpl
def tourney_games() -> Mapping[str, Rules]:
    """Offer the course systems."""
    return {**PRESETS, **STRAIGHTS}


@hookimpl
def tourney_formats() -> Mapping[str, type[Format]]:
    """Offer the formats of tournaments."""
    return FORMATS


@hookimpl
def tourney_columns() -> Sequence[Column]:
    """Offer the columns of the leaderboard."""
    return COLUMNS


@hookimpl
def tourney_languages() -> Mapping[str, Language]:
    """Offer what competitors can be written in."""
    return {
        "strategy": Strategy(),
        "file": PythonFile(),
        CHART: ChartFile(),
        "package": Package(),
    }
