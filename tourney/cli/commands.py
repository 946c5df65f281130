"""The tree of commands. Each is imported when it is called, so that help stays quick."""

from importlib import import_module

import click

COMMANDS = {
    "run": "running",
    "resume": "running",
    "runs": "kept",
    "leaderboard": "kept",
    "replay": "kept",
    "verify": "kept",
    "list": "listing",
    "schema": "listing",
    "play": "playing",
    "ev": "measuring",
}
"""Commands in the order of their help, and the modules that hold them."""


class LazyGroup(click.Group):
    """A group whose commands are found by name in the modules of this package."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in their own order."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        del ctx
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        command = getattr(import_module(f"tourney.cli.{module}"), f"{cmd_name}_command")
        assert isinstance(command, click.Command)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tourney")
def tourney() -> None:
    """Run tournaments of card-game strategies.

    A tournament is one YAML file: try `tourney run configs/quickstart.yaml`.
    """
