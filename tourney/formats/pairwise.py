"""Results between every two entrants, from which a format gets ranks with statistics.

A place is a result, and does not show by itself that one entrant is better than another. A schedule
that awards places keeps these results, and returns `better()` from its method of that name. So the
board shows the ranks that are possible with 95 % probability.
"""

from tourney.formats.field import Field
from tourney.formats.matches.scores import Record, Scores
from tourney.formats.matches.table import DRAW, LOSS, WIN, Met
from tourney.game.ledger import BlockResult
from tourney.standings.meetings import Better, are_separated, by_all, face_to_face
from tourney.standings.places import Finish


class PairwiseResults:
    """Counts which entrant ends a table with more chips, or with fewer points.

    Balance the seats: draw the order of play by lot, or play every table in all seatings.
    Otherwise an advantage of a seat looks like an advantage of an entrant.
    """

    def __init__(self, field: Field, seatings: int = 1) -> None:
        """Start without results.

        Args:
            field: The field of the schedule.
            seatings: Blocks of a table (equal `heat` and `table` of the key) that are added up
                before they count.
        """
        self._field, self._seatings = field, seatings
        self._scores = Scores(field.entrants)
        self._open: dict[tuple[int, int], list[BlockResult]] = {}
        self._most_seats = 2

    def take(self, result: BlockResult) -> None:
        """Count a block; a seat with a verdict has lost to all others at its table."""
        place = result.key.heat, result.key.table
        blocks = self._open.setdefault(place, [])
        blocks.append(result)
        if len(blocks) < self._seatings:
            return
        del self._open[place]
        worths: dict[int, tuple[bool, int]] = {}
        for seat in (seat for block in blocks for seat in block.seats):
            is_able, sum_so_far = worths.get(seat.entrant, (True, 0))
            net = seat.net if self._field.has_chips else -seat.net
            worths[seat.entrant] = is_able and seat.verdict is None, sum_so_far + net
        self._most_seats = max(self._most_seats, len(worths))
        entrants = sorted(worths)
        for at, one in enumerate(entrants):
            for other in entrants[at + 1 :]:
                self._scores.add(Met(one, other, _halves(worths[one], worths[other])))

    def record(self, one: int, other: int) -> Record:
        """Return the wins, draws and losses of an entrant against another."""
        return dict(self._scores.opponents(one)).get(other, Record())

    def better(self, *, is_planned: bool = False) -> Better:
        """Return which entrants are known to be better than which others, with 95 % probability.

        Args:
            is_planned: Whether a plan fixes all tables before play, so that results against common
                opponents count, too. By default only tables at which two have met count; then the
                answer is right at any time, whatever decides who meets and when play stops.
        """
        met = self._scores.meetings_of_all()
        return by_all(met, self._most_seats) if is_planned else face_to_face(met)

    def are_separated(self, finishes: tuple[Finish, ...]) -> bool:
        """Return whether all neighbours on the board are known to differ, so that play may stop.

        Args:
            finishes: Current places of the entrants that still play.
        """
        return are_separated([(each.place, each.entrant) for each in finishes], self.better())


def _halves(one: tuple[bool, int], other: tuple[bool, int]) -> int:
    """Return the value of a meeting; two seats with verdicts draw."""
    if one == other or not (one[0] or other[0]):
        return DRAW
    return WIN if one > other else LOSS
