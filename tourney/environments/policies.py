"""Files of learned players, for `tourney new competitor NAME --model FILE`.

Tables are those of charts: a row for the player's hand and a column for the dealer's.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tourney.environments.blackjack import BlackjackVectorEnv
from tourney.environments.blackjack_table import BlackjackEnv
from tourney.errors import TourneyError
from tourney.games.blackjack.hand import BEST_TOTAL
from tourney.games.blackjack.kernels.training import (
    DEALER_SOFT,
    DEALER_TOTAL,
    PAIR_VALUE,
    SOFT,
    TOTAL,
)
from tourney.games.blackjack.players.grid import (
    BOTH_CARDS,
    HARD,
    ROWS,
    UPCARDS,
    both_column,
    pair_row,
    total_row,
    upcard_column,
)

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
