"""`schema`: the formats of configurations and exports, for editors and other programs."""

import json

import click

from tourney.cli.json_schemas import ANSWERS, answer_schema
from tourney.config.schema import json_schema
from tourney.plugins.loading import load_plugins
from tourney.report.schema import board_schema
from tourney.report.site.season_page import season_schema
from tourney.report.site.site_files import schema_json
from tourney.tournament.catalog import catalog_of


@click.command("schema")
@click.argument(
    "what",
    type=click.Choice(["configuration", "leaderboard", "season", "site", *ANSWERS]),
    default="configuration",
)
def schema_command(what: str) -> None:
    """Print the JSON Schema of configurations, for editors.

    Other schemas describe exported data: leaderboard and season are the output of `--format json`,
    site is the data.json of published pages, and the others are the output of commands with
    `--json` (deviations of `solve --deviations`, exact of `ev --exact`, and for small games
    equilibrium of `solve` and exploitability of `ev`).
    """
    if what in {"season", "site"}:
        click.echo(season_schema() if what == "season" else schema_json(), nl=False)
        return
    if what in ANSWERS:
        schema = answer_schema(what)
    else:
        is_board = what == "leaderboard"
        schema = board_schema() if is_board else json_schema(catalog_of(load_plugins()))
    click.echo(json.dumps(schema, indent=2, ensure_ascii=False))
