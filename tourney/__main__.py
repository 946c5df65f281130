"""`python -m tourney` is the command line."""

import sys

from tourney.cli import main

if __name__ == "__main__":
    status = main()
    # If an interrupt passes through a text that is executed, such as that of a dataclass, Python
    # ends the program by SIGINT, whatever its status is. Only the last such text counts.
    exec("")  # noqa: S102 - see above
    sys.exit(status)
