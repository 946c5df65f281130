"""On which terms a run is told: whether by name, how many, and from when; and its rows on them.

Leaves out the data of published pages; `tourney.report.redaction` knows those.
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
"""Of a text of a verdict: as many as a sandboxed process may send, all of them escaped."""
Names: TypeAlias = Literal["names", "handles"]


@dataclass(frozen=True, slots=True)
class Policy:
    """What is told of a run.

    Args:
        names: "names", or "handles": everybody is called by a handle, whoever has none by the row
            on the board.
        top: How many are shown, best first; who shares the last place is shown, too. None: all.
        freeze: Results that came in after this time are withheld. None: nothing is.
        reveal: From when they are told after all. None: until a policy says otherwise.
    """

    names: Names = "names"
    top: int | None = None
    freeze: datetime | None = None
    reveal: datetime | None = None

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        if self.top is not None and self.top < 1:
            raise TourneyError(f"top: expected at least 1, got {self.top}")
        if self.reveal and not self.freeze:
            raise TourneyError("reveal: expected a time to freeze at before it, got none")
        if self.freeze and self.reveal and self.reveal < self.freeze:
            raise TourneyError(
                f"reveal: expected a time not before {self.freeze.isoformat()}, "
                f"got {self.reveal.isoformat()}"
            )

    @property
    def tells_everybody(self) -> bool:
        """Whether everybody is shown by name."""
        return self.names == "names" and self.top is None

    def tightened(self, other: "Policy") -> "Policy":
        """Give what both of two policies let be told, and no more.

        Results are withheld from the earlier of two times until the later.
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
        """Say what is withheld; nothing if all is told.

        Args:
            is_sealed: Whether results are.
        """
        until = f" until {minute_words(self.reveal)}" if self.reveal else ""
        parts = [f"all results{until}"] if is_sealed else []
        parts += ["names"] if self.names == "handles" else []
        parts += [f"whoever comes after the first {self.top}"] if self.top else []
        return ", ".join(parts)

    def seals(self, as_of: datetime | None, now: datetime) -> bool:
        """Say whether results are withheld.

        Args:
            as_of: When the last result came in; None if the run goes on.
            now: The time it is.
        """
        if self.freeze is None or (self.reveal and now >= self.reveal):
            return False
        return (as_of or now) > self.freeze


OPEN = Policy()
"""Everything is told."""


def policy_of(board: LeaderboardConfig) -> Policy:
    """Give the policy that an organiser wrote into a configuration."""
    return Policy(board.names, board.top, board.freeze, board.reveal)


def time_of(text: str | None) -> datetime | None:
    """Read an ISO time; without a zone it is UTC.

    Raises: TourneyError, if it is none.
    """
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise TourneyError(f"expected a time such as 2026-05-01T12:00, got {text!r}") from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def minute_words(time: datetime) -> str:
    """Say a time to the minute.

    >>> minute_words(datetime(2026, 5, 1, 12, tzinfo=UTC))
    '2026-05-01 12:00 UTC'
    """
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


COSTS = {
    "lost": "all that the table is worth is lost",
    "out": "out of the standings",
    "stands": "nothing: what the seat had stands",
}
"""What a verdict costs, by the format's rule."""

Pseudonyms: TypeAlias = Mapping[str, str]
"""Handles by the names of entrants; who is not in it has none."""


class Entered(Protocol):
    """Somebody who plays."""

    @property
    def name(self) -> str:
        """What it is called on the board."""

    @property
    def pseudonym(self) -> str | None:
        """What it is called where names are withheld; None if it has no handle."""


def pseudonyms_of(entered: Iterable[Entered]) -> dict[str, str]:
    """Give the handles of those who play; what is not one entrant's alone is nobody's."""
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
    """Give the standings that may be told, best first; none while they are sealed.

    Args:
        policy: What may be told.
        standings: All of them, best first.
        as_of: When the run was over, as ISO time; None if it goes on.
        now: The time it is.
        pseudonyms: Handles of those who have one.
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
    """Take away whatever says who somebody is, but the name itself."""
    return replace(row, strategy="", group=None, author=None, verdict=None)


def shown_verdict(verdict: Verdict) -> Verdict:
    """Give a verdict as it may be shown, whoever wrote the store that it comes from."""

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
    """Take away whatever says whose verdict it is: words, files and lines of an author."""
    return replace(verdict, message="", place="", traceback="")


def handle(number: int, name: str, pseudonyms: Pseudonyms) -> str:
    """Give what somebody is called whose name is not told.

    Args:
        number: Of the row.
        name: That is not told.
        pseudonyms: Handles of those who have one.

    >>> handle(7, "Ada", {"Ada": "Moonlight"}), handle(7, "Emmy", {})
    ('Moonlight', 'Player 7')
    """
    return pseudonyms.get(name) or f"Player {number}"


def shown_of(places: Sequence[int | None], top: int | None) -> int:
    """Give how many are shown: so many, and who shares the place of the last."""
    if top is None or top >= len(places):
        return len(places)
    while top < len(places) and places[top] is not None and places[top] == places[top - 1]:
        top += 1
    return top
