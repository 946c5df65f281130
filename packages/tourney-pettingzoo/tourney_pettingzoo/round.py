"""A match of a classic game: an environment, seeded by the table's luck."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tourney.game.adapters import Action, SeatView
from tourney.game.cards.generator import Luck
from tourney_pettingzoo.library import environment
from tourney_pettingzoo.words import action_name, shown

SEED_BITS = 31


class Match:
    """An environment in play; simultaneous moves are hidden by the environment itself."""

    def __init__(self, rules: Any, luck: Luck) -> None:
        self._rules = rules
        self._env = environment(rules.module, luck.getrandbits(SEED_BITS))
        self._agents = tuple(self._env.possible_agents)
        self._won = dict.fromkeys(self._agents, 0.0)
        self._turn: tuple[int, tuple[Any, tuple[Action, ...]]] | None = None  # what a seat faces
        self._step_over_the_finished()

    @property
    def to_act(self) -> int | None:
        """The seat that must act; `None` once the match is over."""
        return self._agents.index(self._env.agent_selection) if self._env.agents else None

    def observation(self, seat: int) -> SeatView:
        """Return what a seat sees."""
        seen, legal = self._faced(seat)
        numbers = np.asarray(seen["observation"] if isinstance(seen, dict) else seen, dtype=float)
        text = shown(self._rules.module, numbers)
        told = tuple(numbers.ravel().tolist()) if self._rules.tensor else ()
        return SeatView(seat, text, legal, told, len(self._agents))

    def legal_actions(self) -> tuple[Action, ...]:
        """Return the legal actions, by number."""
        seat = self.to_act
        assert seat is not None, "only a match in play is asked"
        return self._faced(seat)[1]

    def apply_action(self, action: Action) -> tuple[int | None, Action]:
        """Take an action."""
        seat, self._turn = self.to_act, None
        self._step(action.number)
        self._step_over_the_finished()
        return seat, action

    def wagers(self) -> tuple[int, ...]:
        """Return the stake of every seat: the most that the match could cost."""
        return (self._rules.stake,) * len(self._agents)

    def results(self) -> tuple[int, ...]:
        """Return the results in parts of a chip."""
        chips: tuple[int, ...] = self._rules.chips([self._won[each] for each in self._agents])
        return chips

    def _faced(self, seat: int) -> tuple[Any, tuple[Action, ...]]:
        """Return what the environment shows to a seat, and the legal actions.

        Both are asked for once in a turn: some environments take milliseconds. View and turn then
        have the same tuple, which a sandbox receives only once.
        """
        if self._turn is None or self._turn[0] != seat:
            agent, module = self._agents[seat], self._rules.module
            seen = self._env.observe(agent)
            numbers = self._legal_numbers(agent, seen)
            named = tuple([Action(each, action_name(module, each)) for each in numbers])
            self._turn = seat, (seen, named)
        return self._turn[1]

    def _legal_numbers(self, agent: str, seen: Any) -> Sequence[int]:
        mask = seen.get("action_mask") if isinstance(seen, dict) else None
        if mask is None:
            mask = self._env.infos[agent].get("action_mask")
        if mask is None:
            return range(int(self._env.action_space(agent).n))
        numbers: list[int] = np.flatnonzero(mask).tolist()
        return numbers

    def _step(self, number: int | None) -> None:
        self._env.step(number)
        for agent, reward in self._env.rewards.items():
            self._won[agent] += float(reward)

    def _step_over_the_finished(self) -> None:
        """Give the empty action for agents that are done, as the interface demands."""
        env = self._env
        while env.agents:
            agent = env.agent_selection
            if not (env.terminations[agent] or env.truncations[agent]):
                return
            env.step(None)
