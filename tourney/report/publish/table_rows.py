"""Every table of every entrant as a row, for statistics.

The table is the unit of statistics: hands of one table share a bankroll and a shoe.
"""

from collections.abc import Iterator, Mapping, Sequence

from tourney.report.publish.published_results import LUCK_PARTS, Results, add_games, read_results
from tourney.standings.columns import Cell
from tourney.standings.standing import PLACE, Standing
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.loading import Tournament

COLUMNS = {
    "entrant": ("string", "As the policy has it."),
    "stage": ("integer", "From 1."),
    "heat": ("integer", "From 1."),
    "table": ("integer", "From 1; entrants that share stage, heat and table met the same cards."),
    "rounds": ("integer", "Played there, in all seatings."),
    "net": ("number", "Chips or points that all rounds came to."),
    "final": (
        "number",
        (
            "Bankroll in the end, in chips; points in games without them; also at a table that a "
            "fault lost, which the board counts as the worst there is."
        ),
    ),
    "luck": ("number", "Chips that the cards alone were worth; empty where luck is not followed."),
    "handle": ("number", "Chips wagered."),
    "squares": ("number", "Sum of the squared results of all rounds, in squared chips or points."),
    "games": ("integer", "Played to places; empty where places do not count."),
    "place": ("number", "Mean place of these games; empty where places do not count."),
    "fault": ("integer", "1 where a verdict was, else 0."),
}
"""Types and meanings of the columns, in order."""

KINDS = {name: kind for name, (kind, _) in COLUMNS.items()}


def tables_of(
    tournament: Tournament,
    store: Store,
    run: RunRecord,
    standings: Sequence[Standing],
    shown: Sequence[Standing],
) -> list[Mapping[str, Cell]]:
    """Return a row for each table of the visible entrants.

    Args:
        tournament: The tournament of the run.
        store: Its store.
        run: The run.
        standings: All entrants, best first.
        shown: The visible ones, with their visible names; empty while results are hidden.
    """
    labels = tournament.labels
    results = read_results(store.seat_results(run.number), len(labels), tournament.scoring)
    if tournament.measure is PLACE:
        add_games(results, store.blocks(run.number))
    numbers = {label.name: number for number, label in enumerate(labels)}
    own = [results[numbers[row.name]] for row in standings[: len(shown)]]
    return list(per_table([row.name for row in shown], own))


def per_table(names: Sequence[str], results: Sequence[Results]) -> Iterator[Mapping[str, Cell]]:
    """Yield the tables of entrants, sorted by entrant and table.

    Args:
        names: Names of the entrants.
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
