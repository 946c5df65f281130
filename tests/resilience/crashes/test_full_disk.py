"""A disk without room ends a run in plain words, and costs nothing that is stored."""

import sys

import pytest

from .desk import Desk

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs limits on processes")

# A shell counts in units of 512 bytes.
LIMITED = ("sh", "-c", 'ulimit -f 600 && exec "$0" "$@"')


def test_a_run_on_a_full_disk_goes_on_when_there_is_room(desk: Desk, whole: bytes) -> None:
    """One message, the command to go on with, and then the digest of an undisturbed run."""
    command = desk.go_on(workers=2, before=LIMITED)
    last = command.end()
    assert last.status == 1, last.errors
    first, remedy, message = last.told
    assert first.startswith("run 1 in ")
    assert remedy.startswith("to resume: tourney resume 1 ")
    assert message.startswith(f"{desk.store}: the disk is full or fails (")
    assert command.is_left_alone()
    assert 0 < len(desk.batches()) < desk.all_batches
    assert desk.go_on(workers=1).end().status == 0
    assert desk.digest() == whole
