"""The hands of a table as text: dealt again, and told in the words of their game."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from tourney.event.audit import replay_block
from tourney.event.entering import Tournament
from tourney.event.store import RunRecord, Store
from tourney.game.blocks import Batch
from tourney.game.ledger import BlockKey, BlockResult, Verdict
from tourney.game.tellers import Excerpt
from tourney.game.watcher import Watcher

Place = tuple[Batch, BlockKey]
"""A block of a table, and the batch that it is played in."""


@dataclass
class HandsText:
    """The blocks of one entrant at a table.

    Args:
        tournament: Of the run.
        store: Where it is kept.
        run: The run.
        places: The blocks, in order.
        entrant: Whose they are, by number.
        shown: Which rounds to tell, from 1.
        write: Takes each line.
        aside: What to do with that players print meanwhile.
    """

    tournament: Tournament
    store: Store
    run: RunRecord
    places: Sequence[Place]
    entrant: int
    shown: range
    write: Callable[[str], None]
    aside: Callable[[], AbstractContextManager[object]] = nullcontext
    last: int = field(default=0, init=False)
    """The last round that was played, once all has been told."""

    def tell(self) -> Iterator[Verdict]:
        """Tell all that happened; give what the entrant did wrong, if it did.

        Raises: DigestMismatch, if a block does not come out as it is stored.
        """
        story = self.tournament.rules.game.story(self.tournament.rules)
        teller = story.teller(self.write, self.tournament.config.game.preset)
        verdict = None
        for place in self.places:
            teller.begun(place[1], [self.tournament.labels[who].name for who in self._seats(place)])
            result = self._dealt(place, teller)
            seat = next(seat for seat in result.seats if seat.entrant == self.entrant)
            verdict, rounds = seat.verdict or verdict, seat.rounds + place[1].first_round - 1
            self.last = max(self.last, rounds)
        if max(rounds, 1) in self.shown:  # whoever played none ended before the first
            teller.ended(seat.final, rounds)
        if verdict:
            yield verdict

    def tell_as_seen(self) -> Iterator[Verdict]:
        """Tell what the entrant saw, seat by seat; give what it did wrong there, if it did.

        Raises: DigestMismatch, if a block does not come out as it is stored.
        """
        story = self.tournament.rules.game.story(self.tournament.rules)
        for place in self.places:
            for number, who in enumerate(self._seats(place)):
                if who != self.entrant:
                    continue
                watcher = story.as_seen(self.write, number)
                self.write(f"{str(place[1]).rpartition(',')[0]}, seat {number + 1}")
                result = self._dealt(place, watcher)
                watcher.close()
                self.last = max(self.last, result.rounds + place[1].first_round - 1)
                if verdict := result.seats[number].verdict:
                    yield verdict

    def _seats(self, place: Place) -> list[int]:
        """Say which entrants sit there."""
        batch, key = place
        return next([each.entrant for each in b.seats] for b in batch.blocks if b.key == key)

    def _dealt(self, place: Place, watcher: Watcher) -> BlockResult:
        excerpt = Excerpt(watcher, self.shown)
        with self.aside():
            return replay_block(self.tournament, self.store, self.run, place, excerpt)
