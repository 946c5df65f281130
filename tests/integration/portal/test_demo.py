"""`tourney serve --demo`: somebody looks around, and finds a course that lives."""

import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from tourney.cli.commands import tourney
from tourney.sandbox.levels import Level, probe

from .served import LONGEST, Served, wait_until


@pytest.mark.prove
@pytest.mark.skipif(probe() is not Level.FULL, reason="players cannot be confined here")
def test_a_demonstration_shows_a_practice_board_and_a_report(tmp_path: Path) -> None:
    """Of players that went the way of everybody's."""
    served = Served(tmp_path / "portal").start("--demo")
    try:
        said = served.said.read_text()
        password = re.findall(r"eve +(\S+)", said)[0]
        with httpx.Client(base_url=served.url, headers={"origin": served.url}) as eve:
            fields = {"login": "eve", "password": password}
            assert eve.post("/sign-in", data=fields).status_code == 303
            assert wait_until(lambda: "Cleo" in eve.get("/c/cards/board").text, 4 * LONGEST)
            assert 'data-entrant="simple"' in eve.get("/c/cards/board").text, "to compare with"
            versions = eve.get("/c/cards/versions").text
            assert "rejected" in versions
            report = eve.get("/c/cards/handed/5").text
            assert "points" in report, report
    finally:
        served.end()


@pytest.mark.parametrize("how", [("--host", "0.0.0.0"), ("--url", "https://cards.example.edu")])  # noqa: S104 - which is refused
def test_a_demonstration_is_for_loopback_only(tmp_path: Path, how: tuple[str, str]) -> None:
    """Its passwords stand on the terminal, and nobody needs a second factor."""
    command = [sys.executable, "-m", "tourney", "serve", str(tmp_path / "portal"), "--demo", *how]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 2
    assert "--demo: other machines could reach this address" in ran.stderr


def test_help_of_serve_lists_the_options_of_start() -> None:
    """Since its name may be omitted."""
    shown = CliRunner().invoke(tourney, ["serve", "--help"])
    assert shown.exit_code == 0
    for words in ("[DIR | COMMAND [ARGS]...]", "--proxy ADDRESS", "--demo", "restore"):
        assert words in shown.output


WITHOUT_EXTRA = """
import sys
for name in ("argon2", "authlib", "httpx", "joserfc", "pyotp", "segno", "starlette", "uvicorn"):
    sys.modules[name] = None
from tourney.cli import main
sys.exit(main(sys.argv[1:]))
"""
"""Runs a command as after an installation without the extra `serve`."""


@pytest.mark.parametrize("arguments", [("--help",), ("serve", "--help"), ("serve", "portal")])
def test_without_the_extra_serve_names_it(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """In one line; help needs no extra."""
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRA, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=tmp_path,
    )
    if "--help" in arguments:
        assert (ran.returncode, ran.stderr) == (0, "")
        return
    assert ran.returncode == 2
    assert ran.stderr.endswith("pip install 'tourney-cards[serve]'\n")
    assert len(ran.stderr.splitlines()) == 1
    assert not (tmp_path / "portal").exists()
