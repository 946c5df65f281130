"""The entry point of `python -m tourney` and of the command `tourney`."""

import os
import signal
import sys

INTERRUPTED = 130


def main() -> int:
    """Run the command line and return its exit status.

    Ctrl-C ends the program silently, even during slow imports.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it may be ignored
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    from tourney.cli import main as run_command  # noqa: PLC0415 - it takes a while

    status = run_command()
    # If an interrupt passes through code run by `exec`, such as the methods of a dataclass, Python
    # ends the program by SIGINT, whatever its status is. Only the last `exec` counts.
    exec("")  # noqa: S102 - see above
    return status


if __name__ == "__main__":
    sys.exit(main())
