"""Players that are asked: what they answer depends on everything that they have seen.

So a card too many, a table that is not current or luck of another seat shows in their results.
Any of their calls may fail, in any of the ways in which a competitor can.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from hypothesis import strategies as st

from tourney import Action, Card, Hand, Player

CALLS = ("constructor", "bet", "draw", "act", "expose", "shuffled")
WAYS: tuple[Any, ...] = (
    *(KeyError, SystemExit, GeneratorExit, RecursionError),
    *(None, True, "hit", -1, 0, 1, 1.5, 10**30, Action.SPLIT, Action.INSURE, [1, 2]),
)
"""What is raised, or answered instead."""


@dataclass(frozen=True)
class Plan:
    """When a player fails, and how."""

    call: str  # one of CALLS, or none of them
    calls_before: int
    way: Any


class Asked(Player):
    """Answers by a checksum of all it knows."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.calls = dict.fromkeys(CALLS, 0)
        self.checksum = 0
        self.planned("constructor", None)

    def planned(self, call: str, answer: Any) -> Any:
        """Give the answer, or fail as planned."""
        plan = self.plan
        is_due = plan.call == call and plan.calls_before == self.calls[call]
        self.calls[call] += 1
        if not is_due:
            return answer
        if isinstance(plan.way, type):
            raise plan.way("as planned")
        return plan.way

    def see(self, *facts: object) -> None:
        """Learn something."""
        self.checksum = crc32(repr(facts).encode(), self.checksum)

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager something that is allowed; most of the time little."""
        self.see("bet", bankroll, minimum, self.table, self.random.random())
        most = min(bankroll, self.table.maximum, 3 * minimum)
        return self.planned("bet", minimum + self.checksum % (most - minimum + 1))

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit sometimes."""
        self.see("draw", dealer, player, self.table)
        return self.planned("draw", self.checksum % 3 == 0)


class Acting(Asked):
    """Chooses among all moves."""

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Do anything that is legal."""
        self.see("act", dealer, player, legal, self.table)
        return self.planned("act", legal[self.checksum % len(legal)])


class Watching(Asked):
    """Looks at cards and shuffles."""

    def expose(self, card: Card) -> None:
        """See a card."""
        self.see(card, self.table)
        self.planned("expose", None)

    def shuffled(self) -> None:
        """See a shuffle."""
        self.see("shuffled", self.table)
        self.planned("shuffled", None)


class WatchingActing(Watching, Acting):
    """Does both."""


Maker = Callable[[], Player]


@st.composite
def any_asked(draw: st.DrawFn) -> Maker:
    """Draw a player that is asked; half of them never fail."""
    kind = draw(st.sampled_from([Asked, Acting, Watching, WatchingActing]))
    plan = Plan(
        draw(st.sampled_from([*("never",) * len(CALLS), *CALLS])),
        draw(st.integers(0, 12)),
        draw(st.sampled_from(WAYS)),
    )
    return lambda: kind(plan)
