"""Deadlines as people mean them: by the clock on the wall, for groups, and extended."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.course.class_folder import forget_person, set_group_deadline
from tourney.course.extensions import Extension, change_extension, read_extensions
from tourney.course.folder import Submissions
from tourney.course.roster import Person, Roster
from tourney.course.submission_rules import SubmissionRules, TermsFile, read_terms
from tourney.errors import ConfigError, SubmissionError
from tourney.plugins.loading import load_plugins
from tourney.tournament.catalog import catalog_of

from .conftest import competitor, passes

NEW_YORK = ZoneInfo("America/New_York")
ZONES = ("America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kolkata", "UTC")
PEOPLE = """\
person,as,ids,groups,late_days
Ada Lovelace,Ada,7,001,
Blaise Pascal,Blaise,8,001;002,
Leo Euler,Leo,10,,
"""


def rules_of(folder: Path, text: str, extensions: str = "") -> SubmissionRules:
    """Read submission rules with a roster."""
    folder.mkdir(exist_ok=True)
    (folder / "submissions.yaml").write_text(f"roster: people.csv\n{text}", "utf-8")
    (folder / "people.csv").write_text(PEOPLE, "utf-8")
    if extensions:
        (folder / "extensions.csv").write_text(f"person,until,reason\n{extensions}", "utf-8")
    return read_terms(folder)


@pytest.mark.parametrize(
    ("deadline", "time", "days"),
    [
        ("2026-10-31 20:00", "2026-11-01T00:00Z", 0),
        ("2026-10-31 20:00", "2026-11-01T00:00:01Z", 1),
        ("2026-10-31 20:00", "2026-11-02T00:30Z", 1),  # Sunday 19:30, 24 hours and a half later
        ("2026-10-31 20:00", "2026-11-02T01:00Z", 1),
        ("2026-10-31 20:00", "2026-11-02T01:00:01Z", 2),
        ("2026-10-31 20:00-04:00", "2026-11-02T00:30Z", 1),
        ("2026-03-07 20:00", "2026-03-09T00:00Z", 1),  # after 23 hours
        ("2026-03-07 20:00", "2026-03-09T00:00:01Z", 2),
        ("2026-03-07 02:30", "2026-03-08T07:30Z", 1),  # an hour that the clock skips
        ("2026-10-31 01:30", "2026-11-01T06:30Z", 1),  # one that it shows twice: the second
        ("2026-10-31 01:30", "2026-11-01T06:30:01Z", 2),
    ],
)
def test_late_days_follow_the_clock_on_the_wall(
    tmp_path: Path, deadline: str, time: str, days: int
) -> None:
    """Although the clock is set back or forward in the meantime."""
    rules = rules_of(tmp_path, f"time_zone: America/New_York\ndeadline: '{deadline}'\n")
    assert rules.late_days_at(datetime.fromisoformat(time)) == days


@tried(200)
@given(
    zone=st.sampled_from(ZONES),
    minutes=st.integers(0, 3 * 365 * 24 * 60),
    late=st.timedeltas(timedelta(days=-2), timedelta(days=9)),
)
def test_late_days_are_those_of_a_calendar(zone: str, minutes: int, late: timedelta) -> None:
    """The first day whose same hour on the wall has not passed."""
    place = ZoneInfo(zone)
    deadline = (datetime(2025, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)).astimezone(place)
    time, expected = deadline.astimezone(UTC) + late, 0

    def has_passed(days: int) -> bool:
        shown = deadline + timedelta(days=days)
        return time > max(shown.replace(fold=fold).astimezone(UTC) for fold in (0, 1))

    while has_passed(expected):
        expected += 1
    assert SubmissionRules(deadline=deadline, time_zone=place).late_days_at(time) == expected


def test_a_grace_period_counts_after_the_deadline_and_each_late_day(tmp_path: Path) -> None:
    """To the second."""
    text = "deadline: '2026-12-01 12:00+00:00'\ngrace_minutes: 10\n"
    rules = rules_of(tmp_path, text)
    noon = datetime(2026, 12, 1, 12, tzinfo=UTC)
    late = [timedelta(minutes=10), timedelta(minutes=10, seconds=1), timedelta(days=1, minutes=10)]
    assert [rules.late_days_at(noon + each) for each in late] == [0, 1, 1]
    assert rules.late_days_at(noon + timedelta(days=1, minutes=11)) == 2


def test_a_limit_counts_the_days_of_the_class(desk: Submissions) -> None:
    """Which in New York end at five in the morning of UTC."""
    desk.terms = SubmissionRules(per_day=1, time_zone=NEW_YORK)
    how: Mapping[str, object] = {"name": "Ada", "author": "ada", "check": passes}
    desk.take(competitor(15), **how, now=datetime(2026, 12, 1, 23, tzinfo=UTC))  # type: ignore[arg-type]  # as named
    with pytest.raises(SubmissionError, match=r"limit of 1 version a day \(America/New_York\)"):
        desk.take(competitor(16), **how, now=datetime(2026, 12, 2, 4, tzinfo=UTC))  # type: ignore[arg-type]  # as named
    desk.take(competitor(16), **how, now=datetime(2026, 12, 2, 6, tzinfo=UTC))  # type: ignore[arg-type]  # as named


def test_groups_and_students_have_deadlines_of_their_own(tmp_path: Path) -> None:
    """Of several groups the latest counts; who has no group has the one of the class."""
    text = (
        "time_zone: Europe/Berlin\ndeadline: '2026-12-01 23:59'\n"
        "group_deadlines: {'001': '2026-12-02 23:59', '002': '2026-12-03 23:59'}\n"
    )
    rules = rules_of(tmp_path, text, "7,2026-12-09 12:00,ill\n")
    found = [rules.deadline_of(each, "") for each in ("Ada Lovelace", "Blaise Pascal", "Leo Euler")]
    assert [f"{each:%d %H:%M %z}" for each in found if each] == [
        "09 12:00 +0100",
        "03 23:59 +0100",
        "01 23:59 +0100",
    ]


def test_a_deadline_needs_no_quotes(tmp_path: Path) -> None:
    """A date with a time has one meaning, although YAML versions read it differently."""
    times = "deadline: {0}2026-12-01 23:59{0}\ngroup_deadlines: {{'001': {0}2026-12-02 12:00{0}}}\n"
    bare, quoted = (
        rules_of(tmp_path, f"time_zone: Europe/Berlin\n{times.format(quote)}")
        for quote in ("", "'")
    )
    assert bare.deadline is not None
    assert bare.deadline == quoted.deadline
    assert bare.group_deadlines == quoted.group_deadlines


@pytest.mark.parametrize("value", ["2026-12-01 23:59", "2026-13-01", "yes", "1e3", "12:30"])
@pytest.mark.parametrize("name", TermsFile.model_fields)
def test_a_fault_shows_the_value_as_the_file_writes_it(
    tmp_path: Path, name: str, value: str
) -> None:
    """Never as the object that stands for an ambiguous value."""
    (tmp_path / "submissions.yaml").write_text(f"{name}: {value}\n", "utf-8")
    with pytest.raises(ConfigError) as caught:
        read_terms(tmp_path, catalog_of(load_plugins()))
    assert "Trap" not in str(caught.value)
    assert value in str(caught.value) or name == "group_deadlines"


@pytest.mark.parametrize(
    ("text", "extensions", "said"),
    [
        ("time_zone: paris\n", "", "'paris' (did you mean 'Europe/Paris'?)"),
        (
            "time_zone: America/New_Yrok\n",
            "",
            "2:12: time_zone: expected the name of a time zone, such as America/New_York; got "
            "'America/New_Yrok' (did you mean 'America/New_York'?)",
        ),
        (
            "time_zone: UTC\ndeadline: soon\n",
            "",
            "3:11: deadline: expected a time, such as '2026-12-01 23:59'; got 'soon'",
        ),
        (
            "group_deadlines: {'003': '2026-12-01 12:00+00:00'}\n",
            "",
            "2:26: group_deadlines.003: expected a group of the roster, got '003' (did",
        ),
        (
            "time_zone: UTC\ndeadline: 2026-12-01\n",
            "",
            "3:11: deadline: expected a time, such as '2026-12-01 23:59'; got 2026-12-01, which "
            "YAML may read as a date",
        ),
        (
            "time_zone: UTC\ngroup_deadlines: {'001': 2026-13-01 12:00}\n",
            "",
            "3:26: group_deadlines.001: expected a time, such as '2026-12-01 23:59'; got "
            "2026-13-01 12:00, which YAML may read as a date",
        ),
        ("group_deadlines: noon\n", "", "2:18: group_deadlines: write times by group, such as"),
        (
            "",
            "Ada Lovelace,2026-12-01,\nNobody,2026-12-01 12:00+01:00,\n",
            "extensions.csv:2:1: until: expected a time with its offset",
        ),
        (
            "",
            "Leo Eulr,2026-12-01 12:00+01:00,\n",
            "extensions.csv:2:1: person: expected one person of the roster, got 'Leo Eulr' (did "
            "you mean 'Leo Euler'?)",
        ),
    ],
)
def test_faults_of_deadlines_have_their_place(
    tmp_path: Path, text: str, extensions: str, said: str
) -> None:
    """In the file in which they are."""
    with pytest.raises(ConfigError) as caught:
        rules_of(tmp_path, text, extensions)
    assert said in str(caught.value)


def test_extensions_are_written_and_removed(tmp_path: Path) -> None:
    """One for each student; the later one replaces the earlier one."""
    until = datetime(2026, 12, 3, 23, 59, tzinfo=UTC)
    for each in (until, until + timedelta(days=1)):
        change_extension(tmp_path, None, "Ada", Extension("Ada", each, "ill; a note"))
    assert read_extensions(tmp_path, None) == (
        Extension("Ada", until + timedelta(days=1), "ill; a note"),
    )
    change_extension(tmp_path, None, "Ada", None)
    assert read_extensions(tmp_path, None) == ()
    with pytest.raises(SubmissionError, match="Ada has no extension"):
        change_extension(tmp_path, None, "Ada", None)


def test_whoever_is_erased_leaves_no_extension(tmp_path: Path) -> None:
    """By name or by id; the others stay, and the rules of the class can still be read."""
    rules_of(tmp_path, "", "Ada Lovelace,2026-12-03 12:00Z,ill\n8,2026-12-04 12:00Z,Ada Lovelace\n")
    (tmp_path / "people.csv").rename(tmp_path / "roster.csv")
    terms = tmp_path / "submissions.yaml"
    terms.write_text("roster: roster.csv\n", "utf-8")
    forget_person(tmp_path, "Ada Lovelace", "Ada", "Quiet Otter")
    assert "ill" not in (tmp_path / "extensions.csv").read_text("utf-8")
    assert [each.person for each in read_terms(tmp_path).extensions] == ["8"]
    forget_person(tmp_path, "Blaise Pascal", "Blaise", "Loud Otter")
    assert read_terms(tmp_path).extensions == ()


def test_an_extension_counts_by_any_name_that_means_one_student(tmp_path: Path) -> None:
    """A line that the rules accept is never without effect."""
    rules = rules_of(
        tmp_path, 'deadline: "2026-12-01 12:00Z"\n', '"Lovelace, Ada",2026-12-03 12:00Z,\n'
    )
    later = datetime(2026, 12, 3, 12, tzinfo=UTC)
    assert rules.deadline_of("Ada Lovelace", "Ada") == later


def test_deadlines_of_groups_are_set_one_by_one(tmp_path: Path) -> None:
    """Also where the file has them on lines of their own."""
    rules_of(tmp_path, 'group_deadlines:\n  "001": "2026-12-02 12:00Z"\nper_day: 5\n')
    catalog = catalog_of(load_plugins())
    later = datetime(2026, 12, 4, 12, tzinfo=UTC)
    rules = set_group_deadline(tmp_path, "002", later, catalog)
    assert [group for group, _ in rules.group_deadlines] == ["001", "002"]
    assert rules.per_day == 5
    rules = set_group_deadline(tmp_path, "001", None, catalog)
    assert rules.group_deadlines == (("002", later),)
    with pytest.raises(SubmissionError, match="group 001 has no deadline of its own"):
        set_group_deadline(tmp_path, "001", None, catalog)
    with pytest.raises(ConfigError, match="a group of the roster"):
        set_group_deadline(tmp_path, "003", later, catalog)
    assert set_group_deadline(tmp_path, "002", None, catalog).group_deadlines == ()
    assert (tmp_path / "submissions.yaml").read_text("utf-8") == "roster: people.csv\nper_day: 5\n"


def standing(folder: Path, rules: SubmissionRules) -> list[tuple[str, str, int]]:
    """Give names, statuses and late days as a folder is judged now."""
    found = Submissions(folder, rules).versions()
    return [(each.name, each.status, each.late_days) for each in found]


ROSTER = Roster((Person("Ada", ("Ada",)), Person("Leo", ("Leo",)), Person("Eve", ("Eve",))))
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def test_what_a_platform_stated_is_judged_again_when_the_rules_change(tmp_path: Path) -> None:
    """A time, a mark, or nothing; taken in a week later, when there was no deadline yet."""
    desk, none = tmp_path / "desk", SubmissionRules(roster=ROSTER)
    how = {"check": passes, "keeps_known": True}
    for name, time, stated in (
        ("Ada", NOON + timedelta(hours=30), "time"),
        ("Eve", NOON + timedelta(days=7), "nothing"),
        ("Leo", NOON + timedelta(days=7), "late"),
    ):
        Submissions(desk, none).take(
            competitor(15), name, author=name, now=time, stated=stated, late_days=0, **how
        )  # type: ignore[call-overload]  # as named
    accepted = [(name, "accepted", 0) for name in ("Ada", "Eve", "Leo")]
    assert standing(desk, none) == accepted
    rules = SubmissionRules(roster=ROSTER, deadline=NOON)
    assert standing(desk, rules) == [
        ("Ada", "rejected", 2),
        ("Eve", "accepted", 0),
        ("Leo", "rejected", 1),
    ]
    opened = Submissions(desk, rules)
    assert [each.name for each in opened.current()] == ["Eve"]
    assert opened.versions("Eve")[0].untimed
    assert opened.versions("Leo")[0].reason.startswith(
        "The submission is 1 day late; the deadline was 2026"
    )
    later = SubmissionRules(roster=ROSTER, deadline=NOON, late_days=1)
    assert standing(desk, later)[2] == ("Leo", "accepted", 1)
    extended = Extension("Leo", NOON + timedelta(days=1), "ill")
    with_extension = SubmissionRules(roster=ROSTER, deadline=NOON, extensions=(extended,))
    assert standing(desk, with_extension)[2] == ("Leo", "accepted", 0)
    assert standing(desk, none) == accepted


def test_a_version_that_was_received_stays_accepted(tmp_path: Path) -> None:
    """Its author was told so; an extension still reduces its late days."""
    desk = tmp_path / "desk"
    late = SubmissionRules(roster=ROSTER, deadline=NOON, late_days=2)
    for name, hours in (("Ada", -1), ("Leo", 30)):
        Submissions(desk, late).take(
            competitor(15), name, author=name, now=NOON + timedelta(hours=hours), check=passes
        )
    received = [("Ada", "accepted", 0), ("Leo", "accepted", 2)]
    assert standing(desk, late) == received
    earlier = SubmissionRules(roster=ROSTER, deadline=NOON - timedelta(days=7))
    assert standing(desk, earlier) == received
    extended = Extension("Leo", NOON + timedelta(days=1), "ill")
    with_extension = SubmissionRules(
        roster=ROSTER, deadline=NOON, late_days=2, extensions=(extended,)
    )
    assert standing(desk, with_extension) == [("Ada", "accepted", 0), ("Leo", "accepted", 1)]
