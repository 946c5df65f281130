"""The `leaderboard` of a configuration: its columns, and what may be told of the run.

Leaves out what a policy does with results; `tourney.show.policy` knows that.
"""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field

from tourney.config.located import Entries, Faults, Items, Leaf, Refused, Tree
from tourney.config.model import MOST_TABLES, LeaderboardConfig
from tourney.config.scalars import Trap
from tourney.config.settings import Setting, read_mapping, read_settings, setting
from tourney.config.typed import INVALID, choice_of, typed_from
from tourney.config.words import quoted, said, value_words

COLUMNS = "its columns, left to right"
NAMES = "names, or handles: who has no handle is called by the row on the board"
TOP = "so many are shown, best first; without it all are"
FREEZE = "results that come in after this time are withheld; in UTC, if it says no zone"
REVEAL = "from when they are told after all"

A_TIME = "a time such as 2026-05-01T12:00"
TIME_SCHEMA = {"type": "string", "examples": ["2026-05-01T12:00"]}


def board_settings(columns: Collection[str]) -> tuple[Setting, ...]:
    """Return the settings of `leaderboard`.

    Args:
        columns: Names of the columns there are.
    """
    several = Annotated[int, Field(ge=1, le=MOST_TABLES)]
    listed = {
        "type": "array",
        "items": choice_of(columns).schema,
        "uniqueItems": True,
        "minItems": 1,
    }
    names = typed_from(Literal["names", "handles"])
    return (
        Setting("columns", COLUMNS, partial(_read_columns, columns), schema=listed),
        setting("names", NAMES, names, default="names"),
        setting("top", TOP, typed_from(several)),
        Setting("freeze", FREEZE, read_time, schema=TIME_SCHEMA),
        Setting("reveal", REVEAL, read_time, schema=TIME_SCHEMA),
    )


def read_board(columns: Collection[str], tree: Tree, faults: Faults) -> Any:
    """Read what the leaderboard shows, and to whom it belongs to say so.

    Args:
        columns: Names of the columns there are.
        tree: The mapping.
        faults: Notes what is wrong.
    """
    return _read(board_settings(columns), tree, faults)


def read_policy(tree: Tree, faults: Faults) -> Any:
    """Read what may be told, where no columns are chosen."""
    settings = [each for each in board_settings(()) if each.name != "columns"]
    return _read(settings, tree, faults)


def _read(settings: Sequence[Setting], tree: Tree, faults: Faults) -> Any:
    entries = read_mapping(tree, faults)
    if entries is INVALID:
        return INVALID
    before = faults.count
    values = read_settings(entries, settings, faults)
    _compare_times(entries, values, faults)
    return LeaderboardConfig(**values) if faults.count == before else INVALID


def _compare_times(entries: Entries, values: dict[str, Any], faults: Faults) -> None:
    """Note a time to tell results at that has none to withhold them from, or one after it."""
    reveal, freeze = values.get("reveal"), values.get("freeze")
    at = entries.get("reveal")
    if reveal is None or at is None:
        return
    if entries.get("freeze") is None:
        expected = "'freeze' beside it, a time from which results are withheld"
        faults.note(at, said(expected, "none"))
    elif freeze and reveal < freeze:
        expected = f"a time not before freeze, {time_text(freeze)}"
        faults.note(at, said(expected, time_text(reveal)))


def time_text(time: datetime) -> str:
    """Write a time down as ISO 8601, with seconds where there are any.

    >>> [time_text(datetime(2026, 5, 1, 12, 0, each, tzinfo=UTC)) for each in (0, 13)]
    ['2026-05-01T12:00+00:00', '2026-05-01T12:00:13+00:00']
    """
    has_seconds = time.second or time.microsecond
    return time.isoformat(timespec="auto" if has_seconds else "minutes")


def read_time(tree: Tree, faults: Faults) -> Any:
    """Read a time; every YAML that takes it for a date means the same time."""
    if isinstance(tree, Refused):
        return INVALID
    value = tree.value if isinstance(tree, Leaf) else None
    text = value.raw if isinstance(value, Trap) else value
    try:
        time = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        time = None
    if time is None:
        faults.note(tree, said(A_TIME, value_words(tree)))
        return INVALID
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _read_columns(columns: Collection[str], tree: Tree, faults: Faults) -> Any:
    """Read the names of columns, each once."""
    if isinstance(tree, Refused):
        return INVALID
    if not isinstance(tree, Items) or not tree.items:
        faults.note(tree, said("a list of columns", value_words(tree)))
        return INVALID
    before = faults.count
    choice = choice_of(columns)
    lines: dict[str, int] = {}
    for item in tree.items:
        name = choice.read(item, faults)
        if name in lines:
            got = f"{quoted(name)} again (first on line {lines[name]})"
            faults.note(item, said("each column once", got))
        elif name is not INVALID:
            lines[name] = item.place.line
    return tuple(lines) if faults.count == before else INVALID
