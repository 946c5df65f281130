"""The input of a format: entrants, stakes, the secret of the run, luck, and early stopping.

A format numbers its players from 0. The field knows their numbers in the run and the stage, and
writes both into blocks.

At an interim analysis the board decides whether more tables are played. An analysis uses whole
waves and only their results. A run therefore stops at the same analysis on any number of workers,
and also after an interruption.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, TypeAlias

from annotated_types import Ge, Le

from tourney.errors import FormatError
from tourney.game.blocks import Block, Seat, TableState
from tourney.game.cards.generator import Generator, draw, draw_group, groups
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.rules import Rules
from tourney.lazy import Module
from tourney.standings.confidence import is_told_apart
from tourney.standings.fold import rank
from tourney.standings.standing import EntrantLabel
from tourney.standings.tallies import Count, Scoring

if TYPE_CHECKING:
    from tourney.config import model
    from tourney.config.model import FormatConfig
else:
    model = Module("tourney.config.model")


class Lots:
    """Random draws for one place of a tournament."""

    def __init__(self, key: bytes) -> None:
        """Start the draws.

        Args:
            key: 16 bytes of the place.
        """
        self._halves = Generator(key).halves(0)

    def below(self, bound: int) -> int:
        """Draw a number from 0 up to, but not including, a bound."""
        (group,) = groups((bound,))
        return draw_group(group, self._halves)[0]

    def shuffled(self, entrants: Sequence[int]) -> list[int]:
        """Put entrants into a random order; all orders are equally likely."""
        order = list(entrants)
        for position, index in enumerate(draw(range(len(order), 0, -1), self._halves)):
            chosen = position + index
            order[position], order[chosen] = order[chosen], order[position]
        return order


@dataclass(frozen=True, slots=True)
class Field:
    """Everything that decides the blocks of a tournament, except the strategies."""

    entrants: int  # number of entrants
    rules: Rules
    bankroll: int  # of each entrant at the start, in the unit of the rules; 0 without chips
    minimum: int  # minimum bet, in the unit of the rules; 0 without chips
    maximum: int  # maximum bet, in the unit of the rules; 0 without chips
    secret: Secret
    follows_luck: bool = False  # whether the luck of the cards is summed up
    stage: int = 0  # of the tournament, from 0
    steps: tuple[tuple[int, int], ...] = ()  # (tables, entrants): at first, after each extension
    numbers: tuple[int, ...] | None = None  # of the players in the run; None for all, in order
    bankrolls: tuple[int, ...] | None = None  # at the start, if they differ
    clock: Callable[[], float] = lambda: 0.0  # seconds of the floor, at the beginning of a wave
    policies: tuple[model.PolicyConfig, ...] | None = None  # by number in the run, or defaults
    names: tuple[str, ...] | None = None  # by number in the run; None if formats may not use them

    @property
    def has_chips(self) -> bool:
        """Whether the game counts chips, not points."""
        return self.rules.most_points is None

    def begins_with(self, entrant: int) -> int:
        """Return an entrant's bankroll at the start."""
        return self.bankrolls[entrant] if self.bankrolls else self.bankroll

    def policy(self, entrant: int) -> model.PolicyConfig:
        """Return an entrant's choices where a format offers any."""
        if not self.policies:
            return model.PolicyConfig()
        return self.policies[self.number_of(entrant)]

    def number_of(self, entrant: int) -> int:
        """Return an entrant's number in the run."""
        return self.numbers[entrant] if self.numbers else entrant

    def playing(self, rules: Rules) -> Field:
        """Return the same field with other rules."""
        return replace(self, rules=rules)

    def shuffled(self, place: tuple[int, int], entrants: Sequence[int]) -> list[int]:
        """Put entrants into a random order; all orders are equally likely.

        Args:
            place: Heat and table of the draw.
            entrants: Their numbers.
        """
        return self.lots(place).shuffled(entrants)

    def lots(self, place: tuple[int, int]) -> Lots:
        """Return the draws of a place.

        Args:
            place: Heat and table of the draw.
        """
        return Lots(self.secret.seating_key(self.stage, *place))

    def block(
        self,
        key: BlockKey,
        seats: Sequence[tuple[int, int]],
        rounds: int,
        *,
        minimum: int | None = None,
        state: TableState | None = None,
    ) -> Block:
        """Create a block.

        Args:
            key: Its place in the stage.
            seats: Entrant and bankroll of each seat, in the order of play.
            rounds: Most rounds to play.
            minimum: Minimum bet, in the unit of the rules; by default that of the field.
            state: The public state of the tournament.
        """
        key = key._replace(stage=self.stage)
        return Block(
            key=key,
            rules=self.rules,
            seats=tuple(
                Seat(self.number_of(entrant), bankroll, self.secret.seat_key(key, number))
                for number, (entrant, bankroll) in enumerate(seats)
            ),
            minimum=self.minimum if minimum is None else minimum,
            maximum=self.maximum,
            rounds=rounds,
            shoe_key=self.secret.shoe_key(key.stage, key.heat, key.table, key.first_round),
            state=state or TableState(),
            follows_luck=self.follows_luck,
        )


Looks: TypeAlias = tuple[Annotated[int, Ge(1), Le(1_000_000)], ...]
"""Numbers of tables."""


def check_looks(looks: Sequence[int] | None, stop: str, tables: int) -> None:
    """Raise FormatError for interim analyses that are unused or not in order."""
    if looks is None:
        return
    if stop == "at-the-end":
        raise FormatError("looks: only used with stop: separated; add it, or remove looks")
    is_rising = all(one < other for one, other in pairwise((0, *looks)))
    if not is_rising or looks[-1] > tables:
        raise FormatError(
            f"looks: numbers must increase and be at most tables: {tables}; these are "
            f"{', '.join(map(str, looks))}"
        )


class Stopping:
    """Receives results, and decides at each interim analysis whether they suffice."""

    def __init__(self, field: Field, scoring: Scoring, tables: int) -> None:
        """Set up the analyses.

        Args:
            field: The entrants and the game.
            scoring: How results count, and when to analyse; without analyses all tables are played.
            tables: Greatest number of tables.
        """
        self._scoring = scoring
        self._count = Count(field.entrants, scoring)
        self._labels = [EntrantLabel(str(number), "") for number in range(field.entrants)]
        ends = scoring.looks or (tables,)
        self.parts = tuple(range(*each) for each in pairwise((0, *ends)))
        """The tables that are played before each analysis."""

    def take(self, result: BlockResult) -> None:
        """Receive a result; it is used only if there are analyses."""
        if self._scoring.looks:
            self._count.take(result)

    def is_over(self) -> bool:
        """Return, after the last wave before an analysis, whether the run can stop."""
        if not self._scoring.looks:
            return False
        return is_told_apart(rank(self._count.tallies, self._labels, self._scoring))


MOST_BANKROLL = 10_000_000
"""In chips, for luck to be recorded by default: the sum would overflow beyond 2**31."""


def why_luck_stays(rules: Rules, chosen: FormatConfig) -> str:
    """Return the reason why luck cannot be removed from results; empty if it can."""
    if reason := rules.game.why_luck_stays(rules):
        return reason
    if not chosen.options.adjusts_luck:
        return f"in {chosen.kind} the actual chips decide"
    return ""


def why_luck_is_left(
    rules: Rules, chosen: FormatConfig, bankroll: int, *, setting: bool | None
) -> str:
    """Return the reason why a run keeps luck in its results; empty if it removes luck.

    Args:
        rules: The game.
        chosen: The format.
        bankroll: At the start, in chips.
        setting: Whether the configuration requests it; `None` if not set.
    """
    if setting is False:
        return "luck_adjustment is false in the configuration"
    if setting:
        return ""
    reason = why_luck_stays(rules, chosen)
    if not reason and bankroll > MOST_BANKROLL:
        return (
            f"its sum might overflow with a bankroll of {bankroll:,} chips, more than "
            f"{MOST_BANKROLL:,}"
        )
    return reason
