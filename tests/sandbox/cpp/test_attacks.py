"""Programs that try to get out, or to lie: each has its verdict, from before its first line on."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sandbox.cpp.attacks import ASKED, ATTACKS, CALLS, WHOLE, Attack
from tests.sandbox.cpp.trying import (
    BESIDE,
    Beside,
    honest_alone,
    play_attack,
    program_of,
    programs,
)
from tests.sandbox.cpp.written import one, play
from tests.support.proving import with_more
from tourney.sandbox import referee
from tourney.sandbox.levels import Level, probe
from tourney.sandbox.lockdown import LAYERS
from tourney.sandbox.syscall_filter import NATIVE, PROGRAM, Then, instructions
from tourney.sandbox.syscalls import AARCH64, X86_64

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL or not shutil.which("g++") or os.uname().machine != "x86_64",
    reason="nothing can be compiled or confined here",
)

ROOT = Path(__file__).parents[3]
USERS = {"root": 0, "user": 54_321} if os.getuid() == 0 else {"user": os.getuid()}
LEFT = [Path(folder, "left-by-an-attacker") for folder in ("/tmp", "/dev/shm")]  # noqa: S108 - where an attacker would write


@pytest.fixture(scope="module")
def built() -> dict[str, bytes]:
    """Build all programs, at once."""
    return programs()


def check(attack: Attack, causes: set[str]) -> None:
    """Make sure that an attack has a verdict that it may have."""
    assert causes <= set(attack.causes.split(" or ")), attack.name


@pytest.fixture(scope="module")
def honest(built: dict[str, bytes]) -> Iterator[Iterator[tuple[object, object]]]:
    """Give an honest program's wagers after each attack, beside those without any attack."""
    alone = honest_alone(built[BESIDE])
    beside = Beside(built[BESIDE])
    with beside.pool:
        yield ((beside.wagers(), before) for before in alone)


@pytest.mark.parametrize("name", [each.name for each in ATTACKS])
def test_an_attack_ends_in_its_verdict(
    name: str, built: dict[str, bytes], honest: Iterator[tuple[object, object]]
) -> None:
    """Its cause is named, nothing it says is believed, and an honest program plays as before."""
    attack = next(each for each in ATTACKS if each.name == name)
    played = play_attack(attack, built[program_of(attack)])
    check(attack, {verdict.cause for verdict in played.verdicts} or {"plays"})
    for verdict in played.verdicts:
        assert attack.words in verdict.message
        assert f"{verdict.message}{verdict.place}{verdict.call}".isprintable()
    assert not any(path.exists() for path in LEFT)
    beside, alone = next(honest)
    assert beside == alone != ()


def test_the_corpus_is_large() -> None:
    """Each attack has a name of its own."""
    assert len({each.name for each in ATTACKS}) == len(ATTACKS) == len((*ASKED, *WHOLE)) >= 100
    assert len(CALLS) >= 40


@pytest.fixture(scope="module")
def kept(built: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep the programs where a sandbox can show them."""
    folder = tmp_path_factory.mktemp("programs")
    folder.chmod(0o755)
    for name, program in built.items():
        (folder / name).write_bytes(program)
        (folder / name).chmod(0o644)
    return folder


def held(folder: Path, user: int, layers: list[str], *, stays_root: bool) -> dict[str, set[str]]:
    """Play all attacks inside bubblewrap; give their causes, having seen that nothing is left."""
    from benchmarks.attacks import sandboxed_with

    order = {"user": user, "layers": layers, "stays_root": stays_root}
    command = sandboxed_with(order, folder)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr[-2_000:]
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(name, left) for name, _, left, _ in told if left] == []
    if "filter" in layers:  # without it, an attack may stop every process of its user
        assert [name for name, *_, is_honest in told if not is_honest] == []
    return {name: set(causes) for name, causes, *_ in told}


WAYS = [(user, off) for user in USERS for off in ("", *LAYERS, "user")]
WAYS.remove(("user", "user"))  # who becomes nobody else
FIRST = ("user", "landlock")


@pytest.mark.skipif(not shutil.which("bwrap"), reason="nothing keeps attacks apart here")
@pytest.mark.parametrize(
    ("user", "off"), with_more([FIRST], [each for each in WAYS if each != FIRST])
)
def test_layers_back_each_other(user: str, off: str, kept: Path) -> None:
    """With any one of them off nothing is left, and causes stay but without filter and limits."""
    layers = [each for each in LAYERS if each != off]
    found = held(kept, USERS[user], layers, stays_root=off == "user")
    assert len(found) == len(ATTACKS)
    if off not in {"filter", "limits"}:
        for attack in ATTACKS:
            check(attack, found[attack.name])


@pytest.mark.parametrize("machine", [X86_64, AARCH64], ids=lambda each: each.name)
def test_the_filter_of_programs_is_not_too_long(machine: object) -> None:
    """Of what the kernel takes; and the only program that it runs is the one it was given."""
    assert len(instructions(machine, Then.REPORT, NATIVE)) < 4096  # type: ignore[arg-type]  # a machine
    assert NATIVE.checks["execveat"][0].values == (PROGRAM,)


def test_lies_about_lines_do_not_keep_the_referee(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look takes a process, so only the first few are looked up."""
    looked: list[str] = []
    monkeypatch.setattr(referee, "MOST_PLACES", 1)
    monkeypatch.setattr(
        referee, "place_in", lambda _, addresses: looked.append(addresses) or "player.cpp:1"
    )
    came = play(one("if (rand() % 2) throw 3; throw minimum + 0.5;"))
    assert len(looked) == 1
    assert {verdict.place for verdict in came.verdicts} == {"player.cpp:1", ""}
