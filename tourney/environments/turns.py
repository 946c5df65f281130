"""Games of several seats as PettingZoo environments, whose agents act in turn.

Leaves out what is played, and what a seat is told: that is each game's own.
"""

from abc import abstractmethod
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv

from tourney.errors import IllegalActionError
from tourney.game.cards.keys import KEY_BYTES

Told = dict[str, NDArray[Any]]
"""An `observation`, and an `action_mask` of what is legal."""


class TurnsEnv(AECEnv[str, Told, int]):  # type: ignore[misc]  # it has no types
    """A table whose seats are the agents `seat_0`, `seat_1` and so on.

    An agent that does not act is told what it saw when it last did. A choice that is illegal is
    refused.

    Args:
        name: Of the environment and its version.
        seats: How many.
        observations: What one can be.
        choices: How many there are.
    """

    render_mode = None

    def __init__(self, name: str, seats: int, observations: Box, choices: int) -> None:
        super().__init__()
        self.metadata = {"name": name, "render_modes": [], "is_parallelizable": False}
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        mask = Box(0, 1, (choices,), np.int8)
        self._spaces = {
            agent: Dict({"observation": observations, "action_mask": mask})
            for agent in self.possible_agents
        }
        self._choices = {agent: Discrete(choices) for agent in self.possible_agents}
        self._box, self._choice_count = observations, choices
        self._rng = np.random.default_rng()

    @abstractmethod
    def _begin(self, key: bytes) -> int | None:
        """Begin a block at shoes of a key of 16 bytes; give the seat that acts, if any does."""

    @abstractmethod
    def _choose(self, action: int) -> int | None:
        """Do what the seat to act chose, which is legal; give the next one, if any acts."""

    @abstractmethod
    def _look(self) -> Told:
        """Give what the seat to act is told."""

    @abstractmethod
    def _scores(self) -> list[float]:
        """Give what every seat has won so far; points that are bad are negative."""

    @abstractmethod
    def _left(self) -> list[bool]:
        """Say of every seat whether it cannot go on."""

    def observation_space(self, agent: str) -> Dict:
        """Give what an agent can be told."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Give the numbers of an agent's choices."""
        return self._choices[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode, a block of rounds.

        Args:
            seed: Of all cards to come.
            options: `shoe_key`: 16 bytes, such as `tournament_shoes` gives.
        """
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        key = (options or {}).get("shoe_key") or self._rng.bytes(KEY_BYTES)
        self.agents = self.possible_agents[:]
        for name in ("rewards", "_cumulative_rewards"):
            setattr(self, name, dict.fromkeys(self.agents, 0.0))
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._told = {agent: self._told_nothing() for agent in self.agents}
        self._before = [0.0] * len(self.agents)
        self.agent_selection = self.agents[0]
        seat = self._begin(key)
        self._go_to(seat)
        self._accumulate_rewards()

    def observe(self, agent: str) -> Told:
        """Give what an agent is told."""
        told = self._told[agent]
        if agent == self.agent_selection and not self._is_done(agent):
            return told
        return told | {"action_mask": np.zeros_like(told["action_mask"])}

    def step(self, action: int | None) -> None:
        """Do what the selected agent chose; None if it is done.

        Raises: IllegalActionError, if that is not legal.
        """
        agent = self.agent_selection
        if self._is_done(agent):
            self._was_dead_step(action)
            return
        mask = self._told[agent]["action_mask"]
        if action is None or not (0 <= action < len(mask) and mask[action]):
            raise IllegalActionError(
                f"{agent}: expected one of {', '.join(map(str, np.flatnonzero(mask)))}, "
                f"got {action}"
            )
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self._go_to(self._choose(int(action)))
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> None:
        """Draw nothing: there are no render modes, and `tourney replay` tells of hands."""

    def close(self) -> None:
        """Let go of nothing: there is no window."""

    def _is_done(self, agent: str) -> bool:
        return self.terminations[agent] or self.truncations[agent]

    def _go_to(self, seat: int | None) -> None:
        """Let a seat act, or end, and tell what was won since the last turn."""
        scores = self._scores()
        for agent, score, before, left in zip(
            self.possible_agents, scores, self._before, self._left(), strict=True
        ):
            if agent in self.rewards:
                self.rewards[agent] = score - before
            if agent in self.terminations:
                self.terminations[agent] |= left
                self.truncations[agent] = seat is None and not self.terminations[agent]
        self._before = scores
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]
            self._told[self.agent_selection] = self._look()

    def _told_nothing(self) -> Told:
        nothing = np.zeros(self._box.shape, self._box.dtype)
        return {"observation": nothing, "action_mask": np.zeros(self._choice_count, np.int8)}
