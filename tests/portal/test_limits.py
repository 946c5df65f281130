"""What the portal does when there is no room."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tourney.portal import jobs
from tourney.portal.inbox import put

from .hands import hand_in, make_course, number_of
from .portals import Portal

ROOM = 200_000
"""Bytes by which the database may still grow where an upload finds no room."""
TOO_MUCH = b"#" * 1_000_000


@contextmanager
def _full_disk(portal: Portal) -> Iterator[None]:
    """Let no file grow far: the system says so as a full disk does, by an OSError of a write."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    largest = max(file.stat().st_size for file in portal.places.root.rglob("*") if file.is_file())
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest + ROOM, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_refuses_uploads_and_loses_none(portal: Portal) -> None:
    """One clear page with status 507; what was handed in before still waits, and room helps."""
    make_course(portal, per_day=5)
    student = portal.browser("student")
    before = number_of(hand_in(student, b"first"))
    with _full_disk(portal):
        refused = hand_in(student, TOO_MUCH)
    assert refused.status_code == 507
    assert "expected room on the portal&#39;s disk, got none" in refused.text
    job = jobs.get(portal.database, before)
    assert job.state == "queued"
    (kept,) = portal.places.inbox.iterdir()
    assert (kept.name, kept.read_bytes()) == (job.payload["file"], b"first")
    after = number_of(hand_in(student, TOO_MUCH))
    file = jobs.get(portal.database, after).payload["file"]
    assert (portal.places.inbox / file).read_bytes() == TOO_MUCH


def test_what_found_no_room_leaves_nothing_behind(portal: Portal) -> None:
    """Not even the part that was written."""
    with _full_disk(portal), pytest.raises(OSError, match="File too large"):
        put(portal.places, TOO_MUCH)
    assert not list(portal.places.inbox.iterdir())
