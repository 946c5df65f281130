"""The number of tables of a site: fixed before play, or chosen after results.

The commitment of an extension proves its content and order. It does not prove that the organiser
had not seen results before, and neither an anchor nor a timestamp can prove that.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tourney.formats.group_tables import is_solo
from tourney.formats.solo import Solo
from tourney.game.rules import fewest_seats
from tourney.report.publish.commitment_data import AMISS, Plan
from tourney.report.publish.published_results import Results, SiteReport, results_again
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
    """Verify that a site has exactly the tables of its commitments."""
    committed = data.run.committed
    if committed is None:  # already reported
        return
    told = [each.results for each in data.entrants if each.results]
    if data.run.status != "finished":
        report.open.append(
            f"{NUMBER}: the run is not finished; it may have been left when the board suited"
        )
    elif committed.configuration is None:
        report.open.append(f"{NUMBER}: the configuration, which fixes it, is not published")
    elif plan is None:  # already reported as a difference
        return
    elif data.policy.excluded:
        report.open.append(f"{NUMBER}: the tables of excluded entrants are not published")
    elif len(told) < data.policy.entrants:
        report.open.append(f"{NUMBER}: not all entrants' tables are published")
    elif not isinstance(plan.config.format.options, Solo):
        kind = plan.config.format.kind
        report.open.append(f"{NUMBER}: for the format {kind} it cannot be verified from a site")
    else:
        results = [results_again(each, scoring) for each in told]
        _verify_all(plan, plan.config.format.options, results, report)


def tell_extensions(data: SiteData, report: SiteReport) -> None:
    """Report the facts that an extension leaves unproven."""
    committed = data.run.committed
    if committed is None or len(committed.statements) == 1:
        return
    try:
        later = [json.loads(text) for text in committed.statements[1:]]
        ends = [int(each["tables"]) for each in later]
        late = sum(len(each["entrants"]) for each in later)
    except AMISS:  # reported by verify_committed
        return
    first = _first_tables(committed.configuration)
    if first is None or ends[-1] > first:
        begin = f"from {first:,} to" if first else "to"
        steps = ", then ".join(f"{each:,}" for each in dict.fromkeys(ends) if each != first)
        report.open.append(
            f"that {NUMBER} was not chosen by the results: it was raised {begin} {steps} by "
            "extensions, each made when earlier results were available; no anchor or timestamp "
            "proves that they were not used"
        )
    if late:
        count, were = ("1 entrant", "was") if late == 1 else (f"{late} entrants", "were")
        report.open.append(
            f"that {count} of extensions did not know the shoes, and {were} not chosen by the "
            "results: results and secret could be seen before the extension"
        )


def _first_tables(configuration: str | None) -> int | None:
    """Return the tables of the configuration; `None` if it is not published."""
    if configuration is None:
        return None
    try:
        return int(json.loads(configuration)["configuration"]["format"]["tables"])
    except AMISS:
        return None


def _verify_all(plan: Plan, options: Solo, results: Sequence[Results], report: SiteReport) -> None:
    """Verify the tables of a format whose configuration has their number."""
    counts = {len(each.tables) for each in results}
    played = max(counts)
    if options.stop == "separated":
        odd = list(_odd_stop(plan, results, played))
        words = f"{played:,} of at most {options.tables:,}, where the rule of the run stops"
    else:
        odd = []
        if played != options.tables:
            odd = [f"expected {options.tables:,} for each entrant, as committed, got {played:,}"]
        words = f"all {played:,} that {'the last extension' if plan.steps else 'the run'} fixes"
    if len(counts) > 1:
        odd.append("the entrants have different numbers of tables")
    elif not odd:
        numbers = [{table for _, _, table in each.tables} for each in results]
        expected = set(range(_end(plan, played)))
        whole = numbers if is_solo(plan.config.game.rules) else [set().union(*numbers)]
        if any(each != expected for each in whole):
            odd.append(f"their numbers are not 1 to {len(expected):,}")
    report.differing += [f"data.json: tables: {line}" for line in odd]
    if not odd:
        report.verified.append(f"tables: each entrant has {words}")


def _odd_stop(plan: Plan, results: Sequence[Results], played: int) -> Iterator[str]:
    """Yield a stop of the run that was too early or too late for its rule."""
    looks = results[0].scoring.looks
    if played not in looks:
        yield f"{played:,} is not the number of one of its looks"
        return
    for look in looks[: looks.index(played) + 1]:
        is_over = look == looks[-1] or _is_told_apart(plan, results, look)
        if is_over and look < played:
            yield f"by its rule the run stops after {look:,}, not after {played:,}"
            return
        if look == played and not is_over:
            yield f"by its rule the run continues after {played:,}"


def _is_told_apart(plan: Plan, results: Sequence[Results], look: int) -> bool:
    """Check whether all neighbours differ significantly at a look."""
    end = _end(plan, look)
    shown = [
        replace(each, tables={key: own for key, own in each.tables.items() if key[2] < end})
        for each in results
    ]
    labels = [EntrantLabel(f"{number:09}", "") for number in range(len(shown))]
    scoring = results[0].scoring
    return is_told_apart(rank(tallies_of(shown, scoring), labels, scoring))


def _end(plan: Plan, tables: int) -> int:
    """Return the number of tables in play when each entrant has played a number of tables."""
    rules = plan.config.game.rules
    return tables if is_solo(rules) else tables * plan.entrants // fewest_seats(rules)
