"""Blackjack as Gymnasium environments: many tables with one seat each, or one table.

An episode is a block of rounds. It is truncated after the last round, and terminated when the seat
has too few chips or makes an illegal choice. Such a choice is a fault as at a tournament: the seat
loses its stakes. A learner should therefore use `info["action_mask"]`.

Rewards are minimums won or lost, at the end of each round. The tables are played by
`tourney.games.blackjack.kernels.training`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from tourney.environments.seats import (
    WAGERS,
    SeatTerms,
    drawn_keys,
    key_words,
    moves_of,
    terms_of,
    wagers_of,
)
from tourney.errors import IllegalActionError, RulesError, TourneyError
from tourney.game.cards.card import CARDS
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.kernels.accounts import ASKED, FINAL
from tourney.games.blackjack.kernels.compiled_rules import players_of, tables_of
from tourney.games.blackjack.kernels.declared_blocks import SeatStart, TableStart, table_rows
from tourney.games.blackjack.kernels.shoes import ENDLESS_ROOM
from tourney.games.blackjack.kernels.table_state import new_layouts
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
from tourney.games.blackjack.players.declared_strategies import CountSystem
from tourney.games.blackjack.rules import CARDS_IN_A_DECK, BlackjackRules

Observations: TypeAlias = NDArray[np.int32]
Info: TypeAlias = dict[str, Any]

HIGH_LOW = CountSystem(
    {card.rank: -1 if card.value >= 10 else 1 if card.value <= 6 else 0 for card in CARDS}  # noqa: PLR2004 - the tags' own bounds
)
"""Count tens and aces as -1, two to six as 1."""


class BlackjackVectorEnv(VectorEnv[Observations, NDArray[Any], NDArray[Any]]):
    """Tables that are played together, in machine code.

    Args:
        num_envs: Number of tables.
        game: Name of a preset, or rules.
        bankroll: Chips at the start of an episode.
        minimum: Least wager in chips; by default that of the rules, or 10.
        maximum: Greatest wager in chips.
        rounds: Most rounds of an episode.
        wagers: Choices of wagers, in minimums; only 1 where the rules fix the wager.
        count: The count of seen cards.
        autoreset_mode: When a finished table begins its next episode: at the next step, which
            ignores the table's choice; in the same step; or on `reset`.

    Action k is `choices[k]`: a move or, from `len(moves)` on, a wager. Where the wager is fixed,
    the one "wager" deals the next round. `features` names the columns of observations.
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
        if num_envs < 1:
            raise RulesError(f"num_envs: expected at least 1, got {num_envs}")
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self.terms = terms_of(game, bankroll, minimum, maximum, rounds)
        self.rules = self.terms.rules
        self.moves, self.wagers = moves_of(self.rules), wagers_of(self.rules, wagers)
        self.choices: tuple[Action | int, ...] = (*self.moves, *self.wagers)
        self.single_observation_space = _observation_space(self.terms, count.tags)
        self.single_action_space = Discrete(len(self.choices))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._done, self._is_open = np.ones(num_envs, np.bool_), False
        self._lay_tables(count)

    def _lay_tables(self, count: CountSystem) -> None:
        """Allocate the state of the tables."""
        terms, tables = self.terms, self.num_envs
        answers = [*self.moves, *(each * terms.minimum for each in self.wagers)]
        self._choices = Choices(
            answers=np.array(answers, np.int64),
            moves=len(self.moves),
            tags=np.array(count.tags, np.int64),
            bankroll=terms.bankroll * self.rules.unit,
        )
        self._house, self._players = tables_of(self.rules), players_of(())
        rows = table_rows([table_start(terms, bytes(16))] * tables)
        self._layouts = new_layouts(self._house, rows, tables)
        self._steps = new_steps(tables, len(self.choices))
        self._chosen = np.zeros(tables, np.int64)

    @property
    def bankrolls(self) -> NDArray[np.float64]:
        """Chips of every seat, held and staked; exact, halves included."""
        return self._layouts.seats[:, FINAL] / self.rules.unit

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal choices; all choices at finished tables.

        Returns: Shape (num_envs, choices).
        """
        return self._steps.legal.astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observations, Info]:
        """Begin episodes.

        Args:
            seed: Seed of all shoes.
            options: `shoe_keys`: keys of 16 bytes, one for each table, such as those of
                `tournament_shoes`; keys of later episodes are derived from them.
                `reset_mask`: tables to reset; by default all.
        """
        super().reset(seed=seed)
        options = options or {}
        tables = options.get("reset_mask")
        if tables is None:
            tables = np.ones(self.num_envs, np.bool_)
        elif not self._is_open or np.shape(tables) != (self.num_envs,):
            raise TourneyError(
                f"reset_mask: reset all tables first, and pass {self.num_envs} truth values; "
                f"{tables!r} does not fit"
            )
        if "shoe_keys" in options:
            keys = key_words(options["shoe_keys"], self.num_envs)
        else:
            keys = drawn_keys(self.np_random, self.num_envs)
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
        """Make a choice at every table.

        Args:
            actions: Indexes into `choices`; shape (num_envs,).
        """
        self._take(actions)
        mode, begins = self.autoreset_mode, self._done
        tasks = np.full(self.num_envs, STEP, np.uint8)
        if begins.any():
            if mode is AutoresetMode.DISABLED:
                raise TourneyError(
                    f"table {int(begins.argmax())}: its episode is over; reset it with a "
                    "reset_mask before the next step"
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
        """Check and store choices."""
        if not self._is_open:
            raise TourneyError("call reset before step")
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise IllegalActionError(
                f"actions: expected {self.num_envs} whole numbers, got {chosen.dtype} of shape "
                f"{chosen.shape}"
            )
        self._chosen[:] = chosen
        if self._chosen.min() < 0 or self._chosen.max() >= len(self.choices):
            raise IllegalActionError(
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
        """Begin an episode at the finished tables, and return the ends of the finished ones."""
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
        """Return the legal choices, the faults and the chips."""
        told = {
            "action_mask": self._steps.legal.copy(),
            "bankroll": self.bankrolls,
            "fault": self._steps.faults.copy(),
        }
        everywhere = np.ones(self.num_envs, np.bool_)
        return told | {f"_{name}": everywhere for name in told}


def table_start(terms: SeatTerms, key: bytes, seats: int = 1) -> TableStart:
    """Return the start of a table whose seats all learn, from the key of its shoes."""
    unit = terms.rules.unit
    return TableStart(
        first_round=1,
        rounds=terms.rounds,
        minimum=terms.minimum * unit,
        maximum=terms.maximum * unit,
        shoe_key=key,
        seats=(SeatStart(ASKED, terms.bankroll * unit, acts=True, watches=True),) * seats,
    )


def _observation_space(terms: SeatTerms, tags: Sequence[int]) -> Box:
    """Return the bounds of the features."""
    rules, cards = terms.rules, 0 if terms.rules.decks == "infinite" else terms.rules.decks
    most_cards = cards * CARDS_IN_A_DECK
    most_count = (most_cards or ENDLESS_ROOM) * max(map(abs, tags), default=0)
    # Gymnasium warns of a feature that is always 0, like unseen cards of an infinite shoe.
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


class BlackjackEnv(gymnasium.Env[Observations, np.int64]):
    """One table of `BlackjackVectorEnv`, with the same arguments.

    Its first episode after `reset(seed=...)` is the first table's episode there.
    """

    features: ClassVar[tuple[str, ...]] = FEATURES

    def __init__(self, game: str | BlackjackRules = "ve280", **settings: Any) -> None:
        """Set up a table.

        Args:
            game: Name of a preset, or rules.
            settings: As for `BlackjackVectorEnv`.
        """
        self._table = BlackjackVectorEnv(1, game, **settings, autoreset_mode=AutoresetMode.DISABLED)
        self.rules, self.choices = self._table.rules, self._table.choices
        self.moves, self.wagers = self._table.moves, self._table.wagers
        self.observation_space = self._table.single_observation_space
        self.action_space = self._table.single_action_space

    @property
    def bankroll(self) -> float:
        """Chips of the seat, held and staked; exact, halves included."""
        return float(self._table.bankrolls[0])

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal choices; shape (choices,)."""
        masks: NDArray[np.bool_] = self._table.action_masks()[0]
        return masks

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observations, Info]:
        """Begin an episode.

        Args:
            seed: Seed of all shoes.
            options: `shoe_key`: 16 bytes.
        """
        super().reset(seed=seed)
        options = options or {}
        key = options.get("shoe_key")
        keys = [drawn_keys(self.np_random, 1).astype("<u8").tobytes() if key is None else key]
        observations, info = self._table.reset(options={"shoe_keys": keys})
        return observations[0], _of_one(info)

    def step(self, action: np.int64) -> tuple[Observations, float, bool, bool, Info]:
        """Make a choice.

        Args:
            action: Index into `choices`.
        """
        observations, rewards, terminations, truncations, info = self._table.step(
            np.array([action])
        )
        is_terminated, is_truncated = bool(terminations[0]), bool(truncations[0])
        return observations[0], float(rewards[0]), is_terminated, is_truncated, _of_one(info)


def _of_one(info: Info) -> Info:
    return {name: told[0] for name, told in info.items() if not name.startswith("_")}
