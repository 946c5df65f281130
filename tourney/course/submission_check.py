"""The check of a submission before it is stored, in a sandbox where possible."""

import sys
from collections.abc import Mapping
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path

from tourney.checks.check import check_source, why_not_checked
from tourney.checks.pools import ANY, Demands
from tourney.checks.report import TOURNAMENT, CheckReport, Measurement, Tell, tell_nobody
from tourney.checks.source import Source
from tourney.checks.trial_rounds import known_beside, prepare_checks
from tourney.config.model import Catalog, GameConfig
from tourney.course.games import for_tournament, game_words
from tourney.course.submission_rules import SubmissionRules
from tourney.errors import ConfinementError, SubmissionError, TourneyError
from tourney.game.players import BasePlayer
from tourney.plugins.registry import Registry
from tourney.sandbox.levels import Level, probe
from tourney.tournament.check_demands import demands_of, tournament_in


@dataclass(frozen=True, slots=True)
class IntakeCheck:
    """Checks sources for a folder of submissions; it can be pickled."""

    game: GameConfig
    beside: Mapping[str, type[BasePlayer]]  # players that they are compared with
    level: Level  # of this machine
    trust: str  # option that allows code without a sandbox, for messages; may be empty
    is_trusting: bool  # whether code may run without a sandbox, with all rights of this process
    demands: Demands = ANY

    def __call__(self, source: Source, tell: Tell = tell_nobody) -> CheckReport:
        """Check a source.

        Args:
            source: The submission.
            tell: Receives the report, line by line, as it is made.
        Raises: SubmissionError, if it is no player of the game, or cannot run in a sandbox;
            ConfinementError, if this machine has no sandbox.
        """
        rules, level = self.game.rules, self.level
        if misfit := source.language.misfit(source.name, source.files, rules):
            raise SubmissionError(f"{source.name}: {misfit}")
        # A chart is not a program, and needs no trust.
        if source.language.runs_code and (reason := _why_not_confined(self, source)):
            if not self.is_trusting:
                raise _refused(self, source, reason)
            level = Level.UNSAFE
        game = Measurement("Game", game_words(self.game))
        tell(str(game))
        # Code outside the sandbox may print.
        with redirect_stdout(sys.stderr) if level is Level.UNSAFE else nullcontext():
            report = check_source(source, rules, self.beside, level, self.demands, tell=tell)
        named = (Measurement(TOURNAMENT, self.demanded),) if self.demanded else ()
        return replace(report, measured=(game, *named, *report.measured))

    @property
    def demanded(self) -> str:
        """Demands of the tournament, as reports store them; empty without a tournament."""
        return str(self.demands) if self.demands.name else ""

    def prepare(self) -> None:
        """Load the modules of every check, for processes that are forked from this one."""
        prepare_checks(self.game.rules, self.beside, self.demands)


def contract_of(
    folder: Path, terms: SubmissionRules, catalog: Catalog
) -> tuple[SubmissionRules, Demands]:
    """Return the game and the demands that submissions must meet.

    Args:
        folder: Folder of submissions.
        terms: Its rules, which may name a tournament.
        catalog: Known games.
    Returns: The rules, with the game of that tournament, and its demands.
    Raises: SubmissionError or ConfigError, if the tournament is not usable.
    """
    is_strict = terms.warnings == "refused"
    if not terms.tournament:
        return terms, ANY._replace(refuses_warnings=is_strict)
    config = tournament_in(terms.tournament, catalog)
    demands = demands_of(config)._replace(refuses_warnings=is_strict)
    return for_tournament(folder, terms, config.game), demands


def intake_check(
    game: GameConfig,
    registry: Registry,
    level: Level | None = None,
    *,
    trust: str = "",
    is_trusting: bool = False,
    demands: Demands = ANY,
) -> IntakeCheck:
    """Return the check of a source before it is stored.

    Args:
        game: The game.
        registry: Holds the players that it is compared with.
        level: Sandbox level of this machine; probed by default.
        trust: Option that allows code without a sandbox, for messages; may be empty.
        is_trusting: Whether code may run without a sandbox, with the permissions of this process.
        demands: Demands of the tournament.
    """
    beside = known_beside(game.rules, registry)
    return IntakeCheck(game, beside, level or probe(), trust, is_trusting, demands)


def _why_not_confined(intake: IntakeCheck, source: Source) -> str:
    if intake.level is Level.UNSAFE:
        return "this machine has no sandbox"
    return why_not_checked(source, intake.game.rules)


def _refused(intake: IntakeCheck, source: Source, reason: str) -> TourneyError:
    remedy = f"; {intake.trust}" if intake.trust else ""
    message = f"{source.name} cannot be checked in a sandbox: {reason}{remedy}"
    return ConfinementError(message) if intake.level is Level.UNSAFE else SubmissionError(message)
