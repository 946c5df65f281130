"""The registry of plugins: the things they provide, by name, and the quarantined plugins."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypeVar

from tourney.config.words import closest, hint, joined, quoted
from tourney.errors import PluginError
from tourney.game import protocol
from tourney.game.players import AnyPlayer, game_of
from tourney.game.rules import Rules
from tourney.plugins.fault_text import error_words
from tourney.plugins.hook_spec import EntrantSource
from tourney.plugins.language import Language
from tourney.plugins.validation import fault_words
from tourney.standings.columns import Column

Thing = TypeVar("Thing")
AnyGame: TypeAlias = protocol.Game[Any, Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """An entry point of a distribution, and its status."""

    entry_point: str  # its name
    value: str  # the module it names
    distribution: str  # name of the package that was installed; empty if unknown
    version: str
    status: Literal["loaded", "quarantined"] = "loaded"
    reason: str = ""  # the fault that led to quarantine, in one line
    place: str = ""  # "file.py:12" in the author's code; empty if unknown
    remedy: str = ""
    strategies: tuple[str, ...] = ()  # names it provides, or would without quarantine
    games: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    entrant_sources: tuple[str, ...] = ()

    @property
    def origin(self) -> str:
        """The plugin as shown to users: `bold of tourney-bold 1.0`."""
        package = " ".join(part for part in (self.distribution, self.version) if part)
        return f"{self.entry_point} of {package}" if package else self.entry_point

    @property
    def fault(self) -> str:
        """Its fault with the place and the remedy; empty if it is loaded."""
        return fault_words(self.reason, self.place, self.remedy)


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy that entrants can use."""

    name: str
    make: type[AnyPlayer]
    summary: str  # first line of its docstring; empty if it has none
    plugin: Plugin

    @property
    def game(self) -> str:
        """Name of its game."""
        return game_of(self.make)

    @property
    def distribution(self) -> str:
        """Name of the installed package; empty if unknown."""
        return self.plugin.distribution

    @property
    def version(self) -> str:
        """Version of the installed package."""
        return self.plugin.version


def why_refused(make: Callable[..., object], options: Mapping[str, Any]) -> str:
    """Try the constructor of an installed class and describe its exception.

    Args:
        make: The class, whose code may run in this process.
        options: Arguments of the constructor.
    Returns: The exception in one line; empty if it raises no exception.
    """
    try:
        make(**options)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - as at a table, authors may raise anything
        return error_words(error)
    return ""


@dataclass(frozen=True, slots=True)
class Game:
    """A preset of rules."""

    name: str
    rules: Rules
    plugin: Plugin


@dataclass(frozen=True, slots=True)
class Format:
    """A format, which decides the pairings."""

    name: str
    make: type[Any]  # a frozen dataclass whose fields are its options
    summary: str  # first line of its docstring; empty if it has none
    plugin: Plugin


def _nothing() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """All things that the plugins provide, in the order in which plugins were loaded."""

    strategies: Mapping[str, Strategy] = field(default_factory=_nothing)
    games: Mapping[str, Game] = field(default_factory=_nothing)
    formats: Mapping[str, Format] = field(default_factory=_nothing)
    columns: Mapping[str, Column] = field(default_factory=_nothing)
    languages: Mapping[str, Language] = field(default_factory=_nothing)
    entrant_sources: Mapping[str, EntrantSource] = field(default_factory=_nothing)
    plugins: tuple[Plugin, ...] = ()

    @property
    def quarantined(self) -> tuple[Plugin, ...]:
        """The plugins in quarantine, which provide nothing."""
        return tuple(plugin for plugin in self.plugins if plugin.status == "quarantined")

    @property
    def resting(self) -> Mapping[str, str]:
        """Names of strategies of quarantined plugins, with the cause, as far as known."""
        return self._resting("strategies", self.strategies)

    def strategy(self, name: str) -> Strategy:
        """Return a strategy.

        Raises: PluginError, if the name is unknown.
        """
        return self._find("strategy", name, self.strategies, "strategies")

    def player(self, name: str, game: str) -> type[AnyPlayer]:
        """Return the class of a strategy for a game.

        Args:
            name: Name of the strategy.
            game: Name of the game.
        Raises: PluginError, if the name is unknown or the strategy plays another game.
        """
        found = self.strategy(name)
        if found.game != game:
            others = [each for each, one in self.strategies.items() if one.game == game]
            raise PluginError(
                f"strategy {quoted(name)} plays {found.game}, not {game}; choose "
                f"{joined(others, shown_by=_shown_by('strategies'))}"
            )
        return found.make

    def strategies_for(self, rules: Rules) -> list[str]:
        """Return the strategies that can play by some rules; their game decides.

        A chart that needs both cards of the dealer cannot play blackjack that shows one of them.
        """
        game = rules.game
        return [
            name
            for name, each in self.strategies.items()
            if each.game == game.name and not game.misfit(each.make, rules)
        ]

    def game_of(self, kind: type[AnyPlayer]) -> AnyGame | None:
        """Return the game of a player's class; `None` if no plugin provides rules of it."""
        name = game_of(kind)
        games = (each.rules.game for each in self.games.values())
        return next((game for game in games if game.name == name), None)

    def game(self, name: str) -> Game:
        """Return a preset of rules.

        Raises: PluginError, if the name is unknown.
        """
        return self._find("game", name, self.games, "games")

    def format(self, name: str) -> Format:
        """Return a format.

        Raises: PluginError, if the name is unknown.
        """
        return self._find("format", name, self.formats, "formats")

    def column(self, name: str) -> Column:
        """Return a leaderboard column.

        Raises: PluginError, if the name is unknown.
        """
        return self._find("column", name, self.columns, "columns")

    def language(self, name: str) -> Language:
        """Return a language of competitors.

        Raises: PluginError, if the name is unknown.
        """
        return self._find("language", name, self.languages, "languages")

    def _find(self, what: str, name: str, things: Mapping[str, Thing], kind: str) -> Thing:
        if name in things:
            return things[name]
        if reason := self._resting(kind, things).get(name):
            raise PluginError(f"{what} {quoted(name)} is in quarantine: {reason}")
        choices = joined([quoted(choice) for choice in things], shown_by=_shown_by(kind))
        fix = f"choose {choices}" if things else "install a plugin that provides one"
        raise PluginError(f"there is no {what} {quoted(name)}{hint(closest(name, things))}; {fix}")

    def _resting(self, kind: str, things: Mapping[str, Any]) -> Mapping[str, str]:
        """Return the faults of quarantined plugins by the names they are known to have."""
        reasons: dict[str, str] = {}
        for plugin in self.quarantined:
            for name in (*getattr(plugin, kind), plugin.entry_point):
                if name not in things:
                    reasons.setdefault(name, f"{plugin.origin}: {plugin.fault}")
        return MappingProxyType(reasons)


LISTED = frozenset({"strategies", "games", "formats"})
"""Kinds that `tourney list` shows."""


def _shown_by(kind: str) -> str:
    """Name the command that shows all of a kind; empty if there is none."""
    return f"`tourney list {kind}`" if kind in LISTED else ""
