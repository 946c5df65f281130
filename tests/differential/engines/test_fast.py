"""The fast ways to play a single seat give what the reference engine gives, to the last bit."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.execution.engine_selection import play_compiled
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.game.lineup import declared_by
from tourney.game.seats import play_block
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.engines.compiled_play import play_blocks
from tourney.games.blackjack.kernels import LANES
from tourney.games.blackjack.kernels import (
    declared_blocks as blackjack,
)
from tourney.games.blackjack.kernels import (
    single_seat as blackjack_fast,
)
from tourney.games.blackjack.players import ChartPlayer
from tourney.games.blackjack.rules import CSC24400, EASYBJ, SIX_DECKS_H17, VE280, BlackjackRules
from tourney.strategies.simple import Simple

from .any_casino import any_casino_rules
from .any_declared import CountingChart, Deviating, Indices, any_chart, declared

KINDS = (ChartPlayer, CountingChart, Deviating)
GAMES = {
    "infinite": EASYBJ,
    "six decks": SIX_DECKS_H17,
    "six decks, hit or stand": CSC24400,
    "riffled": VE280,
    "side by side": BlackjackRules(),
    "fresh": BlackjackRules(reshuffle="every-round"),
    "split by rank": replace(SIX_DECKS_H17, split="by-rank", split_aces="played", decks=2),
}


@pytest.fixture(autouse=True, scope="module")
def was_fast() -> Iterator[list[bool]]:
    """Note which blocks were played fast; arrows are made for the first round already."""
    played: list[bool] = []
    original = blackjack_fast.play_alone

    def play_alone(*arguments: Any) -> set[int]:
        found = original(*arguments)
        played.append(bool(found))
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blackjack_fast, "WORTH_ARROWS", 0)
        patch.setattr(blackjack, "play_alone", play_alone)
        yield played


def check(block: Block, kind: Any, chart_seed: int) -> None:
    """Play a block twice and compare everything."""
    assert isinstance(block.rules, BlackjackRules)
    chart = any_chart(chart_seed, shows_both=block.rules.dealer_shows == "both")
    author = type("Author", (kind,), {"chart": chart})
    declaration = declared(kind, chart)
    expected = play_block(block, lambda _: author())
    (found,) = play_blocks([block], lambda _: declaration)
    assert found == expected
    assert found.digest == expected.digest


def single_seat(
    rules: BlackjackRules, chips: int, rounds: int, minimum: int = 5, rng_seed: int = 1
) -> Block:
    """Draw up a block of one seat; chips are in the unit of the rules."""
    limits = minimum * rules.unit, 40 * minimum * rules.unit
    field = Field(1, rules, 0, *limits, Secret.from_seed(rng_seed))
    return field.block(BlockKey(0, 0, 0, 0, 7), ((0, chips),), rounds)


@st.composite
def any_single_seat(draw: st.DrawFn, rules: BlackjackRules) -> Block:
    """Draw a block of a seat, poor or rich."""
    minimum = draw(st.integers(1, 20))
    chips = draw(st.one_of(st.integers(0, 60 * minimum), st.just(10**9)))
    parts = draw(st.integers(0, rules.unit - 1))
    rounds = draw(st.integers(1, 200))
    rng_seed = draw(st.integers(0, 10**9))
    block = single_seat(rules, chips * rules.unit + parts, rounds, minimum, rng_seed)
    return replace(block, follows_luck=rules.shuffle == "uniform" and draw(st.booleans()))


@tried(80)
@given(st.data(), st.sampled_from(KINDS), st.integers(0, 2))
def test_any_rules_are_played_alike(data: st.DataObject, kind: Any, chart_seed: int) -> None:
    """Any rules, charts, counts, bankrolls and keys; what has no fast way goes the other one."""
    check(data.draw(any_single_seat(data.draw(any_casino_rules()))), kind, chart_seed)


@tried(80)
@given(st.data(), st.sampled_from(sorted(GAMES)), st.sampled_from(KINDS), st.integers(0, 2))
def test_every_fast_way_is_played_alike(
    data: st.DataObject, game: str, kind: Any, chart_seed: int
) -> None:
    """Every kind of shoe, with and without choices."""
    check(data.draw(any_single_seat(GAMES[game])), kind, chart_seed)


def check_by_count(block: Block, chart_seed: int) -> Declaration:
    """Play a block twice by a chart that the count changes; give what is declared."""
    chart = any_chart(chart_seed, shows_both=False)
    author: Any = type("Author", (Indices,), {"chart": chart})
    declaration = declared_by(author(), block.rules)
    assert isinstance(declaration, Declaration)
    expected = play_block(block, lambda _: author())
    (found,) = play_blocks([block], lambda _: declaration)
    assert found == expected
    assert found.digest == expected.digest
    return declaration


@tried(80)
@given(st.data(), st.integers(0, 2))
def test_doubles_splits_and_surrenders_by_the_count_are_played_alike(
    data: st.DataObject, chart_seed: int
) -> None:
    """By any rules with an upcard, and from all kinds of shoes."""
    rules = data.draw(any_casino_rules()) if data.draw(st.booleans()) else None
    rules = rules or GAMES[data.draw(st.sampled_from(sorted(GAMES)))]
    block = data.draw(any_single_seat(replace(rules, dealer_shows="upcard")))
    check_by_count(block, chart_seed)


@pytest.mark.parametrize("game", ["six decks", "six decks, hit or stand", "split by rank"])
def test_who_deviates_is_played_fast(was_fast: list[bool], game: str) -> None:
    """With every deviation that the rules have room for, and unlike without the count."""
    block = single_seat(GAMES[game], 10**9, 300)
    declaration = check_by_count(replace(block, follows_luck=True), 3)
    assert was_fast[-1]
    assert len(declaration.deviations) > 10
    chart_alone = tuple((0, old, old) for _, old, _ in declaration.deviations)
    unmoved = replace(declaration, deviations=chart_alone)
    (other,) = play_blocks([block], lambda _: unmoved)
    (own,) = play_blocks([block], lambda _: declaration)
    assert other.digest != own.digest


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_rich_seat_is_played_fast(was_fast: list[bool], game: str, kind: Any) -> None:
    """So the other tests do test something; with the luck of the cards, where that is defined."""
    block = single_seat(GAMES[game], 10**9, 60)
    check(replace(block, follows_luck=GAMES[game].shuffle == "uniform"), kind, 3)
    assert was_fast[-1]


def test_a_seat_that_is_ruined_is_played_alike() -> None:
    """A round that it cannot double, and the last one."""
    for game in GAMES.values():
        for rng_seed in range(4):
            check(single_seat(game, 61 * game.unit, 300, rng_seed=rng_seed), ChartPlayer, 5)


def test_a_shoe_that_runs_out_within_a_round_is_left_to_the_general_table(
    was_fast: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the block is as if nobody had tried."""
    monkeypatch.setattr(blackjack_fast, "LEAST_TO_PLAY_ALONE", 1)
    for rules in (SIX_DECKS_H17, VE280):
        short = replace(rules, decks=1, reshuffle=6)
        was_fast.clear()
        for rng_seed in range(10):
            check(single_seat(short, 10**9, 25, rng_seed=rng_seed), ChartPlayer, 3)
        assert set(was_fast) == {True, False}


@pytest.mark.prove
def test_nothing_depends_on_machine_code() -> None:
    """The same kernels as plain Python; they are slow, so only some blocks."""
    program = [sys.executable, "-m", "pytest", "-q", "-W", "ignore::RuntimeWarning", __file__]
    program += ["-k", "rich_seat", "-p", "no:cacheprovider"]
    root = Path(__file__).parents[3]
    done = subprocess.run(
        program,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(".") >= len(GAMES) * len(KINDS)


@pytest.mark.parametrize("seats", [1, 2])
def test_lanes_alone_play_what_they_can(seats: int) -> None:
    """While the code of tables is made; the others are left to another engine."""
    field = Field(seats, BlackjackRules(), 10_000, 10, 10_000, Secret.from_seed(7))
    who = tuple((seat, 10_000) for seat in range(seats))
    blocks = [field.block(BlockKey(0, 0, table, 0, 1), who, 50) for table in range(20)]
    declaration = declared_by(Simple(), blocks[0].rules)
    found = play_compiled(blocks, lambda _entrant, _rules: declaration, {LANES})
    results = {block.key: play_block(block, lambda _: Simple()) for block in blocks}
    assert len(found) == (20 if seats == 1 else 0)
    assert all(result == results[result.key] for result in found)
