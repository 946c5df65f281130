"""Optimal play of small games, and how far a player is from it: `tourney.equilibrium`.

The equilibrium of a game for two whose results add up to a constant solves a linear programme. The
exploitability of a player is the mean gain of a best response to it, over all seats, as OpenSpiel
defines it: NashConv divided by the number of seats.

Source: Koller, Megiddo and von Stengel, "Fast algorithms for finding randomized strategies in game
trees", 1994; docs/sources.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_array, hstack

from tourney.errors import CompetitorFailedError, PluginError, RulesError
from tourney.game.rules import Rules
from tourney.game.turns import Turn
from tourney.notebook.tables import Tabular, facts_html
from tourney.plugins.loading import installed_plugins, language_of
from tourney.research.game_tree import ROOT, GameTree, Situation, tree_of
from tourney.research.inputs import GameLike, StrategyLike, entrant_of, game_of, strategy_text
from tourney.tournament.entrant_specs import source_name

SAMPLES = 1_000
"""Answers in each situation of a player that uses random numbers and has no method `chances`."""
NEARLY_NOTHING, NEARLY_EQUAL = 1e-9, 1e-6
DIGITS = 9

Chances = Sequence[NDArray[np.float64]]
"""The chance of each legal action, by the number of a situation."""


@dataclass(frozen=True, slots=True, repr=False)
class Equilibrium(Tabular):
    """Optimal play of a game for two, against an opponent that plays optimally, too."""

    game: str
    tree: GameTree
    values: tuple[float, ...]  # by seat, in minimums or points
    chances: Chances

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Return a row for each situation and action, with the chance of the action."""
        game = self.tree.rules.game
        return [
            {
                "seat": each.seat + 1,
                "view": _seen(self.tree.rules, each),
                "action": game.told(action),
                "chance": round(float(chance), DIGITS),
            }
            for each, row in zip(self.tree.situations, self.chances, strict=True)
            for action, chance in zip(each.legal, row, strict=True)
        ]

    def to_data(self) -> Mapping[str, object]:
        """Return the data for JSON."""
        about = {"game": self.game, "ways": self.tree.ways, "values": list(self.values)}
        return {**about, "situations": list(self.rows())}

    @property
    def text(self) -> str:
        """A line for each situation, with the chances of its actions."""
        rules, lines = self.tree.rules, []
        listed = zip(self.tree.situations, self.chances, strict=True)
        for each, row in sorted(listed, key=lambda pair: _place(rules, pair[0])):
            chances = ", ".join(
                f"{rules.game.told(action)} {chance:.4f}"
                for action, chance in zip(each.legal, row, strict=True)
            )
            lines.append(f"seat {each.seat + 1}: {_seen(rules, each)}: {chances}\n")
        return "".join(lines)

    def __repr__(self) -> str:
        """Write `poker: seat 1 wins -0.055556`."""
        return f"{self.game}: seat 1 wins {self.values[0]:+.6f}"

    def _repr_html_(self) -> str:
        values = [(f"Seat {n}", f"{each:+.6f}") for n, each in enumerate(self.values, 1)]
        return facts_html([("Game", self.game), *values])


@dataclass(frozen=True, slots=True, repr=False)
class Exploited(Tabular):
    """How far a player is from an equilibrium, if it plays in every seat."""

    strategy: str
    game: str
    values: tuple[float, ...]  # of the player against itself, by seat
    best_responses: tuple[float, ...]  # of an opponent that knows the player, by seat
    samples: int  # answers in each situation; 0 if its chances are exact

    @property
    def nash_conv(self) -> float:
        """The gain of a best response, summed over all seats."""
        return sum(self.best_responses) - sum(self.values)

    @property
    def exploitability(self) -> float:
        """The mean gain of a best response; 0 in an equilibrium."""
        return self.nash_conv / len(self.values)

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Return a row for each seat."""
        about = {"strategy": self.strategy, "game": self.game}
        figures = zip(self.values, self.best_responses, strict=True)
        return [
            {**about, "seat": seat, "value": value, "best_response": best}
            for seat, (value, best) in enumerate(figures, 1)
        ]

    def to_data(self) -> Mapping[str, object]:
        """Return the data for JSON."""
        return {
            "strategy": self.strategy,
            "game": self.game,
            "exploitability": self.exploitability,
            "nash_conv": self.nash_conv,
            "values": list(self.values),
            "best_responses": list(self.best_responses),
            "samples": self.samples,
        }

    def __repr__(self) -> str:
        """Write `timid at poker: exploitability 0.250000`."""
        return f"{self.strategy} at {self.game}: exploitability {self.exploitability:.6f}"

    def _repr_html_(self) -> str:
        facts = [("Strategy", self.strategy), ("Game", self.game)]
        return facts_html([*facts, ("Exploitability", f"{self.exploitability:.6f}")])


def equilibrium(game: GameLike) -> Equilibrium:
    """Solve a small game for two.

    Args:
        game: As for `ev`: a game of a plugin with at most 300,000 ways to play a round.
    Raises: ConfigError or RulesError, if it cannot be solved.
    """
    text, played = game_of(game, installed_plugins())
    return equilibrium_of(tree_of(played.rules), text)


def equilibrium_of(tree: GameTree, game: str = "") -> Equilibrium:
    """Solve a game for two whose results add up to a constant.

    Raises: RulesError, if it is another game.
    """
    total = _total(tree)
    first, plan = _maximin(tree, 0)
    second, other = _maximin(tree, 1)
    gap = abs(first + second - total)
    assert gap < NEARLY_EQUAL, f"both linear programmes have the same value, not {gap} apart"
    chances = [
        _shares((plan if each.seat == 0 else other)[_sequences(each)]) for each in tree.situations
    ]
    return Equilibrium(game or str(tree.rules.game), tree, (first, total - first), chances)


def _total(tree: GameTree) -> float:
    """Return the constant sum of the results.

    Raises: RulesError, if it is not constant, or there are not two seats.
    """
    if tree.seats != 2:  # noqa: PLR2004 - see the message
        raise RulesError(
            f"{tree.rules.game} has {tree.seats} seats, and only games for two are solved; measure "
            "how far a player is from optimal play with tourney ev"
        )
    sums = {round(sum(each.results) / each.chance, DIGITS) for each in tree.endings if each.chance}
    if len(sums) != 1:
        raise RulesError(
            f"{tree.rules.game}: the results of both seats add up to {min(sums):g} in some rounds "
            f"and to {max(sums):g} in others; only games with a constant sum are solved"
        )
    return sums.pop()


def _maximin(tree: GameTree, seat: int) -> tuple[float, NDArray[np.float64]]:
    """Return the value of a seat, and the weights of its sequences in optimal play.

    The variables are the weights, and a value for each situation of the opponent, which chooses
    the action that is worst for the seat.
    """
    other = 1 - seat
    own, theirs = tree.sequences[seat], tree.sequences[other]
    pays = [(e.sequences[other], e.sequences[seat], e.results[seat]) for e in tree.endings]
    against = _sparse([(row, column, -value) for row, column, value in pays], (theirs, own))
    their_flow, their_start = _flow(tree, other)
    my_flow, my_start = _flow(tree, seat)
    bounds = [(0.0, None)] * own + [(None, None)] * len(their_start)
    rows = len(my_start)
    found = linprog(
        np.concatenate([np.zeros(own), -their_start]),
        A_ub=hstack([against, their_flow.T]).tocsr(),
        b_ub=np.zeros(theirs),
        A_eq=hstack([my_flow, coo_array((rows, len(their_start)))]).tocsr(),
        b_eq=my_start,
        bounds=bounds,
        method="highs",
    )
    if found.x is None or found.fun is None:
        raise RulesError(f"{tree.rules.game} could not be solved: {found.message}")
    weights: NDArray[np.float64] = np.maximum(found.x[:own], 0)
    return -float(found.fun), weights


def _flow(tree: GameTree, seat: int) -> tuple[Any, NDArray[np.float64]]:
    """Return the equations of a seat: the weights after a situation add up to that before it."""
    entries, rows = [(0, ROOT, 1.0)], 1
    for _, each in tree.of_seat(seat):
        entries.append((rows, each.after, -1.0))
        entries += [(rows, sequence, 1.0) for sequence in _sequences(each)]
        rows += 1
    start = np.zeros(rows)
    start[0] = 1
    return _sparse(entries, (rows, tree.sequences[seat])), start


def _sparse(entries: Sequence[tuple[int, int, float]], shape: tuple[int, int]) -> Any:
    rows, columns, values = zip(*entries, strict=True)
    return coo_array((values, (rows, columns)), shape=shape)


def _place(rules: Rules, situation: Situation) -> tuple[int, int, str]:
    """Return a key that sorts situations by seat, by turn, and by view."""
    return situation.seat, len(situation.earlier), _seen(rules, situation)


def _seen(rules: Rules, situation: Situation) -> str:
    return rules.game.seen(_turn(rules, situation.view, situation))


def _sequences(situation: Situation) -> list[int]:
    return list(range(situation.first, situation.first + len(situation.legal)))


def _shares(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights as chances; all alike where the seat never gets."""
    total = weights.sum()
    if total < NEARLY_NOTHING:
        return np.full(len(weights), 1 / len(weights))
    shares: NDArray[np.float64] = weights / total
    return shares


def exploited_by(tree: GameTree, chances: Chances) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the value of every seat, and that of its best response to the others.

    Args:
        tree: The game.
        chances: The play of all seats.
    """
    weights = [_weights(tree, seat, chances) for seat in range(tree.seats)]
    values, best = [], []
    for seat in range(tree.seats):
        gains = np.zeros(tree.sequences[seat])
        others = [other for other in range(tree.seats) if other != seat]
        for each in tree.endings:
            reach = prod(weights[other][each.sequences[other]] for other in others)
            gains[each.sequences[seat]] += reach * each.results[seat]
        values.append(round(float(gains @ weights[seat]), DIGITS + 3) + 0.0)  # no -0
        for _, situation in reversed(list(tree.of_seat(seat))):
            gains[situation.after] += gains[_sequences(situation)].max()
        best.append(float(gains[ROOT]))
    return tuple(values), tuple(best)


def _weights(tree: GameTree, seat: int, chances: Chances) -> NDArray[np.float64]:
    """Return the chance of a seat's sequences, if the others and the cards allow them."""
    weights = np.zeros(tree.sequences[seat])
    weights[ROOT] = 1
    for number, each in tree.of_seat(seat):
        weights[_sequences(each)] = weights[each.after] * chances[number]
    return weights


def exploitability(
    strategy: StrategyLike,
    game: GameLike,
    *,
    options: Mapping[str, object] | None = None,
    trust_submissions: bool = False,
) -> Exploited:
    """Find out how much an opponent could win from a player by knowing it.

    A player with a method `chances`, which returns the chance of each action in a view by action,
    is exact. Any other one that uses random numbers is asked 1,000 times in each situation. A new
    player answers, after its earlier views of the round.

    Args:
        strategy: As for `ev`.
        game: As for `equilibrium`; for any number of seats.
        options: Options of the strategy, in addition to those in its name.
        trust_submissions: Run a file in this process, with your permissions; no sandbox can.
    Raises: TourneyError, if the player or the game does not fit.
    """
    registry, entrant = installed_plugins(), entrant_of(strategy, options)
    text, played = game_of(game, registry)
    language, name = language_of(entrant.kind), source_name(entrant)
    if language.brings_code and not trust_submissions:
        raise PluginError(
            f"{entrant.name} would run in this process, to be asked in every situation; if the "
            "file is your own, pass trust_submissions=True, or --no-sandbox on the command line"
        )
    files = language.read_path(entrant.source) if entrant.source else ()
    if misfit := language.misfit(name, files, played.rules):
        raise PluginError(f"{entrant.name}: {misfit}")
    kind = language.known(name, files) or language.load(name, files)
    tree = tree_of(played.rules)
    chosen = dict(entrant.options)
    chances, samples = chances_of(tree, lambda: kind(**chosen))
    values, best = exploited_by(tree, chances)
    return Exploited(strategy_text(entrant), text, values, best, samples)


def chances_of(tree: GameTree, make: Any) -> tuple[Chances, int]:
    """Return the chances with which players act, and the largest number of answers for one.

    Args:
        tree: The game.
        make: Makes a player.
    Raises: CompetitorFailedError, for an illegal answer or chances that are none.
    """
    own = getattr(make(), "chances", None)
    if callable(own):
        return [_stated(tree.rules, make(), each) for each in tree.situations], 0
    found, most = [], 0
    for each in tree.situations:
        counts, asked = _counted(tree.rules, make, each)
        found.append(counts / counts.sum())
        most = max(most, asked)
    return found, most if most > 1 else 0


class _Watched(Random):
    """A player's generator, which notices that it is used."""

    is_used = False

    def random(self) -> float:
        """Draw a number."""
        self.is_used = True
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        """Draw bits."""
        self.is_used = True
        return super().getrandbits(k)


def _counted(rules: Rules, make: Any, situation: Situation) -> tuple[NDArray[np.float64], int]:
    """Count the answers of new players; one is enough if it uses no random numbers."""
    counts = np.zeros(len(situation.legal))
    for sample in range(SAMPLES):
        player = make()
        player.random = luck = _Watched(sample)
        for view, _ in situation.earlier:
            _answer(rules, player, view, situation)
        answer = _answer(rules, player, situation.view, situation)
        turn = _turn(rules, situation.view, situation)
        action = rules.game.accept(answer, turn)
        if action is None:
            raise CompetitorFailedError(
                f"{type(player).__name__}: {_seen(rules, situation)}: expected "
                f"{rules.game.expected(turn)}, got {answer!r}"
            )
        counts[situation.legal.index(action)] += 1
        if not luck.is_used:
            return counts, 1
    return counts, SAMPLES


def _turn(rules: Rules, view: Any, situation: Situation) -> Turn[Any, Any]:
    (call,) = sorted(getattr(rules.game.contract(), "__abstractmethods__", ())) or ("act",)
    return Turn(situation.seat, 1, call, view, situation.legal)


def _answer(rules: Rules, player: Any, view: Any, situation: Situation) -> object:
    return rules.game.ask(player, _turn(rules, view, situation))


def _stated(rules: Rules, player: Any, situation: Situation) -> NDArray[np.float64]:
    """Return the chances that a player states."""
    stated = player.chances(situation.view)
    row = np.array([float(stated.get(action, 0)) for action in situation.legal])
    if (row < 0).any() or abs(row.sum() - 1) > NEARLY_EQUAL:
        actions = ", ".join(map(rules.game.told, situation.legal))
        raise CompetitorFailedError(
            f"{type(player).__name__}.chances: {_seen(rules, situation)}: expected chances of "
            f"{actions} that add up to 1, got {stated!r}"
        )
    return row
