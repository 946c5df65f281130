"""Settings that must fit each other: what the game, the format, entrants and columns ask.

Each setting has been read by itself when this is asked. Knows no particular game or format;
they say themselves what they cannot do.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from tourney.config.catalog import Catalog
from tourney.config.located import Entries, Faults, Items, Leaf, Tree
from tourney.config.settings import Setting
from tourney.config.typed import INVALID
from tourney.config.words import quoted, said
from tourney.errors import FormatError

CHIP_SETTINGS = ("bankroll", "minimum", "maximum")


def has_chips(rules: Any) -> bool:
    """Say whether a game is played for chips, as it is taken to be if nobody says otherwise."""
    return getattr(rules, "most_points", None) is None


def no_chip_settings(rules: Any) -> tuple[Setting, ...]:
    """Return settings that refuse to be set, as the game has no chips."""
    return tuple(Setting(name, "", partial(_refuse, name, rules)) for name in CHIP_SETTINGS)


def _refuse(name: str, rules: Any, tree: Tree, faults: Faults) -> Any:
    got = f"{quoted(name)}, though {rules.game} is played without chips"
    faults.note(tree, said("no such setting", got, "remove it"))
    return INVALID


def check_fit(tree: Entries, values: Mapping[str, Any], catalog: Catalog, faults: Faults) -> None:
    """Note what does not fit together, as far as it is known.

    Args:
        tree: The file.
        values: Its settings that have no fault.
        catalog: What names it may use.
        faults: Notes what is wrong.
    """
    if "game" not in values or "format" not in values:
        return
    rules, options = values["game"].rules, values["format"].options
    if values.get("entrants", INVALID) is not INVALID and hasattr(options, "check"):
        try:
            options.check(len(values["entrants"]), rules)
        except FormatError as error:
            faults.note(tree.get("format") or tree, str(error))
            return
    if "leaderboard" in values:
        for item in _column_items(tree):
            assert isinstance(item, Leaf)
            reason = catalog.misfits(str(item.value), rules, options)
            if reason:
                faults.note(item, reason)


def _column_items(tree: Entries) -> Sequence[Tree]:
    """Return the columns that are listed."""
    board = tree.get("leaderboard")
    columns = board.get("columns") if isinstance(board, Entries) else None
    return columns.items if isinstance(columns, Items) else ()
