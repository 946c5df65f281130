"""Settings that must fit each other: what the game, the format, entrants and columns ask.

Each setting has been read by itself when this is asked. Knows no particular game or format;
they say themselves what they cannot do.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from functools import partial
from typing import Any

from tourney.config.catalog import Catalog
from tourney.config.located import Entries, Faults, Items, Leaf, Tree
from tourney.config.model import PolicyConfig
from tourney.config.settings import Setting
from tourney.config.typed import INVALID
from tourney.config.words import closest, quoted, said
from tourney.errors import FormatError

CHIP_SETTINGS = ("bankroll", "minimum", "maximum")


def has_chips(rules: Any) -> bool:
    """Say whether a game is played for chips, as it is taken to be where it is not known."""
    return rules is None or rules.most_points is None


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
    if values.get("entrants", INVALID) is not INVALID:
        try:
            options.check(len(values["entrants"]), rules)
        except FormatError as error:
            faults.note(tree.get("format") or tree, str(error))
            return
    _check_policies(tree, values, faults)
    _check_names(tree, values, faults)
    _check_luck(tree, values, catalog, faults)
    if "leaderboard" in values:
        for item in _column_items(tree):
            assert isinstance(item, Leaf)
            reason = catalog.misfits(str(item.value), rules, options)
            if reason:
                faults.note(item, reason)


def _check_policies(tree: Entries, values: Mapping[str, Any], faults: Faults) -> None:
    """Note policies of entrants that the format never asks for."""
    entrants = values.get("entrants", INVALID)
    if entrants is INVALID:
        return
    asked = values["format"].options.asks_policies
    for entrant in entrants:
        if unasked := _unasked(entrant.policy, asked):
            kind = values["format"].kind
            expected = (
                f"a policy that says no more than {', '.join(asked)}, as {kind} leaves nothing else"
                if asked
                else f"no policy, as {kind} leaves nothing"
            )
            got = f"{', '.join(unasked)} in that of {entrant.name}"
            faults.note(
                tree.get("entrants") or tree,
                said(f"{expected} to choose here", got, "remove it, or have the format offer it"),
            )
            return


def _unasked(policy: PolicyConfig, asked: Collection[str]) -> list[str]:
    """Give the settings of a policy that are not the usual ones and that nobody asks for."""
    usual = PolicyConfig()
    names = (field.name for field in fields(policy))
    return [
        name
        for name in names
        if getattr(policy, name) != getattr(usual, name) and name not in asked
    ]


def _check_luck(tree: Entries, values: Mapping[str, Any], catalog: Catalog, faults: Faults) -> None:
    """Note luck that is to be taken out where it cannot be."""
    if values.get("luck") == "adjust":
        reason = catalog.why_luck_stays(values["game"].rules, values["format"])
        if reason:
            faults.note(tree.get("luck") or tree, f"expected ignore, as {reason}; got adjust")


def _check_names(tree: Entries, values: Mapping[str, Any], faults: Faults) -> None:
    """Note names in the format's options that no entrant has."""
    entrants = values.get("entrants", INVALID)
    named = values["format"].options.named_entrants
    if entrants is INVALID or not named:
        return
    known = {entrant.name for entrant in entrants}
    for name in named:
        if name not in known:
            where = tree.get("format") or tree.get("stages") or tree
            faults.note(where, said("names of entrants", quoted(name), meant=closest(name, known)))


def _column_items(tree: Entries) -> Sequence[Tree]:
    """Return the columns that are listed."""
    board = tree.get("leaderboard")
    columns = board.get("columns") if isinstance(board, Entries) else None
    return columns.items if isinstance(columns, Items) else ()
