"""Marks for one column of a gradebook, by rules with a formula each.

A rule gives each entrant of a ranking a share from 0 to 1. The mark lies between the least and the
most by that share; a disqualified entrant gets no mark. Only students' entrants count: house
players change no share, except as the ENTRANT of `beats`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isfinite
from pathlib import Path

from tourney.config.words import closest, joined, quoted, said
from tourney.course.grades.book import Gradebook, number_in
from tourney.course.grades.people import Student, find, people_of
from tourney.course.grades.rankings import Ranked, Ranking
from tourney.course.roster import Person, Roster
from tourney.errors import GradebookError, PointsError
from tourney.standings.standing import is_in

RULES = "place, rank, profit, profit:LOW:HIGH or beats:ENTRANT"
SEASON_RULES = "place, points or points:LOW:HIGH"

Share = Callable[[Ranked], Fraction]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that turns the entrants of a ranking into marks."""

    formula: str  # for a reader, with `share` on its left
    share: Share  # of a student's entrant with a place, 0 to 1
    counted: Mapping[str, int] = field(default_factory=dict)
    """Places or first ranks that the formula uses, by name, if they differ from the board's."""

    def mark(self, row: Ranked, least: Fraction, most: Fraction) -> Fraction:
        """Return the mark of an entrant.

        Args:
            row: A student's entrant.
            least: Mark for a share of 0.
            most: Mark for a share of 1.
        """
        if row.place is None:
            return Fraction(0)
        return least + (most - least) * self.share(row)


def rule_of(text: str, ranking: Ranking) -> Rule:
    """Read a rule.

    Args:
        text: One of RULES, or of SEASON_RULES for a season.
        ranking: All entrants, with the house players among them.
    Raises: GradebookError, if the rule does not exist, or does not fit this ranking.
    """
    kind, _, rest = text.partition(":")
    if kind == "place" and not rest:
        return _by_counting(ranking, "place", ranking.places())
    if kind == ("points" if ranking.is_season else "profit"):
        return _by_result(ranking, kind, rest)
    if not ranking.is_season and kind == "rank" and not rest:
        _check_rank_sets(ranking)
        return _by_counting(ranking, "first of ranks", ranking.first_ranks())
    if not ranking.is_season and kind == "beats" and rest:
        return _by_beating(ranking, rest)
    expected = SEASON_RULES if ranking.is_season else RULES
    words = ("place", "points") if ranking.is_season else ("place", "rank", "profit")
    meant = None if rest else closest(text, words)
    raise GradebookError(f"marks by: {said(expected, quoted(text), meant=meant)}")


def _by_counting(ranking: Ranking, word: str, counted: Mapping[str, int]) -> Rule:
    """Return equal steps, from 1 for the first student to 0 for the last."""
    count = len(counted)
    rule = Rule(
        f"share = ({count} - {word}) / {count - 1}" if count > 1 else "share = 1",
        lambda row: Fraction(count - counted[row.name], count - 1) if count > 1 else Fraction(1),
    )
    if any(row.place is not None and row.name in ranking.house for row in ranking.rows):
        formula = f"{rule.formula}, counted without house players" if count > 1 else rule.formula
        return Rule(formula, rule.share, counted)
    return rule


def _check_rank_sets(ranking: Ranking) -> None:
    if any(row.rank_set is None for row in ranking.rows if row.place is not None):
        raise GradebookError(
            "marks by: this board has no rank sets, for example because there was only one table; "
            "use --marks-by place"
        )


def _by_result(ranking: Ranking, kind: str, limits: str) -> Rule:
    results = [row.result for row in ranking.placed if row.result is not None]
    if len(results) < len(ranking.placed):
        raise GradebookError("marks by: this board has no profits; use --marks-by place")
    if limits:
        low, high = _limits(kind, limits)
    else:
        low, high = min(results, default=Fraction()), max(results, default=Fraction())

    def share(row: Ranked) -> Fraction:
        if low == high:
            return Fraction(1)
        return min(max(((row.result or 0) - low) / (high - low), Fraction()), Fraction(1))

    unit = "points" if ranking.is_season else "profit a round"
    least, most = float(low), float(high)
    formula = f"share = ({unit} - {least:.6g}) / ({most:.6g} - {least:.6g}), from 0 to 1"
    return Rule(formula.replace("- -", "+ "), share)


def _limits(kind: str, text: str) -> tuple[Fraction, Fraction]:
    try:
        low, high = map(float, text.split(":"))
    except ValueError:
        low = high = 0.0
    if not (isfinite(low) and isfinite(high) and low < high):
        expected = {
            "profit": "two profits a round, the lower first, such as profit:-0.05:0.02",
            "points": "two numbers of points, the lower first, such as points:0:26",
        }[kind]
        raise GradebookError(f"marks by: {said(expected, quoted(f'{kind}:{text}'))}")
    return Fraction(low), Fraction(high)


def _by_beating(ranking: Ranking, name: str) -> Rule:
    placed = [row for row in ranking.rows if row.place is not None]
    other = next((row for row in placed if row.name.casefold() == name.casefold()), None)
    if other is None:
        names = [row.name for row in placed]
        expected = joined(names) or "an entrant with a place, but there is no such entrant"
        raise GradebookError(
            f"marks by: beats: {said(expected, quoted(name), meant=closest(name, names))}"
        )
    _check_rank_sets(ranking)
    best, worst = other.rank_set or (0, 0)

    def share(row: Ranked) -> Fraction:
        first, last = row.rank_set or (best, worst)
        if row is other or (first <= worst and best <= last):
            return Fraction(1, 2)
        return Fraction(int(last < best))

    return Rule(
        f"share = 1 if all ranks come before {best}, the first that {other.name} may have; 0 if "
        f"all come after {worst}, its last; else 1/2",
        share,
    )


Worth = Callable[[Ranked], Fraction]
"""Returns the points of an entrant."""

MOST_MEANT = 20
"""Up to this many unknown students may be mistyped; more of them hint at another roster."""

UNKNOWN = "no entrant of this name"

HOUSE = "house players take no marks"
"""Why a cell stays whose student plays in the group of the staff."""

EXCUSED = "EX"
ABSENT = {"0": "0", "blank": "", EXCUSED: EXCUSED}
"""Marks for absent students; only Canvas reads EX as excused."""

KEPT = {EXCUSED: "excused", "N/A": "the assignment is not for them"}
"""Cells of Canvas without a mark, and their meaning."""


LOCKED = "the platform keeps this grade"
"""Why a cell stays that a worksheet of Moodle marks as unchangeable."""


@dataclass(frozen=True, slots=True)
class Line:
    """The cell of one student before and after."""

    student: Student
    before: str
    row: Ranked | None = None  # the entrant of the student
    after: str | None = None  # the mark; None if the cell stays as it is
    why: str = ""  # why the cell stays as it is; empty if it does not
    is_absent: bool = False  # whether the student has no name on the board
    kept: Ranked | None = None  # the entrant, if the platform decides about the cell

    @property
    def is_changed(self) -> bool:
        """Whether the value of the cell changes."""
        if self.after is None:
            return False
        old, new = number_in(self.before), number_in(self.after)
        return self.before != self.after if new is None else old != new


def fill(
    book: Gradebook,
    column: int,
    ranking: Ranking,
    people: Roster,
    worth: Worth,
    *,
    group: str | None = None,
) -> tuple[Line, ...]:
    """Return the new cell of each student, in the order of the gradebook.

    Args:
        book: The gradebook.
        column: The column to fill.
        ranking: All entrants, with the house players among them.
        people: The students and their names.
        worth: Returns the points of an entrant.
        group: The group to fill the cells of; by default all.
    """
    found = {student: find(student, people) for student in book.students}
    times = Counter(one for those in found.values() for one in those)
    hinted = people if sum(not those for those in found.values()) <= MOST_MEANT else Roster(())
    rows = ranking.by_name
    playing = {name: row for name, row in rows.items() if row.name not in ranking.house}
    lines = []
    for student, those in found.items():
        before = student.cells[column].text.strip()
        why = KEPT.get(before.upper(), "") or (LOCKED if student.is_locked else "")
        unclear = _unclear(student, those, times, hinted)
        own = None if unclear else _best(those, playing, worth)
        row = None if why else own
        if not why and group is not None and not _belongs(group, those, row):
            lines.append(Line(student, before, row, why=f"not in {group}"))
        elif row:
            lines.append(Line(student, before, row, book.mark_text(worth(row), column)))
        else:
            may_play = not (those and those[0].excluded)
            is_house = bool(those) and not rows.keys().isdisjoint(those[0].names)
            is_unknown = unclear.startswith(UNKNOWN)
            off = "" if unclear else _why_excluded(those, ranking)
            is_absent = may_play and not why and (is_unknown if unclear else not (is_house or off))
            reason = why or unclear or off or (HOUSE if is_house else _why_absent(those))
            lines.append(Line(student, before, why=reason, is_absent=is_absent, kept=own))
    return tuple(lines)


def with_absent(lines: Iterable[Line], absent: str) -> tuple[Line, ...]:
    """Fill the cells of absent students.

    Args:
        lines: The cells of all students.
        absent: One of ABSENT.
    """
    text = ABSENT[absent]
    return tuple(replace(each, after=text) if each.is_absent else each for each in lines)


def alike(lines: Iterable[Line]) -> tuple[int, int, int]:
    """Count entrants with a mark, different marks, and entrants with the mark of another."""
    marks = {each.row.name: each.after for each in lines if each.row and each.after is not None}
    times = Counter(marks.values())
    return len(marks), len(times), sum(count for count in times.values() if count > 1)


def changes(lines: Iterable[Line]) -> dict[int, str]:
    """Return the changed cells by line of the file."""
    return {
        each.student.line: each.after
        for each in lines
        if each.after is not None and each.is_changed
    }


def idle(ranking: Ranking, lines: Iterable[Line]) -> tuple[str, ...]:
    """Return the names of entrants that belong to no student's mark; no house players."""
    entrants = (one for each in lines for one in (each.row, each.kept) if one)
    used = {one.name for one in entrants} | ranking.house
    return tuple(row.name for row in ranking.rows if row.name not in used)


def _unclear(
    student: Student, those: Sequence[Person], times: Mapping[Person, int], hinted: Roster
) -> str:
    """Return why a student is not clear; empty for exactly one match."""
    if not those:
        near = next(filter(None, map(hinted.closest, (student.name, *student.ids))), None)
        return UNKNOWN + (f" (is it {near}?)" if near else "")
    if len(those) > 1:
        people = dict.fromkeys(each.person for each in those)
        could_be = people if len(people) > 1 else dict.fromkeys(each.names[0] for each in those)
        return f"could be {' or '.join(could_be)}"
    if times[those[0]] > 1:
        return f"another line is {those[0].person} too"
    return ""


def _belongs(group: str, those: Sequence[Person], row: Ranked | None) -> bool:
    """Return whether a student is of a group, by the board or else by the roster."""
    groups = (row.group,) if row else those[0].groups if those else ()
    return any(is_in(each, group) for each in groups)


def _why_absent(those: Sequence[Person]) -> str:
    """Return why a student of the roster has no row."""
    if those and those[0].excluded:
        return f"excluded: {those[0].excluded}"
    return f"{', '.join(those[0].names) if those else ''} is not on the board"


def _why_excluded(those: Sequence[Person], ranking: Ranking) -> str:
    """Return why the entrants of a student are off the board; empty if they are not."""
    names = those[0].names if those else ()
    reasons = [ranking.excluded[name] for name in names if name in ranking.excluded]
    return f"excluded from the board: {'; '.join(reasons)}" if reasons else ""


def _best(those: Sequence[Person], rows: Mapping[str, Ranked], worth: Worth) -> Ranked | None:
    """Return the entrant with the most points among the names of a student."""
    own = [rows[name] for name in those[0].names if name in rows]
    return max(own, key=worth, default=None)


USUAL_POINTS = Fraction(100)


@dataclass(frozen=True, slots=True)
class Marks:
    """The new cells of a column."""

    lines: tuple[Line, ...]  # of all students, in the order of the gradebook
    rule: Rule
    most: Fraction  # points of the first place
    people: Roster  # the students and their names
    ranking: Ranking  # all entrants, with the house players among them

    @property
    def counted(self) -> list[str]:
        """The place or rank that the rule counts for each line; empty if there is no place."""
        counted = self.rule.counted
        return [str(counted.get(each.row.name, "")) if each.row else "" for each in self.lines]


def mark(
    book: Gradebook,
    column: int,
    ranking: Ranking,
    *,
    by: str,
    least: Fraction,
    points: Fraction | None = None,
    people: Path | None = None,
    group: str | None = None,
    absent: str | None = None,
) -> Marks:
    """Compute the new cells of a column.

    Args:
        book: The gradebook.
        column: The column to fill.
        ranking: All entrants of a run or a season.
        by: The rule of the marks, one of RULES or SEASON_RULES.
        least: Points of the last place.
        points: Points of the first place; by default the maximum of the column, or 100.
        people: Roster, or folder of submissions, with the students and their names.
        group: The group to fill the cells of; by default all.
        absent: Mark of absent students, one of ABSENT; by default their cells stay.
    Raises: PointsError, if the last place gets more than the first; GradebookError, ConfigError or
        SubmissionError, if the rule does not fit, the platform has no excused students, or the
        roster cannot be read.
    """
    most = (book.possible(column) or USUAL_POINTS) if points is None else points
    if least > most:
        raise PointsError(f"least: expected up to {points_text(most)}, got {points_text(least)}")
    if absent == EXCUSED and not book.platform.excuses:
        raise GradebookError(
            f"{book.path}: absent: {book.platform.name} does not read {EXCUSED} as excused, only "
            "Canvas does. Use 0 or blank, or leave the option out to keep the cells."
        )
    known = people_of(people, [*(row.name for row in ranking.rows), *ranking.excluded])
    listed = (
        known.people if people else [one for each in book.students for one in find(each, known)]
    )
    students = {name for each in listed for name in each.names}
    counted = ranking.with_house(students, is_roster=people is not None)
    rule = rule_of(by, counted)
    lines = fill(book, column, counted, known, lambda row: rule.mark(row, least, most), group=group)
    if absent is not None:
        lines = with_absent(lines, absent)
    return Marks(lines, rule, most, known, counted)


def points_text(points: Fraction) -> str:
    """Write points for a reader.

    >>> points_text(Fraction(25, 2))
    '12.5'
    """
    return f"{float(points):.10g}"
