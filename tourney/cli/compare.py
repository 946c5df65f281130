"""`compare`: finds out whether a new version is better, with as few tables as possible."""

import json

import click

from tourney.cli import completion
from tourney.cli.options import (
    ENGINE,
    JSON,
    NO_SANDBOX,
    SEED,
    WORKERS,
    Finite,
    note,
    prints_aside,
    shared_option,
)
from tourney.research.compare import (
    MOST_TABLES,
    ROUNDS_ALONE,
    ROUNDS_TOGETHER,
    Compared,
    compare,
)
from tourney.research.inputs import GAME
from tourney.research.paired_comparison import Look

AT_MOST = 100_000


@click.command("compare")
@click.argument("one", metavar="A", shell_complete=completion.strategies)
@click.argument("other", metavar="B", shell_complete=completion.strategies)
@shared_option(
    "--game",
    default=GAME,
    show_default=True,
    metavar="GAME",
    shell_complete=completion.games,
)
@click.option(
    "--max-tables",
    "tables",
    type=click.IntRange(2, AT_MOST),
    default=MOST_TABLES,
    show_default=True,
    metavar="N",
    help="Maximum number of tables of each strategy.",
)
@click.option(
    "--table-rounds",
    "rounds",
    type=click.IntRange(1, 10**6),
    show_default=f"{ROUNDS_ALONE}, or {ROUNDS_TOGETHER} with several seats",
    metavar="N",
    help="Number of rounds at a table, in each seating.",
)
@click.option(
    "--margin",
    type=Finite(0, min_open=True),
    metavar="UNITS",
    help="Stop as practically equal if the difference per round is at most this many minimums "
    "(or points).",
)
@shared_option("--minimum", type=click.IntRange(1, 10_000), metavar="CHIPS")
@SEED
@WORKERS
@ENGINE
@NO_SANDBOX
@JSON
def compare_command(
    one: str,
    other: str,
    game: str,
    tables: int,
    rounds: int | None,
    margin: float | None,
    minimum: int | None,
    seed: int | None,
    workers: int,
    engine: str,
    trust_submissions: bool,
    as_json: bool,
) -> None:
    """Find out whether B is better than A.

    Each is the name of a strategy, a file, a chart, or a folder with a player in C++. Both play
    with the same luck: alone, in both orders at a table of two, and at larger tables once in each
    seat among copies of the other. The comparison stops as soon as one is better at a confidence
    of 95 %, which accounts for stopping early. When it has played for a second, it prints the
    differences that it can find, and the time that they take. Bankrolls cannot run out, so players
    that wager a part of their bankroll wager enormous sums here; compare these in a tournament.
    """
    with prints_aside():
        found = compare(
            one,
            other,
            game,
            tables=tables,
            rounds=rounds,
            margin=margin,
            minimum=minimum,
            seed=seed,
            workers=workers,
            engine=engine,
            trust_submissions=trust_submissions,
            on_look=_Looks().tell,
            tell=note,
        )
    click.echo(json.dumps(found.to_data()) if as_json else _answer(found))


class _Looks:
    """Prints looks, each after at least twice the tables of the one before, and the last."""

    def __init__(self) -> None:
        self._told = 0

    def tell(self, look: Look) -> None:
        if look.tables >= 2 * self._told or look.relation != "not separated yet":
            self._told = look.tables
            note(f"look {look.number}: {look} a round, after {look.tables:,} tables of each")


def _answer(found: Compared) -> str:
    look = found.last
    looks = "1 look" if look.number == 1 else f"{look.number} looks"
    effort = f"{looks}, {look.tables:,} tables of each, {look.rounds:,} rounds in all"
    return f"{found!r} ({effort})"
