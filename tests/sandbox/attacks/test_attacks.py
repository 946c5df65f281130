"""Hostile competitors, each with its verdict; beside them somebody honest plays undisturbed."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tourney
from tests.sandbox.process.test_hosts import lives
from tests.unit.game.asking.test_printable import is_fit
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.players.questions import Call
from tourney.sandbox.levels import Level, probe
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import Submitted

from .asking import CORPUS, HONEST, SEAT_REQUESTS, SEATS, expected, play, questions

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL, reason="this machine cannot confine players fully"
)

ATTACKS = sorted(CORPUS.glob("*.attack"))
SHARED_FOLDERS = ("/tmp", "/dev/shm")  # noqa: S108 - where an attacker would write
LEFT_BEHIND = [Path(folder, "left-by-an-attacker") for folder in SHARED_FOLDERS]


CALLS = {"import", "constructor", "bet", "draw", "act", "expose", "shuffled", "decide"}
"""What a verdict may be about: a method, or what comes before all questions."""
FOLDERS = {
    *(sys.prefix, sys.base_prefix, sys.executable, str(Path.home()), str(Path.cwd())),
    *(str(Path(each.__file__).parent) for each in (tourney, os, np)),
}
"""Where this machine keeps the platform, Python, and its user's files."""


def folders_in(text: str) -> set[str]:
    """Give the folders of this machine that a text names, forwards or backwards."""
    return {
        each
        for each in FOLDERS
        for told in (text.casefold(), text[::-1].casefold())
        if re.search(rf"{re.escape(each.casefold())}(?!\w)", told)
    }


class Beside:
    """Somebody honest, who is asked again whenever somebody has attacked."""

    def __init__(self, pool: SandboxedPool) -> None:
        self._pool = pool
        self._round = 0
        pool.sit(SEAT_REQUESTS)

    def wagers(self) -> bytes:
        """Ask for the wagers of the next round, which depend on all rounds before."""
        self._round += 1
        decided = self._pool.decide(questions(Call.WAGER, self._round, list(range(SEATS))))
        assert (decided.faults, self._pool.ended) == ({}, None)
        return decided.answers.tobytes()


@pytest.fixture(scope="module", autouse=True)
def hosts_before() -> set[int]:
    """Give the hosts that other tests of this process have left."""
    return hosts()


@pytest.fixture(scope="module")
def alone() -> list[bytes]:
    """Give what somebody honest answers, round by round, while nobody attacks."""
    with SandboxedPool(BLACKJACK, Submitted("honest.py", HONEST)) as pool:
        beside = Beside(pool)
        return [beside.wagers() for _ in ATTACKS]


@pytest.fixture(scope="module")
def honest(alone: list[bytes]) -> Iterator[Iterator[tuple[bytes, bytes]]]:
    """Play the same while everybody else attacks; give it beside what it was alone."""
    with SandboxedPool(BLACKJACK, Submitted("honest.py", HONEST)) as pool:
        beside = Beside(pool)
        yield ((beside.wagers(), before) for before in alone)


@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
def test_an_attack_ends_in_its_verdict(path: Path, honest: Iterator[tuple[bytes, bytes]]) -> None:
    """Whatever it tries, its cause is named, and somebody honest answers as without it."""
    source = path.read_bytes()
    causes, message = expected(source)
    played = play(source)
    found = {verdict.cause for verdict in played.verdicts} or {"plays"}
    assert found <= causes, played.verdicts[:1]
    for verdict in played.verdicts:
        assert message in verdict.message
        assert f"{verdict.message}{verdict.place}{verdict.call}".isprintable()
        assert verdict.traceback.replace("\n", "").isprintable()
        assert len(verdict.message) < 20_100
        assert verdict.call in CALLS
        assert verdict.place == "" or re.fullmatch(r"attacker\.py:\d+", verdict.place)
        assert (
            verdict.place == "" or int(verdict.place.partition(":")[2]) <= source.count(b"\n") + 1
        )
        assert is_fit(verdict.message)
        assert is_fit(verdict.traceback, keep="\n")
        assert folders_in(f"{verdict.message}{verdict.traceback}") == set()
    assert folders_in(played.printed) == set()
    assert is_fit(played.printed, keep="\n")
    beside, alone = next(honest)
    assert beside == alone


def test_an_attack_leaves_nothing_behind(hosts_before: set[int]) -> None:
    """No file, no process: they ran in the tests above, in this very process."""
    assert not any(path.exists() for path in LEFT_BEHIND)
    assert len(hosts() - hosts_before) <= 1  # the honest one


def hosts() -> set[int]:
    """Give the hosts of this process: children of the fork servers, which are its own."""
    return {host for server in children_of(os.getpid()) for host in children_of(server)}


def children_of(process: int) -> list[int]:
    """Give the numbers of the processes that a process has started and that have not ended."""
    path = Path(f"/proc/{process}/task/{process}/children")
    children = path.read_text(encoding="ascii").split()
    return [int(number) for number in children if lives(Path("/proc", number))]


def test_the_corpus_is_large() -> None:
    """Every line of the design's list of attacks has its files."""
    assert len(ATTACKS) >= 80


def test_an_honest_player_is_reproducible() -> None:
    """Its luck comes from its seat's key, so it plays the same again."""
    first, again = play(HONEST), play(HONEST)
    assert first == again
    assert not first.verdicts
    assert len(set(first.answers[0])) > 1
