"""Private matches: a version against a strategy or a classmate's; both may see the hands."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from secrets import randbits
from typing import Any

from tourney.config.words import closest, hint, joined, quoted
from tourney.course.files import only_one
from tourney.errors import PortalError
from tourney.portal import boards
from tourney.portal.course_runs import Playing, free_strategies, registry, run_called
from tourney.portal.publication import publish
from tourney.portal.worker import Context, of_course
from tourney.report.publish.collection import Wanted
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.loading import enter, enter_again, run_record
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
            play_run(enter_again(run, registry()), store, run)
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
    game = playing.own.game.rules.game.name
    strategies = [each for each, one in registry().strategies.items() if one.game == game]
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
        return store.create_run(run_record(enter(chosen, registry())))
