"""Loading machine code before it is needed, or compiling it where nobody has yet.

Plays a round of each kind of declared player, the way any block of theirs is played, so that
all functions they need are there afterwards. Leaves out when that is worth it; see
`tourney.workers`.
"""

from collections.abc import Callable

from tourney.cards.card import Card, Rank
from tourney.cards.keys import Secret
from tourney.engine.cast import declare
from tourney.engine.choice import end_patience
from tourney.engine.compiled.blocks import play_compiled, why_not_compiled
from tourney.games import Rules
from tourney.games.blackjack.hand import Hand
from tourney.ledger import BlockKey
from tourney.players import (
    AnyPlayer,
    BetRamp,
    CountingPlayer,
    CountSystem,
    Declared,
    Player,
    PreferencePlayer,
    deviates,
    pure,
)
from tourney.schedule import Block, Field

BLACKJACK, STRAIGHTS = "blackjack", "straights"
CHIPS, MINIMUM, ROUNDS = 1_000, 10, 2
LONG_ROUNDS = 300_000
"""With so many to play, arrows are made; see `tourney.kernels.blackjack_fast.WORTH_ARROWS`."""


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


KINDS: dict[str, tuple[Callable[[], AnyPlayer], ...]] = {
    BLACKJACK: (_Sitter, _Counter, _Deviator),
    STRAIGHTS: (_Liker,),
}
"""Players that between them need all the machine code of a game."""


def warm_up(rules: Rules, *, is_long: bool = False) -> None:
    """Load the machine code of a game into this process, which plays by it from now on.

    Args:
        rules: Of the game; nothing is loaded if nobody could be played so.
        is_long: Whether so much is to be played that the ways that begin slowly are used, too.
    """
    blocks = [usual_block(rules)]
    if is_long and rules.game.name == BLACKJACK:
        blocks.append(usual_block(rules, LONG_ROUNDS))
    for make in KINDS.get(rules.game.name, ()):
        declared = declare(make, rules)
        if why_not_compiled(blocks[0], [declared] * len(blocks[0].seats)):
            continue
        play_compiled(blocks, _everybody(declared))
        end_patience()


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
