"""How many tables a site shows: fixed before play, or chosen when results could be seen.

The commitment of an extension shows what was added, and in which order. It does not show that the
organiser had not seen results before, and no anchor and no time stamp can show that.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tourney.formats.group_tables import is_solo
from tourney.formats.solo import Solo
from tourney.game.rules import fewest_seats
from tourney.report.publish.commitment_data import AMISS, Plan
from tourney.report.publish.published_results import Results, results_again
from tourney.report.publish.site_report import SiteReport
from tourney.report.publish.verify_board import tallies_of
from tourney.report.site.model import SiteData
from tourney.standings.confidence import is_told_apart
from tourney.standings.fold import rank
from tourney.standings.standing import EntrantLabel
from tourney.standings.tallies import Scoring

NUMBER = "the number of tables"


def verify_table_counts(
    data: SiteData, plan: Plan | None, scoring: Scoring, report: SiteReport
) -> None:
    """Verify that a site has all tables that its commitments fix, and no more."""
    committed = data.run.committed
    if committed is None:  # the report says so already
        return
    told = [each.results for each in data.entrants if each.results]
    if data.run.status != "finished":
        report.open.append(
            f"{NUMBER}: the run is not finished; it may have been left when the board suited"
        )
    elif committed.configuration is None:
        report.open.append(f"{NUMBER}: the configuration, which fixes it, is not opened")
    elif plan is None:  # a difference says why
        return
    elif len(told) < data.policy.entrants:
        report.open.append(f"{NUMBER}: not everybody's tables are published")
    elif not isinstance(plan.config.format.options, Solo):
        kind = plan.config.format.kind
        report.open.append(f"{NUMBER}: for the format {kind} it is not worked out from a site")
    else:
        results = [results_again(each, scoring) for each in told]
        _verify_all(plan, plan.config.format.options, results, report)


def tell_extensions(data: SiteData, report: SiteReport) -> None:
    """Say what an extension leaves unproven."""
    committed = data.run.committed
    if committed is None or len(committed.statements) == 1:
        return
    try:
        later = [json.loads(text) for text in committed.statements[1:]]
        ends = [int(each["tables"]) for each in later]
        late = sum(len(each["entrants"]) for each in later)
    except AMISS:  # which verify_committed names
        return
    first = _first_tables(committed.configuration)
    if first is None or ends[-1] > first:
        begin = f"from {first:,} to" if first else "to"
        steps = ", then ".join(f"{each:,}" for each in dict.fromkeys(ends) if each != first)
        report.open.append(
            f"that {NUMBER} was not chosen by the results: it was raised {begin} {steps} by "
            "extensions, each made when the results before it could be seen; no anchor and no "
            "time stamp shows that nobody had seen them"
        )
    if late:
        count, were = ("1 entrant", "was") if late == 1 else (f"{late} entrants", "were")
        report.open.append(
            f"that {count} of extensions did not know the shoes, and {were} not chosen by the "
            "results: results and secret could be seen before the extension"
        )


def _first_tables(configuration: str | None) -> int | None:
    """Give the tables of the configuration; None if it is not opened."""
    if configuration is None:
        return None
    try:
        return int(json.loads(configuration)["configuration"]["format"]["tables"])
    except AMISS:
        return None


def _verify_all(plan: Plan, options: Solo, results: Sequence[Results], report: SiteReport) -> None:
    """Verify the tables of a format whose configuration gives their number."""
    counts = {len(each.tables) for each in results}
    played = max(counts)
    if options.stop == "separated":
        odd = list(_odd_stop(plan, results, played))
        words = f"{played:,} of at most {options.tables:,}, where the rule of the run stops"
    else:
        odd = []
        if played != options.tables:
            odd = [f"expected {options.tables:,} for everybody, as committed, got {played:,}"]
        words = f"all {played:,} that {'the last extension' if plan.steps else 'the run'} fixes"
    if len(counts) > 1:
        odd.append("expected as many for everybody, got other numbers")
    elif not odd:
        numbers = [{table for _, _, table in each.tables} for each in results]
        expected = set(range(_end(plan, played)))
        whole = numbers if is_solo(plan.config.game.rules) else [set().union(*numbers)]
        if any(each != expected for each in whole):
            odd.append(f"expected those from 1 to {len(expected):,}, got others")
    report.differing += [f"data.json: tables: {line}" for line in odd]
    if not odd:
        report.verified.append(f"tables: everybody has {words}")


def _odd_stop(plan: Plan, results: Sequence[Results], played: int) -> Iterator[str]:
    """Find where a run that stops by a rule stopped too early or too late."""
    looks = results[0].scoring.looks
    if played not in looks:
        yield f"expected the number of one of its looks, got {played:,}"
        return
    for look in looks[: looks.index(played) + 1]:
        is_over = look == looks[-1] or _is_told_apart(plan, results, look)
        if is_over and look < played:
            yield f"expected a stop after {look:,}, by the rule of the run, got {played:,}"
            return
        if look == played and not is_over:
            yield f"expected more than {played:,}, by the rule of the run, got no more"


def _is_told_apart(plan: Plan, results: Sequence[Results], look: int) -> bool:
    """Say whether all neighbours are told apart at a look."""
    end = _end(plan, look)
    shown = [
        replace(each, tables={key: own for key, own in each.tables.items() if key[2] < end})
        for each in results
    ]
    labels = [EntrantLabel(f"{number:09}", "") for number in range(len(shown))]
    scoring = results[0].scoring
    return is_told_apart(rank(tallies_of(shown, scoring), labels, scoring))


def _end(plan: Plan, tables: int) -> int:
    """Give the number of tables in play when everybody has sat at so many."""
    rules = plan.config.game.rules
    return tables if is_solo(rules) else tables * plan.entrants // fewest_seats(rules)
