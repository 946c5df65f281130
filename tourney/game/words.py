"""The words of a game for texts and pages, such as "match" for a round."""

import re
from typing import NamedTuple


class Words(NamedTuple):
    """Nouns, each in the singular; the defaults suit games of cards."""

    round: str = "round"
    dealer: str = "dealer"  # the person whom a table waits for
    card: str = "card"  # a step of a round
    shoe: str = "shoe"  # the chance that tables share

    def rewrite(self, text: str) -> str:
        """Replace the default nouns in a text of the platform.

        >>> MATCHES.rewrite("Rounds at 10 dealers, a round each")
        'Matches at 10 referees, a match each'
        """
        if self == Words():
            return text
        for noun, own in zip(Words(), self, strict=True):
            for old, new in ((f"{noun}s", plural(own)), (noun, own)):
                text = re.sub(rf"\b{old}\b", new, text)
                text = re.sub(rf"\b{old.capitalize()}\b", new.capitalize(), text)
        return text


MATCHES = Words("match", "referee", "move", "draw of luck")
"""For games without cards, whose rounds are whole matches."""


def plural(noun: str) -> str:
    """Return the plural of a noun.

    >>> plural("round"), plural("match"), plural("draw of luck")
    ('rounds', 'matches', 'draws of luck')
    """
    head, of, rest = noun.partition(" of ")
    ending = "es" if head.endswith(("s", "x", "z", "ch", "sh")) else "s"
    return f"{head}{ending}{of}{rest}"


def counted(count: float, noun: str) -> str:
    """Return a number of things.

    >>> counted(1, "block"), counted(1200, "round"), counted(0.7, "block")
    ('1 block', '1,200 rounds', '1 block')
    """
    number = f"{count:,.0f}"
    return f"{number} {noun if number == '1' else plural(noun)}"
