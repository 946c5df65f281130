"""The unit for systemd that comes along: it forbids nothing that confinement needs."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

UNIT = Path(__file__).parents[2] / "examples" / "portal" / "tourney.service"
NEEDED = ("seccomp", "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self")
"""Calls that shut players in, and that systemd's usual filter leaves out."""


def test_what_shuts_players_in_is_allowed() -> None:
    """Else every upload would wait."""
    allowed = re.findall(r"^SystemCallFilter=(.*)$", UNIT.read_text(), re.MULTILINE)
    assert set(NEEDED) <= set(" ".join(allowed).split())
    assert "@system-service" in allowed[0]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_systemd_understands_it(tmp_path: Path) -> None:
    """With a program that is there."""
    unit = tmp_path / "tourney.service"
    unit.write_text(UNIT.read_text().replace("/opt/tourney/bin/tourney", "/bin/true"))
    ran = subprocess.run(
        ["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
