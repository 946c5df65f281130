"""Compiles sources that attack, as some user and with some layers; run as a program of its own."""

import json
import os
import re
import sys

import pytest

from tests.sandbox.cpp import sources
from tests.sandbox.cpp.written import one
from tests.support.cpp_build import build
from tourney.sandbox.native import compilation, tools
from tourney.sandbox.native.compilation import BuildError


def main() -> None:
    """Compile what the command line names, and tell of each in a line of JSON."""
    order = json.loads(sys.argv[1])
    if order["user"]:
        os.setgroups([])
        os.setresgid(order["user"], order["user"], order["user"])
        os.setresuid(order["user"], order["user"], order["user"])
    tools.HELD = tuple(order["layers"])
    compilation.cache_folder = lambda: None
    for source in (*sources.READ, *sources.SHAPES, *sources.MAKE, *sources.BOMBS):
        if source.name in order["names"]:
            sys.stdout.write(f"{json.dumps([source.name, *told_of(source)])}\n")
            sys.stdout.flush()


def told_of(source: sources.Source) -> tuple[str, str]:
    """Build a player with a source at its head; give the refusal, and all that was said.

    The player does without the library's large headers, which take half of the time. A source that
    does not build has less time; one that builds may need more on a slow machine.
    """
    text = re.sub("#include <(iostream|stdexcept|string|vector)>", "", one(top=source.top))
    with pytest.MonkeyPatch.context() as patch:
        if source.told != sources.BUILDS:
            patch.setattr(tools, "CPU_SECONDS", 3)
        try:
            built = build((("player.cpp", text),))
        except BuildError as error:
            return str(error), error.told
    return "", built.warnings


if __name__ == "__main__":
    main()
