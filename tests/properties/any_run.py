"""Small tournaments, and what is left of them when they have been played."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tourney.config.tournament import loads
from tourney.game.ledger import BlockResult
from tourney.plugins.loading import load_plugins
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.catalog import catalog_of
from tourney.tournament.loading import Tournament, enter, run_record
from tourney.tournament.tournament import TournamentResult, play_run

CONFIG = """\
name: Properties
seed: 1912
{game}
format: {format}
floor: {floor}
entrants:
{entrants}
"""

BLACKJACK = """\
game: {preset: ve280, shuffle: uniform}
bankroll: 100
minimum: 5
maximum: 50"""

STRAIGHTS = "game: straights"


@dataclass(frozen=True)
class PlayedRun:
    """A run that has been played, and the open store that keeps it."""

    tournament: Tournament
    store: Store
    record: RunRecord
    result: TournamentResult

    @property
    def digest(self) -> bytes:
        """Digest of all of its results."""
        return self.store.run_digest(self.record.number)

    def blocks(self, entrant: int, table: int | None = None) -> list[BlockResult]:
        """Read the blocks of an entrant."""
        return list(self.store.blocks(self.record.number, entrant, table))


class Club:
    """Plays tournaments in a folder; a context manager that closes their stores."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._stores = ExitStack()
        self._registry = load_plugins()
        self._played = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stores.close()

    def add_file(self, name: str, text: str) -> None:
        """Put a competitor's file where configurations find it."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def play(
        self,
        *entrants: str,
        form: str = "{kind: duplicate, tables: 12, rounds: 40, batch_tables: 2}",
        floor: str = "{tables: 4, dealers: 4}",
        game: str = BLACKJACK,
        workers: int = 1,
        batches_a_task: int | None = None,
    ) -> PlayedRun:
        """Play a tournament of some entrants; format, floor and game are YAML, too."""
        rows = "\n".join(f"  - {entrant}" for entrant in entrants)
        text = CONFIG.format(game=game, format=form, floor=floor, entrants=rows)
        config = loads(text, catalog_of(self._registry), "properties.yaml", self.folder)
        tournament = enter(config, self._registry, trusts_files=True)
        self._played += 1
        store = self._stores.enter_context(Store.open(self.folder / f"{self._played}.db"))
        record = store.create_run(run_record(tournament))
        result = play_run(tournament, store, record, workers=workers, batches_a_task=batches_a_task)
        return PlayedRun(tournament, store, record, result)
