"""Hostile competitors, each with its verdict; beside them somebody honest plays undisturbed."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tourney.asking.newcomer import Newcomer
from tourney.confine.levels import Level, probe
from tourney.confine.referee import ConfinedDesk
from tourney.confine.seating import Submitted
from tourney.players.questions import Call

from .asking import CORPUS, HONEST, SEATS, expected, play, questions

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL, reason="this machine cannot confine players fully"
)

ATTACKS = sorted(CORPUS.glob("*.attack"))
SHARED_FOLDERS = ("/tmp", "/dev/shm")  # noqa: S108 - where an attacker would write
LEFT_BEHIND = [Path(folder, "left-by-an-attacker") for folder in SHARED_FOLDERS]


@pytest.fixture(scope="module")
def honest() -> Iterator[ConfinedDesk]:
    """Play somebody honest while everybody else attacks."""
    with ConfinedDesk(Submitted("honest.py", HONEST)) as desk:
        desk.sit([Newcomer(1, bytes(8))] * SEATS)
        yield desk


@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
def test_an_attack_ends_in_its_verdict(path: Path, honest: ConfinedDesk) -> None:
    """Whatever it tries, its cause is named, and nobody else notices."""
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
    decided = honest.decide(questions(Call.DRAW, 1, list(range(SEATS))))
    assert (decided.faults, honest.ended) == ({}, None)


def test_an_attack_leaves_nothing_behind() -> None:
    """No file, no process: they ran in the tests above, in this very process."""
    assert not any(path.exists() for path in LEFT_BEHIND)
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split()
    lines = [Path(f"/proc/{child}/cmdline").read_bytes() for child in children]
    assert sum(b"tourney.confine.host" in line for line in lines) <= 1  # the honest one


def test_the_corpus_is_large() -> None:
    """Every line of the design's list of attacks has its files."""
    assert len(ATTACKS) >= 80


def test_an_honest_player_is_reproducible() -> None:
    """Its luck comes from its seat's key, so it plays the same again."""
    first, again = play(HONEST), play(HONEST)
    assert first == again
    assert not first.verdicts
    assert len(set(first.answers[0])) > 1
