"""Players without code: texts that a game reads, such as a strategy chart."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:  # a sandbox that needs a part of a player loads nothing else
    from tourney.game.players import BasePlayer


@dataclass(frozen=True, slots=True)
class Notation(ABC):
    """A text format for players of one game; a competitor in such a format runs no code."""

    title: ClassVar[str]
    """Name of one such text, such as "a chart"."""
    handed_in: ClassVar[str]
    """Description of a submission, such as "a chart (.txt)"."""
    entered_as: ClassVar[str]
    """Meaning of the path in an entrant's setting of this name."""
    suffix: ClassVar[str]
    """File name suffix with its dot, in lower case."""
    maker: ClassVar[str]
    """"module:function"; the function makes a class of players from a text and the file's name."""

    def made(self, text: str, name: str) -> "type[BasePlayer]":
        """Make a class of players.

        Args:
            text: Contents of the file.
            name: Name of the file, for messages and the archive.
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
    """An attribute of a class of players that holds a text; the text is part of their source."""

    __slots__ = ()

    def written(self) -> tuple[str, str]:
        """Return the name of the file and its text."""
        raise NotImplementedError


def texts_in(kind: type) -> list[tuple[str, str]]:
    """Return the names and texts of all `Written` attributes of a class."""
    values: list[Any] = list(vars(kind).values())
    return [value.written() for value in values if isinstance(value, Written)]
