"""The data of a published site, put together from its files, and written into them again.

Reads plain JSON and knows no class of the platform that does, so that it can tell.
"""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

FORM = 2
TOP = ("version", "run", "policy", "columns", "entrants", "floor", "notes", "baseline", "race")
CLOSE = 1e-9
DETAILS = ("results", "fan", "decisions", "mistakes", "duels", "tables", "verdicts")


def told_of(folder: Path | str) -> dict[str, Any]:
    """Give all that a site tells: `data.json`, with everybody's files in it."""
    folder = Path(folder)
    told: dict[str, Any] = json.loads((folder / "data.json").read_text(encoding="utf-8"))
    for number, entrant in enumerate(told["entrants"], start=1):
        digest = entrant.pop("details")
        if digest is None:
            entrant.update(dict.fromkeys(DETAILS))
            continue
        entrant.update(_read(folder / f"entrants/{number}.json", digest))
        for place, table in enumerate(entrant["tables"], start=1):
            table["blocks"] = _read(folder / f"hands/{number}-{place}.json", table.pop("hands"))
    return told


def wrong_of_tables(told: dict[str, Any], *, is_match: bool, more_is_better: bool) -> list[str]:
    """Say what of the tables told does not fit everybody's columns of results.

    Args:
        told: As `told_of` gives it.
        is_match: Whether games are counted by places: every seating begins anew then.
        more_is_better: Of what a table brings, as chips do; points are bad.
    """
    wrong = []
    unit, sign = told["run"]["unit"], 1 if more_is_better else -1
    results = [_by_table(entrant["results"]) for entrant in told["entrants"]]
    for entrant, own in zip(told["entrants"], results, strict=True):
        worths: dict[str, list[float]] = {"best": [], "worst": []}
        for table in entrant["tables"]:
            key = table["stage"], table["heat"], table["table"]
            net, final, rounds = own[key]
            worths[table["kind"]].append(sign * net / (rounds if is_match else 1))
            path = [each * unit for each in table["path"]]
            if path[-1] != (path[0] + net if is_match else final):
                wrong.append(f"{entrant['name']}: curve of {key}")
            if table["path_rounds"][-1] != rounds:
                wrong.append(f"{entrant['name']}: rounds of the curve of {key}")
        if worths["worst"] and min(worths["best"]) < max(worths["worst"]):
            wrong.append(f"{entrant['name']}: a worst table is better than a best one")
        for duel in entrant["duels"] if is_match else ():
            rival = results[duel["rival"] - 1]
            common = own.keys() & rival.keys()
            more = [own[key][0] / own[key][2] - rival[key][0] / rival[key][2] for key in common]
            if abs(duel["mean"] - sign * sum(more) / len(more) / unit) > CLOSE:
                wrong.append(f"{entrant['name']}: against {duel['rival']}")
    return wrong


def _by_table(columns: dict[str, Any]) -> dict[tuple[int, int, int], tuple[int, int, int]]:
    """Give net result, final bankroll and rounds by table, in parts of a chip."""
    keys = zip(columns["stage"], columns["heat"], columns["table"], strict=True)
    rows = zip(columns["net"], columns["final"], columns["rounds"], strict=True)
    return dict(zip(keys, rows, strict=True))


def write_told(folder: Path | str, told: dict[str, Any]) -> None:
    """Write other data into a site, as a careful forger does: every file fits the one above."""
    folder = Path(folder)
    rows = []
    for number, entrant in enumerate(told["entrants"], start=1):
        details = {name: entrant[name] for name in DETAILS}
        details["tables"] = [
            {name: part for name, part in table.items() if name != "blocks"}
            | {"hands": _write(folder / f"hands/{number}-{place}.json", table["blocks"])}
            for place, table in enumerate(entrant["tables"], start=1)
        ]
        row = {name: part for name, part in entrant.items() if name not in DETAILS}
        rows.append(row | {"details": _write(folder / f"entrants/{number}.json", details)})
    _write(folder / "data.json", told | {"entrants": rows, "version": FORM})


def text_of(told: dict[str, Any]) -> str:
    """Write all that a site tells as one text, in the order that the recorded digests have."""
    whole = {name: told[name] for name in TOP} | {"version": 1}
    whole["entrants"] = [_row(entrant) for entrant in told["entrants"]]
    return _json(whole)


def _row(entrant: dict[str, Any]) -> dict[str, Any]:
    row = {name: part for name, part in entrant.items() if name not in (*DETAILS, "lost")}
    row |= {name: entrant[name] for name in DETAILS}
    tables = [
        {name: part for name, part in table.items() if name != "is_lost"}
        | {"is_lost": table["is_lost"]}
        for table in entrant["tables"]
    ]
    return row | {"tables": tables, "lost": entrant["lost"]}


def _json(told: Any) -> str:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _read(path: Path, digest: str) -> Any:
    content = path.read_bytes()
    assert sha256(content).hexdigest() == digest, path
    return json.loads(content)


def _write(path: Path, told: Any) -> str:
    content = _json(told).encode()
    path.write_bytes(content)
    return sha256(content).hexdigest()
