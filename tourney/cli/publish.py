"""`publish`: a leaderboard as pages that work from disk."""

from datetime import UTC, datetime
from pathlib import Path

import click
from pydantic import ValidationError

from tourney.cli.anchor_options import AUTHORITIES, anchor_option
from tourney.cli.boards import COLUMN
from tourney.cli.options import (
    NO_SANDBOX,
    RUN,
    STORE,
    WORKERS,
    NamedFile,
    note,
    prints_aside,
    refuse_beside,
    refuse_without,
    shared_option,
)
from tourney.cli.progress import Looking
from tourney.cli.run_warnings import note_unfinished, stored_run
from tourney.cli.visibility import BoardView, ViewOptions, policy_options
from tourney.config.settings import A_PAGE
from tourney.fairness.anchors import read_anchor
from tourney.game.ledger import UNREPEATABLE
from tourney.report.publish.anchor_times import with_anchor
from tourney.report.publish.collection import Wanted, collect
from tourney.report.publish.replays import Watching
from tourney.report.redaction import Pseudonyms, told
from tourney.report.site.model import HomeData, SiteData
from tourney.report.site.site_files import check_folder, read_data, write_site

MEGABYTE = 1_000_000
NOBODY: Pseudonyms = {}
"""No handles, because the data are anonymous."""
TABLES = click.option(
    "--show-tables",
    "tables",
    type=click.IntRange(0, 50),
    default=3,
    show_default=True,
    metavar="N",
    help="Show the hands of the N best and N worst tables of each entrant.",
)
SAMPLES = click.option(
    "--samples",
    type=click.IntRange(0, 1000),
    default=12,
    show_default=True,
    metavar="N",
    help="Use N tables of each entrant for bankroll fans and decisions.",
)


def home_at(address: str) -> HomeData:
    """Read the address of a page to which a site links back."""
    try:
        return HomeData(address=address)
    except ValidationError:
        raise click.BadParameter(f"expected {A_PAGE}, got {address!r}") from None


HOME = click.option(
    "--home",
    type=home_at,
    metavar="URL",
    help="Link all pages to this address, such as the home page of the course.",
)


@click.command("publish")
@RUN
@STORE
@shared_option(
    "--output",
    "folder",
    required=True,
    type=NamedFile(file_okay=False, path_type=Path),
    metavar="DIR",
)
@click.option(
    "--data",
    "source",
    type=NamedFile(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Make the pages from the data.json of a site, without a store.",
)
@anchor_option()
@AUTHORITIES
@TABLES
@SAMPLES
@COLUMN
@HOME
@policy_options
@WORKERS
@NO_SANDBOX
def publish_command(
    run: str | None,
    store: Path,
    folder: Path,
    source: Path | None,
    anchor: Path | None,
    authorities: tuple[Path, ...],
    tables: int,
    samples: int,
    more: tuple[str, ...],
    home: HomeData | None,
    asked: ViewOptions,
    workers: int,
    trust_submissions: bool,
) -> int:
    """Write the leaderboard of a run as pages that work from disk.

    RUN is a number or a name; the default is the latest run. The output folder is new, empty, or
    holds an earlier site. Tables with published hands are played again and must give the stored
    results. An unrepeatable player is named, its tables are left out, and the exit status is 1.
    """
    policy, pseudonyms = asked.policy, NOBODY
    if not anchor:
        refuse_without("--anchor FILE", "authorities")
    if source:
        refuse_beside("--data", "run", "store", "tables", "samples", "more")
    check_folder(folder)  # before tables are played again
    if source:
        data = read_data(source)
    else:
        data, telling = _gather(
            run, store, Wanted(tables, samples, more), asked, workers, is_trusting=trust_submissions
        )
        policy, pseudonyms = telling.policy, telling.pseudonyms
        telling.note()
    if anchor:
        run_told = with_anchor(data.run, read_anchor(anchor), authorities)
        data = data.model_copy(update={"run": run_told})
    if home:
        data = data.model_copy(update={"home": home})
    shown = told(policy, data, datetime.now(UTC), pseudonyms)
    size = write_site(shown, folder)
    count = "1 entrant" if len(shown.entrants) == 1 else f"{len(shown.entrants)} entrants"
    note(f"{folder / 'index.html'}: {count}, {size / MEGABYTE:.1f} MB")
    return 1 if note_lost(shown) else 0


def note_lost(data: SiteData) -> int:
    """Print whose tables cannot be replayed, and why; return their number."""
    for entrant in data.entrants:
        found = [each for each in entrant.verdicts if each.cause == UNREPEATABLE]
        if entrant.lost:
            count = "1 table" if entrant.lost == 1 else f"{entrant.lost} tables"
            why = (
                "another player at the table, the game or the installed version does not play as "
                "it did"
            )
            if found:
                why = f"never the same twice: {found[-1].message} (table {found[-1].table})"
            note(f"{entrant.name}: {count} cannot be shown again: {why}")
    return sum(entrant.lost for entrant in data.entrants)


def _gather(
    run: str | None,
    store: Path,
    wanted: Wanted,
    asked: ViewOptions,
    workers: int,
    *,
    is_trusting: bool,
) -> tuple[SiteData, BoardView]:
    """Collect a stored run and its visible part."""
    with stored_run(
        run, store, trusts_files=is_trusting, plays=wanted.replays, counts=True
    ) as stored:
        kept, record, tournament, registry, has_players = stored
        if not has_players:
            note("the pages show no hands, because they cannot be played again")
            wanted = Wanted(0, 0, wanted.columns)
        with prints_aside(), Looking() as looking:
            how = Watching(workers, looking.update, looking.tell)
            data = collect(tournament, kept, record, registry, wanted=wanted, how=how)
    note_unfinished(record, tournament, store)
    return data, asked.of(tournament, record.finished)
