"""Submissions of a student: file names, notes, marked code, differences and scores."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.portal import folder_erasure, jobs, worker
from tourney.portal.jobs import get
from tourney.portal.marked_source import MOST_LINES as MOST_SHOWN
from tourney.portal.marked_source import MOST_LINES_COMPARED as MOST_LINES
from tourney.portal.marked_source import compare
from tourney.portal.versions import Version, keep, versions_of
from tourney.portal.web.version_pages import HEIGHT, Upload, score_chart, uploads_of

from .classes import CONFINED
from .hands import BROKEN, bold, do_checks, make_course, number_of
from .portals import Portal
from .test_own_data import archive_of, rows_of

MARKUP = "<b>bold</b> & 'more'"
ESCAPED = "&lt;b&gt;bold&lt;/b&gt; &amp; &#39;more&#39;"


def file_version(
    portal: Portal,
    text: str,
    digest: str,
    *,
    note: str = "",
    score: float | None = 1.5,
    findings: tuple[dict[str, object], ...] = (),
    mistakes: tuple[dict[str, object], ...] = (),
    who: str = "student",
    name: str = "bold.py",
) -> int:
    """File a version as if its upload had been checked; give its number."""
    course, player = portal.courses["cards"], who.title()
    payload = {"file": "check-0", "title": name, "note": note, "author": player}
    job = jobs.add(
        portal.database,
        "check",
        payload,
        course=course,
        account=portal.people[who],
        name=player,
    )
    status = "rejected" if findings else "accepted"
    jobs.finish(portal.database, job.id, {"status": status, "digest": digest, "reason": ""})
    report = {"passed": not findings, "score": score, "margin": 0.5, "findings": findings,
              "measured": [{"what": "Cost", "told": "3 µs a decision"}],
              **({"mistakes": mistakes} if mistakes else {})}  # fmt: skip
    made = Version(
        name=player, digest=digest, received=job.received, status=status,
        reason="bold.py:2: a fault" if findings else "", plays=not findings, report=report,
    )  # fmt: skip
    before = [
        (replace(each, plays=False), []) for each in versions_of(portal.database, course, player)
    ]
    keep(portal.database, course, player, [*before, (made, [(name, text)])])
    found = versions_of(portal.database, course, player)
    return next(each.id for each in found if each.digest == digest)


@CONFINED
def test_a_note_and_the_file_name_stay_with_the_version(portal: Portal) -> None:
    """The student and the staff see them; another student does not."""
    make_course(portal)
    student = portal.browser("student")
    files = {"file": ("bold.py", bold())}
    answer = student.post("/c/cards/hand-in", {"note": f"  first\t{MARKUP} "}, files)
    do_checks(portal)
    digest = get(portal.database, number_of(answer)).result["digest"]
    for who in ("student", "lecturer"):
        page = portal.browser(who).get("/c/cards/versions").text
        assert f"first {ESCAPED}" in page
        assert ">bold.py<" in page
    assert f"Note: first {ESCAPED}" in student.get("/c/cards/versions/1").text
    assert portal.browser("mate").get("/c/cards/versions/1").status_code == 404
    again = student.post("/c/cards/hand-in", files=files)
    do_checks(portal)
    assert get(portal.database, number_of(again)).result["digest"] == digest
    found = uploads_of(portal.database, portal.courses["cards"], "Student")
    assert found == {("Student", digest): Upload("bold.py", f"first {MARKUP}")}


@pytest.mark.parametrize(
    ("late_days", "excluded", "words"),
    [
        (0, "", r"until <time[^>]*>\w+ \d+ \w+ \d+, {grace} UTC</time>\."),
        (1, "", r"until <time.* UTC</time>; after <time[^>]*>[^<]* {end} UTC</time> it counts as"),
        (0, "left the class", None),
    ],
)
def test_an_accepted_submission_names_the_last_time_for_another(
    portal: Portal, late_days: int, excluded: str, words: str | None
) -> None:
    """With the grace period, also within it; an excluded student is offered none."""
    end = datetime.now(UTC) - timedelta(minutes=5)
    entry = {"person": "Student", "name": "Student", "groups": [], "excluded": excluded}
    rules = {"deadline": end.isoformat(), "grace_minutes": 30, "late_days": late_days}
    make_course(portal, people=[entry], **rules)
    file_version(portal, "x = 1\n", "a" * 64)
    page = portal.browser("student").get("/c/cards/handed/1").text
    assert "Accepted</strong>" in page
    found = re.search("You may submit again (.*)", page)
    assert bool(found) == (words is not None)
    assert (">Submit another</a>" in page) == (words is not None)
    if found and words:
        grace = end + timedelta(minutes=30)
        assert re.match(words.format(grace=f"{grace:%H:%M}", end=f"{end:%H:%M}"), found[1])


@pytest.mark.parametrize("note", ["a" * 201, "a\u202eb"])
def test_a_note_that_no_page_can_show_is_refused(portal: Portal, note: str) -> None:
    """It is too long, or has an invisible character; nothing is stored."""
    make_course(portal)
    files = {"file": ("bold.py", bold())}
    answer = portal.browser("student").post("/c/cards/hand-in", {"note": note}, files)
    assert answer.status_code == 422
    assert "Note: use at most 200 printable characters" in answer.text
    assert not list(portal.places.inbox.iterdir())


def test_a_note_is_exported_and_erased_with_its_student(portal: Portal) -> None:
    """A note of a team mate is neither in the export nor removed."""
    make_course(portal)
    file_version(portal, "own", "a1" * 16, note="zqnote")
    portal.database.execute(
        "UPDATE members SET name = 'Student' WHERE account = ?", (portal.people["mate"],)
    )
    payload = {"file": "check-0", "title": "bold.py", "note": "mates-note", "author": "Mate"}
    job = jobs.add(
        portal.database,
        "check",
        payload,
        course=portal.courses["cards"],
        account=portal.people["mate"],
        name="Student",
    )
    jobs.finish(portal.database, job.id, {"status": "accepted", "digest": "b2" * 16})
    student = portal.browser("student")
    archive = archive_of(student)
    assert [each["asked"]["note"] for each in json.loads(archive["jobs.json"])] == ["zqnote"]
    assert "mates-note" not in b"".join(archive.values()).decode()
    student.post("/account/data/erase", {"login": "student@example.org"})
    worker.do_all(portal.places, folder_erasure.HANDLERS)
    rows = list(rows_of(portal.places.database))
    assert not [row for row in rows if "zqnote" in row]
    assert [row for row in rows if "mates-note" in row]


def test_the_code_has_the_findings_at_their_lines(portal: Portal) -> None:
    """The list of findings leads there, and no sentence of the report is shown twice."""
    make_course(portal)
    finding = {"place": "bold.py:2", "message": "a fault", "remedy": "a fix", "is_warning": False}
    number = file_version(portal, "one\ntwo\nthree\n", "a1" * 16, findings=(finding,))
    page = portal.browser("student").get(f"/c/cards/versions/{number}").text
    assert '<a href="#line-0-2"><code>bold.py:2</code></a>: a fault' in page
    assert '<li class="marked" id="line-0-2">two<span class="finding">a fault</span></li>' in page
    assert "<li>three</li>" in page
    assert page.count("a fault") == 2  # in the list, and at the line
    assert "<summary>Report of the check</summary>" in page


@CONFINED
def test_the_result_of_a_check_is_shown_once(portal: Portal) -> None:
    """The findings state the reason; all lines of the report are folded."""
    make_course(portal)
    student = portal.browser("student")
    answer = student.post("/c/cards/hand-in", {"title": "bold.py", "text": BROKEN})
    do_checks(portal)
    job = get(portal.database, number_of(answer))
    page = student.get(answer.headers["location"]).text
    shown, _, folded = page.partition("<details>")
    message = job.result["findings"][0]["message"].split("'")[0]
    assert shown.count(message) == 1
    assert message in folded
    assert "Your code with these lines marked" in shown


def test_code_is_text_on_every_page_that_shows_it(portal: Portal) -> None:
    """With markup and with invisible characters, in the code and in its comparison."""
    make_course(portal)
    text = f"{MARKUP}\n# user\u202e \u2066\n"
    first = file_version(portal, "one\n", "a1" * 16, name="a&b.py")
    number = file_version(portal, text, "b2" * 16, name="a&b.py")
    for path in (f"{number}", f"{number}/compare?with={first}"):
        page = portal.browser("student").get(f"/c/cards/versions/{path}").text
        assert ESCAPED in page
        assert "<b>" not in page
        assert "a&amp;b.py" in page
        assert "user\\u202e \\u2066" in page
        assert "\u202e" not in page


def test_a_long_source_is_left_to_the_download(portal: Portal) -> None:
    """The page stays small."""
    make_course(portal)
    number = file_version(portal, "a\n" * MOST_SHOWN, "a1" * 16)
    page = portal.browser("student").get(f"/c/cards/versions/{number}").text
    assert "The source is too long to show here." in page
    assert len(page) < 20_000


def test_costly_decisions_are_a_table(portal: Portal) -> None:
    """Readable without colour; a report from before they were counted has no table."""
    make_course(portal)
    costly = {"situation": "hard 16 against 7", "answer": "stand", "best": "hit", "times": 1234,
              "cost_per_100": 0.512}  # fmt: skip
    with_costs = file_version(portal, "one\n", "a1" * 16, mistakes=(costly,))
    without = file_version(portal, "two\n", "b2" * 16)
    student = portal.browser("student")
    page = student.get(f"/c/cards/versions/{with_costs}").text
    row = page.partition('<th scope="row">hard 16 against 7</th>')[2].partition("</tr>")[0]
    assert row.startswith('<td>stand</td><td>hit</td><td class="n">1,234</td><td class="n">0.51<')
    assert "Costliest" not in student.get(f"/c/cards/versions/{without}").text


def test_two_versions_are_compared(portal: Portal) -> None:
    """In the order of the submissions; another student's version is not found."""
    make_course(portal)
    first = file_version(portal, bold(15).decode(), "a1" * 16)
    second = file_version(portal, bold(17).decode(), "b2" * 16)
    mates = file_version(portal, bold(12).decode(), "c3" * 16, who="mate")
    student = portal.browser("student")
    page = student.get(f"/c/cards/versions/{first}/compare?with={second}").text
    assert "<code>\u2212         return player.total &lt; 15</code>" in page
    assert "<code>+         return player.total &lt; 17</code>" in page
    assert "… unchanged lines …" in page
    assert f"/c/cards/versions/{second}/compare?with={first}" in (
        student.get(f"/c/cards/versions/{second}").text
    )
    path = f"/c/cards/versions/{first}/compare?with="
    assert "The files are equal." in student.get(f"{path}{first}").text
    for number in (mates, 99, 0):
        assert student.get(f"{path}{number}").status_code == 404
    assert portal.browser("lecturer").get(f"{path}{mates}").status_code == 200


def test_versions_with_too_many_differences_are_not_compared(portal: Portal) -> None:
    """Common beginnings and ends do not count."""
    same = "same\n" * 3 * MOST_LINES
    few, many = (
        [("a.py", f"{same}{line * MOST_LINES}{more}{same}")]
        for line, more in (("old\n", ""), ("new\n", "new\n"))
    )
    assert compare(few, [("a.py", f"{same}x\n{same}")]) is not None
    assert compare(few, many) is None


LINES = st.lists(st.sampled_from("abcd"), max_size=30)


@given(before=LINES, after=LINES)
def test_a_comparison_leads_from_one_version_to_the_other(
    before: list[str], after: list[str]
) -> None:
    """Both have the same lines left without those that were removed or added."""
    found = compare([("a.py", "\n".join(before))], [("a.py", "\n".join(after))])
    assert found is not None
    lines = [line for file in found for line in file.lines]
    removed = {each.before: each.text for each in lines if each.kind == "removed"}
    added = {each.after: each.text for each in lines if each.kind == "added"}
    assert all(before[number - 1] == text for number, text in removed.items() if number)
    assert all(after[number - 1] == text for number, text in added.items() if number)
    kept = [text for number, text in enumerate(before, 1) if number not in removed]
    assert kept == [text for number, text in enumerate(after, 1) if number not in added]
    same = [each for each in lines if each.kind == "same"]
    assert all(before[(each.before or 0) - 1] == after[(each.after or 0) - 1] for each in same)


def test_files_that_come_and_go_are_compared(portal: Portal) -> None:
    """A single file that was renamed is compared with its former name."""
    found = compare([("a.py", "1"), ("b.py", "2")], [("b.py", "2"), ("c.py", "3")])
    assert found is not None
    assert [(each.name, each.kind) for each in found] == [("a.py", "removed"), ("c.py", "added")]
    found = compare([("a.py", "1\n")], [("b.py", "2\n")])
    assert found is not None
    assert [(each.name, each.kind) for each in found] == [("a.py → b.py", "changed")]


def test_scores_over_submissions_are_a_chart_and_a_table(portal: Portal) -> None:
    """The chart needs two scores; a version without one is left out."""
    make_course(portal)
    student = portal.browser("student")
    file_version(portal, "1", "a1" * 16, score=-2.0)
    assert "<svg" not in student.get("/c/cards/versions").text
    file_version(portal, "2", "b2" * 16, score=None)
    file_version(portal, "3", "c3" * 16, score=4.0)
    page = student.get("/c/cards/versions").text
    assert "submission 1: \N{MINUS SIGN}2.0 ± 0.5; submission 3: +4.0 ± 0.5" in page
    assert "\N{MINUS SIGN}2.0 ± 0.5</td>" in page
    assert "-2." not in page
    assert page.count("<circle") == 2
    assert page.count('class="competing"') == 1
    assert "+4.0 ± 0.5</td>" in page


def test_a_chart_has_higher_scores_higher_up(portal: Portal) -> None:
    """All intervals and the line of zero are within it."""
    make_course(portal)
    for at, score in enumerate((1.0, -3.0, 2.0)):
        file_version(portal, str(at), f"{at}a" * 16, score=score)
    found = versions_of(portal.database, portal.courses["cards"], "Student")
    chart = score_chart(list(enumerate(sorted(found, key=lambda each: each.id), 1)))
    assert chart
    assert chart.zero is not None
    first, second, third = chart.points
    assert third.y < first.y < chart.zero < second.y
    assert first.x < second.x < third.x
    assert all(0 < each.high < each.y < each.low < HEIGHT for each in chart.points)
    assert (chart.least, chart.greatest) == (-3.5, 2.5)
