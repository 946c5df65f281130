"""The program, from its arguments to its summary, its output, and the command `play easybj`.

Amounts are in half dollars, so that a natural and a surrender are whole.

Source: [EASYBJ] in docs/sources.md; the output is in section Summary Output.
"""

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from tourney.errors import CardsError, ChartError
from tourney.game.accelerators import ROUNDS_WORTH_LOADING
from tourney.game.answers import AsTyped, read_letter, typed_answers
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import LETTERS, Declaration
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.players import (
    ActPlayer,
    Player,
    chart_player,
    declaration_of,
    load_chart,
)
from tourney.games.blackjack.programs.easybj.options import (
    USAGE,
    ArgumentsError,
    Options,
    read_options,
)
from tourney.games.blackjack.programs.easybj.shoes import (
    CARDS_BY_CHANCE,
    CourseShoe,
    FileShoe,
    InfiniteShoe,
    RecordedShoe,
    card_letter,
    check_record,
    write_record,
)
from tourney.games.blackjack.records import Outcome
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.rules import EASYBJ
from tourney.games.blackjack.seat_hand import SeatHand

if TYPE_CHECKING:  # the import takes longer than a person's answer
    from rich.progress import Progress, TaskID


HALVES = 2  # of a dollar
OFFERS = {
    Action.STAND: "Stand (S)",
    Action.HIT: "Hit (H)",
    Action.DOUBLE: "Double (D)",
    Action.SPLIT: "Split (P)",
    Action.SURRENDER: "Surrender (R)",
}
GO_ON = "Press Any Key to Continue, (Q to Quit): "


def hand_text(hand: Hand, *, is_split: bool = False) -> str:
    """Write cards and their value.

    Args:
        hand: Any hand.
        is_split: Whether it comes from a split; then it cannot be a natural.

    >>> from tourney.games.blackjack.programs.easybj import FileShoe
    >>> hand_text(Hand(FileShoe(b"JA"))), hand_text(Hand(FileShoe(b"JA")), is_split=True)
    ('J A (blackjack)', 'J A (soft 21)')
    """
    if hand.is_bust:
        worth = "bust"
    elif hand.is_natural and not is_split:
        worth = "blackjack"
    else:
        worth = f"soft {hand.total}" if hand.soft else str(hand.total)
    return f"{' '.join(map(card_letter, hand.cards))} ({worth})"


def money(halves: int) -> str:
    """Write an amount with its sign.

    >>> money(3), money(-1), money(0)
    ('+$1.50', '-$0.50', '$0.00')
    """
    sign = "+" if halves > 0 else "-" if halves < 0 else ""
    return f"{sign}${abs(halves) // HALVES}.{'50' if halves % HALVES else '00'}"


def position(dealer: Hand, player: Hand) -> str:
    """Write the dealer's hand and the hand in play."""
    return f"Dealer: {hand_text(dealer)}\nPlayer: {hand_text(player)}\n"


def offer(legal: tuple[Action, ...]) -> str:
    """Write the player's legal moves."""
    return f"{' '.join(OFFERS[action] for action in legal)}: "


def result(state: Round, balance: int) -> str:
    """Write a game that is over.

    Args:
        state: The game.
        balance: Sum of all results, including this game.
    """
    assert state.dealer is not None
    hands = "".join(f"Hand {hand.number + 1}: {_played(hand)}\n" for hand in state.hands)
    return (
        f"Dealer: {hand_text(state.dealer)}\n{hands}"
        f"Result: {money(state.results()[0])}\nCurrent Balance: {money(balance)}\n"
    )


def _played(played: SeatHand) -> str:
    text = hand_text(played.hand, is_split=played.is_split)
    if played.is_doubled:
        text += " DOUBLE"
    if played.outcome is Outcome.SURRENDERED:
        text += " SURRENDER"
    return text


def summary(games: int, balance: int) -> str:
    """Write the sum of all games; the advantage has four digits, as in C++ streams.

    >>> print(summary(4, 9), end="")
    Hands Played: 4
    Final Balance: +$4.50
    Player Advantage: 112.5%
    """
    played = f"Hands Played: {games}\n"
    if not games:
        return played
    advantage = 100 * balance / (HALVES * games)
    return f"{played}Final Balance: {money(balance)}\nPlayer Advantage: {advantage:.4g}%\n"


OK, FAILED = 0, 1
QUIT = "Q"


def _ignore(*_: object) -> None:
    """Show nothing."""


@dataclass(frozen=True, slots=True)
class Streams:
    """Input and output of the program."""

    hear: Callable[[], str | None]  # a letter, as from `read_letter`
    say: Callable[[str], object]  # to standard output, unchanged
    complain: Callable[[str], object]  # to standard error
    count: Callable[[int, int], object] = _ignore  # games played and to play, of silent games


class ShoeEmptyError(CardsError):
    """A file has too few cards for the current game."""


class InputEndedError(Exception):
    """The input has ended."""


class Person(ActPlayer):
    """A person at a keyboard; invalid answers are asked again."""

    def __init__(self, hear: Callable[[], str | None], say: Callable[[str], object]) -> None:
        """Set the input and the output.

        Args:
            hear: Returns an answer, as `read_letter` does.
            say: Writes text unchanged.
        """
        self._hear = hear
        self._say = say

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Show the hands and ask for a move.

        Raises: InputEndedError, if the input ends.
        """
        self._say(position(dealer, player))
        question = offer(legal)
        while True:
            action = LETTERS.get(self._ask(question))
            if action in legal:
                return action

    def goes_on(self, games: int) -> bool:
        """Ask whether to play another game, after this number of games.

        Raises: InputEndedError, if the input ends.
        """
        del games
        return self._ask(GO_ON) != QUIT

    def _ask(self, question: str) -> str:
        self._say(question)
        letter = self._hear()
        if letter is None:
            raise InputEndedError
        return letter


def seconds() -> int:
    """Read the clock, for the default seed."""
    return time.time_ns() // 10**9


def run(arguments: Sequence[str], streams: Streams, clock: Callable[[], int] = seconds) -> int:
    """Run the program, and return its exit status.

    Args:
        arguments: Those after the program's name.
        streams: Input and output.
        clock: Returns the default seed.
    """
    try:
        options = read_options(arguments)
        player, goes_on = _player(options, streams)
        shoe = _shoe(options, clock)
        if isinstance(shoe, InfiniteShoe) and _is_long(options):
            streams.say(_play_long(shoe, player, options.hands, streams.count))
            return OK
        show = _ignore if options.silent else streams.say
        streams.say(_play(shoe, player, goes_on, show))
        if isinstance(shoe, RecordedShoe):
            _record(options, shoe)
            streams.complain(f"Recording shoe to {options.record}.\n")
    except (ArgumentsError, ShoeEmptyError) as wrong:
        streams.complain(str(wrong))
        return FAILED
    return OK


def play_game(shoe: CourseShoe, player: Player) -> Round:
    """Play one game to its end.

    Raises: ShoeEmptyError, if the shoe has too few cards; InputEndedError, if the player leaves.
    """
    state = Round(EASYBJ, [EASYBJ.unit])
    try:
        state.deal(shoe)
        while state.in_play:
            hand, legal = state.in_play.hand, state.legal_actions()
            state.apply_action(player.act(state.exposed, hand, legal))
            state.deal(shoe)
    except StopIteration:
        raise ShoeEmptyError("Error: the shoe ran out in the middle of a game.\n") from None
    return state


def _play(
    shoe: CourseShoe,
    player: Player,
    goes_on: Callable[[int], bool],
    show: Callable[[str], object],
) -> str:
    """Play until the shoe is over or the player stops, and return the summary."""
    games = balance = 0
    with suppress(InputEndedError):  # an interrupted game does not count
        while not shoe.is_over:
            state = play_game(shoe, player)
            games += 1
            balance += state.results()[0]
            show(result(state, balance))
            if not goes_on(games):
                break
    return summary(games, balance)


def _is_long(options: Options) -> bool:
    """Return whether games are silent and numerous enough for machine code."""
    return options.silent and options.hands >= ROUNDS_WORTH_LOADING


def _play_long(
    shoe: InfiniteShoe, player: Player, hands: int, count: Callable[[int, int], object]
) -> str:
    """Play the same games in machine code, and return the same summary."""
    # The import loads numba.
    from tourney.games.blackjack.kernels.easybj_rounds import play_endless  # noqa: PLC0415 - see above

    declared = declaration_of(player, EASYBJ)
    assert isinstance(declared, Declaration)  # each chart has one
    games = balance = 0
    count(games, hands)
    for played, won in play_endless(EASYBJ, declared, shoe.rand, CARDS_BY_CHANCE, hands):
        games += played
        balance += won
        count(games, hands)
    return summary(games, balance)


def _player(options: Options, streams: Streams) -> tuple[Player, Callable[[int], bool]]:
    """Return the player, and a function that decides whether there is another game."""
    if options.chart_file is None:
        person = Person(streams.hear, streams.say)
        return person, person.goes_on
    try:
        chart = load_chart(Path(options.chart_file))
    except ChartError:
        chart = None
    if chart is None or not chart.shows_both:  # a chart by upcards is not sufficient here
        raise ArgumentsError(f"Error: cannot instantiate Player. (bad file?)\n{USAGE}")
    return chart_player(chart.text, chart.source)(), lambda games: games < options.hands


def _shoe(options: Options, clock: Callable[[], int]) -> CourseShoe:
    if options.shoe_file is not None:
        try:
            return FileShoe.read(Path(options.shoe_file))
        except OSError:
            message = f"Error: cannot instantiate Shoe. (bad file?)\n{USAGE}"
            raise ArgumentsError(message) from None
    shoe = InfiniteShoe(clock() if options.rng_seed is None else options.rng_seed)
    if options.record is None:
        return shoe
    try:
        check_record(Path(options.record))
    except OSError as error:
        raise _no_record(options, error) from error
    return RecordedShoe(shoe)


def _record(options: Options, shoe: RecordedShoe) -> None:
    try:
        write_record(Path(options.record or ""), shoe.record())
    except OSError as error:
        raise _no_record(options, error) from error


def _no_record(options: Options, error: OSError) -> ArgumentsError:
    why = error.strerror or str(error)
    return ArgumentsError(f"Error: cannot record shoe to {options.record}: {why}.\n")


@click.command(
    "easybj",
    cls=AsTyped,
    add_help_option=False,
    options_metavar="[-h] [-f FILE|-i SEED [-r FILE]] [[-s] -a FILE NUM]",
)
@click.pass_context
def easybj_command(context: click.Context) -> None:
    """Easy Blackjack, ECE 326 assignment 1.

    You, or a chart, against a dealer with visible cards. -h shows the program's options.
    """
    hear, say = partial(_hear, typed_answers()), partial(click.echo, nl=False)
    with _Bar() as bar:
        status = run(context.args, Streams(hear, say, partial(say, err=True), bar.count))
    context.exit(status)


class _Bar(ExitStack):
    """Shows the progress of silent games, on a terminal only."""

    _shown: "tuple[Progress, TaskID] | None" = None

    def count(self, games: int, hands: int) -> None:
        """Show the number of finished games; the first call creates the bar."""
        if not sys.stderr.isatty():
            return
        if self._shown is None:
            from rich.console import Console  # noqa: PLC0415 - see above
            from rich.progress import Progress  # noqa: PLC0415 - as above

            bar = Progress(console=Console(stderr=True), transient=True)
            self._shown = self.enter_context(bar), bar.add_task("Playing")
        bar, task = self._shown
        bar.update(task, completed=games, total=hands)
        if games == hands:
            self.close()  # before the summary is written


def _hear(answers: BinaryIO | None) -> str | None:
    letter = read_letter(answers)
    if letter is None and sys.stdin and sys.stdin.isatty():
        click.echo()  # without Enter, the question's line has no end
    return letter
