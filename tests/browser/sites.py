"""Small runs of several kinds, published."""

from pathlib import Path
from textwrap import dedent

from tourney.cli import main

RUNS = {
    "duplicate": """
        name: Duplicate
        seed: 1
        game: {preset: ve280, shuffle: uniform}
        bankroll: 300
        minimum: 5
        format: {kind: duplicate, tables: 12, rounds: 40}
        entrants:
          - strategy: simple
          - {strategy: counting, group: staff}
          - strategy: never-bust
        """,
    "charts": """
        name: Charts & "quotes" </script>
        seed: 2
        game: easybj
        bankroll: 100
        minimum: 2
        format: {kind: duplicate, tables: 4, rounds: 20}
        entrants:
          - strategy: easybj-chart
          - strategy: simple
        """,
    "casino": """
        name: Casino
        seed: 3
        game: six-decks-h17
        bankroll: 500
        minimum: 10
        format: {kind: duplicate, tables: 6, rounds: 60}
        entrants:
          - strategy: basic-six-decks-h17
          - strategy: simple
        """,
    "straights": """
        name: Straights
        seed: 4
        game: straights
        format: {kind: duplicate, tables: 4, rounds: 2}
        entrants: [{strategy: first-legal}, {strategy: thrifty}, {strategy: blocker},
                   {strategy: salvager}]
        """,
    "levels": """
        name: Levels
        seed: 5
        game: {preset: ve280, shuffle: uniform}
        bankroll: 100
        minimum: 5
        format: {kind: multi-table, seats: 4, level_rounds: 10}
        entrants: [{strategy: simple}, {strategy: counting}, {strategy: mimic},
                   {strategy: never-bust}, {strategy: sharp}, {strategy: ramp}]
        """,
}


def make_sites(folder: Path) -> dict[str, Path]:
    """Play the runs and publish them."""
    made = {}
    for name, text in RUNS.items():
        config, store = folder / f"{name}.yaml", folder / f"{name}.db"
        config.write_text(dedent(text), encoding="utf-8")
        run = ["run", str(config), "--store", str(store), "--workers", "1"]
        assert main(run) == 0
        made[name] = folder / name
        assert main(["publish", "--store", str(store), "--to", str(made[name])]) == 0
    return made
