"""`season`: a table of points over several runs, and an index page to their pages."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click
from tabulate import tabulate

from tourney.cli.options import (
    NO_SANDBOX,
    STORE,
    WORKERS,
    NamedFile,
    note,
    prints_aside,
    refuse_without,
    shared_option,
)
from tourney.cli.progress import Looking
from tourney.cli.publish import HOME, MEGABYTE, SAMPLES, TABLES, note_lost
from tourney.cli.signals import uninterrupted
from tourney.cli.visibility import ViewOptions, policy_options
from tourney.config.season import load_season
from tourney.plugins.fault_text import printable
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Registry
from tourney.report.disclosure import pseudonyms_of
from tourney.report.publish.collection import Wanted, collect
from tourney.report.publish.replays import Watching
from tourney.report.publish.season import Part, ScoringTerms, parts_of, season_told
from tourney.report.redaction import told
from tourney.report.site.model import HomeData, SiteData
from tourney.report.site.season_page import SeasonData, season_json, write_season
from tourney.report.site.site_files import check_folder, site_files, write_site_files
from tourney.standings.data import csv_of
from tourney.store.store import Store
from tourney.tournament.loading import enter_again

NOT_THERE = "-"


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
@WORKERS
@NO_SANDBOX
def season_command(
    file: Path,
    store: Path,
    folder: Path | None,
    codec: str,
    tables: int,
    samples: int,
    home: HomeData | None,
    asked: ViewOptions,
    workers: int,
    trust_submissions: bool,
) -> int:
    """Print the table of a season, and publish its runs.

    FILE is a YAML file with the runs and the points for each place. With --output the table becomes
    a page, and every finished run gets its own pages below it. If tables cannot be replayed, the
    players are named, and the exit status is 1.
    """
    if folder is None:
        refuse_without("--output DIR", "tables", "samples", "home")
    registry, now = load_plugins(), datetime.now(UTC)
    config, terms = load_season(file), ScoringTerms(asked.policy, asked.tells_all)
    parts = parts_of(config, store, registry, terms, now)
    has_pages = [bool(folder) and part.status != "not finished" for part in parts]
    folders = [f"run-{number}" if each else None for number, each in enumerate(has_pages, 1)]
    season = season_told(config, parts, terms, folders).model_copy(update={"home": home})
    click.echo(_shown(season, codec))
    _note_withheld(season)
    if folder is None:
        return 0
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
    return 1 if sum(note_lost(shown) for shown, _ in sites.values()) else 0


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
    return _tabulated(headers, rows, codec)


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
