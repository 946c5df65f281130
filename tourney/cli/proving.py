"""`verify --site`: what the files of a published site prove, and what they do not."""

from pathlib import Path

import click

from tourney.cli.options import note
from tourney.plugins import load_plugins
from tourney.publish import verify_site

MOST_DIFFERENCES = 100
"""That are told."""


def show_proofs(folder: Path, sample: int | None) -> int:
    """Verify a site, say what was found, and give the exit status.

    Args:
        folder: Where its files are.
        sample: At how many tables hands are dealt again; at all of them if None.
    """
    report = verify_site(folder, load_plugins(), sample)
    for line in report.verified:
        click.echo(f"verified: {line}")
    for line in report.open:
        click.echo(f"not verified: {line}")
    for line in report.differing[:MOST_DIFFERENCES]:
        note(line)
    count = len(report.differing)
    if count > MOST_DIFFERENCES:
        note(f"and {count - MOST_DIFFERENCES:,} more")
    if not count:
        return 0
    note(f"{folder}: {count:,} differences" if count > 1 else f"{folder}: 1 difference")
    return 1
