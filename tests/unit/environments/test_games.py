"""Environments of any game: their contracts, the tournament's results, and learned competitors."""

import gc
import random
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from tourney.competitors.files import load_competitor
from tourney.environments import GameEnv, SeatEnv, save_strategy, tournament_shoes
from tourney.environments.games import TableInPlay, terms_of_game
from tourney.errors import IllegalActionError, PluginError, RulesError, TourneyError
from tourney.formats.field import Field
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.game.seats import play_block
from tourney.game.view import numbers_of
from tourney.games.straights.rules import StraightsRules
from tourney.strategies.first_legal import FirstLegal

EXAMPLES = Path(__file__).parents[3] / "examples"
GAMES = ("kuhn", "leduc", "straights")
SMUGGLERS = '''
"""Three smugglers claim in turn that their cards are worth more and more; a doubt ends it."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from tourney import Card
from tourney.game import Game
from tourney.game.players import BasePlayer
from tourney.game.rounds import RoundTable


@dataclass(frozen=True)
class Claim:
    worth: int


@dataclass(frozen=True)
class Doubt:
    pass


class View(NamedTuple):
    card: Card
    claims: tuple[int, ...]
    legal: tuple[Any, ...]


class Smuggler(BasePlayer, game="smugglers"):
    @abstractmethod
    def act(self, view):
        """Claim or doubt."""


class Round:
    def __init__(self, cards):
        self.cards, self.claims, self.doubted = cards, (), False

    @property
    def to_act(self):
        return None if self.doubted else len(self.claims) % 3

    def legal_actions(self):
        more = range(max(self.claims, default=0) + 1, 4)
        return (*(Doubt() for _ in self.claims[:1]), *map(Claim, more))

    def observation(self, seat):
        return View(self.cards[seat], self.claims, self.legal_actions())

    def apply_action(self, action):
        if isinstance(action, Claim):
            self.claims += (action.worth,)
        else:
            self.doubted = True

    def wagers(self):
        return 1, 1, 1

    def results(self):
        found = [0, 0, 0]
        found[len(self.claims) % 3], found[(len(self.claims) - 1) % 3] = 1, -1
        return tuple(found)


class SmugglersTable(RoundTable):
    def open(self, bankrolls, cards):
        return Round((next(cards), next(cards), next(cards)))


class Smugglers(Game):
    name, version = "smugglers", 1

    def contract(self):
        return Smuggler

    def table(self, block, accounts, watcher=None):
        return SmugglersTable(self, block, accounts, watcher)


@dataclass(frozen=True, slots=True, kw_only=True)
class SmugglersRules:
    game: ClassVar = Smugglers()
    seats: ClassVar = range(3, 4)
    unit: ClassVar = 1
    deals_fresh: ClassVar = True
    minimum: ClassVar = 1
    most_points = limit = None

    def may_play(self, bankroll, minimum):
        return bankroll >= 1

    def decisions(self, rounds, seat_rounds, cards):
        return seat_rounds
'''


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Forget the games of the examples afterwards, as if they were not installed."""
    yield
    for game in GAMES:
        sys.modules.pop(f"{game}_poker", None)
    gc.collect()


@pytest.fixture(params=GAMES)
def rules(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the rules of a game; those of the examples come from their files."""
    return rules_of(request.param, monkeypatch)


def rules_of(game: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Import the example of a game, and return its rules."""
    if game == "straights":
        return StraightsRules()
    monkeypatch.syspath_prepend(EXAMPLES / f"{game}-poker")
    return import_module(f"{game}_poker").tourney_games()[game]


def test_pettingzoo_accepts_any_game(rules: Any) -> None:
    """Its own tests pass, and warn only of masks beside an observation, their own form."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        api_test(GameEnv(rules, rounds=3), num_cycles=300, verbose_progress=False)
        seed_test(lambda: GameEnv(rules), num_cycles=30)


def test_gymnasium_accepts_any_game(rules: Any) -> None:
    """Its own check passes, with random opponents."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(SeatEnv(rules), skip_render_check=True)


def test_results_are_those_of_the_tournament() -> None:
    """Seats that take the first legal action end as they do in a tournament, with the same key."""
    rules = StraightsRules()
    terms = terms_of_game(rules, rounds=4)
    for number, key in enumerate(tournament_shoes(5, 3)):
        table = TableInPlay(terms, key)
        while table.turn:
            table.take(table.turn.legal[0])
        field = Field(4, rules, 0, 0, 0, Secret.from_seed(5))
        block = field.block(BlockKey(0, 0, number, 0, 1), tuple((n, 0) for n in range(4)), 4)
        result = play_block(block, lambda _: FirstLegal())
        assert table.scores() == [-seat.final for seat in result.seats]


def test_an_illegal_action_ends_the_episode(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in plays the round; PettingZoo's form raises an error instead."""
    rules = rules_of("leduc", monkeypatch)
    env = SeatEnv(rules, seat=0)
    _, info = env.reset(seed=1)
    fold = [str(action) for action in env.actions].index("Move.FOLD")
    assert not info["action_mask"][fold]
    _, _, is_over, is_cut, _ = env.step(np.int64(fold))
    assert (is_over, is_cut) == (True, False)
    with pytest.raises(TourneyError, match="the episode is over"):
        env.step(np.int64(0))
    seats = GameEnv(rules)
    seats.reset(seed=1)
    with pytest.raises(IllegalActionError, match="action 2 is not legal; choose one of 0, 1"):
        seats.step(fold)


def test_wrong_settings_have_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before any step, where that is possible."""
    rules = rules_of("leduc", monkeypatch)
    with pytest.raises(RulesError, match="seats: expected from 2 to 2, got 3"):
        GameEnv(rules, seats=3)
    with pytest.raises(RulesError, match="bankroll: 2 is not enough"):
        GameEnv(rules, bankroll=2)
    with pytest.raises(RulesError, match="seat: expected from 0 to 1, got 2"):
        SeatEnv(rules, seat=2)
    with pytest.raises(TourneyError, match="use the environments of blackjack"):
        GameEnv("ve280")
    with pytest.raises(PluginError, match="expected a strategy for leduc, got one for straights"):
        SeatEnv(rules, opponents=["first-legal"])
    short = GameEnv(rules, length=2)
    with pytest.raises(TourneyError, match=r"has \d+ numbers, and observations have 2; pass leng"):
        short.reset(seed=1)
    with pytest.raises(PluginError, match="give the view a method `numbers`"):
        numbers_of((object(),))


def test_every_installed_game_has_an_id() -> None:
    """Gymnasium makes it, also from the name of the module."""
    from tourney.environments import ids

    assert {"tourney/ve280-v0", "tourney/straights-v0"} <= set(ids.IDS)
    env = gymnasium.make("tourney.environments.ids:tourney/straights-v0", seat=1)
    _, info = env.reset(seed=1)
    assert info["seat"] == 1
    many = gymnasium.make_vec("tourney/easybj-v0", num_envs=3)
    assert many.num_envs == 3


def test_a_policy_trained_on_leduc_is_a_competitor(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It has learned to beat random play, and its file plays as the table says."""
    rules = rules_of("leduc", monkeypatch)
    env, policy = trained(rules, 6_000)
    save_strategy(tmp_path / "learned.py", env, policy)
    kind = load_competitor((tmp_path / "learned.py").read_text(), "learned.py")
    won = 0.0
    rated = SeatEnv(rules)
    rng = random.Random(3)
    player = kind()
    player.random = rng
    for episode in range(1_500):
        rated.reset(seed=episode)
        is_over = False
        while not is_over:
            view = rated._table.turn.view  # type: ignore[union-attr]  # there is a turn
            action = rated.actions.index(player.act(view))
            _, reward, is_over, _, _ = rated.step(np.int64(action))
            won += reward
    assert won / 1_500 > 0.5
    with pytest.raises(TourneyError, match="expected 3 chances from 0 that are not all 0"):
        save_strategy(tmp_path / "wrong.py", env, {(1.0,): [0, 0, 0]})


@pytest.fixture
def smugglers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the rules of a game for three, with two kinds of actions that are dataclasses."""
    (tmp_path / "smugglers.py").write_text(SMUGGLERS)
    monkeypatch.syspath_prepend(tmp_path)
    yield import_module("smugglers").SmugglersRules()
    sys.modules.pop("smugglers")


def test_actions_may_be_dataclasses(smugglers: Any, tmp_path: Path) -> None:
    """The file plays a legal action also in a view that the table lacks, and states its chances."""
    env = SeatEnv(smugglers, seat=0)
    _, info = env.reset(seed=1)
    row = [float(legal) for legal in info["action_mask"]]
    save_strategy(tmp_path / "learned.py", env, {info["view"]: row})
    player = load_competitor((tmp_path / "learned.py").read_text(), "learned.py")()
    player.random = random.Random(1)
    turn = env._table.turn
    assert turn
    assert player.act(turn.view) in turn.legal
    assert player.chances(turn.view) == {
        each: 1 / sum(row) * (each in turn.legal) for each in env.actions
    }
    late = turn.view._replace(claims=(2,), legal=(sys.modules["smugglers"].Doubt(),))
    assert player.chances(late) == {late.legal[0]: 1.0}
    assert player.act(late) == late.legal[0]


def test_every_episode_seats_the_opponents_in_another_order(smugglers: Any) -> None:
    """So none of them always acts before the learning seat; a single one may be named alone."""
    contract = smugglers.game.contract()

    class First(contract):  # type: ignore[misc]  # a class, once it is imported
        def act(self, view: Any) -> Any:
            return view.legal[0]

    class Last(contract):  # type: ignore[misc]  # as above
        def act(self, view: Any) -> Any:
            return view.legal[-1]

    env = SeatEnv(smugglers, opponents=[First, Last], seat=1)
    orders = set()
    for seed in range(20):
        env.reset(seed=seed)
        orders.add(tuple(type(env._players[seat]).__name__ for seat in (0, 2)))
    assert orders == {("First", "Last"), ("Last", "First")}
    alone = SeatEnv(smugglers, opponents=First)
    alone.reset(seed=1)
    assert {type(each).__name__ for each in alone._players.values()} == {"First"}


def trained(rules: Any, episodes: int) -> tuple[SeatEnv, dict[tuple[float, ...], list[float]]]:
    """Learn by Monte Carlo control with a table, as the how-to page does."""
    env = SeatEnv(rules)
    count, rng = len(env.actions), random.Random(1)
    sums: dict[Any, list[float]] = defaultdict(lambda: [0.0] * count)
    times: dict[Any, list[int]] = defaultdict(lambda: [0] * count)
    env.reset(seed=1)
    for _ in range(episodes):
        _, info = env.reset()
        path, won, is_over = [], 0.0, False
        while not is_over:
            view, legal = info["view"], np.flatnonzero(info["action_mask"]).tolist()
            best = max(legal, key=lambda a: sums[view][a] / max(times[view][a], 1))
            action = rng.choice(legal) if rng.random() < 0.2 else best
            path.append((view, action))
            _, reward, is_over, _, info = env.step(np.int64(action))
            won += reward
        for view, action in path:
            sums[view][action] += won
            times[view][action] += 1
    policy = {}
    for view, total in sums.items():
        tried = [place for place in range(count) if times[view][place]]
        best = max(tried, key=lambda place: total[place] / times[view][place])
        policy[view] = [float(place == best) for place in range(count)]
    return env, policy
