'''Every hook a plugin can answer, on one page.

A plugin is two files. The first, `pyproject.toml`, says which module to look into:

    [project.entry-points.tourney]
    bold = "bold_player"

The second is that module. A function that answers a hook has the hook's name and the
marker, and takes no arguments:

    from tourney import Card, Hand, Player, hookimpl

    class Bold(Player):
        """Bets half of what it has."""

        def bet(self, bankroll: int, minimum: int) -> int:
            return max(minimum, bankroll // 2)

        def draw(self, dealer: Card, player: Hand) -> bool:
            return player.total < 17

    @hookimpl
    def tourney_strategies():
        return {"bold": Bold}

Answer as many hooks as you like, at least one. Names have up to 60 letters, digits, dots,
dashes and underscores, begin with a letter or digit, and differ in more than case from the
names of everybody else. A plugin with a fault is put in quarantine as a whole, with the
reason, the line and a remedy, and the others go on.
'''

from collections.abc import Mapping, Sequence
from typing import Any

import pluggy

from tourney.game.contracts import AnyPlayer
from tourney.game.rules import Rules
from tourney.plugins.entrant_source import EntrantSource
from tourney.plugins.language import Language
from tourney.standings.columns import Column

GROUP = "tourney"
"""The entry-point group, which is also the name of the project in pluggy."""

hookspec = pluggy.HookspecMarker(GROUP)
"""Marks a hook of this page."""

hookimpl = pluggy.HookimplMarker(GROUP)
"""Marks a plugin's answer to a hook."""


class Hooks:
    """The hooks; each is asked once, when the program starts."""

    @hookspec
    def tourney_strategies(self) -> Mapping[str, type[AnyPlayer]]:
        """Offer strategies.

        Returns: Classes by the name that `strategy:` gives them. Each is a subclass of
            `tourney.Player` that answers `bet` and `draw`, of `tourney.StraightsPlayer` that
            answers `play`, or of the contract of another game. The parameters of its constructor
            are its options, and the first line of its docstring describes it.

        Example:
            @hookimpl
            def tourney_strategies():
                return {"bold": Bold, "timid": Timid}
        """
        raise NotImplementedError

    @hookspec
    def tourney_games(self) -> Mapping[str, Rules]:
        """Offer rules to play by.

        Returns: Rules by the name of their preset, each an instance of a frozen dataclass.
            A blackjack variant is `BlackjackRules` with other settings. Rules of a game of
            one's own name it as `game`, a `tourney.game.Game`, which says who plays it and how
            its table goes; docs/how-to/add-a-game.md writes a whole one.

        Example:
            from tourney.games.blackjack.rules import BlackjackRules

            @hookimpl
            def tourney_games():
                return {"our-club": BlackjackRules(decks=6, soft_17="hit", minimum=10)}
        """
        raise NotImplementedError

    @hookspec
    def tourney_formats(self) -> Mapping[str, type[Any]]:
        """Offer formats: ways to decide who meets whom.

        Returns: Classes by the name that `format:` gives them, each a frozen dataclass
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

        Returns: Columns in the order to list them; each has a `name`, which a
            configuration uses, a `title`, which readers see, and what it shows of a row.

        Example:
            from tourney.standings.columns import Column

            @hookimpl
            def tourney_columns():
                return [Column("broke", "Broke", lambda row: row.ruin)]
        """
        raise NotImplementedError

    @hookspec
    def tourney_languages(self) -> Mapping[str, Language]:
        """Offer languages: ways to write a competitor.

        Returns: Objects by the name that a run keeps, which is also the key of an entrant
            whose value is a path. Each says how files are recognised and read, and how they
            become players in this process and in one that is shut in.

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
        """Offer sources that enter several competitors by one setting of `entrants:`.

        Returns: Sources by the name of the setting. The configuration reads the one that is
            called `submissions`, which the optional part `tourney.course` provides.

        Example:
            @hookimpl
            def tourney_entrant_sources():
                return {"submissions": MyFolders()}
        """
        raise NotImplementedError


HOOKS = tuple(name for name in vars(Hooks) if name.startswith(f"{GROUP}_"))
"""The names of all hooks, in the order of this page."""
