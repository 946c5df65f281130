"""A bracket: tiers of heats until one heat is left, the final.

The bracket decides which players advance when all heats of a tier are over, so the order in which
heats end has no effect. docs/rules/knockout.md numbers the rules.
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
    """Settings that all brackets of a tournament share."""

    heats: HeatPlan
    wildcards: int  # most losers of a tier that may advance, to fill empty seats
    reentries: int  # times that losers of the first tier may try again

    @property
    def final_sizes(self) -> frozenset[int]:
        """Numbers of players that can play a final."""
        heats = self.heats
        return frozenset(size for size in heats.field.rules.seats if 1 < size <= heats.seats)


class Bracket:
    """A knockout in progress."""

    def __init__(self, plan: BracketPlan, number: int) -> None:
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
        self._playing = list(range(plan.heats.field.entrants))
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
        return Worth(0, self._plan.heats.field.begins_with(entrant))

    def bankroll(self, entrant: int) -> int:
        """Return an entrant's bankroll during or after its last heat."""
        if entrant in self._bankrolls:
            return self._bankrolls[entrant]
        if entrant in self._heat_of:
            return self._heat_of[entrant].bankroll(entrant)
        return self._plan.heats.field.begins_with(entrant)

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
        able = [each for each in losers if not self._heat_of[each].is_faulted(each)]
        if self._tries and self._draw_again(able):
            return
        self._going += self._wildcards(able, lots)
        self._close_tier()

    def _draw_again(self, losers: Sequence[int]) -> bool:
        """Seat losers of the first tier again if they want to and fill a heat."""
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
        players, plan = len(self._playing), self._plan.heats
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
        return self._plan.heats.field.shuffled((self._number, -self._draws), sorted(entrants))
