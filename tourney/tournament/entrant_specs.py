"""The competitors of a tournament: found, archived, and prepared for the workers that play them.

Entrants of a configuration become records for the store, with the digest of their source; records
of the store become the specifications from which workers make players.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, fields, replace
from functools import cache, partial
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias

from tourney.checks.report import Tell, tell_nobody
from tourney.competitors.sources import digest_of
from tourney.config.entrants import check_taken
from tourney.config.model import (
    EntrantConfig,
    GameConfig,
    LimitsConfig,
    PolicyConfig,
    TournamentConfig,
)
from tourney.errors import ChartError, Fault, PluginError, StoreDamagedError, SubmissionError
from tourney.execution.workers.task import EntrantSpec
from tourney.game import Game
from tourney.game.players import contract_name, contract_of, game_of
from tourney.plugins.loading import installed_languages, installed_plugins, language_of
from tourney.plugins.registry import why_refused
from tourney.plugins.source_files import walked_names
from tourney.sandbox.budgets import Budget
from tourney.sandbox.levels import Level
from tourney.store.records import EntrantRecord, RunRecord, unchanging

Sources: TypeAlias = tuple[tuple[str, str], ...]
"""Names of files and their text."""


def records_of(
    config: TournamentConfig, level: Level | None, tell: Tell = tell_nobody
) -> tuple[EntrantRecord, ...]:
    """Find all competitors and archive their sources.

    Args:
        config: The tournament.
        level: The sandbox level for the code of entrants; `None` if no entrant brings code.
        tell: Called with progress messages while programs are built.
    Raises: PluginError or ChartError, if a competitor is not available.
    """
    config = replace(config, entrants=tuple(map(partial(_as_preset, config.game), config.entrants)))
    check_fits(config)
    build_all(_to_build(config.entrants), tell)
    find_sources = cache(_installed_sources)  # a thousand entrants may share a class
    game = config.game.rules.game
    records: list[EntrantRecord] = []
    for number, entrant in enumerate(config.entrants):
        if number and _is_again(entrant, config.entrants[number - 1]):
            name, strategy = entrant.name, source_name(entrant)
            again = replace(records[-1], number=number, name=name, strategy=strategy)
            records.append(replace(again, pseudonym=entrant.pseudonym))
        else:
            record = _record(number, entrant, find_sources)
            if level is Level.UNSAFE:  # otherwise its code does not run in this process
                _check_game(record, game)
            records.append(record)
    return tuple(records)


def _as_preset(game: GameConfig, entrant: EntrantConfig) -> EntrantConfig:
    """Give an entrant the options that its strategy has in the preset of a game."""
    if entrant.source or not entrant.strategy:
        return entrant
    usual = game.rules.game.strategy_options(game.preset, entrant.strategy)
    if not usual:
        return entrant
    return replace(entrant, options=tuple({**usual, **dict(entrant.options)}.items()))


def _to_build(entrants: Iterable[EntrantConfig]) -> Iterator[tuple[str, str, Sources]]:
    for each in entrants:
        if each.source and language_of(each.kind).is_built:
            yield each.name, each.kind, language_of(each.kind).read_path(each.source)


def check_fits(config: TournamentConfig) -> None:
    """Reject entrants that do not fit the rules, and faulty charts, all in one error."""
    faults: list[Fault] = []
    for number, entrant in enumerate(config.entrants):
        if number and _is_again(entrant, config.entrants[number - 1]):
            continue
        try:
            message = _misfit(entrant, config.game.rules)
        except ChartError as error:
            faults += error.faults
            continue
        if message:
            hint = _remedy_for(entrant.source) if entrant.source else ""
            whole = f"entrant {entrant.name}: {message}{hint}"
            faults.append(Fault(config.source, 0, 0, "", whole))
    if faults:
        raise ChartError(tuple(faults))


def _remedy_for(file: Path) -> str:
    """Describe how to leave out the entrant of a file, if its source knows."""
    sources = installed_plugins().entrant_sources.values()
    return next(filter(None, (each.remedy_for(file) for each in sources)), "")


def _misfit(entrant: EntrantConfig, rules: object) -> str:
    """Explain why an entrant does not fit, without running its code; empty if it fits."""
    language = language_of(entrant.kind)
    if entrant.source and (meant := _language_meant(entrant)):
        got = language_of(meant).handed_in
        return f"this is {got}, not {language.handed_in}; enter it with `{meant}: …`"
    if language.brings_code and not language.is_built:
        return ""
    files = language.read_path(entrant.source) if entrant.source else ()
    return language.misfit(source_name(entrant), files, rules)


def _language_meant(entrant: EntrantConfig) -> str:
    """Return the language that claims an entrant's file by its name; empty without such a language.

    A language may read files of any name, so only files that another language claims are rejected.
    """
    assert entrant.source, "only called for files"
    names = [entrant.source.name]
    if language_of(entrant.kind).recognises(names):
        return ""
    known = installed_languages().items()
    return next((kind for kind, each in known if each.recognises(names)), "")


TOLD_EVERY = 10
"""Number of programs between two progress messages."""


def build_all(wanted: Iterable[tuple[str, str, Sources]], tell: Tell = tell_nobody) -> None:
    """Build the programs that need building, on all cores.

    Args:
        wanted: Names of entrants, their languages, and their files.
    Raises: PluginError, for the first that cannot be built.
    """
    by_files = {(kind, files): who for who, kind, files in wanted if language_of(kind).is_built}
    for one, who in itertools.islice(by_files.items(), 1):
        _build(one, who)  # first alone, so that the parts all programs share are built once
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, _ in enumerate(pool.map(_build, by_files, by_files.values()), 1):
            if number % TOLD_EVERY == 0:
                tell(f"built {number} of {len(by_files)} programs")


def _build(one: tuple[str, Sources], who: str) -> None:
    kind, files = one
    try:
        language_of(kind).build(files)
    except SubmissionError as error:
        raise PluginError(f"entrant {who}: {error}") from error


def check_built(run: RunRecord, tell: Tell = tell_nobody) -> None:
    """Reject programs that differ from those that the run began with.

    Args:
        run: The stored run.
    Raises: PluginError, if a program differs, as it does with another compiler.
    """
    build_all(((each.name, each.kind, each.sources) for each in run.entrants), tell)
    for record in run.entrants:
        language = language_of(record.kind)
        if not language.is_built:
            continue
        here = language.distribution(record.strategy, record.sources)
        if here != record.distribution:
            raise PluginError(
                f"entrant {record.name}: its program is built differently here ({here}) than when "
                f"the run began ({record.distribution}); play where that compiler is, or start a "
                "new run"
            )


def source_name(entrant: EntrantConfig) -> str:
    """Return the name of an entrant's source in a run: of a strategy or of a file."""
    if entrant.source is None:
        return entrant.strategy or ""
    # Different folders may have the same name.
    return entrant.name if entrant.source.is_dir() else entrant.source.name


def _installed_sources(kind: str, name: str) -> Sources:
    return language_of(kind).sources(name, ())


def _record(
    number: int, entrant: EntrantConfig, find_sources: Callable[[str, str], Sources]
) -> EntrantRecord:
    """Find an entrant's competitor and archive its source."""
    language, name = language_of(entrant.kind), source_name(entrant)
    if entrant.source:
        sources = language.read_path(entrant.source)
    else:
        sources = find_sources(entrant.kind, name)
    return EntrantRecord(
        number=number,
        name=entrant.name,
        strategy=name,
        options=unchanging(entrant.options),
        group=entrant.group,
        author=entrant.author,
        pseudonym=entrant.pseudonym,
        kind=entrant.kind,
        distribution=language.distribution(name, sources),
        digest=digest_of(sources, entrant.options),
        sources=sources,
        policy=_chosen(entrant.policy),
    )


_OWN = ("name", "pseudonym")
_but_name = attrgetter(*(each.name for each in fields(EntrantConfig) if each.name not in _OWN))
"""Returns all fields of an entrant except its names; faster than copying it without them."""


def _is_again(entrant: EntrantConfig, before: EntrantConfig) -> bool:
    """Return whether an entrant equals the one before, except for its names."""
    return _but_name(before) == _but_name(entrant)


def _chosen(policy: PolicyConfig) -> tuple[tuple[str, object], ...]:
    """Return the settings of a policy that differ from the defaults."""
    usual = asdict(PolicyConfig())
    return tuple(each for each in asdict(policy).items() if each[1] != usual[each[0]])


def policies_of(records: Iterable[EntrantRecord]) -> tuple[PolicyConfig, ...] | None:
    """Return the policies of entrants; `None` if all have the defaults."""
    if not any(record.policy for record in records):
        return None
    make = cache(_policy_of)
    return tuple(make(record.policy) for record in records)


def _policy_of(stored: tuple[tuple[str, Any], ...]) -> PolicyConfig:
    """Read the policy of an entrant from the store.

    Raises: StoreDamagedError, if it is not valid.
    """
    values, known = dict(stored), {each.name for each in fields(PolicyConfig)}
    are_counts = all(isinstance(each, int) and each >= 0 for each in values.values())
    if values.keys() <= known and are_counts:
        return PolicyConfig(**values)
    raise StoreDamagedError(
        f"policy of an entrant: {values!r} is not valid: the settings are "
        f"{', '.join(sorted(known))}, with whole numbers from 0. The store was damaged or changed; "
        "restore it from a backup"
    )


def _where(record: EntrantRecord) -> str:
    """Return the name of a file, with its entrant unless the names are alike."""
    name, file = record.name, record.strategy
    return file if name in {file, Path(file).stem} else f"entrant {name}: {file}"


def _check_game(record: EntrantRecord, game: Game[Any, Any, Any]) -> None:
    """Reject a file whose competitor plays another game."""
    language = language_of(record.kind)
    if not language.brings_code or not language.is_confinable:  # a command is sent the game's name
        return
    made = language.load(record.strategy, record.sources)
    contract = game.contract()
    if contract_of(made) is not contract:
        raise PluginError(
            f"{_where(record)}: {made.__name__} plays {game_of(made)}, not {game}; derive it from "
            f"{contract_name(contract)}: class NAME({contract.__name__})"
        )


def spec_of(
    record: EntrantRecord, config: TournamentConfig, confinement: Level | None
) -> EntrantSpec:
    """Return the specification from which a worker makes an entrant's players.

    Args:
        record: The stored entrant.
        config: The tournament, with the limits of its process.
        confinement: The sandbox level; `None` if it plays in the process of the platform.
    """
    language, name = language_of(record.kind), record.strategy
    is_here = language.is_installed and not confinement
    return EntrantSpec(
        name=record.name,
        kind=record.kind,
        strategy=name,
        sources=() if is_here else record.sources,
        options=record.options,
        digest=record.digest,
        promises=language.promises(name),
        confinement=confinement,
        budget=budget_of(config.limits),
        memory=config.limits.memory_mib << 20,
        game=config.game.rules.game,
        place="" if is_here else language.place(name),
    )


def budget_of(limits: LimitsConfig) -> Budget:
    """Return the limits on a player's computing time."""
    return Budget(
        loading=limits.loading_seconds,
        base=limits.base_seconds,
        decision=limits.cpu_us_per_decision / 1_000_000,
        stall=limits.max_sleep_seconds,
    )


def entrant_as_typed(who: str, name: str | None = None, group: str | None = None) -> EntrantConfig:
    """Make an entrant from an argument of the command line.

    Args:
        who: The name of a strategy, or a file or folder of a language that recognises its files;
            then `,option=value` any number of times.
        name: Its name; by default the name of its file, folder or strategy.
        group: Its group, if any.
    Raises: PluginError, if a part after a comma is not an option, or if no language enters the
        folder.
    """
    source, _, typed = who.partition(",") if not Path(who).exists() else (who, "", "")
    options = tuple(read_option(each) for each in typed.split(",")) if typed else ()
    path = Path(source)
    is_folder = path.is_dir() and source not in installed_plugins().strategies
    names = walked_names(path) if is_folder else [path.name]
    for kind, language in installed_languages().items():
        if language.recognises(names) and (language.takes_folders or not is_folder):
            return EntrantConfig(
                name=name or (path.resolve().name if is_folder else path.stem),
                kind=kind,
                source=path.resolve(),
                options=options,
                group=group,
            )
    if is_folder:
        raise PluginError(f"{source} is a folder; name the file of the competitor in it")
    return EntrantConfig(name=name or source, strategy=source, options=options, group=group)


def check_options(entrant: EntrantConfig) -> None:
    """Reject options that an installed strategy does not take, by trying its constructor.

    Raises: ConfigError, with every fault; PluginError, if its language takes no options.
    """
    language = language_of(entrant.kind)
    if entrant.options and not language.takes_options:
        raise PluginError(
            f"{entrant.name}: {language.title} takes no options; remove "
            f"{', '.join(dict(entrant.options))}"
        )
    made = language.known(entrant.strategy or "", ()) if language.is_installed else None
    if made:
        check_taken(entrant.name, made, dict(entrant.options), why_refused)


def read_option(text: str) -> tuple[str, int | float | bool | str]:
    """Read an option of a strategy; values that look like numbers become numbers.

    Raises: PluginError, if the text is not an option.
    """
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise PluginError(f"expected option=value, such as spread=4; got {text[:40]!r}")
    if value in {"true", "false"}:
        return name, value == "true"
    for kind in (int, float):
        try:
            return name, kind(value)
        except ValueError:
            continue
    return name, value
