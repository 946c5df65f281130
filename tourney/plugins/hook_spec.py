'''The hooks that a plugin can answer.

A plugin is two files. The first, `pyproject.toml`, names the module to load:

    [project.entry-points.tourney]
    bold = "bold_player"

The second is that module. A function that answers a hook has the hook's name and the
marker, and takes no arguments:

    from tourney import Card, Hand, Player, hookimpl

    class Bold(Player):
        """Bets half of its bankroll."""

        def bet(self, bankroll: int, minimum: int) -> int:
            return max(minimum, bankroll // 2)

        def draw(self, dealer: Card, player: Hand) -> bool:
            return player.total < 17

    @hookimpl
    def tourney_strategies():
        return {"bold": Bold}

A plugin answers at least one hook. Names have up to 60 letters, digits, dots, dashes and
underscores, begin with a letter or digit, and must differ from the names of other plugins in more
than case. A plugin with a fault is put in quarantine as a whole, with the cause, the line and a
remedy. Other plugins are not affected.
'''

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pluggy

from tourney.game.players import AnyPlayer
from tourney.game.rules import Rules
from tourney.plugins.language import Language
from tourney.standings.columns import Column

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


GROUP = "tourney"
"""The entry-point group, which is also the name of the project in pluggy."""

hookspec = pluggy.HookspecMarker(GROUP)
"""Marks a function of `Hooks` as a hook."""

hookimpl = pluggy.HookimplMarker(GROUP)
"""Marks a plugin's answer to a hook."""


class Hooks:
    """The hooks; each is called once, when the program starts."""

    @hookspec
    def tourney_strategies(self) -> Mapping[str, type[AnyPlayer]]:
        """Offer strategies.

        Returns: Classes by the name that `strategy:` uses. Each is a subclass of
            `tourney.Player` that defines `bet` and `draw`, of `tourney.StraightsPlayer` that
            defines `play`, or of the contract of another game. The parameters of its constructor
            are its options, and the first line of its docstring describes it.

        Example:
            @hookimpl
            def tourney_strategies():
                return {"bold": Bold, "timid": Timid}
        """
        raise NotImplementedError

    @hookspec
    def tourney_games(self) -> Mapping[str, Rules]:
        """Offer presets of rules.

        Returns: Rules by the name of their preset, each an instance of a frozen dataclass.
            A blackjack variant is `BlackjackRules` with other settings. Rules of a new game have
            an attribute `game`, a `tourney.game.Game`, which defines the players and the course
            of the game; docs/how-to/add-a-game.md shows a complete example.

        Example:
            from tourney.games.blackjack.rules import BlackjackRules

            @hookimpl
            def tourney_games():
                return {"our-club": BlackjackRules(decks=6, soft_17="hit", minimum=10)}
        """
        raise NotImplementedError

    @hookspec
    def tourney_formats(self) -> Mapping[str, type[Any]]:
        """Offer formats, which decide the pairings.

        Returns: Classes by the name that `format:` uses, each a frozen dataclass
            that inherits `tourney.formats.Format`, or a format of the platform.
            Its fields are the options of the format.

        Example:
            from dataclasses import dataclass

            from tourney import hookimpl
            from tourney.formats import Duplicate

            @dataclass(frozen=True, slots=True, kw_only=True)
            class Sprint(Duplicate):
                summary = "duplicate over a few rounds"

                tables: int = 1000
                rounds: int = 10

            @hookimpl
            def tourney_formats():
                return {"sprint": Sprint}
        """
        raise NotImplementedError

    @hookspec
    def tourney_columns(self) -> Sequence[Column]:
        """Offer columns of the leaderboard.

        Returns: Columns in the order to list them. Each has a `name` for the configuration, a
            `title` for readers, and a function that computes its value from a row.

        Example:
            from tourney.standings.columns import Column

            @hookimpl
            def tourney_columns():
                return [Column("broke", "Broke", lambda row: row.ruin)]
        """
        raise NotImplementedError

    @hookspec
    def tourney_languages(self) -> Mapping[str, Language]:
        """Offer languages, in which competitors are written.

        Returns: Languages by the name that a run stores, which is also the key of an entrant
            whose value is a path. Each defines how files are recognised and read, and how they
            become players in this process and in a sandboxed one.

        Example:
            from tourney.plugins.language import OneFile

            class Tiny(OneFile):
                title = "a tiny player"
                suffix = ".tiny"
                ...

            @hookimpl
            def tourney_languages():
                return {"tiny": Tiny()}
        """
        raise NotImplementedError

    @hookspec
    def tourney_entrant_sources(self) -> Mapping[str, EntrantSource]:
        """Offer sources that enter several competitors with one setting of `entrants:`.

        Returns: Sources by the name of the setting. The configuration reads only the source
            named `submissions`, which the optional part `tourney.course` provides.

        Example:
            @hookimpl
            def tourney_entrant_sources():
                return {"submissions": MyFolders()}
        """
        raise NotImplementedError


HOOKS = tuple(name for name in vars(Hooks) if name.startswith(f"{GROUP}_"))
"""The names of all hooks, in the order of `Hooks`."""
