"""Advice for faults: turns a verdict into a finding with a remedy."""

import difflib
import inspect
import re
import sys
from importlib import import_module

from tourney.checks.report import Finding
from tourney.checks.source import Source, lines_of_names
from tourney.competitors.packages import TAKEN
from tourney.config.words import closest
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
WITHOUT_MODULE = "write it without that module"
OWN_FILE = "put the code of that file into this one, or submit a package with a pyproject.toml"
MAIN = '`if __name__ == "__main__":`'
FOR_OWN_RUNS = f"put code for your own runs below {MAIN}"
IMPORT_LATER = f"import it below {MAIN}, if only your own runs use it"
INDENT = "start the line in the same column as those around it"
AT_IMPORT = {
    "as it is for your own runs": f"import it below {MAIN}, next to the code that uses it",
    "competitor: expected a class": "name the class without parentheses: competitor = Name",
    "' has no '": NOT_THERE,
    "cannot import name": NOT_THERE,
    "attempted relative import": OWN_FILE,
    "ModuleNotFoundError": WITHOUT_MODULE,
    "syntax error: multiple exception types": "write the exceptions in parentheses",
    "syntax error: inconsistent use of tabs": "indent with spaces only",
    "syntax error: expected an indented block": "indent this line",
    "syntax error: unexpected indent": INDENT,
    "syntax error: unindent does not match": INDENT,
    "syntax error: invalid non-printable character": "type this character again, as a plain space",
    "syntax error: invalid character": "type this character again: code has plain quotes and signs",
    "syntax error: ": "correct this line or the one before it",
}
"""Remedies by a part of the message about a file that cannot be loaded."""

FORBIDDEN = "PermissionError"
TOO_SLOW = "compute less while the file is loaded and players are made"
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
NO_END = "a player must return an answer; remove the call that ends its process"
NO_KEYBOARD = "do not use input(): there is no keyboard in a tournament"
BY_WORDS = {
    "EOFError": NO_KEYBOARD,
    COROUTINE: "remove `async`: a player must return its answer directly",
    "damaged memory": "look for an index beyond the end of an array, and for memory that is "
    "deleted twice; the line is only where the damage was noticed",
    "SystemExit": NO_END,
    "NameError: name 'exit' is not defined": NO_END,
    "NameError: name 'quit' is not defined": NO_END,
    "RecursionError": "fix the endless recursion",
    "property 'table' of": "use another name than table, which holds what your seat sees",
    "FrozenInstanceError: cannot assign to field 'random'": "leave out frozen=True: the platform "
    "sets attributes of a player",
    "object.__init__() takes exactly one argument": "write super().__init__(), without arguments",
    "a null pointer from the function": "return the address of a static object, not of a local "
    "variable: static Name name;",
    FORBIDDEN: REMEDIES["syscall"],
    NO_PLAYER: TO_WRITE,
    SEVERAL_PLAYERS: TO_CHOOSE,
    # About a player of another game.
    "a player of blackjack": "if it plays Straights, check it with --game straights",
    "a player of Straights": "if it plays blackjack, check it with its --game",
}
"""Remedies by a part of the message, whatever its cause."""
ERROR_REMEDIES = {
    "KeyError: ": "add this key to the dictionary, or use its method get",
    "IndexError: ": "compare the index with the length: the first item has index 0",
    "ZeroDivisionError: ": "check that the divisor is not 0",
    "UnboundLocalError: ": "store it in self, or give it a value in this method on every path "
    "before this line",
    "'NoneType'": "a value on this line is None: give it another value before",
}
"""Remedies by a pattern of a message of Python, for faults without advice of a game."""
LACKS = re.compile(r"AttributeError: an? [\w ]+ has no '(\w+)'; it has ([\w, ]+)")
"""A name that a card, a hand or a table does not have, and the names that it has."""
MODULES = {"collections", "functools", "itertools", "math", "statistics"}
"""Modules that players use, and whose names are seldom meant as variables."""
UNDEFINED = re.compile(r"NameError: name '(\w+)' is not defined")
MISSING = re.compile(r"ModuleNotFoundError: '(\w+)': ")
NOT_ALLOWED = re.compile(r"(ModuleNotFoundError: '(\w+)': )not in the sandbox, where .*")
NOT_IN_MODULE = re.compile(
    r"ImportError: cannot import name '(?P<name>\w+)' from '(?P<module>[\w.]+)'"
    r"|AttributeError: module '(?P<owner>[\w.]+)' has no attribute '(?P<attribute>\w+)'"
)
NO_ATTRIBUTE = re.compile(
    r"AttributeError: (?:(?:type object )?'(?P<owner>\w+)'(?: object)? has no attribute "
    r"'(?P<name>\w+)'|(?P<member>\w+)$)"
)
"""A name that an object or a class lacks; of an enumeration's member, the name alone."""
NO_CALL = re.compile(r"TypeError: '(?!NoneType)\w+' object is not callable")
OWN_ATTRIBUTE = re.compile(r"\bself\.(\w+)[ \t]*(?::[^=\n]+)?=(?!=)")
NEWER = {
    "collections.abc": "Buffer",
    "copy": "replace",
    "enum": "EnumDict",
    "functools": "Placeholder",
    "heapq": "heapify_max heappop_max heappush_max heappushpop_max heapreplace_max",
    "inspect": "BufferFlags getasyncgenlocals getasyncgenstate markcoroutinefunction",
    "io": "Reader Writer",
    "itertools": "batched",
    "math": "fma sumprod",
    "operator": "is_none is_not_none",
    "random": "binomialvariate",
    "re": "PatternError",
    "statistics": "kde kde_random",
    "types": "CapsuleType get_original_bases",
    "typing": "NoDefault ReadOnly TypeAliasType TypeIs evaluate_forward_ref get_protocol_members "
    "is_protocol override",
    "warnings": "deprecated",
}
"""Names that the modules of players have since Python 3.12, 3.13 or 3.14."""
FOREIGN_LINES = {
    r"\s*(?:%%?|!)\w": "delete this line: only notebooks have commands with % or !",
    "```": "delete this line, and the one after the code: they mark code in a chat",
}
"""Remedies by a pattern of the start of a line that comes from elsewhere."""
NEWER_SYNTAX = {
    r"^\s*type\s+\w+\s*(?:\[.*\]\s*)?=": (3, 12),
    r"^\s*(?:class|(?:async\s+)?def)\s+\w+\[": (3, 12),
    r"(?<![\w\"'])[tT][rR]?[\"']": (3, 14),
}
"""Patterns of lines, with the first version of Python that can read them."""
SAME_QUOTES = (3, 12)
"""The first version of Python that can read the quotes of an f-string also inside its braces."""
IN_BRACES = re.compile(r"f-string: (?:expecting '}'|unmatched|expression part cannot include)")
OWN_VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
CONFLICT = re.compile(r"^<{7} ", re.MULTILINE)
CONFLICT_END = re.compile(r"^>{7} ", re.MULTILINE)
"""Marks of Git around two versions of some lines."""
NEAR_NAME = 0.8
"""Least similarity of a misspelled name to a known one; scipy and copy have less."""
UNGIVEN = re.compile(r"__init__\(\) missing \d+ required [\w-]+ arguments?: (.+)")
CALLED = re.compile(r"(\w+)\(\) takes ")
TOO_MANY = re.compile(r"takes \d+ positional arguments? but \d+ (?:was|were) given")


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
    is_loading, is_raised = verdict.call == "import", verdict.cause == "raised"
    for words, remedy in BY_WORDS.items():
        if words in verdict.message:
            is_run = is_loading and remedy in {NO_END, NO_KEYBOARD}
            return f"{remedy}; {FOR_OWN_RUNS}" if is_run else remedy
    text, line = _text_and_line(verdict.place, files)
    if remedy := (
        _self_remedy(verdict, files)
        or _shadowing_remedy(verdict, files)
        or _finish_remedy(verdict.message)
        or (is_raised and _raised_remedy(verdict.message, line, text, contract))
        or _parameters_remedy(verdict, files, contract)
        or _grammar_remedy(verdict, line, text)
    ):
        return remedy
    if is_raised and is_loading:
        return _import_remedy(verdict.message, text)
    if advice := game_advice(verdict, language, contract):
        return advice
    if verdict.cause == "cpu" and is_loading:
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
    known = (*contract.advice.items(), *ERROR_REMEDIES.items())
    return next((remedy for pattern, remedy in known if re.search(pattern, message)), "")


def _text_and_line(place: str, files: Texts) -> tuple[str, str]:
    """Return the file of a place such as `bold.py:7`, and its line; empty if they are not known."""
    name, _, number = place.rpartition(":")
    text = dict(files).get(name, "")
    lines = text.split("\n")
    is_known = number.isdecimal() and int(number) <= len(lines)
    return text, lines[int(number) - 1] if is_known else ""


def _raised_remedy(message: str, line: str, text: str, contract: type[BasePlayer]) -> str:
    """Return a remedy for an exception about a name, or about a call of a value."""
    if lacking := LACKS.search(message):
        meant = closest(lacking[1], re.findall(r"\w+", lacking[2]))
        return f"write {meant} instead of {lacking[1]}" if meant else "use one of these names"
    if undefined := UNDEFINED.search(message):
        return _define_remedy(undefined[1], text, contract)
    if missing := NOT_IN_MODULE.search(message):
        return _module_remedy(missing)
    if lacking := NO_ATTRIBUTE.search(message):
        return _attribute_remedy(lacking, line, text, contract)
    return _call_remedy(line) if NO_CALL.search(message) else ""


def _module_remedy(missing: re.Match[str]) -> str:
    """Return a remedy for a name that a module lacks: a similar one, or another version."""
    module, name = missing["module"] or missing["owner"], missing["name"] or missing["attribute"]
    if name in NEWER.get(module, "").split():
        return (
            f"write it without {name}, which needs a newer version of Python: this platform runs "
            f"Python {OWN_VERSION}"
        )
    if module not in allowed():
        return NOT_THERE
    names = (each for each in dir(import_module(module)) if not each.startswith("_"))
    near = closest(name, names)
    return f"write {near} instead of {name}" if near else NOT_THERE


def _attribute_remedy(
    lacking: re.Match[str], line: str, text: str, contract: type[BasePlayer]
) -> str:
    """Return the nearest name of a public class, or of a class of the file."""
    owner, name = lacking["owner"], lacking["name"] or lacking["member"]
    if not owner:
        found = re.search(rf"\b(\w+)\.{name}\b", line)
        owner = found[1] if found else ""
    page = _page_of(owner, contract)
    kind = getattr(import_module(page), owner) if page else None
    if not isinstance(kind, type):
        is_own = re.search(rf"^\s*class {owner}\b", text, re.MULTILINE) if owner else None
        return _spelling_remedy(name, text) if is_own else ""
    near = closest(name, (each for each in dir(kind) if not each.startswith("_")))
    return f"write {near} instead of {name}" if near else ""


def _call_remedy(line: str) -> str:
    """Return a remedy for the call of a value on a line; empty if the value is not clear.

    >>> _call_remedy("return player.total() < 16")
    'leave out the parentheses after total: it is a value, not a method'
    """
    names = set(re.findall(r"\.(\w+)\(\)", line) or re.findall(r"\.(\w+)\(", line))
    if len(names) != 1:
        return ""
    return f"leave out the parentheses after {names.pop()}: it is a value, not a method"


def _page_of(name: str, contract: type[BasePlayer]) -> str:
    """Return the module from which authors import a public name; empty if it is not public."""
    page = contract_name(contract).rpartition(".")[0]
    for module in ("tourney", page):
        if name in getattr(import_module(module), "__all__", ()) or (
            module == page and name == contract.__name__
        ):
            return module
    return ""


def _define_remedy(name: str, text: str, contract: type[BasePlayer]) -> str:
    """Return a remedy for a name that is not defined: its import, if the name is public.

    >>> from tourney import Player
    >>> _define_remedy("Hand", "", Player), _define_remedy("math", "", Player)
    ('add: from tourney import Hand', 'add: import math')
    """
    if page := _page_of(name, contract):
        return f"add: from {page} import {name}"
    if name in MODULES:
        return f"add: import {name}"
    unknown = f"check the spelling of {name}, or define it before this line"
    return _spelling_remedy(name, text) or unknown


def _spelling_remedy(name: str, text: str) -> str:
    """Return the line on which a file defines a name that is nearly this one; empty without one.

    >>> _spelling_remedy("minimum", "def bet(self, bankroll, minimun): ...")
    'if you mean minimun on line 1, spell both alike; otherwise define minimum first'
    """
    lines = lines_of_names(text)
    near = difflib.get_close_matches(name, lines.keys() - {name}, 1, NEAR_NAME)
    if not near:
        return ""
    meant = f"{near[0]} on line {lines[near[0]]}"
    return f"if you mean {meant}, spell both alike; otherwise define {name} first"


def _import_remedy(message: str, text: str) -> str:
    if game := _game_of_module(message):
        return f"if it plays {game}, check it with --game {game}"
    if near := _near_module(message):
        return f"write {near} instead of {MISSING.findall(message)[0]}"
    if missing := MISSING.search(message):
        remedy = f"{WITHOUT_MODULE}, or {IMPORT_LATER}" if "__main__" in text else WITHOUT_MODULE
        is_known = missing[1] in TAKEN
        return remedy if is_known else f"{remedy}; if it is your own file, {OWN_FILE}"
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
    near = difflib.get_close_matches(missing[2].lower(), known, n=1, cutoff=NEAR_NAME)
    return near[0] if near else ""


def _grammar_remedy(verdict: Verdict, line: str, text: str) -> str:
    """Return a remedy for code that Python cannot read: of Git, or of a newer version."""
    if not verdict.message.startswith("syntax error: "):
        return ""
    if (conflict := CONFLICT.search(text)) and CONFLICT_END.search(text, conflict.end()):
        at = text.count("\n", 0, conflict.start()) + 1
        return (
            f"resolve the merge conflict at line {at}: keep one of the two versions, and delete "
            "the lines that begin with <<<<<<<, ======= and >>>>>>>"
        )
    for start, words in FOREIGN_LINES.items():
        if re.match(start, line):
            return words
    for pattern, version in NEWER_SYNTAX.items():
        if sys.version_info < version and re.search(pattern, line):
            first = ".".join(map(str, version))
            return (
                f"write this line without the syntax of Python {first}: this platform runs Python "
                f"{OWN_VERSION}"
            )
    if sys.version_info < SAME_QUOTES and IN_BRACES.search(verdict.message):
        return (
            "close each brace, and write no backslash and no quotes of the f-string inside it: "
            f"these need Python 3.12, and this platform runs Python {OWN_VERSION}"
        )
    return ""


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
    return Finding(found[0], f"{source.name}:{at}", _finish_remedy(told))


def _finish_remedy(message: str) -> str:
    """Return the remedy for a class that is not finished; empty for other messages."""
    if not (found := UNFINISHED.search(message)):
        return ""
    return f"define {found[2]} in {found[1]}" if found[2] else TO_INHERIT.format(found[1])


def _self_remedy(verdict: Verdict, files: Texts) -> str:
    """Return a remedy for the name of an own method without self before it."""
    undefined = UNDEFINED.search(verdict.message)
    if not undefined:
        return ""
    method = re.compile(rf"^[ \t]+def {undefined[1]}\(\s*self\b", re.MULTILINE)
    is_own = any(method.search(text) for _, text in files)
    return f"write self.{undefined[1]}, as it is a method" if is_own else ""


def _shadowing_remedy(verdict: Verdict, files: Texts) -> str:
    """Return a remedy for an attribute that hides the method of the same name."""
    for name, text in files if "object is not callable" in verdict.message else ():
        for found in OWN_ATTRIBUTE.finditer(text):
            if re.search(rf"^[ \t]+def {found[1]}\(", text, re.MULTILINE):
                line = text.count("\n", 0, found.start()) + 1
                return (
                    f"{name}:{line} hides the method {found[1]}: give self.{found[1]} another name"
                )
    return ""


def _parameters_remedy(verdict: Verdict, files: Texts, contract: type[BasePlayer]) -> str:
    """Return a remedy for wrong parameters of a method: missing defaults, self, or others."""
    if verdict.call == "constructor" and (ungiven := UNGIVEN.search(verdict.message)):
        return f"players are made without arguments; give {ungiven[1]} a default"
    called = CALLED.search(verdict.message)
    for name in (verdict.call, called[1]) if called else (verdict.call,):
        without_self = re.compile(rf"\bdef {re.escape(name)}\((?!\s*self\b)")
        if TOO_MANY.search(verdict.message) and any(without_self.search(t) for _, t in files):
            return f"write self as the first parameter of {name}"
    unfit = re.compile(rf"\b{re.escape(verdict.call)}\(\) (?:takes|missing) ")
    method = getattr(contract, verdict.call, None)
    # A wrong call within the player's code has a place: the line of the call.
    if method and not verdict.place and unfit.search(verdict.message):
        parameters = ", ".join(inspect.signature(method).parameters)
        return f"write `def {verdict.call}({parameters}):`"
    return ""
