"""Running a command and watching what memory its processes take. For Linux, by /proc."""

import signal
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from time import monotonic, sleep

SECONDS_BETWEEN_LOOKS = 1.0
MIB = 1024  # KiB


@dataclass(slots=True)
class Watched:
    """What was seen of a command."""

    status: int = 0
    seconds: float = 0.0
    mebibytes: dict[int, list[tuple[float, float]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """By process: seconds since the start, and its resident memory then."""

    def growth(self, settled: float) -> dict[int, tuple[float, float]]:
        """Give the memory of every process when all had settled, and at the end, in MiB.

        Args:
            settled: Seconds after the last process has started; by then they are expected to
                have what they need. What they are forked from may have compiled until then.
        """
        begin = settled + max(samples[0][0] for samples in self.mebibytes.values())
        found = {}
        for process, samples in self.mebibytes.items():
            after = [memory for second, memory in samples if second >= begin]
            if len(after) > 1:
                found[process] = after[0], after[-1]
        return found


def watch(command: Sequence[str], most_seconds: float = inf) -> Watched:
    """Run a command and sample the memory of it and all its descendants.

    Args:
        command: What to run.
        most_seconds: When to interrupt it, as Control-C does.
    """
    seen = Watched()
    started = monotonic()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:  # noqa: S603 - our own
        while process.poll() is None:
            for number in family(process.pid):
                if memory := resident(number):
                    seen.mebibytes[number].append((monotonic() - started, memory))
            sleep(SECONDS_BETWEEN_LOOKS)
            if monotonic() - started > most_seconds:
                process.send_signal(signal.SIGINT)
                break
    seen.status, seen.seconds = process.returncode, monotonic() - started
    return seen


def family(process: int) -> list[int]:
    """Give a process and all that descend from it."""
    children: dict[int, list[int]] = defaultdict(list)
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name, in brackets, may hold anything.
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        children[int(fields[1])].append(int(path.parent.name))
    found = [process]
    for each in found:
        found += children[each]
    return found


def resident(process: int) -> float:
    """Give the memory of a process in MiB; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    sizes = (int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))
    return next(sizes, 0) / MIB
