"""The game Straights, as the platform sees it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tourney.game import Game, Turn
from tourney.game.cards.card import Card, short_name
from tourney.game.ledger import Account
from tourney.game.protocol import Program, Sparring
from tourney.games.straights.player import StraightsPlayer, StraightsView, play_seen

if TYPE_CHECKING:  # these are imported only when they are needed
    from tourney.game.accelerators import Kernels, NativeContract
    from tourney.game.blocks import Block
    from tourney.game.players import Undeclared
    from tourney.game.templates import Templates
    from tourney.game.turns import Watcher
    from tourney.games.straights.authoring import StraightsPlayerConformance
    from tourney.games.straights.codec import StraightsCodec
    from tourney.games.straights.declaration import StraightsDeclaration
    from tourney.games.straights.hand_history import StraightsStory
    from tourney.games.straights.round import StraightsTable


class Straights(Game[StraightsPlayer, StraightsView, Card]):
    """Four seats, a new deal in each round, points that add up."""

    name = "straights"
    version = 1

    def contract(self) -> type[StraightsPlayer]:
        """Return the base class of players."""
        return StraightsPlayer

    def table(
        self, block: "Block", accounts: Sequence[Account], watcher: "Watcher | None" = None
    ) -> "StraightsTable":
        """Set up a table."""
        from tourney.games.straights.round import StraightsTable

        return StraightsTable(self, block, accounts, watcher)

    def codec(self) -> "StraightsCodec":
        """Return the codec of turns."""
        from tourney.games.straights.codec import StraightsCodec

        return StraightsCodec(self)

    def starters(self, preset: str) -> Sequence[str]:
        """Return players from the first legal card to one that weighs all cards."""
        del preset
        return ("first-legal", "thrifty", "pathfinder", "salvager", "surveyor")

    def native_contracts(self) -> "tuple[NativeContract, ...]":
        """Return the header for players in C++."""
        from tourney.games.straights.codec import STRAIGHTS_PLAYER

        return (STRAIGHTS_PLAYER,)

    def promises(self, kind: type[StraightsPlayer]) -> bool:
        """Return whether the class of a player declares its decisions."""
        from tourney.games.straights.declared_players import PreferencePlayer

        return issubclass(kind, PreferencePlayer)

    def declare(
        self, player: StraightsPlayer, rules: object
    ) -> "StraightsDeclaration | Undeclared":
        """Return the player's declaration, or the reason why it has no declaration."""
        from tourney.games.straights.declared_players import straights_declaration_of

        del rules
        return straights_declaration_of(player)

    def kernels(self) -> "Kernels":
        """Return the compiled engine."""
        from tourney.games.straights.compiled_engine import StraightsKernels

        return StraightsKernels()

    def expected(self, turn: Turn[StraightsView, Card]) -> str:
        """List the cards that could have been played or discarded."""
        verb = "discard one of" if turn.view.must_discard else "play one of"
        return f"to {verb} {', '.join(map(str, turn.legal))}"

    def seen(self, turn: Turn[StraightsView, Card]) -> str:
        """Describe the seat's hand and the table."""
        return play_seen(turn.view)

    def told(self, action: Card) -> str:
        """Name a card."""
        return short_name(action)

    def sparring(self) -> Sparring:
        """Compare with the computer player of the document."""
        from tourney.games.straights.declared_players import PreferencePlayer

        return Sparring(PreferencePlayer, "a player of the first legal card", "card")

    def templates(self, rules: Any) -> "Templates":
        """Return the files of a new player."""
        del rules  # all have the same templates
        from tourney.games.straights.authoring import TEMPLATES

        return TEMPLATES

    def conformance(self) -> "type[StraightsPlayerConformance]":
        """Return the conformance suite."""
        from tourney.games.straights.authoring import StraightsPlayerConformance

        return StraightsPlayerConformance

    def programs(self) -> "Mapping[str, Program]":
        """Return the original program."""
        summary = "Straights, for four people or computers."
        return {"straights": Program("tourney.games.straights.program", summary)}

    def story(self, rules: Any) -> "StraightsStory":
        """Return the writers and readers of hand histories."""
        from tourney.games.straights.hand_history import StraightsStory

        return StraightsStory(rules)


STRAIGHTS = Straights()
