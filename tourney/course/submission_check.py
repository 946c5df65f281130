"""The check that a submission goes through before it is filed, confined wherever possible."""

import sys
from collections.abc import Mapping
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path

from tourney.checks.baselines import known_beside, prepare_checks
from tourney.checks.check import check_source, why_not_checked
from tourney.checks.pools import ANY, Demands
from tourney.checks.report import TOURNAMENT, CheckReport, Measurement, Tell, tell_nobody
from tourney.checks.source import Source
from tourney.config.model import Catalog, GameConfig
from tourney.course.games import for_tournament, game_text
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
    beside: Mapping[str, type[BasePlayer]]  # with whom they are compared
    level: Level  # of this machine
    trust: str  # how whoever takes in lets run what cannot be confined; empty if it cannot be
    is_trusting: bool  # whether that may run with all rights of this process
    demands: Demands = ANY

    def __call__(self, source: Source, tell: Tell = tell_nobody) -> CheckReport:
        """Check a source.

        Args:
            source: What is handed in.
            tell: Hears what was found out, line by line, as it is.
        Raises: SubmissionError, if it can be no player of the game, or cannot be confined;
            ConfinementError, if this machine cannot confine anybody.
        """
        rules, level = self.game.rules, self.level
        if misfit := source.language.misfit(source.name, source.files, rules):
            raise SubmissionError(f"{source.name}: {misfit}")
        # What is no program, such as a chart, needs no trust.
        if source.language.runs_code and (reason := _why_not_confined(self, source)):
            if not self.is_trusting:
                raise _refused(self, source, reason)
            level = Level.UNSAFE
        game = Measurement("Game", game_text(self.game))
        tell(str(game))
        # What is loaded unconfined may print.
        with redirect_stdout(sys.stderr) if level is Level.UNSAFE else nullcontext():
            report = check_source(source, rules, self.beside, level, self.demands, tell=tell)
        named = (Measurement(TOURNAMENT, self.demanded),) if self.demanded else ()
        return replace(report, measured=(game, *named, *report.measured))

    @property
    def demanded(self) -> str:
        """What the tournament demands, as reports keep it; empty if none is named."""
        return str(self.demands) if self.demands.name else ""

    def prepare(self) -> None:
        """Load what every check needs, for processes that are forked from this one."""
        prepare_checks(self.game.rules, self.beside, self.demands)


def contract_of(
    folder: Path, terms: SubmissionRules, catalog: Catalog
) -> tuple[SubmissionRules, Demands]:
    """Say what those who hand in have to fit: the game, and what the tournament demands.

    Args:
        folder: Of submissions.
        terms: Its terms, which may name a tournament.
        catalog: What games there are.
    Returns: The terms, with the game of that tournament, and its demands.
    Raises: SubmissionError or ConfigError, if the tournament will not do.
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
    """Give what checks a source before it is filed.

    Args:
        game: That it is to play.
        registry: Where the players are with whom it is compared.
        level: How well this machine confines; tried without it.
        trust: How whoever takes in lets run what cannot be confined; empty if it cannot be.
        is_trusting: Whether that may run with all rights of this process.
        demands: Of the tournament that it is for.
    """
    beside = known_beside(game.rules, registry)
    return IntakeCheck(game, beside, level or probe(), trust, is_trusting, demands)


def _why_not_confined(intake: IntakeCheck, source: Source) -> str:
    if intake.level is Level.UNSAFE:
        return "a machine that cannot confine players"
    return why_not_checked(source, intake.game.rules)


def _refused(intake: IntakeCheck, source: Source, reason: str) -> TourneyError:
    remedy = f"; {intake.trust}" if intake.trust else ""
    message = f"{source.name}: expected what can be checked in confinement, got {reason}{remedy}"
    return ConfinementError(message) if intake.level is Level.UNSAFE else SubmissionError(message)
