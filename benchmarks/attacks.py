"""Which attacks each layer of confinement stops, by itself and as the only one.

    python benchmarks/attacks.py [--attacks NAME,NAME] [--all]     or     make attacks

Plays every attack of the corpus with everything on, with each layer off in turn, with each by
itself and with none, as root and as an ordinary user. Without some layers attacks get away: so all
of it happens inside bubblewrap, with no network, processes of its own, a file system that can only
be read, an empty /tmp, and without the rights of root but to become somebody else. Attacks in C++
are played with everything on and with each layer off. Takes minutes.
"""

import argparse
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tabulate import tabulate

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # for the tests, which hold the corpus

from tests.sandbox.attacks.asking import CORPUS, expected  # noqa: E402 - found by the line above
from tests.sandbox.cpp.attacks import ATTACKS as NATIVE_ATTACKS  # noqa: E402 - as above
from tests.sandbox.cpp.trying import programs  # noqa: E402 - as above
from tourney.sandbox.levels import probe  # noqa: E402 - as above
from tourney.sandbox.lockdown import LAYERS  # noqa: E402 - as above

ORDINARY = 54_321
"""The number of a user that nobody is."""
PATIENCE_SECONDS = 30.0
"""For one attack; most take a hundredth of a second."""
GIVES = ("CAP_CHOWN", "CAP_DAC_OVERRIDE")
NEEDED_RIGHTS = ("CAP_SETUID", "CAP_SETGID", "CAP_KILL")
MISSING = """expected bubblewrap, which keeps the attacks away from this machine; got no `bwrap`:
install it (Debian and Ubuntu: apt-get install bubblewrap; Fedora: dnf install bubblewrap)"""

STOPPED, OTHERWISE, UNNOTICED, ESCAPED, PLAYS = "=", "~", "-", "!", "."
MEANINGS = {
    STOPPED: "its verdict",
    OTHERWISE: "another verdict",
    UNNOTICED: "no verdict although it should have one, or one thanks to bubblewrap only",
    ESCAPED: "got away: it left something, disturbed the honest player, or ended the referee",
    PLAYS: "harmless, as expected",
}


class Held(NamedTuple):
    """A way to hold a player."""

    name: str
    layers: tuple[str, ...] | None  # of the jail; None for a process that does not shut itself in
    user: int = 0  # whom the referee is
    stays_root: bool = False


def ways() -> list[Held]:
    """Give all ways; as root only if this is root."""
    found = []
    for user in (0, ORDINARY) if os.getuid() == 0 else (os.getuid(),):
        who = "user" if user else "root"
        found += [
            Held(f"{who}: full", LAYERS, user),
            *(
                Held(f"{who}: no {off}", tuple(each for each in LAYERS if each != off), user)
                for off in LAYERS
            ),
            *(Held(f"{who}: only {on}", (on,), user, stays_root=not user) for on in LAYERS),
            Held(f"{who}: nothing", None, user),
        ]
        if not user:
            found += [
                Held("root: no user", LAYERS, stays_root=True),
                Held("root: only user", ()),
            ]
    return found


def sandboxed(order: dict[str, Any], program: str = "tests.sandbox.attacks.trying") -> list[str]:
    """Give the command that runs a program inside bubblewrap.

    Args:
        order: What it is told, as JSON.
        program: A module; what tries attacks, if left out.
    """
    words = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    words += ["--tmpfs", "/tmp", "--die-with-parent", "--new-session"]  # noqa: S108 - a private one
    if os.getuid():
        words += ["--unshare-all"]
    else:
        # All but the names of users: here root becomes somebody else.
        words += [f"--unshare-{each}" for each in ("ipc", "pid", "net", "uts", "cgroup")]
        words += ["--cap-drop", "ALL"]
        words += [word for right in NEEDED_RIGHTS for word in ("--cap-add", right)]
    needed = [Path(each) for each in (ROOT, sys.prefix, sys.base_prefix)]
    # An ordinary user may not look into root's own folder, where Python may lie.
    closed = {each for path in needed for each in path.parents if not each.stat().st_mode & 1}
    for folder in sorted(closed):
        words += ["--perms", "0755", "--tmpfs", str(folder)]
    for path in dict.fromkeys(needed):
        words += ["--ro-bind", str(path), str(path)]
        made = [each for each in path.parents if (closed | {Path("/tmp")}) & set(each.parents)]  # noqa: S108 - as above
        words += [word for each in made for word in ("--chmod", "0755", str(each))]
    words += ["--chmod", "1777", "/tmp", "--chmod", "1777", "/dev/shm", "--chdir", str(ROOT)]  # noqa: S108 - as above
    return [*words, sys.executable, "-B", "-m", program, json.dumps(order)]


def sandboxed_with(order: dict[str, Any], folder: Path) -> list[str]:
    """Give the command that plays the attacks in C++ inside bubblewrap.

    Args:
        order: How they are held, as JSON.
        folder: With their programs.
    """
    shown = Path("/run/programs")
    command = sandboxed({**order, "folder": str(shown)}, "tests.sandbox.cpp.trying")
    words = ["--tmpfs", "/run", "--ro-bind", str(folder), str(shown), "--chmod", "0755", "/run"]
    if os.getuid() == 0:  # the tool that finds lines is given a folder, which is removed again
        words += [word for right in GIVES for word in ("--cap-add", right)]
    at = command.index(sys.executable)
    return [*command[:at], *words, *command[at:]]


def told(order: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Start a sandbox and give what it tells, until it ends or is silent for too long."""
    lines: queue.Queue[str] = queue.Queue()
    with subprocess.Popen(sandboxed(order), stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - this very program
        output = process.stdout
        assert output

        def read() -> None:
            for line in output:
                lines.put(line)
            lines.put("")

        threading.Thread(target=read, daemon=True).start()
        try:
            while line := lines.get(timeout=PATIENCE_SECONDS):
                yield json.loads(line)
        except queue.Empty:
            pass
        finally:
            process.kill()


def try_all(way: Held, attacks: Sequence[str], alone: list[Any]) -> dict[str, dict[str, Any]]:
    """Try attacks on players that are held in a way; give what came of each."""
    found: dict[str, dict[str, Any]] = {}
    while left := [each for each in attacks if each not in found]:
        order = {**way._asdict(), "attacks": left, "alone": alone}
        began = ""
        for facts in told(order):
            if "attack" in facts:
                found[facts["attack"]] = facts
            began = facts.get("begins", began)
        if not began:
            raise SystemExit(f"{way.name}: expected a sandbox that starts, got its end; see above")
        # It began, and whoever tried it did not live to tell.
        found.setdefault(began, {"found": ["gone"], "message": "ended the referee"})
    return found


def outcome(way: Held, attack: str, facts: dict[str, Any]) -> str:
    """Say in one letter what came of an attack."""
    if facts["found"] in (["gone"], ["lost"]) or facts.get("left") or not facts["honest"]:
        return ESCAPED  # what is gone has no more to say
    if "memory" in facts["found"] and "limits" not in (way.layers or ()):
        return UNNOTICED  # there was an end to memory only because the sandbox has one
    causes, _ = expected((CORPUS / f"{attack}.attack").read_bytes())
    if causes & {"plays"}:
        return PLAYS if facts["expected"] else OTHERWISE
    if facts["expected"]:
        return STOPPED
    return UNNOTICED if facts["found"] == ["plays"] else OTHERWISE


def try_programs(folder: Path) -> dict[str, dict[str, str]]:
    """Play the attacks in C++ in every way but those in which one layer holds alone.

    Args:
        folder: Where to keep their programs.
    Returns: Letters, by way and attack.
    """
    for name, program in programs().items():
        (folder / name).write_bytes(program)
        (folder / name).chmod(0o644)
    folder.chmod(0o755)
    found = {}
    for way in ways():
        if way.layers is None or len(way.layers) < len(LAYERS) - 1:
            continue
        print(f"{way.name}, C++", file=sys.stderr)
        done = subprocess.run(  # noqa: S603 - this very program
            sandboxed_with(way._asdict(), folder), capture_output=True, text=True, check=False
        )
        facts = {name: facts for name, *facts in map(json.loads, done.stdout.splitlines())}
        found[way.name] = {
            each.name: _outcome_of_program(each.causes, *facts[each.name])
            if each.name in facts
            else ESCAPED
            for each in NATIVE_ATTACKS
        }
        if way.layers == LAYERS:
            for each in NATIVE_ATTACKS:
                if found[way.name][each.name] not in {STOPPED, PLAYS}:
                    print(f"{way.name}: {each.name}: {facts.get(each.name)}")
    return found


def _outcome_of_program(allowed: str, causes: list[str], left: list[str], is_honest: bool) -> str:
    """Say in one letter what came of an attack in C++."""
    if left or not is_honest:
        return ESCAPED
    if not {*causes} <= {*allowed.split(" or ")}:
        return UNNOTICED if causes == ["plays"] else OTHERWISE
    return PLAYS if causes == ["plays"] else STOPPED


def by_layer(outcomes: Mapping[str, Mapping[str, str]], who: str) -> list[tuple[str, ...]]:
    """Say what each layer stops by itself, and what only it stops.

    Args:
        outcomes: Letters, by way and attack.
        who: The referee's user.
    Returns: Lines of a table: a layer, a number of attacks, and a number and names.
    """
    lines = []
    for layer in (*LAYERS, "user"):
        if f"{who}: only {layer}" in outcomes:
            alone, without = outcomes[f"{who}: only {layer}"], outcomes[f"{who}: no {layer}"]
            nothing, full = outcomes[f"{who}: nothing"], outcomes[f"{who}: full"]
            stops = [name for name in nothing if _got_on(nothing[name]) > _got_on(alone[name])]
            only = [name for name in full if _got_on(without[name]) > _got_on(full[name])]
            lines.append((who, layer, str(len(stops)), str(len(only)), ", ".join(only)))
    return lines


def _got_on(letter: str) -> bool:
    return letter in {UNNOTICED, ESCAPED}


def main() -> int:
    """Print tables, and say by the exit status whether all attacks end as expected at full."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attacks", help="names, between commas; all, if left out")
    parser.add_argument("--all", action="store_true", help="a line for each attack, too")
    arguments = parser.parse_args()
    if not shutil.which("bwrap"):
        print(MISSING, file=sys.stderr)
        return 2
    attacks = sorted(path.stem for path in CORPUS.glob("*.attack"))
    if arguments.attacks:
        attacks = arguments.attacks.split(",")
    first, *_ = ways()
    (start,) = told({**first._asdict(), "attacks": attacks, "alone": []})
    outcomes = {}
    for way in ways():
        print(way.name, file=sys.stderr)
        facts = try_all(way, attacks, start["alone"])
        outcomes[way.name] = {name: outcome(way, name, facts[name]) for name in attacks}
        if way.layers == LAYERS:
            _tell_unexpected(way, facts, outcomes[way.name])
    _tell(outcomes, attacks, is_long=arguments.all)
    natives = {}
    if not arguments.attacks and shutil.which("g++"):
        with tempfile.TemporaryDirectory() as folder:
            natives = try_programs(Path(folder))
        print(f"\n{len(NATIVE_ATTACKS)} attacks in C++, each beside an honest program")
        _tell_counts(natives)
    both = (*outcomes.items(), *natives.items())
    full = [letters for name, letters in both if name.endswith(": full")]
    return int(any(set(letters.values()) - {STOPPED, PLAYS} for letters in full))


def _tell_unexpected(way: Held, facts: Mapping[str, Any], letters: Mapping[str, str]) -> None:
    for name, letter in letters.items():
        if letter not in {STOPPED, PLAYS}:
            print(f"{way.name}: {name}: {facts[name]}")


def _tell_counts(outcomes: Mapping[str, Mapping[str, str]]) -> None:
    counts = {name: Counter(letters.values()) for name, letters in outcomes.items()}
    rows = [(name, *(count[letter] for letter in MEANINGS)) for name, count in counts.items()]
    print(tabulate(rows, headers=["held by", *MEANINGS]))


def _tell(
    outcomes: Mapping[str, Mapping[str, str]], attacks: Sequence[str], *, is_long: bool
) -> None:
    print(f"{len(attacks)} attacks; this machine confines at level {probe()}")
    _tell_counts(outcomes)
    print("; ".join(f"{letter} {meaning}" for letter, meaning in MEANINGS.items()))
    lines = [line for who in ("root", "user") for line in by_layer(outcomes, who)]
    headers = ["referee", "layer", "stops by itself", "only it stops", ""]
    print(tabulate(lines, headers=headers, maxcolwidths=[None, None, None, None, 60]))
    if is_long:
        rows = [(each, *(letters[each] for letters in outcomes.values())) for each in attacks]
        print(tabulate(rows, headers=["", *(name.replace(": ", "\n") for name in outcomes)]))


if __name__ == "__main__":
    sys.exit(main())
