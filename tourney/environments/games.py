"""Any game of a plugin as an environment: PettingZoo's for all seats, Gymnasium's for one.

Both step the tournament's own table, so the rules, the cards and the results are those of a
tournament. A trial of random rounds finds the actions of a game, and the length of its views.
`StraightsEnv` observes its cards as planes instead.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from tourney.environments.turns import Told, TurnsEnv
from tourney.errors import PluginError, RulesError, TourneyError
from tourney.game.blocks import HOUSE_LIMIT, Block, Seat
from tourney.game.cards.card import CARDS, DECK_SIZE, Card
from tourney.game.cards.keys import KEY_BYTES
from tourney.game.ledger import BlockKey
from tourney.game.players import BasePlayer, give_luck
from tourney.game.rules import Rules
from tourney.game.seats import accounts_of
from tourney.game.turns import Flow, FlowTable, Turn
from tourney.game.view import numbers_of
from tourney.games.straights.records import SEATS
from tourney.games.straights.rules import StraightsRules
from tourney.plugins.loading import installed_plugins, language_of
from tourney.research.inputs import LEAST, GameLike, StrategyLike, entrant_of, game_of, several
from tourney.tournament.entrant_specs import source_name

TRIAL_ROUNDS = 200
"""Random rounds that find the actions and the length of views."""
ROOM = 2
"""Times the longest view of the trial that an observation has room for."""
PADDING = -1
LARGEST = 2**53
"""Numbers of an observation lie between this one and its negative."""
BANKROLL = 1_000
"""Default bankroll in minimums."""


@dataclass(frozen=True)
class GameTerms:
    """The terms of an episode: a block of rounds at one table."""

    rules: Rules
    seats: int
    rounds: int
    bankroll: int  # in chips, like the next one; 0 in a game of points
    minimum: int
    actions: tuple[Any, ...] = ()  # in the order of the action space
    length: int = 0  # of observations

    @cached_property
    def _places(self) -> dict[Any, int]:
        return {action: place for place, action in enumerate(self.actions)}

    @property
    def space(self) -> Box:
        """The space of observations."""
        return Box(-LARGEST, LARGEST, (self.length,), np.float64)

    def observation(self, turn: Turn[Any, Any]) -> NDArray[np.float64]:
        """Return the numbers of a view, padded.

        Raises: TourneyError, if there are too many.
        """
        numbers, most = numbers_of(turn.view), self.length
        if len(numbers) > most:
            raise TourneyError(
                f"a view of {self.rules.game} has {len(numbers)} numbers, and observations "
                f"have {most}; pass length={2 * len(numbers)}"
            )
        row = np.full(most, PADDING, np.float64)
        row[: len(numbers)] = numbers
        return row

    def mask(self, turn: Turn[Any, Any]) -> NDArray[np.int8]:
        """Return a 1 for each legal action.

        Raises: PluginError, if an action is not in the action space.
        """
        mask = np.zeros(len(self.actions), np.int8)
        for action in turn.legal:
            if action not in self._places:
                game = self.rules.game
                raise PluginError(
                    f"action {game.told(action)} of {game} did not occur in {TRIAL_ROUNDS} random "
                    "rounds; let the game list all of them in its method `actions`"
                )
            mask[self._places[action]] = 1
        return mask


class TableInPlay:
    """A block in play at its table, from one key."""

    def __init__(self, terms: GameTerms, key: bytes) -> None:
        rules, unit = terms.rules, terms.rules.unit
        luck = np.random.default_rng(np.frombuffer(key, np.uint32))
        seats = tuple(
            Seat(seat, terms.bankroll * unit, luck.bytes(KEY_BYTES)) for seat in range(terms.seats)
        )
        most = HOUSE_LIMIT * unit if terms.bankroll else 0
        least = terms.minimum * unit
        block = Block(BlockKey(0, 0, 0, 0, 1), rules, seats, least, most, terms.rounds, key)
        self._accounts, self._terms = accounts_of(block), terms
        table = rules.game.table(block, self._accounts)
        if not isinstance(table, FlowTable):
            raise TourneyError(
                f"the table of {rules.game} asks its players itself; use the environments of "
                f"{rules.game}"
            )
        self._flow: Flow[Any, Any] = table.flow()
        self.turn: Turn[Any, Any] | None = None
        self.take(None)  # starts the generator

    def take(self, action: Any) -> None:
        """Take a legal action of the seat to act."""
        try:
            self.turn = self._flow.send(action)
        except StopIteration:
            self.turn = None

    def scores(self) -> list[float]:
        """Return the result of every seat so far: minimums, or points with a minus sign."""
        rules, finals = self._terms.rules, [float(each.bankroll) for each in self._accounts]
        if rules.most_points is not None:
            return [-each for each in finals]
        start = self._terms.bankroll * rules.unit
        return [(each - start) / (self._terms.minimum * rules.unit) for each in finals]


def terms_of_game(
    game: GameLike,
    *,
    seats: int | None = None,
    rounds: int = 1,
    bankroll: int | None = None,
    minimum: int | None = None,
    length: int | None = None,
) -> GameTerms:
    """Check the terms of an episode, and find the actions and the length of views.

    Args:
        game: As for `tourney.ev`.
        seats: Number of seats; by default the fewest.
        rounds: Rounds of an episode.
        bankroll: Chips of every seat at the start; by default 1,000 minimums.
        minimum: Least wager in chips; by default that of the rules, or 10.
        length: Numbers of an observation; by default twice as many as in a trial.
    Raises: TourneyError, if the game has no such table.
    """
    rules = _rules_of(game)
    places = rules.seats.start if seats is None else seats
    if places not in rules.seats:
        expected = f"from {rules.seats.start} to {rules.seats.stop - 1}"
        raise RulesError(f"seats: expected {expected}, got {places}")
    if rounds < 1:
        raise RulesError(f"rounds: expected at least 1, got {rounds}")
    least = start = 0
    if rules.most_points is None:
        least = minimum or rules.minimum or LEAST
        start = BANKROLL * least if bankroll is None else bankroll
        if not rules.may_play(start * rules.unit, least * rules.unit):
            raise RulesError(f"bankroll: {start} is not enough for a round; choose a larger one")
    terms = GameTerms(rules, places, rounds, start, least)
    seen, longest = _trial(terms)
    chosen = rules.game.actions(rules)
    actions = tuple(_all_of(seen) if chosen is None else chosen)
    return replace(terms, actions=actions, length=length or ROOM * longest)


def _rules_of(game: GameLike) -> Rules:
    """Return the rules of a game; a rules object need not be that of an installed plugin."""
    if isinstance(game, Rules) and not isinstance(game, str | Mapping):
        return game
    rules: Rules = game_of(game, installed_plugins())[1].rules
    return rules


def _trial(terms: GameTerms) -> tuple[list[Any], int]:
    """Play random rounds; return the legal actions, and the length of the longest view."""
    rng = np.random.default_rng(0)
    seen: dict[Any, None] = {}
    longest = 1
    for _ in range(-(-TRIAL_ROUNDS // terms.rounds)):
        table = TableInPlay(terms, rng.bytes(KEY_BYTES))
        while turn := table.turn:
            seen |= dict.fromkeys(turn.legal)
            longest = max(longest, len(numbers_of(turn.view)))
            table.take(turn.legal[int(rng.integers(len(turn.legal)))])
    return list(seen), longest


def _all_of(seen: Sequence[Any]) -> Sequence[Any]:
    """Return all actions of the kind of those that were legal, in a fixed order."""
    kinds = {type(each) for each in seen}
    if len(kinds) == 1:
        (kind,) = kinds
        if issubclass(kind, Enum):
            return list(kind)
        if kind is Card:
            return CARDS
        if kind in {int, str, bool}:
            return sorted(seen)
    return sorted(seen, key=repr)


class TableEnv(TurnsEnv):
    """A table in play; action k is `actions[k]`."""

    def __init__(self, name: str, terms: GameTerms, observations: Box) -> None:
        super().__init__(name, terms.seats, observations, len(terms.actions))
        self.terms, self.rules, self.actions = terms, terms.rules, terms.actions

    @property
    def turn(self) -> Turn[Any, Any] | None:
        """The turn of the seat to act, with its view and its legal actions; `None` at the end."""
        return self._table.turn

    def _begin(self, key: bytes) -> int | None:
        self._table = TableInPlay(self.terms, key)
        return self._seat()

    def _choose(self, action: int) -> int | None:
        self._table.take(self.actions[action])
        return self._seat()

    def _seat(self) -> int | None:
        return self._table.turn.seat if self._table.turn else None

    def _look(self) -> Told:
        turn = self._table.turn
        assert turn
        return {"observation": self._observation(turn), "action_mask": self.terms.mask(turn)}

    def _observation(self, turn: Turn[Any, Any]) -> NDArray[Any]:
        return self.terms.observation(turn)

    def _scores(self) -> list[float]:
        return self._table.scores()

    def _left(self) -> list[bool]:
        return [self._table.turn is None] * self.terms.seats


class GameEnv(TableEnv):
    """Any game at one table, as a PettingZoo environment whose agents act in turn.

    An observation holds the numbers of a view, as `numbers_of` gives them, and then -1. Action k is
    `actions[k]`. A reward is the result of a round: minimums, or bad points with a minus sign.

    Args:
        game: As for `tourney.ev`: a preset with settings, or rules.
        how: Seats, rounds, bankroll, minimum and length; see `terms_of_game`.
    """

    def __init__(self, game: GameLike, **how: Any) -> None:
        terms = terms_of_game(game, **how)
        super().__init__(f"{terms.rules.game.name}_v0", terms, terms.space)


PLANES = ("hand", "played", "own_discards", "legal_plays")


class StraightsEnv(TableEnv):
    """Four seats; an action is the code of a card to play or to discard.

    An observation is four rows of 52, a 1 for each card by its code: the hand, the played cards,
    the seat's discards, and the cards of the hand that may be played. A reward is points, which are
    bad, at the end of a round.

    Args:
        rounds: Rounds of an episode; it ends earlier if the rules have a limit.
        rules: The rules of the game.
    """

    def __init__(self, rounds: int = 1, rules: StraightsRules | None = None) -> None:
        terms = GameTerms(rules or StraightsRules(), SEATS, rounds, 0, 0, CARDS)
        super().__init__("straights_v0", terms, Box(0, 1, (len(PLANES), DECK_SIZE), np.int8))

    def _observation(self, turn: Turn[Any, Any]) -> NDArray[np.int8]:
        view = turn.view
        planes = np.zeros((len(PLANES), DECK_SIZE), np.int8)
        played = (event.card for event in view.history if event.card is not None)
        shown: tuple[Iterable[Card], ...] = (view.hand, played, view.discards, view.legal_plays)
        for plane, cards in zip(planes, shown, strict=True):
            plane[[card.code for card in cards]] = 1
        return planes

    def _left(self) -> list[bool]:
        return [False] * SEATS


class SeatEnv(gymnasium.Env[NDArray[np.float64], np.int64]):
    """One seat of any game, as a Gymnasium environment; strategies play the other seats.

    Observations, actions and rewards are those of `GameEnv`. `info["action_mask"]` marks the legal
    actions, and `info["view"]` has the numbers of the view without padding. An illegal action ends
    the episode, and a stand-in plays it to its end, as in a tournament.

    Args:
        game: As for `GameEnv`.
        opponents: One or several strategies, as for `tourney.ev`; random play by default. Every
            episode seats them in another order: all of them, or as many as there are seats, or
            several times if they are fewer. Their code runs in this process.
        seat: Number of the learning seat, from 0; by default another one in every episode.
        how: As for `GameEnv`.
    """

    def __init__(
        self,
        game: GameLike,
        *,
        opponents: StrategyLike | Sequence[StrategyLike] = (),
        seat: int | None = None,
        **how: Any,
    ) -> None:
        self.terms = terms_of_game(game, **how)
        self.rules, self.actions = self.terms.rules, self.terms.actions
        if seat is not None and not 0 <= seat < self.terms.seats:
            raise RulesError(f"seat: expected from 0 to {self.terms.seats - 1}, got {seat}")
        chosen = (
            several(opponents, str | Path | type | BasePlayer, "opponents") if opponents else ()
        )
        self._seat, self._makers = seat, [_maker(each, self.rules) for each in chosen]
        self.observation_space = self.terms.space  # type: ignore[assignment]  # floats, in any case
        self.action_space = Discrete(len(self.actions))

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions; shape (actions,). All of them after the end."""
        turn = self._table.turn
        if turn is None:
            return np.ones(len(self.actions), np.bool_)
        return self.terms.mask(turn).astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: Seed of all cards, seats and opponents.
            options: `shoe_key`: 16 bytes.
        """
        super().reset(seed=seed)
        seats = self.terms.seats
        self._place = int(self.np_random.integers(seats)) if self._seat is None else self._seat
        key = (options or {}).get("shoe_key") or self.np_random.bytes(KEY_BYTES)
        self._table, self._before = TableInPlay(self.terms, key), 0.0
        others = [seat for seat in range(seats) if seat != self._place]
        self._players = {
            seat: _lucky(make(), int(self.np_random.integers(2**63)))
            for seat, make in zip(others, self._shuffled(len(others)), strict=False)
        }
        self._others_play()
        if self._table.turn is None:  # this seat has no turn in the episode
            return self.reset()
        return self.terms.observation(self._table.turn), self._info()

    def step(
        self, action: np.int64
    ) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        """Make a choice.

        Args:
            action: Index into `actions`.
        """
        turn = self._table.turn
        if turn is None:
            raise TourneyError("the episode is over; call reset before step")
        last = self.terms.observation(turn)
        is_legal = bool(self.terms.mask(turn)[action])
        self._table.take(self.actions[action] if is_legal else turn.legal[0])
        self._others_play()
        while not is_legal and self._table.turn:  # a stand-in plays the seat
            self._table.take(self._table.turn.legal[0])
            self._others_play()
        score = self._table.scores()[self._place]
        reward, self._before = score - self._before, score
        turn = self._table.turn
        row = last if turn is None else self.terms.observation(turn)
        return row, reward, turn is None, False, self._info()

    def _shuffled(self, seats: int) -> Sequence[Callable[[], Any]]:
        """Return the makers of opponents in a drawn order, at least as many as there are seats."""
        makers = list(islice(cycle(self._makers), max(seats, len(self._makers))))
        if len(self._makers) > 1:
            self.np_random.shuffle(makers)
        return makers

    def _info(self) -> dict[str, Any]:
        turn = self._table.turn
        mask = self.action_masks().astype(np.int8)
        view = numbers_of(turn.view) if turn else ()
        return {"action_mask": mask, "seat": self._place, "view": view}

    def _others_play(self) -> None:
        """Let the other seats act, until this one must act or the episode is over."""
        game = self.rules.game
        while (turn := self._table.turn) and turn.seat != self._place:
            player = self._players.get(turn.seat)
            if player is None:
                action = turn.legal[int(self.np_random.integers(len(turn.legal)))]
            else:
                answer = game.ask(player, turn)
                action = game.accept(answer, turn)
                if action is None:
                    raise TourneyError(
                        f"{type(player).__name__}: expected {game.expected(turn)}, got {answer!r}"
                    )
            self._table.take(action)


def _maker(strategy: StrategyLike, rules: Rules) -> Callable[[], Any]:
    """Return a function that makes players of a strategy.

    Raises: PluginError, if it plays another game.
    """
    entrant = entrant_of(strategy)
    language, name = language_of(entrant.kind), source_name(entrant)
    files = language.read_path(entrant.source) if entrant.source else ()
    if misfit := language.misfit(name, files, rules):
        raise PluginError(f"{entrant.name}: {misfit}")
    kind = language.known(name, files) or language.load(name, files)
    return lambda: kind(**dict(entrant.options))


def _lucky(player: Any, seed: int) -> Any:
    give_luck(player, seed)
    return player
