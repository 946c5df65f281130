"""The compiler and its like, each in a process that can do nothing but work in one folder.

A compiler reads whatever a stranger's file tells it to, and may take any time and memory for it. So
it sees its own files and that folder only, has no network, and comes to an end. Leaves out what is
built.
"""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from math import ceil
from pathlib import Path
from shutil import rmtree, which
from tempfile import mkdtemp
from typing import NamedTuple, NoReturn

from tourney.errors import ConfinementError
from tourney.sandbox import landlock
from tourney.sandbox.kernel import PR_SET_NO_NEW_PRIVS, control_process
from tourney.sandbox.lockdown import LAYERS, become, install, user_to_become
from tourney.sandbox.syscall_filter import assembled, compiler_instructions
from tourney.sandbox.syscalls import this_machine

if sys.platform != "win32":
    import resource

PROGRAM = "from tourney.sandbox.native.tools import main; main()"
TOOLCHAIN = (
    *(
        "/usr/bin",
        "/usr/lib",
        "/usr/lib64",
        "/usr/libexec",
        "/usr/include",
        "/usr/x86_64-linux-gnu",
    ),
    *("/bin", "/lib", "/lib64"),
)
"""Folders that a compiler may read and run."""
SEEN_TOO = {
    "/dev/null": landlock.READ_FILE | landlock.WRITE_FILE,
    "/etc/ld.so.cache": landlock.READ_FILE,
}
CPU_SECONDS, MEMORY_BYTES, FILE_BYTES = 10, 1 << 30, 32 << 20
"""What each process of a compiler may take; files are those that it writes."""
BUILD_CPU_SECONDS, BUILD_SECONDS = 60.0, 300.0
"""What all tools of one build may take together: of computing, and on the wall."""
MOST_PROCESSES = 4_096
"""Of the user that runs a compiler, all of its other processes included."""
HELD = LAYERS
"""What holds a tool, besides that it is another user; tests leave out one or the other."""
PATIENCE_SECONDS = 120.0
"""On the wall, against a tool that sleeps; a busy machine may take its time."""
TOLD_BYTES = 64 << 10
"""Read of what a tool has to say."""
MISSING = "install it on the machine that plays, such as by: apt-get install g++"


class Done(NamedTuple):
    """How a tool ended."""

    status: int  # 0 if all is well, negative for a signal
    told: str  # what it said, up to a limit


class BuildBudget:
    """What is left of the time of one build, whatever number of files and tools it has."""

    def __init__(
        self,
        cpu_seconds: float | None = None,
        seconds: float | None = None,
        *,
        title: str = "a build that takes",
        within: "BuildBudget | None" = None,
    ) -> None:
        """Begin a build.

        Args:
            cpu_seconds: Of computing; as much as any build may take, if left out.
            seconds: On the wall; likewise.
            title: What messages expect to take no longer.
            within: Of several builds together, of which this is one.
        """
        self.cpu_seconds = BUILD_CPU_SECONDS if cpu_seconds is None else cpu_seconds
        self.seconds = BUILD_SECONDS if seconds is None else seconds
        self._title, self._within, self._used = title, within, 0.0
        self._due = time.monotonic() + self.seconds

    @property
    def left(self) -> float:
        """Seconds of computing."""
        own = self.cpu_seconds - self._used
        return min(own, self._within.left) if self._within else own

    @property
    def patience(self) -> float:
        """Seconds on the wall."""
        own = self._due - time.monotonic()
        return min(own, self._within.patience) if self._within else own

    @property
    def overrun(self) -> str:
        """Say what was expected, if no other tool may start; else nothing."""
        if self._within and (what := self._within.overrun):
            return what
        if self.left <= 0:
            return f"expected {self._title} at most {self.cpu_seconds:g} s of computing, got more"
        if self.patience <= 0:
            return f"expected {self._title} at most {self.seconds:g} s, got more"
        return ""

    def use(self, cpu_seconds: float) -> None:
        """Take what a tool has computed."""
        self._used += cpu_seconds
        if self._within:
            self._within.use(cpu_seconds)


@contextmanager
def workshop() -> Iterator[Path]:
    """Give a folder for a tool to work in, which is gone afterwards."""
    folder = Path(mkdtemp(prefix="tourney-build-"))
    try:
        yield folder
    finally:
        rmtree(folder, ignore_errors=True)


@cache
def place_of(tool: str) -> str:
    """Give the path of a tool.

    Raises: ConfinementError, if it is not here, or where it could not be confined.
    """
    found = which(tool, path=os.pathsep.join(("/usr/bin", "/bin")))
    if found is None:
        raise ConfinementError(f"expected {tool} in /usr/bin, got none; {MISSING}")
    machine = this_machine()
    if machine is None or not landlock.version(machine):
        raise ConfinementError(
            "expected Linux 5.13 or later with Landlock, to compile strangers' files without "
            "showing them others, got none; write the competitor in Python, or use such a machine"
        )
    return found


def run_tool(
    folder: Path,
    place: str,
    words: Sequence[str],
    most: int = TOLD_BYTES,
    budget: BuildBudget | None = None,
) -> Done:
    """Run a tool, shut in.

    Args:
        folder: Where it may write, and the only files of ours that it sees.
        place: In the folder, where it begins.
        words: Its name, and what it is told.
        most: Bytes read of what it says.
        budget: Of the build that it belongs to; it must not be used up.
    Raises: ConfinementError, if it is missing or cannot be shut in.
    """
    command = [place_of(words[0]), *words[1:]]
    user = user_to_become()
    if user:
        _give(folder, user)
    cpu_seconds, patience = CPU_SECONDS, PATIENCE_SECONDS
    if budget:
        cpu_seconds = min(cpu_seconds, ceil(budget.left))
        patience = min(patience, budget.patience)
    order = json.dumps([str(folder), str(folder / place), user, cpu_seconds, HELD, command])
    with (folder / "told").open("w+b") as told:
        process = subprocess.Popen(  # noqa: S603 - this very Python
            [sys.executable, "-s", "-P", "-S", "-B", "-c", PROGRAM, order],
            env={"PYTHONPATH": str(Path(__file__).parents[3]), "LC_ALL": "C.UTF-8"},
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        status, used = _ended(process, patience)
        if budget:
            budget.use(used)
        text = os.pread(told.fileno(), most, 0).decode("utf-8", "replace")
    if status == NOT_SHUT_IN:
        raise ConfinementError(f"{words[0]}: expected it to be shut in, got:\n{text}")
    return Done(status, text)


NOT_SHUT_IN = 99
"""The exit status of a process that could not become its tool."""


def main() -> NoReturn:
    """Shut this process in, and become the tool that the command line names."""
    folder, place, user, seconds, layers, command = json.loads(sys.argv[1])
    try:
        _shut_in(folder, user, seconds, layers)
        os.chdir(place)
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TMPDIR": folder}
        environment["SOURCE_DATE_EPOCH"] = "0"
        os.execve(command[0], command, environment)  # noqa: S606 - a tool of this machine
    except OSError as error:
        sys.stderr.write(f"{error}\n")
    os._exit(NOT_SHUT_IN)


def _shut_in(folder: str, user: int, seconds: int, layers: Sequence[str]) -> None:
    machine = this_machine()
    assert machine, "whoever started this has looked"
    if user:
        become(user)
    control_process(PR_SET_NO_NEW_PRIVS, 1)
    rights = dict.fromkeys(filter(os.path.isdir, TOOLCHAIN), landlock.TO_RUN)
    rights |= {path: each for path, each in SEEN_TOO.items() if os.path.exists(path)}  # noqa: PTH110 - pathlib is slow to import
    if "landlock" in layers:
        landlock.allow_only(machine, {**rights, folder: landlock.TO_USE})
    if "limits" in layers:
        _limit(seconds)
    if "filter" in layers:
        install(assembled(compiler_instructions(machine)))


def _limit(seconds: int) -> None:
    for kind, most, last in (
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_CPU, seconds, seconds + 1),  # at the last one nobody says why it ends
        (resource.RLIMIT_AS, MEMORY_BYTES, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, FILE_BYTES, FILE_BYTES),
        (resource.RLIMIT_NPROC, MOST_PROCESSES, MOST_PROCESSES),
    ):
        _, now = resource.getrlimit(kind)
        if now == resource.RLIM_INFINITY or last <= now:
            resource.setrlimit(kind, (most, last))


def _give(folder: Path, user: int) -> None:
    try:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, user, user, follow_symlinks=False)
    except PermissionError as error:
        raise ConfinementError(
            "expected root that may give files to nobody (CAP_CHOWN), as compilers run as nobody, "
            "got one that may not; run as an ordinary user"
        ) from error


def _ended(process: subprocess.Popen[bytes], patience: float) -> tuple[int, float]:
    """Wait for a tool, and end it and all that it has started.

    Its processes cannot leave its group: the filter refuses that.

    Returns: Its exit status, negative for a signal; and the seconds that it has computed.
    """
    handle = os.pidfd_open(process.pid)
    polled = select.poll()
    polled.register(handle, select.POLLIN)
    is_late = True
    try:
        is_late = not polled.poll(1000 * max(patience, 0))
    finally:
        os.close(handle)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return -signal.SIGXCPU if is_late else process.returncode, used.ru_utime + used.ru_stime
