"""A season from its stored runs: points, totals, their visible part, and its page.

Hidden results of a run do not count in its season, so that no total reveals them.

As for the site of a run, `data.json` has the published data, and the page is made from it.
"""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Final, Literal, NamedTuple

from pydantic import Field

from tourney.config.season import SeasonConfig, SeasonRunConfig
from tourney.errors import TourneyError
from tourney.plugins.registry import Registry
from tourney.report.redaction import (
    OPEN,
    Policy,
    Pseudonyms,
    handle,
    policy_of,
    pseudonyms_of,
    shown_of,
    time_of,
)
from tourney.report.site.data_files import DATA
from tourney.report.site.model import HomeData, SiteModel
from tourney.report.site.pages import templates
from tourney.report.site.site_files import SCHEMA, schema_of, static_files, write_files
from tourney.standings.place_chart import PlaceLine, place_chart
from tourney.standings.places import points, two_decimals
from tourney.standings.standing import Standing
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.loading import Tournament, enter_again
from tourney.tournament.stored_standings import standings_of

VERSION: Final = 1
"""Version of this format; others cannot be read."""

STATIC = ("site.css", "board.js")
LEADING = 20
"""Entrants of the chart of places."""
CAPTION = "Places by run"


class SeasonRunData(SiteModel):
    """A run of the season."""

    title: str
    folder: str | None = Field(description="Of its pages; null if there are none.")
    status: Literal["counted", "sealed", "not finished"]
    sealed_until: str | None = Field(default=None, description="ISO time, UTC.")
    finished: str | None = Field(description="ISO time, UTC; null while it runs.")
    game: str
    format: str
    entrants: int = Field(description="How many there were, shown or not.")


class ScoreData(SiteModel):
    """The result of an entrant in a run."""

    row: int = Field(ge=1, description="Number of the row on the board of the run.")
    place: int | None = Field(description="On that board; null if out.")
    points: float
    text: str
    counts: bool = Field(description="Whether it is among the best that count.")


class SeasonEntrantData(SiteModel):
    """A row of the table."""

    number: int = Field(ge=1, description="Of the row.")
    place: int = Field(ge=1, description="Those with as many points share it.")
    name: str
    points: float
    text: str
    runs: int = Field(description="In how many it took part.")
    scores: list[ScoreData | None] = Field(
        description="In the order of the runs; null where it took no part, or is not shown."
    )


class SeasonData(SiteModel):
    """A published season."""

    version: Literal[1] = VERSION
    name: str
    rule: str = Field(description="How points follow from places, in words.")
    best: int | None = Field(description="So many results count; null for all.")
    names: Literal["names", "handles"]
    top: int | None = Field(description="Only so many are shown; null for all.")
    count: int = Field(description="How many there are, shown or not.")
    runs: list[SeasonRunData]
    entrants: list[SeasonEntrantData] = Field(description="Best first.")
    home: HomeData | None = Field(default=None, description="Null if the page links to none.")


def season_files(season: SeasonData) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a season without the pages of its runs.

    Args:
        season: The visible data.
    """
    yield DATA, season_json(season).encode()
    yield SCHEMA, season_schema().encode()
    yield from static_files(STATIC)
    chart = place_chart([run.title for run in season.runs], _lines(season))
    page = templates().get_template("season.html")
    text = page.render(season=season, chart=chart, caption=CAPTION, leading=LEADING)
    yield "index.html", text.encode()


def _lines(season: SeasonData) -> list[PlaceLine]:
    """Return the places of the leading entrants, run by run."""
    return [
        PlaceLine(
            name=row.name,
            places=[score.place if score else None for score in row.scores],
            texts=["" if score is None else str(score.place or "out") for score in row.scores],
        )
        for row in season.entrants[:LEADING]
    ]


def write_season(season: SeasonData, folder: Path) -> int:
    """Write the page of a season and its data; return their size in bytes.

    Args:
        season: The visible data.
        folder: Created if missing; rejected if it has other files. Pages of runs that the season no
            longer has are removed.
    Raises: TourneyError, if the folder does not belong to a site.
    """
    written = write_files(season_files(season), folder)
    kept = {run.folder for run in season.runs}
    for path in folder.glob("run-*"):
        if path.name not in kept and (path / SCHEMA).is_file():
            shutil.rmtree(path)
    return sum(written.values())


def season_schema() -> str:
    """Return the JSON Schema of a season's data."""
    return schema_of(SeasonData)


def season_json(season: SeasonData) -> str:
    """Return the data of a season as JSON."""
    return json.dumps(season.model_dump(mode="json"), ensure_ascii=False, indent=1)


@dataclass(frozen=True, slots=True)
class Part:
    """A run of a season."""

    title: str
    store: Path
    run: RunRecord
    tournament: Tournament
    standings: tuple[Standing, ...]  # all, best first; empty before the run has finished
    policy: Policy  # its visibility here
    status: Literal["counted", "sealed", "not finished"]


@dataclass(frozen=True, slots=True)
class ScoringTerms:
    """Visibility of a season, in addition to its file."""

    asked: Policy = OPEN  # tightens it
    tells_all: bool = False  # overrides the files of the season and its runs


@dataclass(slots=True)
class Score:
    """The result of an entrant in a run."""

    row: int  # on the run's board, from 1
    place: int | None
    points: Fraction
    counts: bool = False


@dataclass(slots=True)
class Line:
    """An entrant's results in all runs."""

    name: str
    scores: list[Score | None] = field(default_factory=list)  # in the order of the runs

    @property
    def total(self) -> Fraction:
        """Points of all results that count."""
        return sum((each.points for each in self.scores if each and each.counts), Fraction(0))


def parts_of(
    config: SeasonConfig, store: Path, registry: Registry, terms: ScoringTerms, now: datetime
) -> tuple[Part, ...]:
    """Look up the runs of a season.

    Args:
        config: The season.
        store: Default store of its runs.
        registry: The plugins.
        terms: Visibility.
        now: The current time.
    Raises: TourneyError, if no run was played, one does not exist, or two have the same name.
    """
    left = planned_runs(config, store)
    runs = [each for each in config.runs if each not in left]
    if not runs:
        raise TourneyError(f"{config.name}: no run of the season was played; add --play")
    parts = [_part(each, config, store, registry, terms) for each in runs]
    titles = [part.title.casefold() for part in parts]
    for number, part in enumerate(parts):
        if part.title.casefold() in titles[:number]:
            raise TourneyError(
                f"{runs[number].where}: {part.title!r} is already the name of a run; "
                f"write '{{run: {part.run.number}, as: …}}'"
            )
    # If one run hides names, the names of another run would reveal them.
    policies = [part.policy for part in parts] + [season_policy(config, terms)]
    if any(policy.names == "handles" for policy in policies):
        parts = [replace(part, policy=replace(part.policy, names="handles")) for part in parts]
    return tuple(_sealed(part, now) for part in parts)


def planned_runs(config: SeasonConfig, store: Path) -> list[SeasonRunConfig]:
    """Return the runs that the season can play and that their stores do not have."""
    return [
        each
        for each in config.runs
        if each.tournament and not _is_stored(each.run, store_of(each, config, store))
    ]


def interrupted_runs(config: SeasonConfig, store: Path) -> Iterator[tuple[SeasonRunConfig, Path]]:
    """Yield the runs that the season plays and that are unfinished, each with its store.

    A run that was committed and not begun is left out: it waits for its time.
    """
    for each in config.runs:
        place = store_of(each, config, store)
        if not (each.tournament and _is_stored(each.run, place)):
            continue
        with Store.open(place, create=False) as kept:
            run = kept.run(each.run)
            is_begun = not run.is_anchored or bool(kept.batch_numbers(run.number))
        if run.status == "running" and is_begun:
            yield each, place


def _is_stored(name: str, store: Path) -> bool:
    if not store.exists():
        return False
    with Store.open(store, create=False) as kept:
        return name in {each.name for each in kept.runs()}


def store_of(run: SeasonRunConfig, config: SeasonConfig, store: Path) -> Path:
    """Return the store of a run.

    Args:
        store: Where neither the run nor the season names one.
    """
    return run.store or config.store or store


def season_policy(config: SeasonConfig, terms: ScoringTerms) -> Policy:
    """Return the visibility of a season's table, apart from its runs."""
    own = OPEN if terms.tells_all else policy_of(config.leaderboard)
    return own.tightened(terms.asked)


def season_told(
    config: SeasonConfig, parts: Sequence[Part], terms: ScoringTerms, folders: Sequence[str | None]
) -> SeasonData:
    """Return the published data of a season.

    Args:
        config: The season.
        parts: Its runs.
        terms: Visibility.
        folders: Folders of the runs' pages; `None` for a run without pages.
    Raises: TourneyError, if ranks count but a run has no ranks.
    """
    lines = lines_of(config, parts)
    totals = [line.total for line in lines]
    places = [1 + sum(other > total for other in totals) for total in totals]
    top = season_policy(config, terms).top
    is_nameless = any(part.policy.names == "handles" for part in parts)
    names = names_in(config, parts)
    called = _pseudonyms(parts, names)
    entrants = [
        _entrant_told(
            line,
            number,
            place,
            handle(number, line.name.casefold(), called) if is_nameless else line.name,
        )
        for number, (line, place) in enumerate(zip(lines, places, strict=True), start=1)
    ]
    everybody = {
        season_name(row.name, names).casefold()
        for part in parts
        if part.status == "counted"
        for row in part.standings
    }
    return SeasonData(
        name=config.name,
        rule=rule_words(config),
        best=config.best,
        names="handles" if is_nameless else "names",
        top=top,
        count=len(everybody),
        runs=[_run_told(part, path) for part, path in zip(parts, folders, strict=True)],
        entrants=entrants[: shown_of(places, top)],
    )


def rule_words(config: SeasonConfig) -> str:
    """Describe how places give points."""
    if config.points is None:
        said = "a point for each beaten entrant, half a point for each one on the same place"
    else:
        said = f"points by place: {', '.join(f'{each:.10g}' for each in config.points)}, then 0"
        said += "; equal places share their points"
    if config.by == "ranks":
        said += "; an entrant has the mean of all ranks that luck leaves open"
    return said


def _part(
    wanted: SeasonRunConfig,
    config: SeasonConfig,
    store: Path,
    registry: Registry,
    terms: ScoringTerms,
) -> Part:
    path = store_of(wanted, config, store)
    with Store.open(path, create=False) as kept:
        run = kept.run(wanted.run)
        tournament = enter_again(run, registry, plays=False)
        is_over = run.status == "finished"
        standings = standings_of(tournament, kept, run) if is_over else ()
    own = OPEN if terms.tells_all else policy_of(tournament.config.leaderboard)
    # Every table has its own number of rows.
    policy = own.tightened(replace(season_policy(config, terms), top=None))
    status: Literal["counted", "not finished"] = "counted" if is_over else "not finished"
    title = wanted.title or run.name
    return Part(title, path, run, tournament, standings, policy, status)


def _sealed(part: Part, now: datetime) -> Part:
    """Mark a run whose results are hidden."""
    is_sealed = part.status == "counted" and part.policy.seals(time_of(part.run.finished), now)
    return replace(part, status="sealed") if is_sealed else part


def lines_of(config: SeasonConfig, parts: Sequence[Part]) -> list[Line]:
    """Count the points; return the lines, best first."""
    names = names_in(config, parts)
    lines: dict[str, Line] = {}  # in the order of the boards
    for number, part in enumerate(parts):
        if part.status == "counted":
            for name, score in _scores(config, part, names):
                line = lines.setdefault(name.casefold(), Line(name, [None] * len(parts)))
                before = line.scores[number]
                # If an entrant plays several times, the best result counts.
                if before is None or before.points < score.points:
                    line.scores[number] = score
    for line in lines.values():
        ordered = sorted(filter(None, line.scores), key=lambda score: -score.points)
        for score in ordered[: config.best]:
            score.counts = True
    return sorted(lines.values(), key=lambda line: -line.total)


def _scores(config: SeasonConfig, part: Part, names: Mapping[str, str]) -> list[tuple[str, Score]]:
    """Return the results of the visible entrants in a run, with their names in the season."""
    try:
        worth = points(part.standings, config.points, by_ranks=config.by == "ranks")
    except TourneyError as error:
        raise TourneyError(f"{part.title}: {error}") from None
    shown = shown_of([row.place for row in part.standings], part.policy.top)
    return [
        (season_name(row.name, names), Score(number, row.place, each))
        for number, (row, each) in enumerate(
            zip(part.standings[:shown], worth[:shown], strict=True), start=1
        )
    ]


def names_in(config: SeasonConfig, parts: Sequence[Part]) -> dict[str, str]:
    """Return names of the season by names on boards; the season may list names or handles."""
    listed = {
        name.casefold(): whole for whole, others in config.entrants for name in (whole, *others)
    }
    meant = {
        name.casefold(): listed[handle.casefold()]
        for part in parts
        for name, handle in pseudonyms_of(part.run.entrants).items()
        if handle.casefold() in listed
    }
    return meant | listed  # a name is never a handle


def season_name(name: str, names: Mapping[str, str]) -> str:
    """Return the name in a season of an entrant of a run."""
    return names.get(name.casefold(), name)


class _Member(NamedTuple):
    """An entrant of a season."""

    name: str
    pseudonym: str | None


def _pseudonyms(parts: Sequence[Part], names: Mapping[str, str]) -> Pseudonyms:
    """Return handles by names of the season in lower case: the latest handle of each."""
    found: dict[str, _Member] = {}
    for part in parts:
        known = pseudonyms_of(part.run.entrants)
        for each in part.run.entrants:
            name = season_name(each.name, names)
            before = found.get(name.casefold(), _Member(name, None))
            handle = known.get(each.name) or before.pseudonym
            found[name.casefold()] = _Member(name.casefold(), handle)
    return pseudonyms_of(found.values())


def _entrant_told(line: Line, number: int, place: int, name: str) -> SeasonEntrantData:
    return SeasonEntrantData(
        number=number,
        place=place,
        name=name,
        points=float(line.total),
        text=two_decimals(line.total),
        runs=sum(score is not None for score in line.scores),
        scores=[_score_told(score) if score else None for score in line.scores],
    )


def _score_told(score: Score) -> ScoreData:
    return ScoreData(
        row=score.row,
        place=score.place,
        points=float(score.points),
        text=two_decimals(score.points),
        counts=score.counts,
    )


def _run_told(part: Part, folder: str | None) -> SeasonRunData:
    config, policy = part.tournament.config, part.policy
    is_sealed = part.status == "sealed"
    return SeasonRunData(
        title=part.title,
        folder=folder,
        status=part.status,
        sealed_until=policy.reveal.isoformat() if is_sealed and policy.reveal else None,
        finished=part.run.finished,
        game=config.game.preset,
        format=config.format.kind,
        entrants=len(part.tournament.records),
    )
