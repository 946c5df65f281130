"""The terms of an episode, and the shoes that a tournament deals.

Needs no library for learning.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tourney.errors import RulesError, TourneyError
from tourney.game.blocks import HOUSE_LIMIT
from tourney.game.cards.keys import KEY_BYTES, Secret
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.rules import PRESETS, BlackjackRules

MINIMUM = 10
"""Default least wager in chips, where the rules do not fix it."""

WAGERS = tuple(range(1, 9))
"""Default choices of wagers, in minimums."""


@dataclass(frozen=True)
class SeatTerms:
    """The terms of an episode: a block of rounds, from a bankroll."""

    rules: BlackjackRules
    bankroll: int  # in chips, like the next two
    minimum: int
    maximum: int
    rounds: int  # at most


def terms_of(
    game: str | BlackjackRules,
    bankroll: int,
    minimum: int | None,
    maximum: int | None,
    rounds: int,
) -> SeatTerms:
    """Check the terms of an episode.

    Raises: RulesError, if the game is unknown, or no seat could play a round.
    """
    if isinstance(game, str) and game not in PRESETS:
        raise RulesError(f"game: expected one of {', '.join(PRESETS)}; got {game!r}")
    rules = PRESETS[game] if isinstance(game, str) else game
    least = minimum or rules.minimum or MINIMUM
    most = HOUSE_LIMIT if maximum is None else maximum
    if not 1 <= least <= most <= HOUSE_LIMIT:
        raise RulesError(
            f"minimum and maximum: expected 1 <= minimum <= maximum <= {HOUSE_LIMIT}, "
            f"got {least} and {most}"
        )
    if not rules.may_play(bankroll, least) or bankroll > HOUSE_LIMIT:
        raise RulesError(
            f"bankroll: {bankroll} is too small for a round at a minimum of {least}, or larger "
            f"than {HOUSE_LIMIT}"
        )
    if rounds < 1:
        raise RulesError(f"rounds: expected at least 1, got {rounds}")
    return SeatTerms(rules, bankroll, least, most, rounds)


def moves_of(rules: BlackjackRules) -> tuple[Action, ...]:
    """Return the moves of a game.

    >>> [str(move) for move in moves_of(BlackjackRules())]
    ['stand', 'hit']
    """
    moves = [Action.STAND, Action.HIT]
    moves += [Action.DOUBLE] * (rules.double != "never")
    moves += [Action.SPLIT] * (rules.split != "never")
    moves += [Action.SURRENDER] * (rules.surrender != "never")
    moves += [Action.INSURE, Action.DECLINE] * (rules.insurance != "never")
    return tuple(moves)


def wagers_of(rules: BlackjackRules, wagers: Sequence[int]) -> tuple[int, ...]:
    """Return the choices of wagers, in minimums; only 1 where the rules fix them.

    Raises: RulesError, if not every seat can pay one, or one is not a wager.
    """
    if min(wagers, default=0) != 1:
        raise RulesError(f"wagers: must include 1 and be positive; you passed {tuple(wagers)}")
    return (1,) if rules.wager == "minimum" else tuple(wagers)


def tournament_shoes(seed: int, tables: int) -> list[bytes]:
    """Return the keys of the shoes that a tournament deals at its tables.

    Args:
        seed: As in its file; format `duplicate`, in a first or only stage.
        tables: Number of tables, from the first on.
    Returns: For `reset(options={"shoe_keys": ...})`; 16 bytes each.
    """
    secret = Secret.from_seed(seed)
    return [secret.shoe_key(0, 0, table, 1) for table in range(tables)]


def drawn_keys(rng: np.random.Generator, tables: int) -> NDArray[np.uint64]:
    """Draw keys of shoes; shape (tables, 2), low word first."""
    return rng.integers(0, 2**64, (tables, 2), np.uint64)


def key_words(keys: Sequence[bytes], tables: int) -> NDArray[np.uint64]:
    """Read keys of shoes; shape (tables, 2), low word first.

    Raises: TourneyError, if the number or the length of the keys is wrong.
    """
    if len(keys) != tables or any(len(key) != KEY_BYTES for key in keys):
        raise TourneyError(
            f"shoe_keys: expected {tables} keys of {KEY_BYTES} bytes, got {len(keys)} "
            f"of {sorted({len(key) for key in keys})} bytes"
        )
    return np.frombuffer(b"".join(keys), "<u8").reshape(-1, 2).astype(np.uint64)
