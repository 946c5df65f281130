"""The program's shoes: endless by chance, from a file, and one that is recorded.

A file has a letter for every card and no suits, which this game does not look at.
Source: [EASYBJ], sections Setup and Command Line Parsing, in docs/sources.md.
"""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from tourney.game.cards.card import CARDS, RANKS, Card
from tourney.game.cards.glibc_rand import GlibcRand

LETTERS = "23456789TJQKA"  # in the order of a newly opened deck
CARD_OF = dict(zip(LETTERS.encode(), CARDS, strict=False))
CARDS_BY_CHANCE = tuple(CARD_OF[letter] for letter in b"A23456789TJQK")
SPARE = 26
"""Bytes that must be left in a file for another game; a recording has so many more cards."""

MOST_BYTES = 1 << 28  # of a file; a device may have no end


def card_letter(card: Card) -> str:
    """Give the letter of a card.

    >>> from tourney import Rank, Suit
    >>> card_letter(Card(Rank.TEN, Suit.HEARTS))
    'T'
    """
    return LETTERS[card.code % RANKS]


class CourseShoe(Iterator[Card]):
    """What the program deals from; iterating deals."""

    __slots__ = ()

    @property
    def is_over(self) -> bool:
        """Whether no further game may begin."""
        return False


class InfiniteShoe(CourseShoe):
    """Cards by the C library's `rand`, without end.

    >>> "".join(card_letter(card) for card in islice(InfiniteShoe(0), 12))
    'ATQ522K42834'
    """

    __slots__ = ("rand",)

    def __init__(self, rng_seed: int) -> None:
        self.rand = GlibcRand(rng_seed)

    def __next__(self) -> Card:
        """Deal a card."""
        return CARDS_BY_CHANCE[self.rand() % RANKS]


class FileShoe(CourseShoe):
    """The cards of a file in their order; bytes that name no card are skipped.

    >>> "".join(card_letter(card) for card in FileShoe(b"10 t: TA,9"))
    'TA9'
    """

    __slots__ = ("_content", "_place")

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._place = 0  # of the first byte that is not read

    @classmethod
    def read(cls, path: Path) -> "FileShoe":
        """Read a file.

        Raises: OSError, if it cannot be read or is too long for a shoe.
        """
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise OSError(f"{path}: expected up to {MOST_BYTES:,} bytes, got more")
        return cls(content)

    @property
    def is_over(self) -> bool:
        """Whether fewer bytes are left than a game may need, cards or not."""
        return len(self._content) - self._place < SPARE

    def __next__(self) -> Card:
        """Deal the next card of the file."""
        for place in range(self._place, len(self._content)):
            card = CARD_OF.get(self._content[place])
            if card is not None:
                self._place = place + 1
                return card
        self._place = len(self._content)
        raise StopIteration


class RecordedShoe(CourseShoe):
    """Notes down what another shoe deals."""

    __slots__ = ("_dealt", "_shoe")

    def __init__(self, shoe: CourseShoe) -> None:
        self._shoe = shoe
        self._dealt = bytearray()

    @property
    def is_over(self) -> bool:
        """Whether the shoe is over."""
        return self._shoe.is_over

    def __next__(self) -> Card:
        """Deal a card and note it down."""
        card = next(self._shoe)
        self._dealt.append(ord(card_letter(card)))
        return card

    def record(self) -> bytes:
        """Give all cards dealt and so many more that the last game can begin from a file."""
        return bytes(self._dealt) + "".join(map(card_letter, islice(self._shoe, SPARE))).encode()


def check_record(path: Path) -> None:
    """See whether a recording can be written there, before hours of play.

    Raises: OSError, if it cannot.
    """
    target = Path(os.path.realpath(path))
    needed = [(target.parent, os.W_OK | os.X_OK)]
    with suppress(FileNotFoundError):
        mode = target.stat().st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(None, "Is a directory")
        if not stat.S_ISREG(mode):
            needed.clear()
        needed.append((target, os.W_OK))
    for place, access in needed:
        if not place.exists():
            raise FileNotFoundError(None, "No such file or directory")
        if not os.access(place, access):
            raise PermissionError(None, "Permission denied")


def write_record(path: Path, letters: bytes) -> None:
    """Write a recording as a whole or not at all.

    Raises: OSError, if it cannot be written; what was there before is still there.
    """
    target = Path(os.path.realpath(path))  # a link stays one
    if target.exists() and not target.is_file():  # a device or a pipe must not be replaced
        target.write_bytes(letters)
        return
    part = target.with_name(f".easybj-{os.getpid()}.part")
    with part.open("xb") as file:
        try:
            file.write(letters)
            file.close()
            if target.exists():
                shutil.copymode(target, part)
            part.replace(target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
