"""A match of an OpenSpiel game: its state, with chance from the table's luck."""

from typing import Any

from tourney.game.adapters import Action, SeatView
from tourney.game.cards.generator import Luck

PASS = Action(-1, "no choice")
"""The action of a seat that a simultaneous turn gives no choice."""


class Match:
    """The state of a match. Simultaneous moves are asked in the order of the seats."""

    def __init__(self, game: Any, rules: Any, luck: Luck) -> None:
        self._state, self._rules, self._luck = game.new_initial_state(), rules, luck
        kind = game.get_type()
        self._players = game.num_players()
        self._text = _teller(kind, self._state)
        self._numbers = _counter(kind, self._state) if rules.tensor else _no_numbers
        self._joint: list[int] = []
        self._named: tuple[int, tuple[Action, ...]] | None = None  # the legal actions of a seat
        self._draw()

    @property
    def to_act(self) -> int | None:
        """The seat that must act; `None` once the match is over."""
        if self._state.is_terminal():
            return None
        if self._state.is_simultaneous_node():
            return len(self._joint)
        seat: int = self._state.current_player()
        return seat

    def observation(self, seat: int) -> SeatView:
        """Return what a seat sees; moves of a turn that still goes on are hidden."""
        return SeatView(
            seat, self._text(seat), self._legal(seat), self._numbers(seat), self._players
        )

    def legal_actions(self) -> tuple[Action, ...]:
        """Return the legal actions, in OpenSpiel's order."""
        seat = self.to_act
        assert seat is not None, "only a match in play is asked"
        return self._legal(seat)

    def apply_action(self, action: Action) -> tuple[int | None, Action]:
        """Take an action, and let chance act after it."""
        seat, self._named = self.to_act, None
        if not self._state.is_simultaneous_node():
            self._state.apply_action(action.number)
        else:
            self._joint.append(0 if action == PASS else action.number)
            if len(self._joint) == self._players:
                self._state.apply_actions(self._joint)
                self._joint = []
        self._draw()
        return seat, action

    def wagers(self) -> tuple[int, ...]:
        """Return the stake of every seat: the most that the match could cost."""
        return (self._rules.stake,) * self._players

    def results(self) -> tuple[int, ...]:
        """Return the results in parts of a chip."""
        chips: tuple[int, ...] = self._rules.chips(self._state.returns())
        return chips

    def _legal(self, seat: int) -> tuple[Action, ...]:
        """Return the same tuple for view and turn; a sandbox then receives it only once."""
        if self._named is None or self._named[0] != seat:
            state = self._state
            numbers = state.legal_actions(seat)
            named = [Action(each, state.action_to_string(seat, each)) for each in numbers]
            self._named = seat, tuple(named) or (PASS,)
        return self._named[1]

    def _draw(self) -> None:
        """Let chance act until a seat must, or the match is over."""
        state = self._state
        while state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(self._luck.choices(outcomes, weights)[0])


def _teller(kind: Any, state: Any) -> Any:
    """Return the method that describes the state to a seat, with its memory if there is one."""
    if kind.provides_information_state_string:
        return state.information_state_string
    return state.observation_string


def _counter(kind: Any, state: Any) -> Any:
    """Return the method that gives the numbers of the state to a seat."""
    if kind.provides_information_state_tensor:
        return lambda seat: tuple(state.information_state_tensor(seat))
    if kind.provides_observation_tensor:
        return lambda seat: tuple(state.observation_tensor(seat))
    return _no_numbers


def _no_numbers(_: int) -> tuple[float, ...]:
    return ()
