"""Verification of a published site from its files alone: no store, competitors or network.

The board must follow from the published tables, the pages from the data, and the hands from the
secret and the moves; the secret must match the commitment. Parts that a policy hides cannot be
verified, and are listed.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from tourney.errors import TourneyError
from tourney.fairness.anchors import Anchor
from tourney.game.cards.keys import Secret
from tourney.game.words import counted
from tourney.plugins.registry import Registry
from tourney.report.publish.anchor_times import verify_anchor, verify_public_value
from tourney.report.publish.commitment_data import Plan, verify_committed
from tourney.report.publish.published_results import SiteReport, results_again
from tourney.report.publish.scoring_rules import rules_again, scoring_again
from tourney.report.publish.table_counts import tell_extensions, verify_table_counts
from tourney.report.publish.verify_board import Recount, malformed, recount
from tourney.report.publish.verify_hands import redeal
from tourney.report.site.data_files import DATA
from tourney.report.site.model import SiteData
from tourney.report.site.site_files import SCHEMA, read_data, site_files
from tourney.standings.tallies import Scoring

PARTS = ("entrants", "hands", "static")
"""Folders that contain only files of the site."""
OTHER_SCHEMA = (
    f"{SCHEMA}: it is not what this version of pydantic writes; it only describes data.json"
)


def verify_site(
    folder: Path,
    registry: Registry,
    sample: int | None = None,
    *,
    anchor: Anchor | None = None,
    roots: Sequence[Path] = (),
    public_value: str = "",
) -> SiteReport:
    """Verify a site.

    Args:
        folder: Its folder.
        registry: The plugins, with games and columns.
        sample: Number of tables to deal again; `None` for all.
        anchor: The file that was public before play, if any.
        roots: Files of trusted certificates for timestamps, as PEM.
        public_value: The public value as the verifier knows it; empty if unknown.
    Raises: TourneyError, if there is no site.
    """
    report = SiteReport()
    data = read_data(folder / DATA, report.differing)
    is_torn = bool(report.differing)
    _verify_commitment(data, report)
    plan = verify_committed(data, registry, report)
    stamps = verify_anchor(data, anchor, roots, report) if anchor else []
    dealt = 0
    if odd := malformed(data):
        report.differing += odd
    else:
        _verify_pages(folder, data, report, is_torn=is_torn)
        dealt = _verify_results(data, registry, plan, report, sample)
    tell_extensions(data, report)
    verify_public_value(data, public_value, anchor, stamps, report, is_dealt=dealt > 0)
    _list_unverified(data, report, has_anchor=anchor is not None)
    return report


def _verify_commitment(data: SiteData, report: SiteReport) -> None:
    run = data.run
    if run.secret is None or run.salt is None:
        report.open.append(
            "the commitment, and every shoe: the secret is published when the run is over and no "
            "result is hidden"
        )
        return
    try:
        opened = Secret(bytes.fromhex(run.secret), bytes.fromhex(run.salt), run.rehearsal)
    except ValueError:
        report.differing.append("data.json: secret and salt: they are not hexadecimal")
        return
    if opened.commitment == run.commitment:
        report.verified.append("commitment: the secret and the salt open it")
        return
    report.differing.append(
        f"data.json: commitment: expected {opened.commitment} by the secret and the salt, "
        f"got {run.commitment}"
    )


def _verify_pages(folder: Path, data: SiteData, report: SiteReport, *, is_torn: bool) -> None:
    """Compare every file with the one that the data give.

    Args:
        folder: Their folder.
        data: The data of the site.
        report: Receives the results.
        is_torn: Whether `data.json` names wrong files, which is already reported.
    """
    expected: set[str] = set()
    differing = []
    for name, content in site_files(data):
        expected.add(name)
        path = folder / name
        if is_torn and name == DATA:
            continue
        if not path.is_file():
            differing.append(f"{name}: this page of data.json is missing")
        elif path.read_bytes() == content:
            continue
        elif name == SCHEMA:
            report.open.append(OTHER_SCHEMA)
        else:
            differing.append(f"{name}: the content differs from data.json")
    differing += [
        f"{name}: this page does not belong to data.json"
        for name in _files_of_sites(folder)
        if name not in expected
    ]
    if not differing:
        report.verified.append(f"pages: {len(expected)} files are as data.json gives them")
    report.differing += differing


def _files_of_sites(folder: Path) -> Iterator[str]:
    """Yield the files in a folder that belong to a site; other files are allowed."""
    found = [*folder.glob("*.html")]
    found += [path for part in PARTS for path in (folder / part).rglob("*") if path.is_file()]
    for path in sorted(found):
        yield path.relative_to(folder).as_posix()


def _verify_results(
    data: SiteData,
    registry: Registry,
    plan: Plan | None,
    report: SiteReport,
    sample: int | None,
) -> int:
    """Recount the results, and deal the hands again where possible.

    Returns: Number of tables whose hands match.
    """
    if data.policy.is_sealed:
        if data.run.secret or any(each.cells or each.results for each in data.entrants):
            report.differing.append("data.json: it has results although they are sealed")
        return 0
    try:
        scoring = scoring_again(data.run, rules_again(data.run, registry))
    except TourneyError as error:
        report.differing.append(f"data.json: {error}")
        return 0
    recounted = recount(data, scoring, registry)
    report.differing += recounted.differing
    if not recounted.differing:
        report.verified.append(
            f"board: {recounted.cells:,} cells of {counted(len(data.entrants), 'row')} follow from "
            f"{counted(recounted.tables, 'published table')}"
        )
    for reason, titles in recounted.left.items():
        columns = "column" if len(titles) == 1 else "columns"
        report.open.append(f"{columns} {', '.join(titles)}: {reason}")
    verify_table_counts(data, plan, scoring, report)
    return _verify_hands(data, scoring, recounted, report, sample)


def _verify_hands(
    data: SiteData,
    scoring: Scoring,
    recounted: Recount,
    report: SiteReport,
    sample: int | None,
) -> int:
    shown = sum(len(entrant.tables) for entrant in data.entrants)
    if (hidden := recounted.tables - shown) > 0:
        report.open.append(
            f"the hands of {hidden:,} of {counted(recounted.tables, 'table')}: they are not "
            "published; their results are taken as published, and `tourney verify RUN` plays "
            "them again, which needs the store and the competitors"
        )
    told = [entrant.results for entrant in data.entrants if entrant.results]
    is_open = any("secret" in line or "commitment" in line for line in report.differing)
    if not shown or data.run.secret is None or is_open or len(told) < len(data.entrants):
        return 0
    dealt = redeal(data, scoring, [results_again(each, scoring) for each in told], sample)
    report.differing += dealt.differing
    if dealt.left:
        report.open.append(f"the hands of {counted(dealt.left, 'table')}: limits are not published")
    if dealt.lost:
        report.open.append(
            f"the hands of {counted(dealt.lost, 'table')}: when the site was made, playing them "
            "again gave other results than the stored ones"
        )
    if dealt.not_drawn:
        report.open.append(
            f"the hands of {counted(dealt.not_drawn, 'published table')}: by --sample, not drawn"
        )
    if dealt.tables and not dealt.differing:
        report.verified.append(
            f"hands: {counted(dealt.rounds, 'round')} at {counted(dealt.tables, 'table')}, dealt "
            "from the secret and played by the published moves, come out as published"
        )
    return 0 if dealt.differing else dealt.tables


def _list_unverified(data: SiteData, report: SiteReport, *, has_anchor: bool) -> None:
    """List the facts that these files cannot prove."""
    policy = data.policy
    if policy.is_sealed:
        until = f" until {policy.sealed_until}" if policy.sealed_until else ""
        report.open.append(f"all results: they are sealed{until}")
        return
    shown = len(data.entrants)
    if shown < policy.entrants:
        report.open.append(
            f"rank sets, intervals that hold for all rows, and that no other entrant is better: "
            f"{shown} of {policy.entrants} entrants are shown"
        )
    if policy.excluded:
        were = "entrant was" if policy.excluded == 1 else "entrants were"
        report.open.append(
            f"why {policy.excluded} {were} taken off the board after the run: the organiser has "
            "the reason"
        )
    if policy.names == "handles":
        report.open.append("the names of entrants: handles replace them")
    report.open.append(
        "names of the run, its entrants and columns, its time and versions, the sandbox of its "
        "players, and whether its seed was known: taken as published"
    )
    if not has_anchor:
        report.open.append(
            "that the commitment was published before play: compare it with the one published "
            "then, or pass its file with --anchor"
        )
    if data.run.digest:
        report.open.append(
            f"the digest of the run, {data.run.digest}: compare it with the published one and "
            "with the output of `tourney verify RUN`, which needs the store and the competitors"
        )
    report.open.append(
        "fans, curves of tables, decisions, verdicts and times on the floor: taken as published; "
        "they need the competitors or the store"
    )
