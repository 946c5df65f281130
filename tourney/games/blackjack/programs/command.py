"""`play ve280` and `play eecs280`: the original course programs with their arguments."""

from pathlib import Path

import click

from tourney.errors import CardsError, PluginError, SubmissionError
from tourney.game.programs import Competitors
from tourney.games.blackjack.players import ChartPlayer, Player
from tourney.games.blackjack.programs.driver import (
    Session,
    asked_at,
    made_by,
    play_session,
    read_cuts,
    words_of,
)

EECS280_MINIMUM = 5
CHIPS = click.IntRange(1, 10**9)
TRUST = click.option(
    "--no-sandbox",
    "trust_submissions",
    is_flag=True,
    help="Run untrusted code without the sandbox, with all your permissions.",
)


@click.command("ve280")
@click.argument("bankroll", type=CHIPS)
@click.argument("minimum", type=CHIPS)
@click.argument("hands", type=CHIPS)
@click.argument("player")
@click.argument("cuts", type=click.Path(path_type=Path), required=False)
@TRUST
@click.pass_obj
def ve280_command(
    competitors: Competitors,
    bankroll: int,
    minimum: int,
    hands: int,
    player: str,
    cuts: Path | None,
    trust_submissions: bool,
) -> None:
    """VE280 project 4.

    PLAYER plays HANDS hands from BANKROLL chips, at a minimum bet of MINIMUM. PLAYER is simple,
    counting, competitor, the name of any strategy or your own file, which runs in a sandbox. CUTS
    is a file of cuts for the first shuffle.
    """
    try:
        first_cuts = read_cuts(cuts) if cuts else None
    except CardsError as error:
        raise click.UsageError(str(error)) from error
    session = Session(bankroll, minimum, hands, "# ", first_cuts)
    _play(session, competitors, player, trusts=trust_submissions)


@click.command("eecs280")
@click.argument("bankroll", type=CHIPS)
@click.argument("hands", type=CHIPS)
@click.argument("player")
@TRUST
@click.pass_obj
def eecs280_command(
    competitors: Competitors, bankroll: int, hands: int, player: str, trust_submissions: bool
) -> None:
    """EECS 280 project 4, winter 2008.

    PLAYER plays HANDS hands from BANKROLL chips, at a minimum bet of 5. PLAYER is simple, counting,
    competitor, the name of any strategy or your own file, which runs in a sandbox.
    """
    session = Session(bankroll, EECS280_MINIMUM, hands, "")
    _play(session, competitors, player, trusts=trust_submissions)


def _play(session: Session, competitors: Competitors, player: str, *, trusts: bool) -> None:
    with competitors.found(player, session.rules, trusts=trusts) as found:
        words = found.words or words_of
        if found.pool:
            play_session(session, asked_at(found.pool), click.echo, words)
            return
        made = found.kind
        if not made or not issubclass(made, Player):
            raise SubmissionError(f"{player}: it is not a player of blackjack")
        if issubclass(made, ChartPlayer) and made.chart.shows_both:
            raise PluginError(
                f"strategy: {player!r} needs both of the dealer's cards, and this program shows "
                "only the upcard; use another strategy, or `tourney play easybj`"
            )
        play_session(session, made_by(made), click.echo, words)
