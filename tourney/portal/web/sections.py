"""Sections of a course: staff can filter people, uploads and results by section."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from tourney.portal.web.pages import RequestContext


@dataclass(frozen=True, slots=True)
class Section:
    """The filter of a page."""

    known: tuple[str, ...]  # all sections
    chosen: str  # one of them; empty for all
    persons: Collection[str]  # people of the roster in it
    names: Collection[str]  # their player names

    def has(self, *, person: str = "", name: str = "") -> bool:
        """Give whether a person is in the filtered section."""
        return not self.chosen or person in self.persons or name in self.names


def section_of(
    context: RequestContext, known: Collection[str] | None = None, typed: str | None = None
) -> Section:
    """Give the section in the address: `?section=`.

    Args:
        context: The request.
        known: All sections; those of the roster by default.
        typed: The section of a form, in place of the one in the address.
    """
    people = people_of(context)
    found = {group for each in people for group in each["groups"]} if known is None else known
    typed = context.request.query_params.get("section", "") if typed is None else typed
    chosen = typed if typed in found else ""
    own = [each for each in people if chosen in each["groups"]]
    return Section(
        tuple(sorted(found)),
        chosen,
        frozenset(each["person"] for each in own),
        frozenset(each["name"] for each in own),
    )


def people_of(context: RequestContext) -> list[dict[str, Any]]:
    """Give the roster of the course that the checker has last read."""
    people = context.course.told.get("people", [])
    assert isinstance(people, list)
    return people
