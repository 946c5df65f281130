"""The reference table of blackjack: rounds played by objects, one after another.

Faster engines must give the same result for each block.
"""

from collections.abc import Sequence

from tourney.game.asking.player_calls import CompetitorError
from tourney.game.blocks import TableState
from tourney.game.cards.card import Card
from tourney.game.cards.shoe import Shoe
from tourney.game.ledger.running_hash import cards_word
from tourney.game.turns import Watcher
from tourney.games.blackjack.action import ACTION_CODES, HIT_OR_STAND, Action
from tourney.games.blackjack.asking.seats import (
    SHUFFLED,
    PlayerSeat,
    StandIn,
    action_seen,
    draw_seen,
    fixed_seen,
    wager_seen,
)
from tourney.games.blackjack.luck import Luck
from tourney.games.blackjack.records import Dealt, Revealed
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.rules import BlackjackRules

AnyOccupant = PlayerSeat | StandIn
NO_HEAT = TableState()


class TableLoop:
    """Occupants, a shoe and the rules, for a number of rounds."""

    def __init__(
        self,
        rules: BlackjackRules,
        shoe: Shoe,
        limits: tuple[int, int],
        *,
        watcher: Watcher | None = None,
        heat: TableState = NO_HEAT,
        luck: Luck | None = None,
    ) -> None:
        """Set up a table.

        Args:
            rules: The rules.
            shoe: The cards; the table shuffles it.
            limits: Minimum and maximum bet, in the unit of the rules.
            watcher: Receives all events.
            heat: Defines whether the order of play rotates, and when bets are secret.
            luck: Sums the luck of the cards.
        """
        self._luck = luck
        self._rules, self._heat = rules, heat
        self._shoe = shoe
        self._minimum, self._maximum = limits
        self._watcher = watcher
        self._is_hit_or_stand = rules.is_hit_or_stand
        self._wager_of = self._ask_wager if rules.wager == "chosen" else self._fixed_wager
        self._least_bankroll = rules.least_bankroll(self._minimum)
        self._occupants: list[AnyOccupant] = []
        self._players = 0  # occupants that are not stand-ins
        self._is_any_seat_broke = False
        self._dealt: list[Card] = []  # cards of earlier rounds of the shoe, in order
        self._exposures: list[Card | None] = []
        self._is_watched = False
        self._collected = 0  # cards of the round that have been counted
        self._told = 0  # records of the round that have been exposed
        self.rounds = self.shuffles = self.cards = 0
        self.rounds_left = 0
        self.wagers: list[int] = []  # placed in the round so far, by occupant
        self._is_secret = False  # whether they are still hidden

    def play(self, occupants: Sequence[AnyOccupant], first_round: int, rounds: int) -> None:
        """Play until the rounds are used up or no player is left.

        Args:
            occupants: In order of play.
            first_round: Number of the first round.
            rounds: Most rounds.
        """
        self._occupants = list(occupants)
        self._players = sum(not occupant.is_stand_in for occupant in occupants)
        self._is_watched = self._watcher is not None or any(
            occupant.watches for occupant in occupants
        )
        self._shuffle()
        last_round = first_round + rounds - 1
        self._send_off(first_round - 1)
        for number in range(first_round, last_round + 1):
            if not self._players:
                break
            self.rounds_left = last_round - number + 1
            self._play_round(number)
        self._close()

    @property
    def button(self) -> int:
        """Return the seat that begins the round."""
        return self._occupants[0].account.seat

    def wagers_shown(self) -> dict[int, int]:
        """Return the visible wagers of the round, by seat, in the unit of the rules."""
        if self._is_secret:
            return {}
        placed = zip(self._occupants, self.wagers, strict=False)  # some may not have wagered yet
        return {occupant.account.seat: wager for occupant, wager in placed}

    def _send_off(self, last_round: int) -> None:
        """Remove seats that cannot continue, after their last round."""
        self._is_any_seat_broke = False
        for occupant in self._occupants:
            account = occupant.account
            if account.bankroll < self._least_bankroll:
                account.left_round = last_round
                account.see_shoe(self._shoe_word())
                self._players -= 1
                # The loop iterates over the original list.
                self._occupants = [other for other in self._occupants if other is not occupant]

    def _make_ready(self, number: int) -> None:
        """Move the button for the next round, and remove seats that cannot play it."""
        if self._heat.moves_button:
            self._occupants.append(self._occupants.pop(0))
        if self._is_any_seat_broke:
            self._send_off(number)

    def _play_round(self, number: int) -> None:
        if self._watcher:
            self._watcher.seated(tuple(occupant.account.seat for occupant in self._occupants))
            self._watcher.opened(number, self._bankrolls())
        dealt = len(self._dealt)
        if dealt and self._rules.must_shuffle(self._shoe.size - dealt, self._shoe.size):
            self._shuffle()
        self._take_wagers(number)
        if not self._players:
            return
        self.rounds += 1
        if self._luck:
            self._luck.open(self.wagers)
        state = Round(self._rules, self.wagers, self._behind())
        actions = [0] * len(self.wagers)
        while not state.is_over:
            turn = state.to_act
            if turn is None:
                try:
                    state.deal(self._shoe.cards)
                except StopIteration:
                    self._go_on_from_discards(state)
            else:
                action = self._ask_action(turn, state)
                actions[turn] = actions[turn] * ACTION_CODES + action
                state.apply_action(action)
        self._settle(state, actions)
        if self._watcher:
            self._watcher.closed(number, self._bankrolls())
        self._make_ready(number)

    def _behind(self) -> list[int] | None:
        """Return the chips that seats can still stake; only needed if the rules allow further
        stakes.
        """
        if self._is_hit_or_stand:
            return None
        wagers = zip(self._occupants, self.wagers, strict=True)
        return [occupant.account.bankroll - wager for occupant, wager in wagers]

    def _take_wagers(self, number: int) -> None:
        """Ask each seat for its wager before any card is dealt."""
        self.wagers = []
        self._is_secret = number in self._heat.secret_rounds
        for turn, occupant in enumerate(self._occupants):
            occupant.round = number
            try:
                wager = self._wager_of(occupant)
            except CompetitorError as fault:
                wager = self._minimum
                self._replace(turn, fault)
            else:
                if self._watcher:
                    self._watcher.wagered(turn, wager)
            self.wagers.append(wager)
        self._is_secret = False
        if self._is_watched:
            self._exposures.clear()

    def _ask_wager(self, occupant: AnyOccupant) -> int:
        unit, bankroll = self._rules.unit, occupant.account.bankroll
        limits = (
            bankroll // unit,
            self._minimum // unit,
            min(bankroll, self._maximum) // unit,
        )
        try:
            wager = occupant.ask_wager(*limits, self._exposures)
        except CompetitorError as fault:
            fault.at(wager_seen(*limits))
            raise
        finally:
            self._face(occupant, limits)
        if self._watcher and not occupant.is_stand_in:
            self._watcher.asked(occupant.account.seat, "bet", wager_seen(*limits), str(wager))
        return unit * wager

    def _fixed_wager(self, occupant: AnyOccupant) -> int:
        try:
            occupant.catch_up(self._exposures)
        except CompetitorError as fault:
            unit = self._rules.unit
            fault.at(fixed_seen(occupant.account.bankroll // unit, self._minimum // unit))
            raise
        return self._minimum

    def _ask_action(self, turn: int, state: Round) -> Action:
        if self._is_watched:
            self._tell(state)
        occupant, played = self._occupants[turn], state.in_play
        assert played is not None
        if state.asks_insurance and not occupant.acts:
            return Action.DECLINE
        try:
            if occupant.acts:
                legal = state.legal_actions()
                action = occupant.ask_action(state.exposed, played.hand, legal, self._exposures)
            else:
                draws = occupant.ask_draw(state.upcard, played.hand, self._exposures)
                action = Action.HIT if draws else Action.STAND
        except CompetitorError as fault:
            fault.at(self._seen(turn, state))
            self._face(occupant, state, state.legal_actions())
            wager = self.wagers[turn]
            occupant.account.settle(wager, -wager, 0, len(self._dealt))
            if self._watcher:
                self._watcher.settled(turn, wager, -wager)
            self._replace(turn, fault)
            return state.legal_actions()[0]
        if self._watcher and not occupant.is_stand_in:
            self._face(occupant, state, state.legal_actions())
            call, seen = "act" if occupant.acts else "draw", self._seen(turn, state)
            self._watcher.asked(occupant.account.seat, call, seen, action.name.lower())
        return action

    def _face(self, occupant: AnyOccupant, view: object, legal: Sequence[Action] = ()) -> None:
        """Show the watcher the situation of a seat that has answered or failed."""
        if self._watcher and not occupant.is_stand_in:
            answers = legal if occupant.acts else legal and HIT_OR_STAND
            self._watcher.faced(occupant.account.seat, view, answers)

    def _seen(self, turn: int, state: Round) -> str:
        """Describe the situation of the next seat."""
        occupant, unit, played = self._occupants[turn], self._rules.unit, state.in_play
        assert played is not None
        wager = self.wagers[turn]
        chips = ((occupant.account.bankroll - wager) // unit, wager // unit)
        hand = played.hand.cards
        if occupant.acts:
            return action_seen(chips, state.exposed.cards, hand, state.legal_actions())
        return draw_seen(chips, state.upcard, hand)

    def _go_on_from_discards(self, state: Round) -> None:
        """Start the next shoe in the middle of a round."""
        if self._is_watched:
            self._tell(state)
        if self._luck:
            self._luck.follow(state.records)
        self._collect(state)
        self._end_shoe()
        self._shoe.shuffle_discards(state.cards)
        self._begin_shoe(state.cards)

    def _collect(self, state: Round) -> None:
        """Count the cards that the round has taken from this shoe."""
        self._dealt += state.cards[self._collected :] if self._collected else state.cards
        self._collected = len(state.cards)

    def _tell(self, state: Round) -> None:
        """Expose the events of the round since the last call."""
        told = self._told
        for record in state.records[told:]:
            if isinstance(record, Revealed) or (isinstance(record, Dealt) and record.is_face_up):
                self._exposures.append(record.card)
            if self._watcher:
                self._watcher.happened(record)
        self._told = len(state.records)

    def _settle(self, state: Round, actions: list[int]) -> None:
        if self._is_watched:
            self._tell(state)
            self._told = 0
        self._collect(state)
        self._collected = 0
        dealt = len(self._dealt)
        lucks: Sequence[int] = ()
        if self._luck:
            self._luck.follow(state.records)
            lucks = self._luck.close()
            for occupant, luck in zip(self._occupants, lucks, strict=True):
                occupant.account.add_luck(luck)
        for turn, net in enumerate(state.results()):
            occupant = self._occupants[turn]
            account = occupant.account
            account.settle(self.wagers[turn], net, actions[turn], dealt)
            if self._watcher and not occupant.is_stand_in:
                self._watcher.settled(turn, self.wagers[turn], net, lucks[turn] if lucks else None)
            if account.bankroll < self._least_bankroll:
                self._is_any_seat_broke = True
        self.wagers = []

    def _replace(self, turn: int, fault: CompetitorError) -> None:
        """Close the account of a seat at fault and replace its player with a stand-in.

        The stand-in keeps the cards of all other seats unchanged.
        """
        account = self._occupants[turn].account
        account.verdict = fault.verdict
        account.left_round = fault.verdict.round
        account.see_shoe(self._shoe_word())
        self._occupants[turn] = StandIn(account.seat)
        self._players -= 1
        if self._watcher:
            self._watcher.asked(account.seat, fault.verdict.call, fault.verdict.seen, "")
            self._watcher.faulted(turn, fault.verdict)

    def _shuffle(self) -> None:
        self._end_shoe()
        self._shoe.shuffle()
        self._begin_shoe()

    def _begin_shoe(self, on_table: Sequence[Card] = ()) -> None:
        self.shuffles += 1
        if self._luck:
            self._luck.begin_shoe(on_table)
        if self._is_watched:
            self._exposures.append(SHUFFLED)
        if self._watcher:
            self._watcher.shuffled(self._shoe)

    def _end_shoe(self) -> None:
        if self._dealt:
            self.cards += len(self._dealt)
            word = self._shoe_word()
            for occupant in self._occupants:
                occupant.account.see_shoe(word)
            self._dealt = []

    def _shoe_word(self) -> int:
        return cards_word([card.code for card in self._dealt])

    def _close(self) -> None:
        """Show all seats the last cards and close the accounts."""
        for turn, occupant in enumerate(self._occupants):
            try:
                occupant.show_rest(self._exposures)
            except CompetitorError as fault:
                self._replace(turn, fault)
        self._end_shoe()

    def _bankrolls(self) -> tuple[int, ...]:
        return tuple(occupant.account.bankroll for occupant in self._occupants)
