"""The text of a check's report, for a terminal."""

import os

import click

from tourney.checks.report import CheckReport, Finding
from tourney.plugins.fault_text import printable

LONGEST_LINE = 1000
COLUMN = 22
MOST_MISTAKES = 3
"""Costly decisions that are printed; data and pages have ten."""


def show_report(report: CheckReport, title: str) -> None:
    """Print a report.

    Args:
        report: The result of a check.
        title: The checked competitor and its game.
    """
    warnings = sum(each.is_warning for each in report.findings)
    said = "passed" if report.passed else "failed"
    beside = f", {warnings} warning{'s' if warnings > 1 else ''}" if warnings else ""
    _say(f"{title}: {said}{beside}", "green" if report.passed else "red", bold=True)
    for each in report.measured:
        _say(each.told, before=f"  {each.what:<{COLUMN}}")
    for costly in report.mistakes[:MOST_MISTAKES]:
        _say(str(costly), before=f"  {'':<{COLUMN}}")
    for finding in report.findings:
        _show_finding(finding)


def _show_finding(finding: Finding) -> None:
    word, colour = ("warning", "yellow") if finding.is_warning else ("fault", "red")
    place = f"{finding.place}: " if finding.place else ""
    _say(f"{place}{word}: {finding.message}", colour)
    if finding.remedy:
        _say(f"to fix it: {finding.remedy}", before="  ")


def _say(text: str, colour: str | None = None, *, bold: bool = False, before: str = "") -> None:
    """Print a line; click drops colours outside a terminal."""
    plain = False if os.environ.get("NO_COLOR") else None
    line = click.style(printable(text, LONGEST_LINE), fg=colour, bold=bold or None)
    click.echo(before + line, color=plain)
