"""Hands as data: they add up to what is stored, and a counter of our own finds the same in them."""

import os
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import ipc, parquet

from tourney import Player
from tourney.cli import main
from tourney.game.blocks import Block, Seat, TableState
from tourney.game.cards.shoe import Shoe
from tourney.game.ledger import BlockKey
from tourney.game.rows import LUCK_PARTS, RowsWriter
from tourney.game.seats import play_block
from tourney.games.blackjack.history.hand_rows import HandRows
from tourney.games.blackjack.records import Dealt, Revealed
from tourney.games.blackjack.rules import PRESETS, BlackjackRules
from tourney.store.store import Store

CONFIG = """
name: rows
seed: 5
game: {{preset: {game}}}
bankroll: 1000
minimum: 10
format: {{kind: duplicate, tables: 2, rounds: {rounds}}}
entrants:
  - strategy: {one}
  - strategy: {other}
"""
GAMES = [
    ("ve280", "simple", "counting"),
    ("six-decks-h17", "basic-six-decks-h17", "never-bust"),
    ("european", "basic-european", "never-bust"),
    ("easybj", "easybj-chart", "simple"),
    ("csc24400", "simple", "mimic"),
]
VALUES = {**dict.fromkeys("TJQK", 10), "A": 11}
BEST, STANDS_FOR = 21, 10
Rows = list[dict[str, Any]]


@pytest.fixture
def exported(tmp_path: Path) -> Callable[..., tuple[Path, Rows, Rows]]:
    """Give what plays a configuration and exports it: the store, hands and decisions."""

    def export(text: str, *arguments: str, status: int = 0) -> tuple[Path, Rows, Rows]:
        config, store, data = (tmp_path / name for name in ("rows.yaml", "rows.db", "data"))
        config.write_text(text, encoding="utf-8")
        assert main(["run", str(config), "--store", str(store), "--workers", "1"]) == status
        assert main(["export", "--store", str(store), "--output", str(data), *arguments]) == 0
        hands, decisions = (
            parquet.read_table(data / f"{what}.parquet").to_pylist()
            for what in ("hands", "decisions")
        )
        return store, hands, decisions

    return export


def sums(hands: Rows) -> dict[tuple[str, int], float]:
    """Add up what an entrant won at a table."""
    found: dict[tuple[str, int], float] = defaultdict(float)
    for row in hands:
        found[row["entrant"], row["table"]] += row["net"]
    return found


def total(cards: str) -> int:
    """Count a hand."""
    values = [VALUES.get(card[0]) or int(card[0]) for card in cards.split()]
    found = sum(values)
    for _ in range(values.count(11)):
        found -= STANDS_FOR * (found > BEST)
    return found


def points(cards: str) -> int:
    """Count them high-low."""
    return sum((card[0] in "23456") - (card[0] in "TJQKA") for card in cards.split())


@pytest.mark.parametrize(("game", "one", "other"), GAMES)
def test_hands_add_up_to_what_is_stored(
    exported: Callable[..., tuple[Path, Rows, Rows]], game: str, one: str, other: str
) -> None:
    """To the last chip, table by table; and each hand ends as its cards say."""
    text = CONFIG.format(game=game, one=one, other=other, rounds=60)
    store, hands, decisions = exported(text)
    with Store.open(store, create=False) as kept:
        names = {each.number: each.name for each in kept.run().entrants}
        stored = {
            (names[seat.entrant], key.table + 1): seat.final for key, seat in kept.seat_results(1)
        }
    unit = PRESETS[game].unit
    assert {place: (1000 + won) * unit for place, won in sums(hands).items()} == stored
    for row in hands:
        _check_ends(row)
    offers = {"insure", "decline"}  # declined for whoever has no answer to them
    told = [row["answer"] for row in decisions if row["call"] in {"draw", "act"}]
    moves = [move for row in hands for move in row["actions"].replace("|", "").split()]
    assert Counter(each for each in told if each not in offers) == Counter(
        each for each in moves if each not in offers
    )


def _check_ends(row: dict[str, Any]) -> None:
    dealer = total(row["dealer"])
    for cards, outcome in zip(row["cards"].split(" | "), row["outcome"].split(" | "), strict=True):
        own = total(cards)
        if outcome == "bust":
            assert own > BEST
        elif outcome == "dealer bust":
            assert dealer > BEST >= own
        elif outcome in {"win", "push", "loss"}:
            assert max(own, dealer) <= BEST
            assert outcome == ["loss", "push", "win"][(own > dealer) - (own < dealer) + 1]
        elif outcome == "natural":
            assert own == BEST
            assert len(cards.split()) == 2


def test_a_counter_of_our_own_finds_the_same_count(
    exported: Callable[..., tuple[Path, Rows, Rows]],
) -> None:
    """From the cards of the rounds before, where no shuffle came between."""
    text = CONFIG.format(game="six-decks-h17", one="basic-six-decks-h17", other="simple", rounds=80)
    _, hands, _ = exported(text)
    followed = 0
    for last, row in pairwise(hands):
        if row["round"] != last["round"] + 1 or row["unseen"] > last["unseen"]:
            continue
        shown = f"{last['cards'].replace('|', '')} {last['dealer']}".split()
        hidden = last["unseen"] - len(shown) != row["unseen"]  # the hole card was never turned
        if hidden:
            shown.remove(last["dealer"].split()[1])
        assert row["unseen"] == last["unseen"] - len(shown)
        assert row["count"] == last["count"] + points(" ".join(shown))
        followed += 1
    assert followed > 100


COMPANY = """
name: rows
seed: 3
game: {{preset: {game}}}
bankroll: 1000
minimum: 10
format: {{kind: {format}}}
entrants: [{{strategy: simple}}, {{strategy: counting}}, {{strategy: mimic}}, {{file: ends.py}}]
"""
ENDS = """
from tourney import Player

class Ends(Player):
    asked = 0

    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        self.asked += 1
        if self.asked == 9:
            raise ValueError("enough")
        return player.total < 17
"""


@pytest.mark.parametrize("game", ["ve280", "six-decks-h17"])
@pytest.mark.parametrize("format_", ["knockout", "multi-table", "duplicate, tables: 2, rounds: 40"])
def test_every_seat_has_its_own_figures_whoever_begins_and_whoever_fails(
    exported: Callable[..., tuple[Path, Rows, Rows]], tmp_path: Path, game: str, format_: str
) -> None:
    """Net, stakes and luck are those of the accounts; a fault in a round costs what was staked."""
    (tmp_path / "ends.py").write_text(ENDS, encoding="utf-8")
    text = COMPANY.format(game=game, format=format_)
    store, hands, decisions = exported(text, status=1)  # as of every run with a verdict
    unit = PRESETS[game].unit
    found: dict[tuple[Any, ...], list[float]] = defaultdict(lambda: [0, 0, 0, 0])
    for row in hands:
        if row["net"] is not None:
            place = tuple(row[name] for name in ("entrant", "stage", "heat", "table", "seating"))
            luck = (row["luck"] or 0) * unit * LUCK_PARTS
            told = (1, row["net"] * unit, row["staked"] * unit, luck)
            found[place] = [a + b for a, b in zip(found[place], told, strict=True)]
    stored: dict[tuple[Any, ...], list[float]] = defaultdict(lambda: [0, 0, 0, 0])
    with Store.open(store, create=False) as kept:
        names = {each.number: each.name for each in kept.run().entrants}
        for key, seat in kept.seat_results(1):
            place = (names[seat.entrant], *(each + 1 for each in key[:4]))
            told = (seat.rounds, seat.net, seat.handle, seat.luck or 0)
            stored[place] = [a + b for a, b in zip(stored[place], told, strict=True)]
    assert {place: told for place, told in stored.items() if told[0]} == dict(found)
    assert any(row["answer"] == "" for row in decisions)


class Draws(Player):
    """Draws to fifteen."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the minimum."""
        return minimum

    def draw(self, dealer: Any, player: Any) -> bool:
        """Draw to fifteen."""
        return bool(player.total < 15)


class Pile(HandRows):
    """Notes before each round how many cards are left, by those that were dealt, not shown."""

    def __init__(self, seats: int, unit: int, whole: int) -> None:
        super().__init__(seats, unit)
        self.left: dict[int, int] = {}
        self._all, self._pile = whole, 0
        self._dealt = 0  # in the round, as far as told
        self._hole = self._never_turned = 0  # hole cards face down, now and in earlier rounds

    def shuffled(self, shoe: Shoe) -> None:
        """All cards but those on the table are in the new shoe; of these a hole card is unseen."""
        super().shuffled(shoe)
        # Cards of an opening are told later than they were dealt, and leave the pile then.
        self._pile = shoe.size + (self._all - shoe.size - self._dealt)
        self._never_turned = 0

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Begin a round."""
        super().opened(number, bankrolls)
        self._never_turned += self._hole
        self._dealt = self._hole = 0

    def wagered(self, seat: int, wager: int) -> None:
        """Note what is left once the first wager is placed."""
        super().wagered(seat, wager)
        self.left.setdefault(self._round, self._pile + self._never_turned)

    def happened(self, record: Any) -> None:
        """Take a card from the pile; one that lies face down is not known."""
        super().happened(record)
        if isinstance(record, Dealt):
            self._pile -= 1
            self._dealt += 1
            self._hole += not record.is_face_up
        elif isinstance(record, Revealed):
            self._hole -= 1


@pytest.mark.parametrize(
    ("rules", "seats"),
    [
        (PRESETS["six-decks-h17"], 3),
        (PRESETS["csc24400"], 2),
        (PRESETS["european"], 2),
        (replace(PRESETS["ve280"], shuffle="uniform", reshuffle=1), 1),
        (replace(PRESETS["ve280"], shuffle="uniform", reshuffle=1), 5),
        (replace(PRESETS["ve280"], reshuffle=1), 2),
    ],
)
def test_what_is_unseen_is_what_is_left_of_the_shoe(rules: BlackjackRules, seats: int) -> None:
    """With hole cards that were never turned; also where a shoe runs out in a round."""
    assert isinstance(rules.decks, int)
    for key in range(3):
        block = Block(
            BlockKey(0, 0, 0, 0, 1),
            rules,
            tuple(Seat(each, 100_000, bytes(16)) for each in range(seats)),
            minimum=10 * rules.unit,
            maximum=100 * rules.unit,
            rounds=300,
            shoe_key=bytes([key]) * 16,
            state=TableState(moves_button=bool(key)),
        )
        pile = Pile(seats, rules.unit, 52 * rules.decks)
        play_block(block, lambda _: Draws(), pile)
        names = [each.name for each in pile.of_hands]
        rows = [dict(zip(names, row, strict=True)) for row in pile.hands]
        assert {row["round"]: row["unseen"] for row in rows} == pile.left
        assert min(pile.left.values()) > 0


def test_an_endless_shoe_has_no_number_of_cards_unseen(
    exported: Callable[..., tuple[Path, Rows, Rows]],
) -> None:
    """Every card is as likely as any other, whatever was shown."""
    text = CONFIG.format(game="easybj", one="easybj-chart", other="simple", rounds=9)
    _, hands, _ = exported(text)
    assert {(row["count"], row["unseen"]) for row in hands} == {(0, None)}


STRAIGHTS = """
name: rows
seed: 5
game: {preset: straights}
format: {kind: duplicate, tables: 1, rounds: 8}
entrants: [{strategy: first-legal}, {strategy: thrifty}, {strategy: salvager}, {strategy: blocker}]
"""


def test_a_game_of_points_is_told(
    exported: Callable[..., tuple[Path, Rows, Rows]],
) -> None:
    """Points add up, and thirteen cards a round are asked for."""
    store, hands, decisions = exported(STRAIGHTS)
    with Store.open(store, create=False) as kept:
        names = {each.number: each.name for each in kept.run().entrants}
        stored: dict[str, int] = defaultdict(int)
        for _, seat in kept.seat_results(1):
            stored[names[seat.entrant]] += seat.final
    assert {name: won for (name, _), won in sums(hands).items()} == stored
    assert len(decisions) == 13 * len(hands)
    assert list(hands[0])[-3:] == ["cards", "played", "discarded"]


def test_part_of_a_run_and_arrow(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same rows in another file; and what columns mean stands in it."""
    config, store = tmp_path / "rows.yaml", str(tmp_path / "rows.db")
    config.write_text(CONFIG.format(game="ve280", one="simple", other="counting", rounds=9))
    assert main(["run", str(config), "--store", store, "--workers", "1"]) == 0
    some = ["--limit", "1", "--entrant", "counting"]
    for form in ("parquet", "arrow"):
        assert (
            main(["export", "--store", store, "--output", str(tmp_path), "--format", form, *some])
            == 0
        )
    table = parquet.read_table(tmp_path / "hands.parquet")
    with ipc.open_file(str(tmp_path / "hands.arrow")) as file:
        assert file.read_all() == table
    assert set(table["entrant"].to_pylist()) == {"counting"}
    assert set(table["table"].to_pylist()) == {1}
    assert table.schema.metadata[b"tourney.version"] == b"1"
    assert all(field.metadata[b"meaning"] for field in table.schema)
    assert table.schema.field("net").type == pa.float64()
    assert "9 hands" in capsys.readouterr().err


def test_who_fails_in_the_middle_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An earlier export stays whole, and nothing else does."""
    config, store, data = tmp_path / "rows.yaml", str(tmp_path / "rows.db"), tmp_path / "data"
    config.write_text(CONFIG.format(game="ve280", one="simple", other="counting", rounds=9))
    assert main(["run", str(config), "--store", store, "--workers", "1"]) == 0
    assert main(["export", "--store", store, "--output", str(data)]) == 0
    before = {path.name: path.read_bytes() for path in data.iterdir()}
    monkeypatch.setattr(RowsWriter, "closed", lambda *_: (_ for _ in ()).throw(OSError("no room")))
    assert main(["export", "--store", store, "--output", str(data)]) != 0
    assert {path.name: path.read_bytes() for path in data.iterdir()} == before
    assert "Traceback" not in capsys.readouterr().err


def test_who_is_killed_in_the_middle_leaves_no_file_that_looks_whole(tmp_path: Path) -> None:
    """A real process, killed as soon as it has begun to write."""
    config, store, data = tmp_path / "rows.yaml", str(tmp_path / "rows.db"), tmp_path / "data"
    config.write_text(CONFIG.format(game="ve280", one="simple", other="counting", rounds=20_000))
    assert main(["run", str(config), "--store", store, "--workers", "1"]) == 0
    program = [sys.executable, "-m", "tourney", "export", "--store", store, "--output", str(data)]
    process = subprocess.Popen(program, stderr=subprocess.DEVNULL)
    until = monotonic() + 60
    while not (data / ".hands.parquet.part").exists() and monotonic() < until:
        sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert {path.name for path in data.iterdir()} <= {
        ".hands.parquet.part",
        ".decisions.parquet.part",
    }


def test_without_pyarrow_it_is_said_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the remedy."""
    config, store = tmp_path / "rows.yaml", str(tmp_path / "rows.db")
    config.write_text(CONFIG.format(game="ve280", one="simple", other="counting", rounds=2))
    assert main(["run", str(config), "--store", store, "--workers", "1"]) == 0
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["export", "--store", store, "--output", str(tmp_path / "data")]) != 0
    assert "pip install 'tourney-cards[parquet]'" in capsys.readouterr().err
