"""Options that several commands share. Every command imports this module, so it imports few
others.
"""

import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager, redirect_stdout
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from click.decorators import FC

from tourney.cli import completion
from tourney.execution.engine_names import ENGINES, MOST_WORKERS

if TYPE_CHECKING:
    from tourney.execution.workers.cluster import Cluster


class Finite(click.FloatRange):
    """A number within limits, but not "nan" or "inf"."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read it."""
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"expected a finite number, got {value!r}", param, ctx)
        return number


class NamedFile(click.Path):
    """The path of a file or a folder; an empty one would mean the current folder."""

    def convert(
        self,
        value: "str | os.PathLike[str]",
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        """Read it."""
        if value == "":
            self.fail("the path is empty", param, ctx)
        return super().convert(value, param, ctx)


HELP = {
    "--against": "Show the differences from OTHER.",
    "--as": "Name to play under on the leaderboard.",
    "--count-system": "Count system: hi-lo, or points per card (in blackjack from 2 to ace).",
    "--entrant": "Only this entrant, by its name on the leaderboard or its handle.",
    "--format": "Output format.",
    "--game": "Game, as `tourney list games` names it, with any overrides: ve280,decks=1.",
    "--gradebook": "Gradebook or list of participants exported from Canvas, Moodle or Gradescope.",
    "--minimum": "Minimum wager in chips; by default that of the game, or 10.",
    "--output": "File or folder to write.",
    "--reason": "Reason, which is stored and not published.",
    "--replications": "Number of simulations.",
    "--roster": "Roster that lists who plays under which name, as CSV or YAML.",
    "--site": "Folder of a published site.",
    "--url": "Public address of the portal, such as https://cards.example.edu.",
}
"""Help of each option whose type or default differs between commands."""


def shared_option(name: str, *declarations: str, **settings: Any) -> Callable[[FC], FC]:
    """Make an option that other commands share, with their help text.

    Args:
        name: With its dashes.
        declarations: The name of the parameter, if it differs.
        settings: As for `click.option`.
    """
    return click.option(name, *declarations, help=HELP[name], **settings)


STORE = click.option(
    "--store",
    type=NamedFile(dir_okay=False, path_type=Path),
    default="tourney.db",
    show_default=True,
    help="File that keeps the runs.",
)
WORKERS = click.option(
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    metavar="N",
    default=lambda: os.cpu_count() or 1,
    show_default="one for each core",
    help="Processes that play. Never changes a result.",
)
REPLACE = click.option("--replace", is_flag=True, help="Overwrite an existing file.")
CLUSTER = click.option(
    "--cluster",
    metavar="PLACE",
    help="Play on a Dask cluster: local, slurm:FILE, tls://HOST:PORT or tcp://HOST:PORT. "
    "Never changes a result.",
)
INSECURE_CLUSTER = click.option(
    "--insecure-cluster",
    is_flag=True,
    help="Let shoes and sources travel to a tcp:// scheduler in the clear.",
)

SQLITE = b"SQLite format 3\0"
"""The first bytes of a store."""


def check_target(path: Path, option: str, *, replaces: bool) -> None:
    """Check that a file may be written: it is new, or may be replaced, and is not a store.

    Raises: click.UsageError, if it may not.
    """
    if not path.is_file():
        return
    with path.open("rb") as file:
        if file.read(len(SQLITE)) == SQLITE:
            raise click.UsageError(
                f"{path} is a store and is not replaced; name another file with {option}"
            )
    if not replaces:
        raise click.UsageError(
            f"{path} already exists; name another file with {option}, or add --replace"
        )


def cluster_of(name: str | None, *, is_insecure: bool) -> "Cluster | None":
    """Return the named cluster, before a run starts.

    Raises: TourneyError, if there is no such cluster, or a requirement is missing.
    """
    if not name:
        refuse_without("--cluster PLACE", "insecure_cluster")
        return None
    from tourney.execution.workers.cluster import Cluster, check_cluster  # noqa: PLC0415 - few commands play

    cluster = Cluster(name, is_insecure)
    check_cluster(cluster)
    return cluster


ENGINE = click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="auto",
    show_default=True,
    help="Which engine plays. Never changes a result.",
)
CONFINE = click.option(
    "--confine",
    type=click.Choice(("files", "all")),
    default="files",
    show_default=True,
    help="Code to run in the sandbox: of files and packages, or also of installed strategies.",
)
SEED = click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    metavar="N",
    help="Seed of the cards, to repeat a result. A run with a seed is a rehearsal.",
)
STRICT_PLUGINS = click.option(
    "--strict-plugins", is_flag=True, help="Stop if any plugin is in quarantine."
)
NO_SANDBOX = click.option(
    "--no-sandbox",
    "trust_submissions",
    is_flag=True,
    help="Run untrusted code without the sandbox, with all your permissions.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
YES = click.option("--yes", "is_sure", is_flag=True, help="Skip the confirmation.")

RUN = click.argument("run", required=False, shell_complete=completion.runs)

GROUP = click.option("--group", metavar="GROUP", help="Only entrants of this group.")

NOTED = "tourney.cli.quarantine"
"""Key of click's data: whether this command has named the plugins in quarantine."""

DEFAULT_COMPETITOR = "edge"
"""The strategy that the word `competitor` stands for."""


def note(message: Any) -> None:
    """Print a note to standard error."""
    click.echo(message, err=True)


def prints_aside() -> AbstractContextManager[object]:
    """Send output of competitors to standard error, so that results stay separate."""
    return redirect_stdout(sys.stderr)


def refuse_beside(option: str, *names: str) -> None:
    """Reject options that have no effect together with another one.

    Args:
        option: The other option.
        names: Parameters of the command.
    Raises: click.UsageError, naming the first.
    """
    for each in _typed(names):
        raise click.UsageError(f"{each} has no effect with {option}; leave out one of them")


def refuse_without(option: str, *names: str) -> None:
    """Reject options that have no effect without another one.

    Raises: click.UsageError, naming the first.
    """
    for each in _typed(names):
        raise click.UsageError(f"{each} has no effect without {option}; add it")


def _typed(names: Iterable[str]) -> list[str]:
    """Return those of some options and arguments that the user typed."""
    context = click.get_current_context()
    return [
        each.opts[0] if isinstance(each, click.Option) else each.human_readable_name
        for each in context.command.params
        if each.name in names
        and context.get_parameter_source(each.name) is ParameterSource.COMMANDLINE
    ]


def check_group(group: str, labels: Iterable[str | None]) -> None:
    """Reject a group without members.

    Args:
        group: The requested group.
        labels: Groups of all entrants; semicolons separate several groups of one.
    """
    known = dict.fromkeys(each for label in labels for each in (label or "").split("; ") if each)
    if group.casefold() not in map(str.casefold, known):
        message = "no entrant has a group; remove --group"
        if known:
            message = _unknown("a group", group, known)
        raise click.BadParameter(message, param_hint="--group")


def entrant_number(
    names: Mapping[int, str],
    name: str,
    pseudonyms: Mapping[str, str],
    option: str = "--entrant",
) -> int:
    """Find an entrant by its name on the leaderboard or its handle, ignoring case.

    Args:
        names: Names of visible entrants, by number.
        name: The requested name.
        pseudonyms: Handles, by name.
        option: The option that names it, for the message.
    """
    for number, known in names.items():
        if name.casefold() in {known.casefold(), pseudonyms.get(known, known).casefold()}:
            return number
    message = "results are hidden, so no entrant can be named"
    if names:
        message = _unknown("an entrant", name, names.values())
    raise click.BadParameter(message, param_hint=option)


def _unknown(what: str, name: str, known: Collection[str]) -> str:
    from tourney.config.words import closest, hint, joined  # noqa: PLC0415 - only after a typing error

    choices = joined(list(known), shown_by="`tourney leaderboard`")
    return f"{name!r} is not {what}; choose {choices}{hint(closest(name, known))}"
