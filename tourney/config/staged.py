"""The list of stages: formats one after the other, and who goes on from each to the next.

Leaves out what a stage is made into; the catalog knows that.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field

from tourney.config.located import Entries, Faults, Items, Refused, Tree
from tourney.config.model import MOST_TABLES, FormatConfig, StageConfig
from tourney.config.settings import Setting, read_mapping, read_settings, setting
from tourney.config.typed import INVALID, typed_from
from tourney.config.words import said, value_words
from tourney.errors import FormatError

SEVERAL = Annotated[int, Field(ge=1, le=MOST_TABLES)]
TAKES = (
    setting("top", "so many of the best", typed_from(SEVERAL)),
    setting("per_table", "so many of the best of every table", typed_from(SEVERAL)),
    setting("wildcards", "so many more, by bankroll", typed_from(SEVERAL)),
)
BANKROLLS = typed_from(Literal["anew", "carry"])


def stage_settings(read_format: Callable[[Tree, Faults], Any]) -> tuple[Setting, ...]:
    """Return the settings of a stage.

    Args:
        read_format: Reads a format.
    """
    return (
        setting("name", "what the board calls the stage", typed_from(str)),
        Setting("takes", "who goes on from the stage before; without it all do", _read_takes),
        setting("bankrolls", "anew, or carry them on", BANKROLLS, default="anew"),
        Setting("format", "who meets whom and how often", read_format, required=True),
    )


def read_stages(
    read_format: Callable[[Tree, Faults], Any],
    make: Callable[[tuple[StageConfig, ...]], Any],
    tree: Tree,
    faults: Faults,
) -> Any:
    """Read stages into a format that plays one after the other.

    Args:
        read_format: Reads a format.
        make: Makes a format of stages.
        tree: The list.
        faults: Notes what is wrong.
    """
    if isinstance(tree, Refused):
        return INVALID
    if not isinstance(tree, Items) or not tree.items:
        faults.note(tree, said("a list of stages", value_words(tree)))
        return INVALID
    before = faults.count
    settings = stage_settings(read_format)
    stages = [
        _read_stage(item, number, settings, faults) for number, item in enumerate(tree.items, 1)
    ]
    if faults.count > before:
        return INVALID
    try:
        return FormatConfig("stages", make(tuple(stages)))
    except FormatError as error:
        faults.note(tree, str(error))
        return INVALID


def _read_stage(tree: Tree, number: int, settings: tuple[Setting, ...], faults: Faults) -> Any:
    entries = read_mapping(tree, faults)
    if entries is INVALID:
        return INVALID
    values = read_settings(entries, settings, faults)
    if number == 1:
        for name in ("takes", "bankrolls"):
            if (value := entries.get(name)) is not None:
                faults.note(value, said("no such setting in the first stage", f"'{name}'"))
    takes = values.get("takes", {})
    if "format" not in values or takes is INVALID:
        return INVALID
    return StageConfig(
        name=values.get("name", str(number)),
        format=values["format"],
        carries=values.get("bankrolls") == "carry",
        **takes,
    )


def _read_takes(tree: Tree, faults: Faults) -> Any:
    entries = read_mapping(tree, faults)
    if entries is INVALID:
        return INVALID
    values = read_settings(entries, TAKES, faults)
    if not entries.entries:
        faults.note(tree, said("top, per_table or wildcards", "nothing"))
        return INVALID
    if {"top", "per_table"} <= set(values):
        faults.note(tree, said("top or per_table", "both"))
        return INVALID
    return values


def one_of_both(
    tree: Entries, settings: tuple[Setting, ...], faults: Faults
) -> tuple[Setting, ...]:
    """Ask for a format or for stages, and for no more than one of them."""
    stages = tree.get("stages")
    if stages is None:
        return settings
    if (both := tree.get("format")) is not None:
        faults.note(both, said("a format or stages", "both", "write the format into a stage"))
    return tuple(
        replace(each, required=False) if each.name == "format" else each for each in settings
    )
