"""The two course drivers, VE280 and EECS 280, based on the reference table, and their commands.

Source: VE280 project 4, section III.4; EECS 280 (winter 2008) project 4, section III.d.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from tourney.errors import CardsError, CompetitorFailedError, PluginError, SubmissionError
from tourney.game.asking.exchange import AnyPool
from tourney.game.asking.player_calls import CompetitorError
from tourney.game.cards.card import DECK_SIZE
from tourney.game.cards.deck import Cuts
from tourney.game.cards.shoe import CUTS_IN_A_SHUFFLE, RiffleShoe
from tourney.game.ledger import Account, Verdict
from tourney.game.protocol import Competitors
from tourney.game.view import TableView
from tourney.games.blackjack.asking.seats import HOUSE_CHIPS, PlayerSeat, PooledOccupant
from tourney.games.blackjack.players import ChartPlayer, Player, sit_down
from tourney.games.blackjack.programs.transcript import Transcript
from tourney.games.blackjack.rules import VE280, BlackjackRules
from tourney.games.blackjack.table_loop import TableLoop

FIRST_ROUND = 1
MOST_BYTES = 1_000_000  # of a file of cuts
LONGEST_WORD = 40  # characters of a word that a message shows
Look = Callable[[], TableView]
Sit = Callable[[Account, Look], PlayerSeat | PooledOccupant]
"""Seats a player, given its account and a function that shows the table."""
CUTS_AS_WRITTEN = frozenset(("", *map(str, range(1, DECK_SIZE + 1))))  # without leading zeros


@dataclass(frozen=True, slots=True)
class Session:
    """Settings of a driver's session."""

    bankroll: int
    minimum: int
    hands: int
    mark: str  # "# " for VE280, "" for EECS 280
    first_cuts: tuple[int, ...] | None = None  # of the initial shuffle; drawn if None
    rules: BlackjackRules = VE280


def read_cuts(path: Path) -> tuple[int, ...]:
    """Read a file of cuts for the initial shuffle.

    Raises: CardsError, if it cannot be read or contains other words.
    """
    words = _text_of(path).split()
    if not words:
        raise CardsError(f"{path}: the file has no cuts; add at least one")
    for place, word in enumerate(words, start=1):
        if word.lstrip("0") not in CUTS_AS_WRITTEN:
            raise CardsError(
                f"{path}: cut {place}: expected a whole number from 0 to {DECK_SIZE}, "
                f"got {word[:LONGEST_WORD]!r}"
            )
    return tuple(map(int, words))


def _text_of(path: Path) -> str:
    """Read a file of cuts, up to a limit, because a device may have no end."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        text = content.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise CardsError(f"{path}: cannot read the cuts: {reason}") from error
    if len(content) > MOST_BYTES:
        raise CardsError(f"{path}: the file is larger than {MOST_BYTES:,} bytes")
    return text


def made_by(make_player: Callable[[], Player]) -> Sit:
    """Return a function that seats players of this process, created by a class or a function."""

    def sit(account: Account, look: Look) -> PlayerSeat:
        def make() -> Player:
            player = make_player()
            sit_down(player, 0, look)
            return player

        return PlayerSeat(account, make, FIRST_ROUND)

    return sit


def asked_at(pool: AnyPool) -> Sit:
    """Return a function that seats the only player of a pool."""
    return lambda account, look: PooledOccupant(account, pool, look, FIRST_ROUND)


def words_of(verdict: Verdict) -> str:
    """Write the place and the message of a verdict."""
    return ": ".join(part for part in (verdict.place, verdict.message) if part)


def play_session(
    session: Session,
    sit: Sit,
    write: Callable[[str], None],
    words: Callable[[Verdict], str] = words_of,
) -> None:
    """Play a session and write the driver's lines.

    Args:
        session: Its settings.
        sit: Seats the player.
        write: Writes one line, given without its end.
        words: Describes a verdict.
    Raises: CompetitorFailedError, if the player breaks its contract.
    """
    shoe = RiffleShoe(partial(_cuts, Cuts(), session.first_cuts))
    limits = (session.minimum, HOUSE_CHIPS)
    transcript = Transcript(write, session.mark)
    table = TableLoop(session.rules, shoe, limits, watcher=transcript)
    account = Account(0, 0, session.bankroll)
    try:
        occupant = sit(account, partial(_view, session, table, account))
    except CompetitorError as fault:
        raise CompetitorFailedError(words(fault.verdict)) from fault
    table.play([occupant], FIRST_ROUND, session.hands)
    if account.verdict:
        raise CompetitorFailedError(f"hand {account.verdict.round}: {words(account.verdict)}")
    transcript.ended(account.bankroll, account.rounds)


def _cuts(cuts: Cuts, first_cuts: tuple[int, ...] | None, shoe: int) -> Iterable[int]:
    """Return the cuts of a shoe: those of the file for the first, seven random ones for others."""
    if shoe == 0 and first_cuts is not None:
        return first_cuts
    return (cuts.get_cut() for _ in range(CUTS_IN_A_SHUFFLE))


def _view(session: Session, table: TableLoop, account: Account) -> TableView:
    wager = next(iter(table.wagers), 0)
    return TableView(
        seat=0,
        minimum=session.minimum,
        maximum=HOUSE_CHIPS,
        rounds_left=table.rounds_left,
        bankrolls=(account.bankroll - wager,),
        wagers=(wager,),
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
