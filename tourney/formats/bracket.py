"""A bracket: tiers of heats, until one heat is left, which is the final.

A tier is over when all of its heats are; then it is decided who goes on, and the next tier
is drawn. So the order in which heats end decides nothing. Leaves out how a heat is played
(`heats`). The rules are numbered in docs/rules/knockout.md.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tourney.formats.base import Event, Happening
from tourney.formats.heats import Heat, HeatPlan, Worth, divided, lots_of
from tourney.game.ledger import BlockResult
from tourney.standings.places import by_score


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketPlan:
    """How all brackets of a tournament are played."""

    heats: HeatPlan
    wildcards: int  # losers of a tier that may go on, at most, where seats would be empty
    reentries: int  # times that losers of the first tier may try again

    @property
    def final_sizes(self) -> frozenset[int]:
        """Give how many can play a final."""
        heats = self.heats
        return frozenset(size for size in heats.field.rules.seats if 1 < size <= heats.seats)


class Bracket:
    """A knockout on its way."""

    def __init__(self, plan: BracketPlan, number: int) -> None:
        """Draw the first tier.

        Args:
            plan: How it is played.
            number: Of the bracket in its stage, from 0; it has heats and lots of its own.
        """
        self.places: dict[int, int] = {}  # of those who are out, or of all in the end
        self.tiers: dict[int, int] = {}  # in which they went out
        self.happenings: list[Happening] = []
        self.seated: Counter[int] = Counter()  # heats that somebody sat down for
        self.won: Counter[int] = Counter()  # heats in which somebody was among those to go on
        self.tries: Counter[int] = Counter()  # heats that somebody tried again
        self.tier = 1
        self.is_final = False
        self._plan = plan
        self._number = number
        self._tables = 0
        self._draws = 0
        self._tries = plan.reentries
        self._drawn: dict[int, Heat] = {}  # heats that are not decided, by table
        self._open = 0  # of them, that are not over
        self._heat_of: dict[int, Heat] = {}  # the last one that somebody played
        self._playing = list(range(plan.heats.field.entrants))
        self._going: list[int] = []
        self._byes: Counter[int] = Counter()
        self._bankrolls: dict[int, int] = {}  # in the end
        self._draw_tier()

    @property
    def is_over(self) -> bool:
        """Whether everybody has a place for good."""
        return not self._drawn

    @property
    def heats(self) -> list[Heat]:
        """Give the heats that are on their way."""
        return [heat for heat in self._drawn.values() if not heat.is_over]

    def take(self, result: BlockResult) -> None:
        """Take in a result; the last one of a tier decides it."""
        heat = self._drawn[result.key.table]
        heat.take(result)
        self._open -= heat.is_over
        if not self._open:
            self._decide()
        if self.is_over:  # a run may have many brackets, and heats are large
            self._bankrolls = {each: self.bankroll(each) for each in self.places}
            self._heat_of.clear()

    def standings(self) -> list[tuple[int, int]]:
        """Give everybody's place so far; who is still in is ahead of who is out."""
        still = [(each, self.worth(each)) for each in self._playing if each not in self.places]
        return [*((each, place) for each, place, _ in by_score(still)), *self.places.items()]

    def note(self, entrant: int) -> str:
        """Say how it ended for somebody."""
        if entrant not in self.places:
            return "in the final" if self.is_final else f"in tier {self.tier}"
        if self.tiers[entrant] < self.tier:
            return f"out in tier {self.tiers[entrant]}"
        return "won" if self.places[entrant] == 1 else "lost the final"

    def worth(self, entrant: int) -> Worth:
        """Give what somebody's last heat was worth; the start, before there was one."""
        if entrant in self._heat_of:
            return self._heat_of[entrant].worths[entrant]
        return Worth(0, self._plan.heats.field.begins_with(entrant))

    def bankroll(self, entrant: int) -> int:
        """Give what somebody had after its last heat, or has."""
        if entrant in self._bankrolls:
            return self._bankrolls[entrant]
        if entrant in self._heat_of:
            return self._heat_of[entrant].bankroll(entrant)
        return self._plan.heats.field.begins_with(entrant)

    def _decide(self) -> None:
        """Say who goes on from the heats that were played, and draw what comes next."""
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
        able = [each for each in losers if not self._heat_of[each].is_faulted(each)]
        if self._tries and self._draw_again(able):
            return
        self._going += self._wildcards(able, lots)
        self._close_tier()

    def _draw_again(self, losers: Sequence[int]) -> bool:
        """Let losers of the first tier try again who want to, if they fill a heat."""
        self._tries -= 1
        willing = [each for each in losers if self._wants_again(each)]
        sizes = divided(len(willing), self._plan.heats)
        if sizes:
            order = self._shuffled(willing)
            self.tries.update(order[: sum(sizes)])
            self._seat(order, sizes)
        return bool(sizes)

    def _wants_again(self, entrant: int) -> bool:
        most = self._plan.heats.field.policy(entrant).reentries
        return most is None or self.tries[entrant] < most

    def _wildcards(self, losers: Sequence[int], lots: Mapping[int, int]) -> list[int]:
        """Choose the best losers for seats that would be empty."""
        going, seats = len(self._going), self._plan.heats.seats
        empty = -going % seats if going else 0
        count = min(self._plan.wildcards, empty, len(self._playing) - 1 - going)
        if 1 < going + count <= seats:  # a final needs as many as the game does
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
        """Divide those who play into heats, or the final; who is left over has a bye."""
        players, plan = len(self._playing), self._plan.heats
        order = self._shuffled(self._playing)
        if players in self._plan.final_sizes:
            self.is_final = True
            self._seat(order, (players,))
            self.happenings.append(Happening(Event.FINAL_TABLE, table=self._tables - 1))
            return
        sizes = divided(players, plan) if players > plan.seats else ()
        if not sizes:  # one is left, or so few that the game cannot be played
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
        advance = 1 if self.is_final else self._plan.heats.advance
        first = 0
        for size in sizes:
            seats = order[first : first + size]
            first += size
            heat = Heat(
                self._plan.heats, self._number, self._tables, seats, tier=self.tier, advance=advance
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
        """Give the last places: those of the final, or of whoever is left without one."""
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
        """Draw an order; no other choice of the run uses this place."""
        self._draws += 1
        return self._plan.heats.field.shuffled((self._number, -self._draws), sorted(entrants))
