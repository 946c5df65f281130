"""All that the platform knows of a game.

A game stands whole in a package of its own and comes in through the hook for games: rules name
their game, and all else is asked of it. What it has to give are a name, a version, the contract
of its players and a table; the rest has defaults that work for every game whose turns have legal
actions to choose from. Leaves out what a turn is; see `turns`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from tourney.errors import PluginError, RulesError
from tourney.game.ledger import Account
from tourney.game.players import Undeclared
from tourney.game.turns import ActionT, Table, Turn, ViewT_co

if TYPE_CHECKING:  # a sandbox that needs a contract loads nothing else
    from tourney.game.accelerators import Kernels, Lockstep
    from tourney.game.arrays import NDArray
    from tourney.game.baseline_player import Sparring
    from tourney.game.blocks import Block
    from tourney.game.codec import Codec
    from tourney.game.conformance import Conformance
    from tourney.game.counting import Counting
    from tourney.game.examiner import Examiner
    from tourney.game.hand_history import Story
    from tourney.game.mutants import Mutants
    from tourney.game.native import NativeContract
    from tourney.game.notations import Notation
    from tourney.game.players import BasePlayer
    from tourney.game.programs import Program
    from tourney.game.solver import Solver
    from tourney.game.templates import Templates
    from tourney.game.watcher import Watcher

PlayerT = TypeVar("PlayerT", bound="BasePlayer")


class Game(ABC, Generic[PlayerT, ViewT_co, ActionT]):
    """A game, without any state: there is one object of each, and rules have it as `game`.

    Methods import their parts when they are called, so that naming a game loads none of it.
    Players may sit in a process of their own that can import nothing any more: what their turns
    consist of, and what asks them, has to be imported with the game, its contract or its codec.
    """

    name: ClassVar[str]
    """As in messages and stores; also what `BasePlayer` is told by the contract."""

    version: ClassVar[int]
    """Of what its rules mean, from 1: counted up when the same run would come to something else.
    It is kept with a run, which is gone on with and verified by the same version only."""

    def __eq__(self, other: object) -> bool:
        """Compare kinds, as there is one object of each, and another in another process."""
        return type(self) is type(other)

    def __hash__(self) -> int:
        """Hash by the kind."""
        return hash(type(self))

    def __str__(self) -> str:
        """Give the name."""
        return self.name

    @abstractmethod
    def contract(self) -> type[PlayerT]:
        """Give the class that its players inherit, made with `game=` this game's name."""

    @abstractmethod
    def table(
        self, block: "Block", accounts: Sequence[Account], watcher: "Watcher | None" = None
    ) -> Table:
        """Lay a table: the source of truth for what happens in a block.

        Args:
            block: What to play; its result is a pure function of it and of the players.
            accounts: Of the block's seats, in order; what they come to is the result.
            watcher: Told everything that happens, if anybody is.
        """

    def same_contract(self, one: Any, other: Any) -> bool:
        """Say whether a competitor for some rules of it plays by others just as well.

        By default rules have to be equal.
        """
        return bool(one == other)

    def codec(self) -> "Codec":
        """Give what turns in bytes are, and answers, for players in processes of their own.

        By default turns are pickled.
        """
        from tourney.game.batches import TurnCodec

        return TurnCodec(self)

    @classmethod
    def pool(cls) -> Callable[[Callable[[], Any]], Any]:
        """Import all that asks the players of an entrant in a process of their own.

        Returns: What makes a pool of them, of what makes a new player; see `PlayerPool`.
        """
        from tourney.game.pool import PlayerPool

        game = cls()
        return partial(PlayerPool, game, game.contract(), game.codec())

    def notations(self) -> "Mapping[str, Notation]":
        """Give the ways to write its players that are no programs, by name."""
        return {}

    def native_contracts(self) -> "tuple[NativeContract, ...]":
        """Give what players of it in C++ are written to; by default none can be."""
        return ()

    def misfit(self, kind: type[PlayerT], rules: Any) -> str:
        """Say why players of a class of this game cannot play by some rules; empty if they can.

        Args:
            kind: The class; no player of it is made.
            rules: Of any game. That classes play their own game only is seen elsewhere.
        """
        del kind, rules
        return ""

    def promises(self, kind: type[PlayerT]) -> bool:
        """Say whether players of a class might declare something, without making one."""
        del kind
        return False

    def declare(self, player: PlayerT, rules: Any) -> Any:
        """Give what a player declares, for `kernels`, or why it does not, as `Undeclared`.

        Args:
            player: A new one, which does not sit at a table.
            rules: Of this game.
        """
        del player, rules
        return Undeclared(f"players of {self} declare nothing")

    def kernels(self) -> "Kernels | None":
        """Give what plays its tables by what players declare; None to ask them all."""
        return None

    def lockstep(self) -> "Lockstep | None":
        """Give what plays its tables together up to their questions; None to do so by flows."""
        return None

    def why_luck_stays(self, rules: Any) -> str:
        """Say why the luck of the cards cannot be taken out of results; empty if it can."""
        del rules
        return f"nobody has said what the cards of {self} are worth"

    def round_bounds(self, rules: Any, minimum: int) -> tuple[int, int] | None:
        """Give the least and the most that a round can bring a seat, whatever its player does.

        Rank sets then hold also for players with rare, large losses. By default these are 0 and
        `most_points` of the rules, where points count.

        Args:
            rules: Of this game.
            minimum: The least wager, in the unit of the rules.
        Returns: Net chips in the unit of the rules, or points; None if there is no such bound.
        """
        del minimum
        most: int | None = rules.most_points
        return None if most is None else (0, most)

    def counting(self, rules: Any, text: str, declared: object) -> "Counting":
        """Give a count of the cards, by which rounds can be told apart.

        Args:
            rules: Of this game.
            text: Which; empty for that of who plays, or else the usual one.
            declared: What who plays has declared.
        Raises: RulesError, if there is none, or the game knows no counts.
        """
        del rules, text, declared
        raise RulesError(f"game {self}: expected one whose cards are counted, such as blackjack")

    def best_play(self, rules: Any, minimum: int) -> float | None:
        """Give what the best play there is wins a round, for a board to aim at.

        Args:
            rules: Of this game.
            minimum: The wager in chips.
        Returns: Chips a round; None if nobody knows.
        """
        del rules, minimum
        return None

    def ask(self, player: PlayerT, turn: Turn[ViewT_co, ActionT]) -> object:
        """Ask a player; whatever is raised in here is its author's fault.

        By default its method `turn.call` is shown the view.
        """
        return getattr(player, turn.call)(turn.view)

    def accept(self, answer: object, turn: Turn[ViewT_co, ActionT]) -> ActionT | None:
        """Give the table's own action for an answer; None if it is illegal.

        An author's object may say that it equals anything, so types have to be the same.
        """
        kind = type(answer)
        for action in turn.legal:
            if action is answer or (type(action) is kind and action == answer):
                return action
        return None

    def expected(self, turn: Turn[ViewT_co, ActionT]) -> str:
        """Say what would have been legal, after "expected", for a verdict."""
        return f"one of {', '.join(map(self.told, turn.legal))}"

    def seen(self, turn: Turn[ViewT_co, ActionT]) -> str:
        """Say in one line what lay before a seat, and nothing that was hidden from it."""
        return str(turn.view)

    def told(self, action: ActionT) -> str:
        """Name an action, for people."""
        return str(action)

    def sparring(self) -> "Sparring":
        """Say whom a check compares players with; by default who does the first that is legal."""
        from tourney.game.baseline_player import Sparring, nobody

        return Sparring(nobody)

    def examiner(self, rules: Any) -> "Examiner | None":
        """Give what checks players closely; None to have them checked by whole rounds."""
        del rules
        return None

    def templates(self, rules: Any) -> "Templates":
        """Give the files that a new player starts from; by default made from the contract."""
        from tourney.game.templates import templates_of

        return templates_of(rules)

    def learned(self, rules: Any, policy: "Mapping[str, NDArray[Any]]") -> "Templates":
        """Give the files of a player that does what a program has learned.

        Args:
            rules: Of this game.
            policy: Arrays by name, as a file holds them that was written after training.
        Raises: PluginError, if the game knows no such files; SubmissionError, if it knows others.
        """
        del rules, policy
        raise PluginError(
            f"game {self}: expected one whose policies can be learned, such as blackjack"
        )

    def conformance(self) -> "type[Conformance[Any]]":
        """Give the suite of tests that authors of its players inherit.

        By default they are asked at the turns of rounds at random, as
        `tourney.testing.GameConformance` does by all rules that are installed.
        """
        from tourney.game.conformance import TurnConformance

        return TurnConformance

    def mutants(self) -> "Mutants | None":
        """Give classes with bugs that the tests of a class should find, if the game has some."""
        return None

    def programs(self) -> "Mapping[str, Program]":
        """Give the programs that `tourney play` finds, by name."""
        return {}

    def solver(self, rules: Any) -> "Solver | None":
        """Give what works out values instead of measuring them; None if nobody knows how."""
        del rules
        return None

    def story(self, rules: Any) -> "Story[Any]":
        """Say how hands are told, by some rules of the game; by default turn by turn."""
        from tourney.game.hand_history import Story

        return Story(rules)
