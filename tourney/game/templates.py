"""The file that a new player starts from, and its test, for any game.

Made from the contract: each of its methods answers something that is always legal, found out by
looking at turns. Leaves out how files are called; see `Templates`.
"""

import inspect
from collections.abc import Sequence
from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from tourney.errors import PluginError
from tourney.game.situations import situations
from tourney.game.turns import Turn

if TYPE_CHECKING:  # rules name their game, so what knows rules is loaded after this
    from tourney.game.rules import Rules

MOST_TURNS = 1_000
"""That are looked at."""

PLAYER = '''\
"""NAME: say in a line or two what your player does, and why it might win."""

IMPORTS


class NAME(CONTRACT):
    """Does the same at every turn, which is legal; now think of something better."""

    # A player is made anew for every block of rounds. To remember something until its
    # end, write an __init__. Its parameters are options: `options: {caution: 8}`.

METHODS
    # For luck, use self.random, so that a round can be played again.
'''

METHOD = '''\
    def CALL(PARAMETERS):
        """TOLD"""
        return ANSWER
'''

TEST = '''\
"""What FILE.py must do: `python test_FILE.py` runs these tests, and so does pytest."""

from tourney.testing import GameConformance, run_tests

from FILE import NAME


class TestNAME(GameConformance):
    """What every player must keep to; the platform brings these tests."""

    competitor = NAME


if __name__ == "__main__":
    run_tests(globals())
'''


class Templates(NamedTuple):
    """Texts, in which NAME stands for the class and FILE for the module."""

    competitor: str
    test: str  # empty where there is nothing to test, as of a chart
    suffix: str = ".py"  # of the competitor's file


def templates_of(rules: "Rules") -> Templates:
    """Make templates from a contract.

    Args:
        rules: Of a game whose table has a flow.
    Raises: PluginError, if no answer can be found that is always legal.
    """
    contract = rules.game.contract()
    turns = list(islice(situations(rules), MOST_TURNS))
    names = {contract.__module__: {contract.__name__}}
    methods = []
    for call in sorted(contract.__abstractmethods__):
        asked = [turn for turn in turns if turn.call == call]
        method = getattr(contract, call)
        answer = _from_view(asked, method) or _constant(asked, names)
        if not answer:
            raise PluginError(
                f"game {rules.game}: expected templates() of the game, as no answer to {call} "
                "was found that is always legal; got none: ask whoever offers the game"
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


def _from_view(turns: Sequence[Turn[Any, Any]], method: Any) -> str:
    """Name what a view has, the first of which is always legal; nothing if there is no such."""
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
    """Write an action that is always legal, and note what has to be imported for it."""
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
