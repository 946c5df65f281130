"""Questions to a person, and valid answers. After an invalid answer the question is repeated."""

import re
from collections.abc import Callable
from typing import TypeVar

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.rules import MOST_DECKS

T = TypeVar("T")

DECKS = re.compile(r"\+?0*([1-9][0-9]?)")
YES_OR_NO = {"yes": True, "y": True, "no": False, "n": False}
ACTIONS = {"hit": Action.HIT, "h": Action.HIT, "stand": Action.STAND, "s": Action.STAND}


class InputEndedError(Exception):
    """The input has ended."""


def decks_in(answer: str) -> int | None:
    """Read a number of decks.

    >>> decks_in("20"), decks_in("21") is None, decks_in("2.5") is None
    (20, True, True)
    """
    found = DECKS.fullmatch(answer)
    decks = int(found[1]) if found else 0
    return decks if 1 <= decks <= MOST_DECKS else None


def yes_or_no(answer: str) -> bool | None:
    """Read yes or no.

    >>> yes_or_no("yEs"), yes_or_no("N"), yes_or_no("yess") is None
    (True, False, True)
    """
    return YES_OR_NO.get(answer.lower())


def hit_or_stand(answer: str) -> Action | None:
    """Read an action.

    >>> hit_or_stand("Hit"), hit_or_stand("double") is None
    (<Action.HIT: 1>, True)
    """
    return ACTIONS.get(answer.lower())


class Dialogue:
    """A conversation with a person."""

    def __init__(self, hear: Callable[[], str | None], say: Callable[[str], object]) -> None:
        """Set the input and the output.

        Args:
            hear: Returns the next answer; `None` at the end of the input.
            say: Writes text unchanged.
        """
        self._hear = hear
        self.say = say

    def ask(self, question: str, meaning: Callable[[str], T | None]) -> T:
        """Ask until there is a valid answer, and return its meaning.

        Raises: InputEndedError, if the input ends.
        """
        while True:
            self.say(question)
            answer = self._hear()
            if answer is None:
                if not question.endswith("\n"):
                    self.say("\n")
                raise InputEndedError
            meant = meaning(answer)
            if meant is not None:
                return meant
