"""Files of learned players, for `tourney new competitor NAME --model FILE`.

Tables are those of charts: a row for the player's hand and a column for the dealer's.
"""

import inspect
from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tourney.environments.blackjack import BlackjackEnv, BlackjackVectorEnv
from tourney.environments.games import GameEnv, SeatEnv
from tourney.errors import TourneyError
from tourney.game.cards.card import Card
from tourney.game.conformance import situations
from tourney.game.templates import MOST_TURNS, always_legal
from tourney.game.turns import record_parts
from tourney.games.blackjack.declaration import (
    BOTH_CARDS,
    HARD,
    ROWS,
    UPCARDS,
    both_column,
    pair_row,
    total_row,
    upcard_column,
)
from tourney.games.blackjack.hand import BEST_TOTAL
from tourney.games.blackjack.kernels.training import (
    DEALER_SOFT,
    DEALER_TOTAL,
    PAIR_VALUE,
    SOFT,
    TOTAL,
)
from tourney.notebook.tables import write_text

AnyEnv: TypeAlias = BlackjackEnv | BlackjackVectorEnv
Places: TypeAlias = NDArray[np.intp]


def chart_shape(env: AnyEnv) -> tuple[int, int, int]:
    """Return rows, columns and moves of a table; it has one row more than a chart, for 21."""
    shows_both = env.rules.dealer_shows == "both"
    return len(ROWS) + 1, len(BOTH_CARDS if shows_both else UPCARDS), len(env.moves)


def chart_places(env: AnyEnv, observations: NDArray[np.int32]) -> tuple[Places, Places]:
    """Return rows and columns of hands in play; without meaning where no move is due.

    Args:
        observations: Shape (n, features).
    Returns: Shape (n,) each; the row of a 21 is the last.
    """
    shows_both = env.rules.dealer_shows == "both"
    rows, columns = _rows(), _columns(shows_both=shows_both)
    pairs = observations[:, PAIR_VALUE] > 0
    row = rows[pairs.astype(int), observations[:, SOFT], observations[:, TOTAL]]
    return row, columns[observations[:, DEALER_SOFT], observations[:, DEALER_TOTAL]]


def save_table(path: str | Path, env: AnyEnv, values: NDArray[Any]) -> None:
    """Write a table.

    Args:
        path: A file such as `learned.npz`.
        env: The environment of the training.
        values: Values of moves, of `chart_shape`; NaN where unknown.
    """
    if values.shape != chart_shape(env):
        raise TourneyError(
            f"values: expected an array of shape {chart_shape(env)}, got {values.shape}"
        )
    np.savez(path, moves=[str(move) for move in env.moves], values=values)


def save_network(
    path: str | Path,
    env: AnyEnv,
    layers: Sequence[tuple[NDArray[Any], NDArray[Any]]],
    features: Sequence[str],
) -> None:
    """Write a network of layers with max(x, 0) between them, and an output for each choice.

    Args:
        path: A file such as `learned.npz`.
        env: The environment of the training.
        layers: Weights of shape (n, m) and biases of shape (m,) of each.
        features: Inputs of the first layer, from `env.features`. A player knows neither `hands`
            nor `stake`, and counts with the default tags of environments unless it has others.
    """
    arrays: dict[str, Any] = {}
    for layer, (weights, biases) in enumerate(layers):
        arrays |= {f"weights{layer}": weights, f"biases{layer}": biases}
    choices = [str(choice) for choice in env.choices]
    np.savez(path, features=list(features), choices=choices, **arrays)


def _rows() -> Places:
    """Return rows by pair, softness and total."""
    table = np.full((2, 2, BEST_TOTAL + 1), len(ROWS), np.intp)
    for total in range(HARD[0], BEST_TOTAL):
        table[0, 0, total] = total_row(total, soft=False)
        if total % 2 == 0:
            table[1, 0, total] = pair_row(total, soft=False)
        if total > 12:  # noqa: PLR2004 - two aces are a pair
            table[0, 1, total] = total_row(total, soft=True)
    table[1, 1, 12] = pair_row(12, soft=True)
    return table


def _columns(*, shows_both: bool) -> Places:
    """Return columns by the softness and total of the dealer's shown cards."""
    table = np.zeros((2, BEST_TOTAL + 1), np.intp)
    for total in range(2, BEST_TOTAL + 1):
        for soft in (False, True):
            if shows_both and total >= (12 if soft else HARD[0]):
                table[int(soft), total] = both_column(total, soft)
            elif not shows_both and total <= 11:  # noqa: PLR2004 - an ace
                table[int(soft), total] = upcard_column(total)
    return table


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
    imports = {"from tourney.game.view import numbers_of"}
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
