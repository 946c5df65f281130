"""Tries tests on implementations in a separate process: texts in, answers out.

`try_tests` needs no file and no network, so it can run in a sandbox; see `pool`. The output of
tests is dropped. As a program, for trusted files, it reads one request as JSON and writes one
answer per line. `watch` limits the time.
"""

import json
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.util import find_spec
from itertools import groupby
from traceback import walk_tb
from types import ModuleType
from typing import Any, NamedTuple

from tourney.game import Game
from tourney.game.mutants import Mutants
from tourney.sandbox.host import find_pool
from tourney.sandbox.lockdown import die_with_parent

NOTHING_EXCHANGED = "correct"
"""The name of the trial with only correct implementations."""

LONGEST_ERROR = 1_000  # characters

Trial = tuple[str, str]
"""The name of an implementation and of a test."""


class FileOfTests(NamedTuple):
    """A file of tests."""

    game: Game[Any, Any, Any]  # with the mutants
    source: str
    name: str  # in messages and tracebacks


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of one test with one implementation, or of loading the file."""

    implementation: str
    test: str  # empty for the loading of the file
    error: str = ""  # empty if it passed
    line: int = 0  # of the file, from 1; 0 if unknown


def try_tests(
    mutants: Mutants, source: str, filename: str, trials: Sequence[Trial]
) -> Iterator[Answer]:
    """Load a file of tests once for every implementation, and run its tests.

    Args:
        mutants: The implementations by name.
        source: The text of the file.
        filename: Its name in tracebacks.
        trials: The trials, sorted by implementation.
    Returns: For every implementation an answer for the loading of the file and, after that, one for
        each test, in the order of the trials.
    """
    code = compile(source, filename, "exec", optimize=0)  # keeps asserts under PYTHONOPTIMIZE
    for name, group in groupby(trials, key=lambda trial: trial[0]):
        exchange(mutants, name)
        module = ModuleType("tests")
        module.__file__ = filename
        sys.modules[module.__name__] = module
        loaded = _tried(name, "", partial(exec, code, module.__dict__), filename)
        yield loaded
        if not loaded.error:
            for _, test in group:
                yield _tried(name, test, getattr(module, test, _missing), filename)


def _missing() -> None:
    raise NameError("the file deletes this name while it loads")


def _tried(implementation: str, test: str, call: Callable[[], object], filename: str) -> Answer:
    """Call a function of the file; note its exception, or a returned value, which tests do not
    have.
    """
    random.seed(0)  # makes random tests repeatable
    try:
        returned = call()
    except BaseException as error:  # noqa: BLE001 - even an exit is how a test may fail
        return Answer(implementation, test, _words(error), _line(error, filename))
    if returned is None:
        return Answer(implementation, test)
    return Answer(implementation, test, f"a return of {type(returned).__name__}, not an assert")


def _words(error: BaseException) -> str:
    try:
        text = str(error)[:LONGEST_ERROR]
    except Exception:  # noqa: BLE001 - str() of an exception is the author's code
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _line(error: BaseException, filename: str) -> int:
    """Return the last line of the file in the traceback of an error."""
    passed = walk_tb(error.__traceback__)
    lines = [line for frame, line in passed if frame.f_code.co_filename == filename]
    return lines[-1] if lines else 0


def exchange(mutants: Mutants, name: str) -> None:
    """Let files import an implementation in place of the correct one, by its name."""
    others = {each.of: each.kind for each in mutants.all if each.name == name}
    for of, correct in mutants.correct.items():
        kind, home = others.get(of, correct), mutants.homes[of]
        # Under the name that files of tests import.
        known = {"__module__": home, "__doc__": correct.__doc__}
        slots = {"__slots__": ()} if "__slots__" in vars(correct) else {}
        setattr(_home(home), of, type(kind)(of, (kind,), known | slots))


def _home(name: str) -> ModuleType:
    """Return the module that files import from: ours, or one in place of a strategy's."""
    if name not in sys.modules:
        package, _, stem = name.partition(".")
        if package not in sys.modules:
            sys.modules[package] = _empty_package(package)
        sys.modules[name] = ModuleType(name)
        setattr(sys.modules[package], stem, sys.modules[name])
    return sys.modules[name]


def _empty_package(name: str) -> ModuleType:
    """Make a package that still contains the other modules of that name."""
    found = find_spec(name)
    package = ModuleType(name)
    package.__path__ = list(found.submodule_search_locations or ()) if found else []
    return package


def main() -> None:
    """Answer the request on standard input, one line for each answer."""
    request: dict[str, Any] = json.load(sys.stdin)
    parent = request.pop("parent")
    if sys.platform == "linux":  # other kernels cannot do this
        die_with_parent(parent)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
    make_game: Any = find_pool(request.pop("game"))  # finds a class like a maker of pools
    for answer in try_tests(make_game().mutants(), **request):
        answers.write(json.dumps(asdict(answer)) + "\n")
        answers.flush()
    os._exit(0)  # a thread of a test would keep the process alive


if __name__ == "__main__":
    main()
