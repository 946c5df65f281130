"""A class as a whole: `submissions --missing` and `--copies`."""

import json
from textwrap import wrap

import click
from tabulate import tabulate

from tourney.cli.options import note
from tourney.course.folder import Submissions
from tourney.course.submission_status import copies, missing
from tourney.plugins.fault_text import printable
from tourney.standings.data import csv_of

WIDTH = 70
"""How wide reasons are."""

Rows = list[tuple[str, ...]]


def list_class(
    submissions: Submissions, *, wants_missing: bool, as_csv: bool, as_json: bool
) -> None:
    """Print who has nothing that plays, or who handed in the same.

    Args:
        submissions: Of the class.
        wants_missing: The former; else the latter.
        as_csv: For a spreadsheet, which shall calculate nothing of it.
        as_json: For a program.
    """
    headings, rows = _missing(submissions) if wants_missing else _copies(submissions)
    if as_csv:
        click.echo(csv_of([headings, *rows]), nl=False)
    elif as_json:
        click.echo(json.dumps([dict(zip(headings, row, strict=True)) for row in rows]))
    elif rows:
        cells = [[*map(printable, row[:-1]), _wrapped(row[-1])] for row in rows]
        titles = [heading.capitalize() for heading in headings]
        click.echo(tabulate(cells, headers=titles, disable_numparse=True))
    if not rows:
        note("everybody has a version that plays" if wants_missing else "nobody has a copy")


def _missing(submissions: Submissions) -> tuple[tuple[str, ...], Rows]:
    rows: Rows = [
        (each.person, each.name, "; ".join(each.groups), each.why) for each in missing(submissions)
    ]
    return ("person", "plays as", "groups", "why"), rows


def _copies(submissions: Submissions) -> tuple[tuple[str, ...], Rows]:
    rows: Rows = [(each.kind, "; ".join(each.names)) for each in copies(submissions)]
    return ("what", "who"), rows


def _wrapped(text: str) -> str:
    return "\n".join(wrap(printable(text), WIDTH))
