"""Starter files for a new player and its test, for any game.

They are made from the contract: each method gives an answer that is legal at every turn, found by
trying turns.
"""

import inspect
from collections.abc import Sequence
from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from tourney.errors import PluginError
from tourney.game.conformance import situations
from tourney.game.turns import Turn

if TYPE_CHECKING:  # rules import their game, so this would be a cycle
    from tourney.game.rules import Rules

MOST_TURNS = 1_000
"""Most turns that are tried."""

PLAYER = '''\
"""NAME: describe in a line or two how your player plays, and why it might win."""

IMPORTS


class NAME(CONTRACT):
    """Gives the same legal answer at every turn; now think of something better."""

    # Every block of rounds gets a new player. To remember something until its end,
    # write an __init__. Its parameters are options: `options: {caution: 8}`.

METHODS
    # For random numbers, use self.random, so that a round can be replayed.
'''

METHOD = '''\
    def CALL(PARAMETERS):
        """TOLD"""
        return ANSWER
'''

TEST = '''\
"""Tests of FILE.py. Run them with `python test_FILE.py` or with pytest."""

from tourney.testing import GameConformance, run_tests

from FILE import NAME


class TestNAME(GameConformance):
    """The tests that every player must pass; they come with the platform."""

    competitor = NAME


if __name__ == "__main__":
    run_tests(globals())
'''


class Templates(NamedTuple):
    """Texts of files; NAME stands for the class and FILE for the module."""

    competitor: str
    test: str  # empty if there is no test, as for a chart
    suffix: str = ".py"  # of the competitor's file


def templates_of(rules: "Rules") -> Templates:
    """Make templates from a contract.

    Args:
        rules: Rules of a game whose table has a flow.
    Raises: PluginError, if no answer is legal at all turns.
    """
    contract = rules.game.contract()
    turns = list(islice(situations(rules), MOST_TURNS))
    names = {contract.__module__: {contract.__name__}}
    methods = []
    for call in sorted(contract.__abstractmethods__):
        asked = [turn for turn in turns if turn.call == call]
        method = getattr(contract, call)
        answer = always_legal(asked, method, names)
        if not answer:
            raise PluginError(
                f"no template can be made for game {rules.game}: no answer to {call} is legal at "
                "every turn; the author of the game should define templates()"
            )
        parameters = ", ".join(inspect.signature(method).parameters)
        told = (inspect.getdoc(method) or "Answer.").partition("\n")[0]
        text = METHOD.replace("CALL", call).replace("PARAMETERS", parameters)
        methods.append(text.replace("TOLD", told).replace("ANSWER", answer))
    imports = "\n".join(
        f"from {module} import {', '.join(sorted(names[module]))}" for module in sorted(names)
    )
    text = PLAYER.replace("IMPORTS", imports).replace("METHODS", "\n".join(methods))
    return Templates(text.replace("CONTRACT", contract.__name__), TEST)


def always_legal(turns: Sequence[Turn[Any, Any]], method: Any, names: dict[str, set[str]]) -> str:
    """Return the code of an answer that is legal at every turn; empty if there is none.

    Args:
        turns: The turns.
        method: The method of the contract that answers.
        names: Receives the imports of the code, by module.
    """
    return _from_view(turns, method) or _constant(turns, names)


def _from_view(turns: Sequence[Turn[Any, Any]], method: Any) -> str:
    """Return an expression for an item of the view that is always legal, if there is one."""
    if not turns:
        return ""
    shown = list(inspect.signature(method).parameters)[1]
    for name in sorted(each for each in dir(turns[0].view) if not each.startswith("_")):
        found = [getattr(turn.view, name) for turn in turns]
        if all(
            isinstance(each, tuple) and each and each[0] in turn.legal
            for each, turn in zip(found, turns, strict=True)
        ):
            return f"{shown}.{name}[0]"
    return ""


def _constant(turns: Sequence[Turn[Any, Any]], names: dict[str, set[str]]) -> str:
    """Return the code of an action that is always legal, and add its import to `names`."""
    legal = [turn.legal for turn in turns]
    for action in legal[0] if legal else ():
        if not all(action in each for each in legal):
            continue
        if isinstance(action, Enum):
            kind = type(action)
            names.setdefault(kind.__module__, set()).add(kind.__qualname__)
            return f"{kind.__qualname__}.{action.name}"
        if type(action) in {bool, int, str}:
            return repr(action)
    return ""
