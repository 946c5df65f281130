"""`run` and `resume`: play a tournament, show its progress, print its leaderboard."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click

from tourney import lazy
from tourney.cli.anchor_options import PUBLIC_VALUE, anchor_option, words_of_kind
from tourney.cli.boards import FORMAT, WIDE, print_board, without_failing
from tourney.cli.options import (
    CLUSTER,
    CONFINE,
    ENGINE,
    INSECURE_CLUSTER,
    NO_SANDBOX,
    RUN,
    SEED,
    STORE,
    STRICT_PLUGINS,
    WORKERS,
    YES,
    NamedFile,
    cluster_of,
    note,
    prints_aside,
)
from tourney.cli.progress import LiveBoard
from tourney.cli.run_warnings import (
    check_work,
    load_wanted,
    note_confinement,
    note_faults,
    note_sureness,
    resume_words,
    warn_of_quarantine,
)
from tourney.cli.signals import ReportedInterrupt, uninterrupted
from tourney.cli.visibility import TELL_ALL, BoardView, ViewOptions
from tourney.config.model import FloorConfig
from tourney.errors import PluginFailedError, RunInProgressError, StoreRemovedError, TourneyError
from tourney.execution.background_compile import make_missed, missed_parts
from tourney.execution.workers.cluster import Cluster
from tourney.execution.workers.workload import check_playable
from tourney.floor.utilization import FloorReport, duration_words, time_words
from tourney.game.cards.keys import public_text
from tourney.game.words import counted
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Registry
from tourney.report.text import columns_of
from tourney.sandbox.levels import Level
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.catalog import catalog_of
from tourney.tournament.loading import Tournament, enter, enter_again, run_record
from tourney.tournament.plugin_needs import with_stand_ins
from tourney.tournament.tournament import TournamentResult, play_run

if TYPE_CHECKING:
    from tourney.cli import plan as trying
    from tourney.fairness import anchors, committed_start
else:  # most runs have no anchor and no folder of submissions
    trying = lazy.Module("tourney.cli.plan")
    anchors = lazy.Module("tourney.fairness.anchors")
    committed_start = lazy.Module("tourney.fairness.committed_start")

MAKING = (
    "the board is final, and you may press Ctrl-C: tourney makes machine code for later runs of "
    "installed strategies, once after an installation, for about a minute"
)

Doing: TypeAlias = tuple[Path, int, str, str, Cluster | None]
"""The store's file, workers, engine, format of the board, and a cluster if any."""


@click.command("run")
@click.argument("config", type=NamedFile(path_type=Path))
@STORE
@WORKERS
@CLUSTER
@INSECURE_CLUSTER
@SEED
@ENGINE
@FORMAT
@WIDE
@click.option(
    "--dry-run",
    is_flag=True,
    help="Show entrants, blocks, time and the number of tables needed, from a few trial rounds.",
)
@CONFINE
@anchor_option()
@PUBLIC_VALUE
@NO_SANDBOX
@STRICT_PLUGINS
@TELL_ALL
@YES
def run_command(
    config: Path,
    store: Path,
    workers: int,
    cluster: str | None,
    insecure_cluster: bool,
    seed: int | None,
    engine: str,
    codec: str,
    dry_run: bool,
    confine: str,
    anchor: Path | None,
    public_value: str,
    trust_submissions: bool,
    strict_plugins: bool,
    tell_all: bool,
    is_sure: bool,
) -> int:
    """Run a tournament and print its leaderboard.

    CONFIG is a YAML file. Every finished batch is stored, so an interrupted run can be resumed.
    With --anchor, the run of an anchor written by `commit` is played as it was committed.
    """
    place = cluster_of(cluster, is_insecure=insecure_cluster)
    registry = load_plugins(strict=strict_plugins)
    warn_of_quarantine(registry)
    with prints_aside(), _nothing_stored():
        tournament = enter(
            load_wanted(config, registry, is_sure=is_sure, confines_all=confine == "all"),
            registry,
            rng_seed=seed,
            public_value="" if anchor else public_text(public_value),
            trusts_files=trust_submissions,
            confines_all=confine == "all",
            tell=note,
        )
        check_playable(tournament.specs().values(), tournament.rules, engine)
    check_work(tournament, is_sure=is_sure)
    warn_of_other_terms(tournament, registry)
    if dry_run:
        return trying.show_dry_run(tournament, workers, engine)
    how = (store, workers, engine, codec, place)
    asked = ViewOptions(tells_all=tell_all)
    if anchor:
        return _play_committed(tournament, registry, anchor, public_value, how, asked)
    _check_unanchored(tournament, public_value)
    with Store.open(store) as kept:
        begin = partial(begun, tournament, kept, store)
        return play_and_show(tournament, kept, begin, registry, how, asked)


@contextmanager
def _nothing_stored() -> Iterator[None]:
    """Print, if the command is interrupted here, that there is no run yet."""
    try:
        yield
    except KeyboardInterrupt as error:
        note("interrupted; nothing was stored")
        raise ReportedInterrupt from error


def begun(tournament: Tournament, kept: Store, store: Path) -> RunRecord:
    """Create a run, and print its number."""
    run = kept.create_run(run_record(tournament))
    note(f"run {run.number} in {store}: {run.name}, {words_of_kind(run)}")
    return run


def _check_unanchored(tournament: Tournament, public_value: str) -> None:
    """Reject a secret that would be drawn when the public value is already known."""
    named = tournament.config.public_value
    if named and not tournament.secret.is_rehearsal:
        raise TourneyError(
            f"the configuration mixes in the value of {named.source}, so the secret must be fixed "
            "before that value is known; run `tourney commit CONFIG --anchor FILE`, then add "
            "--anchor FILE"
        )
    if named or public_value:
        committed_start.check_public_value(named, public_value)


def _play_committed(
    entered: Tournament,
    registry: Registry,
    anchor: Path,
    public_value: str,
    how: Doing,
    asked: ViewOptions,
) -> int:
    """Play the run of an anchor, if it was not changed, and return the exit status."""
    store, anchored = how[0], anchors.read_anchor(anchor)
    with Store.open(store, create=False) as kept:
        number = committed_start.find_committed(kept, anchored).number
        with kept.held(number, note):
            run = kept.run(number)
            remedy = resume_words(run, entered, store)
            committed_start.check_unchanged(run, run_record(entered), remedy)
            run = committed_start.with_public_value(
                kept, run, entered.config.public_value, public_value
            )
            is_trusting = entered.confinement is Level.UNSAFE
            tournament = enter_again(run, registry, trusts_files=is_trusting, tell=note)
            words = f"run {number} in {store}: {run.name}, {words_of_kind(run)}, as in {anchor}"
            return play_and_show(tournament, kept, said(run, words), registry, how, asked)


@click.command("resume")
@RUN
@STORE
@WORKERS
@CLUSTER
@INSECURE_CLUSTER
@ENGINE
@FORMAT
@WIDE
@PUBLIC_VALUE
@NO_SANDBOX
@STRICT_PLUGINS
@TELL_ALL
def resume_command(
    run: str | None,
    store: Path,
    workers: int,
    cluster: str | None,
    insecure_cluster: bool,
    engine: str,
    codec: str,
    public_value: str,
    trust_submissions: bool,
    strict_plugins: bool,
    tell_all: bool,
) -> int:
    """Resume a run that was interrupted.

    RUN is a number or a name; the default is the latest run. A run from `commit` is played as it
    was committed.
    """
    place = cluster_of(cluster, is_insecure=insecure_cluster)
    registry = load_plugins(strict=strict_plugins)
    with Store.open(store, create=False) as kept, kept.held(kept.run(run).number, note):
        record = kept.run(run)  # as the previous process left it
        record = _with_public_value(kept, record, registry, public_value)
        tournament = enter_again(record, registry, trusts_files=trust_submissions, tell=note)
        begin = going_on(kept, record, store)
        doing = (store, workers, engine, codec, place)
        return play_and_show(
            tournament, kept, begin, registry, doing, ViewOptions(tells_all=tell_all)
        )


def _with_public_value(store: Store, run: RunRecord, registry: Registry, value: str) -> RunRecord:
    """Store the public value of a run, if it has none or a new one is given."""
    named = enter_again(run, registry, plays=False).config.public_value
    if not value and (named is None or run.public_value):
        return run
    return committed_start.with_public_value(store, run, named, value)


def going_on(kept: Store, run: RunRecord, store: Path) -> Callable[[], RunRecord]:
    """Return a function that resumes a stored run and prints how much of it was played."""
    stored = len(kept.batch_numbers(run.number))
    batches = "1 batch" if stored == 1 else f"{stored} batches"
    how = f"going on after {batches}"
    if run.status == "finished":
        how = "finished already: nothing is left to play"
    return said(run, f"run {run.number} in {store}: {run.name}, {how}")


def said(run: RunRecord, words: str) -> Callable[[], RunRecord]:
    """Return a function that starts a stored run and prints its number."""

    def begin() -> RunRecord:
        note(words)
        return run

    return begin


def play_and_show(
    tournament: Tournament,
    store: Store,
    begin: Callable[[], RunRecord],
    registry: Registry,
    how: Doing,
    asked: ViewOptions,
) -> int:
    """Play the rest of a run, and print its board; return the exit status.

    Args:
        tournament: The tournament.
        store: The store for its results.
        begin: Returns the run in that store and prints its number; it is not interrupted.
        registry: The plugins.
        how: The store's file, workers, engine, format of the board, and a cluster if any.
        asked: Options of visibility.
    """
    codec, place = how[-2:]
    result = play(tournament, store, begin, how, asked)
    telling = asked.of(tournament, result.run.finished)
    shown = telling.rows(result.standings)
    known = with_stand_ins(registry, result.run).columns
    columns = columns_of(tournament, known, codec)
    columns = without_failing(columns, shown, tournament.config.leaderboard.columns or ())
    print_board(shown, columns, codec)
    telling.note()
    note_sureness(tournament, shown)
    show_footer(result, tournament, telling)
    if not place:
        make_missed_code(tournament)
    return 1 if any(row.verdict for row in result.standings) else 0


def play(
    tournament: Tournament,
    store: Store,
    begin: Callable[[], RunRecord],
    how: Doing,
    asked: ViewOptions,
) -> TournamentResult:
    """Play the rest of a run, with a live board at a terminal; the arguments are as above."""
    _, workers, engine, _, place = how
    board = LiveBoard(tournament.config.name, asked.of(tournament, None))
    with ExitStack() as playing:
        with uninterrupted():
            run = begin()
            playing.enter_context(_resume_hint(run, tournament, how))
        playing.enter_context(prints_aside())
        playing.enter_context(board)
        return play_run(
            tournament,
            store,
            run,
            workers=workers,
            engine=engine,
            cluster=place,
            on_batch=board.draw,
            tell=board.tell,
        )


@contextmanager
def _resume_hint(run: RunRecord, tournament: Tournament, how: Doing) -> Iterator[None]:
    """Print how to resume a run if it ends here before it is finished."""
    path, place = how[0], how[-1]
    on_cluster = f" {shlex.join(place.options)}" if place else ""

    def note_remedy(store: Path) -> None:
        note(f"to resume: {resume_words(run, tournament, store)}{on_cluster}")

    try:
        yield
    except KeyboardInterrupt as error:
        note("interrupted; every finished batch is kept")
        note_remedy(path)
        raise ReportedInterrupt from error
    except RunInProgressError:  # another process plays it
        raise
    except PluginFailedError:
        note("finished batches are kept; a fixed plugin is a different one, so begin a new run")
        raise
    except StoreRemovedError as lost:
        if lost.saved:
            note_remedy(lost.saved)
        raise
    except Exception:
        note_remedy(path)
        raise


def make_missed_code(tournament: Tournament) -> None:
    """Compile the machine code that this run missed, after its board."""
    game = tournament.rules.game
    if missed_parts(game):
        note(MAKING)
        if why := make_missed(game):
            note(f"it could not be made ({why}): the next run goes without it again, more slowly")


def show_footer(result: TournamentResult, tournament: Tournament, telling: BoardView) -> None:
    """Print the floor's summary and the failed competitors, as far as they are visible."""
    run = result.run
    if not telling.is_sealed:
        floor = floor_words(result.floor, tournament.config.floor)
        note(tournament.rules.game.words.rewrite(floor))
        # With it, others could play the run again and learn the shoes.
        if not run.rehearsal:
            note(f"secret {run.secret.hex()}, salt {run.salt.hex()}")
    note_confinement(run, was_seen=True)
    note_faults(telling.rows(result.standings), tournament)


def floor_words(report: FloorReport, floor: FloorConfig) -> str:
    """Describe the floor: duration, start and end if it has a start, and use."""
    clock = ""
    if floor.start_time:
        begin, end = (time_words(floor, seconds) for seconds in (0, report.seconds))
        clock = f" from {begin} to {end}"
    return (
        f"on the floor: {duration_words(report.seconds)} simulated{clock}, "
        f"{counted(report.blocks, 'block')}; "
        f"{counted(report.tables.capacity, 'table')} in use {report.tables.utilisation:.0%}, "
        f"{counted(report.dealers.capacity, 'dealer')} {report.dealers.utilisation:.0%} of the time"
    )


def warn_of_other_terms(tournament: Tournament, registry: Registry) -> None:
    """Print the warnings of the sources that entrants come from."""
    catalog = catalog_of(registry)
    for source in registry.entrant_sources.values():
        for line in source.warnings(tournament.config, catalog):
            note(line)
