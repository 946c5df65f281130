"""`list`: the installed strategies, games, formats and plugins, and the engine of each strategy."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from inspect import signature
from textwrap import wrap
from typing import Any, NamedTuple

import click
from tabulate import tabulate

from tourney.cli.options import DEFAULT_COMPETITOR, NOTED, STRICT_PLUGINS, note
from tourney.execution.engine_selection import why_not_compiled, why_not_in_lockstep
from tourney.execution.warm_up import usual_block
from tourney.game.lineup import declare
from tourney.game.players import AnyPlayer
from tourney.game.rules import Rules
from tourney.plugins.discovery import PLATFORM
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Plugin, Registry, Strategy


class Playable(NamedTuple):
    """The fastest engine for a strategy."""

    engine: str
    reason: str  # why machine code cannot play it; empty if it can


def playable(make: Callable[[], AnyPlayer], rules: Rules) -> Playable:
    """Return the engine that plays a strategy, alone or against itself, at a usual table.

    Args:
        make: Makes a player of the strategy.
        rules: The rules of the strategy's game.
    """
    block = usual_block(rules)
    declared = declare(make, rules)
    why_not = why_not_compiled(block, [declared] * len(block.seats))
    if not why_not:
        return Playable("compiled", "")
    engine = "reference" if why_not_in_lockstep(block) else "lockstep"
    return Playable(engine, why_not.removeprefix("seat 1: "))


Rows = Sequence[tuple[str, ...]]

WIDTH = 100
"""Characters in a line of a table."""

OPTIONS_WIDTH, LEAST_WIDTH, GAP = 24, 20, 2


@click.command("list")
@click.argument("what", type=click.Choice(["strategies", "games", "formats", "plugins"]))
@click.option("--engines", is_flag=True, help="Show how strategies are played, and why so.")
@STRICT_PLUGINS
def list_command(what: str, engines: bool, strict_plugins: bool) -> None:
    """List the installed strategies, games, formats or plugins."""
    if engines and what != "strategies":
        raise click.UsageError(f"--engines applies only to strategies, not to {what}")
    registry = load_plugins(strict=strict_plugins)
    if what == "plugins":  # the list shows them
        click.get_current_context().find_root().meta[NOTED] = True
    headers, rows = (_engines if engines else LISTS[what])(registry)
    if not rows:
        reason = "all plugins that provide some are in quarantine" if registry.quarantined else ""
        note(f"no {what}{reason and ': '}{reason}; `tourney list plugins` shows the reasons")
    room = _room(headers, rows)
    narrow = [(*cells, _wrapped(last, room)) for *cells, last in rows]
    click.echo(tabulate(narrow, headers=headers, disable_numparse=True))


def _strategies(registry: Registry) -> tuple[list[str], Rows]:
    rows = [
        (
            name,
            strategy.game,
            _wrapped(_options(strategy.make), OPTIONS_WIDTH),
            _origin(strategy),
            f"{strategy.summary} The default competitor."
            if name == DEFAULT_COMPETITOR
            else strategy.summary,
        )
        for name, strategy in registry.strategies.items()
    ]
    return ["Strategy", "Game", "Options", "From", "Description"], rows


def _engines(registry: Registry) -> tuple[list[str], Rows]:
    """Group the presets of a strategy's game by engine."""
    rows: list[tuple[str, ...]] = []
    for name, strategy in registry.strategies.items():
        presets: dict[Playable, list[str]] = {}
        games = [each for each in registry.games.values() if each.rules.game.name == strategy.game]
        for game in games:
            found = playable(strategy.make, game.rules)
            presets.setdefault(found, []).append(game.name)
        rows += [
            (
                name,
                found.engine,
                "all" if len(names) == len(games) else _wrapped(", ".join(names), OPTIONS_WIDTH),
                found.reason,
            )
            for found, names in presets.items()
        ]
    return ["Strategy", "Engine", "Games", "Why it is not compiled"], rows


def _games(registry: Registry) -> tuple[list[str], Rows]:
    rows = [
        (
            name,
            game.rules.game.name,
            ", ".join(f"{key}: {value}" for key, value in _settings(game.rules)) or "by default",
        )
        for name, game in registry.games.items()
    ]
    return ["Preset", "Game", "Rules that differ from the game's defaults"], rows


def _formats(registry: Registry) -> tuple[list[str], Rows]:
    rows = [
        (
            kind,
            _wrapped(", ".join(field.name for field in fields(item.make)), OPTIONS_WIDTH),
            item.summary,
        )
        for kind, item in registry.formats.items()
    ]
    return ["Format", "Options", "Description"], rows


def _plugins(registry: Registry) -> tuple[list[str], Rows]:
    rows = [
        (
            plugin.entry_point,
            _origin(plugin),
            plugin.status,
            plugin.fault
            or ", ".join([*plugin.strategies, *plugin.games, *plugin.formats, *plugin.columns]),
        )
        for plugin in registry.plugins
    ]
    return ["Plugin", "From", "Status", "Provides, or why not"], rows


LISTS = {
    "strategies": _strategies,
    "games": _games,
    "formats": _formats,
    "plugins": _plugins,
}


def _settings(rules: Any) -> list[tuple[str, object]]:
    """Return the settings that differ from the default; the others would be too many."""
    return [
        (field.name, str(value).lower() if isinstance(value, bool) else value)
        for field in fields(rules)
        if (value := getattr(rules, field.name)) != field.default
    ]


def _options(make: type) -> str:
    if "__init__" not in {name for kind in make.__mro__[:-1] for name in vars(kind)}:
        return ""
    return ", ".join(
        name if parameter.default is parameter.empty else f"{name}={parameter.default}"
        for name, parameter in signature(make).parameters.items()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    )


def _room(headers: list[str], rows: Rows) -> int:
    """Return the remaining width for the last column."""
    columns = zip(headers[:-1], *rows, strict=False)  # tabulate leaves room around headers
    taken = [
        max([len(header) + GAP, *(len(line) for cell in cells for line in cell.split("\n"))])
        for header, *cells in columns
    ]
    return max(LEAST_WIDTH, WIDTH - sum(taken) - GAP * len(taken))


def _wrapped(text: str, width: int) -> str:
    return "\n".join(wrap(text, width, break_on_hyphens=False))


def _origin(found: Strategy | Plugin) -> str:
    """Name a package and its version; `--version` shows this one's."""
    is_other = found.distribution != PLATFORM
    return f"{found.distribution} {found.version if is_other else ''}".strip()
