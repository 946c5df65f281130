"""Starting committed runs: found by their anchor, checked for changes, and begun.

The store holds the inputs since the commitment, and these are played. A configuration or source
that was changed since is still an error, because its author expects the changed version to play.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from tourney.config.model import PublicValueConfig
from tourney.config.tournament import time_text
from tourney.errors import RunNotFoundError, TourneyError
from tourney.fairness.anchors import Anchor, misfit
from tourney.fairness.commitments import Committed, as_it_would_commit, commitments_of
from tourney.game.cards.keys import public_text
from tourney.plugins.fault_text import printable
from tourney.store.records import RunRecord
from tourney.store.store import Store

MOST_CHANGES = 20
"""Most changes that a message lists."""


def find_committed(store: Store, anchor: Anchor) -> RunRecord:
    """Return the run of an anchor.

    Raises: RunNotFoundError, if this store does not have it; TourneyError, if its extensions are
        others.
    """
    wanted = anchor.commitments[0].commitment
    for summary in reversed(store.runs()):
        run = store.run(summary.number)
        committed = commitments_of(run)
        if committed and committed[0].commitment == wanted:
            if words := misfit(anchor, [each.commitment for each in committed]):
                raise TourneyError(f"run {run.number}: {words}")
            return run
    raise RunNotFoundError(
        f"{store.path}: no run has the commitment {wanted}; use the store of `tourney commit`"
    )


def check_unchanged(run: RunRecord, now: RunRecord, remedy: str) -> None:
    """Refuse to begin if inputs were changed since the commitment.

    Args:
        run: The run as it was committed.
        now: The run as it would begin with the current inputs.
        remedy: The command that plays it as committed.
    Raises: TourneyError, which lists the changes.
    """
    was, would = commitments_of(run)[0], as_it_would_commit(now, run)
    if was.commitment == would.commitment:
        return
    changes = list(_changes(was, would))
    more = [f"and {len(changes) - MOST_CHANGES} more"] if len(changes) > MOST_CHANGES else []
    lines = "\n  ".join([*changes[:MOST_CHANGES], *more])
    raise TourneyError(
        f"run {run.number}: there are changes since the commitment of {run.created}:\n"
        f"  {lines}\n"
        f"undo them, play the run as committed ({remedy}), or commit to a new run and anchor it"
    )


def with_public_value(
    store: Store, run: RunRecord, wanted: PublicValueConfig | None, value: str
) -> RunRecord:
    """Store the public value of a run, which fixes its shoes.

    The caller must hold the lock of the run.

    Args:
        store: The store.
        run: The run.
        wanted: The `public_value` setting of its configuration.
        value: The published value; surrounding spaces and capitals do not count. Empty if missing.
    Raises: TourneyError, if the run needs no value, has another, or the value cannot be known yet.
    """
    check_public_value(wanted, value)
    value = public_text(value)
    if value == run.public_value:
        return run
    if run.public_value:
        raise TourneyError(
            f"run {run.number}: the public value is {run.public_value} and cannot be changed to "
            f"{value}"
        )
    settings = {**dict(run.settings), "public_value": value}
    store.extend_run(replace(run, settings=tuple(settings.items())))
    return store.run(run.number)


def check_ahead(wanted: PublicValueConfig | None) -> None:
    """Refuse to commit if the public value may already be known.

    Raises: TourneyError.
    """
    if wanted and wanted.after <= _now():
        raise TourneyError(
            f"public_value.after: {wanted.after.isoformat()} is not in the future; a commitment "
            "proves something only before the value can be known"
        )


def check_public_value(wanted: PublicValueConfig | None, value: str) -> None:
    """Reject a public value that the configuration does not name, or that is missing or too early.

    Raises: TourneyError.
    """
    value = public_text(value)
    if wanted is None:
        if value:
            raise TourneyError(
                "--public-value: the configuration has no `public_value`; remove the option"
            )
        return
    at = time_text(wanted.after.astimezone(UTC))
    if not value:
        raise TourneyError(
            f"--public-value is missing; the configuration names {wanted.source}, whose value is "
            f"known from {at} on"
        )
    if not value.isprintable():
        raise TourneyError(f"--public-value: expected one line of text, got {printable(value)!r}")
    if _now() < wanted.after:
        raise TourneyError(
            f"--public-value: the value of {wanted.source} cannot be known before {at}; begin "
            "after that time"
        )


def _now() -> datetime:
    return datetime.now(UTC)


def _changes(was: Committed, would: Committed) -> Iterator[str]:
    """Yield the differences between two statements of one secret."""
    before, after = (json.loads(each.configuration)["configuration"] for each in (was, would))
    yield from _differing("configuration: ", before, after)
    stated, would_state = (json.loads(each.statement) for each in (was, would))
    for part in ("settings", "versions"):
        yield from _differing(f"{part}: ", stated[part], would_state[part])
    old, new = (
        {each["name"]: each for each in map(json.loads, one.entrants)} for one in (was, would)
    )
    if list(old) != list(new) and set(old) == set(new):
        yield "entrants: their order was changed"
    yield from (f"{name}: this entrant was removed" for name in old if name not in new)
    yield from (f"{name}: this entrant was added" for name in new if name not in old)
    for name in old.keys() & new.keys():
        unlike = {"blinding", "files"}  # depends on the number; and `source` covers the files
        yield from _differing(f"{name}: ", _without(old[name], unlike), _without(new[name], unlike))


def _differing(where: str, was: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    for key in {**was, **now}:
        if was.get(key) != now.get(key):
            before, after = (_words(each.get(key)) for each in (was, now))
            yield f"{where}{key}: committed as {before}, now {after}"


def _words(value: Any) -> str:
    if value is None:
        return "nothing"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _without(values: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in names}
