"""`mistakes`: the decisions of an entrant that lose most against best play."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from tourney.cli.options import (
    JSON,
    NO_SANDBOX,
    RUN,
    STORE,
    note,
    prints_aside,
    shared_option,
)
from tourney.cli.visibility import entrant_of
from tourney.plugins.loading import load_plugins
from tourney.report.hand_tables import HandsData
from tourney.research.mistakes import mistake_lines, mistakes_of
from tourney.research.stored_runs import chosen_blocks
from tourney.standings.mistakes import TOP
from tourney.store.store import Store
from tourney.tournament.loading import enter_again


@click.command("mistakes")
@RUN
@STORE
@shared_option("--entrant", required=True, metavar="NAME")
@click.option(
    "--top",
    type=click.IntRange(1),
    metavar="N",
    default=TOP,
    show_default=True,
    help="Show the first N only.",
)
@JSON
@NO_SANDBOX
def mistakes_command(
    run: str | None,
    store: Path,
    entrant: str,
    top: int,
    as_json: bool,
    trust_submissions: bool,
) -> int:
    """List the decisions of an entrant that cost most.

    RUN is a number or a name; the default is the latest run. The run is played again. The cost of
    a decision is the expected loss against the best action, without counting cards. It is
    approximate for hands of a split and for riffled decks. Each line has an example for `tourney
    replay`.
    """
    with Store.open(store, create=False) as kept:
        record = kept.run(run)
        tournament = enter_again(record, load_plugins(), trusts_files=trust_submissions)
        number = entrant_of(record, entrant)
        data = HandsData(tournament, kept, record, chosen_blocks(None, number))
        with prints_aside():
            found = mistakes_of(data, number, top)
    if as_json:
        click.echo(json.dumps(asdict(found), indent=2, ensure_ascii=False, default=list))
    else:
        click.echo("\n".join(mistake_lines(found.name, found)))
    for line in data.explanations():
        note(line)
    return 1 if data.differing else 0
