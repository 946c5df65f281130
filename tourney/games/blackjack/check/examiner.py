"""The check of players of blackjack, as the platform asks for it."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from tourney import lazy
from tourney.game.asking.exchange import AnyPool
from tourney.game.blocks import HOUSE_LIMIT
from tourney.game.examiner import Examiner, Situations
from tourney.game.players import BasePlayer
from tourney.games.blackjack.check.situations import ask_situations
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.players.declaration_request import declaration_of
from tourney.games.blackjack.rules import BlackjackRules

if TYPE_CHECKING:
    from tourney.games.blackjack.check import matches
else:  # to import it loads numba, which a file that does not load never needs
    matches = lazy.Module("tourney.games.blackjack.check.matches")


class BlackjackExaminer(Examiner):
    """Asks and plays by some rules."""

    beside = ("simple", "counting")
    """The documents' players, which a competitor must not copy."""

    def __init__(self, rules: BlackjackRules) -> None:
        self._rules = rules

    @property
    def tables(self) -> int:
        """As many as take a second."""
        return matches.TABLES

    @property
    def rounds(self) -> int:
        """As many as a shoe or two have."""
        return matches.ROUNDS

    def ask(
        self,
        pool: AnyPool,
        minimum: int,
        maximum: int = HOUSE_LIMIT,
        *,
        hands_only: bool = False,
    ) -> Situations:
        """Ask about rare hands."""
        return ask_situations(pool, self._rules, minimum, maximum, hands_only=hands_only)

    def play(
        self,
        pool: AnyPool,
        minimum: int,
        tables: Sequence[int],
        onlookers: Sequence[type[BasePlayer]] = (),
        maximum: int = HOUSE_LIMIT,
    ) -> "matches.Played":
        """Play a match."""
        declared = [_declared(each, self._rules) for each in onlookers]
        return matches.play_match(pool, self._rules, minimum, tables, declared, maximum=maximum)

    def is_repeated(self, pool: AnyPool, match: "matches.Played", tables: Sequence[int]) -> bool:
        """Ask again."""
        return matches.is_repeated(pool, match, tables)

    def difference(self, one: "matches.Played", other: "matches.Played") -> str:
        """Look for the first answer that differs."""
        return str(matches.first_difference(one, other) or "")

    def answers(self, match: "matches.Played", tables: Sequence[int]) -> str:
        """Take the questions with what was seen, and the answers."""
        return matches.answers_digest(match, tables)


@cache
def _declared(kind: type[BasePlayer], rules: BlackjackRules) -> Declaration:
    """Give what one of those `beside` declares, which is the same in every check."""
    declared = declaration_of(kind(), rules)  # type: ignore[arg-type]  # of this game, or it says so
    assert isinstance(declared, Declaration), declared.reason
    return declared
