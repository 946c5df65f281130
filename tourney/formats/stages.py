"""Stages: a sequence of formats, each for the entrants that advance from the one before.

The sequence is itself a format, so the rest of the platform does not know about stages. An entrant
that does not advance is placed behind all that do, by the stage it reached and its place there.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

from tourney.errors import FormatError
from tourney.formats.base import Event, Format, Happening, OnFault, Schedule, scoring_of
from tourney.formats.field import Field
from tourney.formats.schedule_checks import is_own, schedule_of
from tourney.game.blocks import Batch
from tourney.game.ledger import BlockResult
from tourney.game.rules import Rules
from tourney.standings.fold import rank
from tourney.standings.places import Finish
from tourney.standings.standing import FINISH, EntrantLabel, Measure
from tourney.standings.tallies import Count

if TYPE_CHECKING:
    from tourney.config.model import StageConfig


@dataclass(frozen=True, slots=True)
class Stages(Format):
    """A tournament of several stages."""

    stages: tuple["StageConfig", ...]

    @property
    def formats(self) -> tuple[Format, ...]:
        """The format of each stage."""
        return tuple(stage.format.options for stage in self.stages)

    @property
    def on_fault(self) -> OnFault:
        """Effect of a verdict at the end; each stage has applied its setting by then."""
        return self.formats[-1].on_fault

    @property
    def asks_policies(self) -> tuple[str, ...]:
        """Settings of a policy that one of the stages uses."""
        asked = (name for each in self.formats for name in each.asks_policies)
        return tuple(dict.fromkeys(asked))

    @property
    def named_entrants(self) -> tuple[str, ...]:
        """Entrant names in the options of any stage."""
        return tuple(name for each in self.formats for name in each.named_entrants)

    @property
    def scheduled_rounds(self) -> int:
        """Rounds that an entrant is scheduled to play at one table of the last stage."""
        return self.formats[-1].scheduled_rounds

    def check(self, entrants: int, rules: Rules) -> None:
        """Raise FormatError if the entrants that reach a stage cannot play it."""
        for number, stage in enumerate(self.stages):
            if number and not _takes_all(stage):
                entrants = self._left(number, entrants, rules)
            if stage.carries and not number:
                raise FormatError(
                    f"stage {stage.name}: the first stage has no bankrolls to carry; remove carry"
                )
            if number and stage.carries:
                self._check_carried(number, rules)
            try:
                stage.format.options.check(entrants, rules)
            except FormatError as error:
                raise FormatError(f"stage {stage.name}, for {entrants} entrants: {error}") from None

    def measure(self, rules: Rules) -> Measure:
        """Rank by the result of the stages."""
        del rules
        return FINISH

    def table_words(self, rules: Rules) -> str:
        """Describe the play at one table."""
        return "; then ".join(each.table_words(rules) for each in self.formats)

    def schedule(self, field: Field) -> Schedule:
        """Create the schedule of a field."""
        return StagedSchedule(self.stages, field)

    def _left(self, number: int, entrants: int, rules: Rules) -> int:
        """Return how many entrants of the stage before reach this one."""
        stage, before = self.stages[number], self.stages[number - 1]
        if stage.per_table is not None:
            tables: int = before.format.options.tables_for(entrants, rules)
            if not tables:
                raise FormatError(
                    f"stage {stage.name}: per_table cannot be used, because the tables of stage "
                    f"{before.name} are not ranked separately; use top"
                )
            left = tables * stage.per_table + stage.wildcards
        else:
            left = (stage.top or 0) + stage.wildcards
        if left >= entrants:
            raise FormatError(
                f"stage {stage.name}: it takes {left} entrants, and stage {before.name} has only "
                f"{entrants}; take fewer"
            )
        return left

    def _check_carried(self, number: int, rules: Rules) -> None:
        stage, before = self.stages[number], self.stages[number - 1]
        tables = before.format.options.tables_each
        if rules.most_points is not None:
            raise FormatError(
                f"stage {stage.name}: {rules.game} has no chips, so there are no bankrolls to "
                "carry; remove carry"
            )
        if before.format.options.measure(rules) is not FINISH and tables != 1:
            raise FormatError(
                f"stage {stage.name}: each entrant ends stage {before.name} with {tables} "
                "bankrolls, one per table, and only one could be carried; remove carry"
            )


class _Stage:
    """A stage in progress: the schedule of its format on a field of its entrants."""

    def __init__(self, options: Format, field: Field) -> None:
        self.field = field
        self.numbers = field.numbers or tuple(range(field.entrants))
        self._places = {number: place for place, number in enumerate(self.numbers)}
        self.schedule = schedule_of(options, field)
        self._scoring = scoring_of(options, field)
        self._count = Count(field.entrants, self._scoring)

    def take(self, result: BlockResult) -> None:
        """Receive a result, in the numbers of the stage."""
        seats = tuple(replace(seat, entrant=self._places[seat.entrant]) for seat in result.seats)
        own = replace(result, seats=seats)
        self.schedule.take(own)
        self._count.take(own)

    def finishes(self) -> tuple[Finish, ...]:
        """Return the places of the stage, in its numbers, best first."""
        given = self.schedule.finishes()
        if given is None:
            given = self._ranked()
        return tuple(sorted(given, key=lambda finish: finish.place))

    def _ranked(self) -> tuple[Finish, ...]:
        """Rank by the measure of the format; entrants that have not played come last."""
        field, measure = self.field, self._scoring.measure
        labels = [EntrantLabel(str(entrant), "") for entrant in range(field.entrants)]
        rows = rank(self._count.tallies, labels, self._scoring, says_how_sure=False)
        last = 1 + sum(row.place is not None for row in rows)
        found = {
            int(row.name): Finish(
                int(row.name),
                row.place or last,
                int(row.mean * field.rules.unit) if measure.name == "bankroll" else 0,
                f"{measure.title.lower()} {float(row.mean):,.{measure.decimals}f}",
            )
            for row in rows
        }
        return tuple(
            found.get(entrant) or Finish(entrant, last, field.begins_with(entrant), "not played")
            for entrant in range(field.entrants)
        )


def is_of_plugins(options: Format) -> bool:
    """Return whether a plugin provides a format, or one of its stages."""
    if isinstance(options, Stages):
        return not all(map(is_own, options.formats))
    return not is_own(options)


class StagedSchedule(Schedule):
    """Plays the stages in order; a stage begins when the one before is over."""

    def __init__(self, stages: Sequence["StageConfig"], field: Field) -> None:
        self._stages = stages
        self._field = field
        self._current = _Stage(stages[0].format.options, field)
        self._reached: list[tuple[Finish, ...]] = []  # of entrants that did not advance, by stage
        self._told: list[Happening] = []

    @property
    def batches(self) -> int | None:  # type: ignore[override]  # grows with what is known
        """Number of batches; known only if there is a single stage."""
        return self._current.schedule.batches if len(self._stages) == 1 else None

    def waves(self) -> Iterator[Iterable[Batch]]:
        """Create all stages, with waves and batches numbered without gaps."""
        waves, numbers = count(), count()
        for at, stage in enumerate(self._stages):
            if at:
                self._current = self._next(at, stage)
            for batches in self._current.schedule.waves():
                yield _numbered(next(waves), batches, numbers)

    def take(self, result: BlockResult) -> None:
        """Pass a result to its stage."""
        self._current.take(result)

    def happenings(self) -> tuple[Happening, ...]:
        """Return the decisions, in the numbers of the field."""
        numbers = self._current.numbers
        events = tuple(
            each._replace(entrant=numbers[each.entrant]) if each.entrant >= 0 else each
            for each in self._current.schedule.happenings()
        )
        before, self._told = tuple(self._told), []
        return before + events

    def finishes(self) -> tuple[Finish, ...]:
        """Return the places: first those of the last stage, then those of the stages before."""
        stage, numbers = self._stages[len(self._reached)], self._current.numbers
        finishes = [
            each._replace(entrant=numbers[each.entrant], note=f"{stage.name}: {each.note}")
            for each in self._current.finishes()
        ]
        for reached in reversed(self._reached):
            finishes += _behind(reached, len(finishes))
        return tuple(finishes)

    def _next(self, at: int, stage: "StageConfig") -> _Stage:
        """Begin a stage with the entrants that advance."""
        self._told = list(self.happenings())  # decisions that ended the stage before
        before, finishes = self._current, self._current.finishes()
        lots = self._field.shuffled((-1, at), range(before.field.entrants))
        going = set(chosen(finishes, stage, lots))
        name = self._stages[at - 1].name
        self._told += [Happening(Event.ADVANCE, before.numbers[each]) for each in sorted(going)]
        self._reached.append(
            tuple(
                each._replace(entrant=before.numbers[each.entrant], note=f"{name}: {each.note}")
                for each in finishes
                if each.entrant not in going
            )
        )
        on = [each for each in finishes if each.entrant in going]
        on.sort(key=lambda finish: before.numbers[finish.entrant])
        field = replace(
            self._field,
            entrants=len(on),
            stage=at,
            numbers=tuple(before.numbers[each.entrant] for each in on),
            bankrolls=tuple(each.bankroll for each in on) if stage.carries else None,
        )
        return _Stage(stage.format.options, field)


def _numbered(wave: int, batches: Iterable[Batch], numbers: Iterator[int]) -> Iterator[Batch]:
    """Give batches of a stage their numbers in the tournament."""
    for batch in batches:
        yield Batch(wave, next(numbers), batch.blocks)


def _takes_all(stage: "StageConfig") -> bool:
    """Return whether all entrants of the stage before advance to this one."""
    return stage.top is None and stage.per_table is None and not stage.wildcards


def chosen(finishes: Sequence[Finish], stage: "StageConfig", lots: Sequence[int]) -> list[int]:
    """Choose the entrants that advance.

    Exactly the requested number advances, so that the next format fits. Ties for the last place are
    broken by bankroll, then by lot.

    Args:
        finishes: Of the stage that is over.
        stage: The next stage, with the entrants that it takes.
        lots: A distinct number of each entrant.
    """
    if _takes_all(stage):
        return [finish.entrant for finish in finishes]
    order = sorted(finishes, key=lambda each: (each.place, -each.bankroll, lots[each.entrant]))
    going: list[int] = []
    if stage.per_table is not None:
        tables: dict[int | None, list[Finish]] = {}
        for finish in order:
            tables.setdefault(finish.table, []).append(finish)
        for finishers in tables.values():
            going += [finish.entrant for finish in finishers[: stage.per_table]]
    elif stage.top is not None:
        going += [finish.entrant for finish in order[: stage.top]]
    taken = set(going)
    others = [finish for finish in order if finish.entrant not in taken]
    others.sort(key=lambda finish: -finish.bankroll)  # stable: by place and lot among equals
    return going + [finish.entrant for finish in others[: stage.wildcards]]


def _behind(finishes: Sequence[Finish], better: int) -> list[Finish]:
    """Place the entrants of a stage that did not advance behind all that did."""
    placed: list[Finish] = []
    last = (0, 0)  # place in the stage of the entrant before, and its place overall
    for position, each in enumerate(sorted(finishes, key=lambda finish: finish.place)):
        place = last[1] if each.place == last[0] else better + position + 1
        last = (each.place, place)
        placed.append(each._replace(place=place))
    return placed
