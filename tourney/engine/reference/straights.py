"""Playing a block of Straights: four seats, a new deal every round, points that add up.

Whatever a player does wrong ends in a verdict, and a stand-in plays its seat on to the end of
the block: the first legal card each time. The points of the stand-in are the seat's.
"""

from collections.abc import Callable, Sequence
from typing import Any

from tourney.asking.seated import CompetitorFault, Seated
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


class StraightsChair(Seated[StraightsPlayer]):
    """One seat's player and account, and the only place where a player of Straights is called."""

    __slots__ = ()

    def ask_card(self, view: StraightsView, legal: Sequence[Card]) -> Card:
        """Ask for a card to play, or to discard if none can be played.

        Raises: CompetitorFault, if there is no legal answer.
        """
        try:
            self.call = "play"
            answer = self.player.play(view)
            # The table's own card, which nobody has tampered with.
            found = [card for card in legal if type(answer) is Card and card == answer]
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise self.raised(error) from error
        if not found:
            what = "discard one of" if view.must_discard else "play one of"
            raise self.refused(f"to {what} {', '.join(map(str, legal))}", answer)
        self.decisions += 1
        return found[0]


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

    def play(self, first_round: int, rounds: int) -> None:
        """Play until the rounds are used up or the game is over.

        Args:
            first_round: Number of the first round.
            rounds: How many at most.
        """
        limit = self._rules.limit
        for number in range(first_round, first_round + rounds):
            if limit is not None and max(self._scores()) >= limit:
                break
            self._play_round(number)

    def _play_round(self, number: int) -> None:
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
            try:
                return chair.ask_card(state.observation(seat), legal)
            except CompetitorFault as fault:
                self._replace(seat, fault, number)
        return legal[0]

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
        if self._watcher:
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
    accounts = [
        Account(number, seat.entrant, seat.bankroll) for number, seat in enumerate(block.seats)
    ]
    table = StraightsTable(rules, make_shoe(1, "uniform", block.shoe_key), accounts, watcher)
    for number, seat in enumerate(block.seats):

        def make(entrant: int = seat.entrant, key: bytes = seat.random_key) -> StraightsPlayer:
            player: StraightsPlayer = make_player(entrant)
            give_luck(player, int.from_bytes(key, "little"))
            return player

        table.sit(number, make, block.key.first_round)
    table.play(block.key.first_round, block.rounds)
    return BlockResult(
        key=block.key,
        rounds=table.rounds,
        shuffles=table.rounds,
        cards=table.rounds * DECK_SIZE,
        seats=tuple(account.result() for account in accounts),
    )
