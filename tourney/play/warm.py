"""Loading machine code before it is needed, or compiling it where nobody has yet.

Plays a round of each kind of declared player, the way any block of theirs is played, so that
all functions they need are there afterwards. Leaves out when that is worth it; see
`tourney.play.workers`.
"""

import os
from collections.abc import Callable
from contextlib import ExitStack
from threading import Thread
from typing import NamedTuple

from tourney.game.blocks import Block
from tourney.game.cards.card import Card, Rank
from tourney.game.cards.keys import Secret
from tourney.game.cast import declare
from tourney.game.contracts import AnyPlayer
from tourney.game.declares import Declared
from tourney.game.ledger import BlockKey
from tourney.game.machine.kept import Part, is_made, note_made
from tourney.game.machine.parts import LANES, PARTS, SINGLE_SEATS, STRAIGHTS, TABLES
from tourney.game.rules import Rules
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.players import (
    BetRamp,
    CountingPlayer,
    CountSystem,
    Player,
    deviates,
    pure,
)
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.straights.declared import PreferencePlayer
from tourney.games.straights.rules import StraightsRules
from tourney.play.choice import end_patience
from tourney.play.compiled.blocks import play_compiled
from tourney.play.making import start
from tourney.schedule import Field

CHIPS, MINIMUM, ROUNDS = 1_000, 10, 2
LONG_ROUNDS = 300_000
"""With so many to play, arrows are made; see `WORTH_ARROWS` of `kernels.single_seat`."""


class _Sitter(Player):
    """Draws by its hand alone."""

    @pure
    def bet(self, bankroll: int, minimum: int) -> int:
        del bankroll
        return minimum

    @pure
    def draw(self, dealer: Card, player: Hand) -> bool:
        del dealer
        return player.total < 12  # noqa: PLR2004 - it cannot bust


class _Counter(CountingPlayer, _Sitter):
    """Wagers by a count."""

    system = CountSystem({Rank.FIVE: 1})
    ramp = BetRamp({1: 2}, short="minimum")


class _Deviator(_Counter):
    """Plays its hands by the count, too."""

    @deviates({12: {2: 0}})
    def draw(self, dealer: Card, player: Hand) -> bool:
        return super().draw(dealer, player)


class _Liker(PreferencePlayer):
    """Takes the first card."""


class Usual(NamedTuple):
    """What is played to load a part of the machine code."""

    rules: Rules  # any: the code is the same
    rounds: int
    kinds: tuple[Callable[[], AnyPlayer], ...]  # that between them need all of it


USUAL = {
    TABLES: Usual(BlackjackRules(), ROUNDS, (_Sitter, _Counter, _Deviator)),
    LANES: Usual(BlackjackRules(), LONG_ROUNDS, (_Sitter, _Counter)),
    SINGLE_SEATS: Usual(BlackjackRules(), LONG_ROUNDS, (_Deviator,)),
    STRAIGHTS: Usual(StraightsRules(), ROUNDS, (_Liker,)),
}


def warm_up(rules: Rules, *, is_long: bool = False) -> None:
    """Load the machine code of a game into this process, which plays by it from now on.

    What is not there is made first, in as many processes as there are parts.

    Args:
        rules: Of the game; there need not be any machine code for it.
        is_long: Whether so much is to be played that the ways that begin slowly are used, too.
    """
    if not (parts := PARTS.get(rules.game.name, ())[: None if is_long else 1]):
        return
    first, *others = parts
    with ExitStack() as stack:
        children = [child for part in others if not is_made(part) and (child := start(part))]
        for child in children:
            stack.callback(child.end)
        load(first)
        for child in children:
            child.wait()  # what went wrong there goes wrong again here
    for part in others:
        load(part)
    end_patience()


def load(part: Part) -> None:
    """Load a part of the machine code into this process, and make it if it is not there."""
    rules, rounds, kinds = USUAL[part]
    for make in kinds:
        declared = declare(make, rules)
        play_compiled([usual_block(rules, rounds)], _everybody(declared), {part})
    note_made(part)


def make_for_parent(name: str) -> None:
    """Make the part of a name; the process ends at once if its parent does.

    Args:
        name: Of the part.
    """
    Thread(target=_end_with_parent, daemon=True).start()
    load(next(part for part in USUAL if part.name == name))


def _end_with_parent() -> None:
    """Wait until the other end of the input is closed, which only the end of the parent does."""
    os.read(0, 1)
    os._exit(1)


def _everybody(declared: Declared) -> Callable[[int, Rules], Declared]:
    return lambda _entrant, _rules: declared


def usual_block(rules: Rules, rounds: int = ROUNDS) -> Block:
    """Draw up rounds at a table such as most have, a few by default."""
    chips = rules.most_points is None
    minimum = (rules.minimum or MINIMUM) * rules.unit if chips else 0
    bankroll = CHIPS * rules.unit if chips else 0
    field = Field(1, rules, bankroll, minimum, bankroll, Secret.from_seed(0))
    seats = ((0, bankroll),) * rules.seats[0]
    return field.block(BlockKey(0, 0, 0, 0, 1), seats, rounds)
