"""Tables of several seats as PettingZoo environments; each defines its play and observations."""

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
    """A table with the agents `seat_0`, `seat_1` and so on in its seats.

    An agent that does not act observes its last view. Illegal choices raise an error.

    Args:
        name: Name of the environment, with its version.
        seats: Number of seats.
        observations: The space of observations.
        choices: Number of choices.
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
        """Begin a block with a key of 16 bytes for its shoes; return the seat that acts, if any."""

    @abstractmethod
    def _choose(self, action: int) -> int | None:
        """Make a legal choice for the seat to act; return the next seat to act, if any."""

    @abstractmethod
    def _look(self) -> Told:
        """Return the observation of the seat to act."""

    @abstractmethod
    def _scores(self) -> list[float]:
        """Return the winnings of every seat so far; bad points are negative."""

    @abstractmethod
    def _left(self) -> list[bool]:
        """Return, for every seat, whether it cannot continue."""

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's choices."""
        return self._choices[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode, a block of rounds.

        Args:
            seed: Seed of all cards.
            options: `shoe_key`: 16 bytes, such as a key of `tournament_shoes`.
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
        """Return an agent's observation."""
        told = self._told[agent]
        if agent == self.agent_selection and not self._is_done(agent):
            return told
        return told | {"action_mask": np.zeros_like(told["action_mask"])}

    def step(self, action: int | None) -> None:
        """Make the choice of the selected agent; `None` if it is done.

        Raises: IllegalActionError, if it is not legal.
        """
        agent = self.agent_selection
        if self._is_done(agent):
            self._was_dead_step(action)
            return
        mask = self._told[agent]["action_mask"]
        if action is None or not (0 <= action < len(mask) and mask[action]):
            raise IllegalActionError(
                f"{agent}: action {action} is not legal; choose one of "
                f"{', '.join(map(str, np.flatnonzero(mask)))}"
            )
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self._go_to(self._choose(int(action)))
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> None:
        """Do nothing: there are no render modes. `tourney replay` shows hands."""

    def close(self) -> None:
        """Do nothing: there is no window."""

    def _is_done(self, agent: str) -> bool:
        return self.terminations[agent] or self.truncations[agent]

    def _go_to(self, seat: int | None) -> None:
        """Let a seat act, or end; update the rewards since the last turn."""
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
