"""The command line: arguments, exit statuses and the only prints of the core.

Open `commands` first: it lists every command, and the module of a command has the command's name.
Commands only read arguments and print: the results come from the rooms below.

Results go to standard output, everything else to standard error. The status is 0 if all
went well, 1 if a competitor or the run failed, 2 for wrong usage or configuration, a
missing store or run among it, 3 if the store was taken away under a run, 4 if somebody else
plays the run, and 128 more than its number if a signal ended the command: 130 after Ctrl-C.
"""

import atexit
import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path

import click

from tourney.cli.commands import drop_output, tourney
from tourney.cli.signals import Ending
from tourney.errors import (
    CompetitorFailedError,
    DigestMismatchError,
    PluginFailedError,
    RunInProgressError,
    RunNotFoundError,
    SandboxLostError,
    StoreError,
    StoreNotFoundError,
    StoreRemovedError,
    TourneyError,
    WorkerError,
)

OK, FAILED, WRONG_USAGE, STORE_LOST, PLAYED_ELSEWHERE, INTERRUPTED = 0, 1, 2, 3, 4, 130
BY_SIGNAL = 128


def main(arguments: list[str] | None = None) -> int:
    """Run a command and give its exit status; no traceback for a user's mistake."""
    _start_and_end_sooner()
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        # Where a letter of somebody's name cannot be shown, its code is better than nothing.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with Ending() as ending:
        try:
            status = _status(arguments)
        except KeyboardInterrupt:  # once more, while it ended because of the first
            status = INTERRUPTED
        ending.is_over = True
        if ending.number is None:
            return status
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:  # whoever hung up reads nothing more
                drop_output(stream)
        return BY_SIGNAL + ending.number


def _open_what_is_closed() -> None:
    """Let nobody hear what goes to a stream that was closed, as by `>&-`."""
    # Otherwise the next file that is opened, perhaps a store, would be taken for that stream
    # by other processes; and Python has None, which can be asked nothing.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - it stays open
            setattr(sys, name, nowhere)


def _start_and_end_sooner() -> None:
    """Leave out what most of a short command's time would go to, and nobody needs."""
    # NumPy's and SciPy's libraries start a thread for each processor, and they spin; nothing here
    # multiplies matrices so large that more than one would help.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # What is imported is no garbage: Python looks through it again and again while it grows, for a
    # seventh of the time of `leaderboard`,
    gc.set_threshold(100_000)
    # and once more when it ends.
    atexit.register(gc.freeze)


def _status(arguments: list[str] | None) -> int:
    try:
        _check_text(sys.argv[1:] if arguments is None else arguments)
        status = tourney.main(arguments, prog_name="tourney", standalone_mode=False)
    except click.ClickException as error:
        _told_plainly(error).show()
        status = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        status = INTERRUPTED
    except TourneyError as error:
        click.echo(str(error), err=True)
        status = _status_of(error)
    except OSError as error:
        drop_output(sys.stdout)
        place = f"{error.filename}: " if error.filename else ""
        message = f"{place}expected to write the output, got: {error.strerror or error}"
        with suppress(OSError):  # nobody may be there to read that
            click.echo(message, err=True)
        status = FAILED
    except Exception as error:
        # Whatever plugins need is loaded only where something went wrong.
        words = import_module("tourney.plugins.loading").plugin_words(error)
        if not words:
            raise
        click.echo(words, err=True)
        status = FAILED
    return status if isinstance(status, int) else OK


def _check_text(arguments: list[str]) -> None:
    """Refuse what nothing that is stored, sent or printed could hold.

    Raises: TourneyError, naming the first argument that is no text in UTF-8.
    """
    if all(map(str.isascii, arguments)):
        return
    words = import_module("tourney.config.words")
    for each in arguments:
        if byte := words.stray_byte(each):
            told = words.said("text in UTF-8", byte, "type it anew, or rename what is called so")
            raise TourneyError(f"{words.quoted(each)}: {told}")


def _told_plainly(error: click.ClickException) -> click.ClickException:
    """Say which option or choice may have been meant."""
    words = import_module("tourney.config.words")
    if isinstance(error, click.BadParameter) and error.param:
        choices = getattr(error.param.type, "choices", ())
        got = error.message.partition("' is not one of ")[0].removeprefix("'")
        if meant := words.closest(got, choices):
            told = f"{error.message.removesuffix('.')}{words.hint(meant)}."
            return click.BadParameter(told, error.ctx, error.param, error.param_hint)
    if not isinstance(error, click.NoSuchOption):
        return error
    # Click takes two for near that share their dashes.
    known = [each.lstrip("-") for each in error.possibilities or ()]
    meant = words.closest(error.option_name.lstrip("-"), known)
    told = f"No such option {error.option_name!r}{words.hint(meant and f'--{meant}')}."
    return click.UsageError(told, error.ctx)


def _status_of(error: TourneyError) -> int:
    if isinstance(error, (RunNotFoundError, StoreNotFoundError)):
        return WRONG_USAGE
    if isinstance(error, StoreRemovedError):
        return STORE_LOST
    if isinstance(error, RunInProgressError):
        return PLAYED_ELSEWHERE
    failures = (
        CompetitorFailedError,
        DigestMismatchError,
        SandboxLostError,
        PluginFailedError,
        StoreError,
        WorkerError,
    )
    if isinstance(error, failures):
        return FAILED
    return WRONG_USAGE
