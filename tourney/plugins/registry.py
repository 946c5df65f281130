"""What the plugins provide, by name, and which plugins are in quarantine, and why."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypeVar

from tourney.config.words import closest, hint, joined, quoted
from tourney.errors import PluginError
from tourney.game import protocol
from tourney.game.contracts import AnyPlayer, game_of
from tourney.game.rules import Rules
from tourney.plugins.entrant_source import EntrantSource
from tourney.plugins.fault_text import error_words
from tourney.plugins.language import Language
from tourney.plugins.validation import fault_words
from tourney.standings.columns import Column

Thing = TypeVar("Thing")
AnyGame: TypeAlias = protocol.Game[Any, Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """One entry point of one distribution, and what became of it."""

    entry_point: str  # its name
    value: str  # the module it names
    distribution: str  # name of the package that was installed; empty if unknown
    version: str
    status: Literal["loaded", "quarantined"] = "loaded"
    reason: str = ""  # of the quarantine: what was expected and what came, in one line
    place: str = ""  # "file.py:12" in the author's code; empty if unknown
    remedy: str = ""
    strategies: tuple[str, ...] = ()  # names it provides, or would if it were not in quarantine
    games: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    entrant_sources: tuple[str, ...] = ()

    @property
    def origin(self) -> str:
        """Name the plugin as a user finds it: `bold of tourney-bold 1.0`."""
        package = " ".join(part for part in (self.distribution, self.version) if part)
        return f"{self.entry_point} of {package}" if package else self.entry_point

    @property
    def fault(self) -> str:
        """Say why it is in quarantine, where and how to mend it; empty if it is not."""
        return fault_words(self.reason, self.place, self.remedy)


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy that entrants can be made of."""

    name: str
    make: type[AnyPlayer]
    summary: str  # first line of its docstring; empty if it has none
    plugin: Plugin

    @property
    def game(self) -> str:
        """Name of the game it plays."""
        return game_of(self.make)

    @property
    def distribution(self) -> str:
        """Name of the package that was installed; empty if unknown."""
        return self.plugin.distribution

    @property
    def version(self) -> str:
        """Version of the package that was installed."""
        return self.plugin.version


def why_refused(make: Callable[..., object], options: Mapping[str, Any]) -> str:
    """Make a player of an installed class, and say what its constructor raises.

    Args:
        make: The class, whose code may run in this process.
        options: What its constructor is given.
    Returns: What it raises, on one line; empty if it takes them.
    """
    try:
        make(**options)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - as at a table, whatever its author thought of
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
    """A way to decide who meets whom."""

    name: str
    make: type[Any]  # a frozen dataclass whose fields are its options
    summary: str  # first line of its docstring; empty if it has none
    plugin: Plugin


def _nothing() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """All that the plugins provide; names keep the order in which plugins were loaded."""

    strategies: Mapping[str, Strategy] = field(default_factory=_nothing)
    games: Mapping[str, Game] = field(default_factory=_nothing)
    formats: Mapping[str, Format] = field(default_factory=_nothing)
    columns: Mapping[str, Column] = field(default_factory=_nothing)
    languages: Mapping[str, Language] = field(default_factory=_nothing)
    entrant_sources: Mapping[str, EntrantSource] = field(default_factory=_nothing)
    plugins: tuple[Plugin, ...] = ()

    @property
    def quarantined(self) -> tuple[Plugin, ...]:
        """The plugins of which nothing is registered."""
        return tuple(plugin for plugin in self.plugins if plugin.status == "quarantined")

    @property
    def resting(self) -> Mapping[str, str]:
        """Why a strategy is not registered, by its name, as far as a plugin told the name."""
        return self._resting("strategies", self.strategies)

    def strategy(self, name: str) -> Strategy:
        """Find a strategy.

        Raises: PluginError, if there is none of that name.
        """
        return self._find("strategy", name, self.strategies, "strategies")

    def player(self, name: str, game: str) -> type[AnyPlayer]:
        """Find a strategy for a game.

        Args:
            name: Of the strategy.
            game: Name of the game.
        Raises: PluginError, if there is none of that name or it plays another game.
        """
        found = self.strategy(name)
        if found.game != game:
            others = joined([each for each, one in self.strategies.items() if one.game == game])
            raise PluginError(
                f"strategy: expected one for {game} ({others}), got {quoted(name)}, "
                f"which plays {found.game}"
            )
        return found.make

    def game_of(self, kind: type[AnyPlayer]) -> AnyGame | None:
        """Find the game that players of a class play; None if nobody offers rules of it."""
        name = game_of(kind)
        games = (each.rules.game for each in self.games.values())
        return next((game for game in games if game.name == name), None)

    def game(self, name: str) -> Game:
        """Find a preset of rules.

        Raises: PluginError, if there is none of that name.
        """
        return self._find("game", name, self.games, "games")

    def format(self, name: str) -> Format:
        """Find a format.

        Raises: PluginError, if there is none of that name.
        """
        return self._find("format", name, self.formats, "formats")

    def column(self, name: str) -> Column:
        """Find a leaderboard column.

        Raises: PluginError, if there is none of that name.
        """
        return self._find("column", name, self.columns, "columns")

    def language(self, name: str) -> Language:
        """Find a language of competitors.

        Raises: PluginError, if there is none of that name.
        """
        return self._find("language", name, self.languages, "languages")

    def _find(self, what: str, name: str, things: Mapping[str, Thing], kind: str) -> Thing:
        if name in things:
            return things[name]
        if reason := self._resting(kind, things).get(name):
            raise PluginError(
                f"{what} {quoted(name)}: expected one that can be used, "
                f"got one in quarantine: {reason}"
            )
        choices = joined([quoted(choice) for choice in things])
        expected = choices or "a plugin that provides one"
        separator = ";" if ", " in expected else ","
        raise PluginError(
            f"{what}: expected {expected}{separator} got {quoted(name)}"
            f"{hint(closest(name, things))}"
        )

    def _resting(self, kind: str, things: Mapping[str, Any]) -> Mapping[str, str]:
        """Give the reasons of quarantined plugins by the names they are known to have."""
        reasons: dict[str, str] = {}
        for plugin in self.quarantined:
            for name in (*getattr(plugin, kind), plugin.entry_point):
                if name not in things:
                    reasons.setdefault(name, f"{plugin.origin}: {plugin.fault}")
        return MappingProxyType(reasons)
