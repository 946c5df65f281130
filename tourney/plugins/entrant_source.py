"""The interface of sources that enter several competitors, such as a folder of submissions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tourney.config.model import Catalog, Submitted, TournamentConfig


class EntrantSource(ABC):
    """A setting of `entrants:` whose value is a folder of competitors."""

    @property
    @abstractmethod
    def rules(self) -> tuple[str, ...]:
        """The values of `rule`, which selects the version of a competitor that plays."""

    @abstractmethod
    def entrants(self, folder: Path, rule: str | None) -> Sequence[Submitted]:
        """List the competitors of a folder.

        Args:
            folder: As named in the configuration.
            rule: One of `rules`; `None` for the folder's default.
        Raises: TourneyError, if the folder cannot be read.
        """

    def remedy_for(self, file: Path) -> str:
        """Describe how to leave out the competitor of a file; empty if it is not from here."""
        del file
        return ""

    def warnings(self, config: TournamentConfig, catalog: Catalog) -> Sequence[str]:
        """List mismatches between a tournament and its folders, one line each."""
        del config, catalog
        return ()
