"""How to mend what a check finds: a verdict becomes a finding with a remedy."""

import inspect
import re
from collections.abc import Iterator

from tourney.checks.report import MICRO, Finding
from tourney.checks.source import Source
from tourney.game.asking.hidden_characters import REORDERING, hidden_characters
from tourney.game.asking.printable_text import escape
from tourney.game.ledger import Verdict
from tourney.game.players import BasePlayer
from tourney.game.rules import Rules
from tourney.plugins.language import Language, Texts
from tourney.plugins.loading import installed_plugins

REMEDIES = {
    "raised": "write a test that asks the same, and mend that line",
    "memory": "keep less: a player remembers one block of rounds",
    "cpu": "see that every loop ends, and compute less for a decision, or once, and keep it",
    "stalled": "do not sleep or wait for anything",
    "died": "do not end the process; raise an exception where something is wrong",
    "protocol": "use print() to print, and leave all other files and pipes alone",
    "syscall": "only compute: no files, no network, no processes, no threads",
    "unrepeatable": "roll no dice but those of self.random, and look at no clock",
}
"""By the cause of a verdict."""

ILLEGAL = {
    "bet": "wager whole chips, at least `minimum` and at most the smaller of `bankroll` and "
    "`self.table.maximum`",
    "draw": "answer True to hit or False to stand",
    "act": "answer one of the moves in `legal`",
}
"""By the question that was answered illegally."""

NOT_THERE = "check the spelling, also of capitals: what is not there cannot be imported"
AT_IMPORT = {
    "' has no '": NOT_THERE,
    "cannot import name": NOT_THERE,
    "ModuleNotFoundError": "do without that module",
    "SyntaxError": "mend the line; Python's own message says what it stumbled over",
    "IndentationError": "indent the line like those around it",
    "TabError": "indent with spaces only",
}
"""By the exception that a file raises while it is read."""

CODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
"""A remark that names the alphabet of a file, in its first line or its second.

Source: Python Enhancement Proposal 263.
"""
UTF_8 = {"utf-8", "utf8", "utf-8-sig", "ascii", "us-ascii"}
"""The alphabet of every file, and its first half."""

MOST_HIDDEN = 5
"""Hidden characters of a source that a check reports one by one."""
FORBIDDEN = "PermissionError"
TOO_SLOW = "do less while the file is read and players are made"
OTHER_GAMES = {
    "expected a player of blackjack": "if it plays Straights, check it with --game straights",
    "expected a player of Straights": "if it plays blackjack, check it with its --game",
}
"""By what a pool says to a player of another game."""
OWN_WORDS = re.compile(
    "expected no exception, got LookupError: "
    "|constructor: expected an answer, got TypeError: (?=expected a player of )"
)
"""Before what the platform says by itself, and which needs no name of an exception."""
NO_PLAYER = "expected one player in the file, got none"
SEVERAL_PLAYERS = "expected one player in the file, got "
TO_WRITE = "write `class Name(Player):` with `bet` and `draw`, after `from tourney import Player`"
TO_INHERIT = "write `class {}(Player):`, after `from tourney import Player`"
UNFINISHED = re.compile(
    r"(\w+): expected (?:a class that answers (.*), got one without"
    r"|a player, got a class that is no Player)"
)
TO_CHOOSE = "keep one player in the file, or say which one with `competitor = Name`"
COROUTINE = "got a coroutine"
BY_WORDS = {
    "EOFError": "do without input(): nobody types anything while a tournament is played",
    COROUTINE: "remove `async`: a player answers at once, and waits for nothing",
    "RecursionError": "see that it does not call itself without end",
    FORBIDDEN: REMEDIES["syscall"],
    NO_PLAYER: TO_WRITE,
    SEVERAL_PLAYERS: TO_CHOOSE,
    **OTHER_GAMES,
}
"""By what a message says, whatever its cause."""
MISSING = re.compile(r"ModuleNotFoundError: '(\w+)': ")
UNGIVEN = re.compile(r"__init__\(\) missing \d+ required [\w-]+ arguments?: (.+)")
TOO_MANY = re.compile(r"takes \d+ positional arguments? but \d+ (?:was|were) given")
USES_RANDOM = re.compile(r"^[ \t]*(?:import|from)[ \t]+random\b", re.MULTILINE)


def finding_of(
    verdict: Verdict, source: Source, contract: type[BasePlayer], where: str = ""
) -> Finding:
    """Say what a verdict says, and how to mend it.

    Args:
        verdict: Of a player.
        source: Of that player.
        contract: Of the game that it was asked for.
        where: In which situation it arose; empty if in a match.
    """
    place = verdict.place or source.place_of(verdict.call)
    message = OWN_WORDS.sub("", verdict.message)
    if where:
        message = f"with {where}: {message}"
    elif verdict.decision:
        message = f"{message} (round {verdict.round})"
    return Finding(message, place, _remedy(verdict, source.language, source.files, contract))


def remedy_on_board(verdict: Verdict, language: Language, rules: Rules) -> str:
    """Say how to mend what a board tells of somebody, as a check would; empty if nobody knows.

    Args:
        verdict: Of a player.
        language: That it is written in.
        rules: Of the game that was played.
    """
    # What would have been legal is said, and how to give it differs from game to game.
    if verdict.cause == "illegal" and not rules.game.examiner(rules):
        return ""
    return _remedy(verdict, language, (), rules.game.contract())


def _remedy(verdict: Verdict, language: Language, files: Texts, contract: type[BasePlayer]) -> str:
    for words, remedy in BY_WORDS.items():
        if words in verdict.message:
            return remedy
    if remedy := _parameters_remedy(verdict, files, contract):
        return remedy
    if verdict.cause == "raised" and verdict.call == "import":
        if game := _game_of_module(verdict.message):
            return f"if it plays {game}, check it with --game {game}"
        named = (remedy for error, remedy in AT_IMPORT.items() if error in verdict.message)
        return next(named, "mend that line: the file must load by itself")
    if verdict.cause == "cpu" and verdict.call == "import":
        return TOO_SLOW
    remedies = {**ILLEGAL, **REMEDIES, **language.remedies}
    return remedies.get(verdict.call if verdict.cause == "illegal" else verdict.cause, "")


def _game_of_module(message: str) -> str:
    """Name the installed game whose players import a module that a file did not get; or ""."""
    missing = MISSING.search(message)
    for name, game in installed_plugins().games.items() if missing else ():
        contract = game.rules.game.contract()
        if missing and contract.__module__.partition(".")[0] == missing[1]:
            return name
    return ""


def unfinished_finding(told: str, source: Source) -> Finding | None:
    """Say which class in a file is no player yet, and what it lacks.

    Args:
        told: By a process that was given what `Language.explaining` gives.
        source: Of the file as it is.
    """
    if not (found := UNFINISHED.search(told)):
        return None
    line = re.search(rf"^class[ \t]+{found[1]}\b", source.text, re.MULTILINE)
    at = source.text.count("\n", 0, line.start()) + 1 if line else 1
    remedy = f"define {found[2]} in {found[1]}" if found[2] else TO_INHERIT.format(found[1])
    return Finding(found[0], f"{source.name}:{at}", remedy)


def _parameters_remedy(verdict: Verdict, files: Texts, contract: type[BasePlayer]) -> str:
    """Say what a method's parameters lack: defaults where players are made, self, or others."""
    if verdict.call == "constructor" and (ungiven := UNGIVEN.search(verdict.message)):
        return f"players are made without arguments: give {ungiven[1]} a default"
    without_self = re.compile(rf"\bdef {re.escape(verdict.call)}\((?!\s*self\b)")
    if TOO_MANY.search(verdict.message) and any(without_self.search(t) for _, t in files):
        return f"write self as the first parameter of {verdict.call}"
    unfit = re.compile(rf"\b{re.escape(verdict.call)}\(\) (?:takes|missing) ")
    method = getattr(contract, verdict.call, None)
    # Who calls a method of its own wrongly has a place: the line where it does.
    if method and not verdict.place and unfit.search(verdict.message):
        parameters = ", ".join(inspect.signature(method).parameters)
        return f"write `def {verdict.call}({parameters}):`"
    return ""


def repeat_finding(where: object, source: Source, *, is_shared: bool) -> Finding:
    """Say that a player does not play the same again.

    Args:
        where: The first difference, in words.
        source: Of the player.
        is_shared: It only plays otherwise beside other tables, or at the same in another order.
    """
    text, name = source.text, source.name
    luck = USES_RANDOM.search(text)
    place = f"{name}:{text.count(chr(10), 0, luck.end()) + 1}" if luck else name
    if own := source.language.remedies.get("unrepeatable"):
        remedy = own
    elif luck:
        remedy = "use self.random, which is the same whenever a block is played again"
    elif is_shared:
        remedy = "keep what a game changes in self, and nothing in the class or the module"
    else:
        remedy = "decide by the cards and the chips, and ask for no time"
    when = "in another order" if is_shared else "the same again"
    return Finding(
        f"expected the same answers when its tables are played {when}, got others: {where}",
        place,
        remedy,
        is_warning=is_shared and not luck,
    )


def slow_finding(cost: float, most: float, name: str) -> Finding:
    """Warn of decisions that take more than half of what is allowed, in seconds."""
    return Finding(
        f"expected well under {MICRO * most:.0f} µs of computing for a decision, "
        f"got {MICRO * cost:.0f} µs, more than half",
        name,
        "work things out once and keep them",
        is_warning=True,
    )


def coding_findings(source: Source) -> Iterator[Finding]:
    """Warn of files that name another alphabet, in which they could say something else."""
    for name, text in source.files:
        for number, line in enumerate(text.splitlines()[:2], 1):
            found = CODING.match(line) if name.endswith(".py") else None
            if found and found[1].lower().replace("_", "-") not in UTF_8:
                yield Finding(
                    f"expected UTF-8, as every file is read here, got the name of {found[1]}: "
                    "elsewhere something else may run than what people read",
                    f"{name}:{number}",
                    "remove the remark",
                    is_warning=True,
                )


def hidden_findings(source: Source) -> Iterator[Finding]:
    """Warn of the first characters of a source that cannot be seen."""
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
