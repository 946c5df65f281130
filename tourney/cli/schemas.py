"""What configurations and exports look like, for editors and other programs: `schema`."""

import json

import click

from tourney.config import json_schema
from tourney.entrants import load_plugins
from tourney.event.entering import catalog_of
from tourney.show import board_schema
from tourney.show.site import schema_json


@click.command("schema")
@click.argument(
    "what", type=click.Choice(["configuration", "leaderboard", "site"]), default="configuration"
)
def schema_command(what: str) -> None:
    """Print the JSON Schema of configurations, for editors.

    Or that of what is exported: leaderboard is what `--format json` gives, site the data.json of
    published pages.
    """
    if what == "site":
        click.echo(schema_json(), nl=False)
        return
    schema = board_schema() if what == "leaderboard" else json_schema(catalog_of(load_plugins()))
    click.echo(json.dumps(schema, indent=2, ensure_ascii=False))
