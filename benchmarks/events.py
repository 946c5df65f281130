"""What it costs a run to write down what was decided: `python benchmarks/events.py [ENTRANTS]`.

A tournament of many tables is played by one worker, and the computing is timed that goes into its
events: into collecting and writing them, and into the store alone. Waiting for the disk is not
counted.
"""

import sys
import tempfile
from collections.abc import Callable
from functools import partialmethod
from pathlib import Path
from time import process_time
from typing import Any

from tourney.config.tournament import loads
from tourney.plugins.loading import load_plugins
from tourney.store.store import Store
from tourney.tournament import progress as course
from tourney.tournament import tournament
from tourney.tournament.catalog import catalog_of
from tourney.tournament.loading import enter, run_record

CONFIG = """\
name: Many tables
seed: 280
game: {{preset: ve280, shuffle: uniform}}
bankroll: 100
minimum: 5
format: {{kind: multi-table, block_rounds: 20, level_rounds: 20, rise_percent: 100}}
floor: {{tables: 2000, dealers: 2000}}
entrants:
  - {{strategy: simple, count: {half}}}
  - {{strategy: counting, count: {half}}}
"""


class Timed:
    """Adds up the computing of a function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Wrap it."""
        self.seconds = 0.0
        self._function = function

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Call it."""
        begin = process_time()
        try:
            return self._function(*given, **named)
        finally:
            self.seconds += process_time() - begin


def main() -> None:
    """Play an event and print what its events cost."""
    entrants = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    registry = load_plugins()
    event = enter(loads(CONFIG.format(half=entrants // 2), catalog_of(registry)), registry)
    keeping, adding = Timed(course.keep_events), Timed(Store.add_events)
    tournament.keep_events = keeping  # type: ignore[attr-defined]  # to time it
    Store.add_events = partialmethod(adding)  # type: ignore[assignment]  # to time it
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder, "events.db")) as store:
        begin = process_time()
        run = store.create_run(run_record(event))
        tournament.play_run(event, store, run)
        whole = process_time() - begin
        count = sum(1 for _ in store.events(run.number))
    print(
        f"{entrants:,} entrants: {whole:.1f} s of computing, {count:,} events; "
        f"{1e6 * keeping.seconds / count:.1f} µs an event, of them "
        f"{1e6 * adding.seconds / count:.1f} in the store; {keeping.seconds:.2f} s in all"
    )


if __name__ == "__main__":
    main()
