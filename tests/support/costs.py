"""What each test costs, and the page that tells it.

    make costs     or     python -m pytest -p tests.support.costs --costs tests/COSTS.md

Processor time is that of the test's process and of the children it waited for, so it hardly depends
on what else the machine does; seconds are what passed, waiting included. What a process that serves
many tests spends, such as the one that hosts are forked from, is counted nowhere.
"""

import resource
import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.proving import ALONE, FILE, LONG, REPEATS, long_ones

DEAREST = 40
"""How many tests the page names."""
PROPERTY, LEFT_OUT = "cost", "left out"
ABOUT = """\
# What the tests cost

Written by `make costs` from a run, which is done again where the figures matter. Processor seconds
are those of the test's process and of the children that it waited for; seconds are what passed, on
a machine that may have done other things at the time.

`make test` shows what can be shown in minutes: a property with a few examples, and a parameter
with the values that differ in kind. `make prove` goes on to the rest, which shows the same again
with more luck, more hands or more kills, and to what computes for two seconds or more: whole
evenings, solvers, clusters, long pages of the docs. `.ci/run` runs `make test` and half of these.
What is marked so where it stands was not measured here. Of what was, `tests/long.txt` names what is
long, which `make test` leaves out, too: further values of a parameter from {repeats} s on, and
tests from {alone} s on. A file keeps its quickest test, unless that takes more than {file} s.
"""


class Cost(NamedTuple):
    """What one or more tests took, their fixtures included."""

    tests: int = 0
    processor: float = 0.0
    seconds: float = 0.0

    def plus(self, other: "Cost") -> "Cost":
        """Add up."""
        return Cost(*(one + another for one, another in zip(self, other, strict=True)))


class Costs:
    """Notes what tests cost where they run, and writes the page where they are reported."""

    def __init__(self, page: Path) -> None:
        self._page = page
        self._costs: dict[str, Cost] = {}
        self._left_out: set[str] = set()
        self._began = time.monotonic()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Measure a test with its fixtures; the last report of it carries the figures."""
        item.stash[_BEFORE] = _now()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Iterator[None]:
        """Give the figures to the report, which reaches the process that writes the page."""
        if call.when == "teardown":
            before, after = item.stash[_BEFORE], _now()
            figures = [round(one - another, 3) for one, another in zip(after, before, strict=True)]
            item.user_properties.append((PROPERTY, figures))
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take in a report, of this process or of another."""
        if report.when == "teardown":
            self._costs[report.nodeid] = Cost(1, *dict(report.user_properties)[PROPERTY])

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Note which tests have more values of a parameter than are tried."""
        self._left_out |= {test.nodeid.partition("[")[0] for test in items}

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take in what another process has noted; one that died has said nothing."""
        self._left_out |= set(getattr(node, "workeroutput", {}).get(LEFT_OUT, ()))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the page, where the reports come together."""
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput[LEFT_OUT] = sorted(self._left_out)
            return
        command = " ".join(["python -m pytest", *session.config.invocation_params.args])
        text = page(self._costs, self._left_out, command, time.monotonic() - self._began)
        self._page.write_text(text, encoding="utf-8")
        seconds = {name: cost.seconds for name, cost in self._costs.items()}
        LONG.write_text("".join(f"{name}\n" for name in long_ones(seconds)), encoding="utf-8")


_BEFORE = pytest.StashKey[tuple[float, float]]()


def _now() -> tuple[float, float]:
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in spent), time.monotonic()


def page(costs: Mapping[str, Cost], left_out: Collection[str], command: str, seconds: float) -> str:
    """Write the page.

    Args:
        costs: Of every test, by its name.
        left_out: Names of the tests of which some instances were not run.
        command: What has been run.
        seconds: How long all of it took.
    """
    folders: dict[str, Cost] = defaultdict(Cost)
    for name, cost in costs.items():
        folders[_folder(name)] = folders[_folder(name)].plus(cost)
    in_order = sorted(folders.items(), key=lambda each: -each[1].processor)
    whole = Cost()
    for cost in folders.values():
        whole = whole.plus(cost)
    long = long_ones({name: cost.seconds for name, cost in costs.items()})
    spared = Cost()
    for name in long:
        spared = spared.plus(costs[name])
    dearest = sorted(costs.items(), key=lambda each: -each[1].processor)[:DEAREST]
    return "\n".join(
        [
            ABOUT.format(repeats=REPEATS, alone=ALONE, file=FILE),
            f"`{command}` took {seconds:.0f} s here:",
            "",
            "| folder | tests | processor seconds | seconds |",
            "|---|---|---|---|",
            *(_row(name, cost.tests, cost) for name, cost in in_order),
            _row("all", whole.tests, whole),
            _row("of these long, and left to `make prove`", spared.tests, spared),
            "",
            "| test | processor seconds | seconds |",
            "|---|---|---|",
            *(_row(name.removeprefix("tests/"), "", cost) for name, cost in dearest),
            "",
            "## What is tried by `make prove` alone",
            "",
            "Properties, with as many examples as stand beside them; and, or further values of the "
            "parameters of:",
            "",
            *(f"- {name.removeprefix('tests/')}" for name in sorted(left_out)),
            "",
        ]
    )


def _folder(name: str) -> str:
    top, *folders, _ = name.partition("::")[0].split("/")
    if top != "tests":
        return f"{top} (examples in docs)"
    return "/".join([top, *folders[:2]])


def _row(name: str, tests: object, cost: Cost) -> str:
    cells = [name.replace("|", "\\|"), *([tests] if tests else [])]
    return f"| {' | '.join(map(str, cells))} | {cost.processor:.1f} | {cost.seconds:.1f} |"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the page be named."""
    parser.addoption("--costs", metavar="PAGE", help="write what the tests cost to this page")


def pytest_configure(config: pytest.Config) -> None:
    """Begin to measure."""
    if place := config.getoption("--costs"):
        config.pluginmanager.register(Costs(Path(place)), "costs")
