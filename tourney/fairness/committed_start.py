"""Runs that were committed to before they are played: found by their anchor, compared, and begun.

What is played is what the store keeps since the commitment. All the same a configuration or a
source that was changed since is told, since whoever changed it expects it to be played.
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
"""That a message names."""


def find_committed(store: Store, anchor: Anchor) -> RunRecord:
    """Find the run of an anchor.

    Raises: RunNotFoundError, if this store does not have it; TourneyError, if it has other
        extensions.
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
        f"{store.path}: expected the run that committed to {wanted}, got none: name the store that "
        "`tourney commit` was given"
    )


def check_unchanged(run: RunRecord, now: RunRecord, remedy: str) -> None:
    """Refuse to begin if something was changed since the commitment.

    Args:
        run: As it was committed.
        now: As it would begin with what is there now.
        remedy: The command that plays it as committed.
    Raises: TourneyError, which names what was changed.
    """
    was, would = commitments_of(run)[0], as_it_would_commit(now, run)
    if was.commitment == would.commitment:
        return
    changes = list(_changes(was, would))
    more = [f"and {len(changes) - MOST_CHANGES} more"] if len(changes) > MOST_CHANGES else []
    lines = "\n  ".join([*changes[:MOST_CHANGES], *more])
    raise TourneyError(
        f"run {run.number}: expected what was committed to on {run.created}, got changes since:\n"
        f"  {lines}\n"
        f"undo them, or play it as committed ({remedy}), or commit to another run and anchor that"
    )


def with_public_value(
    store: Store, run: RunRecord, wanted: PublicValueConfig | None, value: str
) -> RunRecord:
    """Write down the public value of a run; from then on its shoes are fixed.

    Whoever calls it holds the run.

    Args:
        store: Where it is kept.
        run: The run.
        wanted: What its configuration says of the value.
        value: As it was told; neither spaces around it nor capitals count. Empty if none was.
    Raises: TourneyError, if it needs none, or has another, or nobody can know it yet.
    """
    check_public_value(wanted, value)
    value = public_text(value)
    if value == run.public_value:
        return run
    if run.public_value:
        raise TourneyError(
            f"run {run.number}: expected its public value, {run.public_value}, got {value}: it was "
            "given before and does not change"
        )
    settings = {**dict(run.settings), "public_value": value}
    store.extend_run(replace(run, settings=tuple(settings.items())))
    return store.run(run.number)


def check_ahead(wanted: PublicValueConfig | None) -> None:
    """Refuse to commit when the public value may be known.

    Raises: TourneyError.
    """
    if wanted and wanted.after <= _now():
        raise TourneyError(
            f"public_value.after: expected a time to come, got {wanted.after.isoformat()}: a "
            "commitment proves something only before the value can be known"
        )


def check_public_value(wanted: PublicValueConfig | None, value: str) -> None:
    """Refuse a public value that was not named beforehand, or that is missing or too early.

    Raises: TourneyError.
    """
    value = public_text(value)
    if wanted is None:
        if value:
            raise TourneyError(
                "--public-value: expected a configuration that names it beforehand, got one "
                "without `public_value`"
            )
        return
    at = time_text(wanted.after.astimezone(UTC))
    if not value:
        raise TourneyError(
            f"expected --public-value with the value of {wanted.source}, as the configuration "
            f"says, got none (it is known from {at} on)"
        )
    if not value.isprintable():
        raise TourneyError(f"--public-value: expected one line of text, got {printable(value)!r}")
    if _now() < wanted.after:
        raise TourneyError(
            f"--public-value: expected to begin after {at}, when {wanted.source} is told, got an "
            "earlier time: nobody can know the value yet"
        )


def _now() -> datetime:
    return datetime.now(UTC)


def _changes(was: Committed, would: Committed) -> Iterator[str]:
    """Name what was changed between two statements of one secret."""
    before, after = (json.loads(each.configuration)["configuration"] for each in (was, would))
    yield from _differing("configuration: ", before, after)
    stated, would_state = (json.loads(each.statement) for each in (was, would))
    for part in ("settings", "versions"):
        yield from _differing(f"{part}: ", stated[part], would_state[part])
    old, new = ({each["name"]: each for each in _opened(one)} for one in (was, would))
    if list(old) != list(new) and set(old) == set(new):
        yield "entrants: expected their order as committed, got another"
    yield from (f"{name}: expected an entrant, got none" for name in old if name not in new)
    yield from (f"{name}: expected no such entrant, got one" for name in new if name not in old)
    for name in old.keys() & new.keys():
        unlike = {"blinding", "files"}  # by number; and what `source` says already
        yield from _differing(f"{name}: ", _without(old[name], unlike), _without(new[name], unlike))


def _differing(where: str, was: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    for key in {**was, **now}:
        if was.get(key) != now.get(key):
            expected, got = (_words(each.get(key)) for each in (was, now))
            yield f"{where}{key}: expected {expected}, got {got}"


def _words(value: Any) -> str:
    if value is None:
        return "nothing"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _opened(committed: Committed) -> list[dict[str, Any]]:
    return [json.loads(each) for each in committed.entrants]


def _without(values: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in names}
