"""Knockouts: heats at one table against the same dealer; the best of a heat go on.

The same options and the same schedule serve every format of heats: `knockout`, and
`elimination-blackjack`, whose heats lose their lowest stack after given rounds and in which
everybody bets in secret in some. The rules are numbered in docs/rules/knockout.md and
docs/rules/elimination_blackjack.md.
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
from tourney.formats.group_tables import refuse_few, refuse_limit
from tourney.formats.heats import Heat, HeatPlan
from tourney.game.blocks import Batch
from tourney.game.ledger import BlockResult
from tourney.game.rules import Rules
from tourney.standings.meetings import Better, by_places
from tourney.standings.places import Finish, by_score
from tourney.standings.standing import FINISH, Measure

ROUNDS_IN_A_BATCH = 100_000
"""What a batch holds where the organiser does not say, counted at every seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heats(Format):
    """Options of formats in which the best of a heat go on."""

    seats: Annotated[int, Ge(2), Le(7)] = 7
    """Seats at a table, at most; heats are as even as can be."""

    rounds: Annotated[int, Ge(1), Le(1_000_000)] = 30
    """Rounds of a heat."""

    advance: Annotated[int, Ge(1), Le(3)] = 1
    """Places of a heat that advance; the final has one winner."""

    wildcards: Annotated[int, Ge(0), Le(1_000_000)] = 0
    """Losers with the most chips that advance, at most this many after each tier of heats, and only
    to fill seats of the next tier."""

    reentries: Annotated[int, Ge(0), Le(100)] = 0
    """Times that losers of the first tier may try again if their policy says so."""

    times: Annotated[int, Ge(1), Le(1_000_000)] = 1
    """Repetitions of the whole, each with other lots and shoes; then the mean place counts."""

    batch_tables: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Tables that are played and stored together."""

    on_fault: OnFault = "zero"
    """What a verdict costs, besides the seat: zero (it counts as having no chips left), disqualify
    (no place) or keep (the chips it had count)."""

    @property
    def asks_policies(self) -> tuple[str, ...]:
        """Which settings of a policy are asked for."""
        return ("reentries",) if self.reentries else ()

    @property
    def scheduled_rounds(self) -> int:
        """Rounds an entrant is to play at one table."""
        return self.rounds

    @property
    @abstractmethod
    def ends(self) -> tuple[int, ...]:
        """Rounds after which a part of a heat is over; the last one ends it."""

    @property
    @abstractmethod
    def secret(self) -> tuple[int, ...]:
        """Rounds in which nobody sees a wager before all are placed."""

    def check(self, entrants: int, rules: Rules) -> None:
        """Refuse tables that the game or the bracket cannot have."""
        if self.seats not in rules.seats:
            raise FormatError(f"seats: expected {seats_words(rules.seats)}, got {self.seats}")
        if self.advance > self.seats // 2:
            raise FormatError(
                f"advance: expected at most half of the {self.seats} seats, so that there are "
                f"fewer tables every time, got {self.advance}"
            )
        refuse_few(entrants, max(2, rules.seats.start), str(rules.game))
        refuse_limit(rules)

    def measure(self, rules: Rules) -> Measure:
        """Count how it ended."""
        del rules
        return FINISH

    def table_words(self, rules: Rules) -> str:
        """Say what is played at one table."""
        del rules
        best = "the best one goes on" if self.advance == 1 else f"the best {self.advance} go on"
        again = f", {self.times:,} times" if self.times > 1 else ""
        return f"heats of {self.rounds:,} rounds, {self.seats} seats at a table, {best}{again}"

    def schedule(self, field: Field) -> Schedule:
        """Draw up the tournament of a field."""
        return HeatsSchedule(self, field)


@dataclass(frozen=True, slots=True, kw_only=True)
class Knockout(Heats):
    """Heats at one table; the best one or two go on, until the final."""

    summary: ClassVar[str] = "heats at one table; the best of each advance until one is left"

    @property
    def ends(self) -> tuple[int, ...]:
        """Play a heat in one part."""
        return (self.rounds,)

    @property
    def secret(self) -> tuple[int, ...]:
        """Show every wager when it is placed."""
        return ()


class HeatsSchedule(Schedule):
    """Plays brackets side by side: every wave has a part of all heats that are on their way."""

    def __init__(self, options: Heats, field: Field) -> None:
        """Draw the first heats of all brackets."""
        heats = HeatPlan(
            field=field,
            seats=options.seats,
            advance=options.advance,
            ends=options.ends,
            secret_rounds=options.secret,
            fault=options.fault,
        )
        plan = BracketPlan(heats=heats, wildcards=options.wildcards, reentries=options.reentries)
        self._field = field
        self._may_try_again = options.reentries > 0
        self._batch_tables = options.batch_tables or max(
            1, ROUNDS_IN_A_BATCH // (options.rounds * options.seats)
        )
        self._brackets = [Bracket(plan, number) for number in range(options.times)]

    def waves(self) -> Iterator[Iterable[Batch]]:
        """Draw up one part of every heat that is on its way, until all brackets are over."""
        wave = number = 0
        while heats := [heat for bracket in self._brackets for heat in bracket.heats]:
            yield self._wave(wave, number, heats)
            number += -(-len(heats) // self._batch_tables)
            wave += 1

    def take(self, result: BlockResult) -> None:
        """Hand a result to its bracket."""
        self._brackets[result.key.heat].take(result)

    def happenings(self) -> tuple[Happening, ...]:
        """Give what was decided; of many brackets at a time nobody could make sense."""
        told = [each for bracket in self._brackets for each in bracket.happenings]
        for bracket in self._brackets:
            bracket.happenings.clear()
        return tuple(told) if len(self._brackets) == 1 else ()

    def finishes(self) -> tuple[Finish, ...]:
        """Give everybody's place: the bracket's, or by the mean of all of them."""
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
        """Say who is known to be better, by the places of all brackets."""
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
    """Say how many seats can meet in a game.

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
