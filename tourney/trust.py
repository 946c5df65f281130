"""Whether the code that entrants bring along may be played, and how well it is shut in.

Decided once for a run, kept with it and told to everybody who reads its leaderboard. Installed
strategies and charts are nobody's files: the first run here like any program one installs, the
others are no programs. Leaves out how a process is shut in; see `tourney.confine`.
"""

from collections.abc import Sequence

from tourney.config import TournamentConfig
from tourney.confine.levels import Level, probe
from tourney.errors import TourneyError
from tourney.plugins.words import joined
from tourney.store import RunRecord

CONFINED_GAME = "blackjack"
ORDER = (Level.UNSAFE, Level.REDUCED, Level.FULL)
"""From the worst to the best."""

WORDS = {
    Level.FULL: "ran shut in, in processes of their own",
    Level.REDUCED: "ran shut in, in processes of their own, without Landlock to back the filter",
    Level.UNSAFE: "ran with all rights of whoever started the run",
}


def level_of_new_run(config: TournamentConfig, *, trusts_files: bool) -> Level | None:
    """Decide how the code that entrants bring along is played.

    Args:
        config: The tournament.
        trusts_files: Whether it may run in this process.
    Returns: None, if nobody brings any.
    Raises: TourneyError, if it may not run here and cannot be confined.
    """
    bringing = [entrant for entrant in config.entrants if entrant.file or entrant.package]
    if not bringing:
        return None
    if trusts_files:
        return Level.UNSAFE
    level = probe()
    if level is Level.UNSAFE:
        reason = "this machine cannot confine players"
    elif config.game.rules.game != CONFINED_GAME:
        reason = f"only {CONFINED_GAME} is played confined"
    elif any(entrant.package for entrant in bringing):
        reason = "only single files are played confined, and a package has several"
    elif any(entrant.options for entrant in bringing):
        reason = "options do not reach a confined player"
    else:
        return level
    files = [each.file.name if each.file else each.name for each in bringing]
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
    if level and ORDER.index(probe()) < ORDER.index(level):
        raise TourneyError(
            f"run {run.number}: expected a machine that confines players at level {level}, as "
            f"when it began; got one at level {probe()}: go on where it began"
        )
    return level


def kept_level(run: RunRecord) -> Level | None:
    """Give the level that is stored with a run; None if nobody brought code."""
    return Level(run.confinement) if run.confinement else None


def confinement_words(run: RunRecord) -> str:
    """Say how well the code was shut in that entrants brought along; nothing if none did."""
    level = kept_level(run)
    if level is None:
        return ""
    count = sum(entrant.runs_code for entrant in run.entrants)
    whose = "1 entrant" if count == 1 else f"{count} entrants"
    return f"confinement {level}: the code of {whose} {WORDS[level]}"


def _refused(source: str, files: Sequence[str], reason: str) -> TourneyError:
    names = joined(list(dict.fromkeys(files)), "and")  # many call theirs alike
    return TourneyError(
        f"{source}: expected competitors from installed plugins or files that can be confined, "
        f"got {len(files)} of somebody's files ({names}), which would run with all your rights, "
        f"because {reason}: read them, then add --trust-submissions"
    )
