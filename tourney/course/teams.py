"""Teams of a roster: students in one team play under one name and may all submit.

The column `team` of the roster holds the teams. A team is formed before its members have
submissions that play, so that no student has two entrants.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from tourney.config.words import joined as listed
from tourney.course.folder import Submissions
from tourney.course.lms_downloads import ClassDownload
from tourney.course.names import LONGEST_NAME, check_name, skeletons
from tourney.course.roster import Person, Roster, identify
from tourney.course.roster_file import keep_roster
from tourney.course.roster_import import display_name, free_name
from tourney.errors import SubmissionError


@dataclass(frozen=True, slots=True)
class TeamChange:
    """A changed roster."""

    people: tuple[Person, ...]  # the new roster
    changed: tuple[tuple[Person, Person], ...]  # students whose names differ: before and after


def join_team(submissions: Submissions, inviter: Person, mate: Person) -> TeamChange:
    """Put a student into a classmate's team; the two form a team if there is no team yet.

    Args:
        submissions: Of the class, with its roster.
        inviter: A student of the roster.
        mate: A student without a team.
    Raises: SubmissionError, if one of them may not be in this team, or it is full.
    """
    roster = _roster(submissions)
    members = roster.members_of(inviter.team) or (inviter,)
    if inviter == mate or mate in members:
        raise SubmissionError("team: both students are in one team already")
    for each in (inviter, mate):
        _check_free(roster, each)
    if mate.team:
        raise SubmissionError("team: the invited student has a team already; leave that first")
    if len(members) >= submissions.terms.largest_team:
        raise SubmissionError(
            f"team: it is full; the largest team has {submissions.terms.largest_team} students"
        )
    _check_unplayed(submissions, [*members, mate])
    team = inviter.team or free_name(team_name("", [inviter, mate]), _taken(submissions))
    return _with_team(roster, [*members, mate], team)


def leave_team(
    submissions: Submissions, person: Person, *, is_staff: bool = False, plays: bool = False
) -> TeamChange:
    """Take a student out of a team; a single student who is left has no team either.

    Args:
        submissions: Of the class, with its roster.
        person: A student of the roster.
        is_staff: Whether the student may leave a team with a submission that plays, which stays
            with the others.
        plays: Whether a submission of the team plays elsewhere, in another assignment.
    Raises: SubmissionError, if the student has no team, or it has a submission that plays.
    """
    roster = _roster(submissions)
    if not person.team:
        raise SubmissionError("team: the student is in no team; reload the page")
    plays = plays or submissions.playing(person.team) is not None
    if plays and not is_staff:
        raise SubmissionError(
            "team: it has a submission that plays, so its members stay; ask your lecturer"
        )
    others = [each for each in roster.people if each.team == person.team and each != person]
    leaving = [person, *others] if len(others) == 1 and not plays else [person]
    taken = {*_taken(submissions)}
    alone: dict[Person, Person] = {}
    for each in leaving:
        own = each.own_names or (free_name(display_name(each.person), taken),)
        taken |= {key for name in own for key in skeletons(name)}
        alone[each] = replace(each, team="", names=own, handle="")
    return _changed(roster, alone)


def set_team(
    submissions: Submissions, person: Person, team: str, reserved: Collection[str] = ()
) -> TeamChange:
    """Put a student without a team into a team of any size, as the organiser decides.

    Args:
        submissions: Of the class, with its roster.
        person: A student of the roster.
        team: The name of a team, or of a new one.
        reserved: Names that no student may play under.
    Raises: SubmissionError, if the name is not possible, or the student has a submission that
        plays.
    """
    roster = _roster(submissions)
    _check_free(roster, person)
    if person.team:
        raise SubmissionError(f"team: {person.person} is in {person.team}; take them out first")
    known = roster.team_called(team)
    if not known:
        names = {*submissions.names(), *(name for each in roster.people for name in each.names)}
        if team in names:
            raise SubmissionError(f"team: a student plays as {team!r}; choose another name")
        check_name(team, names, reserved)
    _check_unplayed(submissions, [person])
    members = roster.members_of(known) if known else ()
    return _with_team(roster, [*members, person], known or team)


def check_team(submissions: Submissions, author: str, name: str) -> None:
    """Reject a submission under the own name of a student who is in a team by now.

    Raises: SubmissionError, if the author has a team and the name is not that of the team.
    """
    roster = submissions.terms.roster
    person = roster.author_of(author, name) if roster else None
    if person and person.team and person.team != name:
        raise SubmissionError(
            f"name {name!r}: you are in the team {person.team} by now; submit again for the team"
        )


def team_name(name: str, members: Sequence[Person]) -> str:
    """Return the name of a new team: that of its group, else one of its members' names."""
    if name:
        return display_name(name)
    whole = " and ".join(each.names[0] for each in members)
    families = " and ".join(each.person.split()[-1] for each in members)
    return display_name(whole if len(whole) <= LONGEST_NAME else families)


def _roster(submissions: Submissions) -> Roster:
    if submissions.terms.roster is None:
        raise SubmissionError("team: the class has no roster; add one first")
    return submissions.terms.roster


def _check_free(roster: Roster, person: Person) -> None:
    """Reject a student who is excluded, or shares a name outside of a team."""
    if person.excluded:
        raise SubmissionError(f"team: the roster excludes {person.person}: {person.excluded}")
    if not person.team and any(len(roster.playing_as(name)) > 1 for name in person.names):
        raise SubmissionError(
            f"team: {person.person} shares a name with another student; correct the roster"
        )


def _check_unplayed(submissions: Submissions, people: Sequence[Person]) -> None:
    """Reject students with a submission that plays, alone or as a team."""
    names = dict.fromkeys(name for each in people for name in each.names)
    playing = [name for name in names if submissions.playing(name)]
    if playing:
        raise SubmissionError(
            f"team: a submission of {listed(playing, 'and')} plays already. A team is complete "
            "before its first submission that plays; ask your lecturer"
        )


def _taken(submissions: Submissions) -> set[str]:
    """Return the keys of names that new names must not look like."""
    names = (name for each in _roster(submissions).people for name in each.names)
    return {key for name in (*names, *submissions.names()) for key in skeletons(name)}


def _with_team(roster: Roster, members: Sequence[Person], team: str) -> TeamChange:
    """Give students a team; it has the pseudonym of the first, since a team has one in common."""
    handle = members[0].handle
    changed = {
        each: replace(each, team=team, names=(team, *each.own_names), handle=handle)
        for each in members
    }
    return _changed(roster, changed)


def _changed(roster: Roster, changed: dict[Person, Person]) -> TeamChange:
    people = tuple(changed.get(each, each) for each in roster.people)
    return TeamChange(people, tuple((old, new) for old, new in changed.items() if old != new))


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
    changed: dict[Person, Person] = {}
    alike = {key for each in roster.people for name in each.names for key in skeletons(name)}
    for name, members in _new_teams(submissions, download, roster):
        title = free_name(team_name(name, members), alike)
        alike |= skeletons(title)
        changed |= {each: replace(each, team=title, names=(title, *each.names)) for each in members}
        tell(title, members)
    if not changed:
        return
    people = _changed(roster, changed).people
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
