"""House players take no marks, and students' marks are those of a board without them."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.course.grades.book import read_gradebook
from tourney.course.grades.marks import Marks, mark, rule_of
from tourney.course.grades.rankings import Ranked, Ranking

Scores = list[tuple[int, bool]]
"""The score of each entrant, and whether it is a house player."""

MARGIN = 2
"""Entrants that differ by more are known to be different."""


def board(scores: Scores) -> Ranking:
    """Give the board of some scores, worked out by counting everyone against everyone."""
    rows = []
    for number, (score, is_house) in enumerate(scores):
        better = sum(other > score + MARGIN for other, _ in scores)
        worse = sum(other < score - MARGIN for other, _ in scores)
        rows.append(
            Ranked(
                f"E{number}",
                1 + sum(other > score for other, _ in scores),
                "staff" if is_house else None,
                (1 + better, len(scores) - worse),
                Fraction(score),
            )
        )
    rows.sort(key=lambda row: (row.place, row.name))
    return Ranking(tuple(rows)).with_house((), is_roster=False)


def slow_share(by: str, scores: list[int], own: int) -> Fraction:
    """Give a student's share on a board of students, from the page of the rules alone."""
    if by == "profit":
        low, high = min(scores), max(scores)
        return Fraction(own - low, high - low) if high > low else Fraction(1)
    ahead = MARGIN if by == "rank" else 0
    before = [other for other in scores if other - own > ahead]
    return 1 - Fraction(len(before), len(scores) - 1) if len(scores) > 1 else Fraction(1)


@tried(2_000)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=9),
    st.sampled_from(["place", "rank", "profit"]),
)
def test_students_get_the_marks_of_a_board_without_house_players(scores: Scores, by: str) -> None:
    """Wherever the house players stand, and however many tie with them."""
    ranking = board(scores)
    rule = rule_of(by, ranking)
    students = [score for score, is_house in scores if not is_house]
    for row in ranking.placed:
        own = int(row.result or 0)
        assert rule.share(row) == slow_share(by, students, own), (row, ranking)


@tried(500)
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 4)), min_size=1, max_size=9))
def test_without_house_players_ranks_count_as_the_board_has_them(pairs: list[list[int]]) -> None:
    """Also if the ranks fit no margin, as those of unequal spreads."""
    places = sorted(min(place, len(pairs)) for place, _ in pairs)
    rows = tuple(
        Ranked(f"E{number}", place, rank_set=(max(1, min(place, number + 1) - less), len(pairs)))
        for number, (place, (_, less)) in enumerate(zip(places, pairs, strict=True))
    )
    assert Ranking(rows).first_ranks() == {row.name: (row.rank_set or (0, 0))[0] for row in rows}


BOARD = Ranking(
    (
        Ranked("ramp", 1, is_plain_strategy=True, rank_set=(1, 1)),
        Ranked("Ada", 2, "001", (2, 3)),
        Ranked("Tutor", 3, "Staff", (2, 3)),
        Ranked("Leo", 4, "001", (4, 4)),
        Ranked("simple", 5, is_plain_strategy=True, rank_set=(5, 5)),
        Ranked("out", None, "staff"),
    )
)
BOOK = "Student,ID,SIS Login ID,Section,Quiz (1)\nPoints Possible,,,,10\n"
ROSTER = "person,as\nAda,Ada\nLeo,Leo\nTess,Tutor\n"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Give a gradebook of three people."""
    path = tmp_path / "book.csv"
    path.write_text(BOOK + "Ada,1,,1,\nLeo,2,,1,\nTess,3,,1,4\n")
    return path


def marked(book: Path, by: str = "place", roster: str = ROSTER, **changes: object) -> Marks:
    """Give the marks of the board."""
    people = book.with_name("roster.csv") if roster else None
    if people:
        people.write_text(roster)
    ranking = replace(BOARD, **changes)  # type: ignore[arg-type]  # only fields of it
    return mark(read_gradebook(book), 4, ranking, by=by, least=Fraction(0), people=people)


@pytest.mark.parametrize("by", ["place", "rank"])
def test_the_best_student_gets_all_points_behind_a_house_player(book: Path, by: str) -> None:
    """And the last student the fewest, before one."""
    marks = marked(book, by)
    assert [each.after for each in marks.lines] == ["10", "0", None]
    assert marks.counted == ["1", "2", ""]
    assert marks.ranking.house == {"ramp", "Tutor", "simple", "out"}


def test_the_group_staff_takes_no_marks_even_on_the_roster(book: Path) -> None:
    """The cell stays, and the reason is shown; `--absent` does not change it either."""
    line = marked(book).lines[2]
    assert (line.after, line.why) == (None, "house players take no marks")
    assert not line.is_absent


def test_an_entrant_that_is_not_on_the_roster_is_a_house_player(book: Path) -> None:
    """A submitted file too: the roster lists all students."""
    marks = marked(book, roster="person,as\nAda,Ada\n")
    assert "Leo" in marks.ranking.house
    assert marks.lines[0].after == "10"


def test_without_a_roster_only_strategies_under_their_own_names_are_house_players(
    book: Path,
) -> None:
    """A student whose line is missing or misspelt still counts, so no other mark changes."""
    book.write_text(BOOK + "Ada,1,,1,\nLeoo,2,,1,\n")
    marks = marked(book, roster="")
    assert marks.ranking.house == {"ramp", "Tutor", "simple", "out"}
    assert [each.after for each in marks.lines] == ["10", None]
    assert marks.rule.formula == "share = (2 - place) / 1, counted without house players"


def test_a_student_may_play_as_an_installed_strategy(book: Path) -> None:
    """A line of the gradebook is enough."""
    book.write_text(BOOK + "Simple,1,simple,1,\n")
    marks = marked(book, roster="")
    assert "simple" not in marks.ranking.house
    assert marks.lines[0].after == "0"


def test_a_house_player_may_be_the_measure(book: Path) -> None:
    """It has ranks of its own, among all."""
    marks = marked(book, "beats:simple")
    assert [each.after for each in marks.lines] == ["10", "10", None]
