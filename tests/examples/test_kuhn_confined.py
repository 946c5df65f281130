"""Files that play the example's game, which the platform does not know, in processes of their own.

What holds such a process is tried with blackjack, by a corpus of attacks; here it is tried that
another game's turns go in, that numbers come out, and that nobody else is hurt.
"""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.examples.test_kuhn_poker import Place
from tourney.game.ledger import Verdict
from tourney.sandbox.levels import Level, probe
from tourney.store.store import Store

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL, reason="this machine cannot confine players fully"
)

FILE = """
import os
import pickle
import sys

from kuhn_poker import BET, CHECK, KuhnPlayer


class Same:
    def __eq__(self, other):
        return True


class Touch:
    def __reduce__(self):
        return open, ("{touched}", "w")


def lie():
    host = sys.modules["tourney.sandbox.host"]
    write = host.wire.write_answers
    host.wire.write_answers = lambda answers, faults: write([2] * len(answers), [])
    return BET


class Entrant(KuhnPlayer):
    def act(self, view):
        if len(view.moves) < 2 and self.random.random() < 0.5:
            return CHECK
        {body}
"""

HOSTILE = {
    "loops": ("while True: pass", "cpu"),
    "crashes": ("raise ValueError('lost')", "raised"),
    "words": ("return 'bet'", "illegal"),
    "places": ("return 1", "illegal"),
    "equal": ("return Same()", "illegal"),
    "forks": ("os.fork()", "syscall"),
    "greedy": ("return bytes(10**10)", "memory"),
    "leaves": ("os._exit(3)", "died"),
    "lies": ("return lie()", "protocol"),
    "pickles": ("os.write(4, pickle.dumps(Touch()))", "protocol"),
}
"""What players do, and the cause of their verdicts."""

HONEST = {"bets": "return BET", "looks": "return BET if view.rank.name != 'JACK' else CHECK"}

LIMITS = "limits: {base_seconds: 0.3}\n"
CUP = """\
name: Cup
seed: 3
game: kuhn
bankroll: 1000
format: {kind: roundrobin, rounds: 12}
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Install the example, and play a cup of hostile files and honest ones."""
    place = Place(tmp_path_factory.mktemp("kuhn"))
    bodies = {name: body for name, (body, _) in HOSTILE.items()} | HONEST
    for name, body in bodies.items():
        text = FILE.replace("{body}", body).replace("{touched}", str(place.folder / "touched"))
        (place.folder / f"{name}.py").write_text(text)
    _write(place, "all", bodies)
    place.python("-m", "tourney", "run", "all.yaml", "--store", "all.db")  # says that some failed
    return place


def _write(place: Place, name: str, entrants: Iterable[str]) -> None:
    """Write a tournament of files, beside one player that is installed."""
    files = "".join(f"  - file: {each}.py\n" for each in entrants)
    (place.folder / f"{name}.yaml").write_text(
        f"{CUP}{LIMITS}entrants:\n  - strategy: nash\n{files}"
    )


def _verdicts(store: Path) -> dict[str, list[Verdict]]:
    """Give the verdicts on everybody who has any."""
    found: dict[str, list[Verdict]] = {}
    with Store.open(store) as kept:
        names = [each.name for each in kept.run(1).entrants]
        for _, seat in kept.faulted(1):
            assert seat.verdict
            found.setdefault(names[seat.entrant], []).append(seat.verdict)
    return found


def test_everybody_hostile_gets_a_verdict_and_nobody_else(place: Place) -> None:
    """With its cause, what was asked and what lay before it."""
    verdicts = _verdicts(place.folder / "all.db")
    causes = {name: {each.cause for each in own} for name, own in verdicts.items()}
    assert causes == {name: {cause} for name, (_, cause) in HOSTILE.items()}
    assert {each.call for own in verdicts.values() for each in own} == {"act"}
    assert all(" after " in each.seen for own in verdicts.values() for each in own)
    (first, *_) = verdicts["words"]
    assert "act: expected one of Move.CHECK_OR_FOLD, Move.BET_OR_CALL, got 'bet'" in first.message


def test_what_comes_out_is_never_unpickled(place: Place) -> None:
    """Bytes that make a file when they are read as a pickle make none."""
    assert not (place.folder / "touched").exists()


def test_it_is_verified_from_the_record(place: Place) -> None:
    """Whoever died dies again where it did, and all digests are the same."""
    told = place.tourney("verify", "--full", "--store", "all.db")
    assert "replayed batches give the stored digests" in told


@pytest.mark.prove
def test_files_play_as_with_all_rights(place: Place) -> None:
    """The same board, shut in and not."""
    _write(place, "honest", HONEST)
    shut_in = place.tourney("run", "honest.yaml", "--store", "in.db").splitlines()
    trusted = place.tourney("run", "honest.yaml", "--store", "out.db", "--no-sandbox")
    assert trusted.splitlines()[:6] == shut_in[:6]
    assert _verdicts(place.folder / "in.db") == {}


def test_a_player_of_another_game_is_refused(place: Place) -> None:
    """By the process it sits in, since its file is read nowhere else."""
    (place.folder / "other.py").write_text(
        "from tourney import Player\n\n\nclass Other(Player):\n"
        "    def bet(self, bankroll, minimum):\n        return minimum\n\n"
        "    def draw(self, dealer, player):\n        return False\n"
    )
    _write(place, "others", ["other"])
    place.python("-m", "tourney", "run", "others.yaml", "--store", "others.db")
    (own,) = _verdicts(place.folder / "others.db").values()
    assert "Other is not a player of Kuhn" in own[0].message


@pytest.mark.prove
def test_a_run_that_was_stopped_goes_on(place: Place) -> None:
    """The rest is played confined, too, to the same board."""
    _write(place, "whole", [*HONEST, "words"])
    whole = place.python("-m", "tourney", "run", "whole.yaml", "--store", "whole.db").stdout
    assert place.python("-c", STOPPED).stdout == "stopped\n"
    again = place.python("-m", "tourney", "resume", "--store", "stopped.db").stdout
    assert again.splitlines()[:6] == whole.splitlines()[:6]
    assert _verdicts(place.folder / "stopped.db") == _verdicts(place.folder / "whole.db")


STOPPED = """
from pathlib import Path

from tourney.tournament.loading import enter, run_record
from tourney.plugins.loading import load_plugins
from tourney.store.store import Store
from tourney.tournament.tournament import play_run


def stop(play):
    if play.batches_done:
        raise KeyboardInterrupt


tournament = enter(Path("whole.yaml"), load_plugins())
with Store.open(Path("stopped.db")) as kept:
    try:
        play_run(tournament, kept, kept.create_run(run_record(tournament)), on_batch=stop)
    except KeyboardInterrupt:
        print("stopped")
"""
