"""`replay`: the hands of an entrant at a table, card by card."""

import sys
from functools import partial
from pathlib import Path

import click

from tourney.cli.options import (
    NO_SANDBOX,
    RUN,
    STORE,
    note,
    prints_aside,
    shared_option,
)
from tourney.cli.run_warnings import fault_words
from tourney.cli.visibility import entrant_of
from tourney.errors import RunNotFoundError
from tourney.plugins.loading import load_plugins
from tourney.report.hand_text import HandsText, Place
from tourney.report.round_comparison import RoundComparison
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.audit import find_blocks
from tourney.tournament.loading import Tournament, enter_again

MOST_DIGITS = 18
"""Digits of a round's number."""

MOST_TABLES = 12
"""Tables in a message."""


@click.command("replay")
@RUN
@STORE
@shared_option("--entrant", required=True, metavar="NAME")
@click.option(
    "--table", required=True, type=click.IntRange(1), metavar="N", help="Number of the table."
)
@click.option("--range", "rounds", metavar="A-B", help="Show only these rounds.")
@click.option(
    "--as-seen",
    is_flag=True,
    help="Show only the information that the entrant had at each decision.",
)
@click.option("--lost", is_flag=True, help="Show only the rounds that the entrant lost, in order.")
@shared_option("--against", metavar="OTHER")
@NO_SANDBOX
def replay_command(
    run: str | None,
    store: Path,
    entrant: str,
    table: int,
    rounds: str | None,
    as_seen: bool,
    lost: bool,
    against: str | None,
    trust_submissions: bool,
) -> int:
    """Show hands of an entrant, card by card.

    RUN is a number or a name; the default is the latest run. Blocks that differ from the stored
    results are left out, the player is named, and the exit status is 1. OTHER is an entrant: the
    rounds that the two decided or ended differently are shown side by side. Both sit at the table
    with the same cards until their first different decision.
    """
    if against is not None and (lost or as_seen):
        raise click.UsageError("--against shows two views; leave out --lost and --as-seen")
    shown = _rounds(rounds)
    registry = load_plugins()
    with Store.open(store, create=False) as kept:
        record = kept.run(run)
        tournament = enter_again(record, registry, trusts_files=trust_submissions)
        number = entrant_of(record, entrant)
        places = _places(tournament, kept, record, number, table)
        if against is not None:
            rival = entrant_of(record, against, "--against")
            others = _places(tournament, kept, record, rival, table)
            compared = RoundComparison(
                tournament, kept, record, (places, others), (number, rival), shown, prints_aside
            )
            for line in compared.lines():
                click.echo(line)
            return 0
        write = partial(click.echo, file=sys.stdout)  # output of players goes to standard error
        hands = HandsText(
            tournament, kept, record, places, number, shown, write, prints_aside, only_lost=lost
        )
        for verdict in hands.tell_as_seen() if as_seen else hands.tell():
            note(f"{fault_words(verdict)} (round {verdict.round})")
        for line in hands.explanations():
            note(line)
        _refuse_beyond(shown, hands.last)
        if lost and not hands.lost:
            note(f"{tournament.labels[number].name} lost none of these rounds")
        return 1 if hands.differing else 0


def _refuse_beyond(shown: range, rounds: int) -> None:
    """Reject rounds after the last one played."""
    if shown.start > max(rounds, 1):
        raise click.BadParameter(
            f"round {shown.start} was not played; the last round is {rounds}",
            param_hint="--range",
        )


def _rounds(text: str | None) -> range:
    if text is None:
        return range(1, 2**62)
    first, dash, last = text.partition("-")
    if not (first.isdecimal() and (last.isdecimal() or not dash)):
        raise click.BadParameter(f"expected A-B, such as 10-20; got {text!r}", param_hint="--range")
    if max(len(first), len(last)) > MOST_DIGITS:
        raise click.BadParameter(
            f"the numbers have more than {MOST_DIGITS} digits", param_hint="--range"
        )
    low, high = int(first), int(last or first)
    if not 1 <= low <= high:
        raise click.BadParameter(
            f"the first round is at least 1, and the last one is not before it; {text!r} is wrong",
            param_hint="--range",
        )
    return range(low, high + 1)


def _places(
    tournament: Tournament, store: Store, run: RunRecord, entrant: int, table: int
) -> tuple[Place, ...]:
    """Find the blocks of an entrant at a table; on failure, list its tables."""
    try:
        return find_blocks(tournament, store, run, entrant, table - 1)
    except RunNotFoundError as error:
        tables = sorted({each.key.table + 1 for each in store.blocks(run.number, entrant)})
        name = tournament.labels[entrant].name
        message = f"{name} has not played at table {table}"
        if tables:
            message += f"; choose {_numbers(tables)}"
        raise click.BadParameter(message, param_hint="--table") from error


def _numbers(tables: list[int]) -> str:
    """List numbers of tables."""
    if tables == list(range(1, len(tables) + 1)):
        return f"1 to {len(tables)}"
    shown = ", ".join(map(str, tables[:MOST_TABLES]))
    return f"{shown} …" if len(tables) > MOST_TABLES else shown
