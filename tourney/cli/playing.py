"""`play`: the original course programs."""

import os
from pathlib import Path

import click

from tourney.cli.commands import LazyGroup
from tourney.cli.options import DEFAULT_COMPETITOR
from tourney.entrants import load_plugins
from tourney.errors import CardsError, PluginError
from tourney.games.blackjack.players import ChartPlayer, Player
from tourney.games.blackjack.programs import Session, made_by, play_session, read_cuts

EECS280_MINIMUM = 5
CHIPS = click.IntRange(1, 10**9)
TRUST = click.option(
    "--trust-submissions",
    is_flag=True,
    help="Let a file run with all your rights, not confined.",
)


PROGRAMS = {
    "ve280": ("playing", "VE280 project 4."),
    "eecs280": ("playing", "EECS 280 project 4, winter 2008."),
    "easybj": ("easybj", "Easy Blackjack, ECE 326 assignment 1."),
    "csc24400": ("csc24400", "CSC 24400 project 4."),
    "straights": ("straights", "Straights, for four people or computers."),
}
"""The programs: the module of each one's command, and the first sentence of its help."""


@click.group("play", cls=LazyGroup, homes=PROGRAMS)
def play_command() -> None:
    """Play one of the original course programs."""


@click.command("ve280")
@click.argument("bankroll", type=CHIPS)
@click.argument("minimum", type=CHIPS)
@click.argument("hands", type=CHIPS)
@click.argument("player")
@click.argument("cuts", type=click.Path(path_type=Path), required=False)
@TRUST
def ve280_command(
    bankroll: int,
    minimum: int,
    hands: int,
    player: str,
    cuts: Path | None,
    trust_submissions: bool,
) -> None:
    """VE280 project 4.

    PLAYER plays HANDS hands from BANKROLL chips, at a least wager of MINIMUM. It is simple,
    counting, competitor, the name of any strategy or your own file, which plays confined. CUTS
    is a file of cuts for the first shuffle.
    """
    try:
        first_cuts = read_cuts(cuts) if cuts else None
    except CardsError as error:
        raise click.UsageError(str(error)) from error
    session = Session(bankroll, minimum, hands, "# ", first_cuts)
    _play(session, player, trusts=trust_submissions)


@click.command("eecs280")
@click.argument("bankroll", type=CHIPS)
@click.argument("hands", type=CHIPS)
@click.argument("player")
@TRUST
def eecs280_command(bankroll: int, hands: int, player: str, trust_submissions: bool) -> None:
    """EECS 280 project 4, winter 2008.

    PLAYER plays HANDS hands from BANKROLL chips, at a least wager of 5. It is simple,
    counting, competitor, the name of any strategy or your own file, which plays confined.
    """
    session = Session(bankroll, EECS280_MINIMUM, hands, "")
    _play(session, player, trusts=trust_submissions)


def _play(session: Session, player: str, *, trusts: bool) -> None:
    registry = load_plugins()
    if player not in registry.strategies and _is_path(player):
        # To import it takes longer than to play a few hands.
        from tourney.cli.own_file import play_file  # noqa: PLC0415 - see above

        play_file(session, Path(player), trusts=trusts)
        return
    made = registry.player(DEFAULT_COMPETITOR if player == "competitor" else player, "blackjack")
    assert issubclass(made, Player)
    if issubclass(made, ChartPlayer) and made.chart.shows_both:
        raise PluginError(
            f"strategy: expected one that plays by the dealer's upcard, got {player!r}, whose "
            "chart needs both of the dealer's cards; it plays easybj"
        )
    play_session(session, made_by(made), click.echo)


def _is_path(player: str) -> bool:
    """Say whether a word looks like a file or a folder, not like a name."""
    return bool(Path(player).suffix) or os.sep in player or "/" in player
