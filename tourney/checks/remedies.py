"""Advice for faults: turns a verdict into a finding with a remedy."""

import difflib
import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module

from tourney.checks.report import MICRO, Finding
from tourney.checks.source import Source
from tourney.config.words import closest
from tourney.game.asking.printable_text import REORDERING, escape, hidden_characters
from tourney.game.ledger import Verdict
from tourney.game.players import BasePlayer, contract_name
from tourney.game.rules import Rules
from tourney.plugins.language import Language, Texts
from tourney.plugins.loading import installed_plugins
from tourney.sandbox.host_modules import allowed

REMEDIES = {
    "raised": "write a test that asks the same question, and fix that line",
    "memory": "store less: a player plays only one block of rounds",
    "cpu": "check that every loop ends, compute less in a decision, or compute once and store it",
    "stalled": "do not sleep or wait for anything",
    "died": "do not end the process; raise an exception if something is wrong",
    "protocol": "use print() to print, and leave all other files and pipes alone",
    "syscall": "only compute: no files, no network, no processes, no threads",
    "unrepeatable": "draw random numbers from self.random only, and do not use the clock",
}
"""Remedies by the cause of a verdict."""

ILLEGAL = {
    "bet": "wager whole chips, at least `minimum` and at most the smaller of `bankroll` and "
    "`self.table.maximum`",
    "draw": "answer True to hit or False to stand",
    "act": "answer one of the moves in `legal`",
}
"""Remedies by the question that got an illegal answer."""

NOT_THERE = "check the spelling, also of capitals: this name does not exist"
INDENT = "start the line in the same column as those around it"
AT_IMPORT = {
    "' has no '": NOT_THERE,
    "cannot import name": NOT_THERE,
    "ModuleNotFoundError": "write it without that module",
    "syntax error: inconsistent use of tabs": "indent with spaces only",
    "syntax error: expected an indented block": "indent this line",
    "syntax error: unexpected indent": INDENT,
    "syntax error: unindent does not match": INDENT,
    "syntax error: ": "correct this line or the one before it",
}
"""Remedies by a part of the message about a file that cannot be loaded."""

CODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
"""A comment that declares the encoding of a file, in its first two lines.

Source: Python Enhancement Proposal 263.
"""
UTF_8 = {"utf-8", "utf8", "utf-8-sig", "ascii", "us-ascii"}
"""Names of UTF-8, the encoding of every file, and of its subset ASCII."""

MOST_HIDDEN = 5
"""Most hidden characters of a source that a check reports one by one."""
FORBIDDEN = "PermissionError"
TOO_SLOW = "compute less while the file is loaded and players are made"
OTHER_GAMES = {
    "a player of blackjack": "if it plays Straights, check it with --game straights",
    "a player of Straights": "if it plays blackjack, check it with its --game",
}
"""Remedies by the message of a pool about a player of another game."""
OWN_WORDS = re.compile(
    "expected no exception, got LookupError: "
    r"|^import: (?=\w+: expected a (?:class that answers|player, got a class that is no) )"
    r"|constructor: expected an answer, got TypeError: (?=\S.*\ba player of )"
)
"""Prefixes that are removed from messages of the platform."""
NO_PLAYER = "expected one player in the file, got none"
SEVERAL_PLAYERS = "expected one player in the file, got "
TO_WRITE = "write `class Name(Player):` with `bet` and `draw`, after `from tourney import Player`"
TO_INHERIT = "write `class {}(Player):`, after `from tourney import Player`"
UNFINISHED = re.compile(
    r"(\w+): expected (?:a class that answers (.*), got one without"
    r"|a player, got a class that is no Player)"
)
TO_CHOOSE = "keep one player in the file, or choose one with `competitor = Name`"
COROUTINE = "a coroutine: write def, without async"
BY_WORDS = {
    "EOFError": "do not use input(): there is no keyboard in a tournament",
    COROUTINE: "remove `async`: a player must return its answer directly",
    "SystemExit": "a player must return an answer; remove the call that ends its process",
    "RecursionError": "fix the endless recursion",
    FORBIDDEN: REMEDIES["syscall"],
    NO_PLAYER: TO_WRITE,
    SEVERAL_PLAYERS: TO_CHOOSE,
    **OTHER_GAMES,
}
"""Remedies by a part of the message, whatever its cause."""
LACKS = re.compile(r"AttributeError: an? [\w ]+ has no '(\w+)'; it has ([\w, ]+)")
"""A name that a card, a hand or a table does not have, and the names that it has."""
MODULES = {"collections", "functools", "itertools", "math", "statistics"}
"""Modules that players use, and whose names are seldom meant as variables."""
UNDEFINED = re.compile(r"NameError: name '(\w+)' is not defined")
MISSING = re.compile(r"ModuleNotFoundError: '(\w+)': ")
NOT_ALLOWED = re.compile(r"(ModuleNotFoundError: '(\w+)': )not in the sandbox, where .*")
NOT_IN_MODULE = re.compile(r"ImportError: cannot import name '(\w+)' from '([\w.]+)'")
NEAR_MODULE = 0.8
"""Least similarity of a misspelled module to an allowed one; scipy and copy have less."""
UNGIVEN = re.compile(r"__init__\(\) missing \d+ required [\w-]+ arguments?: (.+)")
TOO_MANY = re.compile(r"takes \d+ positional arguments? but \d+ (?:was|were) given")
USES_RANDOM = re.compile(r"^[ \t]*(?:import|from)[ \t]+random\b", re.MULTILINE)


def finding_of(
    verdict: Verdict, source: Source, contract: type[BasePlayer], where: str = ""
) -> Finding:
    """Return a verdict as a finding with a remedy.

    Args:
        verdict: Verdict on a player.
        source: Source of that player.
        contract: Contract of the game that it was asked for.
        where: The situation; empty in a match.
    """
    place = verdict.place or source.place_of(verdict.call)
    message = OWN_WORDS.sub("", verdict.message)
    if near := _near_module(message):
        message = NOT_ALLOWED.sub(rf"\1not in the sandbox; did you mean {near}?", message)
    if where:
        message = f"with {where}: {message}"
    elif verdict.decision:
        message = f"{message} (round {verdict.round})"
    return Finding(message, place, _remedy(verdict, source.language, source.files, contract))


def remedy_on_board(verdict: Verdict, language: Language, rules: Rules) -> str:
    """Return the remedy for a verdict on a leaderboard, as in a check; empty without a remedy.

    Args:
        verdict: Verdict on a player.
        language: Language of the player.
        rules: Rules of the game.
    """
    # The message lists the legal answers, and how to return them differs from game to game.
    if verdict.cause == "illegal" and not rules.game.examiner(rules):
        return game_advice(verdict, language, rules.game.contract())
    return _remedy(verdict, language, (), rules.game.contract())


def _remedy(verdict: Verdict, language: Language, files: Texts, contract: type[BasePlayer]) -> str:
    for words, remedy in BY_WORDS.items():
        if words in verdict.message:
            return remedy
    if remedy := _name_remedy(verdict, contract) or _parameters_remedy(verdict, files, contract):
        return remedy
    if verdict.cause == "raised" and verdict.call == "import":
        return _import_remedy(verdict.message)
    if advice := game_advice(verdict, language, contract):
        return advice
    if verdict.cause == "cpu" and verdict.call == "import":
        return TOO_SLOW
    remedies = {**ILLEGAL, **REMEDIES, **language.remedies}
    return remedies.get(verdict.call if verdict.cause == "illegal" else verdict.cause, "")


def game_advice(verdict: Verdict, language: Language, contract: type[BasePlayer]) -> str:
    """Return the advice of a game's contract for a fault; empty for programs and without advice.

    >>> from tourney import Player
    >>> from tourney.plugins.loading import language_of
    >>> words = "draw: expected an answer, got TypeError: bad operand type for unary -: 'SeenHand'"
    >>> verdict = Verdict("raised", "draw", 1, 0, words, "", "")
    >>> game_advice(verdict, language_of("file"), Player)
    'a hand is not a number: compare player.total'
    """
    if (
        language.is_built
        or not language.is_confinable
        or verdict.cause not in {"raised", "illegal"}
    ):
        return ""
    return advice_for(verdict.message, contract)


def advice_for(message: str, contract: type[BasePlayer]) -> str:
    """Return the advice of a game's contract for a message; empty without advice."""
    known = contract.advice.items()
    return next((remedy for pattern, remedy in known if re.search(pattern, message)), "")


def _name_remedy(verdict: Verdict, contract: type[BasePlayer]) -> str:
    """Return a remedy for a missing method, or for a name that does not exist."""
    if found := UNFINISHED.search(verdict.message):
        return _finish_remedy(found)
    if (lacking := LACKS.search(verdict.message)) and verdict.cause == "raised":
        meant = closest(lacking[1], re.findall(r"\w+", lacking[2]))
        return f"write {meant} instead of {lacking[1]}" if meant else "use one of these names"
    undefined = UNDEFINED.search(verdict.message) if verdict.cause == "raised" else None
    return _define_remedy(undefined[1], contract) if undefined else ""


def _define_remedy(name: str, contract: type[BasePlayer]) -> str:
    """Return a remedy for a name that is not defined: its import, if the name is public.

    >>> from tourney import Player
    >>> _define_remedy("Hand", Player), _define_remedy("math", Player)
    ('add: from tourney import Hand', 'add: import math')
    """
    page = contract_name(contract).rpartition(".")[0]
    for module in ("tourney", page):
        if name in getattr(import_module(module), "__all__", ()) or (
            module == page and name == contract.__name__
        ):
            return f"add: from {module} import {name}"
    if name in MODULES:
        return f"add: import {name}"
    return f"check the spelling of {name}, or define it before this line"


def _import_remedy(message: str) -> str:
    if game := _game_of_module(message):
        return f"if it plays {game}, check it with --game {game}"
    if near := _near_module(message):
        return f"write {near} instead of {MISSING.findall(message)[0]}"
    if name := _near_name(message):
        return f"write {name[1]} instead of {name[0]}"
    named = (remedy for error, remedy in AT_IMPORT.items() if error in message)
    return next(named, "fix that line: the file must load without an exception")


def _near_module(message: str) -> str:
    """Return the allowed module whose name a message misspells; otherwise empty.

    >>> _near_module("ModuleNotFoundError: 'tourny': not in the sandbox, where …")
    'tourney'
    """
    missing = NOT_ALLOWED.search(message)
    if not missing or missing[2] in sys.stdlib_module_names or _game_of_module(message):
        return ""
    known = [name for name in allowed() if "." not in name]
    return next(
        iter(difflib.get_close_matches(missing[2].lower(), known, n=1, cutoff=NEAR_MODULE)), ""
    )


def _near_name(message: str) -> tuple[str, str] | None:
    """Return a misspelled name and the nearest name of its module, if it has a similar name."""
    missing = NOT_IN_MODULE.search(message)
    if not missing or missing[2] not in allowed():
        return None
    names = (name for name in dir(import_module(missing[2])) if not name.startswith("_"))
    near = closest(missing[1], names)
    return (missing[1], near) if near else None


def _game_of_module(message: str) -> str:
    """Return the installed game whose players import the missing module; otherwise empty."""
    missing = MISSING.search(message)
    for name, game in installed_plugins().games.items() if missing else ():
        contract = game.rules.game.contract()
        if missing and contract.__module__.partition(".")[0] == missing[1]:
            return name
    return ""


def unfinished_finding(told: str, source: Source) -> Finding | None:
    """Return a finding about a class that lacks methods of a player, if there is one.

    Args:
        told: Message of a process that loaded the file.
        source: The original file.
    """
    if not (found := UNFINISHED.search(told)):
        return None
    line = re.search(rf"^class[ \t]+{found[1]}\b", source.text, re.MULTILINE)
    at = source.text.count("\n", 0, line.start()) + 1 if line else 1
    return Finding(found[0], f"{source.name}:{at}", _finish_remedy(found))


def _finish_remedy(found: re.Match[str]) -> str:
    """Return the remedy for a class that `UNFINISHED` describes."""
    return f"define {found[2]} in {found[1]}" if found[2] else TO_INHERIT.format(found[1])


def _parameters_remedy(verdict: Verdict, files: Texts, contract: type[BasePlayer]) -> str:
    """Return a remedy for wrong parameters of a method: missing defaults, self, or others."""
    if verdict.call == "constructor" and (ungiven := UNGIVEN.search(verdict.message)):
        return f"players are made without arguments; give {ungiven[1]} a default"
    without_self = re.compile(rf"\bdef {re.escape(verdict.call)}\((?!\s*self\b)")
    if TOO_MANY.search(verdict.message) and any(without_self.search(t) for _, t in files):
        return f"write self as the first parameter of {verdict.call}"
    unfit = re.compile(rf"\b{re.escape(verdict.call)}\(\) (?:takes|missing) ")
    method = getattr(contract, verdict.call, None)
    # A wrong call within the player's code has a place: the line of the call.
    if method and not verdict.place and unfit.search(verdict.message):
        parameters = ", ".join(inspect.signature(method).parameters)
        return f"write `def {verdict.call}({parameters}):`"
    return ""


def repeat_finding(where: object, source: Source, *, is_shared: bool) -> Finding:
    """Return a finding about a player that does not repeat its play.

    Args:
        where: Description of the first difference.
        source: Source of the player.
        is_shared: Whether it differs only if the same tables are played in another order.
    """
    text, name = source.text, source.name
    luck = USES_RANDOM.search(text)
    place = f"{name}:{text.count(chr(10), 0, luck.end()) + 1}" if luck else name
    if own := source.language.remedies.get("unrepeatable"):
        remedy = own
    elif luck:
        remedy = "use self.random, which repeats when a block is played again"
    elif is_shared:
        remedy = "store state in self only, not in the class or the module"
    else:
        remedy = "decide by the cards and the chips, not by the clock"
    when = "in another order" if is_shared else "again"
    return Finding(
        f"its answers changed when the same tables were played {when}: {where}",
        place,
        remedy,
        is_warning=is_shared and not luck,
    )


def slow_finding(cost: float, most: float, name: str) -> Finding:
    """Warn of decisions that take more than half of the allowed time, in seconds."""
    return Finding(
        f"expected well under {MICRO * most:.0f} µs of CPU time for a decision, "
        f"got {MICRO * cost:.0f} µs, more than half",
        name,
        "compute results once and store them",
        is_warning=True,
    )


def coding_findings(source: Source) -> Iterator[Finding]:
    """Warn of files that declare another encoding, in which they may mean something else."""
    for name, text in source.files:
        for number, line in enumerate(text.splitlines()[:2], 1):
            found = CODING.match(line) if name.endswith(".py") else None
            if found and found[1].lower().replace("_", "-") not in UTF_8:
                yield Finding(
                    f"this comment declares the encoding {found[1]}, but the platform reads every "
                    "file as UTF-8; other programs may run different code",
                    f"{name}:{number}",
                    "remove the comment",
                    is_warning=True,
                )


def hidden_findings(source: Source) -> Iterator[Finding]:
    """Warn of the first invisible characters of a source."""
    found = list(hidden_characters(source.files))
    for each in found[:MOST_HIDDEN]:
        effect = (
            "it shows the line in another order than it runs"
            if each.char in REORDERING
            else "readers cannot see it"
        )
        yield Finding(
            f"hidden character {each.words} at line {each.line}, column {each.column}: {effect}",
            f"{each.file}:{each.line}",
            f"delete it, or write it in a text as {escape(each.char)}",
            is_warning=True,
        )
    for each in found[MOST_HIDDEN : MOST_HIDDEN + 1]:
        count = len(found) - MOST_HIDDEN
        yield Finding(
            f"{count} more hidden characters, the next at line {each.line}, column {each.column}",
            f"{each.file}:{each.line}",
            "delete them",
            is_warning=True,
        )
