"""The hands of a table as text: dealt again, in the words of their game.

A block that differs from the stored result is left out, and the responsible players are named.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from tourney.errors import DigestMismatchError
from tourney.game.blocks import Batch
from tourney.game.ledger import BlockKey, BlockResult, Verdict
from tourney.game.narration import Excerpt
from tourney.game.turns import Watcher
from tourney.report.round_log import RoundLog
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.audit import replay_block
from tourney.tournament.divergence import Differing, explanations, who_differs
from tourney.tournament.loading import Tournament

Place = tuple[Batch, BlockKey]
"""A block of a table, with its batch."""


@dataclass
class HandsText:
    """The blocks of one entrant at a table.

    Args:
        tournament: The tournament of the run.
        store: Its store.
        run: The run.
        places: The blocks, in order.
        entrant: The entrant, by number.
        shown: The rounds to show, from 1.
        write: Receives each line.
        aside: Redirects output of players.
        only_lost: Whether to leave out the rounds that the entrant did not lose.
    """

    tournament: Tournament
    store: Store
    run: RunRecord
    places: Sequence[Place]
    entrant: int
    shown: range
    write: Callable[[str], None]
    aside: Callable[[], AbstractContextManager[object]] = nullcontext
    only_lost: bool = False
    lost: int = field(default=0, init=False)
    """Number of lost rounds shown so far, if only they are shown."""
    last: int = field(default=0, init=False)
    """The last round played, known at the end."""
    differing: list[Differing] = field(default_factory=list, init=False)
    """Blocks left out so far, with reasons."""
    _held: list[str] = field(default_factory=list, init=False)
    """Lines of the current block."""

    def tell(self) -> Iterator[Verdict]:
        """Write the hands; yield faults of the entrant.

        Raises: DigestMismatchError, if all blocks differ from the stored results.
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
            is_shown = max(rounds, 1) in self.shown  # without rounds, it ended before the first one
            if place is self.places[-1] and is_shown:
                teller.ended(seat.final, rounds)
                self._flush()
        self._refuse_nothing()
        if verdict:
            yield verdict

    def tell_as_seen(self) -> Iterator[Verdict]:
        """Write the entrant's views, seat by seat; yield its faults there.

        Raises: DigestMismatchError, if all blocks differ from the stored results.
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
        """Explain each left-out block in one line."""
        if not self.differing:
            return ()
        where = ", ".join(str(key) for key in sorted(self._left_out))
        words = f"the hands of {where} are missing: they do not come out as they are stored"
        return (words, *explanations(self.differing, self.tournament, self.run))

    @property
    def _left_out(self) -> set[BlockKey]:
        return {key for each in self.differing for key in each.keys}

    def _refuse_nothing(self) -> None:
        """Raise an error if all blocks differ from the stored results."""
        if self.differing and len(self._left_out) == len(self.places):
            raise DigestMismatchError("\n".join(self.explanations()))

    def _seats(self, place: Place) -> list[int]:
        """Return the entrants of a block."""
        batch, key = place
        return next([each.entrant for each in b.seats] for b in batch.blocks if b.key == key)

    def _dealt(
        self, place: Place, watcher: Watcher, close: Callable[[], None] = lambda: None
    ) -> BlockResult | None:
        """Play a block again and write its lines, unless its result differs.

        Args:
            place: The block.
            watcher: Appends lines to the held ones.
            close: Appends the last ones.
        """
        batch, key = place
        result = None
        try:
            with self.aside():
                excerpt = Excerpt(watcher, self._rounds(place) if self.only_lost else self.shown)
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

    def _rounds(self, place: Place) -> frozenset[int]:
        """Play a block, and return the rounds to show that the entrant lost."""
        seats = [seat for seat, who in enumerate(self._seats(place)) if who == self.entrant]
        log = RoundLog(seats)
        replay_block(self.tournament, self.store, self.run, place, log)
        # In a game of points, points are bad.
        sign = 1 if self.tournament.rules.most_points is None else -1
        lost = frozenset(
            number
            for number, each in log.rounds.items()
            if number in self.shown and sign * (each.net or 0) < 0
        )
        self.lost += len(lost)
        return lost

    def _flush(self) -> None:
        for line in self._held:
            self.write(line)
        self._held.clear()
