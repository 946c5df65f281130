"""What Canvas, Moodle and Gradescope call their columns, and which of these may take marks.

A platform is data: who reads a gradebook asks here what a heading stands for. Moodle translates
its headings, so it has those of several languages. Leaves out what the cells say.
Source: [Canvas], [Moodle] and [Gradescope] in docs/sources.md.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

Part = Literal["sorted", "whole", "first", "last", "id", "email", "group", "role", "about"]
"""What a column says of a person: a name (family name first, as it is, or half of it), an id, an
address, groups, what the person does in the course, or what nobody asks for here."""

PARTS: tuple[Part, ...] = get_args(Part)


@dataclass(frozen=True, slots=True)
class Platform:
    """How a learning platform writes what it exports."""

    name: str
    parts: Mapping[str, Part]  # by heading, in small letters
    unmarked: re.Pattern[str]  # headings of other columns that take no marks
    title: re.Pattern[str]  # of an assignment, with its own `title` inside
    most: tuple[str, ...]  # headings that say the most marks; {} stands for the assignment's own
    between: re.Pattern[str]  # two groups of one person
    excuses: bool = False  # whoever has EX for a mark
    joins_groups: bool = False  # in a sentence, whose words may also be part of a group's name

    def part(self, heading: str) -> Part | None:
        """Say what a column tells of people; None if it is about something else."""
        return self.parts.get(heading.strip().casefold())

    def takes_marks(self, heading: str) -> bool:
        """Say whether a column may be filled, as far as its heading tells."""
        return bool(heading) and self.part(heading) is None and not self.unmarked.search(heading)

    def short(self, heading: str) -> str:
        """Give an assignment's title alone.

        >>> CANVAS.short("Blackjack (4711)"), MOODLE.short("Assignment: Blackjack (Real)")
        ('Blackjack', 'Blackjack')
        """
        found = self.title.fullmatch(heading)
        return (found["title"] if found else heading).strip()

    def reads(self, headings: Collection[str]) -> bool:
        """Say whether these are headings of its own that say who somebody is."""
        parts = {self.part(each) for each in headings}
        return {"first", "last"} <= parts or bool({"sorted", "whole"} & parts)


def _parts(**headings: str) -> Mapping[str, Part]:
    """Give what headings stand for, of lists with bars between."""
    return MappingProxyType(
        {each: part for part in PARTS for each in headings.get(part, "").split("|") if each}
    )


CANVAS = Platform(
    "Canvas",
    _parts(
        sorted="student",
        first="firstname",
        last="lastname",
        id="id|sis user id|sis login id|integration id",
        group="section",
        about="root account",
    ),
    unmarked=re.compile(
        r"(?:^|\s)(?:(?:Unposted )?(?:Current|Final) (?:Score|Points|Grade)"
        r"|Override (?:Grade|Status))(?: \(.*\))?$"
    ),
    title=re.compile(r"(?P<title>.*) \(\d+\)", re.DOTALL),
    most=(),  # a line of its own says it
    between=re.compile(r", and | and |, "),
    excuses=True,
    joins_groups=True,
)
GRADESCOPE = Platform(
    "Gradescope",
    _parts(
        whole="name|full name",
        first="first name",
        last="last name",
        id="sid|student id",
        email="email",
        group="sections|section|section name",
        role="role",
        about="status|submission id|view count|submission count|max points",
    ),
    unmarked=re.compile(
        r"(?:^| - )(?:Max Points|Submission Time|Submission ID|(?:Total )?Lateness.*)$"
    ),
    title=re.compile(r"(?P<title>.*)", re.DOTALL),
    most=("{} - max points", "max points"),
    between=re.compile(r"[;,]"),
)
MOODLE = Platform(
    "Moodle",
    _parts(
        whole="full name|vollständiger name|nom complet|nombre completo",
        first="first name|vorname|prénom|nombre",
        last="last name|surname|nachname|nom|nom de famille|apellido(s)|apellidos",
        id="identifier|id number|id|username|id-nummer|anmeldename|numéro d'identification"
        "|nom d'utilisateur|número de id|nombre de usuario",
        email="email address|email|e-mail-adresse|adresse de courriel|dirección de correo"
        "|dirección email",
        group="groups|group|gruppen|gruppe|groupes|groupe|grupos|grupo",
        role="roles|role|rollen|rôles",
        about="institution|department|institution|abteilung|country|city/town|status"
        "|maximum grade|grade can be changed|feedback comments|last access to course",
    ),
    unmarked=re.compile(
        r"(?:^(?:Course|Category) total\b|\btotal \(|^Last |\(Letter\)$|\(Feedback\)$"
        r"|^(?:Submission )?Status)"
    ),
    title=re.compile(
        r"(?:[^:]{1,40}: ?)?(?P<title>.*?)(?: \((?:Real|Percentage|Punkte|Brut|Real)\))?", re.DOTALL
    ),
    most=("maximum grade",),
    between=re.compile(r"[;,]"),
)

STAFF = re.compile(
    r"\b(?:instructor|teacher|ta|teaching assistant|manager|reader|observer|designer|admin"
    r"|administrator|trainer/in|lehrer/in|enseignant|profesor)\b",
    re.IGNORECASE,
)
"""Roles of people who hand nothing in."""


def platform_of(headings: Sequence[str]) -> Platform | None:
    """Say whose export has these headings; None if none of theirs would.

    >>> [platform_of(each.split(",")).name for each in (
    ...     "Student,ID,Section", "First Name,Last Name,SID,Email", "Vorname,Nachname,Gruppen")]
    ['Canvas', 'Gradescope', 'Moodle']
    """
    known = {each.strip().casefold() for each in headings}
    is_gradescope = bool(known & {"sid", "student id", "sections"}) or {"name", "email"} <= known
    known_ones = (CANVAS, GRADESCOPE, MOODLE) if is_gradescope else (CANVAS, MOODLE)
    return next((each for each in known_ones if each.reads(headings)), None)
