"""The command line: arguments, exit statuses and the output of the core.

Open `commands` first: it lists every command, and the module of a command has the command's name.
Commands only read arguments and print; the rooms below calculate the results.

Results go to standard output, everything else to standard error. The exit status is 0 for success,
1 if a competitor or the run failed, 2 for wrong usage or configuration, including a missing store
or run, 3 if the store was removed during a run, 4 if another process plays the run, and 128 plus
the number of a signal that ended the command: 130 after Ctrl-C.
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
from tourney.cli.signals import Ending, ReportedInterrupt
from tourney.errors import (
    CompetitorFailedError,
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
    """Run a command and return its exit status; a user's mistake prints no traceback."""
    _skip_slow_start()
    _redirect_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        # If the terminal cannot show a letter of a name, show its code.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with Ending() as ending:
        try:
            status = _status(arguments)
        except KeyboardInterrupt:  # a second one, during the cleanup after the first
            status = INTERRUPTED
        ending.is_over = True
        if ending.number is None:
            return status
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:  # the terminal is gone
                drop_output(stream)
        return BY_SIGNAL + ending.number


def _redirect_closed_streams() -> None:
    """Redirect a closed stream, as by `>&-`, to the null device."""
    # Otherwise the next opened file, perhaps a store, would get the stream's descriptor, and other
    # processes would write to it.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - it stays open
            setattr(sys, name, nowhere)


def _skip_slow_start() -> None:
    """Skip work that takes most of the time of a short command."""
    # NumPy's and SciPy's libraries start a busy thread for each processor; no matrix here is large
    # enough to profit.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Imported objects are not garbage, but Python scans them repeatedly, which takes a seventh of
    # the time of `leaderboard`,
    gc.set_threshold(100_000)
    # and again at the exit.
    atexit.register(gc.freeze)


def _status(arguments: list[str] | None) -> int:
    try:
        _check_text(sys.argv[1:] if arguments is None else arguments)
        status = tourney.main(arguments, prog_name="tourney", standalone_mode=False)
    except click.ClickException as error:
        _with_suggestion(error).show()
        status = error.exit_code
    except (KeyboardInterrupt, click.Abort) as error:
        _note_interrupt(error)
        status = INTERRUPTED
    except TourneyError as error:
        click.echo(str(error), err=True)
        status = _status_of(error)
    except OSError as error:
        is_of_output = error.errno is not None
        if is_of_output:
            drop_output(sys.stdout)
        with suppress(OSError):  # standard error may be closed
            click.echo(_output_words(error) if is_of_output else _library_words(error), err=True)
        status = FAILED
    except Exception as error:
        words = _plugin_words(error)
        if not words:
            raise
        click.echo(words, err=True)
        status = FAILED
    return status if isinstance(status, int) else OK


def _note_interrupt(error: BaseException | None) -> None:
    """Print that the command was interrupted, unless it has; an answer "no" is no interrupt."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__  # click raises another exception
    if error is not None and not isinstance(error, ReportedInterrupt):
        with suppress(OSError):  # standard error may be closed
            click.echo("interrupted", err=True)


def _output_words(error: OSError) -> str:
    place = f"{error.filename}: " if error.filename else ""
    return f"{place}the output cannot be written ({error.strerror or error})"


def _library_words(error: OSError) -> str:
    """Describe an error that no system call made: a shared library that cannot be loaded."""
    return _plugin_words(error) or (
        f"a library of an installed package cannot be loaded ({error}); install tourney and its "
        "dependencies again"
    )


def _plugin_words(error: Exception) -> str:
    # Imported only after an error, because plugins load much.
    words: str = import_module("tourney.plugins.loading").plugin_words(error)
    return words


def _check_text(arguments: list[str]) -> None:
    """Reject arguments that cannot be stored, sent or printed.

    Raises: TourneyError, naming the first argument that is not UTF-8.
    """
    if all(map(str.isascii, arguments)):
        return
    words = import_module("tourney.config.words")
    for each in arguments:
        if byte := words.stray_byte(each):
            problem = f"{words.quoted(each)} is not UTF-8 ({byte})"
            raise TourneyError(f"{problem}; type it again, or rename the file or folder")


def _with_suggestion(error: click.ClickException) -> click.ClickException:
    """Suggest an option or a choice after a misspelled one."""
    words = import_module("tourney.config.words")
    if isinstance(error, click.BadParameter) and error.param:
        choices = getattr(error.param.type, "choices", ())
        got = error.message.partition("' is not one of ")[0].removeprefix("'")
        if meant := words.closest(got, choices):
            message = f"{error.message.removesuffix('.')}{words.hint(meant)}."
            return click.BadParameter(message, error.ctx, error.param, error.param_hint)
    if not isinstance(error, click.NoSuchOption):
        return error
    # Click considers two options near that share only their dashes.
    known = [each.lstrip("-") for each in error.possibilities or ()]
    got = error.option_name.lstrip("-")
    meant = words.closest(got, known)
    advice = words.hint(meant and f"--{meant}")
    params = error.ctx.command.params if error.ctx else ()
    if got in {each.name for each in params if isinstance(each, click.Argument)}:
        advice = f" (write {got.upper()} without it)"
    message = f"No such option {error.option_name!r}{advice}."
    return click.UsageError(message, error.ctx)


def _status_of(error: TourneyError) -> int:
    if isinstance(error, (RunNotFoundError, StoreNotFoundError)):
        return WRONG_USAGE
    if isinstance(error, StoreRemovedError):
        return STORE_LOST
    if isinstance(error, RunInProgressError):
        return PLAYED_ELSEWHERE
    failures = CompetitorFailedError, SandboxLostError, PluginFailedError, StoreError, WorkerError
    return FAILED if isinstance(error, failures) else WRONG_USAGE
