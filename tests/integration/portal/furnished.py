"""A course in which everything has happened, and where its pages are.

Written into the portal's tables as its processes would, rather than played. `ADDRESSES` has a row
for every page that is asked for by GET; pages that differ by what there is stand in it by several
addresses. Whatever people can call something is called by `called`, so that a test can put there
what must never be more than text.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from html import escape

from tourney.portal import (
    accounts,
    audit,
    boards,
    graded_tests,
    jobs,
    notices,
    sessions,
)
from tourney.portal.assignments import add_assignment
from tourney.portal.boards import Place, PortalRun
from tourney.portal.database import now, set_setting
from tourney.portal.invites import Invite, make_invites
from tourney.portal.versions import Version, keep, versions_of

from .hands import BROKEN, bold
from .portals import Portal

ADDRESSES: Mapping[str, tuple[str, ...]] = {
    "home": ("/",),
    "health": ("/healthz",),
    "metrics": ("/metrics",),
    "robots": ("/robots.txt",),
    "sign-in": ("/sign-in", "/sign-in?back=/account"),
    "openid-answer": ("/sign-in/openid",),
    "set-up": ("/set-up?code=abc",),
    "account": ("/account",),
    "reset": ("/reset?code=abc",),
    "second": ("/account/second",),
    "join": ("/join", "/join?code=abc"),
    "tokens": ("/account/tokens",),
    "new-course": ("/new-course",),
    "course": ("/c/cards", "/c/cards-two", "/c/empty"),
    "new-assignment": ("/c/cards/assignments/new", "/c/cards-two/assignments/new"),
    "organise": (
        "/c/cards/organise",
        "/c/cards-two/organise",
        "/c/cards-new/organise",
        "/c/empty/organise",
    ),
    "extensions": (
        "/c/cards/extensions",
        "/c/cards/extensions?change=section+001",
        "/c/empty/extensions",
    ),
    "people": ("/c/cards/people", "/c/cards/people?section=001", "/c/empty/people"),
    "sources": ("/c/cards/sources", "/c/empty/sources"),
    "audit": ("/c/cards/audit", "/c/cards/audit?act=codes+made", "/c/empty/audit"),
    "doing": tuple(
        f"/c/cards/doing/{{{each}}}"
        for each in (
            *("asked", "roster", "kept", "terms", "fault", "graded"),
            *("file", "changed", "faulty", "extended"),
        )
    ),
    "hand-in": ("/c/cards/hand-in", "/c/empty/hand-in"),
    "handed": tuple(
        f"/c/cards/handed/{{{each}}}"
        for each in (
            *("waiting", "running", "accepted", "rejected", "refused", "failed", "replaced"),
            "tests",
        )
    ),
    "game": ("/c/cards/game", "/c/empty/game"),
    "starter": ("/c/cards/starter/0",),
    "tests": ("/c/cards/tests", "/c/empty/tests"),
    "tests-source": ("/c/cards/tests/{tests}/source",),
    "handed-events": ("/c/cards/handed/{accepted}/events",),
    "versions": ("/c/cards/versions", "/c/cards/versions?section=001", "/c/empty/versions"),
    "version": tuple(f"/c/cards/versions/{{{each}}}" for each in ("good", "broken")),
    "version-source": tuple(f"/c/cards/versions/{{{each}}}/source" for each in ("good", "broken")),
    "version-compare": (
        "/c/cards/versions/{good}/compare?with={broken}",
        "/c/cards/versions/{good}/compare?with={good}",
    ),
    "practice": ("/c/cards/board", "/c/cards/board?section=001", "/c/empty/board"),
    "practice-history": (
        "/c/cards/board/history",
        "/c/cards/board/history?before=1",
        "/c/empty/board/history",
    ),
    "practice-json": ("/c/cards/board.json",),
    "practice-events": ("/c/cards/board/events",),
    "practice-me": ("/c/cards/board/me",),
    "finals": ("/c/cards/finals", "/c/empty/finals"),
    "final": tuple(
        f"/c/cards/final/{{{each}}}" for each in ("playing", "sealed", "revealing", "over")
    ),
    "final-staff": ("/c/cards/final/{sealed}/staff", "/c/cards/final/{over}/staff?section=001"),
    "staff-events": ("/c/cards/final/{sealed}/staff/events",),
    "final-json": tuple(f"/c/cards/final/{{{each}}}/board.json" for each in ("sealed", "over")),
    "final-events": ("/c/cards/final/{revealing}/events",),
    "final-me": ("/c/cards/final/{over}/me",),
    "new-final": ("/c/cards/finals/new",),
    "edit-final": ("/c/cards/finals/edit/{scheduled}",),
    "final-control": tuple(
        f"/c/cards/final/{{{each}}}/control" for each in ("playing", "sealed", "revealing", "over")
    ),
    "ceremony": (
        *(f"/c/cards/final/{{{each}}}/ceremony" for each in ("playing", "sealed", "revealing")),
        "/c/cards/final/{over}/ceremony",
        "/c/cards/final/{over}/ceremony?shown=2",
        "/c/cards/final/{over}/ceremony?shown=5",
    ),
    "practice-terms": ("/c/cards/practice-terms",),
    "matches": ("/c/cards/matches", "/c/empty/matches"),
    "commitments": ("/c/cards/commitments", "/c/empty/commitments"),
    "final-answer": ("/c/cards/final/{over}/feedback",),
    "gradebook": ("/c/cards/grades/{graded}",),
    "own-data": ("/account/data",),
    "erase-person": ("/erase",),
    "admin-accounts": ("/admin/accounts", "/admin/accounts?search=a"),
    "admin-account": ("/admin/accounts/1",),
    "admin-courses": ("/admin/courses",),
    "admin-audit": ("/admin/audit", "/admin/audit?course=cards"),
    "admin-settings": ("/admin/settings",),
    "admin-provider": ("/admin/provider",),
    "admin-mail": ("/admin/mail",),
    "notices": ("/notices",),
    "team": ("/c/cards/team", "/c/empty/team"),
    "teams": ("/c/cards/teams", "/c/empty/teams"),
    "notice": ("/notices/{notice}",),
    "site": ("/c/cards/site/{over}/index.html",),
}

ANSWER = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Feedback</title></head>'
    "<body><main><h1>Feedback for {name}</h1><p>Place 2.</p></main></body></html>"
)
Called = Callable[[str], str]
COLUMNS = ("rank", "entrant", "group", "net", "edge", "hands", "luck")
NEXT = {"freeze": "2027-01-01T13:00:00+00:00", "reveal": "", "audience": "public",
        "names": "handles"}  # fmt: skip
"""Settings of a final that waits."""
ENTRANTS = ("Student", "Mate", "Ada Lovelace", "Charles Babbage", "Grace Hopper")
LONG = "a_" * 46 + "player.py"
"""As long as the name of a file may be."""


def furnish(portal: Portal, called: Called = str) -> Mapping[str, int]:
    """Let everything happen in a course, and nothing in another one.

    Args:
        portal: Just made.
        called: Gives what something is called for what it would be called.
    Returns: The numbers that stand in `ADDRESSES`.
    """
    course = portal.courses["cards"]
    _empty_course(portal, called)
    _people(portal, course, called)
    numbers = _versions(portal, course, called) | _handed(portal, course, called)
    numbers |= _asked(portal, course, called) | _finals(portal, course, called)
    numbers |= _tests(portal, course, called)
    _assignments(portal, course, called)
    _practice(portal, course, called)
    _matches(portal, course, called)
    _teams(portal, course)
    return numbers | _notices(portal, course, called)


def _teams(portal: Portal, course: int) -> None:
    """Let two students invite each other, and one of them have asked for something in vain."""
    pair = portal.people["student"], portal.people["mate"]
    for account, mate in (pair, pair[::-1]):
        portal.database.execute(
            "INSERT INTO team_invites (course, account, mate, made) VALUES (?, ?, ?, ?)",
            (course, account, mate, now()),
        )
    job = jobs.add(portal.database, "team", {"act": "leave"}, course=course, account=pair[1])
    jobs.finish(portal.database, job.id, {"status": "refused", "reason": "team: it is full"})


def _notices(portal: Portal, course: int, called: Called) -> dict[str, int]:
    """Let everything be announced, and a mail server take nothing."""
    about = {"job": 1, "run": 1, "until": "2036-12-01T12:00:00+00:00", "answer": "accepted"}
    for kind in notices.KINDS:
        notices.add(portal.database, kind, account=portal.people["student"], course=course, **about)
    notices.add(portal.database, "password", account=portal.people["admin"])
    fault = called("the mail server cannot be reached: [Errno 111] Connection refused")
    portal.database.execute("UPDATE notices SET tries = 3, fault = ?", (fault,))
    portal.database.execute("UPDATE notices SET mail = 'failed' WHERE kind = 'report'")
    set_setting(portal.database, "mail_server", called("smtp://127.0.0.1:25"))
    return {"notice": 1}


def _empty_course(portal: Portal, called: Called) -> None:
    """Make a course of which nothing is known yet."""
    course = accounts.add_course(portal.database, "empty", called("An empty course"))
    portal.courses["empty"] = course
    for who in ("lecturer", "assistant", "student", "spectator"):
        role: accounts.Role = who  # type: ignore[assignment]  # one of them
        accounts.add_member(portal.database, course, portal.people[who], role)


def _assignments(portal: Portal, course: int, called: Called) -> None:
    """Give the course two more assignments, of which one is not set up."""
    database = portal.database
    first = accounts.course_of(database, course)
    with database.transaction():
        two = add_assignment(database, first, "two", called("Project 2"), called("Project 1"))
        add_assignment(database, first, "new", called("Project 3"), "")
    told = {**first.told, "extensions": [], "tests": ""}
    database.execute("UPDATE courses SET told = ? WHERE id = ?", (json.dumps(told), two))


def _people(portal: Portal, course: int, called: Called) -> None:
    """Call everybody something, tell of the roster, and let everybody have done something."""
    database = portal.database
    for who, number in portal.people.items():
        database.execute("UPDATE accounts SET name = ? WHERE id = ?", (called(who.title()), number))
        sessions.begin(database, number, called("Mozilla/5.0 (X11; Linux x86_64) Gecko Firefox"))
    for who in ("Student", "Mate"):
        database.execute(
            "UPDATE members SET person = ?, name = ? WHERE course = ? AND name = ?",
            (called(who), called(who), course, who),
        )
    people = [
        {"person": called(name), "name": called(name), "groups": [called("001")], "excluded": False}
        for name in ENTRANTS
    ]
    for each in people[2:4]:
        each["team"] = called("Crew")
    told = {
        "game": "ve280,shuffle=uniform",
        "preset": "ve280",
        "deadline": "2026-12-01T23:59:00+01:00",
        "late_days": 2,
        "per_day": 5,
        "submission_rule": "pinned",
        "largest_team": 3,
        "tests": "ve280",
        "people": people,
        "handout": {
            "rules": [["decks", "1", called('Decks in the shoe, or "infinite".')]],
            "contract": [
                ["bet(self, bankroll: int, minimum: int) -> int", called("Choose a wager.")]
            ],
            "limits": "wagers from 5, 100 µs a decision",
            "starter": [[called("first.py"), called(bold().decode())]],
            "problems": [called("starter: code does not exist; check the spelling")],
        },
        "group_deadlines": {called("001"): "2026-12-02T23:59:00+01:00"},
        "extensions": [
            {**people[0], "until": "2036-12-03T23:59:00+01:00", "reason": called("illness")}
        ],
    }
    database.execute(
        "UPDATE courses SET told = ?, title = ? WHERE id = ?",
        (json.dumps(told), called("Cards 101, winter"), course),
    )
    with database.transaction():
        sessions.add_token(database, portal.people["student"], "my laptop")
        make_invites(
            database, [Invite(course, "student", called("Ada Lovelace"), called("Ada Lovelace"))]
        )
        make_invites(database, [Invite(course, "assistant")])
        exception = database.insert(
            "INSERT INTO overrides (course, person, name, limits, because, until) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (
                course,
                called("Student"),
                called("Student"),
                '["per_day"]',
                called("illness"),
                "2036-12-03T23:59:00.000000+00:00",
            ),
        )
        audit.note(
            database,
            "exception made",
            account=portal.people["lecturer"],
            course=course,
            exception=exception,
            limits=["per_day"],
        )
        changed = {"before": {"late_days": 1, "deadline": None}, "to": {"late_days": "2"}}
        audit.note(database, "terms changed", course=course, **changed)
    database.execute("UPDATE tokens SET title = ?", (called("my laptop"),))
    set_setting(database, "title", called("Card players"))


def _versions(portal: Portal, course: int, called: Called) -> dict[str, int]:
    """File versions, of which one was accepted and plays, and others were not."""
    finding = {
        "place": called(f"{LONG}:7"),
        "message": called("draw: expected a truth value, got 'player.totl'"),
        "remedy": called("write player.total"),
        "is_warning": False,
    }
    measured = [{"what": called("speed"), "told": called("12 µs a decision, of 1 ms")}]
    costly = {"situation": called("hard 16 against 7"), "answer": called("stand"),
              "best": called("hit"), "times": 27, "cost_per_100": 0.512}  # fmt: skip
    good = Version(
        name=called("Student"),
        digest="3f" * 16,
        received=now(),
        status="accepted",
        reason="",
        plays=False,
        report={
            "passed": True, "score": 1.5, "margin": 0.5, "findings": [], "measured": measured,
            "mistakes": [costly, costly | {"cost_per_100": 0.256}],
        },
    )  # fmt: skip
    report = {
        "passed": False, "score": None, "margin": None, "findings": [finding], "measured": []
    }  # fmt: skip
    broken = replace(
        good, digest="ab" * 16, status="rejected", reason=called("it raised"), report=report
    )
    playing = replace(good, digest="cd" * 16, plays=True)
    kept = [
        (good, [(called("bold.py"), called(bold().decode()))]),
        (broken, [(LONG, BROKEN), (called("b.py"), "")]),
        (playing, [(LONG, bold(15).decode())]),
    ]
    keep(portal.database, course, good.name, kept)
    found = {each.digest: each.id for each in versions_of(portal.database, course, good.name)}
    return {"good": found[good.digest], "broken": found[broken.digest]}


def _handed(portal: Portal, course: int, called: Called) -> dict[str, int]:
    """Hand in, and let one job have come to each end there is."""
    database, name = portal.database, called("Student")
    finding = {"place": called(f"{LONG}:7"), "message": called("a fault"), "remedy": "mend it",
               "is_warning": True}  # fmt: skip
    ends: dict[str, tuple[str, dict[str, object]]] = {
        "replaced": ("replaced", {}),
        "failed": ("failed", {"reason": called(jobs.GIVEN_UP)}),
        "refused": ("done", {"status": "refused", "reason": called("a compiled file")}),
        "rejected": ("done", {"status": "rejected", "reason": called("it raised"), "late_days": 1,
                              "findings": [finding], "digest": "ab" * 16}),
        "accepted": ("done", {"status": "accepted", "reason": "", "digest": "3f" * 16}),
        "running": ("running", {}),
        "waiting": ("queued", {}),
    }  # fmt: skip
    numbers = {}
    for end, (state, result) in ends.items():
        with database.transaction():
            numbers[end] = jobs.insert(
                database,
                "check",
                {
                    "file": "check-0",
                    "title": called(LONG),
                    "note": called("counts aces"),
                    "author": called("Student"),
                },
                course=course,
                account=portal.people["student"],
                name=name,
            )
        for line in ("read: player.py, Python, version 3f3f3f3f3f3f", "it plays 200 rounds"):
            jobs.say(database, numbers[end], called(line))
        database.execute(
            "UPDATE jobs SET state = ?, result = ? WHERE id = ?",
            (state, json.dumps(result), numbers[end]),
        )
    return numbers


def _tests(portal: Portal, course: int, called: Called) -> dict[str, int]:
    """Hand in tests, of which one is graded and another waits."""
    for state in ("done", "queued"):
        with portal.database.transaction():
            number = jobs.insert(
                portal.database,
                graded_tests.KIND,
                {"file": "check-0", "title": called(LONG), "author": called("Student")},
                course=course,
                account=portal.people["student"],
                name=called("Student"),
            )
        if state == "done":
            done = number
    bugs = [called("deck-01"), "deck-02"]
    result = {
        "status": "graded", "reason": "", "caught": 2, "bugs": 26, "faulty": 1,
        "tests": [[called("test_deck"), 5, bugs, ""], ["test_hand", 9, [], called("a fault")]],
        "classes": {called("Deck"): [bugs, [f"deck-{at}" for at in range(3, 27)]]},
    }  # fmt: skip
    jobs.finish(portal.database, done, result)
    graded_tests.keep(portal.database, done, [(called(LONG), called("def test_deck(): ..."))])
    return {"tests": done}


def _asked(portal: Portal, course: int, called: Called) -> dict[str, int]:
    """Ask for what is done to a course's folder, and let it be done."""
    line = {"person": called("Ada"), "name": called("Ada"), "groups": [called("001")],
            "excluded": False, "ids": [called("a1")]}  # fmt: skip
    other = {**line, "groups": [called("002")]}
    changes = {"is_new": False, "people": 5, "joined": [line], "left": [line],
               "changed": [[line, other]], "unclear": [line], "platform": "Canvas",
               "skipped": [[2, called("Test")]], "cleaned": [[3, called("Ada")]]}  # fmt: skip
    cells = ["Ada", "Ada", "1", "", "100.00", "mapped by roster.csv"]
    grades = {"status": "shown", "rule": called("by place"), "column": called("Tournament"),
              "changed": 1, "lines": [[called(each) for each in cells]],
              "tests": [called("2 of 26")], "text": "Student,ID\n",
              "encoding": "utf-8"}  # fmt: skip
    file = {"text": called("name: Cup") + f"\n# {LONG}\n", "digest": "3f" * 8}
    ends = {
        "asked": ("roster", "queued", {}),
        "roster": ("roster", "done", {"status": "shown", **changes}),
        "kept": ("roster", "done", {"status": "kept", **changes}),
        "terms": ("terms", "done", {"status": "kept"}),
        "copied": (
            "copies",
            "done",
            {
                "status": "found",
                "copies": [[called("the same source"), [called("Student"), "Mate"]]],
            },
        ),
        "extended": ("extension", "done", {"status": "kept"}),
        "fault": ("terms", "done", {"status": "refused", "reason": called("late_days: none\n2")}),
        "graded": ("grades", "done", grades),
        "file": ("tournament", "done", {"status": "shown", **file}),
        "changed": ("tournament", "done", {"status": "kept", **file}),
        "faulty": ("tournament", "done", {"status": "refused", "reason": called("a fault")}),
    }
    numbers = {}
    for end, (kind, state, result) in ends.items():
        typed = {"text": file["text"], "before": "ab"} if end in {"changed", "faulty"} else {}
        with portal.database.transaction():
            numbers[end] = jobs.insert(
                portal.database,
                kind,
                {"shown": called("marks.csv"), "run": 1, **typed},
                course=course,
                account=portal.people["lecturer"],
            )
        portal.database.execute(
            "UPDATE jobs SET state = ?, result = ? WHERE id = ?",
            (state, json.dumps(result), numbers[end]),
        )
    return numbers


def board(state: str, called: Called = str, most: int = len(ENTRANTS)) -> dict[str, object]:
    """Give a board as wide as they come."""
    entrants = ENTRANTS[:most]
    columns = [
        {
            "name": name,
            "title": called(name.title()),
            "is_number": name not in {"entrant", "group"},
            "hint": called("The sense of it."),
        }
        for name in COLUMNS
    ]
    rows = [
        {
            "cells": [
                {"text": f"{text} [{called('001')}]" if name == "entrant" else text, "value": text}
                for name, text in zip(COLUMNS, row(called, at), strict=True)
            ],
            "group": called("001"),
        }
        for at in range(len(entrants))
    ]
    return {
        "title": called("Cup"),
        "state": state,
        "said": [called("table 12 of 200")],
        "until": "2026-12-01T12:00:00+00:00" if state == "sealed" else "",
        "hidden": len(ENTRANTS) - len(entrants),
        "columns": columns,
        "rows": rows,
        "groups": [called("001")],
    }


def row(called: Called, at: int) -> list[str]:
    """Give a row of a board."""
    return [str(at + 1), called(ENTRANTS[at]), called("001"), "+1,234.5", "-0.12 %", "20,000",
            "+0.3"]  # fmt: skip


def _show(portal: Portal, run: PortalRun, called: Called, told: dict[str, object]) -> None:
    own = {called(name): row(called, at) for at, name in enumerate(ENTRANTS)}
    for audience in ("public", "course"):
        boards.show_board(portal.database, run.id, audience, told, own)  # type: ignore[arg-type]  # one of them
    whole = board("playing" if told["state"] == "playing" else "over", called)
    whole["places"] = len(ENTRANTS)
    boards.show_board(portal.database, run.id, "staff", whole, own)


def _practice(portal: Portal, course: int, called: Called) -> None:
    run = boards.note_run(portal.database, course, "practice", 1, called("Practice"))
    _show(portal, run, called, board("playing", called))
    for number, order in enumerate([ENTRANTS[:3], ENTRANTS, ENTRANTS[::-1]]):
        names = [called(name) for name in order]
        places = [
            Place(name, at, f"{1000 - 7 * at}.5", name, is_submission=True)
            for at, name in enumerate(names, start=1)
        ]
        boards.record(portal.database, replace(run, number=1 + number // 2), places)


def _finals(portal: Portal, course: int, called: Called) -> dict[str, int]:
    """Begin finals of which each stands elsewhere, and ask for two more."""
    database, numbers = portal.database, {}
    shown = {"playing": 5, "sealed": 0, "revealing": 2, "over": 5}
    for at, (state, most) in enumerate(shown.items()):
        with database.transaction():
            job = jobs.insert(database, "final", {"title": called("Cup")}, course=course)
        jobs.say(database, job, called("round 3 of 10"))
        if state == "playing":
            sql = "UPDATE jobs SET state = 'running', started = ? WHERE id = ?"
            database.execute(sql, (now(), job))
        settings = {"job": job, "audience": "course" if state == "playing" else "public"}
        settings |= {"revealed": most} if state == "revealing" else {}
        title = called(f"Final {at + 1}")
        run = boards.note_run(database, course, "final", at + 1, title, settings=settings)
        numbers[state] = run.id
        boards.commit(database, run, f"sha256:{state:0<64}")
        if state != "playing":
            boards.finish_run(database, run)
        if state == "over":
            database.execute(
                "INSERT INTO answers VALUES (?, ?, '', ?)",
                (run.id, called("Student"), ANSWER.format(name=escape(called("Student")))),
            )
        _show(portal, run, called, board(state, called, most))
    with database.transaction():
        job = jobs.insert(database, "publish", {"run": numbers["over"]}, course=course)
    jobs.finish(database, job, {"status": "refused", "reason": called("roster.csv:1: no roster")})
    for state, result in (("queued", {}), ("done", {"reason": called("nobody plays")})):
        with database.transaction():
            job = jobs.insert(
                database, "final", {**NEXT, "title": called("The next cup")}, course=course,
                not_before="2027-01-01T12:00:00.000000+00:00",
            )  # fmt: skip
        if state == "queued":
            numbers["scheduled"] = job
        database.execute(
            "UPDATE jobs SET state = ?, result = ? WHERE id = ?", (state, json.dumps(result), job)
        )
    site = portal.places.site("cards", numbers["over"])
    site.mkdir(parents=True)
    (site / "index.html").write_text("<!DOCTYPE html><title>Site</title>", encoding="utf-8")
    return numbers


def _matches(portal: Portal, course: int, called: Called) -> None:
    """Ask for matches: one waits for its mate, for one who asks is asked, others are over."""
    student, mate = portal.people["student"], portal.people["mate"]
    results: tuple[dict[str, object], ...] = ({"run": 1}, {"reason": called("nobody plays")})
    for result in results:
        with portal.database.transaction():
            job = jobs.insert(portal.database, "match", {}, course=course, account=student)
        jobs.finish(portal.database, job, result)
        _match(portal, course, student, None, called("counting"), job)
    _match(portal, course, student, mate, called("Mate"), None)
    _match(portal, course, mate, student, called("Student"), None)


def _match(
    portal: Portal, course: int, account: int, mate: int | None, opponent: str, job: int | None
) -> None:
    portal.database.execute(
        "INSERT INTO matches (course, account, mate, opponent, made, job) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (course, account, mate, opponent, now(), job),
    )
