"""The plugins that a run needs, and how a board is read without them.

A run stores its plugins with their versions, and the facts of their game that a board needs. If a
plugin is missing later, stand-ins with these facts take its place: boards and pages can be read,
and play is rejected with the package to install.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, make_dataclass, replace
from types import new_class
from typing import Any, ClassVar

from tourney.config.model import TournamentConfig
from tourney.errors import PluginError
from tourney.game import Game
from tourney.game.players import BasePlayer
from tourney.game.words import Words
from tourney.plugins.discovery import PLATFORM
from tourney.plugins.registry import Game as Preset
from tourney.plugins.registry import Plugin, Registry, Strategy
from tourney.standings.columns import Column
from tourney.store.records import KINDS, RULES, EntrantRecord, Need, RunRecord, need_words

PLAIN_FACTS = ("unit", "deals_fresh", "minimum", "most_points", "limit")
"""Facts of rules that are stored as they are."""


def needs_of(
    config: TournamentConfig, records: Iterable[EntrantRecord], registry: Registry
) -> tuple[Need, ...]:
    """Return the things of installed packages that a tournament uses."""
    entrants = tuple(records)
    used = {
        "games": {config.game.preset},
        "formats": {config.format.kind},
        "strategies": {each.strategy for each in entrants},
        "columns": set(config.leaderboard.columns or ()),
        "languages": {each.kind for each in entrants},
    }
    return tuple(
        Need(plugin.distribution, plugin.version, kind, name)
        for plugin in registry.plugins
        if plugin.distribution not in {PLATFORM, ""} and plugin.status == "loaded"
        for kind, names in used.items()
        for name in getattr(plugin, kind)
        if name in names
    )


def missing_needs(run: RunRecord, registry: Registry) -> tuple[Need, ...]:
    """Return the needs of a run that are not installed."""
    return tuple(each for each in run.needs if each.name not in getattr(registry, each.kind))


def needed_to_play(needs: Iterable[Need]) -> tuple[Need, ...]:
    """Return the needs without which nothing can be played: all but columns of boards."""
    return tuple(each for each in needs if each.kind != "columns")


def missing_words(run: RunRecord, needs: Sequence[Need], registry: Registry) -> str:
    """List the missing packages of a run, with the command that installs them."""
    for plugin in registry.quarantined:
        if plugin.distribution in {each.distribution for each in needs}:
            return (
                f"run {run.number} needs {need_words(needs)}, which is in quarantine; "
                "`tourney list plugins` shows why"
            )
    packages = dict.fromkeys(
        f"{each.distribution}=={each.version}" if each.version else each.distribution
        for each in needs
    )
    return (
        f"run {run.number} needs {need_words(needs)}, which is not installed; install it: "
        f"pip install {' '.join(packages)}"
    )


def rules_facts(rules: Any, minimum: int) -> dict[str, Any]:
    """Return the facts of a plugin's game that boards and pages need, as plain values.

    Args:
        rules: The rules of the run.
        minimum: The least wager, in the unit of the rules.
    """
    seats = rules.seats
    return {
        "game": rules.game.name,
        "unit": rules.unit,
        "deals_fresh": rules.deals_fresh,
        "seats": (seats.start, seats.stop, seats.step),
        "minimum": rules.minimum,
        "most_points": rules.most_points,
        "limit": rules.limit,
        "bounds": rules.game.round_bounds(rules, minimum),
        "words": tuple(rules.game.words),
    }


def with_stand_ins(registry: Registry, run: RunRecord) -> Registry:
    """Return a registry in which stand-ins take the place of missing plugins.

    Raises: PluginError, if the format is missing, since its code makes the board.
    """
    missing = missing_needs(run, registry)
    if not missing:
        return registry
    if formats := [each for each in missing if each.kind == "formats"]:
        raise PluginError(missing_words(run, formats, registry))
    facts = dict(dict(run.settings)[RULES])
    changed: dict[str, Any] = {kind: dict(getattr(registry, kind)) for kind in KINDS}
    for need in missing:
        plugin = Plugin(
            entry_point=need.name,
            value="",
            distribution=need.distribution,
            version=need.version,
            status="quarantined",
            reason="is not installed",
        )
        if need.kind == "games":
            changed["games"][need.name] = Preset(need.name, _rules(facts), plugin)
        elif need.kind == "strategies":
            made = _player(facts["game"])
            changed["strategies"][need.name] = Strategy(need.name, made, "", plugin)
        elif need.kind == "columns":
            changed["columns"][need.name] = _column(need)
    return replace(registry, **changed)


class AbsentGame(Game[BasePlayer, Any, Any]):
    """Takes the place of a game that is not installed."""

    bounds: ClassVar[tuple[int, int] | None] = None

    def contract(self) -> type[BasePlayer]:
        """Return the class of all players; remedies of stored verdicts look at its methods."""
        return BasePlayer

    def table(self, block: Any, accounts: Any, watcher: Any = None) -> Any:
        """Reject play."""
        del block, accounts, watcher
        raise PluginError(f"game {self.name} is not installed, so it cannot be played")

    def round_bounds(self, rules: Any, minimum: int) -> tuple[int, int] | None:
        """Return the stored bounds."""
        del rules, minimum
        return self.bounds


@dataclass(frozen=True)
class AbsentRules:
    """The stored facts of rules whose game is not installed; subclasses have the settings."""

    def may_play(self, bankroll: int, minimum: int) -> bool:
        """Return whether a seat has anything left."""
        return bankroll >= minimum

    def decisions(self, rounds: int, seat_rounds: int, cards: int) -> int:
        """Return one decision for each seat and round; the true number is unknown."""
        del rounds, cards
        return seat_rounds


def _rules(facts: Mapping[str, Any]) -> Any:
    bounds = facts["bounds"]
    given = facts.get("settings", ())  # names of those that the configuration gives to its game
    namespace = {
        "name": facts["game"],
        "version": 1,
        "words": Words(*facts["words"]),
        "bounds": None if bounds is None else tuple(bounds),
    }
    game = type("AbsentGame", (AbsentGame,), namespace)()
    attributes = {
        **{name: facts[name] for name in PLAIN_FACTS},
        "seats": range(*facts["seats"]),
        "game": game,
    }
    settings = [(name, Any, field(default=None)) for name in given]
    own = {name: each for name, each in attributes.items() if name not in given}
    return make_dataclass("Rules", settings, bases=(AbsentRules,), namespace=own, frozen=True)()


def _player(game: str) -> type[BasePlayer]:
    """Make a class that takes any options, and cannot play."""

    def constructor(self: BasePlayer, **options: Any) -> None:
        del self, options
        raise PluginError(f"players of {game} are not installed")

    def fill(namespace: dict[str, Any]) -> None:
        namespace["__init__"] = constructor

    made: type[BasePlayer] = new_class("AbsentPlayer", (BasePlayer,), {"game": game}, fill)
    return made


def _column(need: Need) -> Column:
    return Column(
        need.name,
        need.name,
        lambda _: None,
        meaning=f"Empty: {need.package}, which calculates it, is not installed.",
    )
