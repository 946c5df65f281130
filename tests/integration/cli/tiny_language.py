"""A plugin with two languages that the platform knows nothing of.

A tiny player is two lines, `bet 5` and `draw below 15`. As `tiny` it is data, and as `wild` the
same text is taken for a program, which has to be confined.
"""

import re
from typing import Any

from tourney import Card, Hand, Player, hookimpl
from tourney.errors import SubmissionError
from tourney.plugins.language import OneFile
from tourney.sandbox.wire import Submitted

Texts = tuple[tuple[str, str], ...]

LINES = re.compile(r"bet (\d+)\ndraw below (\d+)\n")
PROGRAM = """\
from tourney import Player


class Tiny(Player):
    def bet(self, bankroll, minimum):
        return min({bet}, bankroll)

    def draw(self, dealer, player):
        return player.total < {below}
"""


class Tiny(OneFile):
    """Two lines that say how to wager and when to draw."""

    title = "a tiny player"
    handed_in = "a tiny player (.tiny)"
    entered_as = "path of a tiny player"
    takes_options = False
    takes_patterns = True
    runs_code = False
    game = "blackjack"
    suffix = ".tiny"

    def read(self, files: Texts) -> Texts:
        """Refuse all but the two lines."""
        _numbers(files)
        return files

    def misfit(self, name: str, files: Texts, rules: Any) -> str:
        """Refuse to play for less than the rules ask for."""
        del name
        bet, least = _numbers(files)[0], getattr(rules, "minimum", None) or 0
        return f"expected a bet of at least {least}, got {bet}" if bet < least else ""

    def load(self, name: str, files: Texts) -> type[Player]:
        """Make a class of the two numbers."""
        del name
        wager, limit = _numbers(files)

        class TinyPlayer(Player):
            def bet(self, bankroll: int, minimum: int) -> int:
                del minimum
                return min(wager, bankroll)

            def draw(self, dealer: Card, player: Hand) -> bool:
                del dealer
                return player.total < limit

        return TinyPlayer

    def sandboxed(self, name: str, files: Texts, options: str = "", place: str = "") -> Submitted:
        """Write a file of Python that does the same."""
        del place
        bet, below = _numbers(files)
        return Submitted(name, PROGRAM.format(bet=bet, below=below).encode(), options=options)


class Wild(Tiny):
    """The same, which may do anything."""

    title = "a wild player"
    handed_in = "a wild player (.wild)"
    entered_as = "path of a wild player"
    runs_code = True
    suffix = ".wild"


def _numbers(files: Texts) -> tuple[int, int]:
    ((name, text),) = files
    found = LINES.fullmatch(text)
    if not found:
        raise SubmissionError(f"{name}:1: expected 'bet N' and 'draw below T', got something else")
    return int(found[1]), int(found[2])


@hookimpl
def tourney_languages() -> dict[str, OneFile]:
    """Offer both."""
    return {"tiny": Tiny(), "wild": Wild()}
