"""What the organiser asked for: YAML in, frozen values out, every fault at once.

The only home of yaml. Knows no games, formats, strategies or columns by itself;
whoever calls hands in a `Catalog` of the names there are.
"""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.config.board import time_text
    from tourney.config.catalog import Catalog, FileEntry, Submitted
    from tourney.config.durations import (
        Drawn,
        Duration,
        Exponential,
        Lognormal,
        Normal,
        Triangular,
        Uniform,
    )
    from tourney.config.game_text import load_game, text_of_game
    from tourney.config.model import (
        EntrantConfig,
        FloorConfig,
        FormatConfig,
        GameConfig,
        LeaderboardConfig,
        LimitsConfig,
        PolicyConfig,
        PublicValueConfig,
        StageConfig,
        TournamentConfig,
    )
    from tourney.config.parsing import plain_data, value_in
    from tourney.config.reading import load, load_data, loads
    from tourney.config.schema import json_schema
    from tourney.config.season import SeasonConfig, SeasonRunConfig, load_season
else:
    __getattr__ = exports(__name__)
