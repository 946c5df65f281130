"""`play easybj`: the original program, with its options and usage message."""

import sys
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

import click

from tourney.game.answers import AsTyped, read_letter, typed_answers
from tourney.games.blackjack.programs.easybj import Streams, run

if TYPE_CHECKING:  # the import takes longer than a person's answer
    from rich.progress import Progress, TaskID


@click.command(
    "easybj",
    cls=AsTyped,
    add_help_option=False,
    options_metavar="[-h] [-f FILE|-i SEED [-r FILE]] [[-s] -a FILE NUM]",
)
@click.pass_context
def easybj_command(context: click.Context) -> None:
    """Easy Blackjack, ECE 326 assignment 1.

    You, or a chart, against a dealer whose cards are visible. -h shows the program's options.
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
