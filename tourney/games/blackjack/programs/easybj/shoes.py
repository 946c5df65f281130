"""The program's shoes: endless and random, from a file, and one that is recorded.

A file has a letter for each card and no suits, which this game ignores.

Source: [EASYBJ], sections Setup and Command Line Parsing, in docs/sources.md.
"""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from tourney.game.cards.card import CARDS, RANK_LETTERS, RANKS, Card, short_name
from tourney.game.cards.glibc_rand import GlibcRand

CARD_OF = dict(zip(RANK_LETTERS.encode(), CARDS, strict=False))
CARDS_BY_CHANCE = tuple(CARD_OF[letter] for letter in b"A23456789TJQK")
SPARE = 26
"""Bytes that a file must have left for another game; a recording has as many additional cards."""

MOST_BYTES = 1 << 28  # of a file, because a device may have no end


def card_letter(card: Card) -> str:
    """Return the letter of a card.

    >>> from tourney import Rank, Suit
    >>> card_letter(Card(Rank.TEN, Suit.HEARTS))
    'T'
    """
    return short_name(card)[0]


class CourseShoe(Iterator[Card]):
    """The cards of the program; iteration deals."""

    __slots__ = ()

    @property
    def is_over(self) -> bool:
        """Whether another game cannot begin."""
        return False


class InfiniteShoe(CourseShoe):
    """Endless cards by the C library's `rand`.

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
    """The cards of a file in their order; bytes that are not a card are skipped.

    >>> "".join(card_letter(card) for card in FileShoe(b"10 t: TA,9"))
    'TA9'
    """

    __slots__ = ("_content", "_place")

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._place = 0  # of the next byte

    @classmethod
    def read(cls, path: Path) -> "FileShoe":
        """Read a file.

        Raises: OSError, if it cannot be read or is too long for a shoe.
        """
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise OSError(f"{path}: the file is larger than {MOST_BYTES:,} bytes")
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
    """Records the cards that another shoe deals."""

    __slots__ = ("_dealt", "_shoe")

    def __init__(self, shoe: CourseShoe) -> None:
        self._shoe = shoe
        self._dealt = bytearray()

    @property
    def is_over(self) -> bool:
        """Whether the shoe is over."""
        return self._shoe.is_over

    def __next__(self) -> Card:
        """Deal a card and record it."""
        card = next(self._shoe)
        self._dealt.append(ord(card_letter(card)))
        return card

    def record(self) -> bytes:
        """Return all dealt cards and enough others to begin the last game from a file."""
        return bytes(self._dealt) + "".join(map(card_letter, islice(self._shoe, SPARE))).encode()


def check_record(path: Path) -> None:
    """Check that a recording can be written, before a long play.

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
    """Write a recording completely or not at all.

    Raises: OSError, if it cannot be written; an earlier file is then unchanged.
    """
    target = Path(os.path.realpath(path))  # keeps a link
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
