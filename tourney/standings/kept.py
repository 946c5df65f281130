"""Standings as text and back, so that a run of a million results need not be folded again.

Nothing is rounded on the way. Leaves out where the text is kept, and until when it holds.
"""

import json
from collections.abc import Sequence
from dataclasses import astuple, fields
from fractions import Fraction
from importlib.metadata import version
from typing import Any

from tourney.ledger import Verdict
from tourney.standings.measures import MEASURES
from tourney.standings.standing import Standing

NAMES = tuple(field.name for field in fields(Standing))
_BY_NAME = {measure.name: measure for measure in MEASURES}


def fold_version() -> str:
    """Give the version of what folds results; what another one kept is folded again."""
    return f"tourney {version('tourney')}: {' '.join(NAMES)}"


def write_standings(standings: Sequence[Standing]) -> str:
    """Write standings down, a line each."""
    return "\n".join(json.dumps(_plain(row)) for row in standings)


def read_standings(lines: str) -> tuple[Standing, ...]:
    """Read standings that `write_standings` of the same version has written."""
    return tuple(_standing(json.loads(line)) for line in lines.splitlines())


def _plain(row: Standing) -> dict[str, Any]:
    plain = {name: getattr(row, name) for name in NAMES}
    plain["mean"] = str(row.mean)
    plain["adjusted"] = None if row.adjusted is None else str(row.adjusted)
    plain["verdict"] = row.verdict and astuple(row.verdict)
    plain["measure"] = row.measure.name
    return plain


def _standing(plain: dict[str, Any]) -> Standing:
    plain["mean"] = Fraction(plain["mean"])
    plain["adjusted"] = plain["adjusted"] and Fraction(plain["adjusted"])
    plain["rank_set"] = plain["rank_set"] and tuple(plain["rank_set"])
    plain["quantiles"] = tuple(plain["quantiles"])
    plain["verdict"] = plain["verdict"] and Verdict(*plain["verdict"])
    plain["counts"] = tuple((name, count) for name, count in plain["counts"])
    plain["measure"] = _BY_NAME[plain["measure"]]
    return Standing(**plain)
