"""Whether the code of entrants may run, and at which sandbox level.

Each machine that plays a part of a run decides this again. A store may come from anyone, so the
level that it claims is only displayed, and obeyed only if that is more cautious. Installed
strategies run like any installed program, unless the organiser requires a sandbox for all code;
charts are no programs. `tourney.sandbox` implements the sandbox itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from tourney import lazy
from tourney.config.words import joined, quoted
from tourney.errors import PluginError, StoreError, TourneyError
from tourney.game.asking.exchange import SeatRequest
from tourney.game.ledger import Verdict
from tourney.plugins.fault_text import printable
from tourney.sandbox.levels import Level, probe
from tourney.store.records import EntrantRecord, RunRecord

if TYPE_CHECKING:
    from tourney.config.model import EntrantConfig, TournamentConfig
    from tourney.execution.workers.task import EntrantSpec
    from tourney.plugins import loading
    from tourney.tournament import entrant_specs
else:
    loading = lazy.Module("tourney.plugins.loading")
    entrant_specs = lazy.Module("tourney.tournament.entrant_specs")

WORDS = {
    Level.FULL: "ran in sandboxed processes",
    Level.REDUCED: "ran in sandboxed processes, without Landlock as a second barrier",
    Level.UNSAFE: "ran with all permissions of the user who started the run",
}
KEY_BYTES = 16
NO_COMMANDS = "commands cannot run in a sandbox"
Entrant = TypeVar("Entrant", "EntrantConfig", "EntrantRecord")


def level_of_new_run(
    config: TournamentConfig, *, trusts_files: bool, confines_all: bool = False
) -> Level | None:
    """Decide the sandbox level for the code of entrants.

    Args:
        config: The tournament.
        trusts_files: Whether their code may run in this process.
        confines_all: Whether installed strategies run in a sandbox, too.
    Returns: `None`, if no entrant needs a sandbox.
    Raises: TourneyError, if the code may not run here and the sandbox is not available.
    """
    if trusts_files and confines_all:
        raise TourneyError(
            "--confine all and --no-sandbox contradict each other; leave out one of them"
        )
    files = [entrant_specs.source_name(each) for each in config.entrants if brings_code(each)]
    if not any(is_confined(each, confines_all) for each in config.entrants):
        return None
    if trusts_files:
        return Level.UNSAFE
    if commands := [entrant_specs.source_name(each) for each in never_confined(config.entrants)]:
        raise _refused(config.source, commands, NO_COMMANDS)
    if reason := _why_not_confined():
        if confines_all:
            raise TourneyError(f"{config.source}: --confine all is not possible: {reason}")
        raise _refused(config.source, files, reason)
    return probe()


def level_of_run(run: RunRecord, *, trusts_files: bool) -> Level | None:
    """Decide the sandbox level for the code of a stored run's entrants.

    Args:
        run: The stored run.
        trusts_files: Whether code may run in this process, unless the run had a sandbox.
    Returns: `None`, if no entrant needs a sandbox.
    Raises: TourneyError, if the code may not run here, or this machine has a lower level than the
        run began with; StoreError, if the stored level is invalid.
    """
    claimed, files = claimed_level(run), [each.strategy for each in _confined_of(run)]
    if not files:
        return None
    commands = [each.strategy for each in never_confined(run.entrants)]
    if commands and claimed not in {None, Level.UNSAFE}:
        raise _damaged(run, f"a command cannot have sandbox level {claimed}")
    if trusts_files and claimed in {None, Level.UNSAFE}:
        return Level.UNSAFE
    if claimed is Level.UNSAFE:
        raise _refused(run.config_source, files, "the run began without a sandbox")
    if commands:
        raise _refused(run.config_source, commands, NO_COMMANDS)
    if claimed and probe().is_below(claimed):
        raise TourneyError(
            f"run {run.number} began at sandbox level {claimed}, but this machine offers only "
            f"level {probe()}; play, resume or show hands of it on a machine with that level"
        )
    if reason := _why_not_confined():
        raise _refused(run.config_source, files, reason)
    return probe()


def claimed_level(run: RunRecord) -> Level | None:
    """Return the level that a store claims for a run; `None` if it claims no level.

    Raises: StoreError, if there is no such level.
    """
    if run.confinement and run.confinement not in set(Level):
        raise _damaged(run, f"unknown sandbox level {quoted(run.confinement)}")
    return Level(run.confinement) if run.confinement else None


def check_entrants(run: RunRecord) -> None:
    """Make sure that the entrants of a stored run have valid sources.

    Raises: StoreError, if one does not.
    """
    known = loading.installed_languages()
    for entrant in run.entrants:
        who, language = f"entrant {printable(entrant.name)}", known.get(entrant.kind)
        if language is None:
            kinds = joined([each.title for each in known.values()])
            raise _damaged(run, f"{who}: unknown kind {quoted(entrant.kind)}, not {kinds}")
        if fault := language.fault_of(entrant.sources):
            raise _damaged(run, f"{who}: {fault}")


def _damaged(run: RunRecord, message: str) -> StoreError:
    return StoreError(
        f"run {run.number}: {message}: the store is damaged, or was not written by tourney"
    )


def _why_not_confined() -> str:
    """Explain why the sandbox is not available here; empty if it is."""
    return "this machine cannot run players in a sandbox" if probe() is Level.UNSAFE else ""


def _confined_of(run: RunRecord) -> list[EntrantRecord]:
    return [entrant for entrant in run.entrants if is_confined(entrant, run.confines_all)]


def is_confined(entrant: EntrantConfig | EntrantRecord, confines_all: bool) -> bool:  # noqa: FBT001 - of a run
    """Return whether an entrant runs in a sandbox, if any does."""
    language = loading.installed_languages().get(entrant.kind)
    return brings_code(entrant) or (confines_all and language is not None and language.runs_code)


def never_confined(entrants: Iterable[Entrant]) -> list[Entrant]:
    """Return the entrants that cannot run in a sandbox."""
    known = loading.installed_languages()
    return [each for each in entrants if each.kind in known and not known[each.kind].is_confinable]


def brings_code(entrant: EntrantConfig | EntrantRecord) -> bool:
    """Return whether an entrant is, or may be, a program that was not installed."""
    language = loading.installed_languages().get(entrant.kind)
    return language is None or language.brings_code  # an unknown kind may be code


def check_confinable(entrants: Iterable[EntrantSpec]) -> None:
    """Load every installed strategy in a sandboxed process once, to test whether it can run there.

    Raises: PluginError, with the name of each that cannot, and the cause.
    """
    found: dict[tuple[object, object], str] = {}
    for spec in entrants:
        if spec.language.is_installed and (spec.place, spec.sources) not in found:
            verdict = _trial(spec)
            is_amiss = verdict is not None and verdict.call == "import"
            found[spec.place, spec.sources] = (
                f"{spec.strategy}: {verdict.message}" if verdict and is_amiss else ""
            )
    if reasons := sorted(filter(None, found.values())):
        lines = "\n  ".join(reasons)
        raise PluginError(
            f"--confine all: {len(reasons)} strategies do not load in the sandbox:\n  {lines}\n"
            "enter others, or leave out --confine all"
        )


def _trial(spec: EntrantSpec) -> Verdict | None:
    """Return the verdict of a player that is seated but not asked anything."""
    pool = spec.pool()
    assert pool is not None, "only called for sandboxed entrants"
    with pool:
        (seating,) = pool.sit([SeatRequest(1, bytes(KEY_BYTES))])
    return seating.verdict


def confinement_words(run: RunRecord, *, was_seen: bool = False) -> str:
    """Describe the sandbox level of the code of entrants; empty if no entrant brought code.

    Args:
        run: The run.
        was_seen: Whether it was just played here; otherwise the level is the store's claim.
    """
    if not (count := len(_confined_of(run))):
        return ""
    whose = "the code of 1 entrant" if count == 1 else f"the code of {count} entrants"
    if run.confinement not in set(Level):
        claim = quoted(run.confinement) if run.confinement else "no level"
        return f"sandbox unknown: the store names {claim} for {whose}"
    level = Level(run.confinement)
    source = "" if was_seen else " according to the store"
    return f"sandbox {level}{source}: {whose} {WORDS[level]}"


def _refused(source: str, files: Sequence[str], reason: str) -> TourneyError:
    names = joined(list(dict.fromkeys(map(printable, files))), "and")  # names may repeat
    count = "1 entrant brings its" if len(files) == 1 else f"{len(files)} entrants bring their"
    return TourneyError(
        f"{printable(source)}: {count} own code ({names}), which would run with all your "
        f"permissions, because {reason}. Read the code, then add --no-sandbox"
    )
