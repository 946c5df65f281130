"""Running the compiler and related tools in a sandbox that is restricted to one folder.

Source code can make a compiler read files and use much time and memory. So it can only read its own
files and that folder, has no network, and has time limits.
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
"""Folders that a compiler may read and execute from."""
SEEN_TOO = {
    "/dev/null": landlock.READ_FILE | landlock.WRITE_FILE,
    "/etc/ld.so.cache": landlock.READ_FILE,
}
CPU_SECONDS, MEMORY_BYTES, FILE_BYTES = 10, 1 << 30, 32 << 20
"""Limits of each process of a compiler; the last is for files that it writes."""
BUILD_CPU_SECONDS, BUILD_SECONDS = 60.0, 300.0
"""Limits of all tools of a build together: CPU time and wall time."""
MOST_PROCESSES = 4_096
"""Limit for the user that runs a compiler, including its other processes."""
HELD = LAYERS
"""The layers of the sandbox, in addition to a separate user; tests leave some out."""
PATIENCE_SECONDS = 120.0
"""Wall time, as a limit for tools that sleep; long enough for a busy machine."""
TOLD_BYTES = 64 << 10
"""Bytes of a tool's output that are read."""
MISSING = "install it on the machine that plays, such as by: apt-get install g++"


class Done(NamedTuple):
    """The result of a tool."""

    status: int  # 0 for success, negative for a signal
    told: str  # its output, up to a limit


class BuildBudget:
    """The remaining time of a build with any number of files and tools."""

    def __init__(
        self,
        cpu_seconds: float | None = None,
        seconds: float | None = None,
        *,
        title: str = "a build that takes",
        within: "BuildBudget | None" = None,
    ) -> None:
        """Start the time of a build.

        Args:
            cpu_seconds: CPU time; by default the limit of every build.
            seconds: Wall time; by default the limit of every build.
            title: The subject of messages about the limit.
            within: The budget of several builds together, of which this is one.
        """
        self.cpu_seconds = BUILD_CPU_SECONDS if cpu_seconds is None else cpu_seconds
        self.seconds = BUILD_SECONDS if seconds is None else seconds
        self._title, self._within, self._used = title, within, 0.0
        self._due = time.monotonic() + self.seconds

    @property
    def left(self) -> float:
        """Seconds of CPU time."""
        own = self.cpu_seconds - self._used
        return min(own, self._within.left) if self._within else own

    @property
    def patience(self) -> float:
        """Seconds of wall time."""
        own = self._due - time.monotonic()
        return min(own, self._within.patience) if self._within else own

    @property
    def overrun(self) -> str:
        """A message if the time is used up; otherwise empty."""
        if self._within and (what := self._within.overrun):
            return what
        if self.left <= 0:
            return f"expected {self._title} at most {self.cpu_seconds:g} s of computing, got more"
        if self.patience <= 0:
            return f"expected {self._title} at most {self.seconds:g} s, got more"
        return ""

    def use(self, cpu_seconds: float) -> None:
        """Subtract the CPU time of a tool."""
        self._used += cpu_seconds
        if self._within:
            self._within.use(cpu_seconds)


@contextmanager
def workshop() -> Iterator[Path]:
    """Yield a temporary folder for a tool."""
    folder = Path(mkdtemp(prefix="tourney-build-"))
    try:
        yield folder
    finally:
        rmtree(folder, ignore_errors=True)


@cache
def place_of(tool: str) -> str:
    """Return the path of a tool.

    Raises: ConfinementError, if it is missing or could not run in a sandbox.
    """
    found = which(tool, path=os.pathsep.join(("/usr/bin", "/bin")))
    if found is None:
        raise ConfinementError(f"{tool} is not in /usr/bin; {MISSING}")
    machine = this_machine()
    if machine is None or not landlock.version(machine):
        raise ConfinementError(
            "compiling untrusted files needs Linux 5.13 or later with Landlock, to hide other "
            "files from them; write the competitor in Python, or use such a machine"
        )
    return found


def run_tool(
    folder: Path,
    place: str,
    words: Sequence[str],
    budget: BuildBudget | None = None,
) -> Done:
    """Run a tool in a sandbox.

    Args:
        folder: The only folder that it may write to; it may also read the compiler's folders.
        place: Its working folder within `folder`.
        words: Its name and its arguments.
        budget: Of the build; some time must be left.
    Raises: ConfinementError, if it is missing or the sandbox cannot be set up.
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
        text = os.pread(told.fileno(), TOLD_BYTES, 0).decode("utf-8", "replace")
    if status == NOT_SHUT_IN:
        raise ConfinementError(f"{words[0]}: its sandbox could not be set up:\n{text}")
    return Done(status, text)


NOT_SHUT_IN = 99
"""The exit status of a process that could not become its tool."""


def main() -> NoReturn:
    """Lock this process down, and run the tool of the command line."""
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
    assert machine, "the caller has checked this"
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
        (resource.RLIMIT_CPU, seconds, seconds + 1),  # the second limit kills without a message
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
            "root may not give files to the user nobody here (CAP_CHOWN), which compilers need; "
            "run as an ordinary user"
        ) from error


def _ended(process: subprocess.Popen[bytes], patience: float) -> tuple[int, float]:
    """Wait for a tool, and kill it with all processes that it has started.

    They are in its process group, because the filter forbids leaving it.

    Returns: Its exit status, negative for a signal; and its CPU time in seconds.
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
