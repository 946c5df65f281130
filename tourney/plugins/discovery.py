"""Finding the entry points of plugins, in an order that depends on names only.

A distribution whose entry points cannot be read is reported; it does not hide others.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import Distribution, EntryPoint, distributions

from tourney.errors import DISTRIBUTION
from tourney.plugins.fault_text import error_words, printable
from tourney.plugins.hook_spec import GROUP
from tourney.plugins.registry import Plugin
from tourney.plugins.validation import PluginFaultError

PLATFORM = "tourney"  # displayed and stored instead of the distribution's name
VALUE = re.compile(r"\s*[\w.]+\s*(:\s*[\w.]+\s*)?(\[.*\]\s*)?")
ENTRY_POINTS_FILE = "entry_points.txt"
NAME_LINE = re.compile(r"^Name:[ \t]*(\S.*)$", re.MULTILINE)


def plugin_of(entry_point: EntryPoint) -> Plugin:
    """Describe an entry point before it is loaded."""
    return Plugin(
        entry_point=printable(entry_point.name),
        value=printable(entry_point.value),
        distribution=PLATFORM if _is_ours(entry_point) else _metadata(entry_point.dist, "name"),
        version=_metadata(entry_point.dist, "version"),
    )


def load(entry_point: EntryPoint) -> object:
    """Import the object of an entry point."""
    if not VALUE.fullmatch(entry_point.value):
        raise PluginFaultError(
            f"{entry_point.value!r} is not an entry point such as 'bold_player'",
            remedy=f"write the name of a module in [project.entry-points.{GROUP}]",
        )
    return entry_point.load()


def find_entry_points() -> tuple[list[EntryPoint], list[Plugin]]:
    """Search all installed distributions.

    Returns: The entry points of the group, and the distributions that cannot be read.
    """
    found: list[EntryPoint] = []
    unreadable: list[Plugin] = []
    for name, distribution in _installed():
        try:
            found += distribution.entry_points.select(group=GROUP)
        except Exception as error:  # noqa: BLE001 - a malformed file may raise anything
            if f"[{GROUP}]" in metadata_text(distribution, ENTRY_POINTS_FILE):
                unreadable.append(_unreadable(name, distribution, error))
    return found, sorted(unreadable, key=lambda plugin: normalised(plugin.distribution))


def own_modules(entry_point: EntryPoint) -> frozenset[str]:
    """Return the top-level modules of an entry point's distribution, as far as they are known."""
    names = {entry_point.value.partition(":")[0].partition(".")[0].strip()}
    with suppress(Exception):  # malformed metadata only makes a place less precise
        files = (entry_point.dist and entry_point.dist.files) or ()
        names |= {file.parts[0].removesuffix(".py") for file in files}
    return frozenset(names)


def normalised(distribution: str) -> str:
    """Normalise the spelling of a distribution's name.

    >>> normalised("Bold_Player.X")
    'bold-player-x'
    """
    return re.sub(r"[-_.]+", "-", distribution).lower()


def rank(entry_point: EntryPoint) -> tuple[bool, str, str, str]:
    """Return a sort key: the platform's own first, then by distribution and name."""
    distribution = normalised(_metadata(entry_point.dist, "name"))
    return not _is_ours(entry_point), distribution, entry_point.name, entry_point.value


def _is_ours(entry_point: EntryPoint) -> bool:
    return normalised(_metadata(entry_point.dist, "name")) == DISTRIBUTION


def _installed() -> Iterator[tuple[str, Distribution]]:
    """Yield the distributions; of two with the same name only the first, as Python imports it."""
    seen: set[str] = set()
    for distribution in distributions():
        name = _name_of(distribution)
        if normalised(name) not in seen:
            seen.add(normalised(name))
            yield name, distribution


def _name_of(distribution: Distribution) -> str:
    """Read a name from the head of the metadata, because parsing all of it is slow."""
    found = NAME_LINE.search(metadata_text(distribution, "METADATA").partition("\n\n")[0])
    return printable(found[1]) if found else _metadata(distribution, "name")


def metadata_text(distribution: Distribution, file: str) -> str:
    """Return a file of a distribution's metadata; empty if it cannot be read."""
    try:
        return distribution.read_text(file) or ""
    except Exception:  # noqa: BLE001 - the file may be malformed
        return ""


def _unreadable(name: str, distribution: Distribution, error: Exception) -> Plugin:
    return Plugin(
        entry_point="",
        value="",
        distribution=name,
        version=_metadata(distribution, "version"),
        status="quarantined",
        reason=f"its entry points cannot be read: {error_words(error)}",
        place=ENTRY_POINTS_FILE,
        remedy="install the distribution again",
    )


@cache
def _metadata(distribution: Distribution | None, attribute: str) -> str:
    try:
        return printable(getattr(distribution, attribute, None) or "")
    except Exception:  # noqa: BLE001 - metadata may be malformed or lack the field
        return ""
