"""Making a tournament from a configuration, or again from a stored run.

Names become competitors with the digest of their source, money is converted to the unit of the
rules, and the secret of the run is drawn.
"""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property, partial
from importlib.metadata import version
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from tourney.checks.report import Tell, tell_nobody
from tourney.competitors.sources import digest_of, sources_of
from tourney.config.model import TournamentConfig
from tourney.config.tournament import load, loads
from tourney.errors import DISTRIBUTION, PluginError
from tourney.formats.base import Format, scoring_of
from tourney.formats.field import Field, why_luck_is_left
from tourney.formats.schedule_checks import Outline, outline_of
from tourney.game import Game
from tourney.game.blocks import HOUSE_LIMIT
from tourney.game.cards.keys import Secret
from tourney.game.rules import Rules
from tourney.plugins.registry import Registry
from tourney.sandbox.levels import Level
from tourney.standings.standing import BANKROLL, EntrantLabel, Measure
from tourney.standings.tallies import Scoring
from tourney.store.checksums import check_seed
from tourney.store.records import ANCHORED, BLINDING, PLUGINS, RULES, EntrantRecord, Need, RunRecord
from tourney.tournament.catalog import catalog_of
from tourney.tournament.entrant_specs import check_built, policies_of, records_of, spec_of
from tourney.tournament.plugin_needs import (
    AbsentGame,
    missing_needs,
    missing_words,
    needed_to_play,
    needs_of,
    rules_facts,
    with_stand_ins,
)
from tourney.tournament.sandbox_level import (
    check_confinable,
    check_entrants,
    is_confined,
    level_of_new_run,
    level_of_run,
    never_confined,
)

if TYPE_CHECKING:
    from tourney.execution.workers.task import EntrantSpec

DIGITS = 12  # of the digest of a source, as it is shown


def version_of(game: Game[Any, Any, Any], registry: Registry) -> str:
    """Return the version of a game.

    Args:
        game: The game.
        registry: Knows the plugin that provides it.
    Returns: Its name and the version of its rules; for a plugin's game also the version of the
        plugin and the digest of its source, which are not part of a strategy's digest.
    Raises: PluginError, if the source of a plugin's game is missing.
    """
    told = f"{game.name} {game.version}"
    sources = sources_of(type(game))
    if not sources:  # the platform's own
        return told
    plugins = (each.plugin for each in registry.games.values() if each.rules.game is game)
    origins = (f" of {each.distribution} {each.version}" for each in plugins)
    return f"{told}{next(origins, '')}, source {digest_of(sources, ()).hex()[:DIGITS]}"


BLINDING_BYTES = 16

A_TABLE = 4
"""Assumed number of entrants of a tournament that lists no entrant itself."""


@dataclass(frozen=True)
class Tournament:
    """Everything that determines the results of a run.

    It has no slots, so that it can make its entrants on demand: reading a run needs no engine.
    """

    config: TournamentConfig
    secret: Secret
    records: tuple[EntrantRecord, ...]
    spec_of: Callable[[EntrantRecord], EntrantSpec] = field(compare=False)
    confinement: Level | None = None  # sandbox level of code of entrants; None if none runs
    confines_all: bool = False  # whether installed strategies run in a sandbox, too
    follows_luck: bool = False  # whether results are adjusted for the luck of the cards
    steps: tuple[tuple[int, int], ...] = ()  # tables, entrants: first, and after each extension
    game: str = ""  # the version of the game
    needs: tuple[Need, ...] = ()  # the things of installed packages that it uses

    @cached_property
    def outline(self) -> Outline:
        """The number of batches, and the first batch."""
        return outline_of(self.format, self.field)

    @cached_property
    def entrants(self) -> tuple[EntrantSpec, ...]:
        """The specifications from which workers make the players, by number."""
        return tuple(map(self.spec_of, self.records))

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        rules: Rules = self.config.game.rules
        return rules

    @property
    def format(self) -> Format:
        """The format, which decides the pairings."""
        options: Format = self.config.format.options
        return options

    @property
    def field(self) -> Field:
        """The input from which the format draws up the tournament, in the unit of the rules."""
        return replace(
            _field(self.config, len(self.records), self.secret),
            follows_luck=self.follows_luck,
            steps=self.steps,
            policies=policies_of(self.records),
            names=tuple(record.name for record in self.records),
        )

    @property
    def scoring(self) -> Scoring:
        """How results are scored."""
        scoring = scoring_of(self.format, self.field)
        return replace(scoring, looks=self.looks, why_luck_stays=self.why_luck_stays)

    @property
    def why_luck_stays(self) -> str:
        """Why the bankrolls that count are not luck-adjusted; empty if they are or do not count."""
        return why_luck_stays_in(self.config, follows_luck=self.follows_luck)

    @property
    def looks(self) -> tuple[int, ...]:
        """Numbers of tables after which the run may stop; empty if it plays all tables."""
        return looks_of(self.config, len(self.records), self.steps)

    @property
    def measure(self) -> Measure:
        """The measure of the results of a table."""
        return self.format.measure(self.rules)

    @property
    def labels(self) -> tuple[EntrantLabel, ...]:
        """Names and groups of entrants on the board."""
        return tuple(
            EntrantLabel(record.name, record.strategy, record.group, record.author)
            for record in self.records
        )

    @property
    def excluded(self) -> frozenset[int]:
        """Numbers of the entrants that were taken off the board."""
        return frozenset(each.number for each in self.records if each.excluded is not None)

    def specs(self) -> Mapping[int, EntrantSpec]:
        """Return the specifications of entrants by number."""
        return dict(enumerate(self.entrants))


def most_at_once(config: TournamentConfig) -> int:
    """Return the largest number of players of one entrant in the first batch.

    Raises: FormatError, if the format does not fit.
    """
    # A folder of submissions that is not here gives an unknown number of entrants.
    field = _field(config, len(config.entrants) or A_TABLE, Secret.from_seed(0))
    first = outline_of(config.format.options, field).first
    seats = Counter(seat.entrant for block in first for seat in block.seats)
    return max(seats.values())


def _field(config: TournamentConfig, entrants: int, secret: Secret) -> Field:
    unit = config.game.rules.unit
    return Field(
        entrants=entrants,
        rules=config.game.rules,
        bankroll=config.bankroll * unit,
        minimum=config.minimum * unit,
        maximum=(config.maximum or HOUSE_LIMIT) * unit if config.bankroll else 0,
        secret=secret,
    )


def enter(
    source: Path | TournamentConfig,
    registry: Registry,
    *,
    rng_seed: int | None = None,
    public_value: str = "",
    trusts_files: bool = False,
    confines_all: bool = False,
    tell: Tell = tell_nobody,
) -> Tournament:
    """Make a tournament from its configuration.

    Args:
        source: A YAML file, or a configuration that was read from one.
        registry: The installed plugins.
        rng_seed: Replaces the seed of the configuration.
        public_value: Mixed into the shoes of a rehearsal; the public value of a run with a secret
            becomes known only after its commitment.
        trusts_files: Whether files of competitors may run in this process instead of a sandbox.
        confines_all: Whether installed strategies run in a sandbox, too.
        tell: Called with progress messages while programs are built.
    Raises: ConfigError, PluginError, FormatError or TourneyError, if it cannot be played.
    """
    catalog = catalog_of(registry, tries_options=not confines_all)
    config = source if isinstance(source, TournamentConfig) else load(source, catalog)
    rng_seed = config.seed if rng_seed is None else rng_seed
    secret = Secret.draw() if rng_seed is None else Secret.from_seed(rng_seed)
    secret = replace(secret, public_value=public_value)
    level = level_of_new_run(config, trusts_files=trusts_files, confines_all=confines_all)
    records = records_of(config, level, tell)
    entered = _tournament(config, secret, records, registry, level, confines_all=confines_all)
    if confines_all:
        check_confinable(entered.entrants)
    return replace(entered, follows_luck=not _why_luck_is_left(config))


def enter_again(
    run: RunRecord,
    registry: Registry,
    *,
    trusts_files: bool = False,
    plays: bool = True,
    tell: Tell = tell_nobody,
) -> Tournament:
    """Make the tournament of a stored run again.

    Args:
        run: The run.
        registry: The installed plugins.
        trusts_files: Whether archived files of competitors may run in this process, unless the
            store records that they ran in a sandbox.
        plays: Whether the tournament will be played.
        tell: Called with progress messages while programs are built.
    Raises: ConfigError, PluginError or TourneyError, if it cannot be played; StoreDamagedError, if
        it has a seed but is not marked as a rehearsal.
    """
    check_entrants(run)
    if plays and (missing := needed_to_play(missing_needs(run, registry))):
        raise PluginError(missing_words(run, missing, registry))
    registry = with_stand_ins(registry, run)
    config = loads(run.config, catalog_of(registry, is_stored=True), run.config_source, folder=None)
    check_seed(run, config.seed)
    if run.steps:
        config = with_tables(config, run.steps[-1][0])
    # From the run's entrants, because the configuration's folders may have changed.
    level = level_of_run(run, trusts_files=trusts_files) if plays else None
    secret = Secret(run.secret, run.salt, run.rehearsal, run.public_value)
    again = _tournament(
        config, secret, run.entrants, registry, level, confines_all=run.confines_all
    )
    if plays:
        _check_game(run, again)
        check_built(run, tell)
    # As when it began: the default may have changed since.
    return replace(
        again,
        follows_luck=run.follows_luck,
        steps=run.steps,
    )


def run_record(tournament: Tournament, *, commits: bool = False) -> RunRecord:
    """Return the record of a run that begins now.

    Args:
        tournament: The tournament.
        commits: Whether an anchor is written, so that the run commits to more than its secret,
            even in a rehearsal.
    """
    config, secret = tournament.config, tournament.secret
    return RunRecord(
        number=0,
        name=config.name,
        created=now(),
        finished=None,
        status="running",
        config=config.text,
        config_source=config.source,
        settings=_settings(tournament, commits=commits),
        versions=versions(),
        secret=secret.value,
        salt=secret.salt,
        commitment=secret.commitment,
        rehearsal=secret.is_rehearsal,
        entrants=tournament.records,
        confinement=tournament.confinement or "",
    )


def looks_of(
    config: TournamentConfig, entrants: int, steps: Sequence[tuple[int, int]]
) -> tuple[int, ...]:
    """Return the numbers of tables after which a run may stop; empty if it plays all tables.

    Args:
        config: The configuration of the run.
        entrants: The number of entrants.
        steps: Tables and entrants at the start and after each extension; empty if not extended.
    """
    if steps:  # each extension is decided after an interim result
        ends = tuple(sorted({tables for tables, _ in steps}))
        return ends if len(ends) > 1 else ()
    looks: tuple[int, ...] = config.format.options.looks_for(entrants, config.game.rules)
    return looks


def why_luck_stays_in(config: TournamentConfig, *, follows_luck: bool) -> str:
    """Explain why bankrolls are not luck-adjusted; empty if they are or do not count."""
    if follows_luck or config.format.options.measure(config.game.rules) is not BANKROLL:
        return ""
    return _why_luck_is_left(config) or "the run began before it could be"


def with_tables(config: TournamentConfig, tables: int) -> TournamentConfig:
    """Return a configuration with another number of tables."""
    kind = config.format
    return replace(config, format=replace(kind, options=replace(kind.options, tables=tables)))


def _why_luck_is_left(config: TournamentConfig) -> str:
    return why_luck_is_left(
        config.game.rules, config.format, config.bankroll, setting=config.luck_adjustment
    )


def _settings(tournament: Tournament, *, commits: bool) -> tuple[tuple[str, Any], ...]:
    """Return the facts of a run that its configuration does not contain."""
    is_blinded = commits or not tournament.secret.is_rehearsal
    settings: dict[str, Any] = {
        "pairs": "least weight",  # part of commitments
        "confine": "all" if tournament.confines_all else "",
        "luck": "adjust" if tournament.follows_luck else "",
        "game": "" if tournament.game == _first_version(tournament.rules) else tournament.game,
        "public_value": tournament.secret.public_value,
        **_plugin_settings(tournament),
        BLINDING: token_hex(BLINDING_BYTES) if is_blinded else "",
        ANCHORED: "yes" if commits else "",
    }
    return tuple((name, value) for name, value in settings.items() if value)


def _plugin_settings(tournament: Tournament) -> dict[str, object]:
    """Return the settings of a run about its plugins; empty without plugins."""
    if not tournament.needs:
        return {}
    config = tournament.config
    facts = rules_facts(tournament.rules, config.minimum * tournament.rules.unit)
    facts["settings"] = tuple(name for name, _ in config.game.overrides)
    return {PLUGINS: tuple(map(tuple, tournament.needs)), RULES: tuple(facts.items())}


def _first_version(rules: Rules) -> str:
    """Return the version that a run's settings omit: the platform's first."""
    return f"{rules.game.name} 1"


def _check_game(run: RunRecord, tournament: Tournament) -> None:
    """Reject another version of the game, whose results may differ.

    Raises: PluginError, if the run began with another version than the installed one.
    """
    began = run.game or _first_version(tournament.rules)
    if tournament.game != began:
        raise PluginError(
            f"run {run.number}: the installed game ({tournament.game}) is not the one that it "
            f"began with ({began}); install that version again, or start a new run"
        )


def versions() -> tuple[tuple[str, str], ...]:
    """Return the versions that results depend on."""
    return (
        ("python", platform.python_version()),
        ("tourney", version(DISTRIBUTION)),
        ("numpy", version("numpy")),
    )


def now() -> str:
    """Return the time in UTC as ISO 8601 to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _tournament(
    config: TournamentConfig,
    secret: Secret,
    records: tuple[EntrantRecord, ...],
    registry: Registry,
    level: Level | None,
    *,
    confines_all: bool,
) -> Tournament:
    is_absent = isinstance(config.game.rules.game, AbsentGame)
    tournament = Tournament(
        config,
        secret,
        records,
        partial(_spec, config, level, confines_all),  # unlike a closure, this can be pickled
        level,
        confines_all,
        game="" if is_absent else version_of(config.game.rules.game, registry),
        needs=() if is_absent else needs_of(config, records, registry),
    )
    tournament.format.check(len(records), tournament.rules)
    return tournament


def _spec(
    config: TournamentConfig,
    level: Level | None,
    confines_all: bool,  # noqa: FBT001 - passed by position
    record: EntrantRecord,
) -> EntrantSpec:
    # Without a decision, code that is played nevertheless runs in a sandbox or fails.
    confined = None if level is Level.UNSAFE else level or Level.FULL
    own_level: Level | None = confined if is_confined(record, confines_all) else None
    if level is Level.UNSAFE and never_confined([record]):
        own_level = level  # in a separate process, but without a sandbox
    return spec_of(record, config, own_level)
