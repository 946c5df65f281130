"""Whether the code that entrants bring along may be played, and how well it is shut in.

Decided when a run begins, and anew by every machine that plays some of it again: a store may come
from anybody, so what it says of trust is told to those who read its leaderboard, and believed only
where that means more caution. Installed strategies and charts are nobody's files: the first run
here like any program one installs, unless the organiser has all code confined; the others are no
programs. Leaves out how a process is shut in; see `tourney.sandbox`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from tourney import lazy
from tourney.config.words import joined, quoted
from tourney.errors import PluginError, StoreError, TourneyError
from tourney.game.asking.seat_request import SeatRequest
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
    Level.FULL: "ran shut in, in processes of their own",
    Level.REDUCED: "ran shut in, in processes of their own, without Landlock to back the filter",
    Level.UNSAFE: "ran with all rights of whoever started the run",
}
KEY_BYTES = 16
Entrant = TypeVar("Entrant", "EntrantConfig", "EntrantRecord")


def level_of_new_run(
    config: TournamentConfig, *, trusts_files: bool, confines_all: bool = False
) -> Level | None:
    """Decide how the code that entrants bring along is played.

    Args:
        config: The tournament.
        trusts_files: Whether it may run in this process.
        confines_all: Whether installed strategies are confined, too.
    Returns: None, if nobody brings any.
    Raises: TourneyError, if it may not run here and cannot be confined.
    """
    if trusts_files and confines_all:
        raise TourneyError(
            "--confine all: expected all code to be confined, got --no-sandbox, which "
            "confines none: leave out one of them"
        )
    files = [entrant_specs.source_name(each) for each in config.entrants if brings_code(each)]
    if not any(is_confined(each, confines_all) for each in config.entrants):
        return None
    if trusts_files:
        return Level.UNSAFE
    if commands := [entrant_specs.source_name(each) for each in never_confined(config.entrants)]:
        raise _refused(config.source, commands, "nothing confines a command")
    if reason := _why_not_confined():
        if confines_all:
            expected = "--confine all: expected to confine all"
            raise TourneyError(f"{config.source}: {expected}, but {reason}")
        raise _refused(config.source, files, reason)
    return probe()


def level_of_run(run: RunRecord, *, trusts_files: bool) -> Level | None:
    """Decide how the code of a stored run's entrants is played here.

    Args:
        run: The run, as the store tells it.
        trusts_files: Whether code may run in this process, unless it is said to have been confined.
    Returns: None, if nobody brings any.
    Raises: TourneyError, if it may not run here, or this machine confines less well than the one
        on which the run began; StoreError, if the store says what no store says.
    """
    claimed, files = claimed_level(run), [each.strategy for each in _confined_of(run)]
    if not files:
        return None
    commands = [each.strategy for each in never_confined(run.entrants)]
    if commands and claimed not in {None, Level.UNSAFE}:
        raise _damaged(run, f"confinement: expected {Level.UNSAFE} of a command, got {claimed}")
    if trusts_files and claimed in {None, Level.UNSAFE}:
        return Level.UNSAFE
    if claimed is Level.UNSAFE:
        raise _refused(run.config_source, files, "the run began without confinement")
    if commands:
        raise _refused(run.config_source, commands, "nothing confines a command")
    if claimed and probe().is_below(claimed):
        raise TourneyError(
            f"run {run.number}: expected a machine that confines players at level {claimed}, as "
            f"when it began; got one at level {probe()}: go on where it began"
        )
    if reason := _why_not_confined():
        raise _refused(run.config_source, files, reason)
    return probe()


def claimed_level(run: RunRecord) -> Level | None:
    """Give the level that a store says a run was played at; None if it says nothing.

    Raises: StoreError, if there is no such level.
    """
    if run.confinement and run.confinement not in set(Level):
        expected = joined([*Level, "nothing"], "or")
        raise _damaged(run, f"confinement: expected {expected}, got {quoted(run.confinement)}")
    return Level(run.confinement) if run.confinement else None


def check_entrants(run: RunRecord) -> None:
    """See that entrants of a stored run consist of what entrants consist of.

    Raises: StoreError, if one of them does not.
    """
    known = loading.installed_languages()
    for entrant in run.entrants:
        who, language = f"entrant {printable(entrant.name)}", known.get(entrant.kind)
        if language is None:
            kinds = joined([each.title for each in known.values()])
            raise _damaged(run, f"{who}: expected {kinds}, got {quoted(entrant.kind)}")
        if fault := language.fault_of(entrant.sources):
            raise _damaged(run, f"{who}: {fault}")


def _damaged(run: RunRecord, message: str) -> StoreError:
    return StoreError(
        f"run {run.number}: {message}: the store is damaged, or was not written by tourney"
    )


def _why_not_confined() -> str:
    """Say why nobody's code is confined here; nothing if it is."""
    return "this machine cannot confine players" if probe() is Level.UNSAFE else ""


def _confined_of(run: RunRecord) -> list[EntrantRecord]:
    return [entrant for entrant in run.entrants if is_confined(entrant, run.confines_all)]


def is_confined(entrant: EntrantConfig | EntrantRecord, confines_all: bool) -> bool:  # noqa: FBT001 - of a run
    """Say whether an entrant is shut in, where anybody is."""
    language = loading.installed_languages().get(entrant.kind)
    return brings_code(entrant) or (confines_all and language is not None and language.runs_code)


def never_confined(entrants: Iterable[Entrant]) -> list[Entrant]:
    """Give those whom no process that is shut in can play."""
    known = loading.installed_languages()
    return [each for each in entrants if each.kind in known and not known[each.kind].is_confinable]


def brings_code(entrant: EntrantConfig | EntrantRecord) -> bool:
    """Say whether an entrant is a program that nobody has installed, or may be one."""
    language = loading.installed_languages().get(entrant.kind)
    return language is None or language.brings_code  # whatever else a store may call it


def check_confinable(entrants: Iterable[EntrantSpec]) -> None:
    """Load every installed strategy in a process of its own, once, to see that it can be.

    Raises: PluginError, with the name of each that cannot be confined, and why.
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
            f"--confine all: expected strategies that load without files and packages of others, "
            f"got {len(reasons)} that do not:\n  {lines}\nenter others, or leave it out"
        )


def _trial(spec: EntrantSpec) -> Verdict | None:
    """Give the verdict of a player that sits down and is asked nothing."""
    pool = spec.pool()
    assert pool is not None, "asked of somebody who is not confined"
    with pool:
        (seating,) = pool.sit([SeatRequest(1, bytes(KEY_BYTES))])
    return seating.verdict


def confinement_words(run: RunRecord, *, was_seen: bool = False) -> str:
    """Say how well the code was shut in that entrants brought along; nothing if none did.

    Args:
        run: The run.
        was_seen: Whether it was played here just now; else it is told as the store's word.
    """
    if not (count := len(_confined_of(run))):
        return ""
    whose = "the code of 1 entrant" if count == 1 else f"the code of {count} entrants"
    if run.confinement not in set(Level):
        said = quoted(run.confinement) if run.confinement else "nothing"
        return f"confinement unknown: the store says {said} of {whose}"
    level = Level(run.confinement)
    return f"confinement {level}{'' if was_seen else ', says the store'}: {whose} {WORDS[level]}"


def _refused(source: str, files: Sequence[str], reason: str) -> TourneyError:
    names = joined(list(dict.fromkeys(map(printable, files))), "and")  # many call theirs alike
    return TourneyError(
        f"{printable(source)}: expected competitors from installed plugins or files that can be "
        f"confined, got {len(files)} of somebody's files ({names}), which would run with all your "
        f"rights, because {reason}: read them, then add --no-sandbox"
    )
