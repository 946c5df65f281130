"""`play`: the original course programs."""

from pathlib import Path

import click

from tourney.classic import Session, play_session, read_cuts
from tourney.cli.commands import LazyGroup
from tourney.errors import CardsError, PluginError
from tourney.players import ChartPlayer
from tourney.plugins import load_plugins

DEFAULT_COMPETITOR = "edge"
"""Which strategy the word `competitor` stands for."""

EECS280_MINIMUM = 5
CHIPS = click.IntRange(1, 10**9)


PROGRAMS = {
    "ve280": "playing",
    "eecs280": "playing",
    "easybj": "easybj",
    "csc24400": "csc24400",
    "straights": "straights",
}
"""The programs, and the modules that hold their commands."""


@click.group("play", cls=LazyGroup, homes=PROGRAMS)
def play_command() -> None:
    """Play one of the original course programs."""


@click.command("ve280")
@click.argument("bankroll", type=CHIPS)
@click.argument("minimum", type=CHIPS)
@click.argument("hands", type=CHIPS)
@click.argument("player")
@click.argument("cuts", type=click.Path(path_type=Path), required=False)
def ve280_command(bankroll: int, minimum: int, hands: int, player: str, cuts: Path | None) -> None:
    """VE280 project 4.

    PLAYER plays HANDS hands from BANKROLL chips, at a least wager of MINIMUM. It is simple,
    counting, competitor or the name of any strategy. CUTS is a file of cuts for the first
    shuffle.
    """
    try:
        first_cuts = read_cuts(cuts) if cuts else None
    except CardsError as error:
        raise click.UsageError(str(error)) from error
    _play(Session(bankroll, minimum, hands, "# ", first_cuts), player)


@click.command("eecs280")
@click.argument("bankroll", type=CHIPS)
@click.argument("hands", type=CHIPS)
@click.argument("player")
def eecs280_command(bankroll: int, hands: int, player: str) -> None:
    """EECS 280 project 4, winter 2008.

    PLAYER plays HANDS hands from BANKROLL chips, at a least wager of 5. It is simple,
    counting, competitor or the name of any strategy.
    """
    _play(Session(bankroll, EECS280_MINIMUM, hands, ""), player)


def _play(session: Session, player: str) -> None:
    name = DEFAULT_COMPETITOR if player == "competitor" else player
    made = load_plugins().player(name)
    if issubclass(made, ChartPlayer) and made.chart.shows_both:
        raise PluginError(
            f"strategy: expected one that plays by the dealer's upcard, got {name!r}, whose chart "
            "needs both of the dealer's cards; it plays easybj"
        )
    play_session(session, made, click.echo)
