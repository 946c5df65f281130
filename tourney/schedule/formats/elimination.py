"""The format `elimination-blackjack`: a knockout whose heats lose their lowest stack on the way.

After given rounds whoever has least goes out; in some rounds everybody bets in secret. Heats
and brackets are those of the knockout. The rules are numbered in
docs/rules/elimination_blackjack.md.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Ge, Le

from tourney.errors import FormatError
from tourney.game.rules import Rules
from tourney.schedule.formats.knockout import Heats

RoundNumber = Annotated[int, Ge(1), Le(1_000_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class EliminationBlackjack(Heats):
    """A knockout in which the lowest stack of a table goes out after given rounds."""

    out_after: tuple[RoundNumber, ...] = (8, 16, 25)
    """Rounds of a heat after which whoever has the fewest chips goes out."""

    secret_rounds: tuple[RoundNumber, ...] | None = None
    """Rounds of a heat in which nobody sees a wager before all are placed; the last one by
    default."""

    summary: ClassVar[str] = "a knockout in which the lowest stack goes out after given rounds"

    @property
    def ends(self) -> tuple[int, ...]:
        """End a part of the heat wherever somebody goes out."""
        return (*self.out_after, self.rounds)

    @property
    def secret(self) -> tuple[int, ...]:
        """Give the rounds of secret bets."""
        return (self.rounds,) if self.secret_rounds is None else self.secret_rounds

    def check(self, entrants: int, rules: Rules) -> None:
        """Refuse games without chips, and rounds that a heat does not have."""
        if rules.most_points is not None:
            raise FormatError(
                f"expected knockout, as {rules.game} has no chips of which somebody could have "
                "fewest; got elimination-blackjack"
            )
        ends = self.ends
        if list(ends) != sorted(set(ends)):
            raise FormatError(
                f"out_after: expected rounds in order and before the last, which is {self.rounds}; "
                f"got {', '.join(map(str, self.out_after))}"
            )
        for number in self.secret:
            if number > self.rounds:
                raise FormatError(
                    f"secret_rounds: expected rounds up to {self.rounds}, got {number}"
                )
        Heats.check(self, entrants, rules)

    def table_words(self, rules: Rules) -> str:
        """Say what is played at one table."""
        words = Heats.table_words(self, rules)
        after = ", ".join(map(str, self.out_after))
        return f"{words}, the lowest goes out after rounds {after}" if after else words
