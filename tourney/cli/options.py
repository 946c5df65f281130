"""Options that several commands share. Every command imports them, so they need no room's work."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
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
    """A number within limits, and neither "nan" nor "inf"."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read it."""
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"expected a finite number, got {value!r}", param, ctx)
        return number


class NamedFile(click.Path):
    """The path of a file or a folder; an empty one would be the folder one is in."""

    def convert(
        self,
        value: "str | os.PathLike[str]",
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        """Read it."""
        if value == "":
            self.fail("expected a path, got an empty one", param, ctx)
        return super().convert(value, param, ctx)


HELP = {
    "--as": "Name to play under on the leaderboard.",
    "--count-system": "Count system: hi-lo, or points per card (in blackjack from 2 to ace).",
    "--entrant": "Only this entrant, by its name on the leaderboard or its handle.",
    "--format": "Output format.",
    "--game": "Game, as `tourney list games` names it, with any overrides: ve280,decks=1.",
    "--gradebook": "Gradebook or list of participants exported from Canvas, Moodle or Gradescope.",
    "--minimum": "Minimum wager in chips.  [default: that of the game, or 10]",
    "--output": "File or folder to write.",
    "--reason": "Reason, which is stored with the version.",
    "--replications": "Number of simulations.",
    "--roster": "Roster that lists who plays under which name, as CSV or YAML.",
    "--site": "Folder of a published site.",
    "--url": "Public address of the portal, such as https://cards.example.edu.",
}
"""The one help text of each option whose type or default differs between commands."""


def shared_option(name: str, *declarations: str, **settings: Any) -> Callable[[FC], FC]:
    """Make an option that other commands have, too, with their help text.

    Args:
        name: With its dashes.
        declarations: The name of the parameter, if it is another.
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
REPLACE = click.option("--replace", is_flag=True, help="Write over a file that is there.")
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
"""What a store begins with."""


def check_target(path: Path, option: str, *, replaces: bool) -> None:
    """Make sure that a file may be written: nothing else is lost by it, and never a store.

    Raises: click.UsageError, if it may not.
    """
    if not path.is_file():
        return
    with path.open("rb") as file:
        if file.read(len(SQLITE)) == SQLITE:
            raise click.UsageError(
                f"{path}: expected a file to write, got a store: name another with {option}"
            )
    if not replaces:
        raise click.UsageError(f"{path} is there already: name another with {option}, or --replace")


def cluster_of(name: str | None, *, is_insecure: bool) -> "Cluster | None":
    """Find out which cluster is meant, before anything is done for a run.

    Raises: TourneyError, if it is none, or if what it needs is not there.
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
    help="Whose code is confined: that of files and packages, or installed strategies, too.",
)
SEED = click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    metavar="N",
    help="Make the run reproducible: a rehearsal.",
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

DEFAULT_COMPETITOR = "edge"
"""Which strategy the word `competitor` stands for."""


def note(message: Any) -> None:
    """Tell the user something that is not a result."""
    click.echo(message, err=True)


def prints_aside() -> AbstractContextManager[object]:
    """Send what competitors print to standard error, so that results stay by themselves."""
    return redirect_stdout(sys.stderr)


def refuse_beside(option: str, *names: str) -> None:
    """Refuse what was typed and would do nothing.

    Args:
        option: That was given, beside which they do nothing.
        names: Of parameters of the command.
    Raises: click.UsageError, naming the first.
    """
    for each in _typed(names):
        raise click.UsageError(
            f"{option}: expected no {each}, which does nothing beside it, got both: leave out one "
            "of them"
        )


def refuse_without(option: str, *names: str) -> None:
    """Refuse what was typed and would do nothing, as an option is not given.

    Raises: click.UsageError, naming the first.
    """
    for each in _typed(names):
        raise click.UsageError(f"{each}: expected {option} with it, got none")


def _typed(names: Iterable[str]) -> list[str]:
    """Give those options and arguments, of some, that were typed on the command line."""
    context = click.get_current_context()
    return [
        each.opts[0] if isinstance(each, click.Option) else each.human_readable_name
        for each in context.command.params
        if each.name in names
        and context.get_parameter_source(each.name) is ParameterSource.COMMANDLINE
    ]


def check_group(group: str, labels: Iterable[str | None]) -> None:
    """Refuse a group that nobody belongs to.

    Args:
        group: The one looked for.
        labels: Of everybody, several groups in one between semicolons.
    """
    known = dict.fromkeys(each for label in labels for each in (label or "").split("; ") if each)
    if group.casefold() not in map(str.casefold, known):
        expected = f"one of {', '.join(known)}" if known else "nothing: nobody has a group"
        raise click.BadParameter(f"expected {expected}; {_got(group, known)}", param_hint="--group")


def entrant_number(names: Mapping[int, str], name: str, pseudonyms: Mapping[str, str]) -> int:
    """Find an entrant by its name on the leaderboard or its handle, however it is capitalised.

    Args:
        names: Of those who may be told of, by their number.
        name: The one looked for.
        pseudonyms: Handles, by name.
    """
    for number, known in names.items():
        if name.casefold() in {known.casefold(), pseudonyms.get(known, known).casefold()}:
            return number
    expected = f"one of {', '.join(names.values())}" if names else "nobody: results are withheld"
    told = f"expected {expected}; {_got(name, names.values())}"
    raise click.BadParameter(told, param_hint="--entrant")


def _got(name: str, known: Iterable[str]) -> str:
    """Say what was typed, and which of those who may be told of is near."""
    from tourney.config.words import closest, hint  # noqa: PLC0415 - few mistype

    return f"got {name!r}{hint(closest(name, known))}"
