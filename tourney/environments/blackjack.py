"""Blackjack as Gymnasium environments: many tables with a seat each, or one.

An episode is a block of rounds: it is truncated when they are played, and terminated when the seat
cannot go on, having too few chips or having made an illegal choice, which is a fault as at a
tournament: all that it staked is lost. So a learner is to heed `info["action_mask"]`.

Rewards are minimums won or lost, at the end of each round. Leaves out how tables are played, which
is the business of `tourney.games.blackjack.kernels.training`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from tourney.environments.seats import Terms, key_words, terms_of
from tourney.errors import IllegalAction, TourneyError
from tourney.game.cards.card import CARDS
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.kernels.declared_blocks import SeatStart, TableStart, table_rows
from tourney.games.blackjack.kernels.rounds import ASKED, FINAL
from tourney.games.blackjack.kernels.rule_tables import players_of, tables_of
from tourney.games.blackjack.kernels.shoes import ENDLESS_ROOM
from tourney.games.blackjack.kernels.table_layout import new_layouts
from tourney.games.blackjack.kernels.training import (
    BEGIN,
    COUNT,
    FEATURES,
    GREATEST,
    STAY,
    STEP,
    Choices,
    new_steps,
    step_tables,
)
from tourney.games.blackjack.players.declared import CountSystem
from tourney.games.blackjack.rules import CARDS_IN_A_DECK, BlackjackRules

Observations: TypeAlias = NDArray[np.int32]
Info: TypeAlias = dict[str, Any]

WAGERS = tuple(range(1, 9))
"""In minimums."""
HIGH_LOW = CountSystem(
    {card.rank: -1 if card.value >= 10 else 1 if card.value <= 6 else 0 for card in CARDS}  # noqa: PLR2004 - the tags' own bounds
)
"""Tens and aces take 1 from the count, two to six add 1."""


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


class BlackjackVectorEnv(VectorEnv[Observations, NDArray[Any], NDArray[Any]]):
    """Tables that are played together, in machine code.

    Args:
        num_envs: How many tables.
        game: Name of a preset, or rules.
        bankroll: With which an episode begins, in chips.
        minimum: Least wager in chips; by default that of the rules, or 10.
        maximum: Greatest wager in chips.
        rounds: Of an episode, at most.
        wagers: To choose from, in minimums. Where the rules fix the wager, 1 alone.
        count: What seen cards add to the running count.
        autoreset_mode: When a table that is done begins its next episode: at the next step,
            whose choice counts for nothing; in the same step; or when `reset` says so.

    Action k is `choices[k]`: a move or, from `len(moves)` on, a wager. Where the wager is fixed,
    the one "wager" has the next round dealt. What a row of observations holds say `features`.
    """

    features: ClassVar[tuple[str, ...]] = FEATURES

    def __init__(
        self,
        num_envs: int = 1,
        game: str | BlackjackRules = "ve280",
        *,
        bankroll: int = 1_000,
        minimum: int | None = None,
        maximum: int | None = None,
        rounds: int = 100,
        wagers: Sequence[int] = WAGERS,
        count: CountSystem = HIGH_LOW,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self.terms = terms_of(game, bankroll, minimum, maximum, rounds)
        self.rules = self.terms.rules
        self.moves = moves_of(self.rules)
        is_fixed = self.rules.wager == "minimum"
        self.wagers = (1,) if is_fixed else tuple(wagers)
        self.choices: tuple[Action | int, ...] = (*self.moves, *self.wagers)
        self._choices = Choices(
            np.array([*self.moves, *(each * self.terms.minimum for each in self.wagers)], np.int64),
            len(self.moves),
            np.array(count.tags, np.int64),
            self.terms.bankroll * self.rules.unit,
        )
        if min(self.wagers, default=0) != 1:
            raise TourneyError(f"wagers: expected 1 and perhaps more, got {self.wagers}")
        self.single_observation_space = _observation_space(self.terms, count.tags)
        self.single_action_space = Discrete(len(self.choices))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._house, self._players = tables_of(self.rules), players_of(())
        rows = table_rows([_start(self.terms)] * num_envs)
        self._layouts = new_layouts(self._house, rows, num_envs)
        self._steps = new_steps(num_envs, len(self.choices))
        self._chosen = np.zeros(num_envs, np.int64)
        self._done = np.ones(num_envs, np.bool_)
        self._is_open = False

    @property
    def bankrolls(self) -> NDArray[np.float64]:
        """Chips of every seat, behind and staked; exact, halves included."""
        return self._layouts.seats[:, FINAL] / self.rules.unit

    def action_masks(self) -> NDArray[np.bool_]:
        """Say what is legal now; all that there is, at tables that are done.

        Returns: Shape (num_envs, choices).
        """
        return self._steps.legal.astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observations, Info]:
        """Begin episodes.

        Args:
            seed: Of all shoes to come.
            options: `shoe_keys`: keys of 16 bytes, one for each table, such as
                `tournament_shoes` gives; further episodes have keys that follow from them.
                `reset_mask`: tables to begin at; by default all.
        """
        super().reset(seed=seed)
        options = options or {}
        tables = options.get("reset_mask")
        if tables is None:
            tables = np.ones(self.num_envs, np.bool_)
        elif not self._is_open or np.shape(tables) != (self.num_envs,):
            raise TourneyError(
                f"reset_mask: expected a first reset of all tables, and {self.num_envs} truth "
                f"values, got {tables!r}"
            )
        if "shoe_keys" in options:
            keys = key_words(options["shoe_keys"], self.num_envs)
        else:
            keys = self.np_random.integers(0, 2**64, (self.num_envs, 2), np.uint64)
        self._layouts.shoe.key[tables] = keys[tables]
        self._advance(np.where(tables, BEGIN, STAY).astype(np.uint8))
        self._done &= ~tables
        self._is_open = True
        return self._steps.observations.copy(), self._info()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[
        Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """Choose at every table.

        Args:
            actions: Places in `choices`; shape (num_envs,).
        """
        self._take(actions)
        mode, begins = self.autoreset_mode, self._done
        tasks = np.full(self.num_envs, STEP, np.uint8)
        if begins.any():
            if mode is AutoresetMode.DISABLED:
                raise TourneyError(
                    f"table {int(begins.argmax())}: expected reset with a reset_mask of it, as its "
                    "episode is over; got a step"
                )
            tasks[begins] = BEGIN
            self._layouts.shoe.key[begins, 1] += np.uint64(1)
        self._advance(tasks)
        steps = self._steps
        rewards, terminations = steps.rewards.copy(), steps.terminations.copy()
        truncations = steps.truncations.copy()
        self._done = terminations | truncations
        final: Info = {}
        if mode is AutoresetMode.SAME_STEP and self._done.any():
            final = self._begin_again()
        return steps.observations.copy(), rewards, terminations, truncations, self._info() | final

    def _take(self, actions: NDArray[Any]) -> None:
        """Take choices that there are."""
        if not self._is_open:
            raise TourneyError("step: expected reset before it, got none")
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise IllegalAction(
                f"actions: expected {self.num_envs} whole numbers, got {chosen.dtype} of shape "
                f"{chosen.shape}"
            )
        self._chosen[:] = chosen
        if self._chosen.min() < 0 or self._chosen.max() >= len(self.choices):
            raise IllegalAction(
                f"actions: expected numbers from 0 to {len(self.choices) - 1}, got "
                f"{self._chosen.min()} to {self._chosen.max()}"
            )

    def _advance(self, tasks: NDArray[np.uint8]) -> None:
        step_tables(
            self._house,
            self._players,
            self._layouts,
            self._choices,
            tasks,
            self._chosen,
            self._steps,
        )

    def _begin_again(self) -> Info:
        """Begin at the tables that are done, and give what they ended with."""
        done, self._done = self._done, np.zeros(self.num_envs, np.bool_)
        observations = np.full(self.num_envs, None, object)
        for table in np.flatnonzero(done).tolist():
            observations[table] = self._steps.observations[table].copy()
        final = self._info()
        self._layouts.shoe.key[done, 1] += np.uint64(1)
        self._advance(np.where(done, BEGIN, STAY).astype(np.uint8))
        told = {"final_obs": observations, "final_info": final}
        return told | {f"_{name}": done for name in told}

    def _info(self) -> Info:
        """Tell what is legal, who was at fault, and the chips."""
        told = {
            "action_mask": self._steps.legal.copy(),
            "bankroll": self.bankrolls,
            "fault": self._steps.faults.copy(),
        }
        everywhere = np.ones(self.num_envs, np.bool_)
        return told | {f"_{name}": everywhere for name in told}


class BlackjackEnv(gymnasium.Env[Observations, np.int64]):
    """One table of `BlackjackVectorEnv`, whose arguments it takes.

    Its first episode after `reset(seed=...)` is that of the first table there.
    """

    features: ClassVar[tuple[str, ...]] = FEATURES

    def __init__(self, game: str | BlackjackRules = "ve280", **settings: Any) -> None:
        """Set up a table.

        Args:
            game: Name of a preset, or rules.
            settings: As for `BlackjackVectorEnv`.
        """
        self._table = BlackjackVectorEnv(1, game, **settings, autoreset_mode=AutoresetMode.DISABLED)
        self.rules, self.moves, self.wagers = (
            self._table.rules,
            self._table.moves,
            self._table.wagers,
        )
        self.choices = self._table.choices
        self.observation_space = self._table.single_observation_space
        self.action_space = self._table.single_action_space

    @property
    def bankroll(self) -> float:
        """Chips of the seat, behind and staked; exact, halves included."""
        return float(self._table.bankrolls[0])

    def action_masks(self) -> NDArray[np.bool_]:
        """Say what is legal now; shape (choices,)."""
        masks: NDArray[np.bool_] = self._table.action_masks()[0]
        return masks

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observations, Info]:
        """Begin an episode.

        Args:
            seed: Of all shoes to come.
            options: `shoe_key`: 16 bytes.
        """
        super().reset(seed=seed)
        options = options or {}
        key = options.get("shoe_key")
        keys = [self.np_random.bytes(16) if key is None else key]
        observations, info = self._table.reset(options={"shoe_keys": keys})
        return observations[0], _of_one(info)

    def step(self, action: np.int64) -> tuple[Observations, float, bool, bool, Info]:
        """Choose.

        Args:
            action: Place in `choices`.
        """
        observations, rewards, terminations, truncations, info = self._table.step(
            np.array([action])
        )
        is_terminated, is_truncated = bool(terminations[0]), bool(truncations[0])
        return observations[0], float(rewards[0]), is_terminated, is_truncated, _of_one(info)


def _of_one(info: Info) -> Info:
    return {name: told[0] for name, told in info.items() if not name.startswith("_")}


def _start(terms: Terms) -> TableStart:
    unit = terms.rules.unit
    return TableStart(
        first_round=1,
        rounds=terms.rounds,
        minimum=terms.minimum * unit,
        maximum=terms.maximum * unit,
        shoe_key=bytes(16),
        seats=(SeatStart(ASKED, terms.bankroll * unit, acts=True, watches=True),),
    )


def _observation_space(terms: Terms, tags: Sequence[int]) -> Box:
    """Give what features can be."""
    rules, cards = terms.rules, 0 if terms.rules.decks == "infinite" else terms.rules.decks
    most_cards = cards * CARDS_IN_A_DECK
    most_count = (most_cards or ENDLESS_ROOM) * max(map(abs, tags), default=0)
    # Gymnasium warns of a feature that can only be 0, as unseen cards of an infinite shoe are.
    high: tuple[int, ...] = (
        2,
        21,
        1,
        11,
        3,
        21,
        1,
        rules.hands,
        GREATEST,
        most_count,
        max(most_cards, 1),
    )
    high += (GREATEST, terms.rounds)
    low = [-most_count if place == COUNT else 0 for place in range(len(high))]
    return Box(np.array(low, np.int32), np.array(high, np.int32), dtype=np.int32)
