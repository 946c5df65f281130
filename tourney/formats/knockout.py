"""Knockouts: brackets of heats at one table; the best of a heat advance.

`knockout` and `elimination-blackjack` share their options and schedule. In the latter, the lowest
stack goes out after given rounds, and bets are secret in some rounds. docs/rules/knockout.md and
docs/rules/elimination_blackjack.md number the rules.

The bracket decides which players advance when all heats of a tier are over, so the order in which
heats end has no effect.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Ge, Le

from tourney.errors import FormatError
from tourney.formats.base import Event, Format, Happening, OnFault, Schedule
from tourney.formats.field import Field
from tourney.formats.group_tables import (
    instead_of,
    most_seats,
    refuse_few,
    refuse_limit,
    refuse_no_company,
)
from tourney.formats.heats import Heat, KnockoutPlan, Worth, divided, lots_of
from tourney.game.blocks import Batch
from tourney.game.ledger import BlockResult
from tourney.game.rules import Rules
from tourney.standings.places import Better, Finish, by_places, by_score
from tourney.standings.standing import FINISH, Measure


class Bracket:
    """A knockout in progress."""

    def __init__(self, plan: KnockoutPlan, number: int) -> None:
        """Draw the first tier.

        Args:
            plan: Settings of all brackets.
            number: Number of the bracket in its stage, from 0; it selects its shoes and lots.
        """
        self.places: dict[int, int] = {}  # of entrants that are out; at the end, of all
        self.tiers: dict[int, int] = {}  # in which an entrant went out
        self.happenings: list[Happening] = []
        self.seated: Counter[int] = Counter()  # heats that an entrant sat down for
        self.won: Counter[int] = Counter()  # heats from which an entrant advanced
        self.tries: Counter[int] = Counter()  # heats that an entrant tried again
        self.tier = 1
        self.is_final = False
        self._plan = plan
        self._number = number
        self._tables = 0
        self._draws = 0
        self._tries = plan.reentries
        self._drawn: dict[int, Heat] = {}  # undecided heats, by table
        self._open = 0  # undecided heats that are not over
        self._heat_of: dict[int, Heat] = {}  # the last heat of an entrant
        self._playing = list(range(plan.field.entrants))
        self._going: list[int] = []
        self._byes: Counter[int] = Counter()
        self._bankrolls: dict[int, int] = {}  # filled at the end
        self._draw_tier()

    @property
    def is_over(self) -> bool:
        """Whether all places are final."""
        return not self._drawn

    @property
    def heats(self) -> list[Heat]:
        """Heats in progress."""
        return [heat for heat in self._drawn.values() if not heat.is_over]

    def take(self, result: BlockResult) -> None:
        """Take in a result; the last one of a tier decides it."""
        heat = self._drawn[result.key.table]
        heat.take(result)
        self._open -= heat.is_over
        if not self._open:
            self._decide()
        if self.is_over:  # a run may have many brackets, and heats use much memory
            self._bankrolls = {each: self.bankroll(each) for each in self.places}
            self._heat_of.clear()

    def standings(self) -> list[tuple[int, int]]:
        """Return the current places; entrants still in are ahead of those that are out."""
        still = [(each, self.worth(each)) for each in self._playing if each not in self.places]
        return [*((each, place) for each, place, _ in by_score(still)), *self.places.items()]

    def note(self, entrant: int) -> str:
        """Describe an entrant's result."""
        if entrant not in self.places:
            return "in the final" if self.is_final else f"in tier {self.tier}"
        if self.tiers[entrant] < self.tier:
            return f"out in tier {self.tiers[entrant]}"
        return "won" if self.places[entrant] == 1 else "lost the final"

    def worth(self, entrant: int) -> Worth:
        """Return the worth of an entrant's last heat; the start if there is no such heat."""
        if entrant in self._heat_of:
            return self._heat_of[entrant].worths[entrant]
        return Worth(0, self._plan.field.begins_with(entrant))

    def bankroll(self, entrant: int) -> int:
        """Return an entrant's bankroll during or after its last heat."""
        if entrant in self._bankrolls:
            return self._bankrolls[entrant]
        if entrant in self._heat_of:
            return self._heat_of[entrant].bankrolls[entrant]
        return self._plan.field.begins_with(entrant)

    def _decide(self) -> None:
        """Decide which players advance, and draw the next heats."""
        heats = list(self._drawn.values())
        self._drawn.clear()
        if self.is_final:
            self._close([each for heat in heats for each in heat.seats], heats)
            return
        lots = lots_of(self._shuffled(self._playing))
        for heat in heats:
            going = heat.going(lots)
            self._going += going
            self.won.update(going)
        went = set(self._going)
        losers = [each for each in self._playing if each not in went]
        able = [each for each in losers if each not in self._heat_of[each].faulted]
        if self._tries and self._draw_again(able):
            return
        self._going += self._wildcards(able, lots)
        self._close_tier()

    def _draw_again(self, losers: Sequence[int]) -> bool:
        """Seat losers of the first tier again if they want to and fill a heat."""
        self._tries -= 1
        willing = [each for each in losers if self._wants_again(each)]
        sizes = divided(len(willing), self._plan)
        if sizes:
            order = self._shuffled(willing)
            self.tries.update(order[: sum(sizes)])
            self._seat(order, sizes)
        return bool(sizes)

    def _wants_again(self, entrant: int) -> bool:
        most = self._plan.field.policy(entrant).reentries
        return most is None or self.tries[entrant] < most

    def _wildcards(self, losers: Sequence[int], lots: Mapping[int, int]) -> list[int]:
        """Choose the best losers for seats that would be empty."""
        going, seats = len(self._going), self._plan.seats
        empty = -going % seats if going else 0
        count = min(self._plan.wildcards, empty, len(self._playing) - 1 - going)
        if 1 < going + count <= seats:  # a final needs a number of players that the game allows
            count = min(each for each in self._plan.final_sizes if each >= going + count) - going
        order = sorted(losers, key=lambda each: (self.worth(each), lots[each]), reverse=True)
        return order[:count]

    def _close_tier(self) -> None:
        went = set(self._going)
        out = [(each, self.worth(each)) for each in self._playing if each not in went]
        for entrant, place, _ in by_score(out, first_place=len(went) + 1):
            self._go_out(entrant, place)
        self.happenings += [Happening(Event.ADVANCE, each) for each in sorted(went)]
        self._playing, self._going = sorted(went), []
        self._tries = 0
        self.tier += 1
        self._draw_tier()

    def _draw_tier(self) -> None:
        """Divide the players into heats, or a final; the rest get a bye."""
        players, plan = len(self._playing), self._plan
        order = self._shuffled(self._playing)
        if players in self._plan.final_sizes:
            self.is_final = True
            self._seat(order, (players,))
            self.happenings.append(Happening(Event.FINAL_TABLE, table=self._tables - 1))
            return
        sizes = divided(players, plan) if players > plan.seats else ()
        if not sizes:  # one player is left, or too few for the game
            self._close(self._playing, ())
            return
        by_byes = sorted(order, key=lambda each: self._byes[each])  # stable: by lot among equals
        byes = by_byes[: players - sum(sizes)]
        self._byes.update(byes)
        self._going = list(byes)
        self.happenings += [Happening(Event.BYE, each) for each in sorted(byes)]
        left_over = set(byes)
        self._seat([each for each in order if each not in left_over], sizes)

    def _seat(self, order: Sequence[int], sizes: Iterable[int]) -> None:
        """Seat players, in this order, in heats of these sizes."""
        advance = 1 if self.is_final else self._plan.advance
        first = 0
        for size in sizes:
            seats = order[first : first + size]
            first += size
            heat = Heat(
                self._plan, self._number, self._tables, seats, tier=self.tier, advance=advance
            )
            self._tables += 1
            self._drawn[heat.table] = heat
            for each in seats:
                event = Event.MOVE if each in self._heat_of else Event.SEAT
                self.happenings.append(Happening(event, each, heat.table))
                self._heat_of[each] = heat
            self.seated.update(seats)
        self._open = len(self._drawn)

    def _close(self, players: Sequence[int], heats: Iterable[Heat]) -> None:
        """Give the last places: those of the final, or of the players left without a final."""
        for entrant, place, _ in by_score((each, self.worth(each)) for each in players):
            self._go_out(entrant, place)
            if heats and place == 1:
                self.won[entrant] += 1

    def _go_out(self, entrant: int, place: int) -> None:
        self.places[entrant] = place
        self.tiers[entrant] = self.tier
        if place > 1:
            self.happenings.append(Happening(Event.OUT, entrant, value=place))

    def _shuffled(self, entrants: Sequence[int]) -> list[int]:
        """Draw an order from a place that no other decision of the run uses."""
        self._draws += 1
        return self._plan.field.shuffled((self._number, -self._draws), sorted(entrants))


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
        plan = KnockoutPlan(
            field=field,
            seats=options.seats_at(field.rules),
            advance=options.advance,
            ends=options.ends,
            secret_rounds=options.secret,
            fault=options.fault,
            wildcards=options.wildcards,
            reentries=options.reentries,
        )
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
        brackets = self._brackets
        return tuple(
            Finish(
                entrant,
                place,
                sum(bracket.bankroll(entrant) for bracket in brackets) // len(brackets),
                note,
                counts=self._counts(entrant),
            )
            for entrant, place, note in (self._of_one() if len(brackets) == 1 else self._means())
        )

    def better(self) -> Better:
        """Compare entrants by their places in all brackets."""
        places = [[place for _, place in sorted(each.standings())] for each in self._brackets]
        return by_places(places)

    def _wave(self, wave: int, first: int, heats: Sequence[Heat]) -> Iterator[Batch]:
        for number, start in enumerate(range(0, len(heats), self._batch_tables), start=first):
            some = heats[start : start + self._batch_tables]
            yield Batch(wave, number, tuple(heat.block() for heat in some))

    def _of_one(self) -> Iterator[tuple[int, int, str]]:
        """Yield the entrants of the only bracket with their places and notes."""
        (bracket,) = self._brackets
        for entrant, place in sorted(bracket.standings(), key=lambda pair: pair[::-1]):
            yield entrant, place, bracket.note(entrant)

    def _means(self) -> Iterator[tuple[int, int, str]]:
        """Yield the same for the mean place over all brackets."""
        sums, wins = [0] * self._field.entrants, [0] * self._field.entrants
        for bracket in self._brackets:
            for entrant, place in bracket.standings():
                sums[entrant] += place
                wins[entrant] += place == 1
        times = len(self._brackets)
        for entrant, place, _ in by_score((each, -total) for each, total in enumerate(sums)):
            note = f"mean place {sums[entrant] / times:.2f}, won {wins[entrant]:,} of {times:,}"
            yield entrant, place, note

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
