"""What a seat begins with in an environment, and the shoes that a tournament deals.

Knows no library of learning.
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
"""Least wager in chips where nobody says it, and the rules do not fix it."""

WAGERS = tuple(range(1, 9))
"""In minimums, to choose from where nobody says it."""


@dataclass(frozen=True)
class SeatTerms:
    """What an episode is: a block of rounds, from a bankroll."""

    rules: BlackjackRules
    bankroll: int  # in chips, as are the following
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
    """Check what an episode shall be.

    Raises: RulesError, if there is no such game, or nobody could play a round of it.
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
            f"bankroll: expected enough for a round at a minimum of {least}, and at most "
            f"{HOUSE_LIMIT}; got {bankroll}"
        )
    if rounds < 1:
        raise RulesError(f"rounds: expected at least 1, got {rounds}")
    return SeatTerms(rules, bankroll, least, most, rounds)


def moves_of(rules: BlackjackRules) -> tuple[Action, ...]:
    """Give the moves that there are in a game.

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
    """Give the wagers to choose from, in minimums; 1 alone where the rules fix them.

    Raises: RulesError, if there is none that every seat can pay, or one is no wager.
    """
    if min(wagers, default=0) != 1:
        raise RulesError(f"wagers: expected 1 and perhaps more, got {tuple(wagers)}")
    return (1,) if rules.wager == "minimum" else tuple(wagers)


def tournament_shoes(seed: int, tables: int) -> list[bytes]:
    """Give the keys of the shoes that a tournament deals at its tables.

    Args:
        seed: As in its file; format `duplicate`, in a first or only stage.
        tables: How many, from the first on.
    Returns: For `reset(options={"shoe_keys": ...})`; 16 bytes each.
    """
    secret = Secret.from_seed(seed)
    return [secret.shoe_key(0, 0, table, 1) for table in range(tables)]


def drawn_keys(rng: np.random.Generator, tables: int) -> NDArray[np.uint64]:
    """Draw keys of shoes; shape (tables, 2), low word first."""
    return rng.integers(0, 2**64, (tables, 2), np.uint64)


def key_words(keys: Sequence[bytes], tables: int) -> NDArray[np.uint64]:
    """Read keys of shoes; shape (tables, 2), low word first.

    Raises: TourneyError, if these are not as many keys.
    """
    if len(keys) != tables or any(len(key) != KEY_BYTES for key in keys):
        raise TourneyError(
            f"shoe_keys: expected {tables} keys of {KEY_BYTES} bytes, got {len(keys)} "
            f"of {sorted({len(key) for key in keys})} bytes"
        )
    return np.frombuffer(b"".join(keys), "<u8").reshape(-1, 2).astype(np.uint64)
