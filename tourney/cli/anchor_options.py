"""Options for anchors, and the anchor steps of several commands."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.decorators import FC

from tourney.cli.options import NamedFile, note
from tourney.errors import TourneyError
from tourney.lazy import Module
from tourney.store.records import RunRecord
from tourney.tournament.loading import now

if TYPE_CHECKING:
    from tourney.fairness import anchors, commitments, timestamps
else:  # most runs are not anchored
    anchors, commitments, timestamps = (
        Module(f"tourney.fairness.{name}") for name in ("anchors", "commitments", "timestamps")
    )

PUBLIC_VALUE = click.option(
    "--public-value",
    default="",
    metavar="VALUE",
    help="The value published by the source that `public_value` of the configuration names.",
)
TIMESTAMP = click.option(
    "--timestamp",
    metavar="URL",
    help="Have an authority stamp the commitment by RFC 3161, and keep the stamp in the anchor.",
)
AUTHORITIES = click.option(
    "--authority",
    "authorities",
    multiple=True,
    type=NamedFile(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Root certificate, as PEM, of an authority whose time stamps count; may be given again.",
)


def anchor_option(*, is_required: bool = False) -> Callable[[FC], FC]:
    """Make the option for the file of an anchor."""
    return click.option(
        "--anchor",
        required=is_required,
        type=NamedFile(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Anchor file with the commitments of the run.",
    )


def words_of_kind(run: RunRecord) -> str:
    """Describe who could know the shoes of a run, and its commitment."""
    kind = "rehearsal (its seed is known)" if run.rehearsal else "secret shoes"
    committed = commitments.commitments_of(run) if run.blinding else ()
    return f"{kind}, commitment {committed[-1].commitment if committed else run.commitment}"


def anchor_run(path: Path, run: RunRecord, url: str | None, authorities: tuple[Path, ...]) -> None:
    """Append the latest commitment of a run to an anchor.

    Args:
        path: The anchor; new if the run is new.
        run: The run.
        url: Timestamp authority, if any.
        authorities: Files of certificates that its timestamp must be signed under.
    Raises: TourneyError, if the timestamp or the writing failed.
    """
    committed = commitments.commitments_of(run)
    before = anchors.read_anchor(path).commitments if len(committed) > 1 else ()
    latest, stamp = committed[-1].commitment, None
    if url:
        answer = timestamps.ask_for_stamp(url, latest)
        _tell(timestamps.look_at_stamp(answer, latest, authorities, url))
        stamp = b64encode(answer)
    each = anchors.Anchored(commitment=latest, written=now(), stamp=stamp)
    anchor = anchors.Anchor(form=anchors.FORM, run=run.name, commitments=(*before, each))
    anchors.write_anchor(path, anchor, is_new=not before)


def check_anchor(path: Path, run: RunRecord) -> None:
    """Check that an anchor has all commitments of a run so far.

    Raises: TourneyError, if it belongs to another run, or a commitment is missing.
    """
    committed = [each.commitment for each in commitments.commitments_of(run)]
    anchor = anchors.read_anchor(path)
    words = anchors.misfit(anchor, committed)
    if not words and len(anchor.commitments) < len(committed):
        words = f"the anchor has {len(anchor.commitments)} of {len(committed)} commitments"
    if words:
        raise TourneyError(f"{path}: run {run.number}: {words}")


def _tell(stamp: timestamps.Stamp) -> None:
    """Print the time that an authority signed."""
    trust = "verified" if stamp.is_trusted else "not verified: give --authority its certificate"
    note(f"time stamp: {stamp.time.isoformat(timespec='seconds')} by {stamp.authority} ({trust})")
