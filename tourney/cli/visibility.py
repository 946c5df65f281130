"""Visibility on a terminal: the policy of a run, and options that tighten it.

Every command that shows results has these options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.options import entrant_number, note
from tourney.errors import TourneyError
from tourney.game.ledger import BlockKey, Verdict
from tourney.report.redaction import (
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
"""Replaces a hidden seating."""


def time_option(text: str) -> datetime | None:
    """Read a time such as 2026-05-01T12:00, in UTC by default."""
    try:
        return time_of(text)
    except TourneyError as error:
        raise click.BadParameter(str(error)) from None


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
        "--freeze",
        type=time_option,
        metavar="TIME",
        help="Hide all results if the last one came in after this time.",
    ),
    click.option(
        "--reveal", type=time_option, metavar="TIME", help="Show frozen results from this time on."
    ),
    TELL_ALL,
)


@dataclass(frozen=True, slots=True)
class BoardView:
    """The visible part of a run."""

    policy: Policy
    finished: str | None  # end of the run as ISO time; None if not finished
    hint: str = ""  # how to see results that the run's policy hides
    pseudonyms: Mapping[str, str] = field(default_factory=dict)  # handles, by name

    @property
    def is_sealed(self) -> bool:
        """Whether results are hidden now."""
        return self.policy.seals(time_of(self.finished), datetime.now(UTC))

    @property
    def tells_everything(self) -> bool:
        """Whether everything is visible now."""
        return self.policy.tells_everybody and not self.is_sealed

    @property
    def tells_leaders(self) -> bool:
        """Whether interim leaders are visible.

        An interim leader may not be among the visible rows at the end.
        """
        return self.policy.top is None or self.finished is None

    def rows(self, standings: Sequence[Standing]) -> tuple[Standing, ...]:
        """Return the visible standings, best first."""
        now = datetime.now(UTC)
        return told_rows(self.policy, standings, self.finished, now, self.pseudonyms)

    def names(self, tournament: Tournament, store: Store, run: RunRecord) -> Mapping[int, str]:
        """Return the names of visible entrants, by number."""
        if self.tells_everything:
            return {number: label.name for number, label in enumerate(tournament.labels)}
        numbers = {label.name: number for number, label in enumerate(tournament.labels)}
        standings = standings_of(tournament, store, run)
        shown = zip(standings, self.rows(standings), strict=False)  # the first ones
        return {numbers[row.name]: told.name for row, told in shown}

    def verdict(self, verdict: Verdict) -> Verdict:
        """Redact a verdict on a visible entrant."""
        is_named = self.policy.names == "names"
        return shown_verdict(verdict) if is_named else nameless(verdict)

    def key(self, key: BlockKey) -> BlockKey:
        """Redact the place of play of a visible entrant.

        For an entrant that sat alone, the seating is its place in the configuration.
        """
        return key if self.policy.names == "names" else key._replace(seating=NO_SEATING)

    def called(self, names: Sequence[str], places: Sequence[int | None]) -> list[str]:
        """Return the names of visible entrants, best first.

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
        """Return the visible events of the floor.

        With `top`, the visible entrants are known only at the end, so no event is visible.
        """
        if self.is_sealed:
            return ()
        if self.policy.top is None:
            return tuple(told)
        return tuple(each for each in told if each.happening.entrant < 0)

    def note(self) -> None:
        """Print which results the run's policy hides, and how to see them."""
        freeze = self.policy.freeze if self.is_sealed else None
        why = f"; the last came in after {minute_words(freeze)}" if freeze else ""
        words = self.policy.words(is_sealed=self.is_sealed)
        if self.hint and words:
            note(f"hidden by the run's policy: {words} ({self.hint}){why}")
        elif self.is_sealed:
            note(f"hidden by --freeze: {words}{why}")


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """Options of visibility from the command line."""

    policy: Policy = OPEN
    tells_all: bool = False

    def of(self, tournament: Tournament, finished: str | None) -> BoardView:
        """Return the visible part of a run.

        Args:
            tournament: Its tournament; options may tighten its policy.
            finished: The end as ISO time; `None` if it is not finished.
        """
        own = OPEN if self.tells_all else policy_of(tournament.config.leaderboard)
        hint = "--show-hidden shows them" if own != OPEN else ""
        known = pseudonyms_of(tournament.records)
        return BoardView(own.tightened(self.policy), finished, hint, known)


def entrant_of(run: RunRecord, name: str, option: str = "--entrant") -> int:
    """Find an entrant of a run, as `entrant_number` does, where all names are visible."""
    names = {each.number: each.name for each in run.entrants}
    return entrant_number(names, name, pseudonyms_of(run.entrants), option)


def policy_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of visibility to a command, which receives them as `asked`."""

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
