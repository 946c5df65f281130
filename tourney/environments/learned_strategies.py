"""A policy in a table as the file of a competitor, for any game."""

import inspect
from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any

from tourney.environments.games import GameEnv, SeatEnv
from tourney.errors import TourneyError
from tourney.game.cards.card import Card
from tourney.game.situations import situations
from tourney.game.templates import MOST_TURNS, always_legal
from tourney.game.turns import record_parts
from tourney.notebook.tables import write_text

FILE = '''\
"""A policy that was learned by playing {game}."""

{imports}

ACTIONS = ({actions})
CHANCES = {{
{rows}
}}
"""Chances of the actions by the numbers of a view."""


class {name}({contract}):
    """Plays as it has learned."""

    def {method}(self, {view}):
        """Draw an action by its chance; in a view that is not in the table, take a legal one."""
        row = CHANCES.get(numbers_of({view}))
        if row is None:
            return {fallback}
        return self.random.choices(ACTIONS, row)[0]

    def chances(self, {view}):
        """Return the chance of each action; `tourney ev` asks for this in a small game."""
        row = CHANCES.get(numbers_of({view}))
        if row is None:
            return {{{fallback}: 1.0}}
        return {{action: chance / sum(row) for action, chance in zip(ACTIONS, row)}}
'''


def save_strategy(
    path: str | Path,
    env: GameEnv | SeatEnv,
    policy: Mapping[tuple[float, ...], Sequence[float]],
    name: str = "Learned",
) -> None:
    """Write a competitor that plays by a table.

    Args:
        path: A file such as `learned.py`.
        env: The environment of the training.
        policy: Chances of `env.actions` by the numbers of a view, as `info["view"]` or
            `numbers_of(env.turn.view)` has them.
        name: Name of the class.
    Raises: TourneyError, if a row is wrong, or actions cannot be written in a file.
    """
    contract = env.rules.game.contract()
    methods = sorted(contract.__abstractmethods__)
    if len(methods) != 1:
        raise TourneyError(
            f"{contract.__name__} has the methods {', '.join(methods)}; write a class that has them"
        )
    imports = {"from tourney.game.view_numbers import numbers_of"}
    imports.add(f"from {contract.__module__} import {contract.__qualname__}")
    actions = [_written(action, imports) for action in env.actions]
    (method,) = (getattr(contract, name) for name in methods)
    turns = list(islice(situations(env.rules), MOST_TURNS))
    rows = [_row(numbers, chances, len(actions)) for numbers, chances in policy.items()]
    text = FILE.format(
        game=env.rules.game,
        imports="\n".join(sorted(imports)),
        actions="".join(f"{each}, " for each in actions).rstrip(),
        rows="\n".join(rows),
        name=name,
        contract=contract.__qualname__,
        method=methods[0],
        view=list(inspect.signature(method).parameters)[1],
        fallback=always_legal(turns, method, {}) or "ACTIONS[0]",
    )
    write_text(path, text)


def _row(numbers: tuple[float, ...], chances: Sequence[float], actions: int) -> str:
    """Write a row of the table.

    Raises: TourneyError, if its chances are not those of actions.
    """
    row = [float(each) for each in chances]
    if len(row) != actions or not all(isfinite(each) and each >= 0 for each in row) or not any(row):
        raise TourneyError(
            f"policy: view {numbers}: expected {actions} chances from 0 that are not all 0, "
            f"got {row}"
        )
    key = "".join(f"{each:g}, " if each % 1 else f"{int(each)}, " for each in numbers)
    return f"    ({key.rstrip()}): ({', '.join(f'{each:.6g}' for each in row)},),"


def _written(action: Any, imports: set[str]) -> str:
    """Write an action as Python, and add the import that it needs."""
    if isinstance(action, Enum):
        kind = type(action)
        imports.add(f"from {kind.__module__} import {kind.__qualname__}")
        return f"{kind.__qualname__}.{action.name}"
    if isinstance(action, Card):
        imports.add("from tourney.game.cards.card import CARDS")
        return f"CARDS[{action.code}]"
    if isinstance(action, bool | int | str):
        return repr(action)
    if (parts := record_parts(action)) is not None:
        kind = type(action)
        imports.add(f"from {kind.__module__} import {kind.__qualname__}")
        values = (f"{name}={_written(part, imports)}" for name, part in parts.items())
        return f"{kind.__qualname__}({', '.join(values)})"
    raise TourneyError(
        f"action {action!r} cannot be written in a file; use members of an enum or frozen "
        "dataclasses, or write the class of the competitor yourself"
    )
