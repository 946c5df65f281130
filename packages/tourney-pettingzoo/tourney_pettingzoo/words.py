"""Names of actions and texts of views, which PettingZoo has as numbers only."""

from typing import Any

import numpy as np

NAMES = {
    "rps_v2": ("rock", "paper", "scissors"),
    "leduc_holdem_v4": ("call", "raise", "fold", "check"),
    "texas_holdem_v4": ("call", "raise", "fold", "check"),
    "texas_holdem_no_limit_v6": ("fold", "check or call", "raise half", "raise pot", "all in"),
}
GO_LETTERS, GO_SIZE = "ABCDEFGHJKLMNOPQRST", 19


def action_name(module: str, number: int) -> str:
    """Name an action of a game.

    >>> action_name("go_v5", 361), action_name("tictactoe_v3", 5), action_name("rps_v2", 1)
    ('pass', 'column 2, row 3', 'paper')
    """
    if module in NAMES:
        return NAMES[module][number]
    if module == "tictactoe_v3":
        return f"column {number // 3 + 1}, row {number % 3 + 1}"
    if module == "connect_four_v3":
        return f"column {number + 1}"
    if module == "go_v5":
        row, column = divmod(number, GO_SIZE)
        return "pass" if row == GO_SIZE else f"{GO_LETTERS[column]}{GO_SIZE - row}"
    if module == "chess_v6":
        square, plane = divmod(number, 73)
        return f"from {'abcdefgh'[square // 8]}{square % 8 + 1} by move type {plane}"
    return f"action {number}"


def shown(module: str, numbers: Any) -> str:
    """Write what a seat sees on one line.

    Args:
        module: Below pettingzoo.classic.
        numbers: The observation as an array.
    """
    if module in {"tictactoe_v3", "connect_four_v3"}:
        own, other = numbers[..., 0], numbers[..., 1]
        marks = np.where(own > 0, "x", np.where(other > 0, "o", "."))
        return " / ".join("".join(row) for row in marks)
    if module == "rps_v2":
        return f"the other's last choice: {(*NAMES[module], 'none yet')[int(numbers)]}"
    return f"ones at {', '.join(map(str, np.flatnonzero(numbers)))}"
