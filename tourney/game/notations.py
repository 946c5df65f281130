"""Players that are no program: texts that a game reads, such as a chart."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:  # a sandbox that needs a part of a player loads nothing else
    from tourney.game.players import BasePlayer


@dataclass(frozen=True, slots=True)
class Notation(ABC):
    """A way to write players of one game; whoever competes with such a file runs no code."""

    title: ClassVar[str]
    """What one of them is called, such as "a chart"."""
    handed_in: ClassVar[str]
    """What people hand in, such as "a chart (.txt)"."""
    entered_as: ClassVar[str]
    """What the path means that an entrant gives under the notation's name."""
    suffix: ClassVar[str]
    """Of its files, with its dot, in small letters."""
    maker: ClassVar[str]
    """"module:function" of what makes a class of players of a text and of the name of its file."""

    def made(self, text: str, name: str) -> "type[BasePlayer]":
        """Make a class of players.

        Args:
            text: Of the file.
            name: Of the file, for messages and the archive.
        Raises: TourneyError, with all faults of the text.
        """
        module, _, function = self.maker.partition(":")
        made: type[BasePlayer] = getattr(import_module(module), function)(text, name)
        return made

    @abstractmethod
    def text_at(self, path: Path) -> str:
        """Read a file, whatever its suffix.

        Raises: TourneyError, if it cannot be read, or with all its faults.
        """


class Written:
    """What stands in a class of players with a text of its own, which is part of their source."""

    __slots__ = ()

    def written(self) -> tuple[str, str]:
        """Give the name of its file and the text."""
        raise NotImplementedError


def texts_in(kind: type) -> list[tuple[str, str]]:
    """Give names and texts of all that is written in a class itself."""
    values: list[Any] = list(vars(kind).values())
    return [value.written() for value in values if isinstance(value, Written)]
