"""The program's options, read like the C library's `getopt`.

Options may be joined (`-sa`), contain their argument (`-fFILE`) and follow operands; an option that
needs an argument takes the next word in any case.

Source: [EASYBJ], section Command Line Parsing, in docs/sources.md.
"""

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace

from tourney.errors import TourneyError

PROGRAM = "./asst1"
USAGE = f"""\
usage: {PROGRAM} [-h] [-f FILE|-i SEED [-r FILE]] [[-s] -a FILE NUM]
Options:
 -h:\tDisplay this message
 -f:\tUse file-based shoe
 -i:\tUse random-based shoe (default)
 -r:\tRecord random-based shoe to file
 -a:\tPlay automatically using strategy chart
 -s:\tSilent mode
 FILE:\tFile name for associated option
 SEED:\trandom seed
 NUM:\tnumber of hands to be played
"""

TAKES_ARGUMENT = {"h": False, "f": True, "i": True, "r": True, "s": False, "a": True}
WHOLE_NUMBER = re.compile(r"0*([0-9]{1,19})", re.ASCII)
LARGEST = (1 << 63) - 1  # what a C long holds
LOOKS_LIKE_OPTION = re.compile(r"-[A-Za-z]")


class ArgumentsError(TourneyError):
    """The program plays nothing; the text is its output, with line ends."""


@dataclass(frozen=True, slots=True)
class Options:
    """Settings of the program."""

    shoe_file: str | None = None
    rng_seed: int | None = None  # by default from the clock, if there is no file
    record: str | None = None
    chart_file: str | None = None  # by default a person plays
    hands: int = 0  # of the chart
    silent: bool = False


def read_options(arguments: Iterable[str]) -> Options:
    """Read the arguments of the program.

    Args:
        arguments: Those after the program's name.
    Raises: ArgumentsError, with the output of the program.

    >>> options = read_options(["-sa", "chart.txt", "5"])
    >>> options.chart_file, options.hands, options.silent
    ('chart.txt', 5, True)
    """
    reader = _Reader(arguments)
    reader.read()
    return reader.options


class _Reader:
    """Reads the words from the left."""

    def __init__(self, arguments: Iterable[str]) -> None:
        self.options = Options()
        self._words = deque(arguments)
        self._operands: list[str] = []

    def read(self) -> None:
        """Read all words, then check their combination."""
        words = self._words
        while words:
            word = words.popleft()
            if word == "--":
                self._operands += words
                break
            if word.startswith("-") and word != "-":
                self._read_letters(word[1:])
            else:
                self._operands.append(word)
        self._check()

    def _read_letters(self, letters: str) -> None:
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter not in TAKES_ARGUMENT:
                raise ArgumentsError(f"{PROGRAM}: invalid option -- '{letter}'\n")
            argument = ""
            if TAKES_ARGUMENT[letter]:
                if not letters and not self._words:
                    raise ArgumentsError(f"{PROGRAM}: option requires an argument -- '{letter}'\n")
                argument, letters = letters or self._words.popleft(), ""
            self._take(letter, argument)

    def _take(self, letter: str, argument: str) -> None:
        options = self.options
        match letter:
            case "h":
                raise ArgumentsError(USAGE)
            case "f":
                options = replace(options, shoe_file=argument)
            case "i":
                options = replace(options, rng_seed=_seed(argument))
            case "r":
                options = replace(options, record=argument)
            case "a":
                options = replace(options, chart_file=argument, hands=self._hands())
            case "s":
                options = replace(options, silent=True)
        self.options = options

    def _hands(self) -> int:
        """Read the word after a chart's file: in the usage message, NUM belongs to -a."""
        if not self._words or LOOKS_LIKE_OPTION.match(self._words[0]):
            raise _error("must specify number of hands when playing automatically")
        hands = _whole_number(self._words.popleft())
        if not hands:
            raise _error("NUM must be a natural number")
        return hands

    def _check(self) -> None:
        options = self.options
        if options.silent and options.chart_file is None:
            raise _error("silent mode is only available when playing automatically")
        if options.record is not None and options.shoe_file is not None:
            raise _error("recording is only available for random-based shoe")
        if options.rng_seed is not None and options.shoe_file is not None:
            raise _error("cannot choose both file and random-based shoe")
        if self._operands:
            # The document requires a rejection but gives no words; these are like getopt's.
            raise ArgumentsError(f"{PROGRAM}: unexpected argument -- '{self._operands[0]}'\n")


def _error(message: str) -> ArgumentsError:
    return ArgumentsError(f"Error: {message}.\n")


def _seed(word: str) -> int:
    rng_seed = _whole_number(word)
    if rng_seed is None:
        raise _error("SEED must be a non-negative integer")
    return rng_seed


def _whole_number(word: str) -> int | None:
    found = WHOLE_NUMBER.fullmatch(word)
    number = int(found[1]) if found else None
    return None if number is None or number > LARGEST else number
