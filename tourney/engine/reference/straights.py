"""Playing a block of Straights: four seats, a new deal every round, points that add up.

Whatever a player does wrong ends in a verdict, and a stand-in plays its seat on to the end of
the block: the first legal card each time. The points of the stand-in are the seat's.
"""

from collections.abc import Callable, Collection, Generator, Sequence
from typing import Any, NamedTuple, TypeAlias

from tourney.asking.observed import cards_seen, play_seen
from tourney.asking.seated import CompetitorFault
from tourney.asking.straights_chair import StraightsChair
from tourney.cards.card import DECK_SIZE, Card
from tourney.cards.shoe import Shoe, make_shoe
from tourney.engine.reference.watcher import Watcher
from tourney.games.straights.records import SEATS
from tourney.games.straights.round import HAND_SIZE, Round
from tourney.games.straights.rules import StraightsRules
from tourney.games.straights.view import StraightsView
from tourney.ledger import Account, BlockResult
from tourney.ledger.mix import cards_word
from tourney.players import StraightsPlayer, give_luck
from tourney.schedule import Block


class Turn(NamedTuple):
    """A turn of a seat whose player sits elsewhere."""

    seat: int  # at the table
    round: int
    view: StraightsView


Flow: TypeAlias = Generator[Turn, Card | CompetitorFault, None]
"""A table at play: gives turns of seats that sit elsewhere, and takes what they answered."""


class StraightsTable:
    """Four chairs and the cards, for some rounds or one game."""

    def __init__(
        self,
        rules: StraightsRules,
        shoe: Shoe,
        accounts: Sequence[Account],
        watcher: Watcher | None = None,
    ) -> None:
        """Set up a table.

        Args:
            rules: What is allowed, and at how many points a game ends.
            shoe: Where cards come from; the table shuffles it for every round.
            accounts: Of the seats, in order of play.
            watcher: Who is told everything that happens, if anybody.
        """
        self._rules = rules
        self._shoe = shoe
        self._accounts = accounts
        self._watcher = watcher
        self._chairs: list[StraightsChair | None] = [None] * len(accounts)
        self._elsewhere: set[int] = set()
        self.rounds = 0

    def sit(self, seat: int, make_player: Callable[[], StraightsPlayer], first: int) -> None:
        """Fill a seat; a player that cannot be made is at fault before the first round.

        Args:
            seat: Which.
            make_player: Makes the player and sits it down.
            first: Number of the first round.
        """
        try:
            self._chairs[seat] = StraightsChair(self._accounts[seat], make_player, first)
        except CompetitorFault as fault:
            self._replace(seat, fault, first)

    def sit_elsewhere(self, seat: int) -> None:
        """Leave a seat to somebody who is asked elsewhere; see `flow`."""
        self._elsewhere.add(seat)

    def fault(self, seat: int, fault: CompetitorFault, number: int) -> None:
        """Take the fault of a player elsewhere that could not be made."""
        self._replace(seat, fault, number)

    def play(self, first_round: int, rounds: int) -> None:
        """Play until the rounds are used up or the game is over; nobody may sit elsewhere.

        Args:
            first_round: Number of the first round.
            rounds: How many at most.
        """
        for turn in self.flow(first_round, rounds):
            raise AssertionError(f"nobody here to ask for seat {turn.seat}")

    def flow(self, first_round: int, rounds: int) -> Flow:
        """Play, and give the turns of seats that sit elsewhere; each takes a card or a fault.

        Args:
            first_round: Number of the first round.
            rounds: How many at most.
        """
        limit = self._rules.limit
        for number in range(first_round, first_round + rounds):
            if limit is not None and max(self._scores()) >= limit:
                break
            yield from self._play_round(number)

    def _play_round(self, number: int) -> Flow:
        if self._watcher:
            self._watcher.opened(number, self._scores())
        self._shoe.shuffle()
        cards = list(self._shoe.cards)
        if self._watcher:
            self._watcher.shuffled(self._shoe)
        hands = [cards[seat * HAND_SIZE :][:HAND_SIZE] for seat in range(SEATS)]
        state = Round(hands, self._scores())
        if self._watcher:
            self._watcher.dealt(hands)
        played: list[list[int]] = [[] for _ in hands]
        while (seat := state.to_act) is not None:
            if seat in self._elsewhere:
                view = state.observation(seat)
                card = self._take(view, (yield Turn(seat, number, view)), state, number)
            else:
                card = self._ask(seat, state, number)
            played[seat].append(card.code)
            record = state.apply_action(card)
            if self._watcher:
                self._watcher.happened(record)
        self._settle(state, cards, played)
        if self._watcher:
            self._watcher.closed(number, self._scores())

    def _ask(self, seat: int, state: Round, number: int) -> Card:
        legal = state.legal_actions()
        chair = self._chairs[seat]
        if chair:
            chair.round = number
            view = state.observation(seat)
            try:
                card = chair.ask_card(view, legal)
            except CompetitorFault as fault:
                fault.at(play_seen(view))
                self._replace(seat, fault, number)
                return legal[0]
            if self._watcher:
                self._watcher.asked(seat, "play", play_seen(view), cards_seen([card]))
            return card
        return legal[0]

    def _take(
        self, view: StraightsView, answer: Card | CompetitorFault, state: Round, number: int
    ) -> Card:
        """Take what a player elsewhere answered."""
        if isinstance(answer, CompetitorFault):
            answer.at(play_seen(view))
            self._replace(view.seat, answer, number)
            return state.legal_actions()[0]
        if self._watcher:
            self._watcher.asked(view.seat, "play", play_seen(view), cards_seen([answer]))
        return answer

    def _settle(self, state: Round, cards: Sequence[Card], played: Sequence[list[int]]) -> None:
        self.rounds += 1
        dealt = cards_word([card.code for card in cards])
        results = zip(self._accounts, state.results(), played, strict=True)
        for account, points, codes in results:
            account.see_shoe(dealt)
            account.settle(0, points, cards_word(codes), DECK_SIZE)

    def _replace(self, seat: int, fault: CompetitorFault, number: int) -> None:
        """Let a stand-in play on where a player was at fault."""
        account = self._accounts[seat]
        account.verdict = fault.verdict
        account.left_round = number
        self._chairs[seat] = None
        self._elsewhere.discard(seat)
        if self._watcher:
            self._watcher.asked(seat, fault.verdict.call, fault.verdict.seen, "")
            self._watcher.faulted(seat, fault.verdict)

    def _scores(self) -> tuple[int, ...]:
        return tuple(account.bankroll for account in self._accounts)


def play_straights(
    block: Block,
    rules: StraightsRules,
    make_player: Callable[[int], Any],
    watcher: Watcher | None = None,
) -> BlockResult:
    """Play a block: a pure function of the block and its players.

    Args:
        block: What to play.
        rules: Its rules.
        make_player: Makes a new player for an entrant.
        watcher: Told everything that happens.
    """
    sitting = Sitting(block, rules, make_player, watcher)
    sitting.table.play(block.key.first_round, block.rounds)
    return sitting.result()


class Sitting:
    """A block at its table, from its seating to its result."""

    def __init__(
        self,
        block: Block,
        rules: StraightsRules,
        make_player: Callable[[int], Any],
        watcher: Watcher | None = None,
        elsewhere: Collection[int] = (),
    ) -> None:
        """Seat everybody.

        Args:
            block: What to play.
            rules: Its rules.
            make_player: Makes a new player for an entrant.
            watcher: Told everything that happens.
            elsewhere: Entrants whose players are not made here.
        """
        self.block = block
        self._accounts = [
            Account(number, seat.entrant, seat.bankroll) for number, seat in enumerate(block.seats)
        ]
        shoe = make_shoe(1, "uniform", block.shoe_key)
        self.table = StraightsTable(rules, shoe, self._accounts, watcher)
        for number, seat in enumerate(block.seats):
            if seat.entrant in elsewhere:
                self.table.sit_elsewhere(number)
                continue

            def make(entrant: int = seat.entrant, key: bytes = seat.random_key) -> StraightsPlayer:
                player: StraightsPlayer = make_player(entrant)
                give_luck(player, int.from_bytes(key, "little"))
                return player

            self.table.sit(number, make, block.key.first_round)

    def result(self) -> BlockResult:
        """Read off what came of it."""
        return BlockResult(
            key=self.block.key,
            rounds=self.table.rounds,
            shuffles=self.table.rounds,
            cards=self.table.rounds * DECK_SIZE,
            seats=tuple(account.result() for account in self._accounts),
        )
