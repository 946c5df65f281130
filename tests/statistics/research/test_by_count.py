"""Rounds told apart by the true count: the same as a naive loop over the same shoes counts."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.stats import binom

import tourney
from tests.support.proving import with_more
from tourney.config.games import load_game
from tourney.errors import CompetitorFailedError, RulesError
from tourney.execution.workers.task import EntrantSpec
from tourney.game.blocks import Block
from tourney.game.cards.card import Card
from tourney.game.cards.keys import Secret
from tourney.game.cards.shoe import make_shoe
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.players import acts
from tourney.games.blackjack.records import Dealt, Revealed
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.rules import BlackjackRules
from tourney.plugins.loading import load_plugins
from tourney.research.by_count import FARTHEST, ByCount, by_count_of, results_of
from tourney.research.simulated_ev import (
    batches_of,
    blocks_of,
    dealt_alone,
    entered_alone,
    long_run,
)
from tourney.tournament.catalog import catalog_of
from tourney.tournament.entrant_specs import entrant_as_typed

SECRET, MINIMUM = Secret.from_seed(52), 10
HI_LO = {2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 10: -1, 11: -1}
FIVES = "0 0 0 1 0 0 0 0 0 0"
"""What the ten cards count for somebody who waits for fives to be gone."""


class Sums(NamedTuple):
    """Of the rounds of one count; chips in the unit of the rules."""

    rounds: int
    wagers: int
    net: int


def seated(game: str, strategy: str) -> tuple[EntrantSpec, BlackjackRules]:
    """Give a strategy and the rules it plays by."""
    registry = load_plugins()
    played = load_game(game, catalog_of(registry))
    spec = entered_alone(played, entrant_as_typed(strategy), registry)
    assert isinstance(played.rules, BlackjackRules)
    return spec, played.rules


def cards_shown(state: Round) -> Iterator[Card]:
    """Give the cards of a round that have come to lie face up, in that order."""
    for record in state.records:
        if isinstance(record, Revealed) or (isinstance(record, Dealt) and record.is_face_up):
            yield record.card


def counted_naively(
    block: Block, rules: BlackjackRules, player: Any, tags: dict[int, int], rounds: int
) -> dict[int, Sums]:
    """Play a block by a loop that somebody would write who has `Round` and a list of cards."""
    shoe, bankroll = make_shoe(rules.decks, rules.shuffle, block.shoe_key), block.seats[0].bankroll
    found: dict[int, Sums] = defaultdict(lambda: Sums(0, 0, 0))
    dealt, seen = 0, list[Card]()
    shoe.shuffle()
    player.shuffled()
    for _ in range(rounds):
        if dealt and rules.must_shuffle(shoe.size - dealt, shoe.size):
            shoe.shuffle()
            player.shuffled()
            dealt, seen = 0, []
        unseen = max(shoe.size - len(seen), 1)
        count = sum(tags.get(card.value, 0) for card in seen) * 52 // unseen
        wager = player.bet(bankroll // rules.unit, MINIMUM) * rules.unit
        state = Round(rules, [wager], [bankroll - wager])
        shown = list[Card]()
        while True:
            if state.to_act is None and not state.is_over:
                state.deal(shoe.cards)
            face_up = list(cards_shown(state))
            for card in face_up[len(shown) :]:
                player.expose(card)
            shown = face_up
            if state.is_over:
                break
            if state.to_act is not None:
                assert state.in_play
                hand = state.in_play.hand
                if acts(player):
                    action = player.act(state.exposed, hand, state.legal_actions())
                elif state.asks_insurance:
                    action = Action.DECLINE
                else:
                    action = Action.HIT if player.draw(state.upcard, hand) else Action.STAND
                state.apply_action(action)
        seen += shown
        dealt += len(state.cards)
        (net,) = state.results()
        bankroll += net
        count = min(max(count, -FARTHEST), FARTHEST)
        old = found[count]
        found[count] = Sums(old.rounds + 1, old.wagers + wager, old.net + net)
    return found


GAMES = [
    ("ve280", "counting", ""),
    ("single-deck", "counter,spread=4,decks=1", ""),
    ("six-decks-h17", "simple", "hi-lo"),
    ("six-decks-s17,decks=2", "counter,spread=8,decks=2", FIVES),
    ("csc24400", "simple", FIVES),
]


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize(("game", "strategy", "tags"), GAMES)
def test_every_engine_counts_what_a_naive_loop_counts(
    game: str, strategy: str, tags: str, engine: str
) -> None:
    """Rounds, wagers and chips won at each true count, to the last chip."""
    spec, rules = seated(game, strategy)
    rounds = 1_500
    dealt = dealt_alone(rules, MINIMUM, SECRET)
    (batch,) = batches_of(dealt, rounds, 0, blocks_of(rounds))
    expected: dict[int, Sums] = defaultdict(lambda: Sums(0, 0, 0))
    points = {5: 1} if tags == FIVES else HI_LO
    for block in batch.blocks:
        player = spec.load()()
        for count, sums in counted_naively(block, rules, player, points, block.rounds).items():
            expected[count] = Sums(*map(sum, zip(expected[count], sums, strict=True)))
    found = by_count_of(
        spec, rules, rounds, minimum=MINIMUM, secret=SECRET, tags=tags, engine=engine
    )
    unit = rules.unit * MINIMUM
    assert [each.count for each in found.rows] == sorted(expected)
    for row in found.rows:
        sums = expected[row.count]
        assert row.rounds == sums.rounds
        assert row.wager == pytest.approx(sums.wagers / sums.rounds / unit)
        if not found.adjusts:
            assert row.rate == pytest.approx(sums.net / sums.wagers)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_all_counts_together_are_what_ev_says(engine: str) -> None:
    """Of the same seed and as many rounds; luck is taken out of both."""
    spec, rules = seated("six-decks-s17", "counter,spread=8")
    how = {"minimum": MINIMUM, "secret": SECRET}
    plain = long_run(spec, rules, 3_000, **how)  # type: ignore[arg-type]  # mixed
    found = by_count_of(spec, rules, 3_000, engine=engine, **how)  # type: ignore[arg-type]  # mixed
    assert found.rounds == plain.rounds
    total = sum(each.mean * each.rounds for each in found.rows) / found.rounds
    assert total == pytest.approx(plain.adjusted)
    results = results_of(spec, rules, 3_000, engine=engine, **how)  # type: ignore[arg-type]  # mixed
    assert results
    mean = sum(net * often for net, often in results.items()) / 3_000
    assert mean == pytest.approx(plain.raw_mean)
    squares = sum(net**2 * often for net, often in results.items()) / 3_000
    assert (squares - mean**2) ** 0.5 == pytest.approx(plain.sd)


@pytest.fixture
def seventeen(tmp_path: Path) -> Callable[[str], Path]:
    """Give what writes a file of a competitor that draws to 17, with a body for its wager."""

    def write(wager: str) -> Path:
        path = tmp_path / "seventeen.py"
        path.write_text(
            "from tourney import Player\n\nclass Seventeen(Player):\n"
            f"    def bet(self, bankroll, minimum):\n        {wager}\n\n"
            "    def draw(self, dealer, player):\n        return player.total < 17\n"
        )
        return path

    return write


def test_the_confined_are_counted_too(seventeen: Callable[[str], Path]) -> None:
    """As those who are trusted; and who has no count is seen by hi-lo."""
    file = seventeen("return minimum")
    game = {"game": "ve280,shuffle=uniform", "rounds": 1_000, "seed": 3, "by_count": True}
    confined, trusted = (
        tourney.ev(file, trust_submissions=trusts, **game).by_count  # type: ignore[arg-type]  # mixed
        for trusts in (False, True)
    )
    assert confined
    assert trusted
    assert confined.rows == trusted.rows
    assert confined.tags == "hi-lo"


def test_a_fault_is_told_as_ever(seventeen: Callable[[str], Path]) -> None:
    """Whoever breaks the contract is not measured."""
    spec, rules = seated("ve280", "simple")
    found = by_count_of(spec, rules, 500, minimum=MINIMUM, secret=SECRET)
    assert found.rounds == 500
    with pytest.raises(CompetitorFailedError, match="bet") as caught:
        tourney.ev(seventeen("return 0"), "ve280", rounds=500, by_count=True)
    assert "bankrolls" not in str(caught.value)
    with pytest.raises(CompetitorFailedError, match="bankrolls cannot run out here"):
        tourney.ev(seventeen("return bankroll"), "ve280", rounds=500)


@pytest.mark.parametrize(
    ("game", "tags", "said"),
    [
        ("easybj", "", "decks: an infinite shoe has no true count"),
        ("ve280", "1 2", "tags: '1 2' is not a count; use hi-lo or the points of ten cards"),
        ("ve280", "ko", "tags: 'ko' is not a count; use hi-lo"),
        ("ve280", "0 0 0 0 0 0 0 0 0 0", "tags: '0 0 0 0 0 0 0 0 0 0' is not a count"),
    ],
)
def test_what_cannot_be_counted_is_said_before_anything_is_played(
    game: str, tags: str, said: str
) -> None:
    """In a line, with what to write instead."""
    strategy = "easybj-chart" if game == "easybj" else "simple"
    with pytest.raises(RulesError, match=said):
        tourney.ev(strategy, game, rounds=10**12, by_count=True, tags=tags)


def by_count(rounds: int, seed: int) -> ByCount:
    """Count for a flat player of one deck, whose win rate changes much with the count."""
    spec, rules = seated("ve280,shuffle=uniform", "simple")
    return by_count_of(
        spec, rules, rounds, minimum=MINIMUM, secret=Secret.from_seed(seed), engine="compiled"
    )


@pytest.mark.parametrize(("runs", "times"), with_more([(24, 20)], [(200, 100)]))
def test_intervals_hold_at_each_count(runs: int, times: int) -> None:
    """At 95 %, of all counts with enough rounds; the rate is that of many more rounds."""
    rounds = 40_000
    truth = {each.count: each for each in by_count(times * rounds, seed=999).rows}
    missed = looked = 0
    for seed in range(runs):
        for row in by_count(rounds, seed).rows:
            true = truth[row.count]
            if row.half_width is None or true.half_width is None:
                continue
            looked += 1
            sure = (row.half_width**2 + true.half_width**2) ** 0.5
            missed += abs(row.rate - true.rate) > sure
    assert looked > 15 * runs
    assert binom.ppf(0.0005, looked, 0.05) <= missed <= binom.ppf(0.9995, looked, 0.05)


def test_high_counts_are_good_and_it_is_a_picture_and_a_frame() -> None:
    """The more tens are left, the better; the plot has a point for each count."""
    found = tourney.ev(
        "simple", "ve280,shuffle=uniform", rounds=30_000, seed=1, by_count=True, bankroll=1_000
    )
    counted = found.by_count
    assert counted
    rates = {each.count: each.rate for each in counted.rows}
    assert rates[5] > rates[0] > rates[-6]
    frame = counted.to_pandas()
    assert list(frame["count"]) == list(rates)
    assert frame["share"].sum() == pytest.approx(1)
    assert "by_count" not in found.to_pandas()
    axes, often = counted.plot().axes
    (drawn,) = axes.containers
    assert list(drawn.lines[0].get_ydata()) == pytest.approx(
        [100 * each for each in rates.values()]
    )
    assert sum(bar.get_height() for bar in often.patches) == pytest.approx(100)
    data = json.loads(json.dumps(found.to_data()))
    assert [each["count"] for each in data["by_count"]["counts"]] == list(rates)
    assert repr(counted).splitlines()[0].startswith("-10 and below ")
    assert "<caption>simple at ve280,shuffle=uniform</caption>" in counted._repr_html_()
    assert np.isfinite(frame["mean"]).all()
