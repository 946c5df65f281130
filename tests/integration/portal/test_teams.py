"""Teams by invitation: formed, left and changed, on a class with a roster."""

import html
import re
from contextlib import closing
from threading import Barrier, Thread

import pytest

from tourney.course.folder import Submissions
from tourney.course.roster import Person
from tourney.course.roster_file import read_roster
from tourney.errors import PortalError
from tourney.portal import boards, course_jobs, grade_jobs, jobs, runner, team_jobs, worker
from tourney.portal.accounts import account_by, add_account, add_member
from tourney.portal.course_jobs import tell_all
from tourney.portal.database import open_database
from tourney.portal.notices import notices_of
from tourney.portal.personal_rules import Waiver, lifted, waive
from tourney.portal.team_jobs import HANDLERS
from tourney.portal.versions import Version, keep
from tourney.portal.worker import do_all

from .classes import CONFINED, TOURNAMENT, hand_in, player
from .hands import bold, do_checks, number_of
from .hands import hand_in as upload
from .portals import Portal
from .test_finals import look

PATH = "/c/cards/team"
NAMES = {"student": "Ann Alder", "mate": "Ben Birch", "cem": "Cem Cedar", "dan": "Dan Dogwood"}
ROSTER = "person,as,email,handle\n" + "".join(f"{each},{each},,\n" for each in NAMES.values())
TERMS = "game: ve280\nroster: roster.csv\nlargest_team: 2\n"


@pytest.fixture(autouse=True)
def course(portal: Portal) -> Submissions:
    """A class of four that allows teams of two."""
    folder = portal.places.course("cards")
    folder.mkdir(parents=True)
    (folder / "submissions.yaml").write_text(TERMS)
    (folder / "roster.csv").write_text(ROSTER)
    for who in ("cem", "dan"):
        portal.people[who] = add_account(portal.database, f"{who}@example.org", who.title())
    for who, name in NAMES.items():
        number = portal.people[who]
        add_member(portal.database, 1, number, "student", person=name, name=name)
    tell_all(portal.places)
    return Submissions(folder)


def allow(portal: Portal, largest: int) -> None:
    """Set the largest team."""
    path = portal.places.course("cards") / "submissions.yaml"
    path.write_text(TERMS.replace("team: 2", f"team: {largest}"))
    tell_all(portal.places)


def do(portal: Portal) -> None:
    """Let the checker do what waits."""
    do_all(portal.places, HANDLERS)


def invite(portal: Portal, who: str, mate: str) -> int:
    """Invite somebody; give the status of the answer."""
    browser = portal.browser(who)
    return browser.post(f"{PATH}/invite", {"mate": str(portal.people[mate])}).status_code


def numbers(portal: Portal, who: str) -> list[str]:
    """Give the invitations that somebody may accept."""
    return re.findall(r"team/(\d+)/accept", portal.browser(who).get(PATH).text)


def accept(portal: Portal, who: str) -> int:
    """Accept the newest invitation; give the status of the answer."""
    sql = "SELECT max(id) FROM team_invites WHERE mate = ?"
    row = portal.database.first(sql, (portal.people[who],))
    assert row
    return portal.browser(who).post(f"{PATH}/{row[0]}/accept").status_code


def form(portal: Portal, who: str, mate: str) -> None:
    """Let two students form a team."""
    assert invite(portal, who, mate) == 303
    assert accept(portal, mate) == 303
    do(portal)


def person(portal: Portal, who: str) -> Person:
    """Give somebody's line of the roster."""
    roster = read_roster(portal.places.course("cards") / "roster.csv")
    return next(each for each in roster.people if each.person == NAMES[who])


def plays_as(portal: Portal, who: str) -> str:
    """Give the player name of somebody's account."""
    account = account_by(portal.database, portal.people[who])
    assert account
    return account.memberships[1].name


def kinds(portal: Portal, who: str) -> list[str]:
    """Give the kinds of somebody's notices, newest first."""
    return [each.kind for each in notices_of(portal.database, portal.people[who])]


def faults(portal: Portal, who: str) -> str:
    """Give what the page of the team says is wrong."""
    return html.unescape(portal.browser(who).get(PATH).text).partition('role="alert">')[2][:300]


def plays(portal: Portal, name: str) -> None:
    """Let a version of a name play."""
    filed = hand_in(
        Submissions(portal.places.course("cards")), name, player(), author=NAMES["student"]
    )
    version = Version(name=name, digest=filed, received="2026-01-01", status="accepted", reason="",
                      plays=True, report={})  # fmt: skip
    keep(portal.database, 1, name, [(version, [])])


def test_two_students_become_one_player(portal: Portal) -> None:
    """The roster has the team, both play under its name, and both hear of it."""
    browser = portal.browser("student")
    shown = browser.get(PATH).text
    assert re.findall(r'<option value="\d+">([^<]+)', shown) == list(NAMES.values())[1:]
    form(portal, "student", "mate")
    assert person(portal, "student").names == ("Ann Alder and Ben Birch", "Ann Alder")
    assert person(portal, "mate").names == ("Ann Alder and Ben Birch", "Ben Birch")
    assert plays_as(portal, "student") == plays_as(portal, "mate") == "Ann Alder and Ben Birch"
    for who in ("student", "mate"):
        page = portal.browser(who).get(PATH).text
        assert "You play as <strong>Ann Alder and Ben Birch</strong>" in page
        assert "Leave the team" in page
        assert "Invite a classmate" not in page, "it is full"
        link = '<a href="/c/cards/team">Ann Alder and Ben Birch</a>'
        assert f"You play as the team {link}." in portal.browser(who).get("/c/cards").text
    assert kinds(portal, "mate") == ["team invitation"]
    assert kinds(portal, "student") == ["team answer"]
    others = re.findall(r'<option value="\d+">([^<]+)', portal.browser("cem").get(PATH).text)
    assert others == ["Dan Dogwood"]


def test_a_student_is_warned_before_a_submission_without_a_team(portal: Portal) -> None:
    """And reads of an invitation on the page of the course."""
    invite(portal, "student", "mate")
    student, mate = portal.browser("student"), portal.browser("mate")
    assert "Ann Alder invites you to a team." in mate.get("/c/cards").text
    assert "invites you" not in student.get("/c/cards").text
    assert "You are in no team." in mate.get("/c/cards/hand-in").text
    (number,) = numbers(portal, "mate")
    mate.post(f"{PATH}/{number}/accept")
    do(portal)
    assert "invites you" not in mate.get("/c/cards").text
    assert "You are in no team." not in mate.get("/c/cards/hand-in").text


def test_an_invitation_is_declined_or_withdrawn(portal: Portal) -> None:
    """It can be neither accepted nor ended afterwards."""
    invite(portal, "student", "mate")
    (number,) = numbers(portal, "mate")
    assert portal.browser("mate").post(f"{PATH}/{number}/end").status_code == 303
    assert kinds(portal, "student") == ["team answer"]
    assert "declined" in portal.browser("student").get("/notices").text
    for act in ("accept", "end"):
        assert portal.browser("mate").post(f"{PATH}/{number}/{act}").status_code == 422
    invite(portal, "student", "mate")
    (number,) = numbers(portal, "mate")
    assert portal.browser("student").post(f"{PATH}/{number}/end").status_code == 303
    assert numbers(portal, "mate") == []
    assert portal.browser("mate").post(f"{PATH}/{number}/accept").status_code == 422


@pytest.mark.parametrize("who", ["outsider", "lecturer", "spectator", "student", "nobody"])
def test_only_classmates_of_the_list_are_invited(portal: Portal, who: str) -> None:
    """Nobody of another course, no staff, not oneself, and nobody who does not exist."""
    portal.people["nobody"] = 999
    assert invite(portal, "student", who) == 422
    assert kinds(portal, who) == []


def test_nobody_else_can_answer_an_invitation(portal: Portal) -> None:
    """Neither a classmate nor the student who invites, nor from another course."""
    invite(portal, "student", "mate")
    (number,) = numbers(portal, "mate")
    for who in ("student", "cem"):
        assert portal.browser(who).post(f"{PATH}/{number}/accept").status_code == 422
    assert portal.browser("cem").post(f"{PATH}/{number}/end").status_code == 422
    other = f"/c/other/team/{number}/accept"
    assert portal.browser("outsider").post(other).status_code == 422
    add_member(portal.database, 2, portal.people["mate"], "student", person="Ben", name="Ben")
    assert portal.browser("mate").post(other).status_code == 422
    do(portal)
    assert person(portal, "mate").team == ""


def test_accepting_twice_is_accepting_once(portal: Portal) -> None:
    """Before and after the checker has done it."""
    invite(portal, "student", "mate")
    (number,) = numbers(portal, "mate")
    path = f"{PATH}/{number}/accept"
    assert portal.browser("mate").post(path).status_code == 303
    assert portal.browser("mate").post(path).status_code == 422
    assert portal.browser("student").post(f"{PATH}/{number}/end").status_code == 422
    do(portal)
    assert portal.browser("mate").post(path).status_code == 422
    assert len(jobs.of_course(portal.database, 1, ["team"])) == 1


def test_uploads_wait_while_a_team_is_formed(portal: Portal) -> None:
    """The name is the team's by then, and a roster may still have the earlier one."""
    invite(portal, "student", "mate")
    assert accept(portal, "mate") == 303
    upload = jobs.add(
        portal.database,
        "check",
        {},
        course=portal.courses["cards"],
        account=portal.people["student"],
        name="Ann Alder and Ben Birch",
    )
    team = jobs.take(portal.database, ["team"])
    assert team
    assert jobs.take(portal.database, ["check"]) is None
    jobs.release(portal.database, ["team"])  # as after a kill
    assert jobs.take(portal.database, ["check"]) is None
    jobs.finish(portal.database, team.id, {})
    taken = jobs.take(portal.database, ["check"])
    assert taken
    assert taken.id == upload.id


def test_of_two_who_accept_the_last_place_one_gets_it(portal: Portal) -> None:
    """At the same time, in two threads of the checker."""
    for mate in ("mate", "cem"):
        invite(portal, "student", mate)
    for mate in ("mate", "cem"):
        assert accept(portal, mate) == 303
    barrier = Barrier(2)

    def work() -> None:
        with closing(open_database(portal.places)) as database:
            job = jobs.take(database, ["team"])
            assert job
            barrier.wait()
            worker._do(portal.places, database, job, HANDLERS["team"])

    threads = [Thread(target=work) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    team = person(portal, "student").team
    inside = [who for who in ("mate", "cem") if person(portal, who).team == team]
    (outside,) = {"mate", "cem"} - {*inside}
    assert len(inside) == 1
    assert "team: it is full; the largest team has 2 students" in faults(portal, outside)
    assert plays_as(portal, outside) == NAMES[outside]
    assert invite(portal, "student", "dan") == 422, "full"


def test_two_students_who_invite_each_other_form_one_team(portal: Portal) -> None:
    """Whichever is accepted first; the other invitation cannot be accepted any more."""
    invite(portal, "student", "mate")
    invite(portal, "mate", "student")
    assert accept(portal, "student") == accept(portal, "mate") == 303
    do(portal)
    assert person(portal, "student").team == person(portal, "mate").team != ""
    roster = read_roster(portal.places.course("cards") / "roster.csv")
    assert len({each.team for each in roster.people}) == 2


def test_a_third_student_joins_where_teams_may_be_larger(portal: Portal) -> None:
    """The name stays; any member may invite."""
    allow(portal, 3)
    form(portal, "student", "mate")
    form(portal, "mate", "cem")
    assert {person(portal, who).team for who in ("student", "mate", "cem")} == {
        "Ann Alder and Ben Birch"
    }
    assert kinds(portal, "student")[0] == "team change"


def test_members_leave_until_a_submission_plays(portal: Portal) -> None:
    """Who is left of two plays alone again, and both can form another team."""
    form(portal, "student", "mate")
    assert portal.browser("mate").post(f"{PATH}/leave").status_code == 303
    do(portal)
    for who in ("student", "mate"):
        assert person(portal, who).names == (NAMES[who],)
        assert plays_as(portal, who) == NAMES[who]
    assert kinds(portal, "student")[0] == "team change"
    assert portal.browser("mate").post(f"{PATH}/leave").status_code == 422
    form(portal, "student", "cem")
    plays(portal, "Ann Alder and Cem Cedar")
    assert "Leave the team" not in portal.browser("cem").get(PATH).text
    assert portal.browser("cem").post(f"{PATH}/leave").status_code == 303
    do(portal)
    assert "so its members stay" in faults(portal, "cem")
    assert person(portal, "cem").team


def test_a_student_whose_submission_plays_joins_no_team(portal: Portal) -> None:
    """Otherwise they would have two players, or the marks of others."""
    invite(portal, "mate", "student")
    invite(portal, "student", "cem")
    plays(portal, "Ann Alder")
    assert invite(portal, "student", "dan") == 422
    assert numbers(portal, "student") == [], "no button that would be refused"
    assert "Ann Alder" not in portal.browser("dan").get(PATH).text
    for who in ("student", "cem"):
        accept(portal, who)
        do(portal)
        assert "a submission of Ann Alder plays already" in faults(portal, who)
    assert person(portal, "student").team == ""


@CONFINED
def test_everybody_of_a_team_submits_and_sees_its_reports(portal: Portal) -> None:
    """And nobody else does; an upload from before is not filed under the own name."""
    early = number_of(upload(portal.browser("mate"), bold()))
    invite(portal, "student", "mate")
    accept(portal, "mate")
    do(portal)
    assert "an upload waits for its check" in faults(portal, "mate")
    portal.database.execute("UPDATE jobs SET state = 'replaced' WHERE id = ?", (early,))
    accept(portal, "mate")
    do(portal)
    portal.database.execute("UPDATE jobs SET state = 'queued' WHERE id = ?", (early,))
    for who, total in (("student", 15), ("mate", 17)):
        job = number_of(upload(portal.browser(who), bold(total)))
    do_checks(portal)
    assert jobs.get(portal.database, early).fault.startswith(
        "name 'Ben Birch': you are in the team"
    )
    filed = Submissions(portal.places.course("cards")).versions()
    assert [(each.name, each.author) for each in filed] == [
        ("Ann Alder and Ben Birch", "Ann Alder"),
        ("Ann Alder and Ben Birch", "Ben Birch"),
    ]
    for who, status in (("student", 200), ("mate", 200), ("cem", 404)):
        assert portal.browser(who).get(f"/c/cards/handed/{job}").status_code == status
        assert portal.browser(who).get("/c/cards/versions/2").status_code == status
    home = portal.browser("student").get("/c/cards").text
    assert "Ann Alder and Ben Birch competes" in home


BOOK = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Cup (7)\r\n"
    '"    Points Possible",,,,,10\r\n'
    "Ann Alder,101,a1,a,001,\r\nBen Birch,102,b2,b,001,\r\nCem Cedar,103,c3,c,001,\r\n"
)


def play_final(portal: Portal) -> boards.PortalRun:
    """Let a team of two and Cem play a final."""
    form(portal, "student", "mate")
    plays(portal, "Ann Alder and Ben Birch")
    folder = portal.places.course("cards")
    hand_in(Submissions(folder), "Cem Cedar", player(12), author="Cem Cedar")
    (folder / "tournament.yaml").write_text(TOURNAMENT)
    jobs.add(portal.database, "final", {"title": "Cup"}, course=1)
    do_all(portal.places, runner.HANDLERS)
    (run,) = boards.runs_of(portal.database, 1, "final")
    return run


@CONFINED
def test_everybody_of_a_team_gets_feedback_of_their_own(portal: Portal) -> None:
    """The name of the team is the name of both, and no obstacle."""
    run = play_final(portal)
    look(portal)
    do_all(portal.places, runner.HANDLERS)
    for who in ("student", "mate", "cem"):
        page = portal.browser(who).get(f"/c/cards/final/{run.id}/feedback").text
        assert f"<h1>Feedback for {NAMES[who]}</h1>" in page
    assert "could not be created" not in portal.browser("lecturer").get("/c/cards/finals").text


@CONFINED
def test_everybody_of_a_team_gets_its_marks(portal: Portal) -> None:
    """The team is one entrant of the final."""
    run = play_final(portal)
    fields = {"column": "Cup (7)", "by": "place", "points": "", "least": "0", "absent": "0"}
    files = {"gradebook": ("book.csv", BOOK.encode())}
    lecturer = portal.browser("lecturer")
    answer = lecturer.post(f"/c/cards/final/{run.id}/grades", fields, files)
    do_all(portal.places, grade_jobs.HANDLERS)
    number = answer.headers["location"].rpartition("/")[2]
    rows = [row.split(",") for row in lecturer.get(f"/c/cards/grades/{number}").text.splitlines()]
    marks = {row[0]: row[-1] for row in rows[2:]}
    assert marks["Ann Alder"] == marks["Ben Birch"] != marks["Cem Cedar"]
    assert sorted({float(each) for each in marks.values()}) == [0, 10]


def test_staff_see_and_change_teams(portal: Portal) -> None:
    """Of any size and also when a submission plays, which stays with the team."""
    lecturer = portal.browser("assistant")
    assert "There are no teams." in lecturer.get("/c/cards/teams").text
    path = portal.places.course("cards") / "roster.csv"
    path.write_text(f"{path.read_text()}Ann Alder,Ann Alder 2,,\n")
    tell_all(portal.places)
    assert ">Ann Alder (Ann Alder 2)</option>" in lecturer.get("/c/cards/teams").text

    def change(who: str, team: str) -> str:
        name = f"{NAMES[who]} ({plays_as(portal, who)})"
        answer = lecturer.post("/c/cards/teams", {"whom": name, "team": team})
        assert answer.status_code == 303
        do(portal)
        return html.unescape(lecturer.get(answer.headers["location"]).text)

    for who in ("student", "mate", "cem"):
        assert "Saved." in change(who, "Crew")
    assert "Ann Alder, Ben Birch, Cem Cedar" in lecturer.get("/c/cards/teams").text
    assert kinds(portal, "cem") == ["team change"]
    plays(portal, "Crew")
    assert "Saved." in change("cem", "")
    assert (person(portal, "cem").team, plays_as(portal, "cem")) == ("", "Cem Cedar")
    assert "Saved." in change("mate", "")
    assert person(portal, "student").team == "Crew", "the player of the submission"
    assert "a student plays as 'Dan Dogwood'" in change("mate", "Dan Dogwood")
    assert "a spreadsheet would take it for a formula" in change("mate", "=1+1")
    assert lecturer.post("/c/cards/teams", {"whom": "x", "team": "a"}).status_code == 422
    assert "team changed" in lecturer.get("/c/cards/audit").text
    assert portal.browser("student").get("/c/cards/teams").status_code == 403


def test_students_form_no_teams_where_the_lecturer_does_not_allow_them(portal: Portal) -> None:
    """Which is so until a largest team is set; the roster's teams are shown all the same."""
    invite(portal, "student", "mate")
    (number,) = numbers(portal, "mate")
    allow(portal, 1)
    page = portal.browser("student").get(PATH).text
    assert "Students of this course play alone." in page
    assert "Invite a classmate" not in page
    assert invite(portal, "student", "cem") == 422
    assert portal.browser("mate").post(f"{PATH}/{number}/accept").status_code == 422
    assert portal.browser("mate").post(f"{PATH}/leave").status_code == 422
    assert 'href="/c/cards/team"' not in portal.browser("student").get("/c/cards").text


def test_the_lecturer_sets_the_largest_team(portal: Portal) -> None:
    """With the other rules of the course."""
    browser = portal.browser("lecturer")
    assert browser.post("/c/cards/terms", {"largest_team": "4"}).status_code == 303
    do_all(portal.places, course_jobs.HANDLERS)
    assert Submissions(portal.places.course("cards")).terms.largest_team == 4
    assert 'name="largest_team" min="1" max="20" value="4"' in browser.get("/c/cards/organise").text
    assert browser.post("/c/cards/terms", {"largest_team": "0"}).status_code == 422


def test_a_waiver_follows_its_student_into_a_team(portal: Portal) -> None:
    """And out of it."""
    waive(
        portal.database,
        1,
        Waiver(0, "Ben Birch", "Ben Birch", ("per_day",), "ill", "2036-01-01T00:00:00+00:00"),
    )
    form(portal, "student", "mate")
    moment = "2026-12-01T00:00:00+00:00"
    own = ("Ben Birch", "Ann Alder and Ben Birch")
    assert lifted(portal.database, 1, *own, moment)[0] == ("per_day",)
    portal.browser("student").post(f"{PATH}/leave")
    do(portal)
    assert lifted(portal.database, 1, "Ben Birch", "Ben Birch", moment)[0] == ("per_day",)


def test_the_deadline_of_the_student_who_submits_counts(portal: Portal) -> None:
    """As for every team of a roster: an extension serves the team if its student submits."""
    form(portal, "student", "mate")
    folder = portal.places.course("cards")
    (folder / "submissions.yaml").write_text(TERMS + "deadline: '2036-12-01 12:00+00:00'\n")
    (folder / "extensions.csv").write_text(
        "person,until,reason\nBen Birch,2036-12-03 12:00+00:00,ill\n"
    )
    tell_all(portal.places)
    terms, team = Submissions(folder).terms, "Ann Alder and Ben Birch"
    days = [terms.deadline_of(NAMES[who], team) for who in ("student", "mate")]
    assert [each.day for each in days if each] == [1, 3]
    assert "1 Dec 2036" in portal.browser("student").get("/c/cards").text
    assert "3 Dec 2036" in portal.browser("mate").get("/c/cards").text


def test_a_team_that_is_written_into_the_roster_is_the_same(portal: Portal) -> None:
    """Members who have joined before play under its name when the roster is read again."""
    path = portal.places.course("cards") / "roster.csv"
    lines = [f"{each},{each},Crew" for each in list(NAMES.values())[:2]]
    path.write_text("\n".join(["person,as,team", *lines, "Cem Cedar,Cem Cedar,"]) + "\n")
    tell_all(portal.places)
    assert plays_as(portal, "student") == plays_as(portal, "mate") == "Crew"
    assert plays_as(portal, "cem") == "Cem Cedar"
    assert "You play as <strong>Crew</strong>" in portal.browser("mate").get(PATH).text


@pytest.mark.parametrize("step", ["write_whole", "tell_change"])
def test_a_checker_that_is_killed_leaves_no_half_a_team(
    portal: Portal, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Before and after the roster is written; the job starts again and ends well."""

    def killed(*_: object, **__: object) -> None:
        raise RuntimeError

    for act in ("join", "leave"):
        if act == "join":
            invite(portal, "student", "mate")
            accept(portal, "mate")
        else:
            portal.browser("mate").post(f"{PATH}/leave")
        with monkeypatch.context() as patch:
            patch.setattr(team_jobs, step, killed)
            with closing(open_database(portal.places)) as database:
                job = jobs.take(database, ["team"])
                assert job
                with pytest.raises(RuntimeError):
                    team_jobs.change_team(team_jobs.Context(portal.places, database, job))
                jobs.release(database, ["team"])
        do(portal)
        team = "Ann Alder and Ben Birch" if act == "join" else ""
        for who in ("student", "mate"):
            assert person(portal, who).team == team
            assert plays_as(portal, who) == (team or NAMES[who])


def test_invitations_go_with_an_account(portal: Portal) -> None:
    """Those of the person and those to them, and nobody can answer one afterwards."""
    invite(portal, "student", "mate")
    invite(portal, "cem", "student")
    invite(portal, "cem", "dan")
    browser = portal.browser("student")
    answer = browser.post("/account/data/erase", {"login": "student@example.org"})
    assert answer.status_code == 200
    rows = tuple(portal.database.read(tuple, "SELECT account, mate FROM team_invites"))
    assert rows == ((portal.people["cem"], portal.people["dan"]),)
    assert numbers(portal, "mate") == []


def test_too_many_invitations_are_refused(portal: Portal) -> None:
    """And a second one to the same classmate, while the first is open."""
    assert invite(portal, "student", "mate") == 303
    assert invite(portal, "student", "mate") == 422
    for _ in range(19):
        browser = portal.browser("student")
        number = re.findall(r"team/(\d+)/end", browser.get(PATH).text)[0]
        browser.post(f"{PATH}/{number}/end")
        assert invite(portal, "student", "mate") == 303
    assert invite(portal, "student", "cem") == 422


def test_a_namesake_and_a_handle_do_not_stop_a_team(portal: Portal) -> None:
    """A team has one pseudonym in common, and a name that is free."""
    path = portal.places.course("cards") / "roster.csv"
    path.write_text(
        "person,as,handle\nAnn Alder,Ann Alder,Silent Owl\nBen Birch,Ben Birch,Grey Fox\n"
        "Cem Cedar,Ann Alder and Ben Birch,\nDan Dogwood,Dan Dogwood,\n"
    )
    tell_all(portal.places)
    form(portal, "student", "mate")
    assert person(portal, "mate").team == "Ann Alder and Ben Birch 2"
    assert {person(portal, who).handle for who in ("student", "mate")} == {"Silent Owl"}


def test_a_team_that_is_formed_anew_has_no_new_daily_limit(portal: Portal) -> None:
    """Submissions of its students count under every name of the day."""

    def submit(who: str) -> None:
        asked = {"course": 1, "account": portal.people[who], "name": plays_as(portal, who)}
        job = jobs.add(portal.database, "check", {}, per_day=2, **asked)
        jobs.finish(portal.database, job.id, {"status": "rejected"})

    def leave() -> None:
        assert portal.browser("student").post(f"{PATH}/leave").status_code == 303
        do(portal)

    form(portal, "student", "mate")
    submit("student")
    submit("mate")
    leave()
    submit("mate")
    form(portal, "student", "cem")
    submit("cem")
    with pytest.raises(PortalError, match="has used its 2 submissions of today"):
        submit("cem")
    leave()
    form(portal, "student", "mate")
    with pytest.raises(PortalError, match="has used its 2 submissions of today"):
        submit("student")
