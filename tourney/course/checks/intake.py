"""The check that a submission goes through before it is filed, confined wherever possible."""

import sys
from collections.abc import Mapping
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass, replace
from typing import Self

from tourney.config import GameConfig
from tourney.course.checks.check import check_source, known_beside, why_not_checked
from tourney.course.games import game_text
from tourney.course.report import CheckReport, Measured, Tell, tell_nobody
from tourney.course.source import Source
from tourney.entrants import Registry
from tourney.errors import ConfinementError, SubmissionError, TourneyError
from tourney.game.players import BasePlayer
from tourney.jail.levels import Level, probe


@dataclass(frozen=True, slots=True)
class Intake:
    """What every check of an intake has in common."""

    game: GameConfig  # that is to be played
    beside: Mapping[str, type[BasePlayer]]  # with whom what is handed in is compared
    level: Level  # how well this machine confines
    trust: str  # how whoever takes in lets run what cannot be confined; empty if it cannot be
    is_trusting: bool  # whether that may run with all rights of this process

    @classmethod
    def of(
        cls,
        game: GameConfig,
        registry: Registry,
        level: Level | None = None,
        *,
        trust: str = "",
        is_trusting: bool = False,
    ) -> Self:
        """Prepare an intake.

        Args:
            game: That is to be played.
            registry: Where the players are with whom it is compared.
            level: How well this machine confines; tried without it.
            trust: As above.
            is_trusting: As above.
        """
        beside = known_beside(game.rules, registry)
        return cls(game, beside, level or probe(), trust, is_trusting)

    def check(self, source: Source, tell: Tell = tell_nobody) -> CheckReport:
        """Check a source.

        Args:
            source: What is handed in.
            tell: Hears what was found out, line by line, as it is.
        Raises: SubmissionError, if it can be no player of the game, or cannot be confined;
            ConfinementError, if this machine cannot confine anybody.
        """
        rules = self.game.rules
        if misfit := source.language.misfit(source.name, source.files, rules):
            raise SubmissionError(f"{source.name}: {misfit}")
        level = self.level
        # What is no program, such as a chart, needs no trust.
        if source.language.runs_code and (reason := self._why_not_confined(source)):
            if not self.is_trusting:
                raise self._refused(source, reason)
            level = Level.UNSAFE
        game = Measured("Game", game_text(self.game))
        tell(str(game))
        # What is loaded unconfined may print.
        aside = redirect_stdout(sys.stderr) if level is Level.UNSAFE else nullcontext()
        with aside:
            report = check_source(source, rules, self.beside, level, tell=tell)
        return replace(report, measured=(game, *report.measured))

    def _why_not_confined(self, source: Source) -> str:
        if self.level is Level.UNSAFE:
            return "a machine that cannot confine players"
        return why_not_checked(source, self.game.rules)

    def _refused(self, source: Source, reason: str) -> TourneyError:
        remedy = f"; {self.trust}" if self.trust else ""
        message = (
            f"{source.name}: expected what can be checked in confinement, got {reason}{remedy}"
        )
        return ConfinementError(message) if self.level is Level.UNSAFE else SubmissionError(message)
