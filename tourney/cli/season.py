"""`season`: a table of points over several runs, and an index page to their pages."""

import shutil
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click
from tabulate import tabulate

from tourney.cli.boards import is_format_named
from tourney.cli.options import (
    NO_SANDBOX,
    STORE,
    WORKERS,
    YES,
    NamedFile,
    note,
    prints_aside,
    refuse_without,
    shared_option,
)
from tourney.cli.progress import Looking
from tourney.cli.publish import HOME, MEGABYTE, SAMPLES, TABLES, note_lost
from tourney.cli.run import Doing, begun, going_on, make_missed_code, play, warn_of_other_terms
from tourney.cli.run_warnings import LARGE_ENTRANTS, check_work, note_confinement, note_faults
from tourney.cli.signals import uninterrupted
from tourney.cli.visibility import ViewOptions, policy_options
from tourney.config.model import TournamentConfig
from tourney.config.season import SeasonConfig, load_event, load_season
from tourney.errors import ConfigError, Fault, TooLargeError
from tourney.execution.workers.workload import check_playable
from tourney.plugins.fault_text import printable
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Registry
from tourney.report.publish.collection import Wanted, collect
from tourney.report.publish.replays import Watching
from tourney.report.publish.season import (
    Part,
    ScoringTerms,
    SeasonData,
    interrupted_runs,
    parts_of,
    planned_runs,
    season_json,
    season_told,
    store_of,
    write_season,
)
from tourney.report.redaction import pseudonyms_of, told
from tourney.report.site.model import HomeData, SiteData
from tourney.report.site.site_files import check_folder, site_files, write_site_files
from tourney.standings.data import csv_of
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.catalog import catalog_of
from tourney.tournament.loading import Tournament, enter, enter_again

NOT_THERE = "-"
FIRST_RUN = 4
"""Number of columns before those of the runs."""


@click.command("season")
@click.argument("file", type=NamedFile(dir_okay=False, path_type=Path))
@STORE
@shared_option("--output", "folder", type=NamedFile(file_okay=False, path_type=Path), metavar="DIR")
@shared_option(
    "--format",
    "codec",
    type=click.Choice(("simple", "github", "csv", "json")),
    default="simple",
    show_default=True,
)
@TABLES
@SAMPLES
@HOME
@policy_options
@click.option(
    "--play", "plays", is_flag=True, help="Play missing runs, and resume interrupted ones."
)
@WORKERS
@NO_SANDBOX
@YES
def season_command(
    file: Path,
    store: Path,
    folder: Path | None,
    codec: str,
    tables: int,
    samples: int,
    home: HomeData | None,
    asked: ViewOptions,
    plays: bool,
    workers: int,
    trust_submissions: bool,
    is_sure: bool,
) -> int:
    """Print the table of a season, and publish its runs.

    FILE is a YAML file with the runs and the points for each place. With --output the table becomes
    a page, and every finished run gets its own pages below it. If tables cannot be replayed, the
    players are named, and the exit status is 1.

    A season with a `tournament` plays its own runs: --play plays those that the store does not have
    yet, in order, after it has resumed those that were interrupted.
    """
    if folder is None:
        refuse_without("--output DIR", "tables", "samples", "home")
    if not plays:
        refuse_without("--play", "is_sure")
    registry = load_plugins()
    config, terms = load_season(file), ScoringTerms(asked.policy, asked.tells_all)
    has_faults = plays and _play(
        config, store, registry, asked, workers, is_trusting=trust_submissions, is_sure=is_sure
    )
    now = datetime.now(UTC)
    parts = parts_of(config, store, registry, terms, now)
    has_pages = [bool(folder) and part.status != "not finished" for part in parts]
    folders = [f"run-{number}" if each else None for number, each in enumerate(has_pages, 1)]
    season = season_told(config, parts, terms, folders).model_copy(update={"home": home})
    click.echo(_shown(season, codec))
    _note_withheld(season)
    for each in planned_runs(config, store):
        note(f"{each.title or each.run}: not played yet; add --play")
    if folder is None:
        return int(has_faults)
    check_folder(folder)
    wanted, back = Wanted(tables, samples), HomeData(address="../index.html", title="Season")
    sites = {
        folder / name: _site_of(
            part, registry, wanted, now, workers, back, is_trusting=trust_submissions
        )
        for part, name in zip(parts, folders, strict=True)
        if name
    }
    with uninterrupted():  # otherwise links would be broken
        size = write_season(season, folder)
        size += sum(write_site_files(files, place) for place, (_, files) in sites.items())
    count = "1 run" if len(parts) == 1 else f"{len(parts)} runs"
    note(f"{folder / 'index.html'}: {count}, {size / MEGABYTE:.1f} MB")
    return 1 if sum(note_lost(shown) for shown, _ in sites.values()) or has_faults else 0


def _play(
    config: SeasonConfig,
    default_store: Path,
    registry: Registry,
    asked: ViewOptions,
    workers: int,
    *,
    is_trusting: bool,
    is_sure: bool,
) -> bool:
    """Play what was not played yet of all runs; return whether an entrant has a verdict.

    Raises: ConfigError with the faults of all configurations, before the first one is played.
    """
    catalog, most = catalog_of(registry, tries_options=True), None if is_sure else LARGE_ENTRANTS
    wanted, faults = list[tuple[TournamentConfig, Doing]](), dict[Fault, None]()
    others = workers, "auto", "simple", None
    for each in planned_runs(config, default_store):
        try:
            how = store_of(each, config, default_store), *others
            wanted.append((load_event(each, catalog, most), how))
        except TooLargeError:
            raise
        except ConfigError as error:
            faults |= dict.fromkeys(error.faults)
    if faults:
        raise ConfigError(tuple(faults))
    verdicts = [
        _resume_run(each.run, (store, *others), registry, asked, is_trusting=is_trusting)
        for each, store in interrupted_runs(config, default_store)
    ]
    verdicts += [
        _play_run(*each, registry, asked, is_trusting=is_trusting, is_sure=is_sure)
        for each in wanted
    ]
    return any(verdicts)


def _resume_run(
    name: str, how: Doing, registry: Registry, asked: ViewOptions, *, is_trusting: bool
) -> bool:
    """Play the rest of a run that was interrupted."""
    with Store.open(how[0], create=False) as kept, kept.held(kept.run(name).number, note):
        run = kept.run(name)  # as the previous process left it
        with prints_aside():
            tournament = enter_again(run, registry, trusts_files=is_trusting, tell=note)
        return _finish(tournament, kept, going_on(kept, run, how[0]), how, asked)


def _play_run(
    config: TournamentConfig,
    how: Doing,
    registry: Registry,
    asked: ViewOptions,
    *,
    is_trusting: bool,
    is_sure: bool,
) -> bool:
    with prints_aside():
        tournament = enter(config, registry, trusts_files=is_trusting, tell=note)
        check_playable(tournament.specs().values(), tournament.rules, "auto")
    check_work(tournament, is_sure=is_sure)
    warn_of_other_terms(tournament, registry)
    with Store.open(how[0]) as kept:
        return _finish(tournament, kept, partial(begun, tournament, kept, how[0]), how, asked)


def _finish(
    tournament: Tournament,
    kept: Store,
    begin: Callable[[], RunRecord],
    how: Doing,
    asked: ViewOptions,
) -> bool:
    """Play a run to its end; return whether an entrant has a verdict."""
    result = play(tournament, kept, begin, how, asked)
    note_confinement(result.run, was_seen=True)
    note_faults(asked.of(tournament, result.run.finished).rows(result.standings), tournament)
    make_missed_code(tournament)
    return any(row.verdict for row in result.standings)


def _site_of(
    part: Part,
    registry: Registry,
    wanted: Wanted,
    now: datetime,
    workers: int,
    back: HomeData,
    *,
    is_trusting: bool,
) -> tuple[SiteData, list[tuple[str, bytes]]]:
    """Make the pages of a run and their files, with the visibility of the season."""
    with Store.open(part.store, create=False) as kept, prints_aside(), Looking() as looking:
        tournament = enter_again(part.run, registry, trusts_files=is_trusting, plays=wanted.replays)
        how = Watching(workers, looking.update, looking.tell)
        data = collect(tournament, kept, part.run, registry, wanted=wanted, how=how)
    data = data.model_copy(update={"home": back})
    shown = told(part.policy, data, now, pseudonyms_of(part.run.entrants))
    return shown, list(site_files(shown))


def _note_withheld(season: SeasonData) -> None:
    """Print the runs that do not count yet."""
    for run in season.runs:
        if run.status == "sealed":
            until = f" until {run.sealed_until}" if run.sealed_until else ""
            note(f"{run.title}: results are hidden{until}; it gives no points yet")
        elif run.status == "not finished":
            note(f"{run.title}: not finished; it gives no points yet")


def _shown(season: SeasonData, codec: str) -> str:
    if codec == "json":
        return season_json(season)
    if codec == "csv":
        return _as_csv(season)
    titles = [printable(run.title) for run in season.runs]
    rows = [
        (
            row.place,
            printable(row.name),
            row.text,
            row.runs,
            *(
                NOT_THERE if score is None else score.text if score.counts else f"({score.text})"
                for score in row.scores
            ),
        )
        for row in season.entrants
    ]
    headers = ["Place", "Entrant", "Points", "Runs", *titles]
    text = _tabulated(headers, rows, codec)
    if not sys.stdout.isatty() or is_format_named():
        return text
    first, left_out = FIRST_RUN, list[str]()
    while max(map(len, text.splitlines())) > shutil.get_terminal_size().columns and titles:
        left_out.append(titles.pop(0))
        rows = [(*row[:first], *row[first + 1 :]) for row in rows]
        text = _tabulated([*headers[:first], *titles], rows, codec)
    if left_out:
        note(f"Runs not shown: {', '.join(left_out)}. --format simple shows them.")
    return text


def _tabulated(headers: Sequence[str], rows: Sequence[Sequence[object]], codec: str) -> str:
    sides = ("right", "left", *["right"] * (len(headers) - 2))
    cells = [[str(cell) for cell in row] for row in rows]
    if codec == "github":
        cells = [[cell.replace("|", r"\|") for cell in row] for row in cells]
    return tabulate(
        cells,
        headers=headers,
        tablefmt=codec,
        disable_numparse=True,
        colalign=sides if cells else None,
    )


def _as_csv(season: SeasonData) -> str:
    """Return the table as CSV: points as numbers; empty for an entrant that did not play."""
    rows: list[list[object]] = [["place", "entrant", "points", "runs"]]
    rows[0] += [run.title for run in season.runs]
    for row in season.entrants:
        scores = ["" if score is None else _number(score.points) for score in row.scores]
        rows.append([row.place, row.name, _number(row.points), row.runs, *scores])
    return csv_of(rows).removesuffix("\n")


def _number(points: float) -> float:
    """Drop a needless decimal point."""
    return int(points) if points.is_integer() else points
