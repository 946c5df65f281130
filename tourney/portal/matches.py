"""Private matches: a version against a strategy or a class mate's, whose hands both may look at."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from secrets import randbits
from typing import Any

from tourney.config.words import closest, joined, quoted, said
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
"""Tables whose hands both may look at."""
SEED_BITS = 32


def play_match(context: Context) -> Mapping[str, Any]:
    """Play a match that everybody has agreed to, and write its pages."""
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
    """Refuse a match of people without a version, or with nobody.

    Args:
        playing: The course.
        names: Of the two who play.
        known: Those of them who have no version.
        mates: Everybody who has one.
        people: How many of the two are people, the first ones.
    Raises: PortalError, which names no class mate where boards do not.
    """
    if missing := [name for name in names[:people] if name in known]:
        raise PortalError(
            f"match: expected a version of {joined(names[:people], 'and')} to play, got none of "
            f"{joined(missing, 'and')}; hand one in first"
        )
    game = playing.own.game.rules.game.name
    strategies = [each for each, one in registry().strategies.items() if one.game == game]
    if not known or names[1] in strategies:
        return
    told = playing.own.leaderboard.names == "names"
    others = sorted({*mates} - {names[0]}) if told else []
    mate = f"a class mate ({joined(others)})" if others else "a class mate who has handed in"
    expected = f"{mate} or a strategy of the game ({joined(strategies)})"
    meant = closest(names[1], [*others, *strategies])
    raise PortalError(f"match: {said(expected, quoted(names[1]), meant=meant)}")


def _run_of(context: Context, playing: Playing, store: Store) -> RunRecord:
    """Find the run of this job, or make it."""
    source, names = f"match {context.job.id}", list(context.job.payload["names"])
    with only_one(playing.folder):
        if run := run_called(store, source):
            return run
        digests = playing.digests()
        if names[1] in digests and len(context.job.payload["accounts"]) == 1:
            raise PortalError(
                f"match: expected a strategy, or a class mate who agrees, got {names[1]}, who is "
                "not on the portal yet"
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
            raise PortalError(f"match: expected a version of each of {' and '.join(names)} to play")
        chosen = replace(config, entrants=tuple(playing_now))
        return store.create_run(run_record(enter(chosen, registry())))
