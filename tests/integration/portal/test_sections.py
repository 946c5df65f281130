"""Staff looks at people, uploads and results of one section, and pages through what was done."""

import html
import json

import pytest

from tourney.portal import accounts, audit, boards, graded_tests, jobs
from tourney.portal.boards import PortalRun
from tourney.portal.invites import open_invites

from .hands import add_handed_in
from .portals import Portal

SECTIONS = {"Student": ["001"], "Mate": ["002", "evening"], "Absent": ["002"]}
EVERYBODY = ["Mate", "Student"]


@pytest.fixture(autouse=True)
def _roster(portal: Portal) -> None:
    """Begin with a roster in sections."""
    people = [
        {"person": name, "name": name, "groups": groups, "excluded": False}
        for name, groups in SECTIONS.items()
    ]
    told = json.dumps({"people": people, "tests": "ve280"})
    portal.database.execute("UPDATE courses SET told = ? WHERE slug = 'cards'", (told,))


def shown(portal: Portal, path: str, section: str = "", who: str = "lecturer") -> str:
    """Give what a page shows of a section, without the form that asks for one."""
    page = portal.browser(who).get(f"/c/cards/{path}?section={section}").text
    return html.unescape(page.partition("<main")[2].rpartition("</main>")[0])


def names_on(page: str) -> list[str]:
    """Give who stands in the cells of tables."""
    return [name for name in EVERYBODY if f">{name}</td>" in page or f">{name}</th>" in page]


def the_final(portal: Portal) -> PortalRun:
    """Show staff a board of two sections."""
    run = boards.note_run(portal.database, portal.courses["cards"], "final", 1, "Cup")
    column = {"name": "entrant", "title": "Entrant", "is_number": False}
    rows = [
        {"cells": [{"text": name, "value": name}], "group": "; ".join(SECTIONS[name])}
        for name in EVERYBODY
    ]
    told = {
        "title": "Cup", "state": "over", "said": [], "columns": [column], "rows": rows,
        "groups": ["001", "002", "evening"],
    }  # fmt: skip
    boards.show_board(portal.database, run.id, "staff", told, {})
    practised = boards.note_run(portal.database, portal.courses["cards"], "practice", 1, "Practice")
    boards.show_board(portal.database, practised.id, "course", told, {})
    return run


@pytest.mark.parametrize(
    ("section", "names"),
    [("", EVERYBODY), ("001", ["Student"]), ("evening", ["Mate"]), ("003", EVERYBODY)],
)
def test_every_list_of_staff_is_of_one_section(
    portal: Portal, section: str, names: list[str]
) -> None:
    """People, versions, tests and results; a section that nobody is in is none."""
    for who in ("student", "mate"):
        add_handed_in(portal, who)
        job = jobs.add(
            portal.database, "tests", {"title": "a.py"}, course=1, account=portal.people[who],
            name=who.title(),
        )  # fmt: skip
        jobs.finish(portal.database, job.id, {"caught": 1, "bugs": 85, "faulty": 0})
        graded_tests.keep(portal.database, job.id, [("a.py", "")])
    run = the_final(portal)
    for path in ("people", "versions", "tests", "board", f"final/{run.id}/staff"):
        page = shown(portal, path, section)
        assert names_on(page) == names, path
        assert ("<option selected>" in page) == (section not in {"", "003"})


def test_who_is_missing_is_said_by_section(portal: Portal) -> None:
    """Of one in which everybody has joined, that they have."""
    assert "All students of section 001 have joined." in shown(portal, "people", "001")
    page = shown(portal, "people", "002")
    assert "1 of section 002:" in page
    assert '<td class="who">Absent</td><td>002</td>' in page


def test_codes_of_a_section_leave_those_of_others(portal: Portal) -> None:
    """Which an assistant of another section has handed out already."""
    for who in ("student", "mate"):
        accounts.remove_member(portal.database, portal.courses["cards"], portal.people[who])
    lecturer = portal.browser("lecturer")
    page = shown(portal, "people", "002")
    assert "Download codes for all of section 002 who have not joined (CSV)" in page
    assert '<input type="hidden" name="section" value="002">' in page
    fields = {"role": "student", "section": "001"}
    first = lecturer.post("/c/cards/codes", fields).content.decode("utf-8-sig")
    assert first.startswith("person,plays as,section,code\nStudent,Student,001,")
    others = lecturer.post("/c/cards/codes", fields | {"section": "002"}).content.decode(
        "utf-8-sig"
    )
    assert others.count("\n") == 3
    assert "Mate,Mate,002; evening," in others
    made = [each.name for _, each, *_ in open_invites(portal.database, portal.courses["cards"])]
    assert sorted(made) == ["Absent", "Mate", "Student"]
    unknown = lecturer.post("/c/cards/codes", fields | {"section": "009"})
    assert unknown.status_code == 422


def test_what_is_on_the_way_is_said_by_section(portal: Portal) -> None:
    """As what is filed is."""
    for who in ("student", "mate"):
        jobs.add(
            portal.database, "check", {"title": "a.py"}, course=1, account=portal.people[who],
            name=who.title(),
        )  # fmt: skip
    assert "Mate, received" in shown(portal, "versions", "002")
    assert "Student, received" not in shown(portal, "versions", "002")


def test_a_board_of_one_section_stands_still(portal: Portal) -> None:
    """What comes would be of everybody."""
    path = f"final/{the_final(portal).id}/staff"
    assert "data-live" in shown(portal, path)
    page = shown(portal, path, "002")
    assert "data-live" not in page
    assert "Reload" in page


def test_students_see_their_own_whatever_they_ask_for(portal: Portal) -> None:
    """Nothing of a section."""
    add_handed_in(portal, "mate")
    assert not names_on(shown(portal, "versions", "002", "student"))
    the_final(portal)
    assert names_on(shown(portal, "board", "002", "student")) == EVERYBODY
    assert shown(portal, "people", "002", "student").count("001") == 0


def test_what_was_done_in_a_course_comes_in_pages(portal: Portal) -> None:
    """And by act; of other courses there is nothing."""
    lecturer = portal.browser("lecturer")
    for number in range(audit.A_PAGE + 2):
        audit.note(portal.database, "practice changed", course=1, tables=number)
    audit.note(portal.database, "final asked for", course=1)
    audit.note(portal.database, "codes made", course=2)
    newest = lecturer.get("/c/cards/audit").text
    assert newest.count("<td>practice changed</td>") == audit.A_PAGE - 1
    assert "<td>final asked for</td>" in newest
    assert "codes made" not in newest
    older = html.unescape(newest).partition("Older")[0].rpartition('href="')[2].partition('"')[0]
    rest = lecturer.get(older).text
    assert rest.count("<td>practice changed</td>") == 3
    assert "Older" not in rest
    chosen = lecturer.get("/c/cards/audit?act=final+asked+for").text
    assert "<td>practice changed</td>" not in chosen
    assert "<td>final asked for</td>" in chosen
