"""Every table of every entrant as a row, for whoever does statistics of their own.

The table is the unit of statistics: hands of one table share a bankroll and a shoe.
"""

from collections.abc import Iterator, Mapping, Sequence

from tourney.show.publish.results import LUCK_PARTS, Results
from tourney.standings import Cell

KINDS = {
    "entrant": "string",
    "stage": "integer",
    "heat": "integer",
    "table": "integer",
    "rounds": "integer",
    "net": "number",
    "final": "number",
    "luck": "number",
    "handle": "number",
    "squares": "number",
    "games": "integer",
    "place": "number",
    "fault": "integer",
}
"""Columns in order, and what they hold."""

MEANINGS = {
    "entrant": "As the policy has it.",
    "stage": "From 1.",
    "heat": "From 1.",
    "table": "From 1; entrants that share stage, heat and table met the same cards.",
    "rounds": "Played there, in all seatings.",
    "net": "Chips or points that all rounds came to.",
    "final": "Bankroll in the end, in chips; points in games without them.",
    "luck": "Chips that the cards alone were worth; empty where luck is not followed.",
    "handle": "Chips wagered.",
    "squares": "Sum of the squared results of all rounds, in squared chips or points.",
    "games": "Played to places; empty where places do not count.",
    "place": "Mean place of these games; empty where places do not count.",
    "fault": "1 where a verdict was, else 0.",
}


def per_table(names: Sequence[str], results: Sequence[Results]) -> Iterator[Mapping[str, Cell]]:
    """Give the tables of entrants, in the order of the entrants and then of the tables.

    Args:
        names: What entrants are called.
        results: Their tables.
    """
    for name, own in zip(names, results, strict=True):
        unit = own.scoring.rules.unit
        for (stage, heat, number), table in sorted(own.tables.items()):
            luck = table.luck / LUCK_PARTS / unit if table.follows_luck else None
            yield {
                "entrant": name,
                "stage": stage + 1,
                "heat": heat + 1,
                "table": number + 1,
                "rounds": table.rounds,
                "net": table.net / unit,
                "final": table.final / unit,
                "luck": luck,
                "handle": table.handle / unit,
                "squares": table.squares / unit**2,
                "games": table.games or None,
                "place": table.places / 2 / table.games if table.games else None,
                "fault": int(table.has_fault),
            }
