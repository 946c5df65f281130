"""What a player of any game declares, or why it does not."""

from typing import TYPE_CHECKING, TypeAlias, cast

from tourney.games import Rules
from tourney.games.blackjack.declaration import Declaration
from tourney.games.straights.declaration import StraightsDeclaration
from tourney.players.contracts import AnyPlayer
from tourney.players.declaring import Undeclared, declaration_of
from tourney.players.player import Player
from tourney.players.straights import StraightsPlayer
from tourney.players.straights_declared import straights_declaration_of

if TYPE_CHECKING:  # a jail loads no rules, whose types come from elsewhere
    from tourney.games.blackjack.rules import BlackjackRules

Declared: TypeAlias = Declaration | StraightsDeclaration | Undeclared


def declared_by(player: AnyPlayer, rules: Rules) -> Declared:
    """Give what a player declares for a game.

    Args:
        player: A new one, which does not sit at a table.
        rules: Of the game that it is a player of.
    """
    if isinstance(player, StraightsPlayer):
        return straights_declaration_of(player)
    if rules.game.name != "blackjack" or not isinstance(player, Player):
        return Undeclared(f"it does not play {rules.game}")
    return declaration_of(player, cast("BlackjackRules", rules))
