"""One table of blackjack as a Gymnasium environment: the vector environment with one table."""

from collections.abc import Mapping
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from tourney.environments.blackjack import BlackjackVectorEnv, Info, Observations
from tourney.environments.seats import drawn_keys
from tourney.games.blackjack.kernels.training import FEATURES
from tourney.games.blackjack.rules import BlackjackRules


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
