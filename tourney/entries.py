"""From an organiser's configuration to a tournament that can be played.

Names become competitors with the digest of their source, money is counted in the unit of
the rules, and the secret of the run is drawn. What a run stores, so that it can be resumed
and verified, is turned back into the same tournament here.
"""

import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import TypeAlias

from tourney.cards.keys import Secret
from tourney.config import Catalog, EntrantConfig, TournamentConfig, load, loads
from tourney.confine.levels import Level
from tourney.errors import ChartError, Fault, PluginError
from tourney.games import Rules
from tourney.players import (
    CONTRACTS,
    AnyPlayer,
    Chart,
    ChartPlayer,
    contract_of,
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
from tourney.schedule import Field, Format
from tourney.standings import DEFAULT_COLUMNS, Column, EntrantLabel, Measure, Scoring
from tourney.store import EntrantKind, EntrantRecord, RunRecord
from tourney.submissions import RULES, read_handed_in, submitted
from tourney.trust import kept_level, level_of_new_run, level_of_run
from tourney.workers import EntrantSpec, makes_promises

Sources: TypeAlias = tuple[tuple[str, str], ...]
"""Names of files and their text."""

CHART_SUFFIX = ".txt"
HOUSE_LIMIT = 1_000_000_000
"""Greatest wager in chips at a table without a limit of its own; keeps sums within 64 bits."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """Everything that decides the results of a run."""

    config: TournamentConfig
    secret: Secret
    entrants: tuple[EntrantSpec, ...]
    records: tuple[EntrantRecord, ...]
    confinement: Level | None = None  # of the code that entrants bring; None if nobody does

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        rules: Rules = self.config.game.rules
        return rules

    @property
    def format(self) -> Format:
        """Who meets whom."""
        options: Format = self.config.format.options
        return options

    @property
    def field(self) -> Field:
        """What the format draws the tournament up for, in the unit of the rules."""
        config, unit = self.config, self.rules.unit
        return Field(
            entrants=len(self.entrants),
            rules=self.rules,
            bankroll=config.bankroll * unit,
            minimum=config.minimum * unit,
            maximum=(config.maximum or HOUSE_LIMIT) * unit if config.bankroll else 0,
            secret=self.secret,
        )

    @property
    def scoring(self) -> Scoring:
        """How results count."""
        return Scoring(
            rules=self.rules,
            bankroll=self.config.bankroll * self.rules.unit,
            minimum=self.config.minimum * self.rules.unit,
            scheduled_rounds=self.format.scheduled_rounds,
            fault=self.format.fault,
            measure=self.measure,
        )

    @property
    def measure(self) -> Measure:
        """What is counted at a table."""
        return self.format.measure(self.rules)

    @property
    def labels(self) -> tuple[EntrantLabel, ...]:
        """How entrants are called on the board."""
        return tuple(
            EntrantLabel(record.name, record.strategy, record.group) for record in self.records
        )

    def specs(self) -> Mapping[int, EntrantSpec]:
        """Give the entrants by number."""
        return dict(enumerate(self.entrants))


def catalog_of(registry: Registry) -> Catalog:
    """Give the names a configuration may use."""
    return Catalog(
        presets={name: game.rules for name, game in registry.games.items()},
        formats={name: item.make for name, item in registry.formats.items()},
        strategies={name: strategy.make for name, strategy in registry.strategies.items()},
        columns=tuple(registry.columns),
        games={name: strategy.game for name, strategy in registry.strategies.items()},
        misfits=partial(_misfit, registry.columns),
        resting=registry.resting,
        submitted=submitted,
        rules=RULES,
    )


def _misfit(columns: Mapping[str, Column], name: str, rules: Rules, options: Format) -> str:
    """Say why a column makes no sense in a tournament; nothing if it does."""
    measure = options.measure(rules)
    if columns[name].fits(measure):
        return ""
    chosen = (*DEFAULT_COLUMNS, "points_per_round")
    fitting = [each for each in chosen if each in columns and columns[each].fits(measure)]
    return (
        f"expected a column that makes sense where {measure.title.lower()} counts, such as "
        f"{', '.join(fitting)}; got {name!r}"
    )


def enter(
    source: Path | TournamentConfig,
    registry: Registry,
    *,
    rng_seed: int | None = None,
    trusts_files: bool = False,
) -> Tournament:
    """Make a tournament ready from its configuration.

    Args:
        source: A YAML file, or what was read from one.
        registry: What names stand for.
        rng_seed: Takes the place of the configuration's seed.
        trusts_files: Whether files of competitors may run in this process; else they are
            confined.
    Raises: ConfigError, PluginError, FormatError or TourneyError, if it cannot be played.
    """
    config = source if isinstance(source, TournamentConfig) else load(source, catalog_of(registry))
    rng_seed = config.seed if rng_seed is None else rng_seed
    secret = Secret.draw() if rng_seed is None else Secret.from_seed(rng_seed)
    level = level_of_new_run(config, trusts_files=trusts_files)
    _check_charts(config, registry)
    find_sources = cache(sources_of)  # a thousand entrants may be of one class
    records = tuple(
        _record(number, entrant, registry, config.game.rules.game, find_sources, level=level)
        for number, entrant in enumerate(config.entrants)
    )
    return _tournament(config, secret, records, registry, level)


def enter_again(
    run: RunRecord, registry: Registry, *, trusts_files: bool = False, plays: bool = True
) -> Tournament:
    """Make the tournament of a stored run ready again, from what the store keeps of it.

    Args:
        run: The run.
        registry: What names stand for.
        trusts_files: Whether archived files of competitors may run in this process, as they did
            when the run began.
        plays: Whether anybody is going to play.
    Raises: ConfigError, PluginError or TourneyError, if it cannot be played.
    """
    config = loads(run.config, catalog_of(registry), run.config_source, folder=None)
    # By the run's entrants, not the configuration's, whose folders may have changed.
    level = level_of_run(run, trusts_files=trusts_files) if plays else kept_level(run)
    secret = Secret(run.secret, run.salt, run.rehearsal)
    return _tournament(config, secret, run.entrants, registry, level)


def run_record(tournament: Tournament) -> RunRecord:
    """Give what the store keeps of a run that begins now."""
    config, secret = tournament.config, tournament.secret
    return RunRecord(
        number=0,
        name=config.name,
        created=now(),
        finished=None,
        status="running",
        config=config.text,
        config_source=config.source,
        settings=(),
        versions=versions(),
        secret=secret.value,
        salt=secret.salt,
        commitment=secret.commitment,
        rehearsal=secret.is_rehearsal,
        entrants=tournament.records,
        confinement=tournament.confinement or "",
    )


def versions() -> tuple[tuple[str, str], ...]:
    """Give the versions that results rest on."""
    return (
        ("python", platform.python_version()),
        ("tourney", version("tourney")),
        ("numpy", version("numpy")),
    )


def now() -> str:
    """Give the time, in UTC, as ISO 8601 to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _tournament(
    config: TournamentConfig,
    secret: Secret,
    records: tuple[EntrantRecord, ...],
    registry: Registry,
    level: Level | None,
) -> Tournament:
    specs = tuple(_spec(record, registry, level) for record in records)
    tournament = Tournament(config, secret, specs, records, level)
    tournament.format.check(len(records), tournament.rules)
    return tournament


def _check_charts(config: TournamentConfig, registry: Registry) -> None:
    """Refuse charts with faults, all of them at once, and charts that need another dealer."""
    faults: list[Fault] = []
    rules = config.game.rules
    shown = getattr(rules, "dealer_shows", None)
    for entrant in config.entrants:
        try:
            chart = _chart_of(entrant, registry)
        except ChartError as error:
            faults += error.faults
            continue
        message = ""
        if chart and shown is None:
            message = f"expected a competitor of {rules.game}, got a chart, which plays blackjack"
        elif chart and chart.shows_both and shown != "both":
            message = (
                "expected a chart whose columns are the dealer's upcard, got one of both cards: "
                "play a game with dealer_shows: both, such as easybj"
            )
        if message:
            faults.append(Fault(config.source, 0, 0, "", f"entrant {entrant.name}: {message}"))
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
    game: str,
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
        made = load_package(pack(sources), name)
        _check_game(name, made, game)
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
        options=entrant.options,
        group=entrant.group,
        kind=kind,
        distribution=distribution,
        digest=digest_of(sources, entrant.options),
        sources=sources,
    )


def _where(entrant: EntrantConfig, file: str) -> str:
    """Name a file, with its entrant where the name of one does not tell the other."""
    return file if Path(file).stem == entrant.name else f"entrant {entrant.name}: {file}"


def _check_game(where: str, made: type[AnyPlayer], game: str) -> None:
    """Refuse a file whose competitor plays another game."""
    plays = contract_of(made)
    if game in CONTRACTS and plays != game:
        name = CONTRACTS[game].__name__
        raise PluginError(
            f"{where}: expected a subclass of tourney.{name} for {game}, got "
            f"{made.__name__}, which plays {plays}; enter a file with: class NAME({name})"
        )


def _spec(record: EntrantRecord, registry: Registry, level: Level | None) -> EntrantSpec:
    text = _text_of(record)
    known = registry.strategies.get(record.strategy) if record.kind == "strategy" else None
    return EntrantSpec(
        name=record.name,
        kind=record.kind,
        strategy=record.strategy,
        text=text,
        options=record.options,
        digest=record.digest,
        # A file is read by those who play it.
        promises=makes_promises(known.make) if known else record.kind == "chart",
        confinement=level if record.runs_code and level is not Level.UNSAFE else None,
    )


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
