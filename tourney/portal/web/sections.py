"""Sections of a course: staff looks at people, uploads and results of one, or of all."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from tourney.portal.web.pages import RequestContext


@dataclass(frozen=True, slots=True)
class Section:
    """Which part of a course is looked at."""

    known: tuple[str, ...]  # all that there are
    chosen: str  # one of them; empty for everybody
    persons: Collection[str]  # of the roster who are in it
    names: Collection[str]  # that they play under

    def has(self, *, person: str = "", name: str = "") -> bool:
        """Say whether somebody is looked at."""
        return not self.chosen or person in self.persons or name in self.names


def section_of(asked: RequestContext, known: Collection[str] | None = None) -> Section:
    """Give the section that the address names: `?section=`.

    Args:
        asked: By whom.
        known: What sections there are; those of the roster by default.
    """
    people = people_of(asked)
    found = {group for each in people for group in each["groups"]} if known is None else known
    typed = asked.request.query_params.get("section", "")
    chosen = typed if typed in found else ""
    own = [each for each in people if chosen in each["groups"]]
    return Section(
        tuple(sorted(found)),
        chosen,
        frozenset(each["person"] for each in own),
        frozenset(each["name"] for each in own),
    )


def people_of(asked: RequestContext) -> list[dict[str, Any]]:
    """Give the roster of the course, as the checker has read it last."""
    people = asked.course.told.get("people", [])
    assert isinstance(people, list)
    return people
