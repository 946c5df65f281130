"""Somebody's data: all of it in one archive, and gone once they are erased."""

import csv
import html
import io
import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tourney.cli import main
from tourney.course.folder import Submissions
from tourney.course.rejections_log import Refusal, keep_refusals, read_refusals
from tourney.course.submission_rules import read_terms
from tourney.portal import (
    boards,
    course_jobs,
    folder_erasure,
    follower,
    jobs,
    practice,
    runner,
    sessions,
    worker,
)
from tourney.portal.audit import note
from tourney.portal.checker import Checks
from tourney.portal.course_runs import Showing
from tourney.portal.database import hash_of, now, open_database, set_setting, time_text
from tourney.portal.erasure import KIND, ask, erase, sweep
from tourney.portal.follower import Follower
from tourney.portal.invites import Invite, make_code, make_invites
from tourney.portal.own_data import PARTS, READ_ME
from tourney.portal.sessions import add_token
from tourney.portal.versions import keep, versions_of
from tourney.portal.worker import Context, Handler
from tourney.report.redaction import Policy
from tourney.store.records import EntrantRecord
from tourney.store.store import Store

from .classes import CONFINED, TOURNAMENT, hand_in, make_class, player
from .hands import add_handed_in
from .portals import Browser, Portal

PASSWORD = "four words in a row"  # noqa: S105 - of nobody
CANARIES: Mapping[str, str] = {
    "login": "zqlogin@zz.example",
    "name": "Zqaccount Someone",
    "person": "Zqperson",
    "surname": "Zqsurname",
    "id": "zqid77",
    "mail": "zqmail@zz.example",
    "reason": "zqreason of health",
    "agent": "zqagent",
    "token": "zqtoken",
    "file": "zqfile",
    "source": "zqcomment",
    "note": "zqnote on a version",
}
"""What is nowhere but where somebody has put it."""
OWN = set(CANARIES) - {"id", "mail"}
"""What a person gets as own data; the rest stands on the roster, and in previews of it."""
STAYS: Mapping[tuple[str, str], str] = {
    ("tourney.db", "person"): "the digest of a final is over the name that was played under",
    ("tourney.db", "surname"): "likewise",
    ("tourney.db", "file"): "the source that played is what `verify` plays again",
    ("tourney.db", "source"): "likewise",
}
"""What is left after an erasure, by the file's name and the canary, and why."""
GRADEBOOK = f"""\
First name,Last name,ID number,Email address
{CANARIES["person"]},{CANARIES["surname"]},{CANARIES["id"]},{CANARIES["mail"]}
Emmy,Noether,en,emmy@example.org
"""
HANDLERS = {**course_jobs.HANDLERS, **folder_erasure.HANDLERS, KIND: sweep}


def do(portal: Portal) -> None:
    """Do everything that waits, as all processes would, and look at what came of it."""
    every = {**HANDLERS, **practice.HANDLERS, **runner.HANDLERS, **Checks.load().handlers}
    while worker.do_all(portal.places, every):
        pass
    with (
        closing(open_database(portal.places)) as database,
        closing(Follower(portal.places, database)) as follower,
    ):
        follower.look()


def open_class(portal: Portal) -> Mapping[str, str]:
    """Take a gradebook in; give everybody's code."""
    lecturer = portal.browser("lecturer")
    files = {"gradebook": ("grades.csv", GRADEBOOK.encode())}
    begun = lecturer.post("/c/cards/roster", files=files)
    do(portal)
    lecturer.post("/c/cards/roster/keep", {"job": begun.headers["location"].rpartition("/")[2]})
    do(portal)
    folder = portal.places.course("cards")
    (folder / "tournament.yaml").write_text(TOURNAMENT, encoding="utf-8")
    for who in ("student", "mate"):  # of the fixture, who are on no roster
        portal.database.execute("DELETE FROM members WHERE account = ?", (portal.people[who],))
    rows = csv.DictReader(
        io.StringIO(lecturer.post("/c/cards/codes", {"role": "student"}).text.lstrip("\ufeff"))
    )
    return {row["plays as"]: row["code"] for row in rows}


def joined(portal: Portal, code: str, login: str, name: str) -> Browser:
    """Let somebody join; give their browser."""
    browser = portal.browser()
    fields = {"login": login, "name": name, "password": PASSWORD, "code": code}
    agent = {"user-agent": CANARIES["agent"]} if login == CANARIES["login"] else {}
    assert browser.post("/join", fields, **agent).status_code == 303
    return browser


def whole_course(portal: Portal) -> Browser:
    """Let two go through a course: uploads, an exception, a match, practice, a final, its pages."""
    codes = open_class(portal)
    person = next(each for each in codes if CANARIES["person"] in each)
    gone = joined(portal, codes[person], CANARIES["login"], CANARIES["name"])
    other = joined(portal, codes["Emmy Noether"], "emmy@example.org", "Emmy")
    lecturer = portal.browser("lecturer")
    lecturer.post("/c/cards/terms", {"date": "2036-12-01", "time": "12:00"})
    do(portal)
    until = {"date": "2036-12-03", "time": "12:00", "because": CANARIES["reason"]}
    offered = re.findall(r'value="(student [^"]*)"', lecturer.get("/c/cards/extensions").text)
    (whom,) = [each for each in map(html.unescape, offered) if CANARIES["person"] in each]
    for kind in ("deadline", "per_day"):
        fields = {"whom": whom, "kind": kind, **until}
        assert lecturer.post("/c/cards/extensions", fields).status_code == 303
    do(portal)
    assert CANARIES["reason"] in (portal.places.course("cards") / "extensions.csv").read_text()
    gone.post("/account/tokens", {"title": CANARIES["token"]})
    source = f"# {CANARIES['source']}\n{player(14)}".encode()
    file = f"{CANARIES['file']}.py"
    note = {"note": CANARIES["note"]}
    assert gone.post("/c/cards/hand-in", note, {"file": (file, source)}).status_code == 303
    other.post("/c/cards/hand-in", files={"file": ("emmy.py", player(17).encode())})
    do(portal)
    broken = {"file": (file, b"zqcomment is no Python")}
    assert gone.post("/c/cards/hand-in", files=broken).status_code == 303
    mate = portal.database.first("SELECT name FROM members WHERE person = 'Emmy Noether'")
    assert mate
    assert gone.post("/c/cards/matches", {"opponent": mate[0]}).status_code == 303
    assert other.post("/c/cards/matches/1/agree").status_code == 303
    assert other.post("/c/cards/matches", {"opponent": person}).status_code == 303
    wanted = {"title": "Cup", "audience": "public", "names": "names"}
    assert lecturer.post("/c/cards/finals/new", wanted).status_code == 303
    do(portal)
    lecturer.post(f"/c/cards/final/{the_final(portal).id}/publish")
    do(portal)
    return gone


def archive_of(browser: Browser) -> Mapping[str, bytes]:
    """Download somebody's archive; give its files."""
    answer = browser.post("/account/data/export")
    assert answer.status_code == 200, answer.text
    with ZipFile(io.BytesIO(answer.content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def the_final(portal: Portal) -> boards.PortalRun:
    """Give the one final there is."""
    (run,) = boards.runs_of(portal.database, portal.courses["cards"], "final")
    return run


def found(portal: Portal) -> set[tuple[str, str]]:
    """Give where a canary stands: the name of a file or of a table, and which canary it is."""
    seen = set()
    for path in portal.places.root.rglob("*"):
        texts = [str(path.relative_to(portal.places.root))]
        if path.is_file():
            texts.append(path.read_bytes().decode("latin-1"))
        if path.suffix == ".db":  # long texts lie in pieces in the file itself
            texts += rows_of(path)
        seen |= {
            (path.name, name)
            for name, word in CANARIES.items()
            if any(word.casefold() in text.casefold() for text in texts)
        }
    return seen


def rows_of(path: Path) -> Iterator[str]:
    """Give every row of every table of a database."""
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (name,) in tables.fetchall():
            for row in connection.execute(f"SELECT * FROM {name}"):  # noqa: S608 - names of ours
                yield str(row)


@pytest.mark.prove
@CONFINED
def test_nothing_of_who_is_erased_is_left_but_what_digests_are_over(
    portal: Portal, capsys: pytest.CaptureFixture[str]
) -> None:
    """In any table and any file; the final still gives its digests, and its pages are its own."""
    gone = whole_course(portal)
    assert CANARIES["reason"] in portal.browser("lecturer").get("/c/cards/audit").text
    archive = archive_of(gone)
    everything = b"".join(archive.values()).decode()
    assert {name for name, word in CANARIES.items() if word in everything} == OWN
    assert "Emmy" not in everything
    assert [name for name in archive if name.startswith("sources/")]
    assert {each["run"] for each in json.loads(archive["results.json"])} > {"Cup"}
    before = found(portal)
    assert {name for file, name in before if file == "portal.db"} == set(CANARIES)
    assert {("roster.csv", "id"), ("roster.csv", "mail"), ("index.html", "person")} <= before
    assert gone.post("/account/data/erase", {"login": CANARIES["login"]}).status_code == 200
    do(portal)
    assert not any(
        word.casefold() in row.casefold()
        for row in rows_of(portal.places.database)
        for word in CANARIES.values()
    )
    ask(portal.database)  # the next sweep takes it out of the free room of the files, too
    do(portal)
    assert found(portal) == set(STAYS)
    run, store = the_final(portal), portal.places.final_store("cards")
    capsys.readouterr()
    assert main(["verify", "--full", "--store", str(store), "--workers", "1"]) == 0
    site = portal.places.site("cards", run.id)
    assert main(["verify", "--site", str(site), "--full"]) == 0
    assert "name and source of 1 of the entrants" in capsys.readouterr().out
    assert "extension granted" in portal.browser("lecturer").get("/c/cards/audit").text
    (handle,) = run.settings["withheld"].values()
    page = portal.browser().get(f"/c/cards/final/{run.id}").text
    assert handle in page
    assert "Emmy" in page
    assert [each.title for each in boards.runs_of(portal.database, run.course, "practice")]
    assert not boards.runs_of(portal.database, run.course, "match")
    terms = read_terms(portal.places.course("cards"))
    assert terms.roster
    assert [each.excluded for each in terms.roster.people] == ["erased", ""]


def test_an_archive_has_nothing_of_a_team_mate_or_a_rival(portal: Portal) -> None:
    """Who has the same name to play under, and a match with its owner."""
    course = portal.courses["cards"]
    student, mate = portal.people["student"], portal.people["mate"]
    add_handed_in(portal)
    portal.database.execute("UPDATE members SET name = 'Student' WHERE account = ?", (mate,))
    own = versions_of(portal.database, course, "Student")[0]
    others = replace(own, digest="a1" * 16, reason="mates-reason")
    sources = [[("bold.py", "own-source")], [("bold.py", "mates-source")]]
    keep(portal.database, course, "Student", list(zip((own, others), sources, strict=True)))
    for who, name in ((student, "own-words"), (mate, "mates-words")):
        jobs.add(portal.database, "check", {"author": name}, course=course, account=who)
        sql = (
            "INSERT INTO overrides (course, person, name, limits, because, until) "
            "VALUES (?, ?, ?, ?, ?, ?)"
        )
        person = "Student" if who == student else "Mate"
        portal.database.execute(sql, (course, person, "Student", "[]", name, now()))
    match = {"names": ["Student", "Mate"], "accounts": [student, mate]}
    job = jobs.add(portal.database, "match", match, course=course, account=student)
    portal.database.execute(
        "INSERT INTO matches (course, account, mate, opponent, made, job) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (course, student, mate, "Mate", now(), job.id),
    )
    archive = archive_of(portal.browser("student"))
    everything = b"".join(archive.values()).decode()
    assert "Mate" not in everything
    assert "mates-" not in everything
    assert "own-words" in archive["jobs.json"].decode()
    assert "own-words" in archive["exceptions.json"].decode()
    assert [each["digest"] for each in json.loads(archive["versions.json"])] == ["3f" * 16]
    assert json.loads(archive["matches.json"])[0]["strategy"] == "a classmate"
    assert set(PARTS) < set(archive)
    assert all(name in archive[READ_ME].decode() for name in PARTS)


def test_an_archive_has_nothing_that_somebody_could_sign_in_with(portal: Portal) -> None:
    """Neither codes nor their hashes."""
    number = portal.people["student"]
    portal.database.execute(
        "UPDATE accounts SET password = 'argon-hash', totp = 'a-secret' WHERE id = ?", (number,)
    )
    with portal.database.transaction():
        token = add_token(portal.database, number, "my laptop")
    browser = portal.browser("student")
    everything = b"".join(archive_of(browser).values()).decode()
    assert "my laptop" in everything
    for secret in ("argon-hash", "a-secret", token, browser.cookies["tourney"]):
        assert secret not in everything
        assert hash_of(secret) not in everything


@pytest.mark.parametrize("path", ["/account/data/export", "/account/data/erase", "/erase"])
def test_who_has_not_shown_who_they_are_is_asked_first(portal: Portal, path: str) -> None:
    """And nothing is done."""
    browser = portal.browser("admin")
    portal.database.execute("UPDATE sessions SET proved = '2026-01-01T00:00:00.000000+00:00'")
    answer = browser.post(path, {"login": "mate@example.org", "again": "mate@example.org"})
    assert answer.status_code == 403
    assert "Confirm your password to continue." in answer.text
    assert portal.database.first("SELECT count(*) FROM accounts WHERE erased IS NOT NULL") == (0,)


def test_nobody_is_erased_by_one_press(portal: Portal) -> None:
    """The own login has to be typed; then every session is over."""
    browser, other = portal.browser("student"), portal.browser("student")
    assert browser.post("/account/data/erase", {"login": "mate@example.org"}).status_code == 422
    assert other.get("/account").status_code == 200
    assert browser.post("/account/data/erase", {"login": "student@example.org"}).status_code == 200
    assert other.get("/account").status_code == 303
    answer = portal.browser().post("/join", {"code": "none", "login": "student@example.org"})
    assert answer.status_code == 422


def test_an_administrator_erases_who_asks(portal: Portal) -> None:
    """The line in the log has numbers, and the log calls nobody by name."""
    admin = portal.browser("admin")
    wrong = {"login": "student@example.org", "again": "mate@example.org"}
    assert admin.post("/erase", wrong).status_code == 422
    login = "student@example.org"
    assert admin.post("/erase", {"login": login, "again": login.upper()}).status_code == 200
    assert admin.post("/erase", {"login": login, "again": login}).status_code == 422
    number = portal.people["student"]
    line = portal.database.first("SELECT account, about FROM audit WHERE act = 'account erased'")
    assert line == (portal.people["admin"], json.dumps({"of": number}))
    page = portal.browser("lecturer").get("/c/cards/audit").text
    assert f"of: Account {number}" in page or f"(account {number})" in page
    assert "Student" not in portal.browser("lecturer").get("/c/cards/people").text


@pytest.mark.parametrize(("who", "words"), [("admin", "administrator"), ("lecturer", "Cards:")])
def test_whoever_nobody_could_replace_stays(portal: Portal, who: str, words: str) -> None:
    """Until somebody else looks after the portal, or the course."""
    browser, form = portal.browser(who), {"login": f"{who}@example.org"}
    answer = browser.post("/account/data/erase", form)
    assert answer.status_code == 422
    assert words in answer.text
    if who == "admin":
        portal.database.execute("UPDATE accounts SET is_admin = 1 WHERE login LIKE 'mate%'")
    else:
        portal.database.execute("UPDATE members SET role = 'lecturer' WHERE role = 'assistant'")
    assert browser.post("/account/data/erase", form).status_code == 200


def erased(portal: Portal, who: str = "student") -> None:
    """Erase somebody, without what the checker does."""
    with portal.database.transaction():
        erase(portal.database, portal.people[who], None)


@CONFINED
def test_what_a_team_handed_in_stays_without_who_did(portal: Portal) -> None:
    """And what is the person's own is gone."""
    course = make_class(portal)
    folder = portal.places.course("cards")
    (folder / "roster.csv").write_text(
        "person,as,ids,team\nStudent,Student,id7,Crew\nMate,Mate,id8,Crew\n"
    )
    (folder / "submissions.yaml").write_text("game: ve280\nroster: roster.csv\n")
    for name, author in (("Crew", "Student"), ("Student", "Student"), ("Mate", "Mate")):
        hand_in(course, name, player(), author)
    refused = [Refusal(datetime.now(UTC), "a.py", "refused", n, n, "") for n in ("Student", "Mate")]
    keep_refusals(folder, refused)
    jobs.add(portal.database, "practice", {}, course=portal.courses["cards"])
    jobs.add(portal.database, "final", {}, course=portal.courses["cards"])
    do(portal)
    erased(portal)
    worker.do_all(portal.places, HANDLERS)
    stores = (portal.places.practice_store("cards"), portal.places.final_store("cards"))
    for path in stores:
        with Store.open(path, create=False) as store:
            authors = {each.name[:4]: each.author for each in store.run(1).entrants}
            assert authors == {"Crew": None, "Mate": "Mate", "Stud": None}
    there = Submissions(folder)
    assert there.names() == ("Crew", "Mate")
    (crew,) = there.versions("Crew")
    assert there.terms.roster
    first, second = there.terms.roster.people
    assert (first.excluded, first.ids, first.team) == ("erased", (), "")
    assert crew.author not in {"Student", "Mate", ""}
    assert second.names == ("Crew", "Mate")
    assert [each.person for each in read_refusals(folder)] == ["Mate"]
    assert "Student" not in (folder / "roster.csv").read_text()
    assert not portal.database.first(
        "SELECT 1 FROM members WHERE account = ?", (portal.people["student"],)
    )


def test_a_namesake_is_left_alone(portal: Portal) -> None:
    """Who is on the roster under the same name, and plays under another; also the second time."""
    folder = portal.places.course("cards")
    course = make_class(portal)
    (folder / "roster.csv").write_text("person,as\nStudent,Student\nStudent,Mate\n")
    (folder / "submissions.yaml").write_text("game: ve280\nroster: roster.csv\n")
    for name in ("Student", "Mate"):
        hand_in(course, name, player(), "Student")
    erased(portal)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folder_erasure, "tell_again", _killed)
        worker.do_all(portal.places, {**HANDLERS, "erase": _once(folder_erasure.erase_member)})
    portal.database.execute("UPDATE jobs SET state = 'queued', tries = 0 WHERE kind = 'erase'")
    worker.do_all(portal.places, HANDLERS)
    (version,) = course.versions()
    assert (version.name, version.author) == ("Mate", "Student")
    terms = read_terms(folder)
    assert terms.roster
    assert [each.names[0] for each in terms.roster.people if not each.excluded] == ["Mate"]


STEPS = ("_withhold", "forget_versions", "_forget_told", "forget_person", "tell_again")
"""Of taking somebody out of a course's folder, in order."""


@pytest.mark.parametrize("step", STEPS)
def test_who_is_killed_while_erasing_leaves_nothing_in_the_end(portal: Portal, step: str) -> None:
    """Whichever step it was before: the next one begins again."""
    folder = portal.places.course("cards")
    course = make_class(portal)
    (folder / "roster.csv").write_text("person,as\nStudent,Student\nMate,Mate\n")
    (folder / "submissions.yaml").write_text("game: ve280\nroster: roster.csv\n")
    for name in ("Student", "Mate"):
        hand_in(course, name, player())
        add_handed_in(portal, name.lower())
    erased(portal)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folder_erasure, step, _killed)
        worker.do_all(portal.places, {**HANDLERS, "erase": _once(folder_erasure.erase_member)})
    assert any("Student" in row for row in rows_of(portal.places.database))
    portal.database.execute("UPDATE jobs SET state = 'queued', tries = 0 WHERE kind = 'erase'")
    worker.do_all(portal.places, HANDLERS)
    assert not [row for row in rows_of(portal.places.database) if "Student" in row]
    assert course.names() == ("Mate",)
    assert "Student" not in (folder / "roster.csv").read_text()
    sql = "SELECT count(*) FROM jobs WHERE kind = 'forget' AND state = 'queued'"
    assert portal.database.first(sql) == (1,)


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


def _once(handler: Handler) -> Handler:
    """Have a handler end as if its process had been killed."""

    def handle(context: Context) -> Mapping[str, Any]:
        with pytest.raises(KeyboardInterrupt):
            handler(context)
        return {}

    return handle


def test_a_course_without_a_folder_is_left_too(portal: Portal) -> None:
    """There is nothing in it."""
    erased(portal)
    worker.do_all(portal.places, HANDLERS)
    assert not portal.database.first(
        "SELECT 1 FROM members WHERE account = ?", (portal.people["student"],)
    )


@CONFINED
def test_results_that_are_sealed_call_nobody_by_a_name_that_is_erased(portal: Portal) -> None:
    """What was shown before they were sealed is shown with a handle, and still sealed."""
    course = make_class(portal)
    for name, total in (("Student", 14), ("Mate", 16)):
        hand_in(course, name, player(total))
    job = jobs.add(portal.database, "final", {"title": "Cup"}, course=portal.courses["cards"])
    do(portal)
    assert jobs.get(portal.database, job.id).result["status"] == "played"
    run = the_final(portal)
    board = boards.board_of(portal.database, run.id, "course")
    assert board
    assert "Student" in board.shown
    boards.change(portal.database, run, withheld={"1": "Quiet Heron 1000"})
    names = {each.number: each.name for each in entrants(portal)}
    sealed = Showing((), (), Policy(freeze=datetime.now(UTC)), withheld={names[1]: "Quiet Heron"})
    shown, own = follower._sealed(run, sealed, board)
    assert names[1] not in json.dumps(shown)
    assert "Quiet Heron" in json.dumps(shown)
    assert names[1] not in own
    assert names[0] in own


def entrants(portal: Portal) -> tuple[EntrantRecord, ...]:
    """Give who plays in the final."""
    with Store.open(portal.places.final_store("cards"), create=False) as store:
        return store.run(1).entrants


def test_a_sweep_removes_what_has_had_its_time(portal: Portal) -> None:
    """And nothing else, and asks for the next one."""
    database, old = portal.database, "2026-01-01T00:00:00.000000+00:00"
    number = portal.people["student"]
    portal.browser("student")
    kept, gone = add_handed_in(portal)[0], add_handed_in(portal, "mate")[0]
    for job in (kept, gone):
        jobs.say(database, job, "a line")
    database.execute("UPDATE jobs SET finished = ? WHERE id = ?", (old, gone))
    with database.transaction():
        add_token(database, number, "serves")
        add_token(database, number, "too old")
        database.execute("UPDATE tokens SET expires = ? WHERE title = 'too old'", (old,))
        make_invites(database, [Invite(portal.courses["cards"], "spectator") for _ in range(2)])
    make_code(database, "reset", number)
    make_code(database, "reset", portal.people["mate"])
    database.execute("UPDATE codes SET expires = ? WHERE account = ?", (old, number))
    first = "(SELECT min(hash) FROM invites)"
    database.execute(f"UPDATE invites SET used = ? WHERE hash = {first}", (old,))  # noqa: S608 - ours
    database.execute("INSERT INTO sign_ins VALUES ('h', 'n', 'v', '/', ?, '')", (old,))
    sessions.begin(database, number, "old")
    database.execute("UPDATE sessions SET seen = ? WHERE agent = 'old'", (old,))
    ask(database)
    worker.do_all(portal.places, HANDLERS)
    for table, count in (("tokens", 1), ("invites", 1), ("codes", 1), ("sign_ins", 0)):
        assert database.first(f"SELECT count(*) FROM {table}") == (count,), table  # noqa: S608 - ours
    assert database.first("SELECT count(*) FROM sessions WHERE agent = 'old'") == (0,)
    assert database.first("SELECT count(*) FROM sessions") != (0,)
    assert (jobs.said(database, kept), jobs.said(database, gone)) == (("a line",), ())
    rows = database.read(iter, "SELECT state FROM jobs WHERE kind = ? ORDER BY id", (KIND,))
    assert [state for (state,) in rows] == ["done", "queued"]
    assert worker.do_all(portal.places, HANDLERS) == 0


def test_feedback_and_filled_gradebooks_are_removed_when_they_have_had_their_time(
    portal: Portal,
) -> None:
    """Those of other finals and other days stay; for ever, if that is set."""
    database, course = portal.database, portal.courses["cards"]
    old = time_text(datetime.now(UTC) - timedelta(days=400))
    for at, kind in enumerate(("grades", "roster", "terms"), start=1):
        for is_old in (True, False):
            job = jobs.add(database, kind, {}, course=course)
            jobs.say(database, job.id, "a line")
            jobs.finish(database, job.id, {"status": "shown"})
            if is_old:
                database.execute("UPDATE jobs SET finished = ? WHERE id = ?", (old, job.id))
        run = boards.note_run(database, course, "final", at, "Cup")
        ended = (old, now(), None)[at - 1]
        database.execute("UPDATE runs SET finished = ? WHERE id = ?", (ended, run.id))
        database.execute("INSERT INTO answers VALUES (?, 'Student', '', '<p>')", (run.id,))
    kinds = "SELECT kind FROM jobs WHERE kind <> 'sweep' ORDER BY kind"
    runs = "SELECT number FROM answers JOIN runs ON runs.id = run ORDER BY number"
    everything = ["grades", "grades", "roster", "roster", "terms", "terms"]
    for days, left, told in (
        ("0", everything, [1, 2, 3]),
        ("100", [*everything[::2], "terms"], [2, 3]),
    ):
        for name in ("keep_grades_days", "keep_feedback_days"):
            set_setting(database, name, days)
        ask(database)
        worker.do_all(portal.places, HANDLERS)
        assert [kind for (kind,) in database.read(iter, kinds)] == left
        assert [number for (number,) in database.read(iter, runs)] == told


def test_whoever_is_in_no_course_and_was_not_seen_is_erased_if_that_is_set(portal: Portal) -> None:
    """By default nobody is; who has come back meanwhile is not."""
    database, long_ago = portal.database, time_text(datetime.now(UTC) - timedelta(days=400))
    database.execute("UPDATE accounts SET made = ?", (long_ago,))
    database.execute("DELETE FROM members WHERE role IN ('student', 'spectator')")
    note(database, "signed in", account=portal.people["mate"])
    for days, count in (("0", 0), ("365", 3)):  # student, spectator and outsider
        set_setting(database, "keep_accounts_days", days)
        ask(database)
        worker.do_all(portal.places, HANDLERS)
        row = database.first("SELECT count(*) FROM accounts WHERE erased IS NOT NULL")
        assert row == (count,)


def test_no_line_of_the_log_can_hold_a_name(portal: Portal) -> None:
    """It outlives whoever it is about."""
    with pytest.raises(AssertionError):
        note(portal.database, "exception made", person="Ada")


def test_what_could_not_be_erased_is_tried_again(
    portal: Portal, caplog: pytest.LogCaptureFixture
) -> None:
    """Here because of a roster that nobody can read; whoever looks after the portal is told."""
    make_class(portal)
    roster = portal.places.course("cards") / "roster.csv"
    roster.write_text("nothing of the kind\n")
    erased(portal)
    worker.do_all(portal.places, HANDLERS)
    number = portal.people["student"]
    assert (
        f"account {number} is not yet erased from course {portal.courses['cards']}" in caplog.text
    )
    roster.write_text("person,as\nStudent,Student\n")
    ask(portal.database)
    while worker.do_all(portal.places, HANDLERS):
        pass
    assert "Student" not in roster.read_text()
    assert not portal.database.first("SELECT 1 FROM members WHERE account = ?", (number,))
