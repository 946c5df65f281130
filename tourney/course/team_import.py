"""Teams that a download makes, written into the roster: pairs of Gradescope, groups of Moodle."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from tourney.course.folder import Submissions
from tourney.course.lms_downloads import ClassDownload
from tourney.course.names import skeletons
from tourney.course.roster import Person, Roster, identify
from tourney.course.roster_file import keep_roster
from tourney.course.roster_import import free_name
from tourney.course.teams import team_name


def form_teams(
    submissions: Submissions,
    download: ClassDownload,
    tell: Callable[[str, Sequence[Person]], object],
) -> None:
    """Add the teams of a download to the roster.

    Students who submit together on Gradescope, or as a group of Moodle, become a team, unless one
    of them has a team, is excluded, or has submitted alone.

    Args:
        submissions: Of the class; its roster gets the teams.
        download: Of the class.
        tell: Called with each new team and its members.
    """
    roster = submissions.terms.roster
    if roster is None:
        return
    teams: dict[Person, str] = {}
    alike = {key for each in roster.people for name in each.names for key in skeletons(name)}
    for name, members in _new_teams(submissions, download, roster):
        title = free_name(team_name(name, members), alike)
        alike |= skeletons(title)
        teams |= dict.fromkeys(members, title)
        tell(title, members)
    if not teams:
        return
    people = tuple(
        replace(each, team=teams[each], names=(teams[each], *each.names)) if each in teams else each
        for each in roster.people
    )
    if roster.path and roster.path.suffix.lower() == ".csv":
        keep_roster(roster.path, roster.people, people)
    submissions.terms = replace(submissions.terms, roster=Roster(people, roster.path))


def _new_teams(
    submissions: Submissions, download: ClassDownload, roster: Roster
) -> list[tuple[str, list[Person]]]:
    """Return the students who submit together and may become a team, each with a group's name."""
    found: dict[str | frozenset[str], tuple[str, list[Person]]] = {}
    for hand_in in download.handed_in:
        known = identify(hand_in.people, roster)
        if known.fault or not (known.team or len(hand_in.people) > 1):
            continue
        key = known.team or frozenset(each.names[0] for each in known.people)
        _, members = found.setdefault(key, (known.team, []))
        members += [each for each in known.people if each not in members]
    times = Counter(each for _, members in found.values() for each in members)
    return [
        (name, members)
        for name, members in found.values()
        if len(members) > 1
        and all(times[each] == 1 and _is_free(submissions, each, roster) for each in members)
    ]


def _is_free(submissions: Submissions, person: Person, roster: Roster) -> bool:
    """Report whether a student takes part, has no team, and has not submitted alone."""
    return not (
        person.team
        or person.excluded
        or any(submissions.versions(name) for name in person.names)
        or any(len(roster.playing_as(name)) > 1 for name in person.names)
    )
