"""The duration and needs of an event: `tourney.plan`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tourney.config.arguments import check_seed, check_whole, path_of
from tourney.errors import TourneyError
from tourney.execution.workers.worker_choice import check_workers
from tourney.floor.utilization import duration_words
from tourney.game.words import counted
from tourney.notebook.plots import waves_plot
from tourney.notebook.tables import Tabular, facts_html
from tourney.planning.event_plan import Plan, plan_tournament
from tourney.planning.pilot import Pilot, play_pilot
from tourney.planning.trial_rates import Rates, rates_of_run, rates_of_trial, read_rates
from tourney.plugins.loading import installed_plugins
from tourney.plugins.registry import Registry
from tourney.research.inputs import ConfigLike
from tourney.store.store import Store
from tourney.tournament.loading import Tournament, enter, enter_again
from tourney.tournament.tournament import DEFAULT_STORE, config_of

REPLICATIONS = 20
CLOSE = 0.01


@dataclass(frozen=True, slots=True, repr=False)
class Planned(Tabular):
    """The plan of an event."""

    tournament: Tournament
    rates: Rates  # of events at its tables
    plan: Plan
    pilot: Pilot | None  # tables needed to rank the field; None without play

    @property
    def seconds(self) -> float:
        """Its average duration."""
        return self.plan.seconds.mean

    def to_data(self) -> Mapping[str, object]:
        """Return the data for JSON."""
        floor = self.tournament.config.floor
        return {
            "name": self.tournament.config.name,
            "entrants": len(self.tournament.records),
            "start_time": floor.start_time,
            "tables": floor.tables,
            "dealers": floor.dealers or floor.tables,
            "rates": asdict(self.rates),
            **asdict(self.plan),
            "pilot": self.pilot and asdict(replace(self.pilot, seconds=0.0)),
        }

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Return a row for each wave: its start, the remaining entrants, and its frequency."""
        return [{"wave": number, **asdict(wave)} for number, wave in enumerate(self.plan.waves, 1)]

    def plot(self) -> Any:
        """Draw the remaining entrants over time, wave by wave: a figure of matplotlib.

        Raises: TourneyError, without matplotlib.
        """
        waves = [(wave.begin_seconds / 60, wave.players) for wave in self.plan.waves]
        return waves_plot(waves, self.seconds / 60, repr(self))

    def __repr__(self) -> str:
        """Write `Quickstart: takes 1 h 2 min, 120 blocks`."""
        takes = duration_words(self.seconds)
        name, blocks = self.tournament.config.name, counted(self.plan.blocks.mean, "block")
        return f"{name}: takes {takes}, {blocks}"

    def _repr_html_(self) -> str:
        plan = self.plan
        late = duration_words(plan.late_seconds)
        facts = [
            ("Event", self.tournament.config.name),
            ("Entrants", f"{len(self.tournament.records):,}"),
            ("Takes", f"{duration_words(self.seconds)}; 90th percentile {late}"),
            ("Blocks", f"{plan.blocks.mean:,.0f}"),
            ("Tables used at once, at most", f"{plan.most_tables:,}"),
            ("Waves", f"{len(plan.waves):,}"),
        ]
        return facts_html(facts)


def plan(
    config: ConfigLike,
    *,
    replications: int | None = None,
    run: int | str | None = None,
    store: str | Path = DEFAULT_STORE,
    rates: str | Path | Rates | None = None,
    seed: int | None = None,
    workers: int = 1,
    engine: str = "auto",
    trust_submissions: bool = False,
) -> Planned:
    """Estimate the duration and needs of an event, without playing it.

    Args:
        config: A YAML file, a mapping with the same settings, or a configuration.
        replications: Number of rehearsals; by default up to 20, and fewer if the duration is known
            within 1 % earlier.
        run: A stored run as the basis, a number or a name; a short trial by default.
        store: The store of that run.
        rates: Rates of events at tables, or a file of them, as the basis instead.
        seed: Replaces the configuration's seed.
        workers: Processes for the pilot.
        engine: The engine of trial and pilot.
        trust_submissions: Run files of competitors without a sandbox, with your permissions.
    Raises: TourneyError, if the configuration or a plugin is wrong.
    """
    if run is not None and rates is not None:
        raise TourneyError("plan: pass either a run or rates, not both")
    check_whole(2, replications=replications)
    check_seed(seed)
    check_workers(workers)
    registry = installed_plugins()
    wanted = config_of(config, registry, tries_options=True)
    tournament = enter(wanted, registry, rng_seed=seed, trusts_files=trust_submissions)
    if rates is not None:
        found = rates if isinstance(rates, Rates) else read_rates(path_of(rates=rates))
    elif run is not None:
        found = _rates_of(run, path_of(store=store), registry)
    else:
        found = rates_of_trial(tournament, engine)
    close = CLOSE if replications is None else 0.0
    planned = plan_tournament(tournament, found, replications or REPLICATIONS, close=close)
    # With given rates, no cards are dealt.
    pilot = play_pilot(tournament, engine, workers) if run is None and rates is None else None
    return Planned(tournament, found, planned, pilot)


def _rates_of(run: int | str, store: Path, registry: Registry) -> Rates:
    with Store.open(store, create=False) as kept:
        record = kept.run(run)
        played = enter_again(record, registry, plays=False)
        return rates_of_run(played, kept, record.number)
