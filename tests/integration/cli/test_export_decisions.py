"""Decisions as columns: what replays tell, what the rules allow, and what calculations say."""

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyarrow import parquet

from tourney.cli import main, progress
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.infinite import solve
from tourney.games.blackjack.history.judgement import MoveValues
from tourney.games.blackjack.rules import PRESETS
from tourney.report import hand_tables

Rows = list[dict[str, Any]]
Exported = Callable[..., tuple[Path, Rows, Rows]]
BLACKJACK = """
name: decisions
seed: 5
game: {{preset: {game}}}
bankroll: 10000
minimum: 10
format: {{kind: duplicate, tables: 2, rounds: {rounds}}}
entrants: [{{strategy: {one}}}, {{strategy: {other}}}]
"""
STRAIGHTS = """
name: decisions
seed: 5
game: {preset: straights}
format: {kind: duplicate, tables: 1, rounds: 6}
entrants: [{strategy: first-legal}, {strategy: thrifty}, {strategy: salvager}, {strategy: blocker}]
"""
GAMES = [
    ("ve280", "simple", "counting"),
    ("six-decks-h17", "basic-six-decks-h17", "never-bust"),
    ("european", "basic-european", "never-bust"),
    ("easybj", "easybj-chart", "simple"),
    ("csc24400", "simple", "mimic"),
]
SEEN = re.compile(
    r"bankroll (?P<behind>\d+), wager (?P<staked>\d+), dealer (?P<dealer>[^,]+), "
    r"hand (?P<hand>[^,]+), (?:legal )?(?P<legal>.+)"
)
LETTERS = "A23456789TJQK"


@pytest.fixture
def exported(tmp_path: Path) -> Exported:
    """Give what plays a configuration and exports it: the store, hands and decisions."""

    def export(text: str) -> tuple[Path, Rows, Rows]:
        config, store, data = (tmp_path / name for name in ("run.yaml", "run.db", "data"))
        config.write_text(text, encoding="utf-8")
        assert main(["run", str(config), "--store", str(store), "--workers", "1"]) == 0
        assert main(["export", "--store", str(store), "--output", str(data)]) == 0
        files = (parquet.read_table(data / f"{what}.parquet") for what in ("hands", "decisions"))
        hands, decisions = (file.to_pylist() for file in files)
        return store, hands, decisions

    return export


def value_of(cards: list[str]) -> tuple[int, bool]:
    """Count a hand: its total, and whether an ace counts 11."""
    values = [min(LETTERS.index(card[0]) + 1, 10) for card in cards]
    total = sum(values)
    is_soft = 1 in values and total + 10 <= 21
    return total + 10 * is_soft, is_soft


@pytest.mark.parametrize(("game", "one", "other"), GAMES)
def test_columns_say_what_lay_before_the_seat(
    exported: Exported, game: str, one: str, other: str
) -> None:
    """The same as the line that a replay tells, with the cards counted here."""
    text = BLACKJACK.format(game=game, one=one, other=other, rounds=60)
    _, hands, decisions = exported(text)
    before = {
        tuple(row[name] for name in ("entrant", "table", "round")): row["bankroll"] for row in hands
    }
    staked = 0.0
    for row in decisions:
        assert row["bankroll"] == before[row["entrant"], row["table"], row["round"]]
        if row["call"] == "bet":
            limits = f"bankroll {int(row['bankroll'])}, wager from {row['least']} to {row['most']}"
            assert row["seen"] == limits
            assert (row["legal"], row["cards"], row["total"]) == (None, None, None)
            continue
        seen = SEEN.fullmatch(row["seen"])
        assert seen
        dealer = seen["dealer"].split()  # who draws is told of the first card only
        assert dealer == row["exposed"][: len(dealer) if row["call"] == "draw" else None]
        assert row["upcard"] == row["exposed"][0]
        assert seen["hand"].split() == row["cards"]
        assert sorted(re.findall(r"\w+", seen["legal"].replace(" or ", " "))) == sorted(
            row["legal"]
        )
        assert row["answer"] in row["legal"]
        assert value_of(row["cards"]) == (row["total"], row["soft"])
        assert 0 < row["wager"] <= float(seen["staked"])
        if row["unseen"]:
            assert row["true_count"] == pytest.approx(row["count"] * 52 / row["unseen"])
        if row["cost"] is not None:
            assert row["best"] in row["legal"]
            assert row["cost"] >= 0
            assert (row["cost"] == 0) or row["answer"] != row["best"]
        staked += row["wager"]
    assert staked


@pytest.mark.parametrize(
    "text",
    [
        BLACKJACK.format(
            game="six-decks-h17", one="basic-six-decks-h17", other="never-bust", rounds=30
        ),
        STRAIGHTS,
    ],
    ids=["blackjack", "straights"],
)
def test_decisions_are_those_that_a_replay_shows(
    exported: Exported, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of rounds drawn at random, in their order and with their answers."""
    store, hands, decisions = exported(text)
    for row in Random(2).sample(hands, 8):
        capsys.readouterr()
        asked = ["replay", "--store", str(store), "--entrant", row["entrant"], "--as-seen"]
        asked += ["--table", str(row["table"]), "--range", f"{row['round']}-{row['round']}"]
        assert main(asked) == 0
        shown = capsys.readouterr().out
        place = ("entrant", "table", "round")
        same = [each for each in decisions if all(each[name] == row[name] for name in place)]
        lines = [line.strip() for line in shown.splitlines() if " -> " in line]
        assert lines == [f"{each['call']}: {each['seen']} -> {each['answer']}" for each in same]
        assert lines


@pytest.mark.prove
def test_what_a_decision_cost_is_near_what_eight_decks_say(exported: Exported) -> None:
    """Two cards of one hand, by exact values of a finite shoe; the columns take it for endless."""
    text = BLACKJACK.format(
        game="six-decks-h17", one="basic-six-decks-h17", other="never-bust", rounds=150
    )
    _, _, decisions = exported(text)
    known: dict[tuple[int, tuple[int, int]], dict[Action, float]] = {}
    values, compared = MoveValues(PRESETS["six-decks-h17"]), 0
    for row in decisions:
        if row["cost"] is None or len(row["cards"]) != 2 or "split" in row["legal"]:
            continue
        if row["hand"] != 1 or "surrender" not in row["legal"]:
            continue
        up, *cards = (value_of([card])[0] for card in (row["upcard"], *row["cards"]))
        place = (up, (min(cards), max(cards)))
        if place not in known and len(known) < 12:
            known[place] = values.of(*place)
        if place in known:
            worths = known[place]
            lost = max(worths.values()) - worths[Action[row["answer"].upper()]]
            assert row["cost"] / row["wager"] == pytest.approx(lost, abs=0.03), row["seen"]
            compared += 1
    assert compared > 10


def test_what_was_best_is_what_solving_says(exported: Exported) -> None:
    """The chart that is worked out in fractions for an endless shoe, as a second opinion."""
    game = "six-decks-h17"
    text = BLACKJACK.format(game=game, one="basic-six-decks-h17", other="never-bust", rounds=300)
    _, _, decisions = exported(text)
    endless = replace(PRESETS[game], decks="infinite", insurance="never")
    chart = solve(endless, minimum=10).chart
    compared = set()
    for row in decisions:
        if not row["legal"] or "decline" in row["legal"] or row["best"] is None or row["hand"] > 1:
            continue
        if "surrender" not in row["legal"] and len(row["cards"]) == 2:
            continue  # perhaps from a split, or asked by draw
        cards = [(value_of([card])[0]) for card in row["cards"]]
        legal = tuple(Action[each.upper()] for each in row["legal"])
        column = value_of([row["upcard"]])[0] - 2
        is_pair = len(cards) == 2 and cards[0] == cards[1]
        best = chart.decide(column, row["total"], row["soft"], is_pair, legal)
        assert row["best"] == str(best), row["seen"]
        compared.add((row["total"], row["soft"], column))
    assert len(compared) > 100


def legal_in(hand: list[str], piles: list[tuple[str | None, str | None]]) -> list[str]:
    """Give the cards of a hand that may be played, by the rules as they are written down."""
    found = []
    for card in hand:
        rank = LETTERS.index(card[0])
        low, high = piles["SHCD".index(card[1])] if any(low for low, _ in piles) else (None, None)
        if not any(low for low, _ in piles):
            is_legal = card == "7S"
        elif low is None or high is None:
            is_legal = card[0] == "7"
        else:
            is_legal = rank in (LETTERS.index(low[0]) - 1, LETTERS.index(high[0]) + 1)
        if is_legal:
            found.append(card)
    return found


def test_straights_are_told_card_by_card(exported: Exported) -> None:
    """Hands, what lay there, what was legal and what it cost: all follows from the cards."""
    _, hands, decisions = exported(STRAIGHTS)
    by_round: dict[tuple[Any, ...], Rows] = defaultdict(list)
    for row in decisions:
        by_round[row["seating"], row["round"], row["seat"]].append(row)
    for row in hands:
        assert sorted(row["played"] + row["discarded"]) == sorted(row["cards"])
        assert row["net"] == sum(LETTERS.index(card[0]) + 1 for card in row["discarded"])
        mine = by_round[row["seating"], row["round"], row["seat"]]
        left = list(row["cards"])
        for each in mine:
            assert each["hand"] == left
            piles = list(zip(each["lowest"], each["highest"], strict=True))
            plays = legal_in(left, piles)
            assert each["legal"] == (plays or left)
            assert each["is_discard"] == (not plays)
            assert each["bankroll"] == row["bankroll"]
            left.remove(each["answer"])
        assert sum(each["points"] for each in mine) == row["net"]
        assert not left
    assert len(by_round) == len(hands)


def test_a_log_says_how_many_hands_were_dealt_again(
    exported: Exported, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of how many; the last line says all of them."""
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    monkeypatch.setattr(hand_tables, "PYTHON_ROWS", 50)
    text = BLACKJACK.format(game="ve280", one="simple", other="counting", rounds=30)
    _, hands, decisions = exported(text)
    lines = [line for line in capsys.readouterr().err.splitlines() if "dealt again" in line]
    assert lines[0] == "1 of 120 hands dealt again"
    assert lines[-1] == "120 of 120 hands dealt again"
    assert len(hands) == 120
    for rows in (hands, decisions):  # each table's rows stand together, in their order
        tables = [key for key, _ in groupby(rows, lambda row: (row["table"], row["seating"]))]
        assert len(tables) == len(set(tables)) == 4
        rounds = [(row["table"], row["seating"], row["round"]) for row in rows]
        assert all(one[:2] != other[:2] or one <= other for one, other in pairwise(rounds))
