"""The times of commitments and their clocks: shown on a site, and verified with an anchor.

Files alone cannot prove that an anchor was public before play; a timestamp, or a witness, can.
`commitment_data` verifies the content of the commitments.
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from tourney.config.tournament import time_text
from tourney.errors import TourneyError
from tourney.fairness.anchors import Anchor, Anchored, misfit
from tourney.fairness.timestamps import HOW_TO_INSTALL, Stamp, can_read_stamps, look_at_stamp
from tourney.game.cards.keys import public_text
from tourney.report.publish.commitment_data import AMISS
from tourney.report.publish.published_results import SiteReport
from tourney.report.site.model import AnchoredData, CommittedData, RunData, SiteData

NOT_CHOSEN = "that this run was not chosen among several"


def with_anchor(run: RunData, anchor: Anchor, roots: Sequence[Path]) -> RunData:
    """Add an anchor with its timestamps to the data of a run.

    Args:
        run: The published data.
        anchor: The run's anchor.
        roots: Files of certificates; only timestamps under them are added.
    Raises: TourneyError, if the anchor belongs to another run, or a timestamp does not verify.
    """
    if run.committed is None:
        raise TourneyError(
            "--anchor: the run commits only to its secret, so it has no anchor; leave out --anchor"
        )
    if odd := misfit(anchor, run.committed.commitments):
        raise TourneyError(f"--anchor: {odd}")
    told = []
    for each in anchor.commitments:
        stamp = None
        if roots and each.stamp is not None:
            stamp = look_at_stamp(each.stamp, each.commitment, roots)
        told.append(
            AnchoredData(
                commitment=each.commitment,
                written=each.written,
                stamped=stamp.time.isoformat(timespec="seconds") if stamp else None,
                authority=stamp.authority if stamp else "",
            )
        )
    committed = run.committed.model_copy(update={"anchors": told})
    return run.model_copy(update={"committed": committed})


def verify_anchor(
    data: SiteData, anchor: Anchor, roots: Sequence[Path], report: SiteReport
) -> list[Stamp | None]:
    """Compare a site with an anchor; return a timestamp, or `None`, for each commitment of the
    site.
    """
    committed = data.run.committed
    if committed is None:
        report.differing.append(
            "anchor: the run of the site commits only to its secret, not to the anchored data"
        )
        return []
    if odd := misfit(anchor, committed.commitments):
        report.differing.append(f"anchor: {odd}")
        return []
    found: list[Stamp | None] = []
    for number, each in enumerate(anchor.commitments, start=1):
        what = f"anchor: commitment {number}, {each.commitment}"
        report.verified.append(f"{what}: as the site has it")
        found.append(_stamp_of(what, each, roots, report))
    if (left := len(committed.statements) - len(found)) > 0:
        report.open.append(
            f"the last {left} of {len(committed.statements)} commitments: the anchor lacks them"
        )
    return found


def _stamp_of(
    what: str, anchored: Anchored, roots: Sequence[Path], report: SiteReport
) -> Stamp | None:
    """Report the time of an anchor; return its timestamp, if it is verified."""
    stamp = None
    if anchored.stamp is not None and not can_read_stamps():
        report.open.append(f"{what}: its timestamp: {HOW_TO_INSTALL}")
        return None
    if anchored.stamp is not None:
        try:
            stamp = look_at_stamp(anchored.stamp, anchored.commitment, roots)
        except TourneyError as error:
            report.differing.append(f"{what}: {error}")
            return None
    _tell_time(what, anchored.written, stamp, report)
    return stamp if stamp and stamp.is_trusted else None


def verify_public_value(
    data: SiteData,
    value: str,
    anchor: Anchor | None,
    stamps: Sequence[Stamp | None],
    report: SiteReport,
    *,
    is_dealt: bool,
) -> None:
    """Check whether the run could have been chosen among several.

    Args:
        data: The site.
        value: The public value as the verifier knows it; empty if unknown.
        anchor: The file that was public before play, if any.
        stamps: Verified timestamps, by commitment.
        report: Receives the results.
        is_dealt: Whether the published hands match the secret and the value.
    """
    committed, value = data.run.committed, public_text(value)
    named = _named_value(committed)
    mixed = (committed and committed.public_value) or ""
    is_open = bool(committed and committed.configuration)
    if (is_open and bool(named) != bool(mixed) and data.run.secret) or (value and value != mixed):
        expected = value or (named and f"that of {named[0]}") or "no value, by the configuration"
        report.differing.append(f"public value: expected {expected}, got {mixed or 'no value'}")
    elif not (named or mixed):
        report.open.append(f"{NOT_CHOSEN}: no public value was mixed into its shoes")
    elif not value:
        source = named[0] if named else "a source that is not published"
        report.open.append(
            f"{NOT_CHOSEN}: look up the value of {source}, and pass it with --public-value"
        )
    elif named:
        if is_dealt:
            report.verified.append(f"public value: that of {named[0]} is mixed in")
        else:
            report.open.append(
                f"that the public value of {named[0]} is mixed into the shoes: no hands show it"
            )
        _tell_order(*named, anchor, stamps, report)
    else:
        report.open.append(
            "the source and time of the public value: the configuration is not published"
        )


def _tell_order(
    source: str,
    after: datetime,
    anchor: Anchor | None,
    stamps: Sequence[Stamp | None],
    report: SiteReport,
) -> None:
    """Report whether the commitment came before the public value."""
    moment = time_text(after.astimezone(UTC))
    stamp = stamps[0] if stamps else None
    first = anchor.commitments[0] if anchor else None
    written = first and datetime.fromisoformat(first.written)
    if stamp and stamp.time < after:
        report.verified.append(
            f"public value: the commitment was stamped before {moment}, the time that the "
            "configuration gives for the value"
        )
        report.open.append(
            f"{NOT_CHOSEN}: other commitments may have been stamped and not published; it is "
            f"proven to a witness who saw only this anchor before {moment}"
        )
        report.open.append(
            f"that the value was unknown before {moment}: look up when {source} published it"
        )
    elif stamp or (written and written >= after):
        report.differing.append(
            f"anchor: the public value was published at {moment}, before the commitment at "
            f"{_seconds(stamp.time) if stamp else first and first.written}"
        )
    else:
        report.open.append(
            f"{NOT_CHOSEN}: no verified timestamp proves that the commitment was public before "
            f"{moment}, when the public value was published; a witness can confirm it"
        )


def _tell_time(what: str, written: str, stamp: Stamp | None, report: SiteReport) -> None:
    """Report the time of an anchor, its clock, and its meaning as proof."""
    if stamp and stamp.is_trusted:
        report.verified.append(
            f"{what}: existed at {_seconds(stamp.time)}, by the timestamp of {stamp.authority}"
        )
    elif stamp:
        report.open.append(
            f"{what}: its timestamp is {_seconds(stamp.time)} by {stamp.authority}; to verify "
            "it, pass the root certificate of that authority with --authority"
        )
    else:
        report.open.append(
            f"{what}: the time of its publication: {written} is the organiser's clock, and no "
            "timestamp proves it; a witness who saw the file before play can confirm it"
        )


def _named_value(committed: CommittedData | None) -> tuple[str, datetime] | None:
    """Return the source of the public value and its time; `None` if the configuration has no such
    value.
    """
    if committed is None or committed.configuration is None:
        return None
    try:
        named = json.loads(committed.configuration)["configuration"].get("public_value")
        time = datetime.fromisoformat(named["after"]) if named else None
        return (
            (str(named["source"]), time if time.tzinfo else time.replace(tzinfo=UTC))
            if time
            else None
        )
    except AMISS:
        return None


def _seconds(time: datetime) -> str:
    return time.isoformat(timespec="seconds")
