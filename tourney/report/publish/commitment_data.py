"""The commitments of a run before play: shown on a site, and verified from it.

The chain of statements and their openings are verified, and that the site's configuration and
entrants match. `anchor_times` verifies the times, and `table_counts` the number of tables.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any

from tourney.config.model import TournamentConfig
from tourney.config.tournament import loads
from tourney.config.words import ADDRESS_WORD as ADDRESS
from tourney.config.words import without_addresses
from tourney.errors import TourneyError
from tourney.fairness.commitments import FORM, commitments_of, hash_of
from tourney.plugins.registry import Registry
from tourney.report.publish.published_results import SiteReport
from tourney.report.publish.scoring_rules import configured
from tourney.report.site.model import CommittedData, RunData, SiteData
from tourney.store.records import RunRecord
from tourney.tournament.catalog import catalog_of
from tourney.tournament.loading import looks_of, why_luck_stays_in, with_tables

OPENED = ("name", "strategy", "group", "kind")
"""Fields of an entrant's opening that a site also shows."""

PLACEHOLDER = "placeholder"
"""The only entrant of a configuration that is read without its entrants."""

AMISS = (AttributeError, KeyError, IndexError, TypeError, ValueError)
"""Exceptions that statements from an untrusted site may raise."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The content of a site's commitments, if the configuration is published."""

    config: TournamentConfig  # with the tables of the last extension
    entrants: int
    steps: tuple[tuple[int, int], ...]
    """Tables and entrants: at the start, and after each extension."""


def committed_told(run: RunRecord) -> CommittedData | None:
    """Return the commitments of a run; `None` if it commits only to its secret.

    Nothing that names an excluded entrant is opened.
    """
    committed = commitments_of(run)
    if not committed:
        return None
    excluded = {each.name for each in run.entrants if each.excluded is not None}
    configuration: str | None = committed[0].configuration
    if configuration and any(name in configuration for name in excluded):
        configuration = None
    openings = [opening for each in committed for opening in each.entrants]
    return CommittedData(
        statements=[each.statement for each in committed],
        configuration=configuration,
        entrants=[
            opening
            for opening in openings
            if not _has_address(opening) and json.loads(opening)["name"] not in excluded
        ],
        public_value=run.public_value or None,
        anchors=[],
    )


def verify_committed(data: SiteData, registry: Registry, report: SiteReport) -> Plan | None:
    """Verify statements and openings, and that the site matches them.

    Returns: Their content; `None` if the configuration is not published, or there is a difference.
    """
    committed = data.run.committed
    if committed is None:
        report.open.append(
            "configuration, number of tables and sources: the run committed to its secret alone "
            "(as rehearsals do, whose seed is known)"
        )
        return None
    plan = None
    try:
        odd = [*_odd_statements(data.run, committed), *_odd_entrants(data, committed)]
        odd += _odd_opening(data, committed)
        if committed.configuration is not None and not odd:
            plan = _plan_of(committed, committed.configuration, registry)
            odd += _odd_configuration(data, committed, plan)
    except TourneyError as error:
        odd = [f"configuration: it cannot be read here: {error}"]
    except AMISS:
        odd = ["the statements do not have the documented form"]
    report.differing += [f"data.json: commitments: {line}" for line in odd]
    if odd:
        return None
    entered = data.policy.entered
    parts = f"the secret, {len(committed.entrants)} of {entered} entrants and sources"
    if committed.configuration is None:
        report.open.append(
            "the configuration: it is not published, since it names an entrant that is not shown"
        )
    else:
        parts = f"the configuration, {parts}"
    if hidden := _withheld(data):
        report.open.append(
            f"name and source of {hidden} of the entrants: they are not published, since they "
            "are hidden"
        )
    if unopened := sum(ADDRESS in each.strategy for each in data.entrants):
        report.open.append(
            f"name and source of {unopened} of the entrants: they are not published, since their "
            "files are named by e-mail addresses"
        )
    count = len(committed.statements)
    chain = f", {count - 1} of them of extensions" if count > 1 else ""
    report.verified.append(f"commitments: {count}{chain}, which fix {parts}")
    return plan


def _has_address(opening: str) -> bool:
    """Check whether the name of an entrant's file contains an e-mail address, which no page
    shows.
    """
    strategy = str(json.loads(opening)["strategy"])
    return without_addresses(strategy) != strategy


def _withheld(data: SiteData) -> int:
    """Count entrants whose name is hidden, although others are shown by name."""
    is_told = data.policy.names == "names"
    return sum(each.is_withheld for each in data.entrants) if is_told else 0


def _odd_statements(run: RunData, committed: CommittedData) -> Iterator[str]:
    """Yield statements that are out of order, or do not fix the run's secret."""
    before = None
    for number, text in enumerate(committed.statements, start=1):
        told = json.loads(text)
        for name, expected in {"form": FORM, "before": before, "secret": run.commitment}.items():
            if told[name] != expected:
                yield f"statement {number}: {name}: expected {expected}, got {told[name]}"
        before = hash_of(text)
    first = json.loads(committed.statements[0])
    for name in ("rehearsal", "versions"):
        if first[name] != getattr(run, name):
            yield f"{name}: expected {first[name]}, as committed, got {getattr(run, name)}"


def _odd_entrants(data: SiteData, committed: CommittedData) -> Iterator[str]:
    """Yield entrants that differ from their commitments."""
    hashes = [each for text in committed.statements for each in json.loads(text)["entrants"]]
    if len(hashes) != data.policy.entered:
        yield f"entrants: expected {len(hashes)}, as committed, got {data.policy.entered}"
    opened = {}
    for text in committed.entrants:
        told = json.loads(text)
        opened[told["name"]] = told
        if hash_of(text) not in hashes:
            yield f"entrant {told['name']}: its opening differs from its commitment"
    if data.policy.names == "handles":
        return
    for entrant in data.entrants:
        told = opened.get(entrant.name)
        if entrant.is_withheld or (told is None and ADDRESS in entrant.strategy):
            continue
        if told is None:
            yield f"entrant {entrant.name}: its opening is missing"
            continue
        for name in OPENED:
            if getattr(entrant, name) != told[name]:
                got = getattr(entrant, name)
                yield f"entrant {entrant.name}: {name}: expected {told[name]}, got {got}"


def _odd_opening(data: SiteData, committed: CommittedData) -> Iterator[str]:
    """Yield an opening of the configuration that is missing or differs from its commitment."""
    if committed.configuration is None:
        is_whole = len(data.entrants) == data.policy.entered
        if data.policy.names == "names" and is_whole and not _withheld(data):
            yield "configuration: its opening is missing, although all entrants are shown"
        return
    first = json.loads(committed.statements[0])
    if hash_of(committed.configuration) != first["configuration"]:
        yield "configuration: its opening differs from its commitment"


def _plan_of(committed: CommittedData, configuration: str, registry: Registry) -> Plan:
    """Read the content of the commitments.

    Raises: TourneyError, if the configuration cannot be read here.
    """
    told = json.loads(configuration)["configuration"]
    config = _loaded(told, registry)
    statements = [json.loads(text) for text in committed.statements]
    counts = list(accumulate(len(each["entrants"]) for each in statements))
    if len(statements) == 1:
        return Plan(config, counts[0], ())
    tables = [config.format.options.tables, *(each["tables"] for each in statements[1:])]
    if any(one > other for one, other in pairwise(tables)):
        raise TourneyError("extensions remove tables")
    steps = tuple(zip(tables, counts, strict=True))
    return Plan(with_tables(config, tables[-1]), counts[-1], steps)


def _odd_configuration(data: SiteData, committed: CommittedData, plan: Plan) -> Iterator[str]:
    """Yield settings of a site that differ from the configuration."""
    run, options = data.run, plan.config.format.options
    settings = json.loads(committed.statements[0])["settings"]
    fixed = configured(plan.config) | {
        "looks": list(looks_of(plan.config, plan.entrants, plan.steps)),
        "margin": options.margin,
        "shares_shoes": options.shares_shoes,
        "why_luck_stays": why_luck_stays_in(plan.config, follows_luck="luck" in settings),
    }
    for name, expected in fixed.items():
        if (got := getattr(run, name)) != expected:
            yield f"run.{name}: expected {expected}, by the configuration as committed, got {got}"


def _loaded(told: dict[str, Any], registry: Registry) -> Any:
    """Read a configuration without its entrants.

    Every configuration needs one, so a placeholder stands for them: the plugin of a game may have
    no strategies.
    """
    catalog = catalog_of(registry)
    catalog = replace(catalog, strategies={**catalog.strategies, PLACEHOLDER: object})
    text = json.dumps({**told, "entrants": [{"strategy": PLACEHOLDER}]}, ensure_ascii=False)
    return loads(text, catalog, "configuration", folder=None)
