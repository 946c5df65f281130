"""The shape that a store of a version has, and what of a file departs from it.

A view, a trigger or a column that somebody else has put into a file would decide what is read of
it, so only what our own scripts make is accepted.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import cache
from typing import TypeAlias

Part: TypeAlias = tuple[str, str, str, str]
"""Of a schema: type, name, table, and the statement that makes it."""


def misshapen(found: Iterable[tuple[object, ...]], scripts: tuple[str, ...]) -> list[str]:
    """Name what a file's schema has that it should not have, or lacks.

    Args:
        found: Type, name, table and statement of its parts.
        scripts: That it has been through.
    """
    parts, expected = set(map(_part, found)), _expected(scripts)
    return sorted({" ".join(part[:2]) for part in parts ^ expected})


def statements(script: str) -> Iterator[str]:
    """Cut a script into statements, because `executescript` would commit on its own."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement


@cache
def _expected(scripts: tuple[str, ...]) -> frozenset[Part]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for script in scripts:
            for statement in statements(script):
                connection.execute(statement)
        rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
        return frozenset(map(_part, rows))


def _part(row: tuple[object, ...]) -> Part:
    """Give a part of a schema; versions of SQLite space its statement differently."""
    kind, name, table, sql = (str(each) for each in row)
    return kind, name, table, " ".join(sql.split())
