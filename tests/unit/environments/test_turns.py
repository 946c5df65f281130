"""Environments of several seats: their contracts, and that they are the tournament's tables."""

import random
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from tests.support.proving import with_more
from tourney.environments import BlackjackSeatsEnv, StraightsEnv, tournament_shoes
from tourney.errors import IllegalActionError, RulesError
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.game.cards.card import CARDS
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.game.seats import play_block
from tourney.games.blackjack.rules import PRESETS
from tourney.games.straights.rules import StraightsRules
from tourney.strategies.first_legal import FirstLegal

from .policies import Wisher, chosen, units, wished

SEED, MINIMUM = 5, 10
ENVIRONMENTS: dict[str, Callable[[], Any]] = {
    "straights": StraightsEnv,
    "straights, to 80 points": partial(StraightsEnv, 20, StraightsRules(limit=80)),
    "six decks": partial(BlackjackSeatsEnv, bankroll=60, rounds=8),
    "easybj": partial(BlackjackSeatsEnv, 7, "easybj", bankroll=4, rounds=5),
    "ve280": partial(BlackjackSeatsEnv, 1, "ve280", bankroll=50, rounds=5),
}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_pettingzoo_has_nothing_to_say(name: str) -> None:
    """Its own tests pass, and warn of nothing but masks beside an observation.

    These are PettingZoo's own form, which its test takes from its own games, by name, alone.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        api_test(ENVIRONMENTS[name](), num_cycles=300, verbose_progress=False)
        seed_test(ENVIRONMENTS[name], num_cycles=30)


def play(env: Any, choose: Callable[[str, Any, Any], int], key: bytes) -> dict[str, float]:
    """Play an episode, and give the sums of rewards."""
    env.reset(options={"shoe_key": key})
    sums = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        told, reward, is_terminated, is_truncated, _ = env.last()
        sums[agent] += reward
        is_done = is_terminated or is_truncated
        mask = told["action_mask"]
        env.step(None if is_done else choose(agent, told["observation"], mask))
    assert not env.agents
    return sums


def block(rules: Any, table: int, seats: int, chips: int, rounds: int) -> Block:
    """Draw up a tournament's table."""
    unit = rules.unit
    has_chips = rules.most_points is None
    limits = (chips * unit, MINIMUM * unit, 10**9 * unit) if has_chips else (0, 0, 0)
    field = Field(seats, rules, *limits, Secret.from_seed(SEED))
    places = tuple((entrant, chips * unit * has_chips) for entrant in range(seats))
    return field.block(BlockKey(0, 0, table, 0, 1), places, rounds)


def test_straights_are_those_of_the_tournament() -> None:
    """Seats that play their first legal card end with the points that they end with there."""
    for table, key in enumerate(tournament_shoes(SEED, 3)):
        env = StraightsEnv(rounds=4)

        def choose(_: str, planes: Any, mask: Any, env: Any = env) -> int:
            legal = [card.code for card in env.turn.view.hand if mask[card.code]]
            hand = [code for code in range(len(CARDS)) if planes[0][code]]
            assert set(legal) == set(np.flatnonzero(mask)) <= set(hand)
            return legal[0]

        sums = play(env, choose, key)
        result = play_block(block(env.rules, table, 4, 0, 4), lambda _: FirstLegal())
        assert list(sums.values()) == [-seat.final for seat in result.seats]


@pytest.mark.parametrize(
    ("preset", "tables"),
    with_more(
        [("six-decks-h17", 4), ("easybj", 4), ("european", 4)], [(name, 60) for name in PRESETS]
    ),
)
def test_bankrolls_are_those_of_the_tournament(preset: str, tables: int) -> None:
    """Several seats that play by a policy end with the chips that they end with there."""
    seats, chips, rounds = 4, 120, 25
    env = BlackjackSeatsEnv(
        seats, preset, bankroll=chips, minimum=MINIMUM, rounds=rounds, wagers=(1, 3)
    )
    ruined = 0
    for table, key in enumerate(tournament_shoes(SEED, tables)):
        sums = play(env, partial(by_wishes, env), key)
        planned = block(env.rules, table, seats, chips, rounds)
        result = play_block(planned, lambda _: Wisher())
        final = [seat.final / env.rules.unit for seat in result.seats]
        assert env.bankrolls == final
        assert list(sums.values()) == pytest.approx([(each - chips) / MINIMUM for each in final])
        ruined += sum(seat.left_round is not None for seat in result.seats)
    assert ruined or preset in {"easybj", "csc24400"}, "expected a seat that has to leave"


def by_wishes(env: BlackjackSeatsEnv, _: str, row: Any, mask: Any) -> int:
    """Choose as Wisher does."""
    told = dict(zip(env.features, row.tolist(), strict=True))
    if told["phase"] == 0:
        place = len(env.moves) + env.wagers.index(units(told["count"]))
        return place if mask[place] else len(env.moves)
    legal = tuple(move for move, is_legal in zip(env.moves, mask, strict=False) if is_legal)
    dealer = told["upcard"] + told["second_card"]
    if told["upcard"] == told["second_card"] == 11:
        dealer = 12
    hand = (told["total"], bool(told["soft"]), told["pair"])
    return env.choices.index(chosen(wished(*hand, dealer, told["count"]), legal))


def test_what_is_illegal_is_refused() -> None:
    """It is said what would have been legal."""
    env = BlackjackSeatsEnv(2, wagers=(1, 2))
    env.reset(seed=1)
    with pytest.raises(
        IllegalActionError, match="seat_0: action 1 is not legal; choose one of 7, 8"
    ):
        env.step(1)
    with pytest.raises(IllegalActionError, match="action 99 is not legal"):
        env.step(99)
    for seats in (0, 8):
        with pytest.raises(RulesError, match="seats: expected 1 to 7"):
            BlackjackSeatsEnv(seats)


def test_a_seed_fixes_the_cards() -> None:
    """Another seed, or another episode, has others."""

    def first(seed: int | None, env: Any) -> bytes:
        env.reset(seed=seed)
        told: bytes = env.last()[0]["observation"].tobytes()
        return told

    env = StraightsEnv()
    one = first(1, env)
    assert first(None, env) != one
    assert first(1, env) == one
    assert first(random.Random(2).randrange(100), env) != one
