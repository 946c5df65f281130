"""The command line: arguments, exit statuses and the only prints.

Results go to standard output, everything else to standard error. The status is 0 if all
went well, 1 if a competitor or the run failed, 2 for wrong usage or configuration, and 130
after an interrupt.
"""

import os
import sys

import click

from tourney.cli.commands import tourney
from tourney.errors import (
    CompetitorFailed,
    DigestMismatch,
    RunNotFound,
    StoreError,
    TourneyError,
    WorkerError,
)

OK, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130


def main(arguments: list[str] | None = None) -> int:
    """Run a command and give its exit status; no traceback for a user's mistake."""
    try:
        status = tourney.main(arguments, prog_name="tourney", standalone_mode=False)
    except click.UsageError as error:
        error.show()
        return WRONG_USAGE
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough; leave nothing to be flushed at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except TourneyError as error:
        click.echo(str(error), err=True)
        return _status_of(error)
    return status if isinstance(status, int) else OK


def _status_of(error: TourneyError) -> int:
    if isinstance(error, RunNotFound):
        return WRONG_USAGE
    if isinstance(error, (CompetitorFailed, DigestMismatch, StoreError, WorkerError)):
        return FAILED
    return WRONG_USAGE
