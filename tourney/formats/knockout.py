"""Knockouts: heats at one table against the same dealer; the best of a heat advance.

`knockout` and `elimination-blackjack` share their options and schedule. In the latter, the lowest
stack goes out after given rounds, and bets are secret in some rounds. docs/rules/knockout.md and
docs/rules/elimination_blackjack.md number the rules.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Ge, Le

from tourney.errors import FormatError
from tourney.formats.base import Format, Happening, OnFault, Schedule
from tourney.formats.bracket import Bracket, BracketPlan
from tourney.formats.field import Field
from tourney.formats.group_tables import (
    instead_of,
    most_seats,
    refuse_few,
    refuse_limit,
    refuse_no_company,
)
from tourney.formats.heats import Heat, HeatPlan
from tourney.game.blocks import Batch
from tourney.game.ledger import BlockResult
from tourney.game.rules import Rules
from tourney.standings.meetings import Better, by_places
from tourney.standings.places import Finish, by_score
from tourney.standings.standing import FINISH, Measure

ROUNDS_IN_A_BATCH = 100_000
"""Default size of a batch, in rounds times seats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heats(Format):
    """Options of formats in which the best of a heat advance."""

    seats: Annotated[int, Ge(2), Le(7)] | None = None
    """Most seats at a table; heats are as even as possible. By default seven, or as many as the
    game allows."""

    rounds: Annotated[int, Ge(1), Le(1_000_000)] = 30
    """Rounds of a heat."""

    advance: Annotated[int, Ge(1), Le(3)] = 1
    """Places of a heat that advance; the final has one winner."""

    wildcards: Annotated[int, Ge(0), Le(1_000_000)] = 0
    """Most losers with the most chips that advance after each tier of heats, only to fill seats of
    the next tier."""

    reentries: Annotated[int, Ge(0), Le(100)] = 0
    """Times that losers of the first tier may try again if their policy allows it."""

    times: Annotated[int, Ge(1), Le(1_000_000)] = 1
    """Repetitions of the whole knockout, each with new lots and shoes; the mean place counts."""

    batch_tables: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Tables that are played and stored together."""

    on_fault: OnFault = "zero"
    """Cost of a verdict, in addition to the seat: zero (the entrant counts as having no chips),
    disqualify (no place) or keep (its chips at that time count)."""

    @property
    def asks_policies(self) -> tuple[str, ...]:
        """Settings of an entrant's policy that the format uses."""
        return ("reentries",) if self.reentries else ()

    @property
    def scheduled_rounds(self) -> int:
        """Rounds that an entrant is scheduled to play at one table."""
        return self.rounds

    @property
    @abstractmethod
    def ends(self) -> tuple[int, ...]:
        """Rounds after which a part of a heat ends; the last one ends the heat."""

    @property
    @abstractmethod
    def secret(self) -> tuple[int, ...]:
        """Rounds in which bets are hidden until all are placed."""

    def seats_at(self, rules: Rules) -> int:
        """Return the most seats at a table."""
        return self.seats or most_seats(rules)

    def check(self, entrants: int, rules: Rules) -> None:
        """Raise FormatError for tables that the game or the bracket cannot have."""
        refuse_no_company("knockout", rules)
        seats = self.seats_at(rules)
        if seats not in rules.seats:
            raise FormatError(f"seats: expected {seats_words(rules.seats)}, got {seats}")
        if self.advance > seats // 2:
            raise FormatError(
                f"advance: {self.advance} is more than half of the {seats} seats, so the "
                f"number of tables would not shrink; use at most {seats // 2}"
            )
        refuse_few(entrants, max(2, rules.seats.start), str(rules.game))
        refuse_limit(rules)

    def measure(self, rules: Rules) -> Measure:
        """Rank by the result of the knockout."""
        del rules
        return FINISH

    def table_words(self, rules: Rules) -> str:
        """Describe the play at one table."""
        best = "the best one advances" if self.advance == 1 else f"the best {self.advance} advance"
        again = f", {self.times:,} times" if self.times > 1 else ""
        seats = self.seats_at(rules)
        return f"heats of {self.rounds:,} rounds, {seats} seats at a table, {best}{again}"

    def schedule(self, field: Field) -> Schedule:
        """Create the schedule of a field."""
        return HeatsSchedule(self, field)


@dataclass(frozen=True, slots=True, kw_only=True)
class Knockout(Heats):
    """Heats at one table; the best one to three advance, until the final."""

    summary: ClassVar[str] = "heats at one table; the best of each advance until one is left"

    @property
    def ends(self) -> tuple[int, ...]:
        """Play a heat in one part."""
        return (self.rounds,)

    @property
    def secret(self) -> tuple[int, ...]:
        """Show each bet when it is placed."""
        return ()


class HeatsSchedule(Schedule):
    """Plays brackets side by side: each wave has a part of all heats in progress."""

    def __init__(self, options: Heats, field: Field) -> None:
        """Draw the first heats of all brackets."""
        heats = HeatPlan(
            field=field,
            seats=options.seats_at(field.rules),
            advance=options.advance,
            ends=options.ends,
            secret_rounds=options.secret,
            fault=options.fault,
        )
        plan = BracketPlan(heats=heats, wildcards=options.wildcards, reentries=options.reentries)
        self._field = field
        self._may_try_again = options.reentries > 0
        self._batch_tables = options.batch_tables or max(
            1, ROUNDS_IN_A_BATCH // (options.rounds * options.seats_at(field.rules))
        )
        self._brackets = [Bracket(plan, number) for number in range(options.times)]

    def waves(self) -> Iterator[Iterable[Batch]]:
        """Create one part of each heat in progress, until all brackets are over."""
        wave = number = 0
        while heats := [heat for bracket in self._brackets for heat in bracket.heats]:
            yield self._wave(wave, number, heats)
            number += -(-len(heats) // self._batch_tables)
            wave += 1

    def take(self, result: BlockResult) -> None:
        """Pass a result to its bracket."""
        self._brackets[result.key.heat].take(result)

    def happenings(self) -> tuple[Happening, ...]:
        """Return the decisions of a single bracket; those of several would confuse viewers."""
        events = [each for bracket in self._brackets for each in bracket.happenings]
        for bracket in self._brackets:
            bracket.happenings.clear()
        return tuple(events) if len(self._brackets) == 1 else ()

    def finishes(self) -> tuple[Finish, ...]:
        """Return the places: those of the bracket, or by the mean over all brackets."""
        if len(self._brackets) == 1:
            return self._of_one(self._brackets[0])
        sums, wins = [0] * self._field.entrants, [0] * self._field.entrants
        for bracket in self._brackets:
            for entrant, place in bracket.standings():
                sums[entrant] += place
                wins[entrant] += place == 1
        times = len(self._brackets)
        scores = by_score((entrant, -total) for entrant, total in enumerate(sums))
        return tuple(
            Finish(
                entrant,
                place,
                sum(bracket.bankroll(entrant) for bracket in self._brackets) // times,
                f"mean place {sums[entrant] / times:.2f}, won {wins[entrant]:,} of {times:,}",
                counts=self._counts(entrant),
            )
            for entrant, place, _ in scores
        )

    def better(self) -> Better:
        """Compare entrants by their places in all brackets."""
        places = [[place for _, place in sorted(each.standings())] for each in self._brackets]
        return by_places(places)

    def _wave(self, wave: int, first: int, heats: Sequence[Heat]) -> Iterator[Batch]:
        for number, start in enumerate(range(0, len(heats), self._batch_tables), start=first):
            some = heats[start : start + self._batch_tables]
            yield Batch(wave, number, tuple(heat.block() for heat in some))

    def _of_one(self, bracket: Bracket) -> tuple[Finish, ...]:
        return tuple(
            Finish(
                entrant,
                place,
                bracket.bankroll(entrant),
                bracket.note(entrant),
                counts=self._counts(entrant),
            )
            for entrant, place in sorted(bracket.standings(), key=lambda pair: pair[::-1])
        )

    def _counts(self, entrant: int) -> tuple[tuple[str, int], ...]:
        counts = (
            ("heats", sum(bracket.seated[entrant] for bracket in self._brackets)),
            ("heats won", sum(bracket.won[entrant] for bracket in self._brackets)),
        )
        if not self._may_try_again:
            return counts
        return (*counts, ("re-entries", sum(each.tries[entrant] for each in self._brackets)))


def seats_words(seats: range) -> str:
    """Write the numbers of seats that a game allows.

    >>> seats_words(range(4, 5)), seats_words(range(1, 8))
    ('4', '2 to 7')
    """
    least, most = max(2, seats.start), seats.stop - 1
    return str(most) if least >= most else f"{least} to {most}"


RoundNumber = Annotated[int, Ge(1), Le(1_000_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class EliminationBlackjack(Heats):
    """A knockout in which the lowest stack of a table goes out after given rounds."""

    out_after: tuple[RoundNumber, ...] = (8, 16, 25)
    """Rounds of a heat after which the entrant with the fewest chips is out."""

    secret_rounds: tuple[RoundNumber, ...] | None = None
    """Rounds of a heat in which wagers are hidden until all are placed; by default the last one."""

    summary: ClassVar[str] = "a knockout in which the lowest stack goes out after given rounds"

    @property
    def ends(self) -> tuple[int, ...]:
        """End a part of the heat after each elimination round."""
        return (*self.out_after, self.rounds)

    @property
    def secret(self) -> tuple[int, ...]:
        """Rounds with secret bets."""
        return (self.rounds,) if self.secret_rounds is None else self.secret_rounds

    def check(self, entrants: int, rules: Rules) -> None:
        """Raise FormatError for games without chips, and for rounds beyond the heat."""
        refuse_no_company("elimination-blackjack", rules)
        if rules.most_points is not None:
            raise FormatError(
                f"elimination-blackjack needs a game of chips, and {rules.game} has none; use the "
                "format knockout"
            )
        least = self.advance + 1
        if least not in rules.seats:
            raise FormatError(
                f"in elimination-blackjack players leave a table one by one, and {rules.game} "
                f"needs {rules.seats.start}; {instead_of('elimination-blackjack', rules)}"
            )
        ends = self.ends
        if list(ends) != sorted(set(ends)):
            raise FormatError(
                f"out_after: rounds must increase and be less than {self.rounds}, the rounds of a "
                f"heat; these are {', '.join(map(str, self.out_after))}"
            )
        for number in self.secret:
            if number > self.rounds:
                raise FormatError(
                    f"secret_rounds: {number} is greater than {self.rounds}, the rounds of a heat"
                )
        Heats.check(self, entrants, rules)

    def table_words(self, rules: Rules) -> str:
        """Describe the play at one table."""
        words = Heats.table_words(self, rules)
        after = ", ".join(map(str, self.out_after))
        return f"{words}, the lowest goes out after rounds {after}" if after else words
