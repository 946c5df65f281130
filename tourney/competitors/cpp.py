"""Competitors in C++ from courses: a `player.cpp`, alone or in its project's folder.

The platform's Card, Deck and Hand replace the author's versions, and files with a `main` are set
aside. `tourney.sandbox.native` compiles the files and runs the program in a sandbox.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from tourney import lazy
from tourney.competitors.fingerprints import shape_of_cpp
from tourney.competitors.packages import PROJECT
from tourney.config.words import joined
from tourney.errors import BuildError, PluginError
from tourney.game.players import AnyPlayer
from tourney.plugins.language import BuildReport, Language, Texts
from tourney.plugins.loading import installed_plugins

if TYPE_CHECKING:
    from tourney.game.accelerators import NativeContract
    from tourney.sandbox import wire
    from tourney.sandbox.native import compilation, source_selection
    from tourney.sandbox.wire import Submitted
else:
    wire = lazy.Module("tourney.sandbox.wire")
    compilation = lazy.Module("tourney.sandbox.native.compilation")
    source_selection = lazy.Module("tourney.sandbox.native.source_selection")

SUFFIXES = (".cpp", ".cc", ".cxx", ".C")
"""Suffixes in messages; `source_selection` knows all."""
WARNING = re.compile(r"^(?P<place>[^\s:]+:\d+)(?::\d+)?: warning: (?P<what>.*)$", re.MULTILINE)

USELESS = (
    (
        re.compile(r"^[^#\n]*\b(?:cin|scanf|getchar|gets|fgets)\b", re.MULTILINE),
        "this reads from the keyboard, which no player has: it gets nothing",
        "decide by the cards and the chips alone",
    ),
    (
        re.compile(r"^[^#\n]*\b(?:[io]?fstream|fopen|freopen)\b", re.MULTILINE),
        "this opens a file, and players can neither read nor write files",
        "write what it needs into the source, such as a constant array",
    ),
)
"""Uses of the library that compile and do nothing here: their pattern, problem and fix."""
REMEDIES = {
    "-Wreturn-type": "return something on every way through: without that anything may happen",
    "uninitialized": "give it a value where it is declared",
    "unused": "use it, or delete it",
    "-Wsign-compare": "give both numbers the same type",
    "-Wparentheses": "write == to compare, or add parentheses",
}
"""Fix for a warning, by its flag or a word of it."""


class Cpp(Language):
    """Files of C++ with one function that gives a player."""

    title = "a program in C++"
    handed_in = "a file of C++ (.cpp)"
    entered_as = "path of a player.cpp, or of a folder with one, seen from this file"
    takes_options = False
    takes_folders = True
    is_built = True
    fallback_encoding = "cp1252"  # compilers accept any bytes in remarks
    main = "player.cpp"
    remedies = {  # noqa: RUF012 - it is never changed
        "bet": "wager whole chips, at least `minimum` and at most `bankroll` and the table's limit",
        "died": "mend that line; throw an exception where something is wrong",
        "protocol": "use cout to print, and leave all other files and pipes alone",
        **dict.fromkeys(
            ("constructor", "import"),
            "check that every loop ends; compute less in constructors and for global variables, "
            "which are made again for every table, or write the results into the file",
        ),
        "unrepeatable": "roll no dice but those of rand(), and look at no clock",
    }

    def recognises(self, names: Collection[str]) -> bool:
        """Return whether there is a single source, or one folder with a player.cpp."""
        sources = list(filter(self.stands_alone, names))
        is_python = PROJECT in names or any(name.endswith(".py") for name in names)
        has_player = len(sources) == 1 or source_selection.has_one_folder(sources)
        return not is_python and has_player

    def stands_alone(self, name: str) -> bool:
        """Return whether a file is a source."""
        return source_selection.is_source(name)

    def wants(self, name: str) -> bool:
        """Skip other files of a project's folder, such as compiled ones."""
        return self.stands_alone(name) or name.lower().endswith(source_selection.HEADERS)

    def name_of(self, files: Texts) -> str:
        """Return player.cpp, or else the only source."""
        return source_selection.file_of_player([name for name, _ in files])

    def read(self, files: Texts) -> Texts:
        """Reject files without a player; the build reports the faults of a player."""
        source_selection.check_attempt(files, _contracts())
        return files

    def fault_of(self, files: Texts) -> str:
        """Report that no file is a source."""
        is_whole = any(self.stands_alone(name) for name, _ in files)
        return "" if is_whole else f"expected a file with {joined(SUFFIXES)}, got none"

    def build(self, files: Texts) -> BuildReport:
        """Compile the files, or find their program in the cache."""
        built = compilation.build(files, _contracts())
        words = f"{built.compiler}, program {built.digest[:12]}"
        contract = source_selection.contract_of(files, _contracts())
        ours = [each for each in built.set_aside if source_selection.is_ours(each, contract)]
        if ours:
            words += (
                f"; set aside: {joined(ours, 'and')}, as the platform plays with files of its own"
            )
        if others := [each for each in built.set_aside if each not in ours]:
            words += f"; ignored: {joined(others, 'and')}, as the player works without"
        warnings = (
            (each["place"], each["what"], _remedy(each["what"]))
            for each in WARNING.finditer(built.warnings)
        )
        return BuildReport(words, tuple(warnings), tuple(_remarks(files, built.set_aside)))

    def distribution(self, name: str, files: Texts) -> str:
        """Return the compiler, its flags and the program's digest."""
        return compilation.build(files, _contracts()).words

    def misfit(self, name: str, files: Texts, rules: Any) -> str:
        """Report a header of another game; the build reports a header that is not known."""
        try:
            contract = source_selection.contract_of(files, _contracts())
        except BuildError:
            return ""
        if contract.game == rules.game.name:
            return ""
        return (
            f"expected a player of {rules.game}, got one that includes {contract.header}, which is "
            f"of {contract.game}"
        )

    def load(self, name: str, files: Texts) -> type[AnyPlayer]:
        """Reject the competitor, because its code would run in this process."""
        raise PluginError(
            f"{name}: {self.title} never runs with your rights, only in a sandbox; leave out "
            "--no-sandbox"
        )

    def sandboxed(self, name: str, files: Texts, options: str = "", place: str = "") -> Submitted:
        """Return the program, and the lengths of the files, whose lines verdicts may name."""
        program = compilation.build(files, _contracts()).program
        lines = tuple((each, text.count("\n") + 1) for each, text in files)
        return wire.Submitted(name, b"", program=program, files=lines)

    def place_of_call(self, call: str, files: Texts) -> str:
        """Find a method by its name and its parameters."""
        for name, text in files:
            if self.stands_alone(name) and (
                found := re.search(rf"\b{re.escape(call)}\s*\([^;{{}}]*\)[\w\s]*\{{", text)
            ):
                return f"{name}:{text.count(chr(10), 0, found.start()) + 1}"
        return ""

    def shape(self, files: Texts) -> str:
        """Return the files without comments, and with other names."""
        return "".join(shape_of_cpp(text) for name, text in files if self.wants(name))


def _remarks(files: Texts, aside: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the first use of a keyboard or a file in each file that plays."""
    for name, text in files:
        code = source_selection.code_of(text) if name not in aside else ""
        for pattern, problem, fix in USELESS:
            if found := pattern.search(code):
                yield f"{name}:{code.count(chr(10), 0, found.end()) + 1}", problem, fix


def _remedy(warning: str) -> str:
    known = (remedy for flag, remedy in REMEDIES.items() if flag in warning)
    return next(known, "")


def _contracts() -> tuple[NativeContract, ...]:
    """Return all contracts for players in C++; the last one, of the courses, is the default."""
    games = dict.fromkeys(each.rules.game for each in installed_plugins().games.values())
    return tuple(each for game in reversed(games) for each in game.native_contracts())
