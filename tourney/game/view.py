"""The public state of a table, apart from the cards; also as numbers.

A policy that was trained on these numbers needs them again when it plays, so a sandbox can import
this module, too.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from enum import Enum
from numbers import Real
from typing import Any, NamedTuple

from tourney.errors import PluginError
from tourney.game.cards.card import Card


class TableView(NamedTuple):
    """The public state of a table when a player looks; chips are whole."""

    seat: int  # the player's place, from 0, in order of play
    minimum: int  # least wager
    maximum: int  # greatest wager
    rounds_left: int  # most rounds of the heat still to be dealt, this one included
    bankrolls: tuple[int, ...]  # of every seat, without the chips already wagered
    wagers: tuple[int, ...]  # of every seat in this round; 0 if not placed, or not shown, yet
    button: int = 0  # the seat that wagers, and plays, first in this round
    level: int = 1  # of the tournament's clock
    advance: int = 0  # players of this table that advance; 0 if the table decides no places


NOTHING = -1
"""The number of `None`."""


def numbers_of(view: Any) -> tuple[float, ...]:
    """Return the numbers of a view; different views have different numbers.

    A view may define its own, with a method `numbers`. By default the parts of a view follow each
    other. A card is its code, a member of an enum its position, and a sequence its length and then
    its items.

    Raises: PluginError, if a part has no numbers.

    >>> numbers_of((True, None, (7, 9)))
    (3, 1, -1, 2, 7, 9)
    """
    own = getattr(view, "numbers", None)
    return tuple(own() if callable(own) else _flat(view))


def _flat(part: Any) -> Iterator[Any]:
    """Yield the numbers of a part of a view."""
    match part:
        case None:
            yield NOTHING
        case Card():
            yield part.code
        case Enum():
            yield list(type(part)).index(part)
        case bool():
            yield int(part)
        case Real():
            yield part
        case str():
            yield from (len(part), *map(ord, part))
        case Mapping():
            yield from _listed(sorted((*_flat(key), *_flat(each)) for key, each in part.items()))
        case AbstractSet():
            yield from _listed(sorted(tuple(_flat(each)) for each in part))
        case _:
            yield from _flat_fields(part)


def _flat_fields(part: Any) -> Iterator[Any]:
    """Yield the numbers of a record, an array or a sequence."""
    if hasattr(part, "_fields"):  # a NamedTuple
        for each in part:
            yield from _flat(each)
    elif is_dataclass(part):
        for field in fields(part):
            yield from _flat(getattr(part, field.name))
    elif hasattr(part, "tolist"):  # an array
        yield from _flat(part.tolist())
    elif isinstance(part, Sequence):
        yield len(part)
        for each in part:
            yield from _flat(each)
    else:
        raise PluginError(
            f"a view contains {type(part).__name__} {part!r}, which has no numbers; give the view "
            "a method `numbers` that returns all of its numbers"
        )


def _listed(parts: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
    yield len(parts)
    for each in parts:
        yield from each
