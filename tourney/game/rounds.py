"""A table for games that are played in rounds from freshly shuffled cards.

The rules of a round are in a separate class; see `Round` for its interface.
"""

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from operator import gt, neg
from typing import TYPE_CHECKING, Any, Protocol

from tourney.errors import PluginFailedError, RulesError
from tourney.game.asking.player_calls import CompetitorError
from tourney.game.asking.printable_text import with_article
from tourney.game.cards.card import Card
from tourney.game.cards.generator import Luck
from tourney.game.cards.shoe import make_shoe
from tourney.game.ledger import Account, BlockResult
from tourney.game.ledger.running_hash import cards_word, mix
from tourney.game.protocol import Game
from tourney.game.seats import play_here
from tourney.game.turns import ActionT, Flow, FlowTable, MakePlayer, Turn, ViewT_co

if TYPE_CHECKING:  # rules import their game, so this would be a cycle
    from tourney.game.blocks import Block
    from tourney.game.turns import Watcher


CODES = 255
"""Actions that one byte of a digest can tell apart; larger codes take two."""


class Round(Protocol[ViewT_co, ActionT]):
    """The state of a round; it enforces the rules. Seats are numbered by their turn in the round.

    It has no clock, no randomness and no players: chance comes from the cards that it is opened
    with and from the table's `luck`, decisions through `apply_action`.
    """

    @property
    def to_act(self) -> int | None:
        """The seat that must act; `None` once the round is over."""

    def observation(self, seat: int, /) -> ViewT_co:
        """Return everything that a person in that seat sees."""

    def legal_actions(self) -> tuple[ActionT, ...]:
        """Return the legal actions of the seat that must act; a stand-in takes the first one."""

    def apply_action(self, action: ActionT, /) -> Any:
        """Take a legal action and return a frozen record of it, for watchers."""

    def wagers(self) -> Sequence[int]:
        """Return the wagers of all seats, once the round is over; 0 in a game of points."""

    def results(self) -> Sequence[int]:
        """Return the net results or points of all seats, once the round is over."""


class RoundTable(FlowTable[ViewT_co, ActionT]):
    """Plays round after round from freshly shuffled cards; a stand-in replaces a player that fails.

    Subclasses define `open`. The block ends when its rounds are played, or before a round that a
    seat cannot afford.
    """

    call = "act"
    """The method of players that is called; if the contract lacks it, its only abstract method."""
    decks = 1
    """Decks in the shoe, which is shuffled for every round; every order is equally likely.

    0 for a game without cards.
    """
    pack: Collection[Card] | None = None
    """The cards that play; all others are burned as they come. `None`: the whole shoe plays."""

    def __init__(
        self,
        game: Game[Any, ViewT_co, ActionT],
        block: "Block",
        accounts: Sequence[Account],
        watcher: "Watcher | None" = None,
    ) -> None:
        """Set up the table; see `Game.table`."""
        self.game, self.block, self.accounts = game, block, accounts
        self.watcher = watcher
        self.luck = Luck(block.shoe_key)
        """Random numbers for everything but cards; a round may draw from it until it ends."""
        self._shoe = make_shoe(self.decks, "uniform", block.shoe_key) if self.decks else None
        self._order = list(range(len(accounts)))  # seats by their turns in the round
        self._absent: set[int] = set()  # seats that a stand-in plays
        self._rounds = self._cards = 0
        self._bounds = game.round_bounds(block.rules, block.minimum)
        contract = game.contract()
        if not hasattr(contract, self.call):
            self.call = _only_method(contract)

    @abstractmethod
    def open(self, bankrolls: tuple[int, ...], cards: Iterator[Card]) -> Round[ViewT_co, ActionT]:
        """Open a round.

        Args:
            bankrolls: Bankrolls or points, by turn.
            cards: The shoe; the round may draw from it until it ends. Empty if `decks` is 0.
        """

    def goes_on(self, bankrolls: Collection[int]) -> bool:
        """Return whether another round is played, from the bankrolls or points of all seats."""
        rules, minimum = self.block.rules, self.block.minimum
        if rules.limit is not None and max(bankrolls) >= rules.limit:
            return False
        return all(rules.may_play(each, minimum) for each in bankrolls)

    def code(self, action: ActionT, legal: tuple[ActionT, ...]) -> int:
        """Encode an action as a number from 0 to 65,024, for the digest of the block."""
        return legal.index(action)

    def flow(self) -> Flow[ViewT_co, ActionT]:
        """Play the block."""
        first = self.block.key.first_round
        for number in range(first, first + self.block.rounds):
            if not self.goes_on(self._bankrolls()):
                self._send_off(number - 1)
                break
            yield from self._play_round(number)
            if self.block.state.moves_button:
                self._order.append(self._order.pop(0))

    def result(self) -> BlockResult:
        """Return the result."""
        seats = tuple(account.result() for account in self.accounts)
        return BlockResult(self.block.key, self._rounds, self._rounds, self._cards, seats)

    def fault(self, seat: int, fault: CompetitorError, number: int) -> None:
        """Let a stand-in play for a seat; its results count for the seat."""
        account, verdict = self.accounts[seat], fault.verdict
        account.verdict, account.left_round = verdict, number
        self._absent.add(seat)
        if self.watcher:
            self.watcher.asked(seat, verdict.call, verdict.seen, "")
            self.watcher.faulted(self._order.index(seat), verdict)

    def play(self, make_player: MakePlayer) -> BlockResult:
        """Play the block with players that are made in this process."""
        return play_here(self, self.block, self.accounts, make_player)

    def _play_round(self, number: int) -> Flow[ViewT_co, ActionT]:
        self._announce(number)
        dealt: list[Card] = []
        state = self._opened(number, dealt)
        codes: list[list[int]] = [[] for _ in self._order]
        # A hot loop: apart from the players' code, most time is spent here.
        watcher, absent, order, code = self.watcher, self._absent, self._order, self.code
        turns = range(len(order))
        while (turn := state.to_act) is not None:
            if not isinstance(turn, int) or turn not in turns:
                expected = f"None or a seat from 0 to {len(order) - 1} as to_act"
                raise self._unexpected(number, expected, turn)
            legal, seat = state.legal_actions(), order[turn]
            if not legal:
                raise self._wrong(number, f"legal_actions() is empty for seat {seat + 1}")
            action = legal[0]
            if seat not in absent:
                asked = Turn(seat, number, self.call, state.observation(turn), legal)
                answer = yield asked
                if watcher or isinstance(answer, CompetitorError):
                    action = self._taken(asked, answer)
                else:
                    action = answer
            coded = code(action, legal)
            if coded < CODES:
                codes[turn].append(coded)
            else:
                codes[turn] += divmod(coded, CODES)
            if watcher:
                watcher.acted(turn, legal.index(action), self.game.told(action))
            record = state.apply_action(action)
            if watcher:
                watcher.happened(record)
        self._settle(number, state, dealt, codes)
        if watcher:
            watcher.closed(number, self._bankrolls())

    def _announce(self, number: int) -> None:
        watcher = self.watcher
        if watcher and self.block.rules.most_points is None:
            watcher.seated(tuple(self._order))
        if watcher:
            watcher.opened(number, self._bankrolls())
        self.luck.begin(number)
        if self._shoe:
            self._shoe.shuffle()
            if watcher:
                watcher.shuffled(self._shoe)

    def _opened(self, number: int, dealt: list[Card]) -> Round[ViewT_co, ActionT]:
        """Open a round, and collect the cards that it draws."""
        state = self.open(self._bankrolls(), self._dealing(dealt))
        if not hasattr(state, "apply_action"):
            raise self._unexpected(number, "a round from open()", state)
        return state

    def _dealing(self, dealt: list[Card]) -> Iterator[Card]:
        """Deal, and collect the dealt cards."""
        for card in self._shoe.cards if self._shoe else ():
            dealt.append(card)
            if self.pack is None or card in self.pack:
                yield card

    def _taken(self, turn: Turn[ViewT_co, ActionT], answer: ActionT | CompetitorError) -> ActionT:
        """Report an answer to the watcher and return the resulting action."""
        if self.watcher:
            self.watcher.faced(turn.seat, turn.view, turn.legal)
        if isinstance(answer, CompetitorError):
            answer.at(self.game.seen(turn))
            self.fault(turn.seat, answer, turn.round)
            return turn.legal[0]
        if self.watcher:
            seen, told = self.game.seen(turn), self.game.told(answer)
            self.watcher.asked(turn.seat, turn.call, seen, told)
        return answer

    def _settle(
        self,
        number: int,
        state: Round[ViewT_co, ActionT],
        dealt: Sequence[Card],
        codes: Sequence[Sequence[int]],
    ) -> None:
        self._rounds += 1
        self._cards += len(dealt)
        word = cards_word([card.code for card in dealt])
        if self.luck.word:
            word = mix(word, self.luck.word)
        wagers, results = state.wagers(), state.results()
        self._check_ends(number, wagers, results)
        ends = zip(self._order, wagers, results, codes, strict=True)
        for turn, (seat, wager, net, actions) in enumerate(ends):
            if self.watcher:
                self.watcher.settled(turn, wager, net)
            account = self.accounts[seat]
            account.see_shoe(word)
            account.settle(wager, net, cards_word(actions), len(dealt))

    def _check_ends(self, number: int, wagers: Sequence[int], results: Sequence[int]) -> None:
        """Reject results that a round cannot have."""
        seats, most = len(self._order), self.block.rules.most_points
        for name, numbers in (("wagers", wagers), ("results", results)):
            if not isinstance(numbers, Sequence):
                raise self._unexpected(number, f"a tuple of numbers from {name}()", numbers)
        ends = f"wagers {wagers} and results {results}"
        if len(wagers) != seats or len(results) != seats:
            raise self._wrong(number, f"there are {seats} seats, but {ends}")
        if any(type(each) is not int for each in (*wagers, *results)):
            raise self._wrong(number, f"wagers and results must be whole numbers, not {ends}")
        if min(wagers) < 0:
            raise self._wrong(number, f"expected wagers from 0, got {min(wagers)}")
        if most is not None and not 0 <= min(results) <= max(results) <= most:
            raise self._wrong(number, f"expected from 0 to {most} points, got {results}")
        if most is None and any(map(gt, map(neg, results), self._bankrolls())):
            lost = f"bankrolls {self._bankrolls()} and results {results}"
            raise self._wrong(number, f"a seat loses more than its bankroll: {lost}")
        if self._bounds and not self._bounds[0] <= min(results) <= max(results) <= self._bounds[1]:
            low, high = self._bounds
            outside = f"results {results} are outside of round_bounds, {low} to {high}"
            raise self._wrong(number, outside)

    def _unexpected(self, number: int, expected: str, got: object) -> PluginFailedError:
        kind = "" if got is None else f", {with_article(type(got).__name__)}"
        return self._wrong(number, f"expected {expected}, got {got!r:.60}{kind}")

    def _wrong(self, number: int, problem: str) -> PluginFailedError:
        return PluginFailedError(f"game {self.game.name}, round {number}: {problem}")

    def _send_off(self, last_round: int) -> None:
        """Record the seats that cannot play on, after the last round."""
        rules, minimum = self.block.rules, self.block.minimum
        for account in self.accounts:
            if account.left_round is None and not rules.may_play(account.bankroll, minimum):
                account.left_round = last_round

    def _bankrolls(self) -> tuple[int, ...]:
        return tuple([self.accounts[seat].bankroll for seat in self._order])


def _only_method(contract: type) -> str:
    """Return the name of a contract's only abstract method."""
    methods: list[str] = sorted(getattr(contract, "__abstractmethods__", ()))
    if len(methods) != 1:
        names = f" ({', '.join(methods)})" if methods else ""
        raise RulesError(
            f"contract {contract.__name__} has no method act, and {len(methods)} abstract "
            f"methods{names} instead of one; set call = … in the table"
        )
    return methods[0]
