"""What a page says of the rows beside one is true of how they were told apart."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tourney.course.feedback.collection import beside
from tourney.standings.standing import Relation, Standing


def row(above: float | None, half_width: float | None, relation: Relation) -> Standing:
    """Give a row of a board of 40 tables."""
    return Standing(
        *(1, "ada", "simple", None, 40, 4000, Fraction(1000), None, (0.0, 0.0, 0.0)),
        *(0.0, 0.0, 20_000, 0, None),
        above=above,
        above_half_width=half_width,
        relation=relation,
        least_tables=12,
    )


@pytest.mark.parametrize("half_width", [0.0163, 0.0031])
def test_who_are_told_apart_are_told_no_number_that_was_not_asked_of_them(
    half_width: float,
) -> None:
    """A later step may tell two apart whose interval includes 0, so its width decided nothing."""
    rows = (row(None, None, ""), row(-0.0146, half_width, "separated"))
    said = ["The row below (simple) is 0.0146 a round away, which is a significant difference."]
    assert list(beside(rows, 0, ["ada", "simple"])) == said


def test_within_bounds_no_number_of_tables_is_promised() -> None:
    """An interval shrinks faster there than by the root of the tables, down to a least width."""
    rows = (row(None, None, ""), row(-0.0073, 0.0146, "not separated yet"))
    bounded = replace(rows[1], least_difference=0.0125)
    said = [
        "The row above (ada) is 0.0073 a round away, which is not significant: at 40 tables it "
        "would have to exceed 0.0146, and with so few tables no difference below 0.0125 is "
        "significant."
    ]
    assert list(beside((rows[0], bounded), 1, ["ada", "simple"])) == said


def test_who_are_not_told_apart_are_told_what_is_enough() -> None:
    """Beyond the interval every step tells two apart."""
    rows = (row(None, None, ""), row(-0.0073, 0.0146, "not separated yet"))
    said = [
        "The row above (ada) is 0.0073 a round away, which is not significant: at 40 tables it "
        "would have to exceed 0.0146, and about 160 tables would be needed for this one."
    ]
    assert list(beside(rows, 1, ["ada", "simple"])) == said
