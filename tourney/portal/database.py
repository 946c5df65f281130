"""`portal.db`: its tables, how to open it, and the names of installed games in it.

Times are ISO 8601 in UTC, so that they sort as text. Secrets to sign in with are never stored
themselves, only the SHA-256 of random codes and the Argon2 hash of passwords.

The web process loads no plugins, so the checker stores the names at its start.
"""

import asyncio
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from tourney.errors import StoreBusyError, StoreDamagedError, StoreError
from tourney.portal.places import Places
from tourney.sqlite.database import Database

_TABLES = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    login TEXT NOT NULL UNIQUE,      -- as `accounts.login_of` makes it; a mail address, mostly
    name TEXT NOT NULL,
    password TEXT NOT NULL DEFAULT '',   -- Argon2id; empty for who signs in elsewhere
    totp TEXT NOT NULL DEFAULT '',       -- secret of the second factor; empty without one
    totp_last INTEGER NOT NULL DEFAULT 0,  -- the last time step that was used: none serves twice
    is_admin INTEGER NOT NULL DEFAULT 0,
    made TEXT NOT NULL,
    erased TEXT,                     -- when; the row stays for what refers to it
    locked TEXT,                     -- when; nobody signs in with it until it is unlocked
    has_mails INTEGER NOT NULL DEFAULT 1   -- whether it gets notices by mail, too
);
CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    account INTEGER NOT NULL REFERENCES accounts (id),
    PRIMARY KEY (issuer, subject)
) WITHOUT ROWID;

CREATE TABLE courses (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,       -- in addresses, and of its folder
    title TEXT NOT NULL,
    made TEXT NOT NULL,
    told TEXT NOT NULL DEFAULT '{}',  -- what pages say of its folder, as JSON; see `course_told`
    archived TEXT,                   -- when; its staff can still read it
    home INTEGER REFERENCES courses (id),
        -- the first assignment of its course, which has the members and codes; NULL in that itself
    assignment TEXT NOT NULL DEFAULT ''
        -- its title within the course; the course's title is in the first assignment only
);
CREATE TABLE members (
    course INTEGER NOT NULL REFERENCES courses (id),
    account INTEGER NOT NULL REFERENCES accounts (id),
    role TEXT NOT NULL CHECK (role IN ('lecturer', 'assistant', 'student', 'spectator')),
    person TEXT NOT NULL DEFAULT '',   -- on the roster
    name TEXT NOT NULL DEFAULT '',     -- to play under
    made TEXT NOT NULL,
    removed TEXT,                      -- when; the row stays, so that erasing finds its data
    PRIMARY KEY (course, account)
) WITHOUT ROWID;
CREATE VIEW memberships AS           -- of members in every assignment of their course
SELECT courses.id AS course, account, role, person, name, members.made, removed
FROM courses JOIN members ON members.course = coalesce(courses.home, courses.id);
CREATE TABLE invites (
    hash TEXT PRIMARY KEY,
    course INTEGER NOT NULL REFERENCES courses (id),
    role TEXT NOT NULL,
    person TEXT NOT NULL DEFAULT '',
    name TEXT NOT NULL DEFAULT '',
    made TEXT NOT NULL,
    expires TEXT NOT NULL,
    used TEXT,
    account INTEGER REFERENCES accounts (id)
) WITHOUT ROWID;

CREATE TABLE codes (                 -- that serve once: first set-up, a password forgotten
    hash TEXT PRIMARY KEY,
    purpose TEXT NOT NULL,
    account INTEGER REFERENCES accounts (id),
    made TEXT NOT NULL,
    expires TEXT NOT NULL,
    used TEXT
) WITHOUT ROWID;
CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,         -- by which its owner ends it
    account INTEGER NOT NULL REFERENCES accounts (id),
    made TEXT NOT NULL,
    seen TEXT NOT NULL,
    agent TEXT NOT NULL,
    has_second INTEGER NOT NULL DEFAULT 0,  -- whether a second factor was shown
    proved TEXT NOT NULL             -- when who they are was last shown, for what is grave
) WITHOUT ROWID;
CREATE TABLE tokens (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    account INTEGER NOT NULL REFERENCES accounts (id),
    title TEXT NOT NULL,
    made TEXT NOT NULL,
    seen TEXT,
    expires TEXT NOT NULL,
    purpose TEXT NOT NULL DEFAULT 'handing in'  -- all that it allows
) WITHOUT ROWID;

CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    course INTEGER REFERENCES courses (id),
    account INTEGER REFERENCES accounts (id),
    kind TEXT NOT NULL,
    name TEXT NOT NULL DEFAULT '',       -- that a submission is to play under
    payload TEXT NOT NULL,               -- JSON
    state TEXT NOT NULL DEFAULT 'queued'
        CHECK (state IN ('queued', 'running', 'done', 'failed', 'replaced')),
    received TEXT NOT NULL,
    turn TEXT NOT NULL,                  -- place in the queue, by time
    not_before TEXT NOT NULL DEFAULT '',
    lease TEXT,                          -- until when its worker has it
    tries INTEGER NOT NULL DEFAULT 0,
    started TEXT,
    finished TEXT,
    result TEXT NOT NULL DEFAULT '{}',   -- JSON
    deaths INTEGER NOT NULL DEFAULT 0    -- of processes that had it
);
CREATE INDEX jobs_waiting ON jobs (state, kind, turn);
CREATE INDEX jobs_of_account ON jobs (account, kind, received);
CREATE INDEX jobs_of_course ON jobs (course, kind, received);
CREATE TABLE lines (                     -- what a job has said so far
    job INTEGER NOT NULL REFERENCES jobs (id),
    number INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (job, number)
) WITHOUT ROWID;

CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    course INTEGER NOT NULL REFERENCES courses (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('practice', 'final', 'match')),
    number INTEGER NOT NULL,             -- in its store
    title TEXT NOT NULL,
    made TEXT NOT NULL,
    finished TEXT,
    account INTEGER REFERENCES accounts (id),  -- whose match it is
    settings TEXT NOT NULL DEFAULT '{}',       -- freeze, reveal, audience, as JSON
    UNIQUE (course, purpose, number)
);
CREATE TABLE boards (                    -- the newest of each, as its audience may see it
    run INTEGER NOT NULL REFERENCES runs (id),
    audience TEXT NOT NULL CHECK (audience IN ('public', 'course', 'staff')),
    version INTEGER NOT NULL,            -- counts what this audience was shown, and nothing else
    made TEXT NOT NULL,
    data TEXT NOT NULL,                  -- JSON
    edition INTEGER NOT NULL DEFAULT 0,  -- counts changes of own rows, too
    PRIMARY KEY (run, audience)
) WITHOUT ROWID;
CREATE TABLE commitments (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs (id),
    made TEXT NOT NULL,
    text TEXT NOT NULL
);

CREATE TABLE overrides (                 -- of the terms, for one person; see course.records
    id INTEGER PRIMARY KEY,
    course INTEGER NOT NULL REFERENCES courses (id),
    person TEXT NOT NULL,
    limits TEXT NOT NULL,                -- JSON list of 'deadline' and 'per_day'
    because TEXT NOT NULL,
    until TEXT NOT NULL,                 -- holds for what is received by then
    name TEXT NOT NULL DEFAULT ''        -- to play under: two people may be called the same
);

CREATE TABLE sign_ins (                  -- begun at a provider, by the hash of their state
    hash TEXT PRIMARY KEY,
    nonce TEXT NOT NULL,
    verifier TEXT NOT NULL,
    back TEXT NOT NULL,
    expires TEXT NOT NULL,
    session TEXT NOT NULL DEFAULT ''     -- that joins an identity
) WITHOUT ROWID;

CREATE TABLE versions (                  -- as they are filed in the course's folder
    id INTEGER PRIMARY KEY,
    course INTEGER NOT NULL REFERENCES courses (id),
    name TEXT NOT NULL,                  -- that it plays under
    digest TEXT NOT NULL,
    received TEXT NOT NULL,              -- when it came last
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    plays INTEGER NOT NULL,              -- whether it is the one of its name that plays
    report TEXT NOT NULL,                -- JSON
    files TEXT NOT NULL,                 -- JSON, [name, text] of each
    UNIQUE (course, name, digest)
);

CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    time TEXT NOT NULL,
    account INTEGER,
    course INTEGER,
    act TEXT NOT NULL,
    about TEXT NOT NULL                  -- JSON
);

CREATE TABLE matches (                   -- private ones, that students ask for
    id INTEGER PRIMARY KEY,
    course INTEGER NOT NULL REFERENCES courses (id),
    account INTEGER NOT NULL REFERENCES accounts (id),
    mate INTEGER REFERENCES accounts (id),  -- who has to agree; NULL against a strategy
    opponent TEXT NOT NULL,              -- the name it plays under
    made TEXT NOT NULL,
    job INTEGER REFERENCES jobs (id),    -- once all agree
    ended TEXT NOT NULL DEFAULT ''       -- declined, withdrawn or empty
);

CREATE TABLE practice_boards (           -- an entry for each change of a practice board
    id INTEGER PRIMARY KEY,
    course INTEGER NOT NULL REFERENCES courses (id),
    run INTEGER NOT NULL,                -- in the store of practice; another has other shoes
    made TEXT NOT NULL
);
CREATE INDEX practice_boards_of_course ON practice_boards (course, id);
CREATE TABLE practice_places (           -- of the entrants in an entry
    entry INTEGER NOT NULL REFERENCES practice_boards (id),
    row INTEGER NOT NULL,                -- best first
    name TEXT NOT NULL,                  -- on the board for staff
    place INTEGER,                       -- NULL if out
    score TEXT NOT NULL,
    shown TEXT NOT NULL,                 -- name for the course; empty if it may not follow it
    is_submission INTEGER NOT NULL,      -- so the name is of a student
    PRIMARY KEY (entry, row)
) WITHOUT ROWID;

CREATE TABLE processes (                 -- each of the portal's, the last time it said it was well
    role TEXT PRIMARY KEY,
    number INTEGER NOT NULL,             -- as the operating system counts
    begun TEXT NOT NULL,
    seen TEXT NOT NULL,
    starts INTEGER NOT NULL DEFAULT 1    -- how often it was started
) WITHOUT ROWID;
CREATE TABLE answers (                   -- what one person is told of a final that is told
    run INTEGER NOT NULL REFERENCES runs (id),
    name TEXT NOT NULL,                  -- that they play under
    person TEXT NOT NULL,                -- on the roster; a team has several under one name
    page TEXT NOT NULL,                  -- HTML
    PRIMARY KEY (run, name, person)
) WITHOUT ROWID;
CREATE TABLE notices (                   -- of events, each for one person
    id INTEGER PRIMARY KEY,
    account INTEGER REFERENCES accounts (id),  -- NULL for a person of the roster without an account
    course INTEGER REFERENCES courses (id),    -- NULL for the portal
    person TEXT NOT NULL DEFAULT '',     -- on the roster, if there is no account
    name TEXT NOT NULL DEFAULT '',       -- to play under, likewise
    kind TEXT NOT NULL,                  -- of `notices.KINDS`
    about TEXT NOT NULL DEFAULT '{}',    -- JSON
    once TEXT UNIQUE,                    -- no two notices have the same key
    made TEXT NOT NULL,
    seen TEXT,                           -- when the list showed it
    mail TEXT NOT NULL DEFAULT 'waiting' CHECK (mail IN ('waiting', 'sent', 'none', 'failed')),
    tries INTEGER NOT NULL DEFAULT 0,    -- to send the mail
    not_before TEXT NOT NULL DEFAULT '', -- of the next try
    fault TEXT NOT NULL DEFAULT ''       -- of the last try
);
CREATE INDEX notices_of_account ON notices (account, seen);
CREATE INDEX notices_to_send ON notices (mail, not_before);
CREATE TABLE team_invites (
    id INTEGER PRIMARY KEY,
    course INTEGER NOT NULL REFERENCES courses (id),
    account INTEGER NOT NULL REFERENCES accounts (id),  -- who invites
    mate INTEGER NOT NULL REFERENCES accounts (id),     -- who is invited
    made TEXT NOT NULL,
    ended TEXT NOT NULL DEFAULT '',      -- accepted, declined, withdrawn or empty
    job INTEGER                          -- that accepts it
);
CREATE TABLE tests (                     -- that students have handed in, once they are graded
    job INTEGER PRIMARY KEY REFERENCES jobs (id),
    files TEXT NOT NULL                  -- JSON, [name, text] of each
);
"""

_APPEND_ONLY = "".join(
    f"""
CREATE TRIGGER {table}_{act} BEFORE {act} ON {table} BEGIN
    SELECT RAISE(ABORT, '{table} is only ever appended to');
END;
"""
    for table in ("audit", "commitments")
    for act in ("update", "delete")
)

MIGRATIONS = (_TABLES + _APPEND_ONLY,)
"""The scripts, in order. A released script is never changed; changes need a new script."""
FIRST_VERSION = 9
"""The version of a file after the first script. Lower versions were never released."""
APPLICATION_ID = 0x706F7274
"""`PRAGMA application_id` of portal.db, "port" in ASCII."""

BUSY_SECONDS = 10.0
WEB_BUSY_SECONDS = 0.5
"""Longest wait for the write lock in the web process, which answers all users meanwhile."""
PATIENCE = 20.0
"""Longest wait of an upload for the write lock; others are answered meanwhile."""

Result = TypeVar("Result")


RESTORE = "restore a backup into a new folder: `tourney serve restore BACKUP DIR`"
_ANOTHER = re.compile(r"name (another|a copy)[a-z ]*--store")


class PortalDatabase(Database):
    """`portal.db`, which has no option to name another file and no repair command."""

    def __init__(
        self, path: Path, *, create: bool = True, busy_seconds: float = BUSY_SECONDS
    ) -> None:
        with _in_own_words():
            super().__init__(
                path,
                create=create,
                busy_seconds=busy_seconds,
                migrations=MIGRATIONS,
                application=APPLICATION_ID,
                first_version=FIRST_VERSION,
            )

    @contextmanager
    def _guard(self) -> Iterator[None]:
        with _in_own_words(), super()._guard():
            yield


@contextmanager
def _in_own_words() -> Iterator[None]:
    """Replace the advice about stores of runs by how to restore a backup."""
    try:
        yield
    except StoreDamagedError as error:
        found, _, _ = str(error).rpartition(" (")
        raise StoreDamagedError(f"{found} ({RESTORE})") from error.__cause__
    except StoreError as error:
        words, count = _ANOTHER.subn(RESTORE, str(error))
        if not count:
            raise
        raise StoreError(words) from error.__cause__


def open_database(places: Places, busy_seconds: float = BUSY_SECONDS) -> Database:
    """Open portal.db for one thread; create or upgrade it if necessary.

    Raises: StoreError, if it cannot be opened.
    """
    return PortalDatabase(places.database, busy_seconds=busy_seconds)


async def patiently(write: Callable[[], Result]) -> Result:
    """Do one transaction, again and again while other processes write.

    Raises: StoreBusyError, if they do so for `PATIENCE` seconds.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return write()
        except StoreBusyError:
            if time.monotonic() > deadline:
                raise
        await asyncio.sleep(WEB_BUSY_SECONDS)


def now() -> str:
    """Give the current time in the format of the tables, to the microsecond."""
    return time_text(datetime.now(UTC))


def time_text(time: datetime) -> str:
    """Give a time in the format of the tables.

    >>> from datetime import timezone
    >>> time_text(datetime(2026, 5, 1, 12, tzinfo=UTC))
    '2026-05-01T12:00:00.000000+00:00'
    """
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def hash_of(code: str) -> str:
    """Give the hash that is stored of a random code."""
    return sha256(code.encode()).hexdigest()


def setting(database: Database, name: str, default: str = "") -> str:
    """Give a setting of the portal."""
    row = database.first("SELECT value FROM settings WHERE name = ?", (name,))
    return str(row[0]) if row else default


def set_setting(database: Database, name: str, value: str) -> None:
    """Store a setting of the portal."""
    database.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))


SETTING = "installed names"
USUAL_GAME = "ve280"
"""The default game of a course."""


@dataclass(frozen=True, slots=True)
class InstalledGame:
    """A game that a course can play."""

    name: str
    kind: str  # of the rules, such as blackjack; strategies are for a kind
    has_mutants: bool  # so that tests of students can be graded


@dataclass(frozen=True, slots=True)
class InstalledStrategy:
    """A strategy that students can play against."""

    name: str
    kind: str
    summary: str


def store_names(
    database: Database, games: Sequence[InstalledGame], strategies: Sequence[InstalledStrategy]
) -> None:
    """Store all names."""
    told = {"games": [*map(asdict, games)], "strategies": [*map(asdict, strategies)]}
    set_setting(database, SETTING, json.dumps(told))


def games(database: Database) -> tuple[InstalledGame, ...]:
    """Give the installed games; empty before the first start of the checker."""
    return tuple(InstalledGame(**each) for each in _stored(database).get("games", ()))


def strategies(database: Database, game: str) -> tuple[InstalledStrategy, ...]:
    """Give the installed strategies for a game, by its name."""
    kinds = {each.kind for each in games(database) if each.name == game}
    found = (InstalledStrategy(**each) for each in _stored(database).get("strategies", ()))
    return tuple(each for each in found if each.kind in kinds)


def _stored(database: Database) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(setting(database, SETTING, "{}"))
    return found
