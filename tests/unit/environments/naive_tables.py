"""An oracle: environments written on the readable `Round`, one table after another, in Python.

Shares no code with the environments but the rules, the round and the shoes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tourney.game.cards.shoe import make_shoe
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.records import Dealt, Revealed
from tourney.games.blackjack.round import Round
from tourney.games.blackjack.rules import BlackjackRules

Told = dict[str, int]


def high_low(value: int) -> int:
    """Give what a card adds to the count."""
    return -1 if value >= 10 else 1 if value <= 6 else 0


@dataclass
class NaiveTable:
    """A table, whose seat is asked by `told`, `legal` and `choose`."""

    rules: BlackjackRules
    bankroll_at_first: int
    minimum: int
    rounds: int
    choices: Sequence[Action | int]

    def begin(self, key: bytes) -> None:
        """Begin a block."""
        unit = self.rules.unit
        self.least, self.bankroll = self.minimum * unit, self.bankroll_at_first * unit
        self.shoe = make_shoe(self.rules.decks, self.rules.shuffle, key)
        self.number, self.state = 0, None
        self.is_terminated = self.is_truncated = False
        self.shuffle()
        self.next_round()

    def shuffle(self) -> None:
        """Begin a shoe."""
        self.shoe.shuffle()
        self.dealt = self.count = self.seen = 0

    def next_round(self) -> None:
        """Wait for a wager, or end."""
        self.state: Round | None = None
        if not self.rules.may_play(self.bankroll, self.least):
            self.is_terminated = True
        elif self.number == self.rounds:
            self.is_truncated = True
        else:
            self.number += 1
            if self.dealt and self.rules.must_shuffle(self.shoe.size - self.dealt, self.shoe.size):
                self.shuffle()

    @property
    def is_over(self) -> bool:
        """Whether the block is over."""
        return self.is_terminated or self.is_truncated

    def legal(self) -> list[int]:
        """Say of every choice whether it is legal."""
        if self.is_over:
            return [1] * len(self.choices)
        moves = self.state.legal_actions() if self.state else ()
        return [int(self.is_legal(each, moves)) for each in self.choices]

    def is_legal(self, choice: Action | int, moves: Sequence[Action]) -> bool:
        """Say whether a move or a wager is."""
        if isinstance(choice, Action):
            return choice in moves
        return not self.state and choice * self.least <= self.bankroll

    def choose(self, choice: Action | int, *, is_legal: bool) -> float:
        """Play on, and give the minimums won."""
        before = self.bankroll
        if not is_legal:
            if self.state:
                self.bankroll -= self.wagers[0]
                self.look()
            self.is_terminated, self.state = True, None
        elif self.state:
            assert isinstance(choice, Action)
            self.state.apply_action(choice)
            self.play_on()
        else:
            self.wagers = [int(choice) * self.least]
            self.told_records = self.told_cards = 0
            self.state = Round(self.rules, self.wagers, [self.bankroll - self.wagers[0]])
            self.play_on()
        return (self.bankroll - before) / self.least

    def play_on(self) -> None:
        """Deal until the seat is asked, or the round is over."""
        state = self.state
        assert state
        while not state.is_over and state.to_act is None:
            try:
                state.deal(self.shoe.cards)
            except StopIteration:
                self.look()
                self.shoe.shuffle_discards(state.cards)
                self.dealt = self.count = self.seen = 0
        self.look()
        if state.is_over:
            self.bankroll += state.results()[0]
            self.next_round()

    def look(self) -> None:
        """Count what was exposed and dealt since the last look."""
        assert self.state
        for record in self.state.records[self.told_records :]:
            if isinstance(record, Revealed) or (isinstance(record, Dealt) and record.is_face_up):
                self.count += high_low(record.card.value)
                self.seen += 1
        self.dealt += len(self.state.cards) - self.told_cards
        self.told_records, self.told_cards = len(self.state.records), len(self.state.cards)

    def told(self) -> Told:
        """Give what the seat sees, by feature."""
        decks = 0 if self.rules.decks == "infinite" else self.rules.decks
        row = {"count": self.count, "unseen": max(52 * decks - self.seen, 0)}
        row["bankroll"] = self.bankroll // self.least
        if not self.is_over:
            row["rounds_left"] = self.rounds - self.number + 1
        if self.state:
            played, dealer = self.state.in_play, self.state.exposed
            assert played
            hand, values = played.hand, [card.value for card in played.hand.cards]
            row["phase"] = 2 if self.state.asks_insurance else 1
            row["total"], row["soft"] = hand.total, int(hand.soft)
            is_pair = len(values) == 2 and values[0] == values[1]
            row["pair"], row["cards"] = values[0] * is_pair, min(len(values), 3)
            row["dealer_total"], row["dealer_soft"] = dealer.total, int(dealer.soft)
            row["hands"], row["stake"] = len(self.state.hands), played.wager // self.least
            row["bankroll"] = (self.bankroll - self.wagers[0]) // self.least
        return row


class NaiveEnvironment:
    """Several tables, and the three ways to begin again."""

    def __init__(self, tables: Sequence[NaiveTable], mode: str) -> None:
        self.tables, self.mode = tables, mode
        self.done = [False] * len(tables)

    def reset(self, keys: Sequence[bytes]) -> list[Told]:
        """Begin all tables."""
        self.keys = list(keys)
        for table, key in zip(self.tables, keys, strict=True):
            table.begin(key)
        return [table.told() for table in self.tables]

    def begin_again(self, number: int) -> None:
        """Begin a table's next block, whose key follows from the last."""
        low, high = np.frombuffer(self.keys[number], "<u8")
        self.keys[number] = np.array([low, high + np.uint64(1)], "<u8").tobytes()
        self.tables[number].begin(self.keys[number])
        self.done[number] = False

    def step(self, actions: Sequence[int]) -> list[tuple[Any, ...]]:
        """Give what each table tells: features, legal, reward, ends, and what it ended with."""
        return [self.step_at(*each) for each in enumerate(actions)]

    def step_at(self, number: int, action: int) -> tuple[Any, ...]:
        """Choose at one table."""
        table, reward, final = self.tables[number], 0.0, None
        if self.done[number]:
            assert self.mode == "NextStep"
            self.begin_again(number)
        else:
            choice, is_legal = table.choices[action], bool(table.legal()[action])
            reward = table.choose(choice, is_legal=is_legal)
        ends = (table.is_terminated, table.is_truncated)
        self.done[number] = any(ends)
        if any(ends) and self.mode == "SameStep":
            final = (table.told(), table.bankroll / table.rules.unit)
            self.begin_again(number)
        return (table.told(), table.legal(), reward, *ends, final)
