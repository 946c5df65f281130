"""The feedback for every student, collected from a stored run and the submissions."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, inf
from pathlib import Path

from tourney.checks.remedies import finding_of
from tourney.checks.source import Source
from tourney.course.feedback.model import Answer, Fault, Played, State, TableSeen
from tourney.course.submission_status import HandedIn
from tourney.errors import TourneyError
from tourney.game.ledger import BlockKey, Verdict, caveat
from tourney.plugins.registry import Registry
from tourney.report.publish.collection import first_faults
from tourney.report.publish.published_results import Results, TableKey, add_games, read_results
from tourney.report.publish.published_tables import choose
from tourney.report.redaction import COSTS
from tourney.report.site.data_files import DATA
from tourney.report.site.model import MistakesData, SiteData
from tourney.report.site.pages import MINUS, example_pages, hand_pages, result_title, signed
from tourney.report.site.site_files import read_data
from tourney.standings.standing import PLACE, Standing
from tourney.store.records import EntrantRecord, RunRecord
from tourney.store.store import Store
from tourney.tournament.loading import Tournament
from tourney.tournament.stored_standings import standings_of

MOST_TABLES = 1_000_000
"""Larger numbers of needed tables are not shown."""


def beside(rows: Sequence[Standing], row: int, called: Sequence[str]) -> Iterator[str]:
    """Compare a row with the one above and the one below, in a sentence each.

    Args:
        rows: The board, best first.
        row: Number of the row, from 0.
        called: Public names of the shown rows, best first.
    """
    if row:
        yield from _words("above", rows[row], _row_name(row - 1, called))
    if row + 1 < len(rows):
        yield from _words("below", rows[row + 1], _row_name(row + 1, called))


def _row_name(row: int, called: Sequence[str]) -> str:
    return f" ({called[row]})" if row < len(called) else ""


def _words(where: str, lower: Standing, name: str) -> Iterator[str]:
    """Compare two rows; empty if the format awards the places."""
    other = f"The row {where}{name}"
    if lower.relation == "equal":
        yield f"{other} has the same result at every table."
    elif lower.above is not None and lower.above_half_width is not None:
        between, width = abs(lower.above), lower.above_half_width
        distance = f"{other} is {between:,.4f} a round away"
        if lower.relation == "separated":
            # Without a threshold: ranks use a smaller one than the interval's half-width.
            yield f"{distance}, which is a significant difference."
        elif lower.relation == "practically equal":
            yield f"{distance}, and the two are practically equal."
        else:
            yield f"{distance}, which is not significant: {_needed(lower, between, width)}."


def _needed(row: Standing, between: float, width: float) -> str:
    """Describe the tables needed; the width of an interval falls with the root of their number."""
    tables = f"{row.tables:,} tables"
    if row.tables < row.least_tables:
        return f"{tables} are too few, and at least {row.least_tables:,} are needed"
    threshold = f"at {tables} it would have to exceed {width:,.4f}"
    if row.least_difference is not None:  # the width does not go by the root of the tables
        least = f"{row.least_difference:,.4g}"
        return f"{threshold}, and with so few tables no difference below {least} is significant"
    needed = row.tables * (width / between) ** 2.0 if between else inf
    if needed > MOST_TABLES:
        return f"{threshold}, and more than {MOST_TABLES:,} tables would be needed for this one"
    return f"{threshold}, and about {_rounded(needed):,} tables would be needed for this one"


def _rounded(tables: float) -> int:
    """Round up to two digits; more would not be significant.

    >>> _rounded(1234.5), _rounded(87.1), _rounded(3)
    (1300, 88, 3)
    """
    step = int("1".ljust(len(str(int(tables))) - 1, "0"))
    return ceil(tables / step) * step


@dataclass(frozen=True, slots=True)
class Site:
    """The pages of a run."""

    data: SiteData
    address: str  # prefix of the paths of pages

    @property
    def board(self) -> str:
        """The page with its board."""
        return f"{self.address}/index.html"

    @property
    def links(self) -> tuple[tuple[str, str], ...]:
        """The titles and addresses of the pages that a reader goes back to."""
        home = self.data.home
        above = ((home.title, home.seen_from(f"{self.address}/")),) if home else ()
        return (*above, ("Board", self.board))

    def page(self, number: int) -> str:
        """Return the page of a row of the board; empty if it has no page."""
        if self.data.policy.is_sealed or number > len(self.data.entrants):
            return ""
        return f"{self.address}/entrants/{number}.html"

    def mistakes(self, number: int) -> MistakesData | None:
        """Return the costliest decisions of a row of the board, if its page has them."""
        return self.data.entrants[number - 1].mistakes if self.page(number) else None

    def examples(self, number: int) -> tuple[str, ...]:
        """Return the page with an example of each; empty texts if it is not published."""
        if not self.page(number):
            return ()
        return tuple(example_pages(self.data.entrants[number - 1], f"{self.address}/hands"))

    def hands(self, number: int, key: TableKey) -> tuple[str, ...]:
        """Return the pages with the hands of a table; empty if they are not published."""
        if not self.page(number):
            return ()
        return tuple(
            f"{self.address}/hands/{path}"
            for table, paths in hand_pages(self.data.entrants[number - 1])
            if (table.stage - 1, table.heat - 1, table.table - 1) == key
            for path in paths
        )


def site_at(folder: Path, run: RunRecord, pages: Path, address: str | None) -> Site:
    """Read the site of a run.

    Args:
        folder: The published site.
        run: The run.
        pages: Folder of the pages that link to the site, unless there is an address.
        address: Public address of the site, such as https://example.org/cup.
    Raises: TourneyError, if it is not a site, or the site of another run.
    """
    data = read_data(folder / DATA)
    is_changed = data.run.digest and data.run.digest != (run.digest or b"").hex()
    if data.run.commitment != run.commitment or is_changed:
        raise TourneyError(
            f"{folder} does not have the present results of run {run.number}, {run.name}, but "
            f"others, of {data.run.name}. Publish again with --output {folder}."
        )
    return Site(data, (address or os.path.relpath(folder, pages)).rstrip("/"))


SHOWN = (
    *("rank", "rank_set", "adjusted_profit", "profit_per_round", "luck_errors"),
    *("mean_final_bankroll", "mean_points", "mean_place", "wins", "final_bankroll", "finish"),
    *("counts", "tables", "games", "rounds", "faults"),
)
"""Columns on a student's page, as far as the run has them."""

TABLES = 3
"""Number of the best tables on a page, and of the worst."""


@dataclass(frozen=True, slots=True)
class Board:
    """A finished run with its disclosure rules."""

    tournament: Tournament
    registry: Registry
    rows: tuple[Standing, ...]  # best first
    called: tuple[str, ...]  # public names of the shown rows
    results: tuple[Results, ...]  # by number of the entrant
    faults: Mapping[int, Sequence[tuple[BlockKey, Verdict, int]]]  # likewise
    withheld: str = ""  # why results are hidden, in a sentence; empty if they are not


def board_of(
    tournament: Tournament,
    store: Store,
    run: RunRecord,
    registry: Registry,
    *,
    called: Sequence[str],
    withheld: str,
) -> Board:
    """Read a finished run.

    Args:
        tournament: The tournament of the run.
        store: Its store.
        run: The run.
        registry: Defines the columns.
        called: Public names of the shown rows, best first.
        withheld: Why results are hidden, in a sentence; empty if they are not.
    """
    results = read_results(
        store.seat_results(run.number), len(tournament.records), tournament.scoring
    )
    if tournament.measure is PLACE:
        add_games(results, store.blocks(run.number))
    return Board(
        tournament,
        registry,
        standings_of(tournament, store, run),
        tuple(called),
        tuple(results),
        first_faults(store, run),
        withheld,
    )


TAKEN_OFF = "you were taken off the board after the run. Ask your lecturer for the reason."
"""Does not state the reason, which may name another student."""


def gather(board: Board, everybody: Sequence[HandedIn], site: Site | None) -> Iterator[Answer]:
    """Return the feedback for each student.

    Args:
        board: The run.
        everybody: The students with their submissions.
        site: The published pages of the run, if any.
    """
    by_name = {each.name: each for each in board.tournament.records if each.excluded is None}
    excluded = {each.name for each in board.tournament.records} - by_name.keys()
    rows = {row.name: number for number, row in enumerate(board.rows)}
    for handed_in in everybody:
        played = tuple(
            _played(board, by_name[name], rows[name], handed_in, site)
            for name in handed_in.person.names
            if name in by_name
        )
        state, why = _became(handed_in, played, is_sealed=bool(board.withheld))
        if not played and not excluded.isdisjoint(handed_in.person.names):
            state, why = "excluded", TAKEN_OFF
        yield Answer(handed_in, state, why, played, board.withheld if played else "")


def _became(handed_in: HandedIn, played: Sequence[Played], *, is_sealed: bool) -> tuple[State, str]:
    """Return the result of a submission, in a word and in a sentence."""
    if played:
        if is_sealed:
            return "plays", "it takes part."
        is_out = all(each.is_out for each in played)
        words = (
            each.standing if len(played) == 1 else f"as {each.name} {each.standing}"
            for each in played
        )
        return "disqualified" if is_out else "played", " ".join(words)
    return _without_entrant(handed_in)


def _without_entrant(handed_in: HandedIn) -> tuple[State, str]:
    if handed_in.person.excluded:
        return "excluded", f"the roster excludes you: {handed_in.person.excluded}."
    last = handed_in.versions[0] if handed_in.versions else None
    if last is None:
        if handed_in.refused:
            return "refused", f"{handed_in.refused[-1]}."
        return "no submission", "there is no file under any of your names."
    version = f"version {last.digest[:12]}"
    if last.status == "rejected":
        return "not playable", f"{version} failed its check: {last.reason}."
    if last.status == "withdrawn":
        return "withdrawn", f"{version}: {last.reason}."
    return "not entered", f"{version} may play, but was not submitted yet when this run began."


def _played(
    board: Board, record: EntrantRecord, row: int, handed_in: HandedIn, site: Site | None
) -> Played:
    digest, name = record.digest.hex(), record.name
    version = next((each for each in handed_in.versions if each.digest == digest), None)
    if board.withheld:
        return Played(name, name, digest, version, "", None)
    standing = board.rows[row]
    measure = board.tournament.measure
    called = board.called[row] if row < len(board.called) else ""
    return Played(
        name,
        called,
        digest,
        version,
        _standing_words(standing, len(board.rows)),
        standing.place,
        is_out=standing.place is None,
        facts=tuple(_facts(board, standing)),
        beside=tuple(beside(board.rows, row, board.called)),
        faults=tuple(_faults(board, record)),
        cost=COSTS[board.tournament.format.fault],
        result_title=result_title(measure.name, board.tournament.config.bankroll),
        tables=tuple(_tables(board.results[record.number], row + 1, site)),
        page=site.page(row + 1) if site else "",
        mistakes=site.mistakes(row + 1) if site else None,
        examples=site.examples(row + 1) if site else (),
    )


def _standing_words(row: Standing, count: int) -> str:
    if row.place is None:
        return "out of the standings, after a fault."
    if row.rank_set is None:
        return f"place {row.place} of {count}."
    first, last = row.rank_set
    if first == last:
        return (
            f"place {row.place} of {count}; luck aside, with 95 % confidence, its rank is {first}."
        )
    ranks = f"any rank from {first} to {last}"
    return f"place {row.place} of {count}; luck aside, with 95 % confidence, it has {ranks}."


def _facts(board: Board, row: Standing) -> Iterator[tuple[str, str]]:
    """Return the cells of the columns, and the luck in chips."""
    tournament = board.tournament
    for name in SHOWN:
        column = board.registry.columns[name]
        fits = column.fits(
            tournament.measure,
            follows_luck=tournament.follows_luck,
            has_chips=tournament.rules.most_points is None,
        )
        if fits and (text := column.show(row)):
            # With the sign of the other numbers on the page.
            yield column.title, f"{MINUS}{text[1:]}" if text.startswith("-") else text
        if name == "profit_per_round" and row.adjusted_profit is not None:
            yield "Luck a round", signed(row.profit_per_round - row.adjusted_profit)


def _faults(board: Board, record: EntrantRecord) -> Iterator[Fault]:
    """Return faults with their lines, and how to fix them."""
    source = Source(record.kind, record.sources)
    contract = board.tournament.rules.game.contract()
    for key, verdict, tables in board.faults.get(record.number, ()):
        finding = finding_of(verdict, source, contract)
        elsewhere = caveat(verdict.cause, verdict.call, tables)
        if elsewhere:  # the place in the called method would mislead
            finding = replace(finding, place=verdict.place or source.name)
        where = (
            f"table {_name(key[:3])}, round {verdict.round}, decision {verdict.decision + 1} "
            f"({verdict.call})"
        )
        yield Fault(verdict.cause, where, finding, verdict.seen, tables, elsewhere)


def _tables(results: Results, number: int, site: Site | None) -> Iterator[TableSeen]:
    for kind, key in choose(results, TABLES, 0).published:
        links = site.hands(number, key) if site else ()
        yield TableSeen(kind, _name(key), results.shown(key), links, is_lost=results.is_lost(key))


def _name(key: TableKey) -> str:
    """Name a table; with stage and heat unless they are the first.

    >>> _name((0, 0, 6)), _name((0, 1, 6))
    ('7', '1.2.7')
    """
    stage, heat, table = (each + 1 for each in key)
    return f"{stage}.{heat}.{table}" if stage > 1 or heat > 1 else str(table)
