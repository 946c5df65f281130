"""The fixtures of tests of the command line, which the Python interface is compared with."""

from tests.integration.cli.conftest import (
    _forget_files,
    _small_store,
    cli,
    copy_of,
    small,
    store,
    write,
)

__all__ = ["_forget_files", "_small_store", "cli", "copy_of", "small", "store", "write"]
