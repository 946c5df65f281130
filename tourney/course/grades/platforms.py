"""The columns of learning platforms: the meaning of headings, and columns that take marks.

A platform is data for the readers of gradebooks. Moodle translates its headings; `MOODLE` lists the
supported languages.
Source: [Canvas], [Moodle] (also its language packs) and [Gradescope] in docs/sources.md; the
formats of Brightspace, Blackboard, ILIAS and Sakai from their handbooks.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

from tourney.course.names import folded, squeezed

Part = Literal[
    "sorted", "whole", "first", "last", "canvas", "sis", "login", "integration", "participant",
    "email", "group", "role", "about", "most", "scale", "locked", "comment",
]  # fmt: skip
"""Kinds of columns: a name (family name first, as it is, or half of it), an id of a kind, an
address, groups, a role, other facts, the maximum or the words of a scale, whether a mark can be
changed, a comment."""

PARTS: tuple[Part, ...] = get_args(Part)
IDS: tuple[Part, ...] = ("canvas", "sis", "login", "integration", "participant")
"""Kinds of ids, as `names` has them."""
NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Platform:
    """The format of a learning platform's exports."""

    name: str
    parts: Mapping[str, Part]  # by heading, folded
    unmarked: re.Pattern[str]  # headings of other columns that take no marks
    title: re.Pattern[str]  # of an assignment, with its own `title` inside, and `most` in some
    most: tuple[str, ...] = ()  # headings of the maximum; {} stands for the assignment
    between: re.Pattern[str] = re.compile(r"[;,]")  # two groups of one student
    excuses: bool = False  # whether EX excuses a student from a mark
    joins_groups: bool = False  # in a sentence, whose words may also be part of a group's name
    marked: re.Pattern[str] = re.compile("")  # headings that take marks, if they are not unmarked
    known_by: tuple[frozenset[str], ...] = ()  # headings that only this platform has together
    signs: re.Pattern[str] = NOTHING  # in a heading that only this platform has
    id_signs: str = ""  # before an id, and no part of it

    def part(self, heading: str) -> Part | None:
        """Return the kind of a column, if its heading is known."""
        return self.parts.get(folded(heading.replace("\u2019", "'")))

    def takes_marks(self, heading: str) -> bool:
        """Report whether a column may be filled, judging by its heading."""
        return (
            bool(heading)
            and self.part(heading) is None
            and not self.unmarked.search(heading)
            and bool(self.marked.search(heading))
        )

    def short(self, heading: str) -> str:
        """Return an assignment's title alone.

        >>> CANVAS.short("Blackjack (4711)"), MOODLE.short("Assignment: Blackjack (Real)")
        ('Blackjack', 'Blackjack')
        """
        found = self.title.fullmatch(heading)
        return (found["title"] if found else heading).strip()

    def most_in(self, heading: str) -> str:
        """Return the maximum in a heading; may be empty."""
        found = self.title.fullmatch(heading)
        return (found.groupdict().get("most") or "") if found else ""

    def reads(self, headings: Collection[str]) -> bool:
        """Report whether these headings of the platform name students."""
        parts = {self.part(each) for each in headings}
        names = {"first", "last"} <= parts or bool({"sorted", "whole"} & parts)
        # A worksheet of an anonymous assignment has numbers only.
        return names or {"participant", "locked"} <= parts


def _parts(**headings: str) -> Mapping[str, Part]:
    """Return the kind of each heading, from lists with bars between headings."""
    return MappingProxyType(
        {
            folded(each): part
            for part in PARTS
            for each in headings.get(part, "").split("|")
            if each.strip()
        }
    )


AND = (
    "and|und|et|y|e|i|en|og|och|ja|a|ac|agus|ak|dan|eta|in|me|oraz|și|şi|ta|un|và|ve|és"
    "|και|и|й|\u0456|та|և|եւ|और|그리고|และ"
)
"""Words before the last section of a student, in the languages of Canvas."""
AND_JOINED = "和|及|與|与|と|및|와|과|و|\u05d5-?"
"""Those that other languages write without spaces around them."""
CANVAS = Platform(
    "Canvas",
    _parts(
        sorted="student",
        first="firstname",
        last="lastname",
        canvas="id",
        sis="sis user id",
        login="sis login id",
        integration="integration id",
        group="section",
        about="root account",
    ),
    unmarked=re.compile(
        r"(?:^|\s)(?:(?:Unposted )?(?:Current|Final) (?:Score|Points|Grade)"
        r"|Override (?:Grade|Status))(?: \(.*\))?$"
    ),
    title=re.compile(r"(?P<title>.*) \(\d+\)", re.DOTALL),
    between=re.compile(rf"[,،]? (?:{AND}) |[,،、]? ?(?:{AND_JOINED}) ?|[,،、] ?"),
    excuses=True,
    joins_groups=True,
)
GRADESCOPE = Platform(
    "Gradescope",
    _parts(
        whole="name|full name",
        first="first name",
        last="last name",
        sis="sid|student id",
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
)
MOODLE = Platform(
    "Moodle",
    _parts(
        # English, German, French, Spanish, Italian, Portuguese, Dutch, in this order.
        whole="full name|vollständiger name|nom complet|nombre completo|nome completo"
        "|cognome e nome|volledige naam|fullname|first name / last name|vorname / nachname",
        first="first name|vorname|prénom|nombre|nome|primeiro nome|nome próprio|voornaam|firstname",
        last="last name|surname|nachname|nom|nom de famille|apellido(s)|apellidos|cognome"
        "|sobrenome|apelido|achternaam|lastname",
        participant="identifier|identifiant|identificateur|identificador|identificativo|identificatie",
        sis="id number|idnumber|id|id-nummer|matrikelnummer|numéro d'identification|número de id"
        "|codice identificativo|numero id|numero di matricola|número de identificação|número id"
        "|número de identificación|id-nummer|idnummer|student id",
        login="username|user name|anmeldename|nom d'utilisateur|nombre de usuario"
        "|identificação de usuário|nome de utilizador|nome de usuário|gebruikersnaam",
        email="email address|email|e-mail address|e-mail-adresse|e-mail|adresse de courriel"
        "|adresse e-mail|courriel|dirección de correo|dirección email|correo electrónico"
        "|dirección de correo electrónico|indirizzo email|endereço de e-mail|endereço de email"
        "|e-mailadres",
        group="groups|group|gruppen|gruppe|groupes|groupe|grupos|grupo|gruppi|gruppo|groepen|groep",
        role="roles|role|rollen|rolle|rôles|rôle|ruoli|ruolo|papéis|papel|rol",
        about="institution|department|abteilung|département|institución|departamento|istituzione"
        "|dipartimento|instituição|instelling|afdeling|country|city/town|land|stadt|status|statut"
        "|estado|estatus|stato|situação|due date"
        "|marking workflow state|last access to course|phone|address",
        scale="scale|skala|barème|escala|scala|schaal",
        most="maximum grade|bestwertung|note maximale|calificación máxima|valutazione massima"
        "|punteggio massimo|nota máxima|avaliação máxima|maximaal cijfer|maximumcijfer",
        locked="grade can be changed|bewertung kann geändert werden|la note peut être modifiée"
        "|la calificación puede ser cambiada|la calificación puede cambiarse"
        "|la valutazione può essere cambiata|a nota pode ser alterada.|a nota pode ser alterada"
        "|nota pode ser alterada|cijfer kan gewijzigd worden|beoordeling kan gewijzigd worden",
        comment="feedback comments|feedback als kommentar|feedback par commentaires"
        "|comentarios de retroalimentación|commenti|comentários de feedback|feedback",
    ),
    unmarked=re.compile(
        r"(?:\b(?:Course|Category) total\b|\btotal \(|Kurs gesamt|^Total du cours"
        r"|^Total del curso|^Totale del corso|^Total do curso|^Cursustotaal"
        r"|^Last |^Zuletzt |^Dernière? |^Dernier |^Última |^Ultima |^Laatst"
        r"|\((?:Letter|Buchstabe|Lettre|Letra|Lettera|Percentage|Prozentsatz|Pourcentage"
        r"|Porcentaje|Percentuale|Porcentagem|Procent)\)$"
        r"|\((?:Feedback|Retroalimentación|Commenti)\)$"
        r"|^(?:Submission )?Status|^(?:Online text|Texteingabe|Texte en ligne|Texto en línea))"
    ),
    title=re.compile(
        r"(?:[^:]{1,40}: ?)?(?P<title>.*?)(?: \((?:Real|Punkte|Brut|Brute|Valeur|Reale|Echt)\))?",
        re.DOTALL,
    ),
)
BRIGHTSPACE = Platform(
    "Brightspace (D2L)",
    _parts(
        first="first name",
        last="last name",
        sis="orgdefinedid|org defined id",
        login="username|user name",
        email="email",
        group="sections|section|groups|group",
        about="end-of-line indicator",
    ),
    unmarked=re.compile(r"(?:Calculated|Adjusted) Final Grade|Subtotal|Text Grade"),
    marked=re.compile(r"Points Grade\b", re.IGNORECASE),
    title=re.compile(
        r"(?P<title>.*?) Points Grade(?: <.*?MaxPoints:(?P<most>[\d.,]+).*>)?", re.DOTALL
    ),
    known_by=(
        frozenset({"orgdefinedid"}),
        frozenset({"org defined id"}),
        frozenset({"end-of-line indicator"}),
    ),
    signs=re.compile(r"Points Grade <"),
    id_signs="#",
)
BLACKBOARD = Platform(
    "Blackboard",
    _parts(
        first="first name|vorname|prénom|nombre",
        last="last name|nachname|nom|apellidos",
        sis="student id",
        login="username|user name",
        email="email",
        about="last access|availability|child course id",
    ),
    unmarked=re.compile(r"(?:Weighted|Running)? ?Total \["),
    marked=re.compile(r"\[Total Pts: "),
    title=re.compile(
        r"(?P<title>.*?) \[Total Pts:(?: up to)? (?P<most>[\d.,]+)[^\]]*\](?: \|\d+)?", re.DOTALL
    ),
    known_by=(
        frozenset({"availability"}),
        frozenset({"child course id"}),
        frozenset({"username", "student id"}),
    ),
    signs=re.compile(r"\[Total Pts: "),
)
ILIAS = Platform(
    "ILIAS",
    _parts(
        first="vorname|first name|firstname",
        last="nachname|last name|lastname",
        login="login|benutzername|user name|username",
        sis="matrikelnummer|matriculation number|matriculation|matrikelnr.|matrikelnr",
        email="e-mail|email",
        group="gruppen|gruppe|groups|group",
        role="rolle|role|rolle im kurs",
        about="anrede|salutation|title|titel|institution|status|lernfortschritt",
    ),
    unmarked=re.compile(""),  # it imports no marks
    title=re.compile(r"(?P<title>.*)", re.DOTALL),
    known_by=(
        frozenset({"login"}),
        frozenset({"benutzername"}),
        frozenset({"matriculation number"}),
    ),
)
SAKAI = Platform(
    "Sakai",
    _parts(
        sorted="student name|name",
        login="student id|user id",
        sis="student number",
        email="email",
        group="section|sections",
        about="course grade|total points|calculated grade|grade override",
    ),
    unmarked=re.compile(r"^[*#]|^Course Grade"),
    marked=re.compile(r"\[[\d.,]+\]$"),
    title=re.compile(r"(?P<title>.*?) \[(?P<most>[\d.,]+)\]", re.DOTALL),
    known_by=(frozenset({"student name"}), frozenset({"student number"})),
)
OTHERS = (BRIGHTSPACE, BLACKBOARD, ILIAS, SAKAI)
"""Platforms with supported lists, but without supported downloads of submissions."""
ALL = (CANVAS, GRADESCOPE, MOODLE, *OTHERS)

STAFF = re.compile(
    r"\b(?:instructor|teacher|ta|teaching assistant|manager|reader|observer|designer|admin"
    r"|administrator|trainer/in|lehrer/in|enseignant|profesor|docente|professor|leraar|tutor)\b",
    re.IGNORECASE,
)
"""Roles of course staff."""
UNCHANGEABLE = frozenset(("no", "nein", "non", "nee", "não"))
"""Texts with which Moodle marks a grade as unchangeable."""
HIDDEN_NAMES = frozenset(
    map(squeezed, ("Participant", "Teilnehmer/in", "Participante", "Partecipante", "Deelnemer"))
)
"""Moodle's words for students with hidden names."""
IDENTIFIER = re.compile(r"(?P<word>[^\d:]+?)[ \xa0]?(?P<number>\d+)")


def is_hidden_name(name: str) -> bool:
    """Report whether Moodle hides the name of a student."""
    return squeezed(name) in HIDDEN_NAMES


def participant_number(text: str) -> str:
    """Return the number of a Moodle worksheet's line; empty for other texts.

    >>> participant_number("Teilnehmer/in1327670"), participant_number("S-01")
    ('1327670', '')
    """
    found = IDENTIFIER.fullmatch(text.strip())
    return found["number"] if found and is_hidden_name(found["word"]) else ""


def platform_of(headings: Sequence[str]) -> Platform | None:
    """Find the platform whose exports have these headings, if it is known.

    >>> [platform_of(each.split(",")).name for each in (
    ...     "Student,ID,Section", "First Name,Last Name,SID,Email", "Vorname,Nachname,Gruppen")]
    ['Canvas', 'Gradescope', 'Moodle']
    """
    known = {folded(each) for each in headings}
    for other in OTHERS:
        is_known = any(known >= each for each in other.known_by)
        if other.reads(headings) and (is_known or any(map(other.signs.search, headings))):
            return other
    is_gradescope = bool(known & {"sid", "student id", "sections"}) or {"name", "email"} <= known
    known_ones = (CANVAS, GRADESCOPE, MOODLE) if is_gradescope else (CANVAS, MOODLE)
    return next((each for each in known_ones if each.reads(headings)), None)


def certain_platform_of(headings: Sequence[str]) -> Platform | None:
    """Find the platform that these headings come from, unless a plain file may have them, too.

    Headings that two platforms know equally well, such as `name` and `email`, prove nothing.

    >>> [(found := certain_platform_of(each.split(","))) and found.name for each in (
    ...     "Student,ID,Section", "First Name,Last Name,SID,Email", "name,email")]
    ['Canvas', 'Gradescope', None]
    """
    found = platform_of(headings)
    if found in OTHERS or found is None:
        return found  # known by headings that only this platform has
    known = {each.name: sum(map(bool, map(each.part, headings))) for each in ALL}
    is_best = all(known[each.name] < known[found.name] for each in ALL if each != found)
    return found if is_best else None
