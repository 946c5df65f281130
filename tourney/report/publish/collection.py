"""All published data of a run, collected from its store and from replays.

`tourney.report.redaction` then removes the hidden parts.

Mistakes come from sampled tables: all tables of a class would take minutes, and the samples are
replayed anyway. They are spread evenly over all tables, so the cost of mistakes has a confidence
interval.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tourney.config.words import without_addresses
from tourney.errors import TourneyError
from tourney.floor.block_durations import MICROSECONDS, Streams
from tourney.floor.log import Log
from tourney.floor.room import Floor
from tourney.formats.base import Event
from tourney.game.hand_history import Story, story_of
from tourney.game.ledger import BlockKey, Verdict
from tourney.plugins.loading import language_of
from tourney.plugins.registry import Registry
from tourney.report.publish.commitment_data import committed_told
from tourney.report.publish.floor_timeline import MOST_BLOCKS, timeline
from tourney.report.publish.published_results import Results, TableKey, add_games, read_results
from tourney.report.publish.published_tables import Chosen, choose, duels, fan, race, table_told
from tourney.report.publish.replays import Looks, Watching, look_again
from tourney.report.publish.scoring_rules import configured
from tourney.report.publish.verify_board import interval_told, notes_told
from tourney.report.redaction import shown_verdict
from tourney.report.site.model import (
    BaselineData,
    CellData,
    ColumnData,
    DecisionsData,
    DuelData,
    EntrantData,
    FloorData,
    HappeningData,
    HomeData,
    MistakeData,
    MistakesData,
    PolicyData,
    RaceData,
    RunData,
    SiteData,
    TableData,
    VerdictData,
)
from tourney.report.text import columns_of
from tourney.standings.columns import Column
from tourney.standings.mistakes import Example, Mistake, MistakeCounter
from tourney.standings.standing import FINISH, PLACE, Standing
from tourney.store.records import EntrantRecord, EventRecord, RunRecord
from tourney.store.store import Store
from tourney.tournament.loading import Tournament
from tourney.tournament.progress import Progress, as_record, retrace
from tourney.tournament.sandbox_level import confinement_words
from tourney.tournament.stored_standings import refold


def sampled_mistakes(
    entrant: int, chosen: Chosen, looks: Looks, story: Story[Any]
) -> MistakesData | None:
    """Return the costliest decisions of an entrant at its sampled tables.

    An example is from a table with published hands, if the decision was made there.

    Args:
        entrant: Its number.
        chosen: Its replayed tables.
        looks: The replayed blocks.
        story: Judges the decisions.
    Returns: `None` without samples, or if the game does not know the value of actions.
    """
    counter, tables = MistakeCounter(), 0
    for key in chosen.sampled:
        found = looks.of(entrant, key)
        tables += bool(found)
        for look, seat in found:
            if not look.hands.decision_log:
                return None
            decisions = story.judged(look.hands.decision_log, seat)
            counter.take(look.block.key, decisions, _rounds(look.hands.paths, seat))
    if not counter.rounds:
        return None
    for _, key in chosen.published:
        for look, seat in looks.of(entrant, key):
            counter.prefer(look.block.key, story.judged(look.hands.decision_log, seat))
    total = counter.found("")
    return MistakesData(
        tables=tables,
        rounds=total.rounds,
        judged=total.judged,
        cost_per_100=total.cost_per_100,
        half_width=total.half_width,
        listed=[_told(each) for each in total.listed],
    )


def _rounds(paths: list[list[int | None]], seat: int) -> int:
    """Return the number of rounds that a seat has played."""
    return max(sum(chips[seat] is not None for chips in paths) - 1, 0)


def _told(mistake: Mistake) -> MistakeData:
    told = asdict(mistake)
    example: Example = told.pop("example")
    return MistakeData(**told, **example._asdict())


MOST_EVENTS = 1_000
"""Events of a page; if there are more, only the last ones that do not concern seating."""

SEATING = frozenset({Event.SEAT.value, Event.MOVE.value})
OF_VERDICT = ("cause", "round", "call", "message", "seen", "place", "traceback")
"""Published parts of a verdict."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The tables of a run to replay for publication."""

    tables: int = 3  # best tables of each entrant, and worst ones, with their hands
    samples: int = 12  # tables of each entrant for fans and decisions
    columns: tuple[str, ...] = ()  # added to those of the configuration

    @property
    def replays(self) -> bool:
        """Whether any table is played again."""
        return self.tables > 0 or self.samples > 0


def collect(
    tournament: Tournament,
    store: Store,
    run: RunRecord,
    registry: Registry,
    *,
    wanted: Wanted | None = None,
    how: Watching | None = None,
) -> SiteData:
    """Collect the published data of a run.

    Args:
        tournament: The tournament of the run.
        store: Its store.
        run: The run.
        registry: The plugins, with the columns.
        wanted: The tables to replay.
        how: Workers and progress; by default this process, without progress.
    Raises: TourneyError, if no table was played yet.
    """
    wanted = wanted or Wanted()
    standings = refold(tournament, store, run)
    if not standings:
        raise TourneyError(f"run {run.number} has no results yet; play it first")
    excluded = len(tournament.excluded)
    absent = len(tournament.records) - excluded - len(standings)
    gathered = _Gathered(
        tournament,
        store,
        run,
        registry,
        wanted=wanted,
        standings=standings,
        how=how or Watching(),
    )
    return SiteData(
        run=run_told(tournament, run),
        policy=PolicyData(entrants=len(standings), excluded=excluded, absent=absent),
        columns=[_column_told(column, standings) for column in gathered.columns],
        entrants=[gathered.entrant(place) for place in range(len(standings))],
        floor=_floor_data(tournament, store, run, gathered.numbers),
        notes=notes_told(standings, tournament.scoring),
        baseline=_baseline(tournament, standings),
        race=gathered.race(is_over=run.status == "finished"),
        home=HomeData(address=home) if (home := tournament.config.home) else None,
    )


class _Gathered:
    """The sources of all entrants' pages."""

    def __init__(
        self,
        tournament: Tournament,
        store: Store,
        run: RunRecord,
        registry: Registry,
        *,
        wanted: Wanted,
        standings: Sequence[Standing],
        how: Watching,
    ) -> None:
        self._tournament, self._wanted, self._standings = tournament, wanted, standings
        by_name = {label.name: number for number, label in enumerate(tournament.labels)}
        self._order = [by_name[row.name] for row in standings]
        self.numbers = {entrant: number for number, entrant in enumerate(self._order, start=1)}
        columns = columns_of(tournament, registry.columns, more=wanted.columns)
        # An empty column would only take space.
        self.columns = [each for each in columns if any(map(each.show, standings))]
        seats = store.seat_results(run.number)
        self._results = read_results(seats, len(tournament.labels), tournament.scoring)
        if tournament.measure is PLACE:  # which depends on whole blocks
            add_games(self._results, store.blocks(run.number))
        self._duels: list[list[DuelData]] = [[] for _ in self._order]
        if tournament.measure is not FINISH:
            self._duels = duels([self._results[number] for number in self._order])
        self._verdicts = {
            entrant: [_verdict_told(*fault) for fault in faults]
            for entrant, faults in first_faults(store, run).items()
        }
        self._story = story_of(tournament.rules)
        self._chosen = {each: self._choose(self._results[each]) for each in self._order}
        self._looks = self._look(store, run, how)
        for entrant, (key, verdict) in self._looks.blamed.items():
            told = _verdict_told(key, verdict, self._looks.count_lost(entrant))
            self._verdicts.setdefault(entrant, []).append(told)

    def race(self, *, is_over: bool) -> RaceData | None:
        """Return the race of the leading entrants."""
        leading = [(entrant, self._chosen[entrant].sampled) for entrant in self._order]
        return race(leading, self._looks, self._tournament.scoring, is_over=is_over)

    def entrant(self, place: int) -> EntrantData:
        """Return an entrant, by its row on the board from 0."""
        number, row = self._order[place], self._standings[place]
        record = self._tournament.records[number]
        chosen = self._chosen[number]
        return EntrantData(
            number=place + 1,
            name=row.name,
            strategy=without_addresses(row.strategy),
            group=row.group,
            kind=record.kind,
            digest=record.digest.hex(),
            cells=[
                CellData(value=column.cell(row), text=column.show(row)) for column in self.columns
            ],
            interval=interval_told(row),
            results=self._results[number].told(),
            fan=fan(number, chosen.sampled, self._looks, self._tournament.scoring),
            decisions=self._decisions(number, record, chosen),
            mistakes=sampled_mistakes(number, chosen, self._looks, self._story),
            duels=self._duels[place],
            tables=self._tables(number, chosen),
            verdicts=self._verdicts.get(number, []),
            lost=self._looks.count_lost(number),
        )

    def _tables(self, entrant: int, chosen: Chosen) -> list[TableData]:
        results = self._results[entrant]
        return [
            table_told(kind, key, entrant, results=results, looks=self._looks, numbers=self.numbers)
            for kind, key in chosen.published
        ]

    def _decisions(
        self, entrant: int, record: EntrantRecord, chosen: Chosen
    ) -> DecisionsData | None:
        if not self._wanted.replays:
            return None
        made = language_of(record.kind).known(record.strategy, record.sources)
        found = self._story.charted(made) if made else None
        if not found:
            looks = [seen for key in chosen.sampled for seen in self._looks.of(entrant, key)]
            found = self._story.decisions([(look.hands, seat) for look, seat in looks])
        return DecisionsData.model_validate(asdict(found)) if found else None

    def _choose(self, results: Results) -> Chosen:
        return choose(results, self._wanted.tables, self._wanted.samples)

    def _look(self, store: Store, run: RunRecord, how: Watching) -> Looks:
        wanted: dict[TableKey, set[int]] = {}
        for entrant, chosen in self._chosen.items():
            for key in chosen.tables:
                wanted.setdefault(key, set()).add(entrant)
        return look_again(self._tournament, store, run, wanted, how)


def run_told(tournament: Tournament, run: RunRecord) -> RunData:
    """Return the data of the run; its secret only when no shoe depends on it any more."""
    is_over = run.status == "finished"
    return RunData(
        **configured(tournament.config),
        status=run.status,
        created=run.created,
        finished=run.finished,
        rehearsal=run.rehearsal,
        commitment=run.commitment,
        secret=run.secret.hex() if is_over else None,
        salt=run.salt.hex() if is_over else None,
        digest=run.digest.hex() if run.digest and is_over else None,
        confinement=confinement_words(run),
        versions=dict(run.versions),
        margin=tournament.scoring.margin,
        looks=list(tournament.looks),
        why_luck_stays=tournament.why_luck_stays,
        shares_shoes=tournament.scoring.shares_shoes,
        bounds=tournament.scoring.bounds,
        committed=committed_told(run),
    )


def _baseline(tournament: Tournament, standings: Sequence[Standing]) -> BaselineData | None:
    best = standings[0].best_play
    if best is None:
        return None
    return BaselineData(
        profit_per_round=best,
        wager=tournament.config.minimum,
        from_full_shoe=not tournament.rules.deals_fresh,
    )


def _column_told(column: Column, standings: Sequence[Standing]) -> ColumnData:
    values = [column.cell(row) for row in standings]
    is_number = any(isinstance(value, int | float) for value in values)
    return ColumnData(
        name=column.name, title=column.title, is_number=is_number, meaning=column.meaning
    )


def first_faults(store: Store, run: RunRecord) -> dict[int, list[tuple[BlockKey, Verdict, int]]]:
    """Return the first fault of every cause by entrant, with its number of tables."""
    first: dict[tuple[int, str], tuple[BlockKey, Verdict]] = {}
    tables: dict[tuple[int, str], set[TableKey]] = {}
    for key, seat in store.faulted(run.number):
        if seat.verdict:
            cause = (seat.entrant, seat.verdict.cause)
            first.setdefault(cause, (key, seat.verdict))
            tables.setdefault(cause, set()).add((key.stage, key.heat, key.table))
    found: dict[int, list[tuple[BlockKey, Verdict, int]]] = {}
    for cause, (key, verdict) in first.items():
        found.setdefault(cause[0], []).append((key, verdict, len(tables[cause])))
    return found


def _verdict_told(key: BlockKey, verdict: Verdict, tables: int) -> VerdictData:
    shown = shown_verdict(verdict)
    return VerdictData(
        stage=key.stage + 1,
        heat=key.heat + 1,
        table=key.table + 1,
        decision=verdict.decision + 1,
        tables=tables,
        **{name: getattr(shown, name) for name in OF_VERDICT},
    )


def _floor_data(
    tournament: Tournament, store: Store, run: RunRecord, numbers: Mapping[int, int]
) -> FloorData:
    """Return the use and the events of the floor.

    Args:
        numbers: Rows on the board, by entrant.
    """
    # From the results, as `watch` shows them, and not from the stored events.
    config, log = tournament.config.floor, Log()
    floor = Floor(config, Streams(tournament.secret.floor_key(0)), log)
    events, seats = list[EventRecord](), dict[tuple[int, ...], list[int]]()
    for _, results in retrace(
        Progress(tournament, floor),
        store,
        run.number,
        tell=lambda told: events.extend(map(as_record, told)),
    ):
        for result in results if len(seats) <= MOST_BLOCKS else ():
            seats[result.key] = [numbers.get(seat.entrant, 0) for seat in result.seats]
    happened = len(events)
    if happened > MOST_EVENTS:
        events = [each for each in events if each.event not in SEATING][-MOST_EVENTS:]
    report = floor.report()
    return FloorData(
        seconds=report.seconds,
        blocks=report.blocks,
        rounds=report.rounds,
        tables=report.tables.capacity,
        tables_used=report.tables.utilisation,
        dealers=report.dealers.capacity,
        dealers_used=report.dealers.utilisation,
        happenings=[_happening(each, numbers, tournament.rules.unit) for each in events],
        events_left_out=happened - len(events),
        chart=timeline(log, config, round(report.seconds * MICROSECONDS), seats),
    )


def _happening(event: EventRecord, numbers: Mapping[int, int], unit: int) -> HappeningData:
    is_level = event.event == Event.LEVEL.value  # its minimum is in parts of a chip
    return HappeningData(
        seconds=event.seconds,
        event=event.event,
        entrant=0 if event.entrant is None else numbers.get(event.entrant, 0),
        table=0 if event.table is None else event.table + 1,
        value=event.value / unit if is_level else event.value,
    )
