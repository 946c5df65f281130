"""Which entry points there are, in an order that depends on names only.

Metadata is written by others too: a distribution whose entry points cannot be read is
reported, and hides no other.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import Distribution, EntryPoint, distributions

from tourney.errors import DISTRIBUTION
from tourney.plugins.fault_text import error_words, printable
from tourney.plugins.hook_spec import GROUP
from tourney.plugins.registry import Plugin
from tourney.plugins.validation import PluginFaultError

PLATFORM = "tourney"  # what people read, and runs keep, in place of its distribution's name
VALUE = re.compile(r"\s*[\w.]+\s*(:\s*[\w.]+\s*)?(\[.*\]\s*)?")
ENTRY_POINTS_FILE = "entry_points.txt"
NAME_LINE = re.compile(r"^Name:[ \t]*(\S.*)$", re.MULTILINE)


def in_order(entry_points: Iterable[EntryPoint]) -> list[EntryPoint]:
    """Sort entry points: the platform's own, whose names stay; then by distribution and name."""
    return sorted(entry_points, key=_rank)


def plugin_of(entry_point: EntryPoint) -> Plugin:
    """Describe an entry point before it is loaded."""
    return Plugin(
        entry_point=printable(entry_point.name),
        value=printable(entry_point.value),
        distribution=PLATFORM if _is_ours(entry_point) else _told(entry_point.dist, "name"),
        version=_told(entry_point.dist, "version"),
    )


def load(entry_point: EntryPoint) -> object:
    """Import what an entry point names."""
    if not VALUE.fullmatch(entry_point.value):
        raise PluginFaultError(
            f"expected an entry point such as 'bold_player', got {entry_point.value!r}",
            remedy=f"write the name of a module in [project.entry-points.{GROUP}]",
        )
    return entry_point.load()


def find_entry_points() -> tuple[list[EntryPoint], list[Plugin]]:
    """Look through everything that is installed.

    Returns: The entry points of the group, and the distributions that cannot be read.
    """
    found: list[EntryPoint] = []
    unreadable: list[Plugin] = []
    for name, distribution in _installed():
        try:
            found += distribution.entry_points.select(group=GROUP)
        except Exception as error:  # noqa: BLE001 - whatever a strange file makes the parser raise
            if _mentions_group(distribution):
                unreadable.append(_unreadable(name, distribution, error))
    return found, sorted(unreadable, key=lambda plugin: normalised(plugin.distribution))


def own_modules(entry_point: EntryPoint) -> frozenset[str]:
    """Give the top-level modules of an entry point's distribution, as far as it tells them."""
    names = {entry_point.value.partition(":")[0].partition(".")[0].strip()}
    try:
        files = (entry_point.dist and entry_point.dist.files) or ()
        names |= {file.parts[0].removesuffix(".py") for file in files}
    except Exception:  # noqa: BLE001 - strange metadata only makes a place less precise
        return frozenset(names)
    return frozenset(names)


def normalised(distribution: str) -> str:
    """Write the name of a distribution in the one way that all spellings share.

    >>> normalised("Bold_Player.X")
    'bold-player-x'
    """
    return re.sub(r"[-_.]+", "-", distribution).lower()


def _rank(entry_point: EntryPoint) -> tuple[bool, str, str, str]:
    distribution = normalised(_told(entry_point.dist, "name"))
    return not _is_ours(entry_point), distribution, entry_point.name, entry_point.value


def _is_ours(entry_point: EntryPoint) -> bool:
    return normalised(_told(entry_point.dist, "name")) == DISTRIBUTION


def _installed() -> Iterator[tuple[str, Distribution]]:
    """Go through the distributions; of two with one name Python imports the first."""
    seen: set[str] = set()
    for distribution in distributions():
        name = _name_of(distribution)
        if normalised(name) not in seen:
            seen.add(normalised(name))
            yield name, distribution


def _name_of(distribution: Distribution) -> str:
    """Read a name, of everything that is installed: to parse all of its metadata takes longest."""
    try:
        head = (distribution.read_text("METADATA") or "").partition("\n\n")[0]
    except Exception:  # noqa: BLE001 - as for all that it tells
        head = ""
    found = NAME_LINE.search(head)
    return printable(found[1]) if found else _told(distribution, "name")


def _mentions_group(distribution: Distribution) -> bool:
    try:
        return f"[{GROUP}]" in (distribution.read_text(ENTRY_POINTS_FILE) or "")
    except Exception:  # noqa: BLE001 - text that cannot be read mentions nothing
        return False


def _unreadable(name: str, distribution: Distribution, error: Exception) -> Plugin:
    return Plugin(
        entry_point="",
        value="",
        distribution=name,
        version=_told(distribution, "version"),
        status="quarantined",
        reason=f"expected entry points that can be read, got {error_words(error)}",
        place=ENTRY_POINTS_FILE,
        remedy="install the distribution again",
    )


@cache
def _told(distribution: Distribution | None, attribute: str) -> str:
    try:
        return printable(getattr(distribution, attribute, None) or "")
    except Exception:  # noqa: BLE001 - metadata may lack the field, or be no metadata at all
        return ""
