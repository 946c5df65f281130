"""Who on the roster somebody is whom a download names.

Whatever it says of one person has to be true of that person: where it contradicts itself, nobody
knows whose the files are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.config.words import joined
from tourney.course.roster import Person, Roster
from tourney.course.submission_rules import meant_words
from tourney.errors import SubmissionError


@dataclass(frozen=True, slots=True)
class Submitter:
    """Somebody as a learning platform calls them: each id says who, if the roster has it."""

    ids: tuple[str, ...]  # names and addresses, too
    number: str = ""  # no id of the person, and tells apart only who is called the same


def people_of(submitters: Sequence[Submitter], roster: Roster) -> tuple[tuple[Person, ...], str]:
    """Find who on the roster all those are who handed something in.

    Returns: Whoever is clear, and of the first who is not the reason; empty if all are.
    """
    people, faults = [], []
    for each in submitters:
        try:
            people.append(_person_of(each, roster))
        except SubmissionError as error:
            faults.append(str(error))
    if not submitters:
        faults.append("expected a submitter, got none; see who it is and submit the file")
    return tuple(people), next(iter(faults), "")


def common_name(people: Sequence[Person]) -> str:
    """Give the name that people play under together.

    Raises: SubmissionError, if the roster gives them none.
    """
    names = [name for name in people[0].names if all(name in each.names for each in people)]
    if not names:
        team = ", ".join(each.person for each in people)
        raise SubmissionError(
            f"expected a name that the roster gives to each of {team}, got none; add one"
        )
    return names[0]


def _person_of(submitter: Submitter, roster: Roster) -> Person:
    """Find who on the roster somebody is.

    Raises: SubmissionError, if the roster does not say, or what is said is true of nobody.
    """
    told = {each: people for each in submitter.ids if (people := roster.all_called(each))}
    if not told:
        raise SubmissionError(_unknown(submitter, roster))
    found = [each for each in roster.people if all(each in people for people in told.values())]
    if not found:
        those = [f"{word!r} ({_those(people)})" for word, people in told.items()]
        raise SubmissionError(
            f"expected one person, got {joined(those, 'and')}; correct the roster's ids"
        )
    if len(found) > 1:
        numbered = roster.all_called(submitter.number)
        found = [each for each in found if each in numbered] or found
    if len(found) > 1:
        could_be = joined([each.names[0] for each in found])
        raise SubmissionError(
            f"expected one person, got {submitter.ids[-1]!r}, who could be {could_be}; add "
            f"{submitter.number or submitter.ids[0]!r} to the ids of the one who handed it in"
        )
    return found[0]


def _unknown(submitter: Submitter, roster: Roster) -> str:
    near = (roster.closest(each) for each in submitter.ids)
    meant = meant_words(next((each for each in near if each), None))
    which = "one of these" if len(submitter.ids) > 1 else "it"
    return (
        f"expected somebody on the roster, got {' or '.join(map(repr, submitter.ids))}{meant}; "
        f"add {which} to the person's ids"
    )


def _those(people: Sequence[Person]) -> str:
    return joined(list(dict.fromkeys(each.person for each in people)))
