"""`commit`: commits to a run before play, with an anchor that proves it later."""

from pathlib import Path

import click

from tourney.cli.anchor_options import (
    AUTHORITIES,
    TIMESTAMP,
    anchor_option,
    anchor_run,
    words_of_kind,
)
from tourney.cli.options import (
    CONFINE,
    NO_SANDBOX,
    SEED,
    STORE,
    STRICT_PLUGINS,
    YES,
    NamedFile,
    note,
    prints_aside,
    refuse_without,
)
from tourney.cli.run import warn_of_other_terms
from tourney.cli.run_warnings import check_work, load_wanted, warn_of_quarantine
from tourney.config.tournament import time_text
from tourney.errors import TourneyError
from tourney.execution.workers.workload import check_playable
from tourney.fairness.committed_start import check_ahead
from tourney.plugins.loading import load_plugins
from tourney.store.store import Store
from tourney.tournament.loading import enter, run_record


@click.command("commit")
@click.argument("config", type=NamedFile(path_type=Path))
@anchor_option(is_required=True)
@TIMESTAMP
@AUTHORITIES
@STORE
@SEED
@CONFINE
@NO_SANDBOX
@STRICT_PLUGINS
@YES
def commit_command(
    config: Path,
    anchor: Path,
    timestamp: str | None,
    authorities: tuple[Path, ...],
    store: Path,
    seed: int | None,
    confine: str,
    trust_submissions: bool,
    strict_plugins: bool,
    is_sure: bool,
) -> None:
    """Commit to a run without playing it, and write an anchor.

    CONFIG is a YAML file. The secret, the configuration and all sources are kept in the store;
    the anchor, a new file, holds one hash of them and gives nothing away. Put it where others can
    see it before `tourney run CONFIG --anchor FILE` plays.
    """
    if not timestamp:
        refuse_without("--timestamp URL", "authorities")
    registry = load_plugins(strict=strict_plugins)
    warn_of_quarantine(registry)
    with prints_aside():
        tournament = enter(
            load_wanted(config, registry, is_sure=is_sure, confines_all=confine == "all"),
            registry,
            rng_seed=seed,
            trusts_files=trust_submissions,
            confines_all=confine == "all",
        )
        check_playable(tournament.specs().values(), tournament.rules, "auto")
    check_work(tournament, is_sure=is_sure)
    warn_of_other_terms(tournament, registry)
    check_ahead(tournament.config.public_value)
    if anchor.exists():
        raise TourneyError(f"{anchor} already exists; choose another name")
    with Store.open(store) as kept:
        run = kept.create_run(run_record(tournament, commits=True))
        try:
            anchor_run(anchor, run, timestamp, authorities)
        except TourneyError:
            kept.delete_run(run.number)  # its commitment was not published
            raise
        note(f"run {run.number} in {store}: {run.name}, {words_of_kind(run)}")
    note(f"{anchor}: put it where others can see it; then `tourney run {config} --anchor {anchor}`")
    if named := tournament.config.public_value:
        at = time_text(named.after)
        note(f"play it after {at} with --public-value and the value of {named.source}")
