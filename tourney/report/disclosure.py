"""The visibility of a run: names or handles, number of rows, and times; and the visible rows.

`tourney.report.redaction` applies it to the data of published pages.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal, Protocol, TypeAlias

from tourney.config.model import LeaderboardConfig
from tourney.config.words import without_addresses
from tourney.errors import TourneyError
from tourney.game.asking.printable_text import printable
from tourney.game.ledger import Verdict
from tourney.standings.standing import Standing

MOST_CHARACTERS = 20_000
"""Length of a text of a verdict: the limit of a sandboxed process, fully escaped."""
Names: TypeAlias = Literal["names", "handles"]


@dataclass(frozen=True, slots=True)
class Policy:
    """The visibility of a run.

    Args:
        names: "names", or "handles": an entrant without a handle is named by its row on the board.
        top: Number of rows shown, best first, plus ties with the last one; `None` for all.
        freeze: Results after this time are hidden; `None` to hide no results.
        reveal: Hidden results are shown from this time on; `None` for never.
    """

    names: Names = "names"
    top: int | None = None
    freeze: datetime | None = None
    reveal: datetime | None = None

    def __post_init__(self) -> None:
        """Reject contradictory settings."""
        if self.top is not None and self.top < 1:
            raise TourneyError(f"top: expected at least 1, got {self.top}")
        if self.reveal and not self.freeze:
            raise TourneyError("reveal needs a freeze time before it; add freeze")
        if self.freeze and self.reveal and self.reveal < self.freeze:
            raise TourneyError(
                f"reveal: {self.reveal.isoformat()} is before the freeze at "
                f"{self.freeze.isoformat()}; choose a later time"
            )

    @property
    def tells_everybody(self) -> bool:
        """Whether all entrants are shown by name."""
        return self.names == "names" and self.top is None

    def tightened(self, other: "Policy") -> "Policy":
        """Return a policy that shows only the data that both policies show.

        Results are hidden from the earlier freeze to the later reveal.
        """
        froze = [each for each in (self, other) if each.freeze]
        reveals = [each.reveal for each in froze if each.reveal]
        tops = [each.top for each in (self, other) if each.top]
        is_nameless = "handles" in {self.names, other.names}
        return Policy(
            names="handles" if is_nameless else "names",
            top=min(tops, default=None),
            freeze=min((each.freeze for each in froze if each.freeze), default=None),
            reveal=max(reveals, default=None) if len(reveals) == len(froze) else None,
        )

    def words(self, *, is_sealed: bool) -> str:
        """Describe the hidden data; empty if nothing is hidden.

        Args:
            is_sealed: Whether results are hidden now.
        """
        until = f" until {minute_words(self.reveal)}" if self.reveal else ""
        parts = [f"all results{until}"] if is_sealed else []
        parts += ["names"] if self.names == "handles" else []
        parts += [f"whoever comes after the first {self.top}"] if self.top else []
        return ", ".join(parts)

    def seals(self, as_of: datetime | None, now: datetime) -> bool:
        """Check whether results are hidden.

        Args:
            as_of: Time of the last result; `None` if the run continues.
            now: The current time.
        """
        if self.freeze is None or (self.reveal and now >= self.reveal):
            return False
        return (as_of or now) > self.freeze


OPEN = Policy()
"""Shows everything."""


def policy_of(board: LeaderboardConfig) -> Policy:
    """Return the policy of a configuration."""
    return Policy(board.names, board.top, board.freeze, board.reveal)


def time_of(text: str | None) -> datetime | None:
    """Read an ISO time; in UTC by default.

    Raises: TourneyError, if it is not a time.
    """
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise TourneyError(f"expected a time such as 2026-05-01T12:00, got {text!r}") from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def minute_words(time: datetime) -> str:
    """Write a time to the minute.

    >>> minute_words(datetime(2026, 5, 1, 12, tzinfo=UTC))
    '2026-05-01 12:00 UTC'
    """
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


COSTS = {
    "lost": "all that the table is worth is lost",
    "out": "out of the standings",
    "stands": "nothing: what the seat had stands",
}
"""The cost of a verdict, by the format's rule."""

Pseudonyms: TypeAlias = Mapping[str, str]
"""Handles by the names of entrants that have one."""


class Entered(Protocol):
    """An entrant with a name and a handle."""

    @property
    def name(self) -> str:
        """Its name on the board."""

    @property
    def pseudonym(self) -> str | None:
        """Its public name where names are hidden; `None` without a handle."""


def pseudonyms_of(entered: Iterable[Entered]) -> dict[str, str]:
    """Return the handles of entrants; a handle of several entrants is dropped."""
    everybody = list(entered)
    said = Counter(each.pseudonym.casefold() for each in everybody if each.pseudonym)
    said.update({each.name.casefold() for each in everybody} if said else ())
    return {
        each.name: each.pseudonym
        for each in everybody
        if each.pseudonym and said[each.pseudonym.casefold()] == 1
    }


def told_rows(
    policy: Policy,
    standings: Sequence[Standing],
    as_of: str | None,
    now: datetime,
    pseudonyms: Pseudonyms,
) -> tuple[Standing, ...]:
    """Return the visible standings, best first; empty while results are hidden.

    Args:
        policy: The visibility.
        standings: All standings, best first.
        as_of: The end of the run as ISO time; `None` if it continues.
        now: The current time.
        pseudonyms: The known handles.
    """
    if policy.seals(time_of(as_of), now):
        return ()
    shown = standings[: shown_of([row.place for row in standings], policy.top)]
    if policy.names == "names":
        return tuple(shown)
    called = (handle(number, row.name, pseudonyms) for number, row in enumerate(shown, start=1))
    return tuple(
        replace(nameless_row(row), name=name) for name, row in zip(called, shown, strict=True)
    )


def nameless_row(row: Standing) -> Standing:
    """Remove the identity of an entrant from a row, except the name itself."""
    return replace(row, strategy="", group=None, author=None, verdict=None)


def shown_verdict(verdict: Verdict) -> Verdict:
    """Return a verdict that is safe to show, even from an untrusted store."""

    def shown(text: str, keep: str = "") -> str:
        return without_addresses(printable(text, keep, MOST_CHARACTERS))

    return replace(
        verdict,
        call=shown(verdict.call),
        message=shown(verdict.message),
        place=shown(verdict.place),
        traceback=shown(verdict.traceback, keep="\n"),
        seen=shown(verdict.seen),
    )


def nameless(verdict: Verdict) -> Verdict:
    """Remove the identity from a verdict: words, files and lines of an author."""
    return replace(verdict, message="", place="", traceback="")


def handle(number: int, name: str, pseudonyms: Pseudonyms) -> str:
    """Return the public name of an entrant whose name is hidden.

    Args:
        number: Its row.
        name: The hidden name.
        pseudonyms: The known handles.

    >>> handle(7, "Ada", {"Ada": "Moonlight"}), handle(7, "Emmy", {})
    ('Moonlight', 'Player 7')
    """
    return pseudonyms.get(name) or f"Player {number}"


def shown_of(places: Sequence[int | None], top: int | None) -> int:
    """Return the number of visible rows: `top`, plus ties with the last one."""
    if top is None or top >= len(places):
        return len(places)
    while top < len(places) and places[top] is not None and places[top] == places[top - 1]:
        top += 1
    return top
