"""The game of blackjack, as the platform sees it.

The table asks its players itself, with several kinds of questions. Machine code plays thousands of
tables up to their questions, which are laid out in arrays.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tourney.game import Game
from tourney.game.ledger import Account
from tourney.game.protocol import Program

if TYPE_CHECKING:  # these are imported only when they are needed
    from tourney.game.accelerators import Kernels, Lockstep, NativeContract
    from tourney.game.arrays import NDArray
    from tourney.game.blocks import Block
    from tourney.game.counting import Counting
    from tourney.game.examiner import Examiner
    from tourney.game.hand_notation import Notation
    from tourney.game.mutants import Mutants
    from tourney.game.players import Undeclared
    from tourney.game.solver import Solver
    from tourney.game.templates import Templates
    from tourney.game.turns import Watcher
    from tourney.games.blackjack.asking.pool import Pool
    from tourney.games.blackjack.asking.questions_codec import QuestionsCodec
    from tourney.games.blackjack.declaration import Declaration
    from tourney.games.blackjack.history.hand_history import BlackjackStory
    from tourney.games.blackjack.players.player import Player
    from tourney.games.blackjack.rules import BlackjackRules
    from tourney.games.blackjack.table import BlackjackTable
    from tourney.games.blackjack.testing.conformance import PlayerConformance

TAUGHT = ("simple", "counting", "mimic", "never-bust", "ramp")
"""Players for a single deck and two moves, as in VE280."""
STARTERS: Mapping[str, Sequence[str]] = {
    "ve280": TAUGHT,
    "eecs280": TAUGHT,
    "easybj": ("easybj-chart", "mimic-chart", "never-bust-chart", "simple"),
    "csc24400": ("simple", "sharp", "mimic", "never-bust"),
    "single-deck": ("basic-single-deck", "simple", "mimic", "never-bust"),
    "double-deck": ("basic-six-decks-h17", "simple", "mimic", "never-bust"),
    "six-decks-h17": ("basic-six-decks-h17", "counter", "simple", "mimic", "never-bust"),
    "six-decks-s17": ("basic-six-decks-s17", "counter", "simple", "mimic", "never-bust"),
    "european": ("basic-european", "counter", "simple", "mimic", "never-bust"),
}
"""Strategies of a new tournament by preset, no two of which play alike."""


class Blackjack(Game["Player", Any, Any]):
    """Seats against the dealer, in many variants."""

    name = "blackjack"
    version = 1

    def contract(self) -> "type[Player]":
        """Return the base class of players."""
        from tourney.games.blackjack.players.player import Player

        return Player

    def table(
        self, block: "Block", accounts: Sequence[Account], watcher: "Watcher | None" = None
    ) -> "BlackjackTable":
        """Set up a table."""
        from tourney.games.blackjack.table import BlackjackTable

        return BlackjackTable(block, accounts, watcher)

    def examiner(self, rules: "BlackjackRules") -> "Examiner":
        """Return the examiner, which asks about rare hands."""
        from tourney.games.blackjack.check.examiner import BlackjackExaminer

        return BlackjackExaminer(rules)

    def same_contract(self, one: Any, other: Any) -> bool:
        """Return whether players see no difference between rules; the shuffle may differ."""
        return bool(replace(one, shuffle="uniform") == replace(other, shuffle="uniform"))

    def templates(self, rules: Any) -> "Templates":
        """Return the files of a new player, for these rules."""
        from tourney.games.blackjack.authoring import templates_of

        return templates_of(rules)

    def learned(self, rules: Any, policy: "Mapping[str, NDArray[Any]]") -> "Templates":
        """Return a chart for a table of values, or a class for a network."""
        from tourney.games.blackjack.authoring import policy_templates

        return policy_templates(rules, policy)

    def conformance(self) -> "type[PlayerConformance]":
        """Return the conformance suite for players with `draw`."""
        from tourney.games.blackjack.testing.conformance import PlayerConformance

        return PlayerConformance

    def mutants(self) -> "Mutants":
        """Return Decks, Hands and players of the course documents, with bugs."""
        from tourney.games.blackjack.testing.mutants import MUTANTS

        return MUTANTS

    def programs(self) -> "Mapping[str, Program]":
        """Return the courses' programs."""
        home = "tourney.games.blackjack.programs"
        return {
            "ve280": Program(f"{home}.command", "VE280 project 4."),
            "eecs280": Program(f"{home}.command", "EECS 280 project 4, winter 2008."),
            "easybj": Program(f"{home}.easybj.program", "Easy Blackjack, ECE 326 assignment 1."),
            "csc24400": Program(f"{home}.csc24400", "CSC 24400 project 4."),
        }

    def solver(self, rules: "BlackjackRules") -> "Solver":
        """Return the exact solver."""
        from tourney.games.blackjack.exact.evaluation import BlackjackSolver

        return BlackjackSolver(rules)

    def story(self, rules: Any) -> "BlackjackStory":
        """Return the writers and readers of hand histories."""
        from tourney.games.blackjack.history.hand_history import BlackjackStory

        return BlackjackStory(rules)

    def codec(self) -> "QuestionsCodec":
        """Return the codec of questions."""
        from tourney.games.blackjack.asking.questions_codec import QuestionsCodec

        return QuestionsCodec()

    @classmethod
    def pool(cls) -> "Callable[[Callable[[], Player]], Pool]":
        """Import the pool of players and create the objects that it shows, before a process is
        forked.
        """
        from tourney.games.blackjack.asking.pool import Pool
        from tourney.games.blackjack.asking.views import hands_of_two

        hands_of_two()
        return Pool

    def notations(self) -> "Mapping[str, Notation]":
        """Return charts as a notation of competitors."""
        from tourney.games.blackjack.players.chart import ChartNotation

        return {"chart": ChartNotation()}

    def strategy_options(self, preset: str, strategy: str) -> "Mapping[str, object]":
        """Give Counting its all-in bet in EECS 280: see clause 52 of the rules."""
        is_open = (preset, strategy) == ("eecs280", "counting")
        return {"short": "rest"} if is_open else {}

    def starters(self, preset: str) -> Sequence[str]:
        """Return players that differ under the rules of a course or a casino."""
        return STARTERS.get(preset, ())

    def native_contracts(self) -> "tuple[NativeContract, ...]":
        """Return the courses' headers."""
        from tourney.games.blackjack.native import CONTRACTS

        return CONTRACTS

    def misfit(self, kind: "type[Player]", rules: Any) -> str:
        """Return the reason why a chart cannot play by these rules."""
        from tourney.games.blackjack.players.chart import ChartPlayer

        return kind.chart.misfit(rules) if issubclass(kind, ChartPlayer) else ""

    def promises(self, kind: "type[Player]") -> bool:
        """Return whether a class plays by a chart or has pure methods."""
        from tourney.games.blackjack.players.chart import ChartPlayer

        methods = (kind.draw, kind.act)
        return issubclass(kind, ChartPlayer) or any(hasattr(each, "promise") for each in methods)

    def declare(self, player: "Player", rules: Any) -> "Declaration | Undeclared":
        """Return the player's declaration, or the reason why it has no declaration."""
        from tourney.games.blackjack.players.declaration_request import declaration_of

        return declaration_of(player, rules)

    def why_luck_stays(self, rules: "BlackjackRules") -> str:
        """Return the reason why luck is unknown with this shuffle; empty if it is known."""
        if rules.shuffle == "uniform":
            return ""
        return (
            f"luck is unknown, because shuffle: {rules.shuffle} does not make every order of the "
            "shoe equally likely (use shuffle: uniform for a ranking)"
        )

    def round_bounds(self, rules: "BlackjackRules", minimum: int) -> tuple[int, int] | None:
        """Return bounds if all wagers are the minimum; chosen wagers have no useful bounds."""
        if rules.wager != "minimum":
            return None
        hands = 1 if rules.split == "never" else rules.hands
        stake = minimum * hands * (1 if rules.double == "never" else 2)
        insurance = 0 if rules.insurance == "never" else minimum // 2
        return -stake - insurance, max(stake, rules.natural_net(minimum))

    def counting(self, rules: "BlackjackRules", text: str, declared: object) -> "Counting":
        """Return a counter of the cards left in the shoe."""
        from tourney.games.blackjack.history.decision_log import counting_of

        return counting_of(rules, text, declared)

    def best_play(self, rules: "BlackjackRules", minimum: int) -> float | None:
        """Compute the value of optimal play, if each round has a full shoe."""
        from tourney.games.blackjack.exact.evaluation import best_play

        return best_play(rules, minimum)

    def kernels(self) -> "Kernels":
        """Return the compiled engine."""
        from tourney.games.blackjack.engines.interfaces import BlackjackKernels

        return BlackjackKernels()

    def lockstep(self) -> "Lockstep":
        """Return the lockstep engine."""
        from tourney.games.blackjack.engines.interfaces import BlackjackLockstep

        return BlackjackLockstep()


BLACKJACK = Blackjack()
