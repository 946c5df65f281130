"""The competitors of a tournament: found, archived and made ready for whoever plays them.

What an organiser lists becomes a record for the store, with the digest of its source; and what
the store keeps becomes what a worker needs to make players.
"""

from collections.abc import Callable, Iterable
from dataclasses import asdict, fields, replace
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias

from tourney.config import EntrantConfig, LimitsConfig, PolicyConfig, TournamentConfig
from tourney.confine.budgets import Budget
from tourney.confine.levels import Level
from tourney.errors import ChartError, Fault, PluginError
from tourney.game import Game
from tourney.players import (
    AnyPlayer,
    Chart,
    ChartPlayer,
    contract_name,
    contract_of,
    game_of,
    load_chart,
)
from tourney.plugins import (
    Registry,
    digest_of,
    load_competitor,
    load_package,
    pack,
    read_source,
    sources_of,
)
from tourney.store import EntrantKind, EntrantRecord, unchanging
from tourney.submissions import how_to_withdraw, misfit_of_chart, read_handed_in
from tourney.workers import EntrantSpec, makes_promises

Sources: TypeAlias = tuple[tuple[str, str], ...]
"""Names of files and their text."""

CHART_SUFFIX = ".txt"


def records_of(
    config: TournamentConfig, registry: Registry, level: Level | None
) -> tuple[EntrantRecord, ...]:
    """Find all competitors and archive their sources.

    Args:
        config: The tournament.
        registry: What names stand for.
        level: How the code is confined that entrants bring; None if nobody does.
    Raises: PluginError or ChartError, if one of them cannot be had.
    """
    check_charts(config, registry)
    find_sources = cache(sources_of)  # a thousand entrants may be of one class
    game = config.game.rules.game
    records: list[EntrantRecord] = []
    for number, entrant in enumerate(config.entrants):
        if number and _is_again(entrant, config.entrants[number - 1]):
            records.append(replace(records[-1], number=number, name=entrant.name))
        else:
            records.append(_record(number, entrant, registry, game, find_sources, level=level))
    return tuple(records)


def check_charts(config: TournamentConfig, registry: Registry) -> None:
    """Refuse charts with faults, all of them at once, and charts that need another dealer."""
    faults: list[Fault] = []
    rules = config.game.rules
    for number, entrant in enumerate(config.entrants):
        if number and _is_again(entrant, config.entrants[number - 1]):
            continue
        try:
            chart = _chart_of(entrant, registry)
        except ChartError as error:
            faults += error.faults
            continue
        if message := misfit_of_chart(chart, rules) if chart else "":
            hint = how_to_withdraw(entrant.chart) if entrant.chart else ""
            whole = f"entrant {entrant.name}: {message}{hint}"
            faults.append(Fault(config.source, 0, 0, "", whole))
    if faults:
        raise ChartError(tuple(faults))


def _chart_of(entrant: EntrantConfig, registry: Registry) -> Chart | None:
    """Give the chart an entrant plays by, from its file or its class; None if it has none."""
    if entrant.chart:
        return load_chart(entrant.chart)
    if entrant.strategy:
        made = registry.strategy(entrant.strategy).make
        if issubclass(made, ChartPlayer):
            return made.chart
    return None


def _record(
    number: int,
    entrant: EntrantConfig,
    registry: Registry,
    game: Game[Any, Any, Any],
    find_sources: Callable[[type[AnyPlayer]], Sources],
    *,
    level: Level | None,
) -> EntrantRecord:
    """Find an entrant's competitor for a game and archive its source."""
    kind: EntrantKind = "strategy"
    distribution = ""
    if entrant.file:
        kind, name = "file", entrant.file.name
        text = read_source(entrant.file)
        if level is Level.UNSAFE:  # else nothing of it runs in this process
            _check_game(_where(entrant, name), load_competitor(text, name), game)
        sources: Sources = ((name, text),)
    elif entrant.package:
        kind, name = "package", entrant.name
        sources = read_handed_in(entrant.package).files
        if level is Level.UNSAFE:  # as above
            _check_game(name, load_package(pack(sources), name), game)
    elif entrant.chart:
        kind, name = "chart", entrant.chart.name
        sources = ((name, load_chart(entrant.chart).text),)
    else:
        assert entrant.strategy
        strategy = registry.strategy(entrant.strategy)
        name, distribution = entrant.strategy, f"{strategy.distribution} {strategy.version}"
        sources = find_sources(strategy.make)
    return EntrantRecord(
        number=number,
        name=entrant.name,
        strategy=name,
        options=unchanging(entrant.options),
        group=entrant.group,
        author=entrant.author,
        kind=kind,
        distribution=distribution,
        digest=digest_of(sources, entrant.options),
        sources=sources,
        policy=_chosen(entrant.policy),
    )


_but_name = attrgetter(*(each.name for each in fields(EntrantConfig) if each.name != "name"))
"""Gives everything of an entrant but its name, faster than to make another without."""


def _is_again(entrant: EntrantConfig, before: EntrantConfig) -> bool:
    """Say whether an entrant is the one before once more, under another name."""
    return _but_name(before) == _but_name(entrant) and not entrant.package


def _chosen(policy: PolicyConfig) -> tuple[tuple[str, object], ...]:
    """Give what an entrant has chosen that is not the default."""
    usual = asdict(PolicyConfig())
    return tuple(each for each in asdict(policy).items() if each[1] != usual[each[0]])


def policies_of(records: Iterable[EntrantRecord]) -> tuple[PolicyConfig, ...] | None:
    """Give what entrants want; None if nobody wants anything."""
    if not any(record.policy for record in records):
        return None
    make = cache(lambda policy: PolicyConfig(**dict(policy)))
    return tuple(make(record.policy) for record in records)


def _where(entrant: EntrantConfig, file: str) -> str:
    """Name a file, with its entrant where the name of one does not tell the other."""
    return file if Path(file).stem == entrant.name else f"entrant {entrant.name}: {file}"


def _check_game(where: str, made: type[AnyPlayer], game: Game[Any, Any, Any]) -> None:
    """Refuse a file whose competitor plays another game."""
    contract = game.contract()
    if contract_of(made) is not contract:
        raise PluginError(
            f"{where}: expected a subclass of {contract_name(contract)} for {game}, got "
            f"{made.__name__}, which plays {game_of(made)}; enter a file with: "
            f"class NAME({contract.__name__})"
        )


def spec_of(
    record: EntrantRecord,
    registry: Registry,
    game: Game[Any, Any, Any],
    confinement: Level | None,
) -> EntrantSpec:
    """Give what a worker needs to make an entrant's players.

    Args:
        record: The entrant, as the store keeps it.
        registry: What names stand for.
        game: What is played.
        confinement: Of a process of its own; None if it plays in the platform's.
    """
    known = registry.strategies.get(record.strategy) if record.kind == "strategy" else None
    is_told = known and confinement  # which class it is, since nothing is registered in there
    return EntrantSpec(
        name=record.name,
        kind=record.kind,
        strategy=record.strategy,
        text=pack(record.sources) if is_told else _text_of(record),
        options=record.options,
        digest=record.digest,
        # A file is read by those who play it.
        promises=makes_promises(known.make) if known else record.kind == "chart",
        confinement=confinement,
        game=game,
        place=f"{known.make.__module__}:{known.make.__qualname__}" if known and is_told else "",
    )


def limited(spec: EntrantSpec, limits: LimitsConfig) -> EntrantSpec:
    """Give an entrant with what its process may take."""
    budget = Budget(
        loading=limits.loading_seconds,
        base=limits.base_seconds,
        decision=limits.decision_us / 1_000_000,
        stall=limits.stall_seconds,
    )
    return replace(spec, budget=budget, memory=limits.memory_mib << 20)


def _text_of(record: EntrantRecord) -> str:
    """Give the text that an entrant is loaded from; a registered strategy has none."""
    if record.kind == "package":
        return pack(record.sources)
    return "" if record.kind == "strategy" else record.sources[0][1]


def specify(strategy: str, registry: Registry) -> EntrantSpec:
    """Give a registered strategy, with its default options, or the chart of a file as an entrant.

    Args:
        strategy: A name, or the path of a chart's file.
        registry: What names stand for; what is registered goes first.
    Raises: PluginError, if nothing is registered by this name; ChartError, with a chart's faults.
    """
    path = Path(strategy)
    if path.suffix == ".py" and path.is_file():
        raise PluginError(
            f"{strategy}: expected the name of a strategy or the file of a chart, got Python; "
            f"enter it in a tournament, with: - file: {strategy}"
        )
    is_chart = path.suffix == CHART_SUFFIX or path.is_file()
    if strategy not in registry.strategies and is_chart:
        sources = ((path.name, load_chart(path).text),)
        digest = digest_of(sources, ())
        return EntrantSpec(path.name, "chart", *sources[0], (), digest, promises=True)
    made = registry.player(strategy)
    digest, promises = digest_of(sources_of(made), ()), makes_promises(made)
    return EntrantSpec(strategy, "strategy", strategy, "", (), digest, promises)
