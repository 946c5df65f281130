"""The portal's processes: killed, they come back; ended, nothing is left of them."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from tests.support.proving import with_more
from tourney.errors import TourneyError
from tourney.portal.accounts import add_account
from tourney.portal.commands.serve import _announce, _check_socket, serve_command
from tourney.portal.database import open_database
from tourney.portal.places import OTHERS, Places
from tourney.portal.supervisor import _wait
from tourney.portal.worker import (
    ROLES,
    not_well,
    note_start,
    starts,
    tell,
    was_well,
)

from .served import Served, free_port, is_there, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A portal that answers, for a test that ends it."""
    made = Served(tmp_path / "portal").start()
    yield made
    made.end(signal.SIGKILL)


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A portal that answers, for tests that leave it so."""
    made = Served(tmp_path_factory.mktemp("standing") / "portal").start()
    yield made
    made.end(signal.SIGKILL)


@pytest.fixture
def well(standing: Served) -> Served:
    """The same, with all of its processes."""
    assert wait_until(lambda: standing.health().status_code == 200)
    return standing


@pytest.mark.prove
def test_every_process_that_is_killed_comes_back(well: Served) -> None:
    """And is said so, with its signal."""
    served = well
    before = served.children()
    for number in before.values():
        os.kill(number, signal.SIGKILL)
    assert wait_until(
        lambda: (
            set(served.children()) == set(ROLES)
            and not set(served.children().values()) & set(before.values())
        )
    )
    assert wait_until(served.answers)
    said = served.errors.read_text()
    assert all(f"{role} ended (SIGKILL)" in said for role in ROLES)


@pytest.mark.prove
def test_who_checks_and_plays_yields_to_who_answers(well: Served) -> None:
    """The operating system serves the web process first."""
    places = {role: os.getpriority(os.PRIO_PROCESS, n) for role, n in well.children().items()}
    assert set(places) == set(ROLES)
    assert {role for role, place in places.items() if place > places["web"]} == set(ROLES) - {"web"}


@pytest.mark.prove
def test_it_says_whether_all_processes_are_well(well: Served) -> None:
    """To anybody, and nothing else: which of them are not, after those have stopped to say so."""
    assert well.health().json() == {"status": "ok"}
    follower = well.children()["follower"]
    os.kill(follower, signal.SIGSTOP)
    assert wait_until(lambda: well.health().status_code == 503)
    assert well.health().json() == {"status": "not well", "not_seen": ["follower"]}
    os.kill(follower, signal.SIGCONT)
    assert wait_until(lambda: well.health().status_code == 200)


def test_what_had_begun_well_comes_back_soon() -> None:
    """1, 2, 4 and 5 s after endings in a row; what fails at its start waits up to a minute."""
    counts = range(9)
    assert [_wait(count, had_begun=True) for count in counts] == [0, 1, 2, 4, 5, 5, 5, 5, 5]
    assert [_wait(count, had_begun=False) for count in counts] == [0, 1, 2, 4, 8, 16, 32, 60, 60]


def test_that_a_process_had_begun_well_is_what_it_said_itself(tmp_path: Path) -> None:
    """One that begins again has not said so yet, and another's number says nothing."""
    places = Places(tmp_path)
    assert not was_well(places, "runner", os.getpid())
    note_start(places, "runner")
    assert not was_well(places, "runner", os.getpid())
    with closing(open_database(places)) as database:
        tell(database, "runner")
    assert was_well(places, "runner", os.getpid())
    assert not was_well(places, "runner", 1)
    note_start(places, "checker")
    assert not was_well(places, "checker", os.getpid())
    with closing(open_database(places)) as database:
        assert not_well(database) == ("web", "checker", "practice", "follower")
        assert starts(database) == {"runner": 1, "checker": 1}


@pytest.mark.prove
def test_a_supervisor_that_is_killed_leaves_nothing_behind(served: Served) -> None:
    """The next one begins when nothing of it is left."""
    assert wait_until(lambda: set(served.children()) == set(ROLES))
    children = served.children()
    served.end(signal.SIGKILL)
    assert wait_until(lambda: not any(map(is_there, children.values())))
    assert served.start().answers()


class Announced(Served):
    """A portal that is awaited by what it prints."""

    def answers(self) -> bool:
        """Say whether its address is printed."""
        return f"answers at {self.url}\n" in self.said.read_text()


def test_the_printed_address_answers(tmp_path: Path) -> None:
    """At once: whoever opens it sees no error."""
    announced = Announced(tmp_path / "portal")
    try:
        announced.start()
        assert Served.answers(announced)
        assert announced.said.read_text().count("answers at") == 1
    finally:
        announced.end()


def test_an_address_of_ip_version_6_is_printed_in_brackets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without them, the link to create the first account opens nothing."""
    _announce(Places(tmp_path), {"url": "", "socket": "", "host": "::1", "port": 8080})
    said = capsys.readouterr().out
    assert "answers at http://[::1]:8080\n" in said
    assert "http://[::1]:8080/set-up?code=" in said


@pytest.mark.parametrize("how", with_more([signal.SIGTERM], [signal.SIGINT]))
def test_it_ends_in_order(served: Served, how: signal.Signals) -> None:
    """With all its processes."""
    assert wait_until(lambda: served.health().status_code == 200)
    children = served.children()
    if how is signal.SIGINT:  # of a terminal, which sends it to all of them
        for number in children.values():
            os.kill(number, how)
    assert served.end(how) == 0
    assert not any(map(is_there, children.values()))
    said = served.errors.read_text()
    assert "Traceback" not in said
    assert "fault" not in said


@pytest.mark.prove
def test_a_folder_is_served_once(standing: Served) -> None:
    """The second is told so, and the link of the first serves still."""
    code = standing.set_up_code()
    command = [sys.executable, "-m", "tourney", "serve", str(standing.folder)]
    command += ["--port", str(free_port())]
    second = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert second.returncode == 2
    assert "another `tourney serve` is running in this folder" in second.stderr
    assert "Traceback" not in second.stderr
    assert "answers at" not in second.stderr
    fields = {"code": code, "login": "ada", "name": "Ada", "password": "four words in a row"}
    answer = httpx.post(f"{standing.url}/set-up", data=fields, headers={"origin": standing.url})
    assert answer.status_code == 303


def test_no_other_account_reads_what_a_portal_keeps(tmp_path: Path) -> None:
    """Neither what it makes, in a folder that was there, nor what was open to others before."""
    places = Places(tmp_path / "portal")
    places.inbox.mkdir(parents=True)
    open_database(places).close()
    for path, mode in ((places.root, 0o755), (places.inbox, 0o755), (places.database, 0o644)):
        path.chmod(mode)
    served = Served(places.root).start()
    try:
        modes = {each.name: each.stat().st_mode & OTHERS for each in places.root.iterdir()}
        inherited = Path(f"/proc/{served.children()['web']}/status").read_text()
    finally:
        served.end()
    assert "portal.db-wal" in modes
    assert not any(modes.values()), modes
    assert "Umask:\t0077" in inherited


@pytest.mark.parametrize("fault", ["port", "folder", "nowhere/x.sock", "file"])
def test_what_cannot_be_started_is_said_in_one_line(tmp_path: Path, fault: str) -> None:
    """A port that is taken, a folder that cannot be made, a socket where none can be."""
    (tmp_path / "file").touch()
    folder = tmp_path / ("file/portal" if fault == "folder" else "portal")
    at = ["--socket", str(tmp_path / fault)]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        if fault in {"port", "folder"}:
            at = ["--port", str(taken.getsockname()[1])]
        command = [sys.executable, "-m", "tourney", "serve", str(folder), *at]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    expected = {"port": "cannot listen at this address", "folder": "this account cannot write"}
    assert expected.get(fault, "cannot listen at this socket") in ended.stderr
    assert (tmp_path / "file").is_file()
    assert "Traceback" not in ended.stderr


def test_a_folder_with_other_files_gets_no_portal(tmp_path: Path) -> None:
    """Such as that of a class, which stays as it is."""
    (tmp_path / "submissions.yaml").write_text("game: {preset: ve280}\n")
    ran = CliRunner().invoke(serve_command, [str(tmp_path)])
    assert isinstance(ran.exception, TourneyError), ran.output
    assert str(ran.exception) == (
        f"{tmp_path}: the folder has other files than a portal; choose a new or empty folder"
    )
    assert [each.name for each in tmp_path.iterdir()] == ["submissions.yaml"]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("--url", each) for each in ("cards.example.edu", "https://", "ftp://x", "https://x:0")),
        *(("--url", each) for each in ("https://x.example:99999", "https://x/y", "http://a@b")),
        *(("--url", each) for each in ("https://x y", "https://[::1", "https://exämple.edu")),
        *(("--proxy", each) for each in ("notanaddress", "127.0.0.1:80", "10.0.0.1/8", "")),
    ],
)
def test_an_address_that_nobody_could_reach_is_said_in_one_line(
    tmp_path: Path, option: str, value: str
) -> None:
    """And nothing is started."""
    ran = CliRunner().invoke(serve_command, [str(tmp_path / "portal"), option, value])
    assert isinstance(ran.exception, TourneyError), ran.output
    assert str(ran.exception).startswith(option)
    assert len(str(ran.exception).splitlines()) == 1
    assert not (tmp_path / "portal").exists()


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("https://cards.example.edu/", "https://cards.example.edu"),
        ("HTTPS://Cards.Example.edu:443//", "https://cards.example.edu"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_the_link_begins_with_the_address_as_browsers_write_it(
    tmp_path: Path, url: str, told: str
) -> None:
    """Without a slash at its end, which would lead nowhere."""
    with closing(open_database(Places(tmp_path))) as database:
        add_account(database, "ada", "Ada")
    ran = CliRunner().invoke(
        serve_command, ["reset", str(tmp_path), "--login", "ada", "--url", url]
    )
    assert ran.output.startswith(f"{told}/reset?code=")


def test_a_socket_that_was_left_is_taken_and_one_that_answers_is_not(tmp_path: Path) -> None:
    """As it is with ports."""
    path = tmp_path / "portal.sock"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        with pytest.raises(TourneyError, match=r"cannot listen at this socket \(Address al"):
            _check_socket(path)
    assert path.is_socket()
    _check_socket(path)
    assert not path.exists()


@pytest.mark.prove
def test_the_first_start_gives_one_link_and_later_ones_none(served: Served) -> None:
    """Once somebody has used it."""
    fields = {
        "code": served.set_up_code(),
        "login": "ada",
        "name": "Ada",
        "password": "four words in a row",
    }
    headers = {"origin": served.url}
    answer = httpx.post(f"{served.url}/set-up", data=fields, headers=headers)
    assert answer.status_code == 303
    assert "httponly" in answer.headers["set-cookie"].lower()
    served.end()
    served.said.write_text("")
    served.start()
    assert "create the first account" not in served.said.read_text()


def test_a_body_that_is_too_large_is_refused(standing: Served) -> None:
    """Whether it says its length or not."""
    headers = {"origin": standing.url, "content-type": "application/x-www-form-urlencoded"}

    def chunks() -> Iterator[bytes]:
        for _ in range(30):
            yield b"x" * 100_000

    for content in (b"x" * 3_000_000, chunks()):
        answer = httpx.post(f"{standing.url}/sign-in", content=content, headers=headers)
        assert answer.status_code == 413
    assert standing.answers()
