"""A store, a run and results to put into it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey, BlockResult, SeatResult, Verdict
from tourney.store.records import EntrantRecord, RunRecord
from tourney.store.store import Store

SECRET = Secret(bytes(range(32)), b"\x00salt\xff", is_rehearsal=True)

Results = tuple[BlockResult, ...]
MakeBatch = Callable[..., Results]


def seat(
    number: int, entrant: int, *, final: int = 900, verdict: Verdict | None = None
) -> SeatResult:
    """Give a seat that started with 1,000 chips."""
    return SeatResult(
        seat=number,
        entrant=entrant,
        initial=1000,
        final=final,
        lowest=min(1000, final),
        highest=max(1000, final),
        rounds=50,
        left_round=None,
        handle=500,
        squares=5000,
        mix=2**64 - 1 - number,
        verdict=verdict,
    )


@pytest.fixture
def make_batch() -> MakeBatch:
    """Give a batch of two blocks; entrants 1 and 0 sit at its tables, in that order."""

    def make(table: int = 0, *, final: int = 900, verdict: Verdict | None = None) -> Results:
        return tuple(
            BlockResult(
                key=BlockKey(0, 0, number, 0, 1),
                rounds=50,
                shuffles=6,
                cards=260,
                seats=(seat(0, 1, final=final, verdict=verdict), seat(1, 0)),
            )
            for number in (table + 1, table)
        )

    return make


@pytest.fixture
def verdict() -> Verdict:
    """Give the verdict on a strategy that raised in its 17th decision."""
    return Verdict(
        cause="raised",
        call="draw",
        round=7,
        decision=17,
        message="expected an answer, got ZeroDivisionError",
        place="greedy.py:12",
        traceback='File "greedy.py", line 12',
    )


@pytest.fixture
def record() -> RunRecord:
    """Give a run of two entrants that play from one source."""
    sources = (("bold.py", "class Bold: ...\n"),)
    entrants = (
        EntrantRecord(0, "bold", "bold", (("spread", 8),), None, "file", "", b"bold", sources),
        EntrantRecord(
            number=1,
            name="bolder",
            strategy="bold",
            options=(("spread", 12.5),),
            group="ours",
            author="Ada Lovelace",
            kind="strategy",
            distribution="bold 1.0",
            digest=b"bold",
            sources=sources,
        ),
    )
    return RunRecord(
        number=0,
        name="demo",
        created="2026-01-02T03:04:05Z",
        finished=None,
        status="running",
        config="name: demo\n",
        config_source="configs/demo.yaml",
        settings=(("seed", 7), ("engine", None)),
        versions=(("python", "3.11.7"), ("tourney", "0.1.0")),
        secret=SECRET.value,
        salt=SECRET.salt,
        commitment=SECRET.commitment,
        rehearsal=True,
        entrants=entrants,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Name a file for the store."""
    return tmp_path / "tourney.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """Open an empty store."""
    with Store(path) as opened:
        yield opened


@pytest.fixture
def run(store: Store, record: RunRecord) -> int:
    """Put a run into the store and give its number."""
    return store.create_run(record).number
