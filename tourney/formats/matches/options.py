"""Options of all formats of matches. docs/rules/matches.md numbers the rules."""

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Ge, Le

from tourney.errors import FormatError
from tourney.formats.base import Format, OnFault
from tourney.formats.group_tables import refuse_few, refuse_limit, refuse_no_company
from tourney.formats.knockout import seats_words
from tourney.game.rules import Rules, fewest_seats
from tourney.standings.standing import FINISH, Measure


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches(Format):
    """Options of formats in which entrants meet in matches."""

    rounds: Annotated[int, Ge(1), Le(1_000_000)] = 30
    """Rounds or deals of a match."""

    seats: Annotated[int, Ge(2), Le(7)] | None = None
    """Seats at a table; by default two, or the least number that the game allows."""

    seatings: Literal["one", "all"] | None = None
    """Seatings of a match: one, or all. With all, each entrant plays the same cards from each seat,
    and the sum counts. By default one in games of chips, all in games of points."""

    stop: Literal["at-the-end", "separated"] = "at-the-end"
    """Play all matches (at-the-end), or stop as soon as all neighbours on the board are
    significantly different (separated)."""

    batch_tables: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Tables that are played and stored together, in one seating."""

    on_fault: OnFault = "zero"
    """Cost of a verdict, in addition to all further matches: zero (the match), disqualify (no
    place) or keep (the chips at that time count)."""

    @property
    def scheduled_rounds(self) -> int:
        """Rounds that an entrant is scheduled to play at one table."""
        return self.rounds

    def seats_at(self, rules: Rules) -> int:
        """Return the number of seats at a table."""
        return self.seats or fewest_seats(rules)

    def check(self, entrants: int, rules: Rules) -> None:
        """Raise FormatError for tables that the game or the field cannot fill."""
        refuse_no_company(type(self).__name__.lower(), rules)
        seats = self.seats_at(rules)
        if seats not in rules.seats:
            raise FormatError(f"seats: expected {seats_words(rules.seats)}, got {seats}")
        refuse_few(entrants, seats, f"tables of {seats}")
        refuse_limit(rules)

    def measure(self, rules: Rules) -> Measure:
        """Rank by the result of the matches."""
        del rules
        return FINISH

    def table_words(self, rules: Rules) -> str:
        """Describe the play at one table."""
        seats = self.seats_at(rules)
        again = f", in {seats} seatings" if self.plays_all_seatings(rules) else ""
        return f"matches of {self.rounds:,} rounds, {seats} at a table{again}"

    def plays_all_seatings(self, rules: Rules) -> bool:
        """Return whether a match is played in all seatings."""
        if self.seatings is None:
            return rules.most_points is not None
        return self.seatings == "all"
