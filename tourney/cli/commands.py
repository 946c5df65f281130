"""The tree of commands. Each command is imported when it is called, so that help stays quick."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, TextIO, TypeAlias

import click

Homes: TypeAlias = Mapping[str, tuple[str, str]]
"""The module of each command and the first sentence of its help, by name."""

GROUP = "tourney.commands"
"""The entry points of optional parts: modules whose COMMANDS are mappings such as the one below."""

COMMANDS: Mapping[str, Homes] = {
    "Tournaments": {
        "demo": ("tourney.cli.demo", "Play an example tournament and print its leaderboard."),
        "run": ("tourney.cli.run", "Run a tournament and print its leaderboard."),
        "resume": ("tourney.cli.run", "Resume a run that was interrupted."),
        "extend": ("tourney.cli.extend", "Add tables or entrants to a finished run."),
        "plan": ("tourney.cli.plan", "Estimate the time, tables and dealers of an event."),
        "leaderboard": ("tourney.cli.leaderboard", "Print the leaderboard of a run."),
        "exclude": ("tourney.cli.exclude", "Take an entrant off the board of a finished run."),
        "runs": ("tourney.cli.runs", "List the runs, show one, or delete one."),
        "verdicts": ("tourney.cli.verdicts", "Show which competitors broke their contract."),
        "replay": ("tourney.cli.replay", "Show hands of an entrant, card by card."),
        "verify": ("tourney.cli.verify", "Check the stored results of a run, and play it again."),
        "mistakes": ("tourney.cli.mistakes", "List the decisions of an entrant that cost most."),
        "export": ("tourney.cli.export", "Write every hand and every decision of a run as data."),
        "watch": ("tourney.cli.watch", "Follow a run on its floor, or replay a finished one."),
        "floor": ("tourney.cli.floor", "Report how tables and dealers were used in a run."),
    },
    "Publishing": {
        "publish": ("tourney.cli.publish", "Write the leaderboard of a run as static pages."),
        "season": ("tourney.cli.season", "Print the table of a season, and publish its runs."),
        "commit": (
            "tourney.cli.commit",
            "Commit to a run without playing it, and write an anchor.",
        ),
    },
    "Competitors": {
        "new": ("tourney.cli.new", "Write files to start from."),
        "check": ("tourney.cli.check", "Check a competitor before it is submitted."),
        "list": ("tourney.cli.list", "List what is installed."),
        "ev": ("tourney.cli.ev", "Measure a strategy in the long run."),
        "compare": ("tourney.cli.compare", "Find out whether B is better than A."),
        "solve": ("tourney.cli.solve", "Find the best chart for a game, and its exact value."),
        "mutants": ("tourney.cli.mutants", "Run your tests on buggy Decks, Hands and Players."),
        "play": ("tourney.cli.play", "Play one of the original course programs."),
    },
    "Courses": {},
    "Servers and editors": {
        "schema": ("tourney.cli.schema", "Print the JSON Schema of configurations, for editors."),
    },
}
"""The sections of the help, in order, with the commands of each; optional parts add to them."""

SYNONYMS: Mapping[str, str] = {
    **dict.fromkeys(("start", "tournament"), "run"),
    **dict.fromkeys(("board", "ranking", "rankings", "results", "scores"), "leaderboard"),
    **dict.fromkeys(("faults", "errors"), "verdicts"),
    **dict.fromkeys(("html", "site", "pages"), "publish"),
    **dict.fromkeys(("test", "validate", "lint"), "check"),
    **dict.fromkeys(("strategies", "games", "formats", "plugins"), "list"),
    **dict.fromkeys(("init", "create"), "new"),
    **dict.fromkeys(("upload", "import"), "submit"),
    **dict.fromkeys(("roster", "course"), "class"),
    **dict.fromkeys(("marks", "gradebook"), "grades"),
    **dict.fromkeys(("portal", "server", "web"), "serve"),
}
"""The command that is suggested for a word that people try in its place."""

MARGINS = 6
"""Spaces around commands and their summaries, as click counts them."""


def all_commands() -> Mapping[str, Homes]:
    """Return the sections of commands, with those of installed optional parts."""
    sections = {title: dict(homes) for title, homes in COMMANDS.items()}
    for part in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        try:
            found: Mapping[str, Homes] = import_module(part.value).COMMANDS
        except ImportError as error:
            click.echo(f"The commands of {part.name!r} are not available: {error}", err=True)
            continue
        for title, homes in found.items():
            sections.setdefault(title, {}).update(homes)
    return {title: homes for title, homes in sections.items() if homes}


def command_names() -> Sequence[str]:
    """List the names of all commands, in the order of the help."""
    return [name for homes in all_commands().values() for name in homes]


class LazyGroup(click.Group):
    """A group that imports its commands by name."""

    def __init__(
        self, *args: Any, sections: Callable[[], Mapping[str, Homes]], **kwargs: Any
    ) -> None:
        """Take a function that returns the commands by section title."""
        super().__init__(*args, **kwargs)
        self._find_sections = sections

    @cached_property
    def _sections(self) -> Mapping[str, Homes]:
        return self._find_sections()

    @cached_property
    def _homes(self) -> Homes:
        return {name: home for homes in self._sections.values() for name, home in homes.items()}

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the arguments; help may be printed here."""
        with _readers_may_leave():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        from tourney.lazy import safe_path  # noqa: PLC0415 - help does not need it

        with _readers_may_leave(), safe_path():
            return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the called command; suggest one for an unknown name."""
        called = args[0]
        if called not in self._homes and not called.startswith("-") and not ctx.resilient_parsing:
            from tourney.config.words import closest, hint  # noqa: PLC0415 - only after a typing error

            meant = SYNONYMS.get(called.lower(), "")
            near = meant if meant in self._homes else closest(called, self._homes)
            ctx.fail(f"No such command {called!r}{hint(near)}.")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order of the sections."""
        del ctx
        return list(self._homes)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        del ctx
        if cmd_name not in self._homes:
            return None
        module, _ = self._homes[cmd_name]
        command = getattr(import_module(module), f"{cmd_name}_command")
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in the help by section, without importing them."""
        del ctx
        room = formatter.width - MARGINS - max(map(len, self._homes))
        for title, homes in self._sections.items():
            with formatter.section(title):
                formatter.write_dl(
                    [
                        (name, click.Command(name, help=summary).get_short_help_str(room))
                        for name, (_, summary) in homes.items()
                    ]
                )


@contextmanager
def _readers_may_leave() -> Iterator[None]:
    """Exit normally when the reader of a pipe leaves; click would call it a failure."""
    try:
        yield
    except BrokenPipeError:
        drop_output(sys.stdout)
        raise click.exceptions.Exit(0) from None


def drop_output(stream: TextIO) -> None:
    """Drop output that could not be written, or Python would fail again at its exit."""
    with suppress(OSError):
        output = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, output)
        os.close(nowhere)


def _tell_version(context: click.Context, _option: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        from tourney.cli.version_text import version_words  # noqa: PLC0415 - few ask

        click.echo(version_words())
        context.exit()


@click.group(
    cls=LazyGroup, sections=all_commands, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_tell_version,
    help="Show version, commit and state of the machine code, and exit.",
)
def tourney() -> None:
    """Run tournaments of card-game strategies.

    A tournament is one YAML file: `tourney new tournament` writes one, and
    `tourney run tournament.yaml` plays it.
    """
    click.get_current_context().call_on_close(_note_quarantine)


def _note_quarantine() -> None:
    """Name the plugins in quarantine after a command that loaded plugins."""
    loading = sys.modules.get("tourney.plugins.loading")
    if loading and loading.installed_plugins.cache_info().currsize:
        registry = loading.installed_plugins()
        if registry.quarantined:
            # Loaded only for a faulty plugin.
            from tourney.cli.run_warnings import warn_of_quarantine  # noqa: PLC0415 - see above

            warn_of_quarantine(registry)
