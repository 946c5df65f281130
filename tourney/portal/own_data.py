"""The data of one person, as an archive of JSON and submissions.

It has no data of others: no opponents of matches, no submissions of team members, and no people
affected by an action. It has no secret to sign in with, and no hash of one.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from tourney.portal import boards
from tourney.portal.database import now, open_database
from tourney.portal.places import Places
from tourney.portal.versions import DIGITS, safe_path
from tourney.sqlite.database import Database

Rows = list[dict[str, Any]]
Reader = Callable[[Database, int], Rows]
"""Gives the rows of an account."""
READ_ME = "README.txt"
SHOWN: tuple[boards.Purpose, ...] = ("final", "practice")
"""Purposes of runs with boards."""


def pack(places: Places, account: int, into: IO[bytes]) -> None:
    """Write all data of an account into a zip.

    Args:
        places: Of the portal; its database is opened here, because another thread calls this.
        account: The account.
        into: The file.
    """
    with closing(open_database(places)) as database, ZipFile(into, "w", ZIP_DEFLATED) as archive:
        about = ["The data that this portal has about you.", f"Written {now()[:16]} (UTC).", ""]
        for name, (title, read) in PARTS.items():
            text = json.dumps(read(database, account), indent=1, ensure_ascii=False)
            archive.writestr(name, text + "\n")
            about.append(f"{name}: {title}")
        for course, version, files in _sources(database, account):
            for path, text in files:
                archive.writestr(f"sources/{course}/{version}/{safe_path(path)}", text)
        about += ["sources/: your submissions, a folder for each course and each submission", ""]
        archive.writestr(READ_ME, "\n".join([*about, *NOT_HERE]))


NOT_HERE = (
    "Not in this archive: the identifiers and the mail address on the roster of a course, from its",
    "learning platform (ask your lecturer for them); submissions of other members of your team;",
    "the hands of your player, which are on the pages of a run; and the feedback on finals, which",
    "names your neighbours on the board.",
    "",
)


def _dictionaries(cursor: Any) -> Rows:
    """Give the rows of a query by the names of its columns."""
    names = [name for name, *_ in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


def _reader(sql: str, *decoded: str) -> Reader:
    """Make a reader of the rows of a query; `decoded` are its columns that hold JSON."""

    def read(database: Database, account: int) -> Rows:
        found = database.read(_dictionaries, sql, {"account": account})
        return [each | {name: json.loads(each[name]) for name in decoded} for each in found]

    return read


_accounts = _reader(
    "SELECT id AS number, login, name, is_admin, made, password <> '' AS has_password, "
    "totp <> '' AS has_second_factor, has_mails FROM accounts WHERE id = :account"
)
_identities = _reader("SELECT issuer, subject FROM identities WHERE account = :account")
_memberships = _reader(
    "SELECT courses.slug AS course, home.title, courses.assignment, role, person, name, "
    "memberships.made, courses.told FROM memberships "
    "JOIN courses ON courses.id = memberships.course "
    "JOIN courses AS home ON home.id = coalesce(courses.home, courses.id) "
    "WHERE account = :account ORDER BY courses.slug",
    "told",
)
_audit = _reader(
    "SELECT time, slug AS course, act, account IS :account AS by_you, about FROM audit "
    "LEFT JOIN courses ON courses.id = audit.course "
    "WHERE account = :account OR json_extract(about, '$.of') = :account ORDER BY audit.id",
    "about",
)


def _account(database: Database, account: int) -> Rows:
    known = _identities(database, account)
    return [{**each, "signs_in_at": known} for each in _accounts(database, account)]


def _courses(database: Database, account: int) -> Rows:
    """Give memberships, each with the person's own line of the roster and extensions."""
    found = _memberships(database, account)
    for each in found:
        told, own = each.pop("told"), (each["person"], each["name"])
        for name, key in (("roster", "people"), ("extensions", "extensions")):
            lines = told.get(key, [])
            each[name] = [one for one in lines if (one["person"], one["name"]) == own]
    return found


def _acts(database: Database, account: int) -> Rows:
    """Give actions by and on the person, without the other people in them."""
    found = _audit(database, account)
    for each in found:
        each["about"].pop("of", None)
    return found


def _results(database: Database, account: int) -> Rows:
    """Give the person's own row of every board that they could see."""
    sql = (
        "SELECT slug, courses.id, name FROM memberships "
        "JOIN courses ON courses.id = memberships.course "
        "WHERE account = :account AND name <> '' ORDER BY slug"
    )
    found: Rows = []
    for slug, course, name in tuple(database.read(iter, sql, {"account": account})):
        for run in (
            each for purpose in SHOWN for each in boards.runs_of(database, course, purpose)
        ):
            board = boards.board_of(database, run.id, "course")
            if board and name in board.own:
                titles = [column["title"] for column in boards.content_of(board)["columns"]]
                row = dict(zip(titles, board.own[name], strict=False))
                found.append({"course": slug, "run": run.title, "row": row})
    return found


_OWN_VERSIONS = """
    FROM versions JOIN courses ON courses.id = versions.course
    JOIN memberships AS own ON own.course = versions.course AND own.account = :account
    AND own.role = 'student' AND own.name = versions.name AND own.name <> ''
    WHERE NOT EXISTS (
        SELECT 1 FROM memberships AS mate WHERE mate.course = versions.course
        AND mate.name = versions.name AND mate.account <> :account
    ) OR EXISTS (
        SELECT 1 FROM jobs WHERE jobs.account = :account AND jobs.course = versions.course
        AND jobs.kind = 'check' AND json_extract(jobs.result, '$.digest') = versions.digest
    )
    ORDER BY versions.id
"""
"""All versions of a player with one member; in a team, the person's own submissions."""


def _sources(database: Database, account: int) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    sql = f"SELECT slug, digest, files {_OWN_VERSIONS}"
    for slug, digest, files in database.read(iter, sql, {"account": account}):
        yield slug, digest[:DIGITS], json.loads(files)
    tests = (
        "SELECT slug, jobs.id, files FROM tests JOIN jobs ON jobs.id = tests.job "
        "JOIN courses ON courses.id = jobs.course WHERE account = :account ORDER BY jobs.id"
    )
    for slug, number, files in database.read(iter, tests, {"account": account}):
        yield slug, f"tests-{number}", json.loads(files)


PARTS: Mapping[str, tuple[str, Reader]] = {
    "account.json": ("your account, and the providers that sign you in", _account),
    "sessions.json": (
        "your sessions",
        _reader(
            "SELECT made, seen, agent, has_second, proved FROM sessions "
            "WHERE account = :account ORDER BY made"
        ),
    ),
    "tokens.json": (
        "titles of the tokens for your programs",
        _reader(
            "SELECT title, made, seen, expires FROM tokens WHERE account = :account ORDER BY made"
        ),
    ),
    "courses.json": (
        "your courses, with your line of the roster and your extensions",
        _courses,
    ),
    "jobs.json": (
        "your requests and their results",
        _reader(  # jobs of staff, which are about others, only without content
            "SELECT jobs.id AS number, slug AS course, kind, name, received, started, finished, "
            "state, iif(kind IN ('check', 'choose', 'tests'), payload, '{}') AS asked, "
            "iif(kind IN ('check', 'choose', 'tests'), result, '{}') AS result, "
            "(SELECT json_group_array(text) FROM lines WHERE job = jobs.id "
            "AND kind IN ('check', 'choose', 'tests')) AS said "
            "FROM jobs LEFT JOIN courses ON courses.id = jobs.course "
            "WHERE account = :account ORDER BY jobs.id",
            *("asked", "result", "said"),
        ),
    ),
    "versions.json": (
        "your submissions, with their reports",
        _reader(
            "SELECT slug AS course, versions.name, digest, received, status, reason, plays, report "
            + _OWN_VERSIONS,
            "report",
        ),
    ),
    "results.json": ("your own row of each board that you could see", _results),
    "practice.json": (
        "your places on practice boards over time",
        _reader(
            "SELECT slug AS course, practice_boards.made AS time, place, score "
            "FROM practice_places JOIN practice_boards ON practice_boards.id = entry "
            "JOIN courses ON courses.id = practice_boards.course JOIN memberships AS own "
            "ON own.course = courses.id AND own.name = practice_places.name "
            "WHERE account = :account AND is_submission ORDER BY practice_boards.id"
        ),
    ),
    "matches.json": (
        "private matches, without the names of classmates",
        _reader(
            "SELECT slug AS course, matches.made, matches.account = :account AS asked_for_it, "
            "iif(mate IS NULL, opponent, 'a classmate') AS strategy, "
            "iif(mate IS NULL, coalesce(result, '{}'), '{}') AS result "
            "FROM matches JOIN courses ON courses.id = matches.course "
            "LEFT JOIN jobs ON jobs.id = matches.job "
            "WHERE matches.account = :account OR mate = :account ORDER BY matches.id",
            "result",
        ),
    ),
    "notices.json": (
        "your notices, with the state of the mail of each",
        _reader(
            "SELECT slug AS course, kind, about, notices.made, seen, mail FROM notices "
            "LEFT JOIN courses ON courses.id = notices.course WHERE account = :account "
            "ORDER BY notices.id",
            "about",
        ),
    ),
    "teams.json": (
        "invitations to teams, without the names of classmates",
        _reader(
            "SELECT slug AS course, team_invites.made, "
            "team_invites.account = :account AS by_you, ended FROM team_invites "
            "JOIN courses ON courses.id = team_invites.course "
            "WHERE team_invites.account = :account OR mate = :account ORDER BY team_invites.id"
        ),
    ),
    "exceptions.json": (
        "limits that were waived for you, with the reasons",
        _reader(
            "SELECT slug AS course, limits, because, until FROM overrides "
            "JOIN courses ON courses.id = overrides.course JOIN memberships AS own "
            "ON own.course = overrides.course AND own.person = overrides.person "
            "AND own.person <> '' AND overrides.name = own.name "
            "WHERE account = :account ORDER BY overrides.id"
        ),
    ),
    "audit.json": ("your actions, and actions on your account", _acts),
}
"""Files of the archive: description and reader of each."""
