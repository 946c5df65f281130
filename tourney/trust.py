"""Whether the code that entrants bring along may be played, and how well it is shut in.

Decided once for a run, kept with it and told to everybody who reads its leaderboard. Installed
strategies and charts are nobody's files: the first run here like any program one installs, unless
the organiser has all code confined; the others are no programs. Leaves out how a process is shut
in; see `tourney.confine`.
"""

from collections.abc import Iterable, Sequence

from tourney.asking.newcomer import Newcomer
from tourney.config import TournamentConfig
from tourney.confine.levels import Level, probe
from tourney.errors import PluginError, TourneyError
from tourney.ledger import Verdict
from tourney.plugins.words import joined
from tourney.store import EntrantRecord, RunRecord
from tourney.workers import EntrantSpec

CONFINED_GAMES = ("blackjack", "straights")

WORDS = {
    Level.FULL: "ran shut in, in processes of their own",
    Level.REDUCED: "ran shut in, in processes of their own, without Landlock to back the filter",
    Level.UNSAFE: "ran with all rights of whoever started the run",
}
KEY_BYTES = 16


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
            "--confine all: expected all code to be confined, got --trust-submissions, which "
            "confines none: leave out one of them"
        )
    files = [
        each.file.name if each.file else each.name
        for each in config.entrants
        if each.file or each.package
    ]
    installed = [each.name for each in config.entrants if each.strategy and confines_all]
    if not (files or installed):
        return None
    if trusts_files:
        return Level.UNSAFE
    level = probe()
    if level is Level.UNSAFE:
        reason = "this machine cannot confine players"
    elif config.game.rules.game not in CONFINED_GAMES:
        reason = f"only {joined(CONFINED_GAMES, 'and')} are played confined"
    else:
        return level
    if confines_all:
        raise TourneyError(f"{config.source}: --confine all: expected to confine all, but {reason}")
    raise _refused(config.source, files, reason)


def level_of_run(run: RunRecord, *, trusts_files: bool) -> Level | None:
    """Give how the code of a stored run's entrants is played, which is as it began.

    Args:
        run: The run.
        trusts_files: Whether code may run in this process, if it did before.
    Returns: None, if nobody brought any.
    Raises: TourneyError, if it may not run here, or this machine confines less well.
    """
    level = kept_level(run)
    if level is Level.UNSAFE and not trusts_files:
        files = [entrant.strategy for entrant in run.entrants if entrant.runs_code]
        raise _refused(run.config_source, files, "the run began without confinement")
    if level and probe().is_below(level):
        raise TourneyError(
            f"run {run.number}: expected a machine that confines players at level {level}, as "
            f"when it began; got one at level {probe()}: go on where it began"
        )
    return level


def kept_level(run: RunRecord) -> Level | None:
    """Give the level that is stored with a run; None if nobody brought code."""
    return Level(run.confinement) if run.confinement else None


def is_confined(entrant: EntrantRecord, confines_all: bool) -> bool:  # noqa: FBT001 - of a run
    """Say whether an entrant is shut in, where anybody is."""
    return entrant.runs_code or (confines_all and entrant.kind == "strategy")


def check_confinable(entrants: Iterable[EntrantSpec]) -> None:
    """Load every installed strategy in a process of its own, once, to see that it can be.

    Raises: PluginError, with the name of each that cannot be confined, and why.
    """
    found: dict[tuple[str, str], str] = {}
    for spec in entrants:
        if spec.kind == "strategy" and (spec.place, spec.text) not in found:
            verdict = _trial(spec)
            is_amiss = verdict is not None and verdict.call == "import"
            found[spec.place, spec.text] = (
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
    desk = spec.desk()
    assert desk is not None, "asked of somebody who is not confined"
    with desk:
        (seating,) = desk.sit([Newcomer(1, bytes(KEY_BYTES))])
    return seating.verdict


def confinement_words(run: RunRecord) -> str:
    """Say how well the code was shut in that entrants brought along; nothing if none did."""
    level = kept_level(run)
    if level is None:
        return ""
    count = sum(is_confined(entrant, run.confines_all) for entrant in run.entrants)
    whose = "1 entrant" if count == 1 else f"{count} entrants"
    return f"confinement {level}: the code of {whose} {WORDS[level]}"


def _refused(source: str, files: Sequence[str], reason: str) -> TourneyError:
    names = joined(list(dict.fromkeys(files)), "and")  # many call theirs alike
    return TourneyError(
        f"{source}: expected competitors from installed plugins or files that can be confined, "
        f"got {len(files)} of somebody's files ({names}), which would run with all your rights, "
        f"because {reason}: read them, then add --trust-submissions"
    )
