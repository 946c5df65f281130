"""What of a run may be told on a terminal: its own policy, and options that tighten it.

Every command that shows results takes the options. Leaves out what a policy does with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.options import note
from tourney.errors import TourneyError
from tourney.game.ledger import BlockKey, Verdict
from tourney.report.disclosure import (
    OPEN,
    Names,
    Policy,
    handle,
    minute_words,
    nameless,
    policy_of,
    pseudonyms_of,
    shown_of,
    shown_verdict,
    time_of,
    told_rows,
)
from tourney.standings.standing import Standing
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.loading import Tournament
from tourney.tournament.stored_standings import standings_of

if TYPE_CHECKING:
    from tourney.tournament.progress import TimedHappening

NO_SEATING = -1
"""Stands for a seating that is not told."""


class Time(click.ParamType[datetime]):
    """A time such as 2026-05-01T12:00, in UTC where nothing else is said."""

    name = "time"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """Read it."""
        try:
            time = time_of(str(value))
        except TourneyError as error:
            self.fail(str(error), param, ctx)
        assert time
        return time


TELL_ALL = click.option(
    "--show-hidden",
    "tell_all",
    is_flag=True,
    help="Show results that the configuration hides.",
)
OPTIONS = (
    click.option(
        "--names",
        type=click.Choice(("names", "handles")),
        default="names",
        help="Call entrants by name, or by their handle, else by their row on the board.",
    ),
    click.option("--top", type=click.IntRange(1), metavar="N", help="Show the first N only."),
    click.option(
        "--freeze", type=Time(), metavar="TIME", help="Hide results that came in after this time."
    ),
    click.option(
        "--reveal", type=Time(), metavar="TIME", help="Show frozen results from this time on."
    ),
    TELL_ALL,
)


@dataclass(frozen=True, slots=True)
class BoardView:
    """What is told of one run."""

    policy: Policy
    finished: str | None  # when the run was over, as ISO time; None if it goes on
    hint: str = ""  # how to see what the run's own policy withholds
    pseudonyms: Mapping[str, str] = field(default_factory=dict)  # handles, by name

    @property
    def is_sealed(self) -> bool:
        """Whether results are withheld now."""
        return self.policy.seals(time_of(self.finished), datetime.now(UTC))

    @property
    def tells_everything(self) -> bool:
        """Whether nothing is withheld now."""
        return self.policy.tells_everybody and not self.is_sealed

    @property
    def tells_leaders(self) -> bool:
        """Whether it may be told who led on the way.

        Whoever led a run that is over need not be among its first.
        """
        return self.policy.top is None or self.finished is None

    def rows(self, standings: Sequence[Standing]) -> tuple[Standing, ...]:
        """Give the standings that may be told, best first."""
        now = datetime.now(UTC)
        return told_rows(self.policy, standings, self.finished, now, self.pseudonyms)

    def names(self, tournament: Tournament, store: Store, run: RunRecord) -> Mapping[int, str]:
        """Give what those are called who may be told of, by their number.

        Args:
            tournament: The tournament of the run.
            store: Where it is kept.
            run: The run.
        """
        if self.tells_everything:
            return {number: label.name for number, label in enumerate(tournament.labels)}
        numbers = {label.name: number for number, label in enumerate(tournament.labels)}
        standings = standings_of(tournament, store, run)
        shown = zip(standings, self.rows(standings), strict=False)  # the first ones
        return {numbers[row.name]: told.name for row, told in shown}

    def verdict(self, verdict: Verdict) -> Verdict:
        """Give what may be told of a verdict on somebody who is shown."""
        is_named = self.policy.names == "names"
        return shown_verdict(verdict) if is_named else nameless(verdict)

    def key(self, key: BlockKey) -> BlockKey:
        """Give what may be told of where somebody who is shown played.

        Of somebody who sat alone, the seating is the place in the configuration.
        """
        return key if self.policy.names == "names" else key._replace(seating=NO_SEATING)

    def called(self, names: Sequence[str], places: Sequence[int | None]) -> list[str]:
        """Give what those are called who may be told of, best first.

        Args:
            names: Of all, best first.
            places: Of all.
        """
        if self.is_sealed:
            return []
        shown = names[: shown_of(places, self.policy.top)]
        if self.policy.names == "names":
            return list(shown)
        return [handle(row, name, self.pseudonyms) for row, name in enumerate(shown, start=1)]

    def happenings(self, told: Sequence[TimedHappening]) -> tuple[TimedHappening, ...]:
        """Give what may be told of what happened on the floor.

        Who is among the first is known in the end only, so with `top` nobody is told of.
        """
        if self.is_sealed:
            return ()
        if self.policy.top is None:
            return tuple(told)
        return tuple(each for each in told if each.happening.entrant < 0)

    def note(self) -> None:
        """Say what the run's own policy withholds, and how to see it."""
        if self.hint and (words := self.policy.words(is_sealed=self.is_sealed)):
            freeze = self.policy.freeze if self.is_sealed else None
            why = f"; the last came in after {minute_words(freeze)}" if freeze else ""
            note(f"withheld by the run's policy: {words} ({self.hint}){why}")


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """What the command line says of what may be told."""

    policy: Policy = OPEN
    tells_all: bool = False

    def of(self, tournament: Tournament, finished: str | None) -> BoardView:
        """Say what is told of a run.

        Args:
            tournament: Its tournament, whose policy options may tighten.
            finished: When it was over, as ISO time; None if it goes on.
        """
        own = OPEN if self.tells_all else policy_of(tournament.config.leaderboard)
        hint = "--show-hidden tells it" if own != OPEN else ""
        known = pseudonyms_of(tournament.records)
        return BoardView(own.tightened(self.policy), finished, hint, known)


def policy_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of a policy; it takes them together, as `asked`."""

    @wraps(command)
    def run(
        *,
        names: Names,
        top: int | None,
        freeze: datetime | None,
        reveal: datetime | None,
        tell_all: bool,
        **others: Any,
    ) -> Any:
        return command(asked=ViewOptions(Policy(names, top, freeze, reveal), tell_all), **others)

    for option in reversed(OPTIONS):
        run = option(run)
    return run
