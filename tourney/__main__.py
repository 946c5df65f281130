"""`python -m tourney` is the command line."""

import sys

from tourney.cli import main

if __name__ == "__main__":
    sys.exit(main())
