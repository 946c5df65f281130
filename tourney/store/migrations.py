"""The tables of a store, as the scripts that build them from an empty file.

The first script makes a file of `FIRST_VERSION` (`PRAGMA user_version`), and each further script
adds 1. A released script never changes; new tables or columns are a new script at the end.

Every statement runs on SQLite 3.26 and later, so tables cannot be STRICT. A column without a type
keeps values as they are: `tourney.store.rows` stores whole numbers of any size there.
"""

from functools import partial

from tourney.sqlite.database import Database

_TABLES = """
CREATE TABLE runs (
    number           INTEGER PRIMARY KEY AUTOINCREMENT,  -- a deleted run's number stays its own
    name             TEXT NOT NULL,
    created          TEXT NOT NULL,
    finished         TEXT,
    status           TEXT NOT NULL CHECK (status IN ('running', 'finished', 'failed')),
    config           TEXT NOT NULL,
    config_source    TEXT NOT NULL,
    settings         TEXT NOT NULL,  -- JSON object
    versions         TEXT NOT NULL,  -- JSON object
    secret           BLOB NOT NULL,
    salt             BLOB NOT NULL,
    commitment       TEXT NOT NULL,
    rehearsal        INTEGER NOT NULL,
    expected_batches INTEGER,
    -- How well the code was confined that entrants brought along: 'full', 'reduced' or 'unsafe';
    -- empty if nobody brought any.
    confinement      TEXT NOT NULL DEFAULT '',
    digest           BLOB,  -- of the finished run, to be published
    roster           BLOB NOT NULL DEFAULT x'',  -- seal of its entrants
    seal             BLOB NOT NULL DEFAULT x''  -- shows damage; see tourney.store.checksums
);

CREATE TABLE sources (
    digest BLOB PRIMARY KEY,
    files  TEXT NOT NULL,  -- JSON: [[file name, text], ...]
    seal   BLOB NOT NULL DEFAULT x''
);

CREATE TABLE entrants (
    run          INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    number       INTEGER NOT NULL,
    name         TEXT NOT NULL,
    strategy     TEXT NOT NULL,
    options      TEXT NOT NULL,  -- JSON object
    team         TEXT,           -- the entrant's group, which SQL keeps for itself
    distribution TEXT NOT NULL,
    digest       BLOB NOT NULL REFERENCES sources,
    kind         TEXT NOT NULL DEFAULT 'strategy',  -- the language of its source
    -- What it wants where the format lets it choose; JSON object of what is not the default.
    policy       TEXT NOT NULL DEFAULT '{}',
    author       TEXT,  -- who wrote it, if that is known
    pseudonym    TEXT,  -- its handle, where names are withheld
    excluded     TEXT,  -- why it was taken off the board after the run; NULL if it is on it
    PRIMARY KEY (run, number)
) WITHOUT ROWID;

CREATE INDEX entrants_by_source ON entrants (digest);

CREATE TABLE batches (
    run     INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    number  INTEGER NOT NULL,
    wave    INTEGER NOT NULL,
    digest  BLOB NOT NULL,
    seconds REAL NOT NULL,  -- wall time of playing it
    worker  TEXT NOT NULL,
    seal    BLOB NOT NULL DEFAULT x'',  -- with its verdicts and remarks
    PRIMARY KEY (run, number)
) WITHOUT ROWID;

-- The primary key is what makes results exactly-once: a block has room for one.
CREATE TABLE blocks (
    run          INTEGER NOT NULL,
    stage        INTEGER NOT NULL,
    heat         INTEGER NOT NULL,
    table_number INTEGER NOT NULL,
    seating      INTEGER NOT NULL,
    first_round  INTEGER NOT NULL,
    batch        INTEGER NOT NULL,
    position     INTEGER NOT NULL,  -- in its batch, from 0
    rounds       INTEGER NOT NULL,
    shuffles     INTEGER NOT NULL,
    cards        INTEGER NOT NULL,
    PRIMARY KEY (run, stage, heat, table_number, seating, first_round),
    FOREIGN KEY (run, batch) REFERENCES batches (run, number) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE INDEX blocks_by_batch ON blocks (run, batch, position);

-- Kept in the order in which standings read a run, so that nothing is sorted or looked up.
CREATE TABLE seats (
    run          INTEGER NOT NULL,
    entrant      INTEGER NOT NULL,
    stage        INTEGER NOT NULL,
    heat         INTEGER NOT NULL,
    table_number INTEGER NOT NULL,
    seating      INTEGER NOT NULL,
    first_round  INTEGER NOT NULL,
    position     INTEGER NOT NULL,  -- in the block's result, from 0
    seat         INTEGER NOT NULL,
    initial      NOT NULL,
    final        NOT NULL,
    lowest       NOT NULL,
    highest      NOT NULL,
    rounds       INTEGER NOT NULL,
    left_round   INTEGER,
    handle       NOT NULL,
    squares      NOT NULL,
    mix          INTEGER NOT NULL,  -- the 64 bits read as a signed number
    verdict      TEXT,              -- JSON array of its fields
    luck         INTEGER,           -- of the cards, in parts of 2**-32; where followed
    PRIMARY KEY (run, entrant, stage, heat, table_number, seating, first_round, position),
    FOREIGN KEY (run, stage, heat, table_number, seating, first_round)
        REFERENCES blocks ON DELETE CASCADE
) WITHOUT ROWID;

CREATE UNIQUE INDEX seats_by_block ON seats
    (run, stage, heat, table_number, seating, first_round, position);

CREATE INDEX seats_with_verdict ON seats
    (run, entrant, stage, heat, table_number, seating, first_round, position)
    WHERE verdict IS NOT NULL;

-- A block's row once for each of its seats; a block that nobody sat at has one row.
CREATE VIEW played AS
SELECT
    blocks.run, blocks.batch, blocks.position AS block_position,
    blocks.stage, blocks.heat, blocks.table_number, blocks.seating, blocks.first_round,
    blocks.rounds, blocks.shuffles, blocks.cards,
    seats.position, seats.seat, seats.entrant,
    seats.initial, seats.final, seats.lowest, seats.highest,
    seats.rounds AS seat_rounds, seats.left_round,
    seats.handle, seats.squares, seats.mix, seats.verdict, seats.luck
FROM blocks LEFT JOIN seats
    USING (run, stage, heat, table_number, seating, first_round);

-- What a run came to, so that it need not be folded from its results again.
CREATE TABLE standings (
    run     INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    version TEXT NOT NULL,  -- of what folded them
    lines   TEXT NOT NULL,
    seal    BLOB NOT NULL DEFAULT x''
);

-- They hold for the results they were folded from, whoever changes those.
CREATE TRIGGER standings_end_with_a_new_batch AFTER INSERT ON batches BEGIN
    DELETE FROM standings WHERE run = NEW.run;
END;

CREATE TRIGGER standings_end_without_a_batch AFTER DELETE ON batches BEGIN
    DELETE FROM standings WHERE run = OLD.run;
END;

-- What is worth knowing of an entrant in a batch besides its results: warnings, and faults that a
-- second play did not confirm.
CREATE TABLE remarks (
    run      INTEGER NOT NULL,
    batch    INTEGER NOT NULL,
    position INTEGER NOT NULL,  -- in its batch, from 0
    entrant  INTEGER NOT NULL,
    message  TEXT NOT NULL,
    block    TEXT,  -- JSON array: the key of a block, if it is about a fault in one
    verdict  TEXT,  -- JSON array of its fields, likewise
    PRIMARY KEY (run, batch, position),
    FOREIGN KEY (run, batch) REFERENCES batches (run, number) ON DELETE CASCADE
) WITHOUT ROWID;

-- What was decided between two waves and seen on the floor: who sat down, moved and went out, and
-- when. Written once for each wave, by whoever gets there first. Nothing is folded from it.
CREATE TABLE events (
    run          INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    wave         INTEGER NOT NULL,  -- before it; what comes after the last wave has a number more
    position     INTEGER NOT NULL,  -- among those before the wave, from 0
    seconds      REAL NOT NULL,     -- of the floor's clock
    event        TEXT NOT NULL,     -- seat, move, level, break, out, verdict, ...
    entrant      INTEGER,           -- its number in the run
    table_number INTEGER,
    value        INTEGER NOT NULL,
    PRIMARY KEY (run, wave, position)
) WITHOUT ROWID;

-- A wave that grows, as that of a run which is extended, has not led to what was told after it.
CREATE TRIGGER events_end_with_a_new_batch AFTER INSERT ON batches BEGIN
    DELETE FROM events WHERE run = NEW.run AND wave > NEW.wave;
END;

-- Who is playing a run now. A run that is not over and has none was interrupted.
CREATE TABLE leases (
    run     INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    token   TEXT NOT NULL,     -- drawn by whoever plays the run, and nobody else's
    host    TEXT NOT NULL,     -- the name of its machine, for people
    space   TEXT NOT NULL,     -- where its number means this process; empty if nobody can tell
    process INTEGER NOT NULL,
    started TEXT NOT NULL,     -- when the process began, as its system counts; empty likewise
    since   TEXT NOT NULL,     -- ISO time, UTC
    sign    REAL NOT NULL      -- its last sign of life, in seconds since 1970 by its own clock
);

-- Batches that a worker was given and that are not stored: they are being played, or were lost when
-- the run was interrupted or its store was damaged. Those are marked when they are played again.
CREATE TABLE begun (
    run   INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    batch INTEGER NOT NULL,
    PRIMARY KEY (run, batch)
) WITHOUT ROWID;
"""

MIGRATIONS = (_TABLES,)
"""The scripts, in order."""

FIRST_VERSION = 15
"""The version of a file after the first script. Lower versions were never released."""

APPLICATION_ID = 0x746F7572
"""`PRAGMA application_id` of a store, "tour" in ASCII; identifies the files of this program."""


open_database = partial(
    Database, migrations=MIGRATIONS, application=APPLICATION_ID, first_version=FIRST_VERSION
)
"""Opens the file of a store, with the other arguments of `Database`, and raises its errors."""
