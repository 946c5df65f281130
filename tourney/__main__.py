"""`python -m tourney`, and the command `tourney`, are the command line.

Nothing slow is imported before Ctrl-C ends the program without a word.
"""

import os
import signal
import sys

INTERRUPTED = 130


def main() -> int:
    """Run a command and give its exit status."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it may be ignored
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    from tourney.cli import main as run_command  # noqa: PLC0415 - it takes a while

    status = run_command()
    # If an interrupt passes through a text that is executed, such as that of a dataclass, Python
    # ends the program by SIGINT, whatever its status is. Only the last such text counts.
    exec("")  # noqa: S102 - see above
    return status


if __name__ == "__main__":
    sys.exit(main())
