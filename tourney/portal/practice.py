"""The process `practice`: plays practice runs and private matches, one course at a time.

In games of one player at a table, all versions play the same tables of one run, which new versions
join, so that a few thousand hands are enough to rank them. The board shows and ranks each student's
newest version. At shared tables a result depends on the other players, so a new run of all players
replaces the one before. Practice shoes change on a schedule, so that students cannot tune
a player to them.
"""

import json
from argparse import Namespace
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from secrets import randbits
from typing import Any

from tourney.config.documents import plain_data
from tourney.config.model import EntrantConfig, TournamentConfig
from tourney.config.words import closest, hint, joined, quoted
from tourney.course.files import only_one
from tourney.errors import PortalError
from tourney.plugins.loading import load_plugins
from tourney.portal import boards, folder_erasure, jobs
from tourney.portal.boards import Audience, Place, PortalRun, record
from tourney.portal.course_runs import (
    SHOWN_DIGITS,
    NoEntrantsError,
    Playing,
    Showing,
    fitting_strategies,
    free_strategies,
    record_progress,
    run_called,
)
from tourney.portal.database import setting, time_text
from tourney.portal.erasure import PRACTICE
from tourney.portal.follower import publish
from tourney.portal.places import Places
from tourney.portal.worker import Context, of_course, work
from tourney.report.publish.collection import Wanted
from tourney.report.redaction import (
    OPEN,
    Policy,
    Pseudonyms,
    policy_of,
    pseudonyms_of,
    shown_of,
)
from tourney.sqlite.database import Database
from tourney.standings.fold import rank
from tourney.standings.standing import Standing
from tourney.standings.tallies import Count
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.extension import extend_run
from tourney.tournament.loading import Tournament, enter, enter_again, run_record
from tourney.tournament.stored_standings import standings_of, with_target
from tourney.tournament.tournament import play_run

TABLES, ROUNDS = 10, 50
LOOKED_AT = Wanted(tables=2, samples=4)
"""Number of tables whose hands both may see."""
SEED_BITS = 32


def play_match(context: Context) -> Mapping[str, Any]:
    """Play an agreed match, and write its pages."""
    with of_course(context):
        playing = Playing.of(context)
    asked = context.job.payload
    with Store.open(context.places.practice_store(playing.course.slug)) as store:
        run = _run_of(context, playing, store)
        noted = boards.note_run(
            context.database,
            playing.course.id,
            "match",
            run.number,
            run.name,
            account=context.job.account,
            settings={"accounts": asked["accounts"]},
        )
        with store.held(run.number):
            run = store.run(run.number)
            play_run(enter_again(run, load_plugins()), store, run)
        publish(context.places, playing.course, store, noted, LOOKED_AT)
    boards.finish_run(context.database, noted)
    return {"status": "played", "run": noted.id}


def _check_known(
    playing: Playing,
    names: Sequence[str],
    known: Sequence[str],
    mates: Collection[str],
    people: int,
) -> None:
    """Reject a match of people without a version, or with an unknown opponent.

    Args:
        playing: The course.
        names: Of the two players.
        known: Those of them without a version.
        mates: All names with a version.
        people: How many of the two are people; these come first.
    Raises: PortalError, which names no classmate where boards do not.
    """
    if missing := [name for name in names[:people] if name in known]:
        raise PortalError(
            f"match: there is no competing version of {joined(missing, 'and')}; submit one first"
        )
    strategies = fitting_strategies(playing)
    if not known or names[1] in strategies:
        return
    shows_names = playing.own.leaderboard.names == "names"
    others = sorted({*mates} - {names[0]}) if shows_names else []
    mate = f"a classmate ({joined(others)})" if others else "a classmate with a submission"
    meant = hint(closest(names[1], [*others, *strategies]))
    raise PortalError(
        f"match: there is no opponent {quoted(names[1])}; choose {mate} or a strategy of the game "
        f"({joined(strategies)}){meant}"
    )


def _run_of(context: Context, playing: Playing, store: Store) -> RunRecord:
    """Find the run of this job, or create it."""
    source, names = f"match {context.job.id}", list(context.job.payload["names"])
    with only_one(playing.folder):
        if run := run_called(store, source):
            return run
        digests = playing.digests()
        if names[1] in digests and len(context.job.payload["accounts"]) == 1:
            raise PortalError(
                f"match: {names[1]} has not joined the portal yet; choose a strategy or another "
                "classmate"
            )
        known = [name for name in names if name not in digests]
        _check_known(playing, names, known, digests, len(context.job.payload["accounts"]))
        lacking = playing.own.game.rules.seats.start - len(names)
        filled = free_strategies(playing, {*digests, *names}, lacking)
        config = playing.config(
            source,
            name=f"Match of {' and '.join(names)}",
            format=playing.known_format(TABLES, ROUNDS),
            entrants=[{"submissions": "."}, *({"strategy": name} for name in (*known, *filled))],
            seed=randbits(SEED_BITS),
            **dict.fromkeys(("stages", "luck_adjustment", "public_value", "leaderboard")),
        )
        playing_now = [each for each in config.entrants if each.name in {*names, *filled}]
        if len(playing_now) < len(names) + len(filled):
            raise PortalError(f"match: {' and '.join(names)} both need a competing version")
        chosen = replace(config, entrants=tuple(playing_now))
        return store.create_run(run_record(enter(chosen, load_plugins())))


SOURCE = "practice"
"""Name of practice runs in their store."""


@dataclass(frozen=True, slots=True)
class PracticeTerms:
    """Practice settings of a course: the amount of play, and the days with the same shoes."""

    tables: int = 40
    rounds: int = 100
    days: int = 7  # at least 1

    @classmethod
    def of(cls, database: Database, course: int) -> "PracticeTerms":
        """Read the settings of a course."""
        return cls(**json.loads(setting(database, f"practice {course}", "{}")))


def practise(context: Context) -> Mapping[str, Any]:
    """Play the practice tables with new versions, and show the board."""
    try:
        playing = Playing.of(context)
    except NoEntrantsError as nobody:
        return {"status": "waiting", "reason": str(nobody)}
    terms = PracticeTerms.of(context.database, playing.course.id)
    config = _config(playing, terms)
    wanted, names = _versions(config, playing.digests())
    with Store.open(context.places.practice_store(playing.course.slug)) as store:
        run = _run_for(store, replace(config, entrants=wanted), terms)
        with store.held(run.number):
            run = _with_late(store, run, wanted)
            tournament = enter_again(run, load_plugins())
            result = play_run(
                tournament, store, run, on_batch=lambda play: record_progress(context, play)
            )
        noted = _note(context, playing, run, names)
        standings = standings_among(tournament, store, result.run, names)
    show_practice(context.database, noted, _renamed(tournament, names), standings)
    _ask_again(context, playing, datetime.fromisoformat(run.created) + _lasting(terms))
    return {"status": "played", "run": noted.id, "entrants": len(names)}


def show_practice(
    database: Database,
    noted: PortalRun,
    tournament: Tournament,
    standings: Sequence[Standing],
) -> None:
    """Show a course each student's newest version, ranked among those, and keep the places.

    Args:
        database: The portal's.
        noted: The run, in the portal.
        tournament: Its tournament with the shown entrants, by their board names.
        standings: Of those.
    """
    # Practice is never sealed; pseudonyms apply here, too.
    board = replace(policy_of(tournament.config.leaderboard), freeze=None, reveal=None)
    policies: Mapping[Audience, Policy] = {"course": board, "staff": OPEN}
    for audience, policy in policies.items():
        showing = Showing.of(tournament, standings, policy)
        moment = datetime.now(UTC)
        rows = showing.told(moment)
        shown = showing.shown(rows, title=noted.title, state="over", said=[])
        pseudonyms = showing.pseudonyms_at(moment)
        own = showing.own()
        boards.show_board(database, noted.id, audience, shown, own, pseudonyms=pseudonyms)
    submitted = frozenset(each.name for each in tournament.records if not each.distribution)
    called = pseudonyms_of(tournament.records)
    record(database, noted, places_of(standings, board, called, submitted))


def places_of(
    standings: Sequence[Standing],
    policy: Policy,
    pseudonyms: Pseudonyms,
    submissions: frozenset[str],
) -> list[Place]:
    """Give the places of standings, with the names that the course may see.

    An entrant that is named by its row has another name in the next entry, so it has none here.

    Args:
        standings: All of them, best first.
        policy: The visibility.
        pseudonyms: Public names, by name.
        submissions: Names of the entrants that are submissions.
    """
    shown = shown_of([row.place for row in standings], policy.top)
    names_all = policy.names == "names"
    return [
        Place(
            name=row.name,
            place=row.place,
            score=f"{float(row.decides):,.{row.measure.decimals}f}",
            shown=(row.name if names_all else pseudonyms.get(row.name, "")) if at < shown else "",
            is_submission=row.name in submissions,
        )
        for at, row in enumerate(standings)
    ]


def standings_among(
    tournament: Tournament, store: Store, run: RunRecord, names: Mapping[str, str]
) -> tuple[Standing, ...]:
    """Rank some entrants of a run among themselves, by their board names.

    Args:
        tournament: The tournament.
        store: Its store.
        run: The run.
        names: Board names of the ranked entrants, by their name in the run.
    """
    chosen = [each.number for each in tournament.records if each.name in names]
    if len(chosen) == len(tournament.records):
        rows = standings_of(tournament, store, run)
        return tuple(replace(row, name=names[row.name]) for row in rows)
    count = Count(len(tournament.records), tournament.scoring)
    for block in store.blocks(run.number):
        count.take(block)
    labels = [tournament.labels[number] for number in chosen]
    rows = rank(
        [count.tallies[number] for number in chosen],
        [replace(label, name=names[label.name]) for label in labels],
        tournament.scoring,
    )
    return with_target(tournament, rows)


def _config(playing: Playing, terms: PracticeTerms) -> TournamentConfig:
    """Make the practice tournament of a course: its game and its limits, with known shoes.

    At shared tables it is a ladder, which takes any number of entrants.
    """
    return playing.config(
        SOURCE,
        name=f"Practice of {playing.course.title}",
        format=playing.known_format(terms.tables, terms.rounds),
        entrants=_everybody(playing),
        seed=randbits(SEED_BITS),
        **dict.fromkeys(("stages", "luck_adjustment", "public_value")),
    )


def _versions(
    config: TournamentConfig, digests: Mapping[str, str]
) -> tuple[tuple[EntrantConfig, ...], Mapping[str, str]]:
    """Name all entrants in the run by their version; give the board name of each."""
    wanted, names = [], {}
    for each in config.entrants:
        digest = digests.get(each.name) if each.source else None
        name = f"{each.name} {digest[:SHOWN_DIGITS]}" if digest else each.name
        wanted.append(replace(each, name=name))
        names[name] = each.name
    return tuple(wanted), names


def _everybody(playing: Playing) -> list[Mapping[str, Any]]:
    """List the entrants of the course's tournament, and fill up a table with others."""
    listed = list(plain_data(playing.own.text)["entrants"])
    rules = playing.own.game.rules
    lacking = rules.seats.start - len(listed) - len(playing.digests()) + 1
    taken = {each.get("as", each.get("strategy")) for each in listed}
    return [*listed, *({"strategy": name} for name in free_strategies(playing, taken, lacking))]


def _run_for(store: Store, config: TournamentConfig, terms: PracticeTerms) -> RunRecord:
    """Give the practice run of the course; a new one with new shoes if necessary."""
    known = [each for each in store.runs() if each.name == config.name]
    run = store.run(known[-1].number) if known else None
    if run and not _is_over(run, config, terms):
        return run
    return store.create_run(run_record(enter(config, load_plugins())))


def _is_over(run: RunRecord, config: TournamentConfig, terms: PracticeTerms) -> bool:
    """Give whether a practice run is too old, or has another game than the course."""
    before, after = ({**plain_data(each), "seed": 0} for each in (run.config, config.text))
    is_old = datetime.fromisoformat(run.created) + _lasting(terms) <= _now()
    wanted = {each.name for each in config.entrants}
    is_others = 1 not in config.game.rules.seats and wanted != {each.name for each in run.entrants}
    return before != after or is_old or is_others


def _with_late(store: Store, run: RunRecord, wanted: Sequence[EntrantConfig]) -> RunRecord:
    """Complete a run, then extend it by the new entrants."""
    known = {each.name.casefold() for each in run.entrants}
    late = [each for each in wanted if each.name.casefold() not in known]
    if not late:
        return run
    if run.status != "finished":
        play_run(enter_again(run, load_plugins()), store, run)
    return extend_run(store, store.run(run.number), load_plugins(), late=late)


def _now() -> datetime:
    return datetime.now(UTC)


def _lasting(terms: PracticeTerms) -> timedelta:
    return timedelta(days=terms.days)


def _note(
    context: Context, playing: Playing, run: RunRecord, names: Mapping[str, str]
) -> PortalRun:
    """Record the run in the portal."""
    course = playing.course
    with context.database.transaction():
        noted = boards.note_run(context.database, course.id, "practice", run.number, run.name)
        boards.change(context.database, noted, names=dict(names))
        boards.finish_run(context.database, noted)
    return noted


def _ask_again(context: Context, playing: Playing, when: datetime) -> None:
    """Schedule the change of shoes."""
    jobs.add(
        context.database,
        "shoes",
        {},
        course=playing.course.id,
        not_before=time_text(when),
        replaces=True,
    )


def _renamed(tournament: Tournament, names: Mapping[str, str]) -> Tournament:
    """Give the tournament with the shown entrants, by their board names."""
    records = (
        replace(each, name=names[each.name]) for each in tournament.records if each.name in names
    )
    return replace(tournament, records=tuple(records))


HANDLERS = {
    "practice": practise,
    "shoes": practise,
    "match": play_match,
    PRACTICE: folder_erasure.forget_practice,
}


def main(places: Places, arguments: Namespace) -> None:
    """Do jobs until a signal ends the process."""
    load_plugins()
    work(places, arguments.role, HANDLERS)
