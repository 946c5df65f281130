"""The fixtures of tests of the command line, whose stores are examined here."""

from tests.integration.cli.conftest import (
    _forget_files,
    _small_store,
    cli,
    cli_in,
    copy_of,
    small,
    store,
    write,
)

__all__ = ["_forget_files", "_small_store", "cli", "cli_in", "copy_of", "small", "store", "write"]
