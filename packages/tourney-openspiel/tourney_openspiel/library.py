"""Which games OpenSpiel has, which of them suit a tournament, and how they are loaded."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pyspiel

UNSUITED = {
    "crossword": "its actions are structures without numbers",
    "quoridor": "OpenSpiel warns of known faults in it",
}
"""Games that no general property excludes, with the reason."""

MOST_SEATS = 7
"""Seats of the largest table of the platform."""

TRIALS = 5
"""Matches from which the number of turns is estimated."""

SEATS = {
    "chinese_checkers": range(2, 5),
    "pathfinding": range(1, 2),  # more need a grid of their own
    "snake": range(2, 5, 2),
}
"""Numbers of seats of games that cannot be loaded for all that they declare."""

SHARED = 420
"""Parts of a chip where up to seven players may share it: a multiple of every number to 7."""

PARTS = {
    "skat": 240,
    "tiny_bridge_2p": 6,
    "yacht": 61 * SHARED,
    "coop_box_pushing": 10,
    "deep_sea": 1000,
    "pathfinding": 100,
    "kuhn_poker": 1,
}
"""Parts of a chip in games that need others than the general ones."""


def short_names() -> Iterator[str]:
    """Yield the names of all games that can be offered, in order."""
    for kind in pyspiel.registered_games():
        if not why_unsuited(kind):
            yield kind.short_name


def why_unsuited(kind: Any) -> str:
    """Return why a kind of game cannot be offered; empty if it can."""
    if not kind.default_loadable:
        return "it needs parameters, such as another game"
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        return "it has a distribution of players, not seats"
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return "it draws its own chance, so that nobody could play a match again"
    if kind.max_num_players < 1:
        return "it has no players"
    return UNSUITED.get(kind.short_name, "")


@cache
def kinds() -> dict[str, Any]:
    """Return what OpenSpiel declares of its games, by name."""
    return {kind.short_name: kind for kind in pyspiel.registered_games()}


@cache
def game(name: str, parameters: str, players: int) -> Any:
    """Load a game.

    Args:
        name: Its short name.
        parameters: Such as "num_cards=4 points_order=descending".
        players: Number of players; 0 for the game's default.
    Raises: pyspiel.SpielError, if the game does not take the parameters.
    """
    parts = parameters.split()
    if players and takes_players(name):
        parts = [each for each in parts if not each.startswith("players=")]
        parts.append(f"players={players}")
    return pyspiel.load_game(f"{name}({','.join(parts)})" if parts else name)


def takes_players(name: str) -> bool:
    """Return whether a game can be loaded for several numbers of players."""
    return "players" in kinds()[name].parameter_specification


def parts(name: str) -> int:
    """Return the parts of a chip in which results are counted."""
    return PARTS.get(name) or (SHARED if takes_players(name) else 1)


@cache
def seats(name: str, parameters: str) -> range:
    """Return the numbers of seats of a game, as far as possible without loading it."""
    kind, players = kinds()[name], _fixed_players(parameters)
    if players:
        return range(players, players + 1)
    if name in SEATS:
        return SEATS[name]
    if kind.min_num_players == kind.max_num_players:
        return range(kind.min_num_players, kind.min_num_players + 1)
    if takes_players(name):
        return range(kind.min_num_players, min(kind.max_num_players, MOST_SEATS) + 1)
    count = game(name, parameters, 0).num_players()
    return range(count, count + 1)


def _fixed_players(parameters: str) -> int:
    """Return the number of players that parameters fix; 0 if they fix none."""
    found = [each.partition("=")[2] for each in parameters.split() if each.startswith("players=")]
    return int(found[-1]) if found else 0


@cache
def turns(name: str, parameters: str) -> float:
    """Return the mean number of turns of a seat, from a few matches with random moves."""
    dice = Random(1)  # noqa: S311 - an estimate for plans, always the same
    loaded = game(name, parameters, seats(name, parameters).start)
    return sum(_turns_of(loaded, dice) for _ in range(TRIALS)) / TRIALS / loaded.num_players()


def _turns_of(loaded: Any, dice: Random) -> int:
    state, count = loaded.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_simultaneous_node():
            joint = [state.legal_actions(seat) or [0] for seat in range(loaded.num_players())]
            state.apply_actions([dice.choice(each) for each in joint])
            count += len(joint)
            continue
        count += not state.is_chance_node()
        state.apply_action(dice.choice(state.legal_actions()))
    return count
