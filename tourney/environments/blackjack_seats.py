"""Blackjack at a table of several seats as a PettingZoo environment."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box

from tourney.environments.blackjack import HIGH_LOW, table_start
from tourney.environments.seats import WAGERS, moves_of, terms_of, wagers_of
from tourney.environments.turns import Told, TurnsEnv
from tourney.errors import RulesError
from tourney.game.cards.card import CARDS
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.kernels.lockstep_tables import LockstepTables
from tourney.games.blackjack.players.questions import (
    BANKROLLS,
    MOST_SEATS_SEEN,
    NO_CARD,
    ROUNDS_LEFT,
    SHUFFLED,
    Call,
    Questions,
    limits,
)
from tourney.games.blackjack.players.questions import (
    WAGERS as WAGERS_FROM,
)
from tourney.games.blackjack.rules import CARDS_IN_A_DECK, MOST_SEATS, BlackjackRules

GREATEST = 2**31 - 1
SEATED = tuple(f"{what}_{seat}" for what in ("bankroll", "wager") for seat in range(MOST_SEATS))
"""Chips of each seat, held and staked in the round, in minimums; 0 without a seat."""


class BlackjackSeatsEnv(TurnsEnv):
    """Seats of one table, which are dealt from one shoe and see each other's cards and chips.

    Actions and rewards are those of `BlackjackVectorEnv`; a row of observations holds `features`.
    Where the rules fix the wager, agents do not choose one.

    Args:
        seats: Number of seats, up to 7.
        game: Name of a preset, or rules.
        bankroll: Chips of every seat at the start.
        minimum: Least wager in chips; by default that of the rules, or 10.
        maximum: Greatest wager in chips.
        rounds: Most rounds of an episode.
        wagers: Choices of wagers, in minimums.
    """

    features = (
        *("phase", "total", "soft", "pair", "cards", "upcard", "second_card"),
        *("count", "unseen", "rounds_left", *SEATED),
    )

    def __init__(
        self,
        seats: int = 3,
        game: str | BlackjackRules = "six-decks-h17",
        *,
        bankroll: int = 1_000,
        minimum: int | None = None,
        maximum: int | None = None,
        rounds: int = 100,
        wagers: Sequence[int] = WAGERS,
    ) -> None:
        if not 1 <= seats <= MOST_SEATS:
            raise RulesError(f"seats: expected 1 to {MOST_SEATS}, got {seats}")
        self.terms = terms_of(game, bankroll, minimum, maximum, rounds)
        self.rules, self.moves = self.terms.rules, moves_of(self.terms.rules)
        asked = wagers_of(self.rules, wagers)
        self.wagers = () if self.rules.wager == "minimum" else asked
        self.choices: tuple[Action | int, ...] = (*self.moves, *self.wagers)
        low = np.array([-GREATEST if each == "count" else 0 for each in self.features], np.int32)
        high = np.full(len(low), GREATEST, np.int32)
        observations = Box(low, high, dtype=np.int32)
        super().__init__("blackjack_seats_v0", seats, observations, len(self.choices))

    @property
    def bankrolls(self) -> list[float]:
        """Chips of every seat, held and staked; exact, halves included."""
        return [end.final / self.rules.unit for end in self._tables.ends()[0].seats]

    def _begin(self, key: bytes) -> int | None:
        seats = len(self.possible_agents)
        self._tables = LockstepTables(self.rules, [table_start(self.terms, key, seats)], ())
        self._counts, self._seen = [0] * seats, [0] * seats
        return self._advance()

    def _choose(self, action: int) -> int | None:
        choice = self.choices[action]
        is_move = isinstance(choice, Action)
        self._answer(int(choice) if is_move else choice * self.terms.minimum)
        return self._advance()

    def _answer(self, answer: int) -> None:
        self._tables.answer(np.array([answer], np.int64))

    def _advance(self) -> int | None:
        """Advance to the next seat that has to choose; the others only count cards."""
        while pending := self._tables.advance():
            seat = int(pending.seats[0])
            self._count(seat, pending)
            if pending.calls[0] != Call.LOOK:
                self._asked = pending
                return seat
            self._answer(0)
        return None

    def _count(self, seat: int, pending: Questions) -> None:
        for code in pending.exposed.tolist():
            if code == SHUFFLED:
                self._counts[seat] = self._seen[seat] = 0
            else:
                self._counts[seat] += HIGH_LOW.tags[code]
                self._seen[seat] += 1

    def _look(self) -> Told:
        asked, seat = self._asked, int(self._asked.seats[0])
        row = dict.fromkeys(self.features, 0) | self._hand()
        decks = 0 if self.rules.decks == "infinite" else self.rules.decks
        row["count"] = self._counts[seat]
        row["unseen"] = max(decks * CARDS_IN_A_DECK - self._seen[seat], 0)
        table = asked.table[0]
        row["rounds_left"] = int(table[ROUNDS_LEFT])
        behind = table[BANKROLLS : BANKROLLS + MOST_SEATS_SEEN]
        staked = table[WAGERS_FROM : WAGERS_FROM + MOST_SEATS_SEEN]
        chips = np.concatenate([behind, staked]) // self.terms.minimum
        row |= dict(zip(SEATED, np.minimum(chips, GREATEST).tolist(), strict=True))
        observation = np.array([row[name] for name in self.features], np.int32)
        return {"observation": observation, "action_mask": self._legal()}

    def _hand(self) -> dict[str, int]:
        """Return the hand in play and the dealer's cards; all 0 before the deal."""
        asked = self._asked
        if asked.calls[0] == Call.WAGER:
            return {}
        totals, soft = asked.hand_values()
        values, cards = _values(asked.cards), len(asked.cards)
        upcard, second = _values(asked.dealer[0])
        return {
            "phase": 2 if asked.legal[0] & 1 << Action.DECLINE else 1,
            "total": int(totals[0]),
            "soft": int(soft[0]),
            "pair": values[0] if cards == 2 and values[0] == values[1] else 0,  # noqa: PLR2004 - a pair
            "cards": min(cards, 3),
            "upcard": upcard,
            "second_card": second,
        }

    def _legal(self) -> Any:
        asked = self._asked
        if asked.calls[0] == Call.WAGER:
            most = int(limits(asked.table).most[0])
            wagers = [each * self.terms.minimum <= most for each in self.wagers]
            return np.array([*[False] * len(self.moves), *wagers], np.int8)
        moves = [asked.legal[0] >> move & 1 for move in self.moves]
        return np.array([*moves, *[0] * len(self.wagers)], np.int8)

    def _scores(self) -> list[float]:
        minimum, first = self.terms.minimum, self.terms.bankroll
        return [(each - first) / minimum for each in self.bankrolls]

    def _left(self) -> list[bool]:
        return [end.left_round is not None for end in self._tables.ends()[0].seats]


def _values(codes: Any) -> list[int]:
    """Return the values of cards, 11 for an ace and 0 for an empty place."""
    return [0 if code == NO_CARD else CARDS[code].value for code in codes.tolist()]
