"""What goes for an entrant besides its strategy: its author, how often it enters, its policy."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from tourney.config.located import Faults, Tree
from tourney.config.model import EntrantConfig, PolicyConfig
from tourney.config.settings import Setting, field_settings, read_mapping, read_settings, setting
from tourney.config.typed import INVALID, text_of, typed_from

MOST_ENTRANTS = 1_000_000


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


def repeated(entrant: EntrantConfig, count: int | None) -> Iterator[EntrantConfig]:
    """Give an entrant, or so many like it, with numbers behind their names."""
    if count is None:
        yield entrant
        return
    for number in range(1, count + 1):
        yield replace(entrant, name=f"{entrant.name} {number}")
