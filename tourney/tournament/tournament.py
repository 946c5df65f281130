"""Playing a tournament from its configuration to its standings.

A format draws up batches of blocks, workers play them ahead of the floor's clock, the store keeps
every result exactly once, and standings are computed from the results.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from time import monotonic
from typing import Any

from tourney.competitors.languages import GIVEN, GivenClass
from tourney.config.arguments import check_seed, path_of
from tourney.config.documents import as_yaml
from tourney.config.model import Catalog, TournamentConfig
from tourney.config.tournament import load_data
from tourney.errors import PluginError, TourneyError
from tourney.execution.engine_selection import check_engine
from tourney.execution.workers.cluster import Cluster
from tourney.execution.workers.pool import Workers
from tourney.execution.workers.task import PlayedBatch
from tourney.execution.workers.worker_choice import check_workers, make_workers
from tourney.execution.workers.workload import Tell, Workload, check_playable
from tourney.floor.utilization import FloorReport
from tourney.game.blocks import Batch
from tourney.game.determinism_check import unrepeatable_faults
from tourney.game.ledger import UNREPEATABLE, BlockResult
from tourney.game.players import BasePlayer
from tourney.notebook.progress_bar import shown
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Registry
from tourney.standings.fold import rank
from tourney.standings.standing import Standing, fold_version, write_standings
from tourney.standings.tallies import Count
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.board import Board
from tourney.tournament.catalog import catalog_of
from tourney.tournament.loading import Tournament, enter, enter_again, now, run_record
from tourney.tournament.progress import Progress, keep_events, kept_results
from tourney.tournament.stored_standings import with_target

DEFAULT_STORE = Path("tourney.db")

RESULTS_LOST = (
    "the results of an earlier play of this batch were lost, because the run was interrupted or "
    "its store damaged; the batch was played again"
)
"""The remark on such a batch."""


@dataclass(frozen=True, slots=True, repr=False)
class TournamentResult(Board):
    """The result of a run."""

    run: RunRecord
    standings: tuple[Standing, ...]  # best first
    floor: FloorReport

    @property
    def name(self) -> str:
        """The name of the run."""
        return self.run.name


class Play:
    """A run in progress: results arrive, are stored and are counted.

    Watchers of a run may read `batches_done`, `seconds_left`, `rounds` and `standings` at any time.
    """

    def __init__(
        self,
        tournament: Tournament,
        store: Store,
        run: RunRecord,
        workers: Workers,
        *,
        on_batch: Callable[["Play"], None] | None = None,
        tell: Tell | None = None,
    ) -> None:
        self.tournament = tournament
        self.run = run
        self._store = store
        self._workers = workers
        self._on_batch, self._tell = on_batch, tell
        self._stored = store.batch_numbers(run.number)
        self._lost = store.begun_batches(run.number)  # started before, but without results
        self._had_all = run.digest is not None  # it had finished, and its store is being repaired
        self._course = Progress(tournament)
        self._count = Count(len(tournament.records), tournament.scoring)
        self._unrepeatable: dict[int, str] = {}  # messages of their verdicts, by entrant
        self.batches_done = self.batches_stored = len(self._stored)
        self._begun = monotonic()
        self.rounds = 0

    @property
    def batches(self) -> int | None:
        """The largest possible number of batches; `None` if that depends on results."""
        return self._course.batches

    @property
    def seconds_left(self) -> float | None:
        """The time left at the speed so far; `None` while it cannot be known."""
        played = self.batches_done - self.batches_stored
        if self.batches is None or not played:
            return None
        return (monotonic() - self._begun) / played * (self.batches - self.batches_done)

    def play(self) -> TournamentResult:
        """Play all batches that are not stored yet."""
        if self.run.status != "finished":  # a finished run has the number, and may have stopped
            self._store.set_expected_batches(self.run.number, self.batches)
        number = 0  # of the next wave
        for number, wave in enumerate(self._course.waves(), start=1):
            keep_events(self._course, self._store, self.run.number, number - 1)
            self._course.play(self._results(wave))
        keep_events(self._course, self._store, self.run.number, number)
        if self.batches is not None and self.batches_done < self.batches:
            # It stopped at an interim analysis.
            self._store.set_expected_batches(self.run.number, self.batches_done)
        standings = with_target(self.tournament, self._ranked(says_how_sure=True))
        self._store.keep_standings(self.run, fold_version(), write_standings(standings))
        if self.run.status != "finished":  # a finished run keeps its time
            self._store.finish_run(self.run.number, "finished", now())
        return TournamentResult(
            self._store.run(self.run.number), standings, self._course.floor.report()
        )

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Standings so far, without ranks and intervals: watchers ask twice a second."""
        return self._ranked(says_how_sure=False)

    def _ranked(self, *, says_how_sure: bool) -> tuple[Standing, ...]:
        tournament = self.tournament
        how = (tournament.labels, tournament.scoring, self._course.finishes)
        return rank(
            self._count.tallies,
            *how,
            orders=self._count.orders,
            better=self._course.better,
            excluded=tournament.excluded,
            says_how_sure=says_how_sure,
        )

    def _results(self, wave: Iterable[Batch]) -> Iterator[BlockResult]:
        """Yield the results of a wave in the order of its batches, and play the missing ones."""
        asked: list[Batch] = []  # batches that the workers have taken from the wave
        # Only faults of earlier waves: those of this wave would depend on the speed of workers.
        unrepeatable = self._unrepeatable.copy()

        def missing() -> Iterator[Batch]:
            for batch in wave:
                asked.append(batch)
                if batch.number not in self._stored:
                    self._store.begin_batch(self.run.number, batch.number)
                    yield replace(batch, known=unrepeatable_faults(unrepeatable, batch.blocks))

        playing = self._workers.play(missing())
        early: dict[int, tuple[BlockResult, ...]] = {}
        position = 0
        while True:
            while (
                position < len(asked)
                and (results := self._ready(asked[position], early)) is not None
            ):
                position += 1
                for result in results:
                    self._take(result)
                    yield result
            played = next(playing, None)
            if played is not None:
                self._keep(played)
                early[played.number] = played.results
            elif position == len(asked):
                return

    def _ready(
        self, batch: Batch, early: dict[int, tuple[BlockResult, ...]]
    ) -> tuple[BlockResult, ...] | None:
        if batch.number in self._stored:
            return kept_results(self._store, self.run.number, batch)
        return early.pop(batch.number, None)

    def _keep(self, played: PlayedBatch) -> None:
        if self._had_all or played.number in self._lost:
            played = played.noted_as_replay(RESULTS_LOST)
        self._store.add_batch(
            self.run.number,
            played.wave,
            played.number,
            played.results,
            played.seconds,
            played.worker,
            played.remarks,
        )
        self.batches_done += 1
        if self._tell:
            for notice in played.notices:
                self._tell(notice)
        if self._on_batch:
            self._on_batch(self)

    def _take(self, result: BlockResult) -> None:
        self._count.take(result)
        self.rounds += sum(seat.rounds for seat in result.seats)
        for seat in result.seats:
            if seat.verdict and seat.verdict.cause == UNREPEATABLE:
                self._unrepeatable.setdefault(seat.entrant, seat.verdict.message)


def play_tournament(
    config: Path | str | Mapping[str, Any] | TournamentConfig,
    *,
    store: Path | str = DEFAULT_STORE,
    workers: int = 1,
    seed: int | None = None,
    engine: str = "auto",
    trust_submissions: bool = False,
    confine_all: bool = False,
    plugins: Registry | None = None,
    progress: bool = False,
) -> TournamentResult:
    """Run a tournament from its configuration to its standings.

    Args:
        config: A YAML file, a mapping with the same settings, or a configuration read from either.
            In a mapping, an entrant's `strategy` may be a class or a player of your program, such
            as a notebook; a class alone is short for `{"strategy": Class}`.
        store: The file that keeps the run; made if missing.
        workers: Number of processes; they do not run the caller's script again. 1 with classes of
            your program.
        seed: Replaces the seed of the configuration.
        engine: The engine that plays.
        trust_submissions: Whether files of competitors may run with all your permissions.
        confine_all: Whether installed strategies run in a sandbox, too.
        plugins: By default, the installed plugins.
        progress: Whether to show a progress bar, in a terminal or a notebook.
    Raises: TourneyError, for a fault of the configuration, a plugin or the store.
    """
    check_seed(seed)
    check_workers(workers)
    check_engine(engine)  # before the run is in the store
    kept_in = path_of(store=store)
    registry = plugins or load_plugins()
    tournament = enter(
        config_of(config, registry, tries_options=not confine_all),
        registry,
        rng_seed=seed,
        trusts_files=trust_submissions,
        confines_all=confine_all,
    )
    check_one_process(tournament, workers)
    check_playable(tournament.specs().values(), tournament.rules, engine)
    with Store.open(kept_in) as kept:
        run = kept.create_run(run_record(tournament))
        with shown(run.name, "batches", is_wanted=progress) as show:
            return play_run(
                tournament,
                kept,
                run,
                workers=workers,
                engine=engine,
                on_batch=lambda play: show(play.batches_done, play.batches),
            )


def config_of(
    config: Path | str | Mapping[str, Any] | TournamentConfig,
    registry: Registry,
    *,
    tries_options: bool = False,
) -> Path | TournamentConfig:
    """Return a configuration in the form that `enter` takes.

    Raises: ConfigError, with every fault of a mapping.
    """
    match config:
        case TournamentConfig():
            return config
        case Mapping():
            return _load_mapping(config, catalog_of(registry, tries_options=tries_options))
        case str() | Path():
            return Path(config)
    raise TourneyError(
        f"configuration: expected a file or a mapping with its settings, got {config!r}"
    )


def _load_mapping(data: Mapping[str, Any], catalog: Catalog) -> TournamentConfig:
    """Read a configuration whose entrants may be classes or players of the calling program."""
    listed = data.get("entrants")
    if not isinstance(listed, list | tuple):
        return load_data(data, catalog)
    entries = [each if isinstance(each, Mapping) else {"strategy": each} for each in listed]
    given: dict[str, Any] = {}
    named, stored = [], []
    for each, entry in zip(listed, entries, strict=True):
        one = entry.get("strategy", entry.get(GIVEN))
        if not isinstance(one, type | BasePlayer):
            named.append(each)
            stored.append(each)
            continue
        key = GivenClass.offer(one)
        given[key] = GivenClass.made(key)
        own = {"as": given[key].__name__, **{k: v for k, v in entry.items() if v is not one}}
        named.append({"strategy": key, **own})
        stored.append({GIVEN: given[key].__name__, **own})
    if not given:
        return load_data(data, catalog)
    games = {key: made.plays_game for key, made in given.items()}
    known = replace(
        catalog,
        strategies={**catalog.strategies, **given},
        games={**catalog.games, **games},
    )
    config = load_data({**data, "entrants": named}, known)
    entrants = tuple(
        replace(each, kind=GIVEN) if each.source is None and each.strategy in given else each
        for each in config.entrants
    )
    text = as_yaml({**data, "entrants": stored})
    return replace(config, entrants=entrants, text=text)


def check_one_process(tournament: Tournament, workers: int) -> None:
    """Reject several workers for classes of the calling program, which no other process has.

    Raises: PluginError, if there are several.
    """
    own = [each.name for each in tournament.records if each.kind == GIVEN]
    if own and workers != 1:
        raise PluginError(
            f"{own[0]}: {workers} workers cannot load a class of this program; use 1 worker, or "
            "save the class in a file and name the file"
        )


def resume_tournament(
    run: int | str | None = None,
    *,
    store: Path | str = DEFAULT_STORE,
    workers: int = 1,
    engine: str = "auto",
    trust_submissions: bool = False,
    plugins: Registry | None = None,
) -> TournamentResult:
    """Resume an interrupted run; by default the latest run.

    Raises: TourneyError, if the run does not exist or its competitors have changed.
    """
    check_workers(workers)
    registry = plugins or load_plugins()
    with Store.open(path_of(store=store), create=False) as kept:
        number = kept.run(run).number
        with kept.held(number):
            record = kept.run(number)  # as the previous owner has left it
            tournament = enter_again(record, registry, trusts_files=trust_submissions)
            return play_run(tournament, kept, record, workers=workers, engine=engine)


def play_run(
    tournament: Tournament,
    store: Store,
    run: RunRecord,
    *,
    workers: int = 1,
    engine: str = "auto",
    batches_a_task: int | None = None,
    cluster: Cluster | None = None,
    on_batch: Callable[[Play], None] | None = None,
    tell: Tell | None = None,
) -> TournamentResult:
    """Play the batches of a stored run that have no results yet.

    Args:
        tournament: The tournament of the run.
        store: The store of the run.
        run: The run in that store.
        workers: Number of processes.
        engine: The engine that plays.
        batches_a_task: Batches sent to a worker together; measured by default.
        cluster: A cluster that plays instead of this machine.
        on_batch: Called after every batch that was stored.
        tell: Called with a message about long waits and lost processes.
    Raises: RunInProgressError, if another process plays it or has taken it over;
        StoreRemovedError, if the store was removed; TourneyError.
    """
    if workers < 1:
        raise TourneyError(f"workers: expected at least 1, got {workers}")
    named = tournament.config.public_value
    if named and not tournament.secret.public_value:
        raise TourneyError(
            f"run {run.number} needs the value of {named.source}, which is mixed into its shoes: "
            f"tourney resume {run.number} --store {quote(str(store.path))} --public-value VALUE"
        )
    with store.held(run.number, tell):
        # If results decide the length, at least the first batch remains.
        left = max(1, (tournament.outline.batches or 1) - len(store.batch_numbers(run.number)))
        workload = workload_of(tournament, left)
        with make_workers(
            workers,
            tournament.specs(),
            engine,
            batches_a_task,
            cluster,
            workload=workload,
            tell=tell,
        ) as crew:
            return Play(tournament, store, run, crew, on_batch=on_batch, tell=tell).play()


def workload_of(tournament: Tournament, batches: int) -> Workload:
    """Estimate the workload of a number of batches from the first one."""
    rounds = sum(block.rounds * len(block.seats) for block in tournament.outline.first)
    return Workload(tournament.rules, batches, batches * rounds)
