"""What holds for all tests: how much is tried, what is compiled before, and what they inherit."""

import gc
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from tests.support import proving

MEMORY, ROOM = Path("/dev/shm"), 6 << 30  # noqa: S108 - pytest makes a folder of its own there
"""Where files are that never reach a disk, and the bytes that must be free there."""
GARBAGE = 50_000
"""Objects more than there were before Python looks for garbage: there is little of it in tests."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer everything."""
    parser.addoption(
        "--prove", action="store_true", help="run everything; see tests/support/proving.py"
    )
    parser.addoption(
        "--part", type=proving.part_of, metavar="K/N", help="run the K-th of N parts of the tests"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make ready, before tests are read."""
    proving.settle(config)
    gc.set_threshold(GARBAGE)
    # Stores wait until the disk has what they write, which is a third of the time of some tests.
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    # Libraries of NumPy and SciPy start a thread for each processor in each program, and these
    # spin; commands ask for one themselves.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Where bytecode is kept nowhere, as in many containers, each of the thousand programs that
    # tests start would compile all that it imports.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    # A shell that starts the tests beside itself has them ignore Ctrl-C, and so would the
    # programs that tests interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Compile once, before several processes would each."""
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        from tests.support import compiling

        compiling.compile_all()


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is for `--prove` alone, and other parts."""
    proving.mark_long(items, config)
    part = config.getoption("--part") or (0, 1)
    left_out = [
        test for test in items if proving.is_left_out(test) or not proving.is_in(part, test.nodeid)
    ]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        missing = set(left_out)
        items[:] = [test for test in items if test not in missing]


def pytest_collection_finish() -> None:
    """Look for no garbage among the tests themselves, which stay to the end."""
    gc.collect()
    gc.freeze()
