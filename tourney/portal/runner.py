"""The process `runner`: plays finals with secret shoes, and publishes them on request.

A final is written into its store first, then with its commitment into portal.db, and only then is
the first card dealt. After a kill at any point the run is found again by its job, so there is one
run and one commitment.
"""

import os
from argparse import Namespace
from collections.abc import Mapping
from functools import partial
from typing import Any

from tourney.config.documents import plain_data
from tourney.course.files import only_one
from tourney.course.pseudonyms import make_key
from tourney.errors import PortalError, TourneyError
from tourney.execution.workers.cluster import Cluster
from tourney.fairness.commitments import commitments_of
from tourney.plugins.loading import load_plugins
from tourney.portal import boards
from tourney.portal.accounts import course_of
from tourney.portal.boards import PortalRun
from tourney.portal.course_runs import Playing, record_progress, run_called
from tourney.portal.follower import answer_everybody, publish
from tourney.portal.places import Places
from tourney.portal.worker import Context, hide_path, work
from tourney.report.publish.collection import Wanted
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.loading import enter, enter_again, run_record
from tourney.tournament.tournament import play_run

PLAYING_PROCESSES = max(1, (os.cpu_count() or 1) - 1)
"""Processes that play a final; one core is left for answers to browsers."""


def play_final(context: Context, cluster: Cluster | None = None) -> Mapping[str, Any]:
    """Play a final, or the rest of it, on this machine or on a cluster.

    Raises: TourneyError, if it cannot start; RuntimeError, if it has started and cannot continue;
        Stopped, if its lecturer stops it.
    """
    playing = Playing.of(context)
    with Store.open(context.places.final_store(playing.course.slug)) as store:
        run = _run_of(context, playing, store)
        noted = _note(context, run)
        with store.held(run.number):
            run = store.run(run.number)  # in the state that the earlier worker left
            try:
                play_run(
                    enter_again(run, load_plugins()),
                    store,
                    run,
                    workers=PLAYING_PROCESSES,
                    cluster=cluster,
                    on_batch=lambda play: record_progress(context, play),
                )
            except TourneyError as error:  # it has started, so it is retried, not rejected
                raise RuntimeError(f"final {noted.id} cannot continue: {error}") from error
            if store.run(run.number).entrants != run.entrants:  # a person was erased meanwhile
                store.forget_standings(run.number)
    boards.finish_run(context.database, noted)
    return {"status": "played", "run": noted.id}


def publish_final(context: Context) -> Mapping[str, Any]:
    """Write the pages of a final with the results revealed by now, and the feedback if all are.

    Raises: PortalError, if the pages cannot be made; its lecturer sees the reason.
    """
    course = context.course
    noted = boards.existing_run(context.database, course.id, int(context.job.payload["run"]))
    store_path = context.places.final_store(course.slug)
    with hide_path(f"{context.folder}/"), Store.open(store_path, create=False) as store:
        publish(context.places, course, store, noted, Wanted())
        answer_everybody(context.places, context.database, course, store, noted)
    return {"status": "published", "run": noted.id}


def _run_of(context: Context, playing: Playing, store: Store) -> RunRecord:
    """Find the run of this job, or create it; a killed worker has created one or no run."""
    source = f"final {context.job.id}"
    if context.job.payload.get("names") == "handles":  # the same in all assignments of a course
        home = course_of(context.database, playing.course.home)
        make_key(playing.folder, make_key(context.places.course(home.slug)))
    with only_one(playing.folder):
        if run := run_called(store, source):
            return run
        if named := playing.own.public_value:
            raise PortalError(
                f"public_value: the portal cannot use {named.source}; remove it, or play the final "
                "on the command line"
            )
        asked = context.job.payload
        board = {
            **dict(plain_data(playing.own.text).get("leaderboard") or {}),
            **{name: asked[name] for name in ("names", "freeze", "reveal") if asked.get(name)},
        }
        config = playing.config(
            source,
            name=asked.get("title") or playing.own.name,
            seed=None,
            leaderboard=board or None,
        )
        return store.create_run(run_record(enter(config, load_plugins())))


def _note(context: Context, run: RunRecord) -> PortalRun:
    """Publish the run and its commitment, before the first card."""
    database, course, asked = context.database, context.course.id, context.job.payload
    settings = {"audience": asked.get("audience", "course"), "job": context.job.id}
    with database.transaction():
        noted = boards.note_run(database, course, "final", run.number, run.name, settings=settings)
        boards.commit(database, noted, commitments_of(run)[0].commitment)
    return noted


HANDLERS = {"final": play_final, "publish": publish_final}
"""The handler of each kind of job, on this machine."""


def main(places: Places, arguments: Namespace) -> None:
    """Do jobs until a signal ends the process."""
    load_plugins()
    cluster = Cluster(arguments.cluster, arguments.insecure_cluster) if arguments.cluster else None
    work(places, arguments.role, {**HANDLERS, "final": partial(play_final, cluster=cluster)})
