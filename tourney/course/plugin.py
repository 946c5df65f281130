"""The plugin of the course: `submissions: FOLDER` enters the submissions of a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tourney.lazy import Module
from tourney.plugins.hook_spec import EntrantSource, hookimpl

if TYPE_CHECKING:
    from tourney.config.model import Catalog, Submitted, TournamentConfig
    from tourney.course import records, tournament_entrants
    from tourney.tournament import check_demands
else:
    check_demands = Module("tourney.tournament.check_demands")
    records = Module("tourney.course.records")
    tournament_entrants = Module("tourney.course.tournament_entrants")


class SubmissionFolders(EntrantSource):
    """Folders of submissions."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The last version plays, the best one, or the pinned one."""
        return records.RULES

    def entrants(self, folder: Path, rule: str | None) -> Sequence[Submitted]:
        """List the versions that play, by name."""
        return tournament_entrants.submitted(folder, rule)

    def remedy_for(self, file: Path) -> str:
        """Return the command that withdraws the version of a file."""
        return tournament_entrants.how_to_withdraw(file)

    def warnings(self, config: TournamentConfig, catalog: Catalog) -> Sequence[str]:
        """Compare the game and the demands of a tournament with those of its folders."""
        sources = [each.source for each in config.entrants if each.source]
        if not sources:
            return ()
        return (
            *tournament_entrants.other_games(sources, config.game, catalog),
            *tournament_entrants.other_demands(sources, lambda: check_demands.demands_of(config)),
        )


@hookimpl
def tourney_entrant_sources() -> Mapping[str, EntrantSource]:
    """Offer the setting `submissions`."""
    return {"submissions": SubmissionFolders()}
