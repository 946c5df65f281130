"""Two entrants at the same table with the same cards: the rounds in which they differ.

After a different decision the rest of the shoe falls differently, so later rounds of that shoe also
differ in their cards.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import Decimal

from tourney.errors import TourneyError
from tourney.game.hand_history import story_of
from tourney.report.hand_text import Place
from tourney.report.round_log import RoundLog, SeatRound
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.audit import replay_block
from tourney.tournament.loading import Tournament

COLUMN = 38
"""Letters of a column; both fit a terminal of 80."""

DECISION = "different decisions with the same cards"


@dataclass
class RoundComparison:
    """The rounds of two entrants at a table.

    Args:
        tournament: The tournament of the run.
        store: Its store.
        run: The run.
        places: Blocks of each, at the same table.
        entrants: Their numbers.
        shown: The rounds to compare, from 1.
        aside: Redirects output of players.
    """

    tournament: Tournament
    store: Store
    run: RunRecord
    places: tuple[Sequence[Place], Sequence[Place]]
    entrants: tuple[int, int]
    shown: range
    aside: Callable[[], AbstractContextManager[object]]

    def lines(self) -> Iterator[str]:
        """Yield the rounds that differ, side by side, and a summary.

        Raises: TourneyError, if the two had no cards in common; DigestMismatchError, if a replay
            differs from the stored result.
        """
        names = [self.tournament.labels[each].name for each in self.entrants]
        compared, decided, differing, totals = 0, 0, 0, [0, 0]
        for pair in self._pairs():
            one, other = (
                self._rounds(place, entrant)
                for place, entrant in zip(pair, self.entrants, strict=True)
            )
            for number in sorted(one.keys() | other.keys()):
                if number not in self.shown:
                    continue
                compared += 1
                rounds = one.get(number, SeatRound()), other.get(number, SeatRound())
                if words := difference(*rounds):
                    differing += 1
                    decided += words == DECISION
                    for place, each in enumerate(rounds):
                        totals[place] += each.net or 0
                    yield f"Round {number}: {words}"
                    yield self._side_by_side(names, rounds)
        results = ", ".join(
            f"{name} {self._chips(total)}" for name, total in zip(names, totals, strict=True)
        )
        count = f"{differing:,} of {compared:,} rounds differ"
        more = f", {decided:,} by a decision with the same cards; in them: {results}"
        yield f"{count}{more}" if differing else count

    def _pairs(self) -> Iterator[tuple[Place, Place]]:
        """Yield blocks of both with the same cards.

        Raises: TourneyError, if there are none.
        """
        one, other = (_by_cards(places) for places in self.places)
        pairs = [(one[key], other[key]) for key in one if key in other]
        if not pairs:
            names = " and ".join(self.tournament.labels[each].name for each in self.entrants)
            raise TourneyError(
                f"{names} had different cards at this table. Choose entrants of a format that "
                "deals the same shoes to all, such as duplicate"
            )
        yield from pairs

    def _rounds(self, place: Place, entrant: int) -> Mapping[int, SeatRound]:
        """Play a block again, and return the rounds of the first seat of an entrant."""
        batch, key = place
        block = next(each for each in batch.blocks if each.key == key)
        seat = next(n for n, each in enumerate(block.seats) if each.entrant == entrant)
        story = story_of(block.rules)
        log = RoundLog([seat], lambda write: story.as_seen(write, seat))
        with self.aside():
            replay_block(self.tournament, self.store, self.run, place, log)
        log.close()
        return log.rounds

    def _side_by_side(self, names: Sequence[str], rounds: Sequence[SeatRound]) -> str:
        from tabulate import tabulate  # noqa: PLC0415 - only where text is printed

        columns = [[each.strip() for each in one.lines] or ["does not play"] for one in rounds]
        for column, one in zip(columns, rounds, strict=True):
            if one.net is not None:
                column.append(f"result {self._chips(one.net)}")
        longest = max(map(len, columns))
        rows = [
            [column[at] if at < len(column) else "" for column in columns] for at in range(longest)
        ]
        widths = [COLUMN] * len(columns)
        return tabulate(rows, names, disable_numparse=True, maxcolwidths=widths) + "\n"

    def _chips(self, net: int) -> str:
        rules = self.tournament.rules
        word = "chips" if rules.most_points is None else "points"
        return f"{Decimal(net) / rules.unit:+} {word}"


def difference(one: SeatRound, other: SeatRound) -> str:
    """Describe the difference of two rounds; empty if they have the same answers and result."""
    if one.answers == other.answers:
        return "different results" if one.net != other.net else ""
    pairs = zip(one.answers, other.answers, strict=False)
    first = next((at for at, (mine, others) in enumerate(pairs) if mine != others), None)
    if first is not None and one.news[: first + 1] == other.news[: first + 1]:
        return DECISION
    return "different cards"


def _by_cards(places: Sequence[Place]) -> dict[tuple[int, int, int, bytes], Place]:
    """Return the first block of each part of a table, by its place and its cards."""
    found: dict[tuple[int, int, int, bytes], Place] = {}
    for batch, key in places:
        block = next(each for each in batch.blocks if each.key == key)
        part = key.stage, key.heat, key.first_round, block.shoe_key
        found.setdefault(part, (batch, key))
    return found
