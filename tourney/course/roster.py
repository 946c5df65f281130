"""Who hands in, and as whom: people and the names they play under.

Leaves out how that is written down; see `roster_file`.
"""

from dataclasses import dataclass
from functools import cached_property

from tourney.config.words import closest


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may hand in."""

    person: str
    names: tuple[str, ...]  # under which they may submit, at least one; a team's first
    ids: tuple[str, ...] = ()  # on learning platforms
    late_days: int | None = None  # None for as many as everybody
    email: str = ""
    groups: tuple[str, ...] = ()  # sections too
    handle: str = ""  # in place of the first name, where names are withheld
    team: str = ""
    excluded: str = ""  # why they take no part; empty if they do

    @property
    def keys(self) -> frozenset[str]:
        """What the person is found by."""
        words = self.person.casefold().split()
        # A platform that strips spaces also puts the family name first, of however many words.
        turned = (squeezed(" ".join([*words[at:], *words[:at]])) for at in range(len(words)))
        return frozenset(filter(None, [" ".join(words), *turned, *self.own_keys]))

    @property
    def own_keys(self) -> tuple[str, ...]:
        """What nobody else is found by."""
        return tuple(each.casefold().strip() for each in (*self.ids, self.email) if each.strip())

    @property
    def own_names(self) -> tuple[str, ...]:
        """The names that are no team's."""
        return tuple(name for name in self.names if name != self.team)


def squeezed(name: str) -> str:
    """Give the letters and digits of a name, as platforms write it into the names of files.

    >>> squeezed("O'Brien, Seán")
    'obrienseán'
    """
    return "".join(char for char in name.casefold() if char.isalnum())


@dataclass(frozen=True)
class Roster:
    """Everybody who may hand in."""

    people: tuple[Person, ...]

    @cached_property
    def _by_key(self) -> dict[str, tuple[Person, ...]]:
        found: dict[str, tuple[Person, ...]] = {}
        for person in self.people:
            for key in person.keys:
                found[key] = (*found.get(key, ()), person)
        return found

    @cached_property
    def _by_name(self) -> dict[str, tuple[Person, ...]]:
        found: dict[str, tuple[Person, ...]] = {}
        for person in self.people:
            for name in person.names:
                found[name] = (*found.get(name, ()), person)
        return found

    def find(self, who: str) -> Person | None:
        """Find somebody by name or by what a platform calls them; None if that is not clear."""
        found = self.all_called(who)
        return found[0] if len(found) == 1 else None

    def author_of(self, who: str, name: str) -> Person | None:
        """Find who hands in under a name; it tells people apart who are called the same."""
        found = self.all_called(who)
        own = found if len(found) == 1 else tuple(each for each in found if name in each.names)
        return own[0] if len(own) == 1 else None

    def all_called(self, who: str) -> tuple[Person, ...]:
        """Give everybody who is called so."""
        keys = (" ".join(who.casefold().split()), squeezed(who))
        return next((self._by_key[key] for key in keys if key in self._by_key), ())

    def playing_as(self, name: str) -> tuple[Person, ...]:
        """Give everybody who may play under a name, and is not excluded."""
        return tuple(each for each in self._by_name.get(name, ()) if not each.excluded)

    def excludes(self, name: str) -> bool:
        """Say whether a name is only that of people who are excluded."""
        return name in self._by_name and not self.playing_as(name)

    def groups_of(self, name: str) -> tuple[str, ...]:
        """Give the groups of everybody who plays under a name."""
        people = self.playing_as(name)
        return tuple(dict.fromkeys(group for person in people for group in person.groups))

    def closest(self, who: str) -> str | None:
        """Give the name of somebody who was probably meant, if one is near."""
        # Without the domain of a mail address, which everybody has in common.
        words = {_local(key): person for key, (person, *_) in self._by_key.items()}
        near = None if who.isdecimal() else closest(_local(who), words)
        return words[near].person if near else None


def _local(key: str) -> str:
    return key.partition("@")[0]
