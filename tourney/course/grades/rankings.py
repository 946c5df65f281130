"""The entrants that marks are computed from: those of a run's board, or of a season.

House players take no marks, and marks count places and ranks without them. A house player is an
entrant in the group `staff`, or one that no student plays as. A roster decides who the students
are. Without a roster, an installed strategy under its own name is a house player, unless the
gradebook lists that name.
"""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate

from tourney.config.season import SeasonConfig
from tourney.errors import GradebookError
from tourney.report.publish.season import Part, lines_of, names_in, season_name
from tourney.standings.standing import BANKROLL, Standing, groups_in, is_in, label_of
from tourney.store.records import EntrantRecord

STAFF_GROUP = "staff"
INSTALLED = "strategy"
"""Kind of an entrant that is an installed strategy and no submitted file."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """An entrant with its place."""

    name: str
    place: int | None  # ties share it; None if out
    group: str | None = None
    rank_set: tuple[int, int] | None = None  # best and worst possible rank
    result: Fraction | None = None  # profit per round of a run, or points of a season
    is_plain_strategy: bool = False  # an installed strategy under its own name
    other_names: tuple[str, ...] = ()  # that it had in the runs of a season


@dataclass(frozen=True, slots=True)
class Ranking:
    """All entrants, with the house players among them."""

    rows: tuple[Ranked, ...]  # best first
    is_season: bool = False
    house: frozenset[str] = frozenset()  # names of house players
    excluded: Mapping[str, str] = field(default_factory=dict)  # reasons, by name off the board

    @property
    def placed(self) -> tuple[Ranked, ...]:
        """Students' entrants that have a place, best first."""
        return tuple(
            row for row in self.rows if row.place is not None and row.name not in self.house
        )

    @property
    def by_name(self) -> Mapping[str, Ranked]:
        """All entrants by each of their names."""
        return {name: row for row in self.rows for name in (*row.other_names, row.name)}

    def places(self) -> dict[str, int]:
        """Return the places of students' entrants, counted without house players."""
        taken = [row.place or 0 for row in self.placed]
        return {row.name: 1 + bisect_left(taken, row.place or 0) for row in self.placed}

    def first_ranks(self) -> dict[str, int]:
        """Return the best possible ranks of students' entrants, without house players.

        A house player does not count if it is among the entrants that fill the ranks before.
        """
        everyone = sorted(
            (row for row in self.rows if row.place is not None),
            key=lambda row: (row.place, row.name not in self.house),
        )
        before = list(accumulate((row.name not in self.house for row in everyone), initial=0))
        return {
            row.name: 1 + before[(row.rank_set[0] if row.rank_set else len(everyone)) - 1]
            for row in self.placed
        }

    def with_house(self, students: Collection[str], *, is_roster: bool) -> "Ranking":
        """Return the ranking with its house players.

        Args:
            students: Names that students play under.
            is_roster: Whether they come from a roster, which lists all students.
        """
        house = (row.name for row in self.rows if _is_house(row, students, is_roster=is_roster))
        return replace(self, house=frozenset(house))


def _is_house(row: Ranked, students: Collection[str], *, is_roster: bool) -> bool:
    if is_in(row.group, STAFF_GROUP):
        return True
    is_student = any(name in students for name in (row.name, *row.other_names))
    return not is_student and (is_roster or row.is_plain_strategy)


def _is_plain(entrant: EntrantRecord) -> bool:
    return entrant.kind == INSTALLED and entrant.name == entrant.strategy


def run_ranking(standings: Sequence[Standing], entrants: Sequence[EntrantRecord]) -> Ranking:
    """Return the ranking of a run.

    Args:
        standings: The whole board, best first.
        entrants: The entrants of the run.
    """
    plain = {each.name for each in entrants if _is_plain(each)}
    return Ranking(
        tuple(
            Ranked(
                row.name,
                row.place,
                row.group,
                row.rank_set,
                _profit(row),
                is_plain_strategy=row.name in plain,
            )
            for row in standings
        ),
        excluded={each.name: each.excluded for each in entrants if each.excluded is not None},
    )


def _profit(row: Standing) -> Fraction | None:
    """Return the profit per round, without luck if it was followed; `None` in other games."""
    if row.measure is not BANKROLL:
        return None
    return Fraction(row.profit_per_round if row.adjusted_profit is None else row.adjusted_profit)


def season_ranking(config: SeasonConfig, parts: Sequence[Part]) -> Ranking:
    """Return the ranking of a season, in which equal totals share a place.

    Args:
        config: The season.
        parts: Its runs.
    Raises: GradebookError, if a run is not finished; TourneyError, if a run has no ranks.
    """
    for part in parts:
        if part.status == "not finished":
            raise GradebookError(
                f"{part.title}: run {part.run.number} is not finished, so the season has no marks "
                f"yet. Resume it: tourney resume {part.run.number} --store {part.store}"
            )
    names = names_in(config, parts)
    entrants: dict[str, list[EntrantRecord]] = {}
    for part in parts:
        for each in part.run.entrants:
            entrants.setdefault(season_name(each.name, names).casefold(), []).append(each)
    lines = lines_of(config, parts)
    return Ranking(
        tuple(
            _in_season(
                line.name,
                1 + sum(other.total > line.total for other in lines),
                line.total,
                entrants[line.name.casefold()],
            )
            for line in lines
        ),
        is_season=True,
    )


def _in_season(name: str, place: int, points: Fraction, own: Sequence[EntrantRecord]) -> Ranked:
    groups = dict.fromkeys(group for each in own for group in groups_in(each.group))
    return Ranked(
        name,
        place,
        label_of(groups) or None,
        result=points,
        is_plain_strategy=all(map(_is_plain, own)),
        other_names=tuple(dict.fromkeys(each.name for each in own if each.name != name)),
    )
