"""Choosing the C++ files of a competitor that are built, and the contract that they implement."""

import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import PurePosixPath

from tourney.config.words import joined
from tourney.errors import BuildError
from tourney.game.native import NativeContract, first_missing, written_to

MOST_NAME = 200
"""Characters of a file's name."""
SUFFIXES = (".cpp", ".cc", ".cxx")
DRIVES = re.compile(r"^[ \t]*(?:int|auto|signed)\s+main\s*\(", re.MULTILINE)
GIVER = re.compile(r"^[ \t]*\w+\s*\*\s*(\w+)\s*\(\s*(?:void)?\s*\)\s*\{", re.MULTILINE)
"""A function without parameters that returns a pointer; its name may be misspelled."""
REMARKS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def usual() -> tuple[NativeContract, ...]:
    """Return the contracts that apply without a game: those of blackjack, imported by name."""
    found: tuple[NativeContract, ...] = import_module("tourney.games.blackjack.native").CONTRACTS
    return found


def contract_of(
    files: Sequence[tuple[str, str]], contracts: Sequence[NativeContract]
) -> NativeContract:
    """Return the contract that a competitor's files implement, without compiling them.

    Args:
        files: (name, text).
        contracts: Contracts of one game or of several; the default one last.
    Raises: BuildError, if they include headers of several contracts, or of none.
    """
    if not contracts:
        what = "expected a game whose players can be written in C++, got one that has no header"
        raise BuildError(what, files[0][0] if files else "", "write the player in Python")
    found = written_to(files, contracts)
    missing = first_missing(files)
    if len(found) == 1 or not missing:  # without headers the default; the build shows any fault
        return (found or contracts)[-1]
    place, got = missing
    if found:
        both = joined([f'#include "{each.header}"' for each in found], "and")
        raise BuildError(
            f"expected a header of one contract, got {both}", place, "leave others out"
        )
    headers = joined([f'#include "{each.header}"' for each in contracts])
    games = joined([*dict.fromkeys(each.game for each in contracts)])
    what = f"expected {headers}, as players of {games} begin, got {got}"
    raise BuildError(what, place, "enter it where its game is played, or begin it so")


def sorted_out(
    files: Sequence[tuple[str, str]], contract: NativeContract | None = None
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Separate a competitor's files from files that do not belong to it.

    Args:
        files: (name, text).
        contract: The contract; by default it is determined as in `build`.
    Returns: The files, and the names of those that are set aside.
    Raises: BuildError, if no competitor is left.
    """
    contract = contract or contract_of(files, usual())
    gives = re.compile(rf"\b(?:{'|'.join(contract.functions)})\s*\(\s*(?:void)?\s*\)\s*\{{")
    aside = {
        name
        for name, text in files
        if len(files) > 1 and (_is_ours(name, contract) or _is_driver(name, text, gives))
    }
    kept = tuple((name, text) for name, text in files if name not in aside)
    compiled = [(name, text) for name, text in kept if name.lower().endswith(SUFFIXES)]
    if not any(gives.search(_code(text)) for _, text in compiled):
        name = compiled[0][0] if compiled else "player.cpp"
        what = "expected a function that gives your player, got none"
        for nearly, text in compiled:
            if found := GIVER.search(_code(text)):
                line = _code(text).count("\n", 0, found.start()) + 1
                meant = contract.functions[0]
                raise BuildError(f"{what} but {found[1]}", f"{nearly}:{line}", f"call it {meant}")
        raise BuildError(what, f"{name}:1", contract.remedy)
    for name, text in compiled:
        if found := DRIVES.search(_code(text)):
            line = _code(text).count("\n", 0, found.start()) + 1
            what = "expected a player without a program around it, got a main"
            raise BuildError(what, f"{name}:{line}", "move main to another file")
    return kept, tuple(sorted(aside))


def check_names(names: Sequence[str]) -> None:
    """Reject names that lead out of the folder, or that are also the folder of another file."""
    folders = {str(each) for name in names for each in PurePosixPath(name).parents}
    for name in names:
        path = PurePosixPath(name)
        is_plain = str(path) == name and not path.is_absolute() and ".." not in path.parts
        if not (is_plain and name.isprintable() and len(name) <= MOST_NAME) or name in folders:
            what = f"expected the name of a file in its folder, got {name[:MOST_NAME]!r}"
            raise BuildError(what, "", "give it a plain name, such as player.cpp")


def _is_ours(name: str, contract: NativeContract) -> bool:
    return PurePosixPath(name).name in contract.ours or ".case." in name


def _is_driver(name: str, text: str, gives: re.Pattern[str]) -> bool:
    is_source = name.lower().endswith(SUFFIXES)
    return is_source and bool(DRIVES.search(_code(text))) and not gives.search(text)


def _code(text: str) -> str:
    """Blank out comments and strings; line numbers stay the same."""
    return REMARKS.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
