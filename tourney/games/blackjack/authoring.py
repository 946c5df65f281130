"""The first files of a new blackjack competitor: templates, and exports of learned policies.

The templates depend on the moves that the rules allow. Of a learned policy, whose arrays
`tourney.environments` saves, a table of values becomes a chart, and a network a class.
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
from tourney.games.blackjack.declaration import BOTH_CARDS, LETTER_OF, ROWS, UPCARDS, Cell
from tourney.games.blackjack.players.chart import Chart, write_chart
from tourney.games.blackjack.rules import BlackjackRules

DRAWS = '''\
"""NAME: describe here how your player plays, and why it might win."""

from tourney import Card, Hand, Player


class NAME(Player):
    """Bets the minimum, and draws more carefully when the dealer looks weak."""

    # Every block of rounds gets a new player. To remember something during a block,
    # write an __init__. Its parameters are options: `options: {spread: 8}`.

    def bet(self, bankroll: int, minimum: int) -> int:
        """Return the wager: from the minimum to the bankroll, in whole chips.

        `self.table` is the view from your seat; `self.table.maximum` is its limit.
        """
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Return True to hit, False to stand.

        `dealer` is the dealer's upcard; its `value` is 2 to 10, or 11 for an ace.
        `player` is your hand: its `total`, its `cards`, and whether it is `soft`, which
        means that an ace counts 11.
        """
        if player.soft:  # another card cannot take you over 21
            return player.total < 18
        dealer_looks_weak = 2 <= dealer.value <= 6
        return player.total < (13 if dealer_looks_weak else 17)

    # To count cards, override expose(self, card) and shuffled(self).
    # For random choices, use self.random, so that a round can be replayed.
'''

DRAWS_TEST = '''\
"""Tests of FILE.py: run `python test_FILE.py`, or pytest."""

from tourney import Card, Hand, Rank, Suit
from tourney.testing import PlayerConformance, run_tests

from FILE import NAME


class TestNAME(PlayerConformance):
    """The tests that every player must pass; the platform contains them."""

    competitor = NAME


def test_it_stands_on_20() -> None:
    """A card would bust this hand. Now write a test of your idea."""
    hand = Hand([Card(Rank.KING, Suit.SPADES), Card(Rank.QUEEN, Suit.HEARTS)])
    assert not NAME().draw(Card(Rank.SIX, Suit.CLUBS), hand)


if __name__ == "__main__":
    run_tests(globals())
'''

ACTS = '''\
"""NAME: describe here how your player plays, and why it might win."""

from tourney import Action, ActPlayer, Hand


class NAME(ActPlayer):
    """Bets the minimum, doubles on 10 and 11, splits eights, and draws to 17."""

    # Every block of rounds gets a new player. To remember something during a block,
    # write an __init__. Its parameters are options: `options: {spread: 8}`.
    # To wager more, override bet(self, bankroll, minimum).

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Choose one of the legal moves.

        `dealer` holds the dealer's cards that lie face up, one or both.
        `player` is your hand: its `total`, its `cards`, and whether it is `soft`, which
        means that an ace counts 11.
        `legal` holds the moves that the rules and your chips allow now.
        """
        if Action.DECLINE in legal:  # insurance is offered, and costs too much
            return Action.DECLINE
        if Action.HIT not in legal:  # split aces get no more cards
            return Action.STAND
        if Action.SPLIT in legal and player.cards[0].value == 8:
            return Action.SPLIT
        if Action.DOUBLE in legal and player.total in {10, 11}:
            return Action.DOUBLE
        if player.soft:  # another card cannot take you over 21
            return Action.HIT if player.total < 18 else Action.STAND
        dealer_looks_weak = 2 <= dealer.cards[0].value <= 6
        enough = 13 if dealer_looks_weak else 17
        return Action.HIT if player.total < enough else Action.STAND

    # To count cards, override expose(self, card) and shuffled(self).
    # For random choices, use self.random, so that a round can be replayed.
'''

ACTS_TEST = '''\
"""Tests of FILE.py: run `python test_FILE.py`, or pytest."""

from tourney import Action, Card, Hand, Rank, Suit
from tourney.testing import ActPlayerConformance, run_tests

from FILE import NAME


class TestNAME(ActPlayerConformance):
    """The tests that every player must pass; the platform contains them."""

    competitor = NAME
    dealer_shows_both = SHOWN


def test_it_stands_on_20() -> None:
    """A card would bust this hand. Now write a test of your idea."""
    dealer = Hand([Card(Rank.SIX, Suit.CLUBS)])
    hand = Hand([Card(Rank.KING, Suit.SPADES), Card(Rank.QUEEN, Suit.HEARTS)])
    legal = (Action.STAND, Action.HIT, Action.DOUBLE)
    assert NAME().act(dealer, hand, legal) is Action.STAND


if __name__ == "__main__":
    run_tests(globals())
'''


def templates_of(rules: BlackjackRules) -> Templates:
    """Choose the templates for the rules."""
    if rules.is_hit_or_stand:
        return Templates(DRAWS, DRAWS_TEST)
    return Templates(ACTS, ACTS_TEST.replace("SHOWN", str(rules.dealer_shows == "both")))


MOVE_OF_NAME = {str(move): move for move in Action}
KNOWN_FEATURES = (
    *("phase", "total", "soft", "pair", "cards", "dealer_total", "dealer_soft"),
    *("count", "unseen", "bankroll", "rounds_left"),
)
"""Features that a player can know. An environment also has others."""
CHARACTERS = 88
"""Length of a line of weights."""

NETWORK = '''\
"""NAME: plays by a network trained in an environment."""

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
    """Chooses the legal answer with the highest output of the network."""

    def __init__(self) -> None:
        self._count = self._seen = 0

    def bet(self, bankroll: int, minimum: int) -> int:
        most = min(bankroll, self.table.maximum)
        legal = [type(each) is int and each * minimum <= most for each in CHOICES]
        return self._best({"bankroll": bankroll // minimum}, legal) * minimum

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        cards, table = player.cards, self.table
        is_pair = len(cards) == 2 and cards[0].value == cards[1].value
        known = {
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
        can_choose = [isinstance(each, Action) and each in legal for each in CHOICES]
        return self._best(known, can_choose)

    def expose(self, card: Card) -> None:
        self._seen += 1
        self._count += -1 if card.value >= 10 else 1 if card.value <= 6 else 0

    def shuffled(self) -> None:
        self._count = self._seen = 0

    def _best(self, known, legal):
        known["count"] = self._count
        known["unseen"] = max(CARDS_IN_SHOE - self._seen, 0)
        known["rounds_left"] = self.table.rounds_left
        values = np.array([known.get(name, 0) for name in FEATURES], float)
        for layer in range(0, len(WEIGHTS), 2):
            values = np.maximum(values, 0) if layer else values
            values = values @ WEIGHTS[layer] + WEIGHTS[layer + 1]
        return CHOICES[int(np.where(legal, values, -np.inf).argmax())]
'''


def policy_templates(rules: BlackjackRules, policy: Mapping[str, NDArray[Any]]) -> Templates:
    """Write the files of a player from a learned policy.

    Args:
        rules: The rules of the game it was trained in.
        policy: `moves` and `values` of a table, or `features`, `choices`, `weights0`, `biases0`,
            `weights1` and so on of a network.
    Raises: SubmissionError, if the arrays are neither.
    """
    if {"moves", "values"} <= set(policy):
        return Templates(write_chart(chart_of(rules, policy)), "", ".txt")
    if {"features", "choices", "weights0", "biases0"} <= set(policy):
        test = ACTS_TEST.replace("SHOWN", str(rules.dealer_shows == "both"))
        start = test.index("\n\ndef test_it_stands_on_20")  # it may not have learned this
        end = test.index("\n\nif __name__")
        test = test[:start] + test[end:]
        used = "from tourney import Action, Card, Hand, Rank, Suit\n"
        return Templates(_network(rules, policy), test.replace(used, ""))
    raise SubmissionError(
        "policy: a table needs the arrays moves and values, a network features, choices, weights0 "
        f"and biases0; the file contains {', '.join(sorted(policy)) or 'no arrays'}"
    )


def chart_of(rules: BlackjackRules, policy: Mapping[str, NDArray[Any]]) -> Chart:
    """Convert a table of values to a chart.

    Args:
        rules: The rules of the game.
        policy: `values`, the value of each move by row and column of the chart, NaN if unknown,
            and the names of the `moves`. Rows after those of charts are ignored.
    Raises: SubmissionError, if shapes or names do not fit.
    """
    shows_both = rules.dealer_shows == "both"
    columns = BOTH_CARDS if shows_both else UPCARDS
    moves, values = _moves(policy["moves"]), policy["values"]
    expected = (len(ROWS), len(columns), len(moves))
    if values.ndim != len(expected) or len(values) < len(ROWS) or values.shape[1:] != expected[1:]:
        raise SubmissionError(
            f"policy: values has shape {values.shape}; this game needs shape {expected}"
        )
    cells = [[_cell(each, moves) for each in row] for row in values[: len(ROWS)].tolist()]
    return Chart(tuple(map(tuple, cells)), shows_both)


def _moves(names: NDArray[Any]) -> list[Action]:
    words = [str(name) for name in names]
    unknown = [name for name in words if name not in MOVE_OF_NAME]
    if unknown:
        raise SubmissionError(
            f"policy: unknown moves: {', '.join(unknown)}; possible are {', '.join(MOVE_OF_NAME)}"
        )
    return [MOVE_OF_NAME[name] for name in words]


def _cell(values: Sequence[float], moves: Sequence[Action]) -> Cell:
    """Sort moves by value, up to the first that is always legal."""
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
    return tuple(cell) or (Action.STAND,)  # a cell must have a move


def _network(rules: BlackjackRules, policy: Mapping[str, NDArray[Any]]) -> str:
    """Write a network as a class.

    Raises: SubmissionError, if a player cannot know its features, or shapes do not fit.
    """
    features = tuple(map(str, policy["features"]))
    if unknown := [name for name in features if name not in KNOWN_FEATURES]:
        raise SubmissionError(
            f"policy: a player cannot know the features {', '.join(unknown)}; "
            f"train with {', '.join(KNOWN_FEATURES)} only"
        )
    choices = tuple(map(str, policy["choices"]))
    moves = _moves(np.array([name for name in choices if not name.isdigit()]))
    wagers = [int(name) for name in choices if name.isdigit()]
    arrays = _layers(policy, len(features), len(choices))
    decks = 0 if rules.decks == "infinite" else rules.decks
    joined = np.concatenate([each.ravel() for each in arrays]).astype("<f4").tobytes()
    lines = wrap(b85encode(joined).decode(), CHARACTERS, break_on_hyphens=False)
    written = [*(f"Action.{move.name}" for move in moves), *map(str, wagers)]
    replaced = {
        "_FEATURES": repr(features),
        "_CHOICES": f"({', '.join(written)},)",
        "_CARDS": f"52 * {decks}",
        "_SHAPES": repr(tuple(each.shape for each in arrays)),
        "_NUMBERS": "\n".join(f"    {line!r}," for line in lines),
    }
    text = NETWORK
    for name, value in replaced.items():
        text = text.replace(name, value, 1)
    return text


def _layers(policy: Mapping[str, NDArray[Any]], size: int, choices: int) -> list[NDArray[Any]]:
    """Return weights and biases in turn, from `size` features to `choices` outputs."""
    arrays: list[NDArray[Any]] = []
    layer, given = 0, size
    while f"weights{layer}" in policy:
        weights, biases = policy[f"weights{layer}"], policy.get(f"biases{layer}", np.zeros(()))
        if weights.ndim != 2 or len(weights) != given or biases.shape != weights.shape[1:]:  # noqa: PLR2004 - a matrix
            raise SubmissionError(
                f"policy: weights{layer} has shape {weights.shape} and biases{layer} "
                f"{biases.shape}; the layer needs shapes ({given}, n) and (n,)"
            )
        arrays += (weights, biases)
        layer, given = layer + 1, weights.shape[1]
    if given != choices:
        raise SubmissionError(
            f"policy: the last layer has {given} outputs for {choices} choices; it needs one each"
        )
    if not all(np.isfinite(each).all() for each in arrays):
        raise SubmissionError("policy: a weight or bias is not a finite number")
    return arrays
