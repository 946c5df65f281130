"""Jobs of organisers on an assignment as a whole, done by the checker: setting it up, its game."""

from collections.abc import Mapping
from typing import Any

from tourney.config.games import load_game
from tourney.course.class_folder import ROSTER, begin_class, change_game
from tourney.course.roster_file import read_roster
from tourney.errors import ConfigError, PortalError, SubmissionError
from tourney.plugins.loading import load_plugins
from tourney.portal import audit
from tourney.portal.accounts import assignments_of, course_of
from tourney.portal.assignments import why_game_stays
from tourney.portal.course_jobs import change_terms, share_roster, tell_again
from tourney.portal.worker import Context, Handler
from tourney.tournament.catalog import catalog_of


def set_up(context: Context) -> Mapping[str, Any]:
    """Create the folder of an assignment, with the roster of its course.

    Payload: `game`, and `settings` as `change_terms` takes them.
    """
    course = course_of(context.database, context.job.course or 0)
    first, *_ = assignments_of(context.database, course)
    folder, source = (context.places.course(each.slug) for each in (course, first))
    try:
        if not (folder / ROSTER).is_file():  # an earlier try may have created it
            game = load_game(context.job.payload["game"], catalog_of(load_plugins()))
            people = read_roster(source / ROSTER).people
            begin_class(folder, people, game, course.title)
    except (ConfigError, SubmissionError) as error:
        raise PortalError(str(error).replace(f"{source.parent}/", "")) from error
    result = change_terms(context)
    share_roster(context.database, context.places, course)  # it may have changed meanwhile
    return result


def replace_game(context: Context) -> Mapping[str, Any]:
    """Change the game of an assignment without submissions.

    Payload: `game`.
    """
    course = course_of(context.database, context.job.course or 0)
    folder, catalog = context.places.course(course.slug), catalog_of(load_plugins())
    if reason := why_game_stays(context.database, course.id):
        raise PortalError(f"game: {reason}")
    before, after = course.told.get("game"), str(context.job.payload["game"])
    try:
        change_game(folder, load_game(after, catalog), course.title, catalog)
        tell_again(context.database, course.id, folder)
    except (ConfigError, SubmissionError) as error:
        raise PortalError(str(error).replace(f"{folder}/", "")) from error
    audit.note(
        context.database,
        "game changed",
        account=context.job.account,
        course=course.id,
        before=before,
        after=after,
    )
    return {"status": "kept"}


HANDLERS: Mapping[str, Handler] = {"assignment": set_up, "game": replace_game}
"""The handler of each kind of job."""
