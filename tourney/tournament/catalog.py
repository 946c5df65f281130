"""The names that a configuration may use, and their meanings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from tourney.competitors.languages import GIVEN
from tourney.config.model import Catalog, FileEntry
from tourney.formats.base import Format
from tourney.formats.field import why_luck_stays
from tourney.formats.stages import Stages
from tourney.game.rules import Rules
from tourney.plugins.registry import Registry, why_refused
from tourney.standings.columns import DEFAULT_COLUMNS, Column


def catalog_of(
    registry: Registry, *, tries_options: bool = False, is_stored: bool = False
) -> Catalog:
    """Return the names that a configuration may use.

    Args:
        registry: The installed plugins.
        tries_options: Whether constructors of installed strategies may run in this process, to
            check options.
        is_stored: Whether the configuration is that of a stored run, whose entrants may have been
            classes of a program.
    """
    catalog = Catalog(
        presets={name: game.rules for name, game in registry.games.items()},
        formats={name: item.make for name, item in registry.formats.items()},
        strategies={name: strategy.make for name, strategy in registry.strategies.items()},
        staged=lambda stages: Stages(tuple(stages)),
        columns=tuple(registry.columns),
        games={name: strategy.game for name, strategy in registry.strategies.items()},
        misfits=partial(_misfit, registry.columns),
        why_luck_stays=why_luck_stays,
        resting=registry.resting,
        files={
            kind: FileEntry(
                each.entered_as, each.takes_options, each.takes_patterns, each.takes_folders
            )
            for kind, each in registry.languages.items()
            if each.entered_as
        },
    )
    if is_stored:
        own = {GIVEN: FileEntry(registry.languages[GIVEN].title)}
        catalog = replace(catalog, files={**catalog.files, **own})
    if source := registry.entrant_sources.get("submissions"):
        catalog = replace(catalog, submitted=source.entrants, rules=source.rules)
    return replace(catalog, why_refused=why_refused) if tries_options else catalog


def _misfit(columns: Mapping[str, Column], name: str, rules: Rules, options: Format) -> str:
    """Explain why a column makes no sense in a tournament; empty if it does."""
    measure = options.measure(rules)
    has_chips = rules.most_points is None
    if columns[name].fits(measure, has_chips=has_chips):
        return ""
    chosen = (*DEFAULT_COLUMNS, "points_per_round")
    fitting = [
        each
        for each in chosen
        if each in columns and columns[each].fits(measure, has_chips=has_chips)
    ]
    board = f"a board of {measure.title.lower()}" + ("" if has_chips else f" in {rules.game}")
    return f"{name!r} does not fit {board}; choose another column, such as {', '.join(fitting)}"
