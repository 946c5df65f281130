"""What makes several entrants of one entry: how often it enters, or a folder of submissions.

And what goes for them besides the strategy: an author, a policy. Who of a folder plays is for the
catalog to say; how a folder of submissions is made is not known here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from tourney.config.catalog import Catalog, Submitted
from tourney.config.located import Entries, Faults, Items, Leaf, Tree
from tourney.config.model import EntrantConfig, PolicyConfig
from tourney.config.settings import Setting, field_settings, read_mapping, read_settings, setting
from tourney.config.typed import INVALID, text_of, typed_from
from tourney.config.words import quoted, said, system_words
from tourney.errors import Fault, TooLarge, TourneyError

MOST_ENTRANTS = 1_000_000
BYTES_EACH = 3_800
"""Of memory that an entrant takes in a dry run, measured with a hundred thousand."""


def repeated_settings() -> tuple[Setting, ...]:
    """Return the settings that go with every kind of entry."""
    several = typed_from(Annotated[int, Field(ge=2, le=MOST_ENTRANTS)])
    return (
        setting("author", "who wrote it", text_of("a name")),
        setting("count", "how many times it enters, with numbered names", several),
        Setting("policy", "what it wants where the format lets it choose", read_policy),
    )


def policy_settings() -> tuple[Setting, ...]:
    """Return the settings of a policy."""
    return field_settings(PolicyConfig)


def read_policy(tree: Tree, faults: Faults) -> Any:
    """Read what an entrant wants."""
    entries = read_mapping(tree, faults)
    if entries is INVALID:
        return INVALID
    before = faults.count
    values = read_settings(entries, policy_settings(), faults)
    return PolicyConfig(**values) if faults.count == before else INVALID


def check_counts(tree: Entries, faults: Faults, most: int) -> None:
    """Refuse more entrants than memory should be taken for, before any of them is made.

    Args:
        tree: A whole configuration.
        faults: Whose file it is.
        most: How many there may be.
    Raises: TooLarge, at the greatest count.
    """
    entrants = tree.get("entrants")
    items = entrants.items if isinstance(entrants, Items) else ()
    counts = [
        (each.value, each)
        for item in items
        if isinstance(item, Entries) and isinstance(each := item.get("count"), Leaf)
        # All else is refused, or no number, when it is read.
        if type(each.value) is int and 1 < each.value <= MOST_ENTRANTS
    ]
    total = len(items) + sum(count - 1 for count, _ in counts)
    if total > most and counts:
        _, at = max(counts, key=lambda each: each[0])
        got = f"{total:,}, which take about {total * BYTES_EACH / 1e9:.1f} GB of memory"
        message = said(f"at most {most:,} entrants in all", got, "make it fewer, or add --yes")
        place = at.place
        raise TooLarge((Fault(faults.source, place.line, place.column, at.path, message),))


def repeated(entrant: EntrantConfig, count: int | None) -> Iterator[EntrantConfig]:
    """Give an entrant, or so many like it, with numbers behind their names."""
    if count is None:
        yield entrant
        return
    for number in range(1, count + 1):
        handle = f"{entrant.pseudonym} {number}" if entrant.pseudonym else None
        yield replace(entrant, name=f"{entrant.name} {number}", pseudonym=handle)


GIVEN_BY_THEM = ("as", "options", "author")
"""Settings that those who hand in decide by themselves."""


def read_submitted(
    item: Entries, values: Mapping[str, Any], catalog: Catalog, folder: Path | None, faults: Faults
) -> Sequence[Submitted]:
    """Find out who plays of a folder of submissions.

    Args:
        item: The entry.
        values: Its settings that have no fault.
        catalog: Who plays.
        folder: What relative paths begin from; None if the folder need not be there.
        faults: Notes what is wrong.
    """
    for name in GIVEN_BY_THEM:
        if key := item.key(name):
            got = f"{quoted(name)}: remove it"
            faults.note(key, said("submissions as they were handed in", got))
    at = item.get("submissions")
    if folder is None or at is None or "submissions" not in values:
        return ()  # an archived run keeps its sources elsewhere
    try:
        found = catalog.submitted((folder / values["submissions"]).resolve(), values.get("rule"))
    except (TourneyError, OSError, ValueError) as error:
        faults.note(at, f"{quoted(values['submissions'])}: {system_words(error)}")
        return ()
    if not found:
        expected = f"at least one submission that may play in {quoted(values['submissions'])}"
        faults.note(at, said(expected, "none"))
    return found


def note_stray_rule(item: Entries, faults: Faults) -> None:
    """Note a rule about versions where there are none."""
    key = item.key("rule")
    if key and item.key("submissions") is None:
        faults.note(key, said("'rule' beside 'submissions'", "it alone", "remove it"))
