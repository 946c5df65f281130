"""The schedule of a format; if a plugin provides it, its output is checked.

The platform relies on batches numbered without gaps, blocks with as many seats as the game has, and
a place for each entrant. A violation is reported with its class, before the batch is played.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from tourney.errors import FormatError
from tourney.formats.base import Event, Format, Happening, Schedule
from tourney.formats.field import Field
from tourney.game.arrays import np
from tourney.game.asking.printable_text import with_article
from tourney.game.blocks import Batch, Block
from tourney.game.ledger import BlockResult
from tourney.standings.places import Better, Finish
from tourney.standings.standing import FINISH, MEASURES


def _is_whole(value: object) -> bool:
    return type(value) is int


def _is_count(value: object) -> bool:
    match value:
        case (str(), number):
            return isinstance(value, tuple) and _is_whole(number)
    return False


_Fields = tuple[tuple[str, str, Callable[[Any], bool]], ...]
FIELDS_OF_FINISH: _Fields = (
    ("entrant", "the number of an entrant", _is_whole),
    ("place", "a whole number from 1", lambda value: _is_whole(value) and value >= 1),
    ("bankroll", "a whole number, in the unit of the rules", _is_whole),
    ("note", "text", lambda value: isinstance(value, str)),
    ("table", "the number of a table or None", lambda value: value is None or _is_whole(value)),
    (
        "counts",
        "a tuple of pairs such as ('re-buys', 2)",
        lambda value: isinstance(value, tuple) and all(map(_is_count, value)),
    ),
)
FIELDS_OF_HAPPENING: _Fields = (
    ("event", "an Event", lambda value: isinstance(value, Event)),
    ("table", "the number of a table, or -1", _is_whole),
    ("value", "a whole number", _is_whole),
)


def schedule_of(options: Format, field: Field) -> Schedule:
    """Create the schedule of a field; that of a plugin's format is checked.

    Raises: FormatError, if the format is not as docs/how-to/add-a-format.md describes.
    """
    schedule = options.schedule(field)
    return schedule if is_own(options) else _Checked(options, field, schedule)


class Outline(NamedTuple):
    """The size of a tournament, as far as its format knows it before play."""

    batches: int | None
    """Greatest number of batches; `None` if results decide."""
    first: tuple[Block, ...]
    """The blocks of the first batch."""


def outline_of(options: Format, field: Field) -> Outline:
    """Create a tournament up to its first batch.

    Raises: FormatError, as `schedule_of`.
    """
    schedule = schedule_of(options, field)
    return Outline(schedule.batches, next(iter(next(schedule.waves()))).blocks)


def is_own(options: Format) -> bool:
    """Return whether the format is built in."""
    return type(options).__module__.startswith("tourney.")


class _Checked(Schedule):
    """A plugin's schedule whose output is checked."""

    def __init__(self, options: Format, field: Field, schedule: object) -> None:
        self._field, self._format = field, type(options).__name__
        if not isinstance(schedule, Schedule):
            raise self._wrong(f"{self._format}.schedule", "a Schedule", schedule)
        self._schedule, self._name = schedule, type(schedule).__name__
        measure: object = options.measure(field.rules)
        if measure not in MEASURES:
            names = ", ".join(each.name.upper() for each in MEASURES)
            raise self._wrong(f"{self._format}.measure", f"one of {names}", measure)
        self._gives_places = measure is FINISH
        if self._gives_places and type(schedule).finishes is Schedule.finishes:
            raise FormatError(
                f"{self._name}: finishes() is missing, and {self._format}.measure returns FINISH; "
                "fix the plugin"
            )

    @property
    def batches(self) -> int | None:  # type: ignore[override]  # of another schedule
        """Greatest number of batches; `None` if that depends on results."""
        return self._schedule.batches

    def waves(self) -> Iterator[Iterable[Batch]]:
        """Create the batches, wave by wave."""
        number = 0  # of the next batch

        def checked(wave: int, batches: Any) -> Iterator[Batch]:
            nonlocal number
            for batch in batches:
                self._check_batch(batch, wave, number)
                number += 1
                yield batch
            if not number:
                where = f"{self._name}.waves, wave {wave}"
                raise self._wrong(where, "at least one Batch", f"{batches!r:.60}")

        waves: object = self._schedule.waves()
        if not isinstance(waves, Iterable):
            raise self._wrong(f"{self._name}.waves", "waves, each a list of Batch", waves)
        for wave, batches in enumerate(waves):
            if not isinstance(batches, Iterable):
                raise self._wrong(f"{self._name}.waves, wave {wave}", "a list of Batch", batches)
            yield checked(wave, batches)
        if not number:
            raise self._wrong(f"{self._name}.waves", "at least one wave", "no wave")

    def take(self, result: BlockResult) -> None:
        """Receive a result."""
        self._schedule.take(result)

    def finishes(self) -> tuple[Finish, ...] | None:
        """Return the places of all entrants."""
        finishes = self._schedule.finishes()
        if not self._gives_places:
            return finishes
        where = f"{self._name}.finishes"
        if not isinstance(finishes, Sequence):
            raise self._wrong(where, "a tuple of Finish", finishes)
        for each in finishes:
            if not isinstance(each, Finish):
                raise self._wrong(where, "a tuple of Finish", each)
            self._check_fields(where, each, FIELDS_OF_FINISH)
        if sorted(each.entrant for each in finishes) != list(range(self._field.entrants)):
            raise self._wrong(
                where,
                f"one place for each entrant from 0 to {self._field.entrants - 1}",
                f"places for {', '.join(str(each.entrant) for each in finishes) or 'no entrant'}",
            )
        return finishes

    def better(self) -> Better | None:
        """Return which entrants are known to be better than which others."""
        better, shape = self._schedule.better(), (self._field.entrants,) * 2
        if better is not None:
            kind = getattr(better, "dtype", None), getattr(better, "shape", None)
            if kind != (np.bool_, shape):
                expected = f"a NumPy array of booleans of shape {shape}, or None"
                raise self._wrong(f"{self._name}.better", expected, better)
        return better

    def happenings(self) -> tuple[Happening, ...]:
        """Return the decisions since the last call."""
        events, where = self._schedule.happenings(), f"{self._name}.happenings"
        if not isinstance(events, Sequence):
            raise self._wrong(where, "a tuple of Happening", events)
        for each in events:
            if not isinstance(each, Happening):
                raise self._wrong(where, "a tuple of Happening", each)
            self._check_fields(where, each, FIELDS_OF_HAPPENING)
            if each.entrant not in range(-1, self._field.entrants):
                expected = f"from 0 to {self._field.entrants - 1}, or -1"
                raise self._wrong(f"{where}, Happening.entrant", expected, each.entrant)
        return tuple(events)

    def _check_fields(self, where: str, answer: Finish | Happening, fields: _Fields) -> None:
        for name, expected, is_so in fields:
            if not is_so(getattr(answer, name)):
                at = f"{where}, {type(answer).__name__}.{name}"
                raise self._wrong(at, expected, getattr(answer, name))

    def _check_batch(self, batch: object, wave: int, number: int) -> None:
        where = f"{self._name}.waves, wave {wave}"
        if not isinstance(batch, Batch):
            raise self._wrong(where, "a list of Batch", batch)
        if (batch.wave, batch.number) != (wave, number):
            raise self._wrong(
                where,
                f"Batch({wave}, {number}, …), numbered from 0 without gaps",
                f"Batch({batch.wave}, {batch.number}, …)",
            )
        blocks: object = batch.blocks
        if not isinstance(blocks, tuple) or not blocks:
            raise self._wrong(f"{where}, batch {number}", "a tuple of blocks", blocks)
        for block in blocks:
            self._check_block(f"{where}, batch {number}", block)

    def _check_block(self, where: str, block: object) -> None:
        if not isinstance(block, Block):
            raise self._wrong(where, "a Block from field.block", block)
        entrants = [seat.entrant for seat in block.seats]
        if len(set(entrants)) < len(entrants):
            raise self._wrong(where, "each entrant once at a table", f"entrants {entrants}")
        numbers = self._field.numbers or range(self._field.entrants)
        if any(each not in numbers for each in entrants):
            expected = f"entrants from 0 to {self._field.entrants - 1}"
            raise self._wrong(where, expected, f"entrants {entrants}")
        seats = block.rules.seats
        if len(entrants) not in seats:
            most = f"{seats[0]}" if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"
            raise self._wrong(where, f"{most} seats in {block.rules.game}", f"{len(entrants)}")
        chips = [seat.bankroll for seat in block.seats]
        if not any(block.rules.may_play(each, block.minimum) for each in chips):
            raise self._wrong(where, "an entrant who can play", f"bankrolls {chips}")

    def _wrong(self, where: str, expected: str, got: object) -> FormatError:
        if not isinstance(got, str):
            got = f"{got!r:.60}, {with_article(type(got).__name__)}"
        return FormatError(f"{where}: expected {expected}, got {got}; fix the plugin")
