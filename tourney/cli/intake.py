"""The check that a submission goes through before it is filed, confined wherever possible."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from tourney.cli.options import prints_aside
from tourney.config import GameConfig
from tourney.course import Check, CheckReport, Measured, Source, game_text
from tourney.course.checks.check import check_source, known_beside, why_not_checked
from tourney.entrants import Registry
from tourney.errors import ConfinementError, SubmissionError, TourneyError
from tourney.game.players import BasePlayer
from tourney.jail.levels import Level, probe


@dataclass(frozen=True, slots=True)
class _Intake:
    """What every check of an intake has in common."""

    game: GameConfig
    beside: Mapping[str, type[BasePlayer]]
    level: Level  # of this machine
    trusts_files: bool


def intake_check(
    game: GameConfig, registry: Registry, level: Level | None = None, *, trusts_files: bool
) -> Check:
    """Give what checks a source before it is filed.

    Args:
        game: That it is to play.
        registry: Where the players are with whom it is compared.
        level: How well this machine confines; tried without it.
        trusts_files: Whether what cannot be confined may run with all rights of this process.
    """
    beside = known_beside(game.rules, registry)
    return partial(_check, _Intake(game, beside, level or probe(), trusts_files))


def _check(intake: _Intake, source: Source) -> CheckReport:
    """Check a source.

    Raises: SubmissionError, if it can be no player of the game, or cannot be confined;
        ConfinementError, if this machine cannot confine anybody.
    """
    rules = intake.game.rules
    if misfit := source.language.misfit(source.name, source.files, rules):
        raise SubmissionError(f"{source.name}: {misfit}")
    level = intake.level
    # What is no program, such as a chart, needs no trust.
    if source.language.runs_code and (reason := _why_not_confined(intake, source)):
        if not intake.trusts_files:
            raise _refused(source, reason, is_machine=level is Level.UNSAFE)
        level = Level.UNSAFE
    if level is Level.UNSAFE:
        with prints_aside():  # what is loaded unconfined may print
            report = check_source(source, rules, intake.beside, level)
    else:
        report = check_source(source, rules, intake.beside, level)
    game = Measured("Game", game_text(intake.game))
    return replace(report, measured=(game, *report.measured))


def _why_not_confined(intake: _Intake, source: Source) -> str:
    if intake.level is Level.UNSAFE:
        return "a machine that cannot confine players"
    return why_not_checked(source, intake.game.rules)


def _refused(source: Source, reason: str, *, is_machine: bool) -> TourneyError:
    message = (
        f"{source.name}: expected what can be checked in confinement, got {reason}; read it, then "
        "add --trust-submissions, and it runs with all your rights"
    )
    return ConfinementError(message) if is_machine else SubmissionError(message)
