"""Blackjack environments: their contracts, and that they are the tournament's tables."""

import subprocess
import sys
import warnings
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from tests.support.proving import with_more
from tourney.environments import BlackjackEnv, BlackjackVectorEnv, tournament_shoes
from tourney.errors import IllegalActionError, RulesError, TourneyError
from tourney.execution.engine_selection import play_batch
from tourney.formats.field import Field
from tourney.formats.solo import Duplicate
from tourney.game.cards.keys import Secret
from tourney.game.lineup import lineup_of
from tourney.games.blackjack.position import (
    BUST,
    COPIES,
    TOTALS,
    VALUES,
    dealer_draws,
    hand_after,
    sign,
)
from tourney.games.blackjack.rules import EASYBJ, PRESETS, VE280, BlackjackRules

from .naive_tables import NaiveEnvironment, NaiveTable
from .policies import Wisher, actions_of

MODES = ("NextStep", "SameStep", "Disabled")
SEED, MINIMUM, ROUNDS = 7, 10, 40


def random_legal(rng: np.random.Generator, masks: Any) -> Any:
    """Choose anything legal, each as likely."""
    return (masks * (1 - rng.random(masks.shape))).argmax(axis=1)


def tournament_bankrolls(rules: BlackjackRules, tables: int, chips: int) -> list[float]:
    """Give the final bankrolls of Wisher in a tournament of format duplicate."""
    unit = rules.unit
    limits = (MINIMUM * unit, 10**9 * unit)
    field = Field(1, rules, chips * unit, *limits, Secret.from_seed(SEED))
    schedule = Duplicate(tables=tables, rounds=ROUNDS).schedule(field)
    lineup = lineup_of(lambda _: Wisher())
    found = {}
    for wave in schedule.waves():
        for batch in wave:
            for result in play_batch(batch, lineup).results:
                found[result.key.table] = result.seats[0].final / unit
    return [found[table] for table in range(tables)]


@pytest.mark.parametrize(
    ("preset", "tables"),
    with_more([(name, 12) for name in PRESETS], [(name, 500) for name in PRESETS]),
)
def test_bankrolls_are_those_of_the_tournament(preset: str, tables: int) -> None:
    """A policy ends with the chips that it ends with at the tournament's tables, at each."""
    chips = 300
    env = BlackjackVectorEnv(tables, preset, bankroll=chips, minimum=MINIMUM, rounds=ROUNDS)
    shoes = tournament_shoes(SEED, tables)
    observations, info = env.reset(options={"shoe_keys": shoes})
    final = np.full(tables, -1.0)
    while (final < 0).any():
        actions = actions_of(env, observations, info["action_mask"])
        observations, _, terminated, truncated, info = env.step(actions)
        new = (terminated | truncated) & (final < 0)
        final[new] = info["bankroll"][new]
    assert final.tolist() == tournament_bankrolls(PRESETS[preset], tables, chips)
    assert len(set(final.tolist())) > 5


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("preset", "steps"),
    with_more([(name, 60) for name in PRESETS], [(name, 2_000) for name in PRESETS]),
)
def test_steps_are_those_of_a_naive_environment(preset: str, steps: int, mode: str) -> None:
    """All that is told agrees with an oracle, illegal choices and all ways to begin again too."""
    tables, chips, rounds = 4, 60, 5
    env = BlackjackVectorEnv(
        tables, preset, bankroll=chips, minimum=MINIMUM, rounds=rounds, autoreset_mode=mode
    )
    naive_tables = [
        NaiveTable(env.rules, chips, MINIMUM, rounds, env.choices) for _ in range(tables)
    ]
    naive, keys = NaiveEnvironment(naive_tables, mode), tournament_shoes(3, tables)
    observations, info = env.reset(options={"shoe_keys": keys})
    assert all_told(env, observations) == naive.reset(keys)
    rng, ends = np.random.default_rng(1), 0
    for _ in range(steps):
        anything = rng.random(tables) < 0.03
        actions = random_legal(rng, info["action_mask"])
        actions[anything] = rng.integers(0, len(env.choices), anything.sum())
        observations, rewards, terminated, truncated, info = env.step(actions)
        expected = naive.step(actions.tolist())
        assert all_told(env, observations) == [each[0] for each in expected]
        assert info["action_mask"].tolist() == [each[1] for each in expected]
        for told, place in ((rewards, 2), (terminated, 3), (truncated, 4)):
            assert told.tolist() == [each[place] for each in expected]
        done = terminated | truncated
        ends += done.sum()
        if mode == "SameStep" and done.any():
            assert info["_final_obs"].tolist() == done.tolist()
            for table in np.flatnonzero(done):
                row, chips_left = expected[table][5]
                assert all_told(env, [info["final_obs"][table]]) == [row]
                assert info["final_info"]["bankroll"][table] == chips_left
        if mode == "Disabled" and done.any():
            with pytest.raises(
                TourneyError, match="its episode is over; reset it with a reset_mask"
            ):
                env.step(actions)
            keys = tournament_shoes(int(rng.integers(1000)), tables)
            options = {"reset_mask": done, "shoe_keys": keys}
            observations, info = env.reset(options=options)
            for table in np.flatnonzero(done):
                naive_tables[table].begin(keys[table])
                naive.done[table] = False
            assert all_told(env, observations) == [table.told() for table in naive_tables]
    assert ends > steps // 20


def all_told(env: BlackjackVectorEnv, observations: Any) -> list[dict[str, int]]:
    """Give features that are not 0 where the oracle may leave them out, by name."""
    always = {"count", "unseen", "bankroll"}
    told = []
    for row in observations:
        assert env.single_observation_space.contains(row), row
        by_name = dict(zip(env.features, row.tolist(), strict=True))
        wanted = set(by_name) if by_name["phase"] else set(always)
        if by_name["rounds_left"]:
            wanted.add("rounds_left")
        assert not any(value for name, value in by_name.items() if name not in wanted)
        told.append({name: by_name[name] for name in by_name if name in wanted})
    return told


@pytest.mark.parametrize("preset", PRESETS)
def test_check_env_has_nothing_to_say(preset: str) -> None:
    """Gymnasium's own test passes, and warns of nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(BlackjackEnv(preset), skip_render_check=True)


def test_one_table_is_the_first_of_many() -> None:
    """The environment of one table plays the same cards from the same key."""
    key = tournament_shoes(5, 1)
    many, one = BlackjackVectorEnv(1, "six-decks-h17"), BlackjackEnv("six-decks-h17")
    rows, info = many.reset(options={"shoe_keys": key})
    row, told = one.reset(options={"shoe_key": key[0]})
    rng = np.random.default_rng(2)
    for _ in range(300):
        assert row.tolist() == rows[0].tolist()
        assert one.action_masks().tolist() == info["action_mask"][0].tolist()
        action = random_legal(rng, told["action_mask"][None])
        rows, rewards, terminated, truncated, info = many.step(action)
        row, reward, is_terminated, is_truncated, told = one.step(action[0])
        assert (reward, is_terminated, is_truncated) == (rewards[0], terminated[0], truncated[0])
        assert one.bankroll == info["bankroll"][0] == told["bankroll"]
        if is_terminated or is_truncated:
            break


def test_one_table_draws_the_key_of_the_first_of_many() -> None:
    """A seed gives both the same cards."""
    many, one = BlackjackVectorEnv(9), BlackjackEnv()
    for seed in (1, 2):
        many.reset(seed=seed)
        one.reset(seed=seed)
        for _ in range(30):
            rows, *_, info = many.step(many.action_masks().argmax(axis=1))
            row, *_, told = one.step(np.int64(one.action_masks().argmax()))
            assert row.tolist() == rows[0].tolist()
            assert told["bankroll"] == info["bankroll"][0]


def rollout(seed: int, tables: int = 16, steps: int = 200) -> bytes:
    """Give everything that is told."""
    env = BlackjackVectorEnv(tables, "double-deck", rounds=20)
    rng, told = np.random.default_rng(0), []
    observations, info = env.reset(seed=seed)
    for _ in range(steps):
        observations, rewards, *_, info = env.step(random_legal(rng, info["action_mask"]))
        told += [observations.tobytes(), rewards.tobytes()]
    return b"".join(told)


def test_a_seed_fixes_everything() -> None:
    """The same seed gives the same steps, another one others."""
    assert rollout(3) == rollout(3)
    assert rollout(3) != rollout(4)


def test_what_was_told_stays() -> None:
    """Later steps do not change what an earlier one gave."""
    env = BlackjackVectorEnv(8)
    observations, info = env.reset(seed=1)
    before = observations.copy(), info["action_mask"].copy()
    env.step(np.full(8, len(env.moves)))
    assert (observations == before[0]).all()
    assert (info["action_mask"] == before[1]).all()


def test_wrappers_of_gymnasium_take_it() -> None:
    """Statistics of episodes are recorded, and sums of rewards are net results."""
    env = RecordEpisodeStatistics(BlackjackVectorEnv(4, bankroll=500, rounds=3))
    _, info = env.reset(seed=1)
    rng, found = np.random.default_rng(1), 0
    for _ in range(60):
        *_, info = env.step(random_legal(rng, info["action_mask"]))
        for table in np.flatnonzero(info.get("_episode", ())):
            net = info["bankroll"][table] - 500
            assert info["episode"]["r"][table] == pytest.approx(net / MINIMUM)
            found += 1
    assert found > 4


@cache
def drawn(rules: BlackjackRules, dealer: int) -> dict[int, Fraction]:
    """Give the probability of what the dealer ends with, from a hand."""
    if dealer == BUST or not dealer_draws(rules, dealer):
        return {dealer: Fraction(1)}
    ends: dict[int, Fraction] = {}
    for value, copies in zip(VALUES, COPIES, strict=True):
        for end, weight in drawn(rules, hand_after(dealer, value)).items():
            ends[end] = ends.get(end, Fraction(0)) + weight * Fraction(copies, 13)
    return ends


def won(rules: BlackjackRules, hand: int, dealer: int) -> Fraction:
    """Give what a chip on a hand wins on average, when the dealer plays on."""
    if hand == BUST:
        return Fraction(-1)
    return sum(p * sign(hand, end) for end, p in drawn(rules, dealer).items())


@cache
def at_random(
    rules: BlackjackRules, dealer: int, hand: int, cards: int, pair: int, *, is_split: bool
) -> Fraction:
    """Give what a chip wins on average if every legal move is as likely, after one split at most.

    Args:
        rules: Easy Blackjack's, with two hands at most.
        dealer: Both cards, as a hand's number.
        hand: Likewise.
        cards: How many it has, up to 3.
        pair: Value of each of two equal cards, or 0.
        is_split: Whether the hand comes from a split.
    """
    if hand == BUST or hand % TOTALS == 21:
        return won(rules, hand, dealer)
    nexts = [
        (hand_after(hand, value), Fraction(n, 13)) for value, n in zip(VALUES, COPIES, strict=True)
    ]
    worth = [
        won(rules, hand, dealer),
        sum(p * at_random(rules, dealer, after, 3, 0, is_split=is_split) for after, p in nexts),
    ]
    if cards == 2:
        worth.append(2 * sum(p * won(rules, after, dealer) for after, p in nexts))
        if not is_split:
            worth.append(Fraction(-1, 2))
            if pair:
                worth.append(2 * after_split(rules, dealer, pair))
    return sum(worth) / len(worth)


def after_split(rules: BlackjackRules, dealer: int, pair: int) -> Fraction:
    """Give what one of two split hands wins on average; aces get one card."""
    first, total = hand_after(0, pair), Fraction(0)
    for value, copies in zip(VALUES, COPIES, strict=True):
        hand = hand_after(first, value)
        if pair == 11:
            worth = won(rules, hand, dealer)
        else:
            worth = at_random(rules, dealer, hand, 2, 0, is_split=True)
        total += Fraction(copies, 13) * worth
    return total


def value_at_random(rules: BlackjackRules) -> Fraction:
    """Give the mean of a round, in minimums."""
    chances = [(value, Fraction(n, 13)) for value, n in zip(VALUES, COPIES, strict=True)]
    mean = Fraction(0)
    for d1, p1 in chances:
        for d2, p2 in chances:
            dealer = hand_after(hand_after(0, d1), d2)
            for one, q1 in chances:
                for two, q2 in chances:
                    hand = hand_after(hand_after(0, one), two)
                    is_natural, beats = hand == TOTALS + 21, dealer == TOTALS + 21
                    if beats:
                        worth = Fraction(0 if is_natural else -1)
                    elif is_natural:
                        worth = Fraction(3, 2)
                    else:
                        pair = one if one == two else 0
                        worth = at_random(rules, dealer, hand, 2, pair, is_split=False)
                    mean += p1 * p2 * q1 * q2 * worth
    return mean


@pytest.mark.parametrize("hands", with_more([200_000], [10_000_000]))
def test_a_random_policy_wins_what_it_is_worth(hands: int) -> None:
    """Its mean lies within three standard errors of the exact value."""
    rules = replace(EASYBJ, hands=2)
    tables = 2_000
    env = BlackjackVectorEnv(tables, rules, bankroll=10**8, rounds=10**6)
    _, info = env.reset(seed=11)
    rng, played, total, squares = np.random.default_rng(5), 0, 0.0, 0.0
    net = np.zeros(tables)
    while played < hands:
        masks = info["action_mask"]
        begins = masks[:, -1] == 1
        played += begins.sum()
        total += net[begins].sum()
        squares += (net[begins] ** 2).sum()
        net[begins] = 0
        _, rewards, *_, info = env.step(random_legal(rng, masks))
        net += rewards
    played -= tables  # nothing had been played when the first wagers were due
    mean = total / played
    error = (squares / played - mean**2) ** 0.5 / played**0.5
    assert abs(mean - float(value_at_random(rules))) < 3 * error
    assert error < 2 / played**0.5


def test_an_illegal_choice_is_a_fault() -> None:
    """The seat loses what it staked, and its episode is over."""
    env = BlackjackEnv(VE280)
    env.reset(seed=1)
    row, *_ = env.step(env.choices.index(2, len(env.moves)))
    while row[0] != 1:
        row, *_ = env.step(len(env.moves))
    staked = int(row[env.features.index("stake")])
    _, reward, is_terminated, is_truncated, info = env.step(len(env.moves))
    assert (reward, is_terminated, is_truncated, info["fault"]) == (-staked, True, False, True)


def test_choices_that_do_not_exist_are_refused() -> None:
    """Numbers out of range, wrong shapes and types are errors of the program."""
    env = BlackjackVectorEnv(2)
    with pytest.raises(TourneyError, match="call reset before step"):
        env.step(np.zeros(2, np.int64))
    env.reset(seed=1)
    for actions in (np.array([0, 10]), np.array([-1, 0]), np.zeros(3, np.int64), np.zeros(2)):
        with pytest.raises(IllegalActionError, match="actions: expected"):
            env.step(actions)
    with pytest.raises(TourneyError, match="shoe_keys: expected 2 keys of 16 bytes"):
        env.reset(options={"shoe_keys": tournament_shoes(1, 3)})
    with pytest.raises(TourneyError, match="reset_mask: reset all tables first"):
        env.reset(options={"reset_mask": np.ones(3, np.bool_)})


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"game": "vegas"}, "game: expected one of ve280, "),
        ({"bankroll": 5}, "bankroll: 5 is too small for a round at a minimum of 10"),
        ({"minimum": -5}, "minimum and maximum: expected 1 <= minimum"),
        ({"rounds": 0}, "rounds: expected at least 1, got 0"),
        ({"num_envs": 0}, "num_envs: expected at least 1, got 0"),
        ({"wagers": (2, 4)}, "wagers: must include 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: Any, message: str) -> None:
    """What is wrong is said with what was expected."""
    with pytest.raises(TourneyError, match=message) as caught:
        BlackjackVectorEnv(**settings)
    assert isinstance(caught.value, RulesError)


def test_a_missing_extra_is_one_line() -> None:
    """Without gymnasium there is a remedy, and `import tourney` does not ask for it."""
    program = """
import sys
sys.modules["gymnasium"] = None
import tourney, tourney.environments
try:
    tourney.environments.BlackjackEnv
except tourney.TourneyError as error:
    print(error)
"""
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stdout == (
        "tourney.environments: gymnasium is not installed; run: pip install 'tourney-cards[rl]'\n"
    )
