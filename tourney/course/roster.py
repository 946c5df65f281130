"""The roster: students, the names they play under, and which of them a mention means.

`roster_file` reads and writes it. `names` decides how spellings compare.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tourney.config.words import closest, hint, joined
from tourney.course.names import (
    PARTICIPANT,
    folded,
    id_key,
    id_keys,
    is_stripped,
    kind_and_id,
    may_be_one,
    name_keys,
    squeezed,
)
from tourney.errors import SubmissionError

SHORTEST_NAME, SHORTEST_ID = 5, 3
"""Shortest name and id that are looked for in a path."""


LOGIN = re.compile(r"[0-9_.-]*[a-z][a-z0-9_.-]*(@[a-z0-9.-]+)?")
"""An id that a student knows: small letters, without spaces."""


@dataclass(frozen=True, slots=True)
class Person:
    """A student who may submit."""

    person: str
    names: tuple[str, ...]  # under which they may submit, at least one; a team's first
    ids: tuple[str, ...] = ()  # on learning platforms, some with their kind; also former names
    late_days: int | None = None  # None for the number of the class
    email: str = ""
    groups: tuple[str, ...] = ()  # sections too
    handle: str = ""  # in place of the first name, on boards that hide names
    team: str = ""
    excluded: str = ""  # why they take no part; empty if they do

    @property
    def all_ids(self) -> tuple[str, ...]:
        """The ids and the address, without those that are empty or only a kind."""
        return tuple(each for each in (*self.ids, self.email) if kind_and_id(each)[1].strip())

    @property
    def own_keys(self) -> tuple[str, ...]:
        """The ids and the address with kinds, in the form that is compared; unique."""
        return tuple(map(id_key, self.all_ids))

    @property
    def title(self) -> str:
        """The name with a login, a player name or an address, because names may repeat."""
        ids = (kind_and_id(each)[1] for each in self.ids)
        # Ids are also numbers of a platform, which students do not know, and former names.
        logins = (each for each in ids if LOGIN.fullmatch(each))
        known = (*logins, *self.own_names, self.email)
        other = next((each for each in known if each not in ("", self.person)), "")
        return f"{self.person} ({other})" if other else self.person

    @property
    def own_names(self) -> tuple[str, ...]:
        """The names that are no team's."""
        return tuple(name for name in self.names if name != self.team)


@dataclass(frozen=True, slots=True)
class Submitter:
    """A student or team as a download mentions them."""

    names: tuple[str, ...] = ()  # of a student or team
    ids: tuple[str, ...] = ()  # and addresses, with their kinds
    number: str = ""  # that holds in one assignment, with its kind
    is_hidden: bool = False  # whether the platform hides the name
    may_be_group: bool = False  # whether the name may be that of a group

    @property
    def words(self) -> tuple[str, ...]:
        """All ids and names, without the number."""
        return (*self.ids, *self.names)


@dataclass(frozen=True)
class Roster:
    """All students who may submit."""

    people: tuple[Person, ...]
    path: Path | None = field(default=None, compare=False)  # of its file

    @cached_property
    def _by_word(self) -> dict[str, dict[Person, None]]:
        """Students by the keys of present and former names."""
        found: dict[str, dict[Person, None]] = {}
        for person in self.people:
            words = (each for each in person.ids if not kind_and_id(each)[0])
            former = (each for each in words if not each.isdecimal())
            for name in (person.person, *former):
                for key in name_keys(name):
                    found.setdefault(key, {})[person] = None
        return found

    @cached_property
    def _by_id(self) -> dict[str, list[tuple[str, Person]]]:
        """Kinds of ids and students by the keys of ids and addresses."""
        found: dict[str, list[tuple[str, Person]]] = {}
        for person in self.people:
            for text in person.all_ids:
                kind, value = kind_and_id(text)
                for key in id_keys(value):
                    found.setdefault(key, []).append((kind, person))
        return found

    @cached_property
    def _by_name(self) -> dict[str, tuple[Person, ...]]:
        found: dict[str, tuple[Person, ...]] = {}
        for person in self.people:
            for name in person.names:
                found[name] = (*found.get(name, ()), person)
        return found

    @cached_property
    def _teams(self) -> dict[str, tuple[str, tuple[Person, ...]]]:
        """Teams and their members by squeezed name."""
        named = {each.team for each in self.people if each.team}
        teams = (name for name, those in self._by_name.items() if len(those) > 1 or name in named)
        return {squeezed(name): (name, self._by_name[name]) for name in teams if squeezed(name)}

    def find(self, who: str) -> Person | None:
        """Find a student by name or id, if it belongs to exactly one."""
        return self.author_of(who, "")

    def author_of(self, who: str, name: str) -> Person | None:
        """Find the author of a submission; its name decides between students of the same name."""
        found = self.all_called(who)
        own = found if len(found) == 1 else tuple(each for each in found if name in each.names)
        return own[0] if len(own) == 1 else None

    def all_called(self, who: str) -> tuple[Person, ...]:
        """Return all students of an id; if there are no such students, those of a name."""
        if numbered := self.numbered(who):
            return numbered
        kind, value = kind_and_id(who)
        if kind == PARTICIPANT or (kind and value.isdecimal()):
            return ()
        keys = (folded(value), squeezed(value))
        return next((tuple(self._by_word[key]) for key in keys if key in self._by_word), ())

    def numbered(self, text: str) -> tuple[Person, ...]:
        """Return the students of an id of the same kind; an id without a kind matches all kinds."""
        kind, value = kind_and_id(text)
        for key in id_keys(value):  # as it is written, then without the zeros before a number
            found = [each for other, each in self._by_id.get(key, ()) if may_be_one(kind, other)]
            if found:
                return tuple(dict.fromkeys(found))
        return ()

    def mentioned_in(self, path: str) -> tuple[Person, ...]:
        """Return the students whose name or id is a part of a path."""
        squeezed_parts = [squeezed(part) for part in path.split("/")]
        words = {id_key(word) for word in re.split(r"[^\w@.+-]+|[_/]", path) if word}
        words |= {word.partition(".")[0] for word in words}
        found = []
        for each in self.people:
            names = [key for key in name_keys(each.person) if len(key) >= SHORTEST_NAME]
            ids = {folded(kind_and_id(text)[1]) for text in each.all_ids}
            has_id = any(len(key) >= SHORTEST_ID and key in words for key in ids)
            if has_id or any(key in part for key in names for part in squeezed_parts):
                found.append(each)
        return tuple(found)

    def team_called(self, word: str) -> str:
        """Return the name of a team as the roster has it; empty if the team is unknown."""
        return self._teams.get(squeezed(word), ("", ()))[0]

    def members_of(self, team: str) -> tuple[Person, ...]:
        """Return the students of a team who are not excluded, or all if all are excluded.

        Empty if the team is unknown.
        """
        people = self._teams.get(squeezed(team), ("", ()))[1]
        return tuple(each for each in people if not each.excluded) or people

    def in_group(self, word: str) -> tuple[Person, ...]:
        """Return the students of a group who are not excluded."""
        key = squeezed(word)
        return tuple(
            each
            for each in self.people
            if not each.excluded and any(squeezed(group) == key for group in each.groups)
        )

    def playing_as(self, name: str) -> tuple[Person, ...]:
        """Return the students who may play under a name and are not excluded."""
        return tuple(each for each in self._by_name.get(name, ()) if not each.excluded)

    def excludes(self, name: str) -> bool:
        """Report whether a name is only that of excluded students."""
        return name in self._by_name and not self.playing_as(name)

    def groups_of(self, name: str) -> tuple[str, ...]:
        """Return the groups of all students who play under a name."""
        people = self.playing_as(name)
        return tuple(dict.fromkeys(group for person in people for group in person.groups))

    def closest(self, who: str) -> str | None:
        """Return the name of the student who was probably meant, if one is near."""
        # Without the domain of a mail address, which all students share.
        ids = {key: found[0][1] for key, found in self._by_id.items()}
        keys = ids | {key: next(iter(found)) for key, found in self._by_word.items()}
        words = {_local(key): each for key, each in keys.items() if not key.startswith("#")}
        near = None if who.isdecimal() else closest(_local(who), words)
        return words[near].person if near else None


def _local(key: str) -> str:
    return kind_and_id(key)[1].partition("@")[0]


def identified(mention: Submitter, roster: Roster) -> tuple[Person, ...]:
    """Return the students that a mention may mean: one if it is clear, empty if unknown.

    All known names and ids of the mention must match the same student. If they match different
    students, all of these are given. Numbers of one assignment decide only between students of the
    same name, or if the platform hides the name.
    """
    matches = [called for each in mention.words if (called := roster.all_called(each))]
    if not matches:
        return roster.all_called(mention.number) if mention.is_hidden else ()
    found = [each for each in matches[0] if all(each in those for those in matches)]
    if len(found) > 1:
        numbered = _numbered(mention, roster)
        found = [each for each in found if each in numbered] or found
    all_named = dict.fromkeys(person for called in matches for person in called)
    return tuple(found) or tuple(all_named)


@dataclass(frozen=True, slots=True)
class Identified:
    """The identified students of a submission."""

    people: tuple[Person, ...]
    fault: str = ""  # why not all are clear; empty if they are
    named: tuple[Person, ...] = ()  # students in mentions that are not clear
    team: str = ""  # in the download, if the roster does not know it
    note: str = ""  # difference from the roster


def identify(submitters: Sequence[Submitter], roster: Roster) -> Identified:
    """Find the students of a submission.

    Args:
        submitters: All who submitted it, as the download mentions them.
        roster: The students there are.
    """
    if not submitters:
        return Identified(
            (),
            "The download names no student for it. Look up the author, and submit the file alone.",
        )
    found = [_one_or_team(each, roster) for each in submitters]
    return Identified(
        tuple(dict.fromkeys(person for each in found for person in each.people)),
        next((each.fault for each in found if each.fault), ""),
        tuple(person for each in found for person in each.named),
        next((each.team for each in found if each.team), ""),
        "; ".join(dict.fromkeys(each.note for each in found if each.note)),
    )


def _one_or_team(mention: Submitter, roster: Roster) -> Identified:
    """Find the student, or the team, that one mention means."""
    found = identified(mention, roster)
    if not found and (of_team := _team_of(mention, roster)):
        return of_team
    if not found:
        return Identified((), _unknown(mention, roster), _numbered(mention, roster))
    known = {each: people for each in mention.words if (people := roster.all_called(each))}
    if known and not all(found[0] in those for those in known.values()):
        those = [f"{kind_and_id(word)[1]!r} ({_those(people)})" for word, people in known.items()]
        return Identified(
            (),
            f"Its author matches several students: {joined(those, 'and')}. Correct the ids of the "
            "roster.",
            found,
        )
    if len(found) > 1:
        names = [each.names[0] for each in found]  # a team's name, which they may share
        could_be = joined(names if len({*names}) > 1 else [each.title for each in found])
        own = mention.number or mention.words[0]
        word = kind_and_id(mention.words[-1])[1]
        return Identified(
            (), f"{word!r} could be {could_be}. Add {own!r} to the ids of the right student.", found
        )
    return Identified(found, note=_renamed(mention, found[0], roster))


def _renamed(mention: Submitter, person: Person, roster: Roster) -> str:
    """Report a name in a download that the roster does not have; empty if it has it."""
    for name in mention.names:
        is_known = person in roster.all_called(name) or roster.team_called(name)
        if not is_known and not any(
            is_stripped(name, each) for each in (person.person, *person.names)
        ):
            return f"the download calls {person.person} {name!r}"
    return ""


def _team_of(mention: Submitter, roster: Roster) -> Identified | None:
    """Find the team, or the member of a group, that `Oak` or `Oak-Ann Alder` means."""
    for name in mention.names:
        if team := roster.team_called(name):
            return Identified(roster.members_of(team))
        if not mention.may_be_group:
            continue
        for at in (at for at, char in enumerate(name) if char == "-"):
            group, member = name[:at], Submitter((name[at + 1 :],), (), mention.number)
            if len(found := identified(member, roster)) == 1:
                is_known = squeezed(group) in {*DEFAULT_TEAMS, *map(squeezed, found[0].names)}
                return Identified(found, team="" if is_known else group)
        if people := roster.in_group(name):
            return Identified(people, team=name)
    return None


DEFAULT_TEAMS = frozenset(
    map(
        squeezed,
        (
            "Default group",
            "Standard-Gruppe",
            "Standardgruppe",
            "Groupe par défaut",
            "Grupo predeterminado",
            "Grupo por defecto",
            "Gruppo di default",
            "Grupo predefinido",
            "Grupo padrão",
        ),
    )
)
"""Names that Moodle gives the students of no group, in some of its languages."""


TEST_STUDENTS = frozenset(("studenttest", "teststudent"))
"""The test student of Canvas, whose name starts with the family name in the names of files."""

OF_TEST_STUDENT = "Its author is the platform's test student, so it is not imported."


def _numbered(mention: Submitter, roster: Roster) -> tuple[Person, ...]:
    """Return the students with the number of a mention."""
    numbers = (mention.number, kind_and_id(mention.number)[1])  # organisers leave out the kind
    return tuple(dict.fromkeys(each for word in numbers for each in roster.all_called(word)))


def common_name(people: Sequence[Person]) -> str:
    """Return the name that students play under together.

    Raises: SubmissionError, if they have no name in common.
    """
    names = [name for name in people[0].names if all(name in each.names for each in people)]
    if not names:
        team = ", ".join(each.person for each in people)
        raise SubmissionError(
            f"The roster gives {team} no team in common. Write one into the column `team`."
        )
    return names[0]


def _unknown(mention: Submitter, roster: Roster) -> str:
    """Report that a mention is of no student on the roster, with the remedy."""
    if mention.is_hidden:
        return (
            f"The download hides names ({mention.number or 'anonymous'}). Show the identities on "
            "the platform, and download it again."
        )
    if any(squeezed(name) in TEST_STUDENTS for name in mention.names):
        return OF_TEST_STUDENT
    if any(squeezed(name) in DEFAULT_TEAMS for name in mention.names):
        return (
            f"{mention.names[0]!r} stands for the students of no group. Ask for the author, and "
            "submit the file alone."
        )
    near = next(filter(None, (roster.closest(kind_and_id(each)[1]) for each in mention.words)), "")
    which = "one of these" if len(mention.words) > 1 else "it"
    words = " or ".join(repr(kind_and_id(each)[1]) for each in mention.words)
    called = f"No student on the roster is called {words}{hint(near)}"
    return f"{called}. Add {which} to the student's ids."


def _those(people: Sequence[Person]) -> str:
    return joined(list(dict.fromkeys(each.person for each in people)))
