"""`compare`: whether a new version is better, by as few tables as it takes."""

import click

from tourney.cli.options import ENGINE, SEED, TRUST_SUBMISSIONS, WORKERS, note, prints_aside
from tourney.config import load_game
from tourney.entrants import load_plugins
from tourney.event.comparing import Look, compare, named_apart, tournament_of_two
from tourney.event.competitors import entrant_as_typed
from tourney.event.entering import catalog_of
from tourney.event.research import GAME, LEAST, MOST_TABLES, ROUNDS
from tourney.schedule import why_luck_stays

AT_MOST = 100_000


@click.command("compare")
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@click.option(
    "--game",
    default=GAME,
    show_default=True,
    metavar="GAME",
    help="A preset with overrides, as for `ev`.",
)
@click.option(
    "--tables",
    type=click.IntRange(2, AT_MOST),
    default=MOST_TABLES,
    show_default=True,
    metavar="N",
    help="Tables of each at most.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 10**6),
    default=ROUNDS,
    show_default=True,
    metavar="N",
    help="Rounds at a table.",
)
@click.option(
    "--margin",
    type=click.FloatRange(0, min_open=True),
    metavar="MINIMUMS",
    help="Who differ by no more a round are practically equal, and it stops.",
)
@click.option("--minimum", type=click.IntRange(1, 10_000), metavar="CHIPS", help="As for `ev`.")
@SEED
@WORKERS
@ENGINE
@TRUST_SUBMISSIONS
def compare_command(
    one: str,
    other: str,
    game: str,
    tables: int,
    rounds: int,
    margin: float | None,
    minimum: int | None,
    seed: int | None,
    workers: int,
    engine: str,
    trust_submissions: bool,
) -> None:
    """Find out whether B is better than A.

    Each is the name of a strategy, a file or a chart. Both play the same shoes, until one is
    known to be better with 95 % probability, whenever it stops.
    """
    registry = load_plugins()
    played = load_game(game, catalog_of(registry))
    two = named_apart(entrant_as_typed(one), entrant_as_typed(other))
    with prints_aside():
        tournament = tournament_of_two(
            played,
            two,
            registry,
            tables=tables,
            rounds=rounds,
            minimum=minimum or played.rules.minimum or LEAST,
            margin=margin,
            seed=seed,
            trusts_files=trust_submissions,
        )
        if reason := why_luck_stays(played.rules, tournament.config.format):
            note(f"luck is not taken out: {reason}")
        last = None
        for last in compare(tournament, workers=workers, engine=engine, tell=note):
            note(f"look {last.number}: {_found(last)}, after {last.tables:,} tables of each")
    assert last
    click.echo(_answer(last, two[0].name, two[1].name))


def _found(look: Look) -> str:
    spread = "" if look.half_width is None else f" ± {look.half_width:.5f}"
    return f"{look.difference:+.5f}{spread} minimums a round"


def _answer(look: Look, one: str, other: str) -> str:
    how_long = f"look {look.number}, {look.tables:,} tables of each, {look.rounds:,} rounds in all"
    match look.relation:
        case "separated":
            said = "better" if look.difference > 0 else "worse"
            return f"{other} is {said} than {one}: {_found(look)} ({how_long})"
        case "equal":
            return f"{other} and {one} are equal at every table ({how_long})"
        case "practically equal":
            return f"{other} and {one} are practically equal: {_found(look)} ({how_long})"
    return f"{other} and {one} are not separated yet: {_found(look)} ({how_long})"
