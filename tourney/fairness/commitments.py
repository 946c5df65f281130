"""Commitments of a run before play: to its secret, its configuration and all sources.

A commitment is the SHA-256 of a statement: JSON text with sorted keys, without spaces, in UTF-8.
The statement contains no names, settings or sources, but SHA-256 hashes of openings, which are
text of the same form. Each opening begins with separate secret bytes, so that one can be published
without the others: a site without names publishes no opening of an entrant. The first statement
describes the run at its start. Each extension has a statement that contains the previous
commitment. docs/reference/commitments.md specifies the format.
"""

import itertools
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b, sha256
from typing import Any

from tourney.config.documents import plain_data
from tourney.store.records import BLINDING, EntrantRecord, RunRecord

FORM = "tourney commitment 1"
BLINDING_BYTES = 16
AT_START = ("pairs", "confine", "luck", "game")
"""Settings of a run that never change."""


@dataclass(frozen=True, slots=True)
class Committed:
    """A commitment of a run, with its statement and openings."""

    statement: str  # canonical JSON; its SHA-256 is the commitment
    configuration: str  # opening; empty in an extension, which does not change the configuration
    entrants: tuple[str, ...]  # openings, in the order of their numbers

    @property
    def commitment(self) -> str:
        """The hash published before play; 64 hex digits."""
        return hash_of(self.statement)


def canonical(data: Mapping[str, Any]) -> str:
    """Return plain data as the canonical text to hash.

    >>> canonical({"b": [1, "é"], "a": None})
    '{"a":null,"b":[1,"é"]}'
    """
    return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def hash_of(text: str) -> str:
    """Return the SHA-256 of text in UTF-8, as 64 hex digits."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def commitments_of(run: RunRecord) -> tuple[Committed, ...]:
    """Return the commitments of a run, in order; empty if it committed to its secret only."""
    if run.blinding is None:
        return ()
    steps = run.steps or ((0, len(run.entrants)),)
    first = _beginning(run, run.blinding, run.entrants[: steps[0][1]])
    found = [first]
    for (_, before), (tables, after) in itertools.pairwise(steps):
        late = _openings(run.blinding, run.entrants[before:after])
        statement = {
            "form": FORM,
            "before": found[-1].commitment,
            "secret": run.commitment,
            "tables": tables,
            "entrants": list(map(hash_of, late)),
        }
        found.append(Committed(canonical(statement), "", late))
    return tuple(found)


def as_it_would_commit(run: RunRecord, other: RunRecord) -> Committed:
    """Return the first commitment of a run with the secret and the blinding of another.

    The two statements then differ only if configurations, sources or versions differ.

    Args:
        run: The run as it would begin now.
        other: The run as it was committed.
    """
    settings = {**dict(run.settings), BLINDING: dict(other.settings)[BLINDING]}
    as_other = replace(
        run,
        commitment=other.commitment,
        rehearsal=other.rehearsal,
        settings=tuple(settings.items()),
    )
    return commitments_of(as_other)[0]


def _beginning(run: RunRecord, blinding: bytes, entrants: Iterable[EntrantRecord]) -> Committed:
    """Return the commitment of a run at its start."""
    data = {name: each for name, each in plain_data(run.config).items() if name != "entrants"}
    configuration = canonical(
        {"blinding": _blinding(blinding, b"configuration"), "configuration": data}
    )
    openings = _openings(blinding, entrants)
    settings = {name: value for name, value in run.settings if name in AT_START}
    statement = {
        "form": FORM,
        "before": None,
        "secret": run.commitment,
        "rehearsal": run.rehearsal,
        "configuration": hash_of(configuration),
        "settings": settings,
        "versions": dict(run.versions),
        "entrants": list(map(hash_of, openings)),
    }
    return Committed(canonical(statement), configuration, openings)


def _openings(blinding: bytes, entrants: Iterable[EntrantRecord]) -> tuple[str, ...]:
    return tuple(
        canonical(
            {
                "blinding": _blinding(blinding, b"%d" % each.number),
                "name": each.name,
                "strategy": each.strategy,
                "kind": each.kind,
                "group": each.group,
                "options": dict(each.options),
                "policy": dict(each.policy),
                "source": each.digest.hex(),
                "files": {name: hash_of(text) for name, text in each.sources},
            }
        )
        for each in entrants
    )


def _blinding(blinding: bytes, what: bytes) -> str:
    """Return the blinding of one opening; it reveals nothing about another's."""
    return blake2b(
        what, key=blinding, digest_size=BLINDING_BYTES, person=b"tourney.blinding"
    ).hexdigest()
