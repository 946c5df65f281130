"""The class `Game`, everything that the platform asks of a game, and a pool of its players.

A game is a package that registers through the hook for games. Its rules name the game, and the
platform asks the game for everything else. A game must provide a name, a version, the contract of
its players and a table. All other methods have defaults, which work for every game whose turns
offer a list of legal actions. See `turns` for the turns of a table. docs/how-to/add-a-game.md
builds a game step by step.

In a pool every seat has a separate player, with the same checks and verdicts as in the reference
engine. `batches` defines the questions.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, NoReturn, TypeVar

from tourney.errors import PluginError, RulesError
from tourney.game.asking.exchange import SeatReply, SeatRequest, Verdicts
from tourney.game.asking.player_calls import CompetitorError
from tourney.game.batches import QuestionBatch, TurnCodec
from tourney.game.codec import FAULT, Codec
from tourney.game.ledger import Account
from tourney.game.players import BasePlayer, Undeclared, give_luck
from tourney.game.seats import SeatedPlayer
from tourney.game.turns import ActionT, Judge, Table, Turn, ViewT_co, view_words
from tourney.game.words import Words

if TYPE_CHECKING:
    from tourney.game.accelerators import Kernels, Lockstep, NativeContract
    from tourney.game.arrays import NDArray
    from tourney.game.asking.exchange import AnyPool
    from tourney.game.blocks import Block
    from tourney.game.conformance import Conformance
    from tourney.game.counting import Counting
    from tourney.game.examiner import Examiner
    from tourney.game.hand_history import Story
    from tourney.game.hand_notation import Notation
    from tourney.game.ledger import Verdict
    from tourney.game.mutants import Mutants
    from tourney.game.solver import Solver
    from tourney.game.templates import Templates
    from tourney.game.turns import Watcher

ELSEWHERE = Account(seat=0, entrant=0, bankroll=0)
"""A placeholder: the table counts the chips of a seat, not this process."""


class Batch(NamedTuple):
    """A batch of turns, as it is received."""

    asked: Sequence[QuestionBatch]

    @property
    def rounds(self) -> list[int]:
        """Numbers of the rounds."""
        return [each.turn.round for each in self.asked]


class PlayerPool:
    """Makes and asks the players of an entrant.

    Args:
        game: The game that they play.
        contract: The class that they inherit.
        codec: Reads their turns.
        make_player: Makes a new player.
    """

    def __init__(
        self,
        game: Judge,
        contract: type[BasePlayer],
        codec: Codec,
        make_player: Callable[[], Any],
    ) -> None:
        self._game, self._contract, self._make_player = game, contract, make_player
        assert isinstance(codec, TurnCodec), "a game with another codec must override pool()"
        self._read = codec.reader()
        self._seated: list[SeatedPlayer | None] = []  # None if it could not be made, or has failed

    def read(self, body: bytes) -> Batch:
        """Read a batch of turns, in the order in which batches were written."""
        return Batch(self._read(body))

    def sit(self, seat_requests: Sequence[SeatRequest]) -> list[SeatReply]:
        """Make players, in order; seats are numbered as they come, from 0."""
        return [self._sit(seat_request) for seat_request in seat_requests]

    def decide(self, batch: Batch) -> tuple[list[int], Verdicts]:
        """Ask players whose seats have not failed, each at most once.

        Returns: Indices of the legal actions, or FAULT; and faults by the places of their turns.
        """
        game, seated = self._game, self._seated
        answers: list[int] = []
        faults: Verdicts = {}
        for place, (seat, turn) in enumerate(batch.asked):
            player = seated[seat]
            assert player is not None, "asked although it has failed"
            try:
                answers.append(turn.legal.index(player.ask(game, turn)))
            except CompetitorError as fault:
                answers.append(FAULT)
                faults[place] = fault.verdict
                seated[seat] = None
        return answers, faults

    def _sit(self, seat_request: SeatRequest) -> SeatReply:
        def make() -> BasePlayer:
            player: Any = self._make_player()
            if not isinstance(player, self._contract):
                named = str(self._game).capitalize()
                raise TypeError(f"{type(player).__name__} is not a player of {named}")
            give_luck(player, int.from_bytes(seat_request.random_key, "little"))
            return player

        try:
            self._seated.append(SeatedPlayer(ELSEWHERE, make, seat_request.first_round))
        except CompetitorError as fault:
            self._seated.append(None)
            return SeatReply(acts=False, watches=False, verdict=fault.verdict)
        return SeatReply(acts=False, watches=False)


PlayerT = TypeVar("PlayerT", bound="BasePlayer")


class Game(ABC, Generic[PlayerT, ViewT_co, ActionT]):
    """A game. It has no state: there is one object of each class, available as `rules.game`.

    Methods import the parts that they return when they are called, so that importing a game stays
    cheap. A player's process cannot import modules after its start, so the module of the game, its
    contract or its codec must import everything that turns consist of and that calls the players.
    """

    name: ClassVar[str]
    """Name in configurations, messages and stores; the contract passes it to `BasePlayer`."""

    version: ClassVar[int]
    """Version of the rules' meaning, from 1. Increase it when the same run would give another
    result: a stored run can be resumed and verified by the same version only.
    """

    words: ClassVar[Words] = Words()
    """Nouns for boards, replays and pages, where "round" or "dealer" would not fit the game."""

    def __eq__(self, other: object) -> bool:
        """Compare classes: there is one object of each class in every process."""
        return type(self) is type(other)

    def __hash__(self) -> int:
        """Hash the class."""
        return hash(type(self))

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    @abstractmethod
    def contract(self) -> type[PlayerT]:
        """Return the class that players inherit, defined with `game=` and this game's name."""

    @abstractmethod
    def table(
        self, block: "Block", accounts: Sequence[Account], watcher: "Watcher | None" = None
    ) -> Table:
        """Set up the table, which decides everything that happens in a block.

        Args:
            block: The block to play; its result is a pure function of the block and the players.
            accounts: Accounts of the block's seats, in order; their final state is the result.
            watcher: Receives every event.
        """

    def same_contract(self, one: Any, other: Any) -> bool:
        """Return whether a competitor for the rules `one` can play by the rules `other` unchanged.

        By default the rules must be equal.
        """
        return bool(one == other)

    def codec(self) -> "Codec":
        """Return the codec of turns and answers, for players in other processes.

        By default turns are pickled.
        """
        from tourney.game.batches import TurnCodec

        return TurnCodec(self)

    @classmethod
    def pool(cls) -> Callable[[Callable[[], Any]], Any]:
        """Import everything that a player's process needs.

        Returns: A function that makes a pool from a function that makes a player; see `PlayerPool`.
        """
        game = cls()
        return partial(PlayerPool, game, game.contract(), game.codec())

    def notations(self) -> "Mapping[str, Notation]":
        """Return the text formats for players without code, by name."""
        return {}

    def strategy_options(self, preset: str, strategy: str) -> "Mapping[str, object]":
        """Give the options of an installed strategy in a preset, if an entrant gives no others.

        Args:
            preset: Of this game.
            strategy: Its name.
        """
        del preset, strategy
        return {}

    def starters(self, preset: str) -> "Sequence[str]":
        """Return the installed strategies of a new tournament, best known first; empty for any.

        Args:
            preset: Of this game.
        """
        del preset
        return ()

    def native_contracts(self) -> "tuple[NativeContract, ...]":
        """Return the contracts for players in C++; by default C++ is not supported."""
        return ()

    def misfit(self, kind: type[PlayerT], rules: Any) -> str:
        """Return why players of a class cannot play by some rules; empty if they can.

        Args:
            kind: A class of players of this game; no player is made.
            rules: Rules of any game. The platform checks separately that classes play their game.
        """
        del kind, rules
        return ""

    def promises(self, kind: type[PlayerT]) -> bool:
        """Return whether players of a class may have a declaration, without making one."""
        del kind
        return False

    def declare(self, player: PlayerT, rules: Any) -> Any:
        """Return a player's declaration for `kernels`, or `Undeclared` with a reason.

        Args:
            player: A new player that does not sit at a table.
            rules: Rules of this game.
        """
        del player, rules
        return Undeclared(f"players of {self} declare nothing")

    def kernels(self) -> "Kernels | None":
        """Return the kernels that play from declarations; `None` to ask all players."""
        return None

    def lockstep(self) -> "Lockstep | None":
        """Return the engine that plays tables together between questions; `None` to use flows."""
        return None

    def why_luck_stays(self, rules: Any) -> str:
        """Return why results cannot be adjusted for the luck of the cards; empty if they can."""
        del rules
        return f"the game {self} defines no value of its cards"

    def round_bounds(self, rules: Any, minimum: int) -> tuple[int, int] | None:
        """Return the least and the greatest result of a seat in a round, whatever its player does.

        With bounds, rank sets also hold for players with rare, large losses. The default is 0 and
        `most_points` of the rules in a game of points.

        Args:
            rules: Rules of this game.
            minimum: Least wager, in the unit of the rules.
        Returns: Net chips in the unit of the rules, or points; `None` without bounds.
        """
        del minimum
        most: int | None = rules.most_points
        return None if most is None else (0, most)

    def counting(self, rules: Any, text: str, declared: object) -> "Counting":
        """Return a count of the cards, to group rounds by.

        Args:
            rules: Rules of this game.
            text: The count; empty for the player's count, or else the usual one.
            declared: Declaration of the player.
        Raises: RulesError, if there is no such count or the game has no counts.
        """
        del rules, text, declared
        raise RulesError(f"game {self} has no card counts; use a game that has, such as blackjack")

    def best_play(self, rules: Any, minimum: int) -> float | None:
        """Return the mean result of optimal play, as a benchmark for leaderboards.

        Args:
            rules: Rules of this game.
            minimum: The wager in chips.
        Returns: Chips per round; `None` if unknown.
        """
        del rules, minimum
        return None

    def ask(self, player: PlayerT, turn: Turn[ViewT_co, ActionT]) -> object:
        """Ask a player; an exception in here counts as a fault of its author.

        By default the method `turn.call` is called with the view.
        """
        return getattr(player, turn.call)(turn.view)

    def actions(self, rules: Any) -> "Sequence[ActionT] | None":
        """Return every action that may be legal, in a fixed order, for learning programs.

        By default they are the members of an enum, all cards, or the actions of random rounds.

        Args:
            rules: Rules of this game.
        """
        del rules
        return None

    def accept(self, answer: object, turn: Turn[ViewT_co, ActionT]) -> ActionT | None:
        """Return the table's legal action that equals an answer; `None` if the answer is illegal.

        An author's object may claim to equal anything, so its type must be the same, too.
        """
        kind = type(answer)
        for action in turn.legal:
            if action is answer or (type(action) is kind and action == answer):
                return action
        return None

    def expected(self, turn: Turn[ViewT_co, ActionT]) -> str:
        """Describe the legal answers, to follow "expected" in a verdict."""
        return f"one of {', '.join(map(self.told, turn.legal))}"

    def seen(self, turn: Turn[ViewT_co, ActionT]) -> str:
        """Describe a seat's view in one line, without anything that is hidden from the seat."""
        return view_words(turn)

    def told(self, action: ActionT) -> str:
        """Name an action, for people."""
        return str(action)

    def sparring(self) -> "Sparring":
        """Return the opponents in a check; by default they always take the first legal action."""
        return Sparring()

    def examiner(self, rules: Any) -> "Examiner | None":
        """Return an examiner for close checks; `None` to check players by whole rounds."""
        del rules
        return None

    def templates(self, rules: Any) -> "Templates":
        """Return the starter files of a new player; by default they are made from the contract."""
        from tourney.game.templates import templates_of

        return templates_of(rules)

    def learned(self, rules: Any, policy: "Mapping[str, NDArray[Any]]") -> "Templates":
        """Return the files of a player that follows a learned policy.

        Args:
            rules: Rules of this game.
            policy: Arrays by name, as stored after training.
        Raises: PluginError, if the game supports no such files; SubmissionError, for a policy of
            another kind.
        """
        del rules, policy
        raise PluginError(
            f"game {self} cannot make a player from a learned policy; use a game that can, such "
            "as blackjack"
        )

    def conformance(self) -> "type[Conformance[Any]]":
        """Return the test suite that authors of its players inherit.

        The default asks players at the turns of random rounds, as
        `tourney.testing.GameConformance` does with all installed rules.
        """
        from tourney.game.conformance import TurnConformance

        return TurnConformance

    def mutants(self) -> "Mutants | None":
        """Return classes with bugs, for grading tests; by default the game has no such classes."""
        return None

    def programs(self) -> "Mapping[str, Program]":
        """Return the programs of `tourney play`, by name."""
        return {}

    def solver(self, rules: Any) -> "Solver | None":
        """Return a solver that computes exact values; `None` if the game has no solver."""
        del rules
        return None

    def story(self, rules: Any) -> "Story[Any]":
        """Return how hands are shown, for some rules of the game; by default turn by turn."""
        from tourney.game.hand_history import Story

        return Story(rules)


def _leave_seat_empty() -> NoReturn:
    raise LookupError("this seat has no player; a stand-in takes the first legal action")


class Sparring(NamedTuple):
    """The opponents of a checked player; once, one of them also plays in its place."""

    make: "Callable[[], BasePlayer]" = _leave_seat_empty
    told: str = "a player that always takes the first legal action"
    answer: str = "answer"  # noun for an answer of a player


class Program(NamedTuple):
    """An interactive program of a game, `tourney play NAME`; it is imported when it is called."""

    home: str  # module with the click command NAME_command
    summary: str  # first sentence of its help


class Found(NamedTuple):
    """A player for a program: a class of this process, or a pool in another process."""

    kind: "type[BasePlayer] | None" = None
    pool: "AnyPool | None" = None
    words: "Callable[[Verdict], str] | None" = None
    """Explains a fault to the player's author; None for the program's own words."""


class Competitors(ABC):
    """Finds the players of a program: the object of click's context, set by the platform."""

    @abstractmethod
    def found(self, player: str, rules: Any, *, trusts: bool) -> AbstractContextManager[Found]:
        """Find a player; its process ends with the context.

        Args:
            player: A name or the path of a file, as typed.
            rules: The rules to play by.
            trusts: Whether a file may run with the user's permissions.
        Raises: TourneyError, if there is no such player or it cannot play.
        """
