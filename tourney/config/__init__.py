"""What the organiser asked for: YAML in, frozen values out, every fault at once.

The only home of yaml. Knows no games, formats, strategies or columns by itself;
whoever calls hands in a `Catalog` of the names there are.
"""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.config.documents import plain_data, value_in
    from tourney.config.games import load_game, text_of_game
    from tourney.config.model import (
        Catalog,
        Drawn,
        Duration,
        EntrantConfig,
        Exponential,
        FileEntry,
        FloorConfig,
        FormatConfig,
        GameConfig,
        LeaderboardConfig,
        LimitsConfig,
        Lognormal,
        Normal,
        PolicyConfig,
        PublicValueConfig,
        StageConfig,
        Submitted,
        TournamentConfig,
        Triangular,
        Uniform,
    )
    from tourney.config.schema import json_schema
    from tourney.config.season import SeasonConfig, SeasonRunConfig, load_season
    from tourney.config.tournament import (
        load,
        load_data,
        loads,
        time_text,
    )
else:
    __getattr__ = exports(__name__)
