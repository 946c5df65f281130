"""The heading of a feedback page, and when a version was submitted."""

from datetime import UTC, datetime

import pytest

from tourney.checks.report import CheckReport
from tourney.course.feedback.model import Answer, time_words
from tourney.course.records import Stated, Submission
from tourney.course.roster import Person
from tourney.course.submission_status import HandedIn

KIM = "Min Jun Kim"


@pytest.mark.parametrize(
    ("person", "title"),
    [
        (Person(KIM, (KIM,), ("1", "Kim Min", "login:mjkim")), "Min Jun Kim (mjkim)"),
        (Person(KIM, ("Min Jun Kim 2",), ("12",)), "Min Jun Kim (Min Jun Kim 2)"),
        (Person(KIM, ("Aces",), email="mj@x.org", team="Aces"), "Min Jun Kim (mj@x.org)"),
        (Person(KIM, (KIM,), ("1",)), "Min Jun Kim"),
    ],
)
def test_students_of_the_same_name_have_different_headings(person: Person, title: str) -> None:
    """A login, player name or address follows, but no number, former name or team."""
    assert Answer(HandedIn(person, (), ()), "no submission", "").title == title


@pytest.mark.parametrize(
    ("stated", "late_days", "override", "words"),
    [
        ("received", 0, "", "submitted 2026-11-28 19:12 UTC"),
        ("time", 1, "", "submitted 2026-11-28 19:12 UTC, 1 d late"),
        ("in time", 0, "", "submitted in time, taken in 2026-11-28 19:12 UTC"),
        ("late", 1, "", "submitted late, taken in 2026-11-28 19:12 UTC, 1 d late"),
        ("late", 0, "", "submitted 2026-11-28 19:12 UTC or before"),  # no deadline is set
        ("nothing", 8, "", "submitted 2026-11-28 19:12 UTC or before, 8 d late"),
        (
            *("received", 8, "deadline overridden: ill"),
            "submitted 2026-11-28 19:12 UTC, 8 d late, accepted by the lecturer",
        ),
    ],
)
def test_no_time_is_told_that_the_platform_did_not_record(
    stated: Stated, late_days: int, override: str, words: str
) -> None:
    """A download of Canvas tells only whether it was late."""
    version = Submission(
        name="Ada",
        author="Ada",
        times=(datetime(2026, 11, 28, 19, 12, tzinfo=UTC),),
        kind="file",
        digest="0" * 32,
        late_days=late_days,
        status="accepted",
        override=override,
        stated=stated,
        report=CheckReport(passed=True),
    )
    assert time_words(version) == words
