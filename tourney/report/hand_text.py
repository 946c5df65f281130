"""The hands of a table as text: dealt again, and told in the words of their game.

A block that does not come out as it is stored is left out, and the players to blame are named.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from tourney.errors import DigestMismatchError
from tourney.game.blocks import Batch
from tourney.game.ledger import BlockKey, BlockResult, Verdict
from tourney.game.narration import Excerpt
from tourney.game.watcher import Watcher
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.audit import replay_block
from tourney.tournament.divergence import Differing, explanations, who_differs
from tourney.tournament.loading import Tournament

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
    differing: list[Differing] = field(default_factory=list, init=False)
    """Blocks that were left out so far, and why."""
    _held: list[str] = field(default_factory=list, init=False)
    """Lines of a block that is being played."""

    def tell(self) -> Iterator[Verdict]:
        """Tell all that happened; give what the entrant did wrong, if it did.

        Raises: DigestMismatchError, if no block comes out as it is stored.
        """
        story = self.tournament.rules.game.story(self.tournament.rules)
        teller = story.teller(self._held.append, self.tournament.config.game.preset)
        verdict = None
        for place in self.places:
            teller.begun(place[1], [self.tournament.labels[who].name for who in self._seats(place)])
            result = self._dealt(place, teller)
            if result is None:
                continue
            seat = next(seat for seat in result.seats if seat.entrant == self.entrant)
            verdict, rounds = seat.verdict or verdict, seat.rounds + place[1].first_round - 1
            is_shown = max(rounds, 1) in self.shown  # whoever played none ended before the first
            if place is self.places[-1] and is_shown:
                teller.ended(seat.final, rounds)
                self._flush()
        self._refuse_nothing()
        if verdict:
            yield verdict

    def tell_as_seen(self) -> Iterator[Verdict]:
        """Tell what the entrant saw, seat by seat; give what it did wrong there, if it did.

        Raises: DigestMismatchError, if no block comes out as it is stored.
        """
        story = self.tournament.rules.game.story(self.tournament.rules)
        for place in self.places:
            for number, who in enumerate(self._seats(place)):
                if who != self.entrant:
                    continue
                watcher = story.as_seen(self._held.append, number)
                self._held.append(f"{str(place[1]).rpartition(',')[0]}, seat {number + 1}")
                result = self._dealt(place, watcher, watcher.close)
                if result and (verdict := result.seats[number].verdict):
                    yield verdict
        self._refuse_nothing()

    def explanations(self) -> tuple[str, ...]:
        """Explain in one line each why blocks were left out."""
        if not self.differing:
            return ()
        where = ", ".join(str(key) for key in sorted(self._left_out))
        words = f"the hands of {where} are missing: they do not come out as they are stored"
        return (words, *explanations(self.differing, self.tournament, self.run))

    @property
    def _left_out(self) -> set[BlockKey]:
        return {key for each in self.differing for key in each.keys}

    def _refuse_nothing(self) -> None:
        """Raise an error if no block came out as it is stored."""
        if self.differing and len(self._left_out) == len(self.places):
            raise DigestMismatchError("\n".join(self.explanations()))

    def _seats(self, place: Place) -> list[int]:
        """Say which entrants sit there."""
        batch, key = place
        return next([each.entrant for each in b.seats] for b in batch.blocks if b.key == key)

    def _dealt(
        self, place: Place, watcher: Watcher, close: Callable[[], None] = lambda: None
    ) -> BlockResult | None:
        """Play a block again and write its lines; write none if it comes out differently.

        Args:
            place: Of the block.
            watcher: Appends lines to those held.
            close: Appends the last of them.
        """
        batch, key = place
        result = None
        try:
            with self.aside():
                excerpt = Excerpt(watcher, self.shown)
                result = replay_block(self.tournament, self.store, self.run, place, excerpt)
                close()
        except DigestMismatchError:
            self._held.clear()
            if key not in self._left_out:
                with self.aside():
                    self.differing.append(who_differs(self.tournament, self.run, batch, (key,)))
        played = result or self.store.block_result(self.run.number, key)
        seats = played.seats if played else ()
        rounds = (each.rounds for each in seats if each.entrant == self.entrant)
        self.last = max(self.last, max(rounds, default=0) + key.first_round - 1)
        self._flush()
        return result

    def _flush(self) -> None:
        for line in self._held:
            self.write(line)
        self._held.clear()
