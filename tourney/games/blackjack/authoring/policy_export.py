"""What a program has learned, as a competitor: a table of values as a chart, a network as a class.

The arrays are those that `tourney.environments` writes. Leaves out how they are learned.
"""

from __future__ import annotations

from base64 import b85encode
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

from tourney.errors import SubmissionError
from tourney.game.arrays import NDArray, np
from tourney.game.templates import Templates
from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.authoring.templates import ACTS_TEST
from tourney.games.blackjack.players.chart import Chart, write_chart
from tourney.games.blackjack.players.grid import BOTH_CARDS, LETTER_OF, ROWS, UPCARDS, Cell
from tourney.games.blackjack.rules import BlackjackRules

MOVES = {str(move): move for move in Action}
FELT = (
    *("phase", "total", "soft", "pair", "cards", "dealer_total", "dealer_soft"),
    *("count", "unseen", "bankroll", "rounds_left"),
)
"""Features that a player can know: an environment tells of others as well."""
CHARACTERS = 88
"""In a line of weights."""

NETWORK = '''\
"""NAME: plays by a network that was trained in an environment."""

from base64 import b85decode

import numpy as np

from tourney import Action, ActPlayer, Card, Hand

FEATURES = _FEATURES
CHOICES = _CHOICES  # moves, then wagers in minimums
CARDS_IN_SHOE = _CARDS
SHAPES = _SHAPES  # of weights and biases, layer by layer
NUMBERS = (
_NUMBERS
)
ARRAYS = np.split(
    np.frombuffer(b85decode("".join(NUMBERS)), "<f4").astype(float),
    np.cumsum([np.prod(shape) for shape in SHAPES])[:-1],
)
WEIGHTS = [numbers.reshape(shape) for numbers, shape in zip(ARRAYS, SHAPES)]


class NAME(ActPlayer):
    """Chooses what the network likes best of all that is legal."""

    def __init__(self) -> None:
        self._count = self._seen = 0

    def bet(self, bankroll: int, minimum: int) -> int:
        most = min(bankroll, self.table.maximum)
        legal = [type(each) is int and each * minimum <= most for each in CHOICES]
        return self._best({"bankroll": bankroll // minimum}, legal) * minimum

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        cards, table = player.cards, self.table
        is_pair = len(cards) == 2 and cards[0].value == cards[1].value
        told = {
            "phase": 2 if Action.DECLINE in legal else 1,
            "total": player.total,
            "soft": player.soft,
            "pair": cards[0].value * is_pair,
            "cards": min(len(cards), 3),
            "dealer_total": dealer.total,
            "dealer_soft": dealer.soft,
            "bankroll": table.bankrolls[table.seat] // table.minimum,
        }
        # A wager of 2 is equal to Action.STAND.
        return self._best(told, [isinstance(each, Action) and each in legal for each in CHOICES])

    def expose(self, card: Card) -> None:
        self._seen += 1
        self._count += -1 if card.value >= 10 else 1 if card.value <= 6 else 0

    def shuffled(self) -> None:
        self._count = self._seen = 0

    def _best(self, told, legal):
        told["count"] = self._count
        told["unseen"] = max(CARDS_IN_SHOE - self._seen, 0)
        told["rounds_left"] = self.table.rounds_left
        felt = np.array([told.get(name, 0) for name in FEATURES], float)
        for layer in range(0, len(WEIGHTS), 2):
            felt = np.maximum(felt, 0) if layer else felt
            felt = felt @ WEIGHTS[layer] + WEIGHTS[layer + 1]
        return CHOICES[int(np.where(legal, felt, -np.inf).argmax())]
'''


def templates_of(rules: BlackjackRules, policy: Mapping[str, NDArray[Any]]) -> Templates:
    """Give the files of a player.

    Args:
        rules: Of the game that it was trained at.
        policy: `moves` and `values`, of a table; or `features`, `choices`, and `weights0`,
            `biases0` and so on, of a network.
    Raises: SubmissionError, if it is neither.
    """
    if {"moves", "values"} <= set(policy):
        return Templates(write_chart(chart_of(rules, policy)), "", ".txt")
    if {"features", "choices", "weights0", "biases0"} <= set(policy):
        test = ACTS_TEST.replace("SHOWN", str(rules.dealer_shows == "both"))
        start = test.index("\n\ndef test_it_stands_on_20")  # which nobody taught it
        end = test.index("\n\nif __name__")
        test = test[:start] + test[end:]
        used = "from tourney import Action, Card, Hand, Rank, Suit\n"
        return Templates(_network(rules, policy), test.replace(used, ""))
    raise SubmissionError(
        "policy: expected the arrays moves and values, of a table, or features, choices, weights0 "
        f"and biases0, of a network; got {', '.join(sorted(policy)) or 'none'}"
    )


def chart_of(rules: BlackjackRules, policy: Mapping[str, NDArray[Any]]) -> Chart:
    """Read a chart off a table of values.

    Args:
        rules: Of the game.
        policy: `values`, what each move is worth by row and column of the chart, NaN where nobody
            knows, and the names of the `moves`; rows behind those of charts do not count.
    Raises: SubmissionError, if shapes or names do not fit.
    """
    shows_both = rules.dealer_shows == "both"
    columns = BOTH_CARDS if shows_both else UPCARDS
    moves, values = _moves(policy["moves"]), policy["values"]
    expected = (len(ROWS), len(columns), len(moves))
    if values.ndim != len(expected) or len(values) < len(ROWS) or values.shape[1:] != expected[1:]:
        raise SubmissionError(
            f"policy: expected values of shape {expected} for this game, got {values.shape}"
        )
    cells = [[_cell(each, moves) for each in row] for row in values[: len(ROWS)].tolist()]
    return Chart(tuple(map(tuple, cells)), shows_both)


def _moves(names: NDArray[Any]) -> list[Action]:
    told = [str(name) for name in names]
    unknown = [name for name in told if name not in MOVES]
    if unknown:
        raise SubmissionError(
            f"policy: expected moves of {', '.join(MOVES)}; got {', '.join(unknown)}"
        )
    return [MOVES[name] for name in told]


def _cell(values: Sequence[float], moves: Sequence[Action]) -> Cell:
    """Give moves by what they are worth, up to the first that is always legal."""
    known = [
        (-value, place)
        for place, value in enumerate(values)
        if not np.isnan(value) and moves[place] in LETTER_OF
    ]
    cell: list[Action] = []
    for _, place in sorted(known):
        cell.append(moves[place])
        if moves[place] in HIT_OR_STAND:
            return tuple(cell)
    return tuple(cell) or (Action.STAND,)  # a chart knows what to do where it names no other


def _network(rules: BlackjackRules, policy: Mapping[str, NDArray[Any]]) -> str:
    """Write a network as a class.

    Raises: SubmissionError, if its features cannot be known to a player, or shapes do not fit.
    """
    features = tuple(map(str, policy["features"]))
    if unknown := [name for name in features if name not in FELT]:
        raise SubmissionError(
            f"policy: expected features that a player can know, of {', '.join(FELT)}; "
            f"got {', '.join(unknown)}"
        )
    choices = tuple(map(str, policy["choices"]))
    moves = _moves(np.array([name for name in choices if not name.isdigit()]))
    wagers = [int(name) for name in choices if name.isdigit()]
    arrays = _layers(policy, len(features), len(choices))
    decks = 0 if rules.decks == "infinite" else rules.decks
    joined = np.concatenate([each.ravel() for each in arrays]).astype("<f4").tobytes()
    lines = wrap(b85encode(joined).decode(), CHARACTERS, break_on_hyphens=False)
    told = [*(f"Action.{move.name}" for move in moves), *map(str, wagers)]
    replaced = {
        "_FEATURES": repr(features),
        "_CHOICES": f"({', '.join(told)},)",
        "_CARDS": f"52 * {decks}",
        "_SHAPES": repr(tuple(each.shape for each in arrays)),
        "_NUMBERS": "\n".join(f"    {line!r}," for line in lines),
    }
    text = NETWORK
    for name, value in replaced.items():
        text = text.replace(name, value, 1)
    return text


def _layers(policy: Mapping[str, NDArray[Any]], size: int, choices: int) -> list[NDArray[Any]]:
    """Give weights and biases in turn, from so many features to so many choices."""
    arrays: list[NDArray[Any]] = []
    layer, given = 0, size
    while f"weights{layer}" in policy:
        weights, biases = policy[f"weights{layer}"], policy.get(f"biases{layer}", np.zeros(()))
        if weights.ndim != 2 or len(weights) != given or biases.shape != weights.shape[1:]:  # noqa: PLR2004 - a matrix
            raise SubmissionError(
                f"policy: expected weights{layer} of shape ({given}, n) and biases{layer} of shape "
                f"(n,), got {weights.shape} and {biases.shape}"
            )
        arrays += (weights, biases)
        layer, given = layer + 1, weights.shape[1]
    if given != choices or not all(np.isfinite(each).all() for each in arrays):
        raise SubmissionError(
            f"policy: expected finite numbers, and {choices} of them from the last layer, one for "
            f"each choice; got {given}"
        )
    return arrays
