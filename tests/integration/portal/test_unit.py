"""The unit for systemd that comes along: it forbids nothing that confinement needs."""

import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterable, Sequence
from errno import EPERM
from pathlib import Path

import pytest

from tourney.sandbox.levels import Level, probe
from tourney.sandbox.syscall_filter import (
    JUMP_EQUAL,
    LOAD,
    NUMBER,
    RETURN,
    Instruction,
    Then,
    assembled,
)
from tourney.sandbox.syscalls import this_machine

UNIT = Path(__file__).parents[3] / "examples" / "portal" / "tourney.service"
NEEDED = ("seccomp", "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self")
"""Calls that shut players in, and that systemd's usual filter leaves out."""
ON_THEIR_WAY = 20
"""Messages with four descriptors each."""
TRY = """
from tourney.sandbox.kernel import ADDR_NO_RANDOMIZE, fix_addresses
from tourney.sandbox.levels import probe
fix_addresses()
print(probe(), "fixed" if fix_addresses() & ADDR_NO_RANDOMIZE else "random")
"""
"""Tells how well players are confined, and whether they find the same addresses in every run."""


def test_what_shuts_players_in_is_allowed() -> None:
    """Else every upload would wait."""
    allowed = re.findall(r"^SystemCallFilter=(.*)$", UNIT.read_text(), re.MULTILINE)
    assert set(NEEDED) <= set(" ".join(allowed).split())
    assert "@system-service" in allowed[0]
    assert "\nLockPersonality=" not in UNIT.read_text()  # else addresses would be random


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_systemd_understands_it(tmp_path: Path) -> None:
    """With a program that is there."""
    unit = tmp_path / "tourney.service"
    unit.write_text(UNIT.read_text().replace("/opt/tourney/bin/tourney", "/bin/true"))
    ran = subprocess.run(
        ["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def _allowed(words: Iterable[str]) -> set[str]:
    """Give the calls that systemd allows by a list of calls and of its own groups of them."""
    found: set[str] = set()
    for word in words:
        if not word.startswith("@"):
            found.add(word)
            continue
        told = subprocess.run(
            ["systemd-analyze", "syscall-filter", word], capture_output=True, text=True, check=True
        )
        names = [line.strip() for line in told.stdout.splitlines()[1:]]
        found |= _allowed(name for name in names if name and not name.startswith("#"))
    return found


def _filter(names: Iterable[str]) -> bytes:
    """Write the filter that systemd sets by the unit: what is not listed fails with EPERM."""
    machine = this_machine()
    assert machine
    refuse = Instruction(RETURN, 0, 0, 0x00050000 | EPERM)
    allow = Instruction(RETURN, 0, 0, Then.ALLOW)
    program = [Instruction(LOAD, 0, 0, NUMBER)]
    for name in sorted(set(names) & set(machine.numbers)):
        program += [Instruction(JUMP_EQUAL, 0, 1, machine.numbers[name]), allow]
    return assembled([*program, refuse])


@pytest.mark.parametrize("forbidden", [(), NEEDED], ids=["as it is", "without its exceptions"])
def test_players_are_confined_under_its_settings(tmp_path: Path, forbidden: Sequence[str]) -> None:
    """An account without rights, no new ones, and the unit's filter: fully, and else not at all."""
    if missing := [each for each in ("systemd-analyze", "bwrap") if not shutil.which(each)]:
        pytest.skip(f"not installed here: {', '.join(missing)}")
    if probe() is not Level.FULL:
        pytest.skip("players cannot be confined here, whoever sets a filter")
    words = re.findall(r"^SystemCallFilter=(.*)$", UNIT.read_text(), re.MULTILINE)[0].split()
    program = tmp_path / "filter"
    program.write_bytes(_filter(_allowed(words) - set(forbidden)))
    with program.open("rb") as file:
        ran = subprocess.run(
            [
                *("bwrap", "--unshare-user", "--uid", "1000", "--cap-drop", "ALL"),
                *("--dev-bind", "/", "/", "--seccomp", str(file.fileno()), "--"),
                *(sys.executable, "-c", TRY),
            ],
            pass_fds=(file.fileno(),),
            capture_output=True,
            text=True,
            check=False,
        )
    if "bwrap:" in ran.stderr:
        pytest.skip(f"no user namespace can be made here: {ran.stderr.strip()}")
    assert ran.stdout.split() == ["unsafe" if forbidden else "full", "fixed"], ran.stderr


def test_players_are_confined_beside_a_browser(tmp_path: Path) -> None:
    """Whose processes have descriptors on their way, which count for all of a user."""
    if not shutil.which("bwrap") or probe() is not Level.FULL:
        pytest.skip("bwrap is not installed, or players cannot be confined here")
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs, (tmp_path / "any").open("w") as file:
        for _ in range(ON_THEIR_WAY):
            socket.send_fds(ours, [b"!"], [file.fileno()] * 4)
        ran = subprocess.run(
            [
                *("bwrap", "--unshare-user", "--uid", "1000", "--cap-drop", "ALL"),
                *("--dev-bind", "/", "/", "--", sys.executable, "-c", TRY),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
    if "bwrap:" in ran.stderr:
        pytest.skip(f"no user namespace can be made here: {ran.stderr.strip()}")
    assert ran.stdout.split() == ["full", "fixed"], ran.stderr
