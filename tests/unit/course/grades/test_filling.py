"""Who of a gradebook gets which mark, and who keeps what is there."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from tourney.course.grades.book import read_gradebook
from tourney.course.grades.marks import Line, changes, fill, idle
from tourney.course.grades.people import people_of
from tourney.course.grades.rankings import Ranked, Ranking
from tourney.errors import GradebookError

Filled = Callable[..., tuple[Line, ...]]


BOARD = Ranking(
    (Ranked("Ada", 1), Ranked("Blaise", 2), Ranked("Seine", 3), Ranked("simple", 4, "staff"))
)


@pytest.fixture
def filled(tmp_path: Path) -> Filled:
    """Give what fills a gradebook of some lines: ten points for the first, one less for each."""

    def filled(*lines: str, roster: str = "") -> tuple[Line, ...]:
        people = tmp_path / "roster.csv" if roster else None
        if people:
            people.write_text(roster, encoding="utf-8")
        export = tmp_path / "export.csv"
        text = "\n".join(["Student,ID,SIS Login ID,Section,Quiz (1)", *lines])
        export.write_text(text, encoding="utf-8")
        known = people_of(people, [each.name for each in BOARD.rows])
        return fill(
            read_gradebook(export), 4, BOARD, known, lambda row: Fraction(11 - (row.place or 0))
        )

    return filled


def told(lines: tuple[Line, ...]) -> list[tuple[str | None, str]]:
    """Give what becomes of cells, and why they stay."""
    return [(each.after, each.why) for each in lines]


def test_without_a_roster_entrants_are_called_as_students_are(filled: Filled) -> None:
    """By name or login, whole ones only."""
    lines = filled("Ada,1,,1,", '"Pascal, Blaise",2,blaise,1,', '"Seine, Jean",3,jean,1,')
    assert told(lines) == [
        ("10", ""),
        ("9", ""),
        (None, "no entrant of this name (is it Seine?)"),
    ]
    assert idle(BOARD, lines) == ("Seine", "simple")


def test_a_roster_says_who_plays_as_whom(filled: Filled) -> None:
    """By ids, else by name; a team has one mark, and the best of several counts."""
    roster = "person,as,ids\nAda King,Ada,lovelace\nBlaise Pascal,Seine;Blaise,\nEmmy,Seine,7\n"
    lines = filled(
        '"Lovelace, Ada",1,lovelace,1,', '"Pascal, Blaise",2,bp,1,', "E,7,en,1,", roster=roster
    )
    assert told(lines) == [("10", ""), ("9", ""), ("8", "")]


def test_who_is_not_clear_or_not_on_the_board_keeps_the_cell(filled: Filled) -> None:
    """Nobody is guessed."""
    roster = "person,as,ids\nAda,Ada,\nBlaise,Blaise,b\nLeo,Leo,\n"
    lines = filled(
        "Ada,1,,1,", "Ada,2,,1,7", "Eve,leo,b,1,", "Leo,3,,1,", "Leoo,4,,1,5", roster=roster
    )
    assert [why for _, why in told(lines)] == [
        "another line is Ada too",
        "another line is Ada too",
        "could be Blaise or Leo",
        "another line is Leo too",
        "no entrant of this name (is it Leo?)",
    ]
    assert changes(lines) == {}


def test_what_contradicts_itself_is_nobodys(filled: Filled) -> None:
    """An id of one and the name of another, as when two lines were mixed up by hand."""
    roster = "person,as,ids\nAda,Ada,a\nBlaise,Blaise,b\nEmmy,Seine,7\n"
    lines = filled("Blaise,1,a,1,", "Emmy,7,en,1,", roster=roster)
    assert told(lines) == [(None, "could be Ada or Blaise"), ("8", "")]


def test_who_are_called_the_same_are_told_apart_by_what_they_play_as(filled: Filled) -> None:
    """Nobody says that they do not play; an id is enough to be clear."""
    roster = "person,as,ids\nAda King,Ada,1\nAda King,Blaise,2\n"
    (clear,) = filled("Ada King,2,,1,", roster=roster)
    assert (clear.after, clear.is_absent) == ("9", False)
    (line,) = filled("Ada King,8,,1,", roster=roster)
    assert (line.after, line.why, line.is_absent) == (None, "could be Ada or Blaise", False)


def test_a_class_that_nobody_knows_is_not_guessed_at(filled: Filled) -> None:
    """More than twenty are no typing mistakes, and it would take long."""
    lines = filled(*(f"Adaa,{number},,1," for number in range(21)))
    assert {each.why for each in lines} == {"no entrant of this name"}


def test_who_did_not_play_keeps_the_cell(filled: Filled) -> None:
    """A name on the roster is not one on the board."""
    lines = filled("Leo,3,,1,", roster="person,as\nLeo,Leo der Erste\n")
    assert told(lines) == [(None, "Leo der Erste is not on the board")]


@pytest.mark.parametrize(
    ("cell", "why"), [("EX", "excused"), ("N/A", "the assignment is not for them")]
)
def test_what_canvas_says_in_words_stays(filled: Filled, cell: str, why: str) -> None:
    """Whoever is excused is not marked."""
    assert told(filled(f"Ada,1,,1,{cell}")) == [(None, why)]


@pytest.mark.parametrize("cell", ["EX", "N/A"])
def test_an_entrant_whose_student_is_excused_is_not_without_one(filled: Filled, cell: str) -> None:
    """The gradebook has the student."""
    lines = filled(f"Ada,1,,1,{cell}", "Seine,3,,1,")
    assert idle(BOARD, lines) == ("Blaise", "simple")
    assert (lines[0].row, changes(lines)) == (None, {3: "8"})


def test_an_entrant_with_a_locked_grade_is_not_without_a_student(tmp_path: Path) -> None:
    """Moodle decides about the cell only."""
    path = tmp_path / "sheet.csv"
    heading = "Identifier,Full name,Grade,Maximum Grade,Grade can be changed"
    path.write_text(f"{heading}\nParticipant 1,Ada,3,10,No\nParticipant 2,Blaise,,10,Yes\n")
    known = people_of(None, [each.name for each in BOARD.rows])
    lines = fill(read_gradebook(path), 2, BOARD, known, lambda _: Fraction(7))
    assert told(lines) == [(None, "the platform keeps this grade"), ("7", "")]
    assert idle(BOARD, lines) == ("Seine", "simple")


def test_an_equal_mark_is_no_change(filled: Filled) -> None:
    """However it is written; another one is."""
    lines = filled("Ada,1,,1,10.00", "Blaise,2,,1,8", "Seine,3,,1,-")
    assert [each.is_changed for each in lines] == [False, True, True]
    assert changes(lines) == {3: "9", 4: "8"}


def test_a_folder_of_nothing_is_no_folder_of_submissions(tmp_path: Path) -> None:
    """Its people would be nobody."""
    with pytest.raises(GradebookError, match="this is not a folder of submissions"):
        people_of(tmp_path, ())
