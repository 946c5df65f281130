"""Jobs that change the teams of a course's roster, done by the checker.

The roster decides: a job looks at it with the folder locked, so that of two acceptances for the
last place one is refused. No upload of the students may wait meanwhile, because it would play under
the earlier name. The members in portal.db get the new names first; a job that is killed before it
has written the roster starts again from the roster.
"""

import json
from collections.abc import Mapping
from typing import Any

from tourney.course.class_folder import ROSTER
from tourney.course.files import only_one, write_whole
from tourney.course.folder import Submissions
from tourney.course.names import reserved_names
from tourney.course.roster import Person, Roster
from tourney.course.roster_file import written
from tourney.course.submission_rules import read_terms
from tourney.course.teams import TeamChange, join_team, leave_team, set_team
from tourney.errors import PortalError
from tourney.plugins.loading import load_plugins
from tourney.portal import notices
from tourney.portal.course_jobs import share_roster, tell_change
from tourney.portal.teams import ASSIGNMENTS, KIND, is_fixed, rename_player
from tourney.portal.worker import Context, Handler, hide_path


def change_team(context: Context) -> Mapping[str, Any]:
    """Change a team.

    Payload: `act`, one of `join` (`invite`, the number of an invitation), `leave` (of the
        account), `set` (of staff: `person`, `name`, and `team`, empty to take them out).
    """
    folder = context.folder
    with hide_path(f"{folder}/"), only_one(folder):
        submissions = Submissions(folder, read_terms(folder))
        with context.database.transaction():
            change = _ACTS[context.job.payload["act"]](context, submissions)
            _check_no_upload(context, change)
            _check_unplayed(context, change)
            _apply(context, change)
        if change.changed:
            write_whole(folder / ROSTER, written(change.people))
    tell_change(context, "team changed", members=len(change.changed))
    faults = share_roster(context.database, context.places, context.course)
    return {"status": "kept", "faults": faults}


def _join(context: Context, submissions: Submissions) -> TeamChange:
    """Accept an invitation; the other invitations of the invited student end."""
    database, job = context.database, context.job
    row = database.first(
        "SELECT account, mate FROM team_invites WHERE id = ? AND course = ? "
        "AND (ended = '' OR ended = 'accepted' AND job = ?)",
        (job.payload["invite"], job.course, job.id),
    )
    if row is None or row[1] != job.account:
        raise PortalError("team: the invitation has ended; reload the page")
    inviter, mate = (_person_of(context, submissions, account) for account in row)
    if mate.team and mate.team == inviter.team:  # done, by this job before it was killed
        return _unchanged(submissions)
    change = join_team(submissions, inviter, mate)
    database.execute(
        "UPDATE team_invites SET ended = iif(id = ?, 'accepted', 'declined') "
        "WHERE course = ? AND mate = ? AND ended = ''",
        (job.payload["invite"], job.course, job.account),
    )
    notices.add(database, "team answer", account=row[0], course=job.course, answer="accepted")
    return change


def _leave(context: Context, submissions: Submissions) -> TeamChange:
    assert context.job.account is not None
    person = _person_of(context, submissions, context.job.account)
    if not person.team:
        return _unchanged(submissions)
    plays = is_fixed(context.database, context.course.id, person.team)
    return leave_team(submissions, person, plays=plays)


def _set(context: Context, submissions: Submissions) -> TeamChange:
    """Change the team of a student as the staff asks."""
    asked = context.job.payload
    person = _listed(submissions, asked["person"], asked["name"])
    if asked["team"] == person.team:
        return _unchanged(submissions)
    if not asked["team"]:
        plays = is_fixed(context.database, context.course.id, person.team)
        return leave_team(submissions, person, is_staff=True, plays=plays)
    return set_team(submissions, person, asked["team"], reserved_names(load_plugins()))


def _apply(context: Context, change: TeamChange) -> None:
    """Give the members their new names, and notify them and the rest of their teams.

    The student who asked, and the one whose invitation is accepted, know already.
    """
    database, course = context.database, context.course.id
    roster = Roster(change.people)
    names = {new.team or old.team for old, new in change.changed}
    concerned = {person for name in names for person in roster.members_of(name)}
    for old, new in change.changed:
        rename_player(database, course, old.person, old.names[0], new.names[0])
    asked = database.read(
        iter, "SELECT account FROM team_invites WHERE id = ?", (context.job.payload.get("invite"),)
    )
    known = {context.job.account, *(account for (account,) in asked)}
    everybody = {(each.person, each.names[0]) for each in concerned}
    everybody |= {(new.person, new.names[0]) for _, new in change.changed}
    for account, person, name in notices.enrolled(database, course):
        if (person, name) in everybody and account not in known:
            notices.add(database, "team change", account=account, course=course)


def _check_no_upload(context: Context, change: TeamChange) -> None:
    """Reject a change while an upload of its students waits for its check.

    Raises: PortalError, if one does.
    """
    names = [old.names[0] for old, _ in change.changed]
    if context.database.first(
        f"SELECT 1 FROM jobs WHERE {ASSIGNMENTS} AND kind IN ('check', 'choose') "  # noqa: S608 - a constant
        "AND state IN ('queued', 'running') AND name IN (SELECT value FROM json_each(:names))",
        {"course": context.job.course, "names": json.dumps(names)},
    ):
        raise PortalError("team: an upload waits for its check; try again when it is done")


def _check_unplayed(context: Context, change: TeamChange) -> None:
    """Reject students who join a team while a submission of theirs plays in any assignment.

    Raises: PortalError, if one does.
    """
    joining = [(old, new) for old, new in change.changed if new.team and new.team != old.team]
    names = {name for old, _ in joining for name in old.names}
    if context.job.payload["act"] == "join":
        names |= {new.team for _, new in joining}
    for name in sorted(names):
        if is_fixed(context.database, context.course.id, name):
            raise PortalError(
                f"team: a submission of {name} plays already. A team is complete before its first "
                "submission that plays; ask your lecturer"
            )


def _person_of(context: Context, submissions: Submissions, account: int) -> Person:
    row = context.database.first(
        "SELECT person, name FROM members WHERE course = ? AND account = ? "
        "AND role = 'student' AND removed IS NULL",
        (context.job.course, account),
    )
    if row is None:
        raise PortalError("team: a student has left the course; reload the page")
    return _listed(submissions, *row)


def _listed(submissions: Submissions, person: str, name: str) -> Person:
    """Find a student of the roster; a job that was killed may have changed the player name."""
    named = [each for each in _roster(submissions).people if each.person == person]
    found = [each for each in named if name in each.names] or named
    if len(found) != 1:
        raise PortalError("team: the roster has changed; reload the page and try again")
    return found[0]


def _unchanged(submissions: Submissions) -> TeamChange:
    return TeamChange(_roster(submissions).people, ())


def _roster(submissions: Submissions) -> Roster:
    return submissions.terms.roster or Roster(())


_ACTS = {"join": _join, "leave": _leave, "set": _set}
HANDLERS: Mapping[str, Handler] = {KIND: change_team}
"""The handler of the kind of job."""
