"""What is handed in is kept in every version, and the right one plays."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tourney.checks.source import Source
from tourney.course.class_folder import Played, forget_versions
from tourney.course.folder import Submissions
from tourney.course.records import Rule
from tourney.course.roster import Person, Roster
from tourney.course.submission_rules import SubmissionRules
from tourney.errors import SubmissionError

from .conftest import NOON, Take, competitor, fails, passes, scores


def digests(desk: Submissions, rule: Rule | None = None) -> list[str]:
    """Give who plays."""
    return [each.digest for each in desk.current(rule)]


def test_a_submission_is_plain_files(desk: Submissions, take: Take) -> None:
    """Its source as it came, and a record that a person can read."""
    taken = take(17)
    place = desk.folder / "Ada" / competitor(17).digest
    assert desk.source_folder(taken) == place / "source"
    assert (place / "source" / "bold.py").read_text("utf-8") == competitor(17).files[0][1]
    record = json.loads((place / "record.json").read_text("utf-8"))
    assert record["name"] == "Ada"
    assert record["author"] == "ada"
    assert record["times"] == ["2026-11-20T12:00:00+00:00"]
    assert (record["kind"], record["status"]) == ("file", "accepted")
    assert record["report"] == {
        "passed": True,
        "score": None,
        "margin": None,
        "findings": [],
        "measured": [],
        "mistakes": [],
    }
    assert desk.read(taken) == competitor(17)
    assert Submissions(desk.folder).versions() == (taken,)


def test_the_last_good_version_plays(desk: Submissions, take: Take) -> None:
    """By default; a failing one is kept with its reason and changes nothing."""
    take(15)
    good = take(16)
    bad = take(17, fails)
    assert (bad.status, bad.plays) == ("rejected", False)
    assert bad.reason == "bold.py:7: expected a class, got 3; write a class"
    assert desk.current() == (good,)
    assert [each.status for each in desk.versions("Ada")] == ["accepted", "accepted", "rejected"]


def test_an_older_version_handed_in_again_plays_again(desk: Submissions, take: Take) -> None:
    """It is still one version, with two times."""
    first, second = take(15), take(16)
    again = take(15)
    assert again.digest == first.digest
    assert again.times == (NOON, NOON + timedelta(hours=2))
    assert desk.current() == (again,)
    assert len(desk.versions()) == 2
    assert second in desk.versions()


def test_what_came_last_may_come_again(desk: Submissions, take: Take) -> None:
    """As when a whole class is taken in every night: nothing changes, nothing is checked."""

    def never(source: Source) -> None:
        raise AssertionError("checked again")

    first = take(15)
    assert take(15, never, now=NOON + timedelta(days=9)) == first


def test_a_rejected_version_may_come_again(desk: Submissions, take: Take) -> None:
    """The check may have been mended since."""
    take(15, fails)
    assert desk.current() == ()
    assert take(15).plays
    assert len(desk.versions()) == 1


@pytest.mark.parametrize(("rule", "total"), [("last", 18), ("best", 16), ("pinned", 15)])
def test_the_rule_decides_which_version_plays(
    desk: Submissions, take: Take, rule: Rule, total: int
) -> None:
    """The last, the one that scored best, or the one that was pinned."""
    for each, score in ((15, 1.0), (16, 3.0), (17, 2.0), (18, 0.5)):
        take(each, scores(score))
    take(19, fails)
    desk.pin("Ada", competitor(15).digest[:8])
    assert digests(desk, rule) == [competitor(total).digest]


def test_without_scores_or_pins_the_last_plays(desk: Submissions, take: Take) -> None:
    """Where a rule does not decide; of equal scores the later one."""
    take(15)
    last = take(16)
    assert desk.current("best") == desk.current("pinned") == (last,)
    take(17, scores(1.0))
    equal = take(18, scores(1.0))
    assert desk.current("best") == (equal,)


def test_every_name_plays_once(desk: Submissions, take: Take) -> None:
    """By name; somebody without a good version is left out."""
    take(15)
    take(16)
    take(15, name="Bob", author="bob")
    take(15, fails, name="Cee", author="cee")
    assert [each.name for each in desk.current()] == ["Ada", "Bob"]
    assert desk.names() == ("Ada", "Bob", "Cee")


def test_a_withdrawn_version_plays_no_more(desk: Submissions, take: Take) -> None:
    """The one before it does; and it cannot come back."""
    first, second = take(15), take(16)
    desk.pin("Ada", second.digest)
    gone = desk.withdraw("Ada", second.digest, "copied")
    assert (gone.status, gone.reason) == ("withdrawn", "copied")
    assert desk.current() == desk.current("pinned") == (first,)
    with pytest.raises(SubmissionError, match=r"version .* was withdrawn: copied"):
        take(16)
    desk.terms = SubmissionRules(per_day=1)  # and tomorrow is no remedy
    with pytest.raises(SubmissionError, match=r"version .* was withdrawn: copied"):
        take(16)
    with pytest.raises(SubmissionError, match="may not play, because it was withdrawn"):
        desk.pin("Ada", second.digest)


def test_a_withdrawn_text_does_not_come_back_under_another_file_name(
    desk: Submissions, take: Take
) -> None:
    """As a learning platform renames what is handed in again; another text is another version."""
    desk.withdraw("Ada", take(15).digest, "copied")
    renamed = Source("file", (("bold-1.py", competitor(15).text),))
    later = {"name": "Ada", "author": "ada", "now": NOON + timedelta(days=1)}
    with pytest.raises(SubmissionError, match=r"was withdrawn: copied\. Submit another version"):
        desk.take(renamed, check=passes, **later)  # type: ignore[arg-type]  # as named
    assert take(16).plays


def test_what_is_spoilt_of_a_withdrawn_version_stops_nobody(desk: Submissions, take: Take) -> None:
    """It is still known by its digest."""
    gone = take(15)
    desk.withdraw("Ada", gone.digest, "copied")
    (desk.source_folder(gone) / "bold.py").unlink()
    assert take(16).plays
    with pytest.raises(SubmissionError, match=r"version .* was withdrawn: copied"):
        take(15)


@pytest.mark.parametrize("digest", ["", "ffff", "../.."])
def test_a_version_is_found_by_its_digest(desk: Submissions, take: Take, digest: str) -> None:
    """Or the message lists those that are there."""
    there = take(15).digest[:12]
    with pytest.raises(SubmissionError, match=rf"Ada has .* Its versions: {there}"):
        desk.withdraw("Ada", digest, "why")


def test_a_day_has_so_many_versions(desk: Submissions, take: Take) -> None:
    """The next day has as many again; failing ones count too."""
    desk.terms = SubmissionRules(per_day=2)
    take(15)
    take(16, fails)
    with pytest.raises(SubmissionError, match=r"limit of 2 versions a day \(UTC\)\."):
        take(17)
    assert len(desk.versions()) == 2
    assert take(17, now=NOON + timedelta(days=1)).plays
    assert take(15, name="Bob", author="bob").plays


def test_a_deadline_has_late_days(desk: Submissions, take: Take) -> None:
    """So many as the terms or the roster give; one that has begun counts."""
    deadline = NOON - timedelta(hours=1)
    roster = Roster((Person("ada", ("Ada",)), Person("bob", ("Bob",), late_days=2)))
    desk.terms = SubmissionRules(deadline=deadline, late_days=1, roster=roster)
    assert take(14, now=deadline).late_days == 0
    assert take(15, now=deadline + timedelta(seconds=1)).late_days == 1
    assert take(16, now=deadline + timedelta(days=1)).late_days == 1
    with pytest.raises(SubmissionError) as caught:
        take(17, now=deadline + timedelta(days=1, seconds=1))
    assert str(caught.value) == (
        "The submission is 2 days late; the deadline was 2026-11-20 11:00+00:00 "
        "(up to 1 day late are allowed). Ask the organiser."
    )
    late = take(17, name="Bob", author="bob", now=deadline + timedelta(days=2))
    assert late.late_days == 2


def test_a_name_belongs_to_its_author(desk: Submissions, take: Take) -> None:
    """Without a roster whoever had it first, also of those who hand in the very same."""
    take(15)
    for stand_from in (16, 15):
        with pytest.raises(
            SubmissionError, match="'Ada' belongs to 'ada', and you submit as 'eve'"
        ):
            take(stand_from, author="eve")


def test_a_roster_says_who_may_submit_as_whom(desk: Submissions, take: Take) -> None:
    """A team shares a name; nobody else has it."""
    team = ("Seine",)
    people = (Person("Blaise Pascal", team), Person("Ada Lovelace", ("Ada", *team)))
    desk.terms = SubmissionRules(roster=Roster(people))
    take(15, name="Seine", author="blaise pascal")
    take(16, name="Seine", author="Ada Lovelace")
    with pytest.raises(SubmissionError, match="Blaise Pascal plays as Seine on the roster"):
        take(17, name="Ada", author="Blaise Pascal")
    with pytest.raises(SubmissionError, match="author 'eve' is not on the roster"):
        take(17, name="Ada", author="eve")
    with pytest.raises(
        SubmissionError, match=r"\(did you mean 'Ada Lovelace'\?\)\. Give your name"
    ):
        take(17, name="Ada", author="Ada Lovelaze")
    with pytest.raises(SubmissionError, match=r"roster \(did you mean 'Seine'\?\)"):
        take(17, name="Sein", author="Blaise Pascal")


@pytest.mark.parametrize("name", ["ada", "A da", "Simple", "../Ada", ".lock", "Ada/.."])
def test_a_name_that_will_not_do_is_turned_away(desk: Submissions, take: Take, name: str) -> None:
    """Before anything is checked or written."""
    take(15)
    before = sorted(desk.folder.rglob("*"))
    with pytest.raises(SubmissionError, match="name "):
        take(16, name=name, author="eve")
    assert sorted(desk.folder.rglob("*")) == before
    assert not (desk.folder.parent / "Ada").exists()


def test_the_name_of_a_file_is_not_free(desk: Submissions, take: Take) -> None:
    """The organiser's own files lie in the same folder."""
    desk.folder.mkdir()
    (desk.folder / "roster.csv").write_text("person\n", "utf-8")
    with pytest.raises(SubmissionError, match=r"'roster\.csv': the folder has a file of this name"):
        take(15, name="roster.csv")


def test_a_source_that_was_changed_does_not_play(desk: Submissions, take: Take) -> None:
    """The digest tells."""
    taken = take(15)
    (desk.source_folder(taken) / "bold.py").write_text("cheat = True\n", "utf-8")
    with pytest.raises(SubmissionError, match="was changed after the submission"):
        desk.read(taken)


@pytest.mark.parametrize("text", ["", "{}", "[1]", "nothing", '{"name": "Ada", "times": []}'])
def test_a_record_that_was_damaged_is_named(desk: Submissions, take: Take, text: str) -> None:
    """With its path, so that it can be put back from a copy."""
    place = desk.source_folder(take(15)).parent / "record.json"
    place.write_text(text, "utf-8")
    with pytest.raises(SubmissionError, match=r"record\.json is damaged"):
        desk.versions()


def test_a_folder_that_was_moved_is_named(desk: Submissions, take: Take) -> None:
    """A version under somebody else's name would play for them."""
    take(15)
    (desk.folder / "Ada").rename(desk.folder / "Eve")
    with pytest.raises(SubmissionError, match=r"is the record of Ada \w+, not of Eve"):
        desk.current()


def test_what_else_lies_in_the_folder_is_left_alone(desk: Submissions, take: Take) -> None:
    """Notes of the organiser, and folders without versions."""
    take(15)
    (desk.folder / "notes.txt").write_text("mine\n", "utf-8")
    (desk.folder / "Bob" / "drafts").mkdir(parents=True)
    assert desk.names() == ("Ada",)
    assert take(16, name="Bob", author="bob").plays


def test_times_of_any_zone_are_kept(desk: Submissions) -> None:
    """And compared as what they are."""
    early = datetime.fromisoformat("2026-11-20T10:30:00+01:00")
    late = datetime(2026, 11, 20, 10, tzinfo=UTC)
    for total, now in ((16, late), (15, early)):
        desk.take(competitor(total), "Ada", author="ada", now=now, check=passes)
    assert [each.time for each in desk.versions()] == [early, late]


def test_a_chart_and_a_package_are_kept_too(desk: Submissions) -> None:
    """With their paths."""
    chart = Path(__file__).parents[3] / "strategies" / "charts" / "mimic.txt"
    files = (("bold/__init__.py", ""), ("bold/best.py", "x = 1\n"), ("pyproject.toml", PROJECT))
    for source, name in (
        (Source("chart", (("mimic.txt", chart.read_text("utf-8")),)), "Ada"),
        (Source("package", files), "Bob"),
    ):
        taken = desk.take(source, name, author="a", now=NOON, check=passes)
        assert desk.read(taken) == source
        assert taken.kind == source.kind


PROJECT = '[project]\nname = "bold"\n[project.entry-points.tourney]\nbold = "bold.best"\n'


def test_an_erased_member_of_a_team_leaves_no_note(desk: Submissions, take: Take) -> None:
    """The team's version stays, by a pseudonym; notes are in the words of their author."""
    taken = take(17, note="my own words")
    assert desk.versions() == (taken,)
    forget_versions(desk.folder, "ada", Played(own=(), shared=("Ada",)), "Moonlight")
    (left,) = desk.versions()
    assert (left.author, left.note, left.digest) == ("Moonlight", "", taken.digest)
    assert "my own words" not in (desk.folder / "Ada" / left.digest / "record.json").read_text()


def test_a_note_stays_when_a_version_comes_again_without_one(desk: Submissions, take: Take) -> None:
    """Also when another version came in between."""
    take(17, note="counts")
    take(16)
    again = take(17)
    assert (again.note, len(again.times)) == ("counts", 2)
