"""Tables of a game without players: every turn is inspected and answered at random.

These checks hold for any game, turn by turn. `games` compares several plays.
"""

import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from random import Random
from typing import Any

from tourney.game.batches import QuestionBatch
from tourney.game.blocks import HOUSE_LIMIT, Block, Seat, TableState
from tourney.game.ledger import BlockKey
from tourney.game.rules import Rules
from tourney.game.seats import accounts_of
from tourney.game.turns import FlowTable, Turn, Watcher

TABLES, ROUNDS = 24, 20
MOST_PLAYED = 40_000
"""Turns of all tables together; games with long rounds play fewer rounds, but at least one."""
SMALL = 8
"""Number of further tables, whose bankrolls are the least that may play."""
MINIMUM, BANKROLL = 10, 1_000
"""The least wager in chips, where rules do not fix it, and the bankroll in least wagers."""
MOST_BANKROLL = 10_000
"""Least wagers; a bankroll up to this one must be able to play."""
MOST_TURNS = 2_000
"""Turns of a round; views may grow with each, so more would take minutes."""
MOST_LEGAL = 65_025
"""Legal actions of a turn; digests number them with two bytes at most."""
KEY_BYTES = 16


class GameFaultError(Exception):
    """A fault of a game, and its fix."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.message, self.remedy = message, remedy


@dataclass(slots=True)
class Notes(Watcher):
    """The results of rounds."""

    rounds: int = 0
    seat_rounds: int = 0  # summed over seats
    cards: int = 0
    turns: int = 0
    most_legal: int = 0
    sums: set[int] = field(default_factory=set)  # of the results of rounds
    _nets: list[int] = field(default_factory=list)

    def settled(self, seat: int, staked: int, net: int, luck: int | None = None) -> None:
        """Add a round."""
        del seat, luck
        if staked < 0:
            raise GameFaultError(
                f"expected wagers from 0, got {staked}",
                "return the stake of every seat as wagers",
            )
        self._nets.append(net)

    def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Note the sum of a round's results."""
        del number, bankrolls
        self.rounds += 1
        self.seat_rounds += len(self._nets)
        self.sums.add(sum(self._nets))
        self._nets.clear()


def blocks_of(rules: Rules) -> Sequence[Block]:
    """Make tables of all numbers of seats, with and without a button; always the same.

    Raises: GameFaultError, if no bankroll may play.
    """
    unit = rules.unit if rules.most_points is None else 0
    least = (rules.minimum or MINIMUM) * unit
    small = _least_bankroll(rules, least)
    tables = TABLES + (SMALL if unit else 0)
    large = max(small, BANKROLL * least)
    trial = _block(rules, 1, least, large, 1)
    rounds = max(1, min(ROUNDS, MOST_PLAYED // (tables * max(1, _turns_of(trial)))))
    return [
        _block(rules, table, least, large if table <= TABLES else small, rounds)
        for table in range(1, tables + 1)
    ]


def _turns_of(block: Block) -> int:
    """Return the number of turns of a block with random moves; 0 without a flow."""
    table = block.rules.game.table(block, accounts_of(block))
    # Inspected, so that a fault is reported as such, and not as an exception of the game.
    return sum(1 for _ in steps(block, Notes())) - 1 if isinstance(table, FlowTable) else 0


def _least_bankroll(rules: Rules, least: int) -> int:
    for bankroll in range(MOST_BANKROLL * least + 1):
        if rules.may_play(bankroll, least):
            return bankroll
    raise GameFaultError(
        f"may_play of the rules is false for every bankroll up to {MOST_BANKROLL * least:,} with a "
        f"minimum of {least:,}",
        "return whether a bankroll covers the cost of a round",
    )


def _block(rules: Rules, table: int, least: int, bankroll: int, rounds: int) -> Block:
    count = list(rules.seats)[table % len(rules.seats)]
    seats = tuple(
        Seat(seat, bankroll, _key(rules, f"luck {table} {seat}")) for seat in range(count)
    )
    state = TableState(moves_button=table % 2 == 0)
    key, shoes = BlockKey(0, 0, table, 0, 1), _key(rules, f"shoes {table}")
    return Block(key, rules, seats, least, HOUSE_LIMIT, rounds, shoes, state)


def _key(rules: Rules, use: str) -> bytes:
    return blake2b(f"check of {rules.game} {use}".encode(), digest_size=KEY_BYTES).digest()


def steps(block: Block, notes: Notes | None = None) -> Iterator[str]:
    """Play a table; yield a line for every turn, and one for the result.

    Args:
        block: Of a game whose table has a flow.
        notes: Receives the results of rounds, and turns on the inspection of every turn.
    Raises: GameFaultError, if a check fails; and the exceptions of the game.
    """
    game, dice = block.rules.game, Random(block.key.table)  # noqa: S311 - any moves do
    table: Any = game.table(block, accounts_of(block), notes)
    assert isinstance(table, FlowTable), "a game without turns cannot be inspected"
    flow, examiner, answer = table.flow(), _Examined(block), None
    turns = Counter[int]()  # by their rounds
    while (turn := _next(flow, answer)) is not None:
        turns[turn.round] += 1
        if turns[turn.round] > MOST_TURNS:
            raise GameFaultError(
                f"round {turn.round} has not ended after {MOST_TURNS:,} turns",
                "return None as to_act after the last turn of a round",
            )
        if notes:
            examiner.look_at(turn)
            notes.turns += 1
            notes.most_legal = max(notes.most_legal, len(turn.legal))
        legal = ", ".join(map(game.told, turn.legal))
        yield f"round {turn.round}, seat {turn.seat + 1}, {game.seen(turn)} ({legal})"
        answer = dice.choice(turn.legal)
    examiner.look_back()
    result = table.result()
    if notes:
        notes.cards += result.cards
    ends = ", ".join(str(seat.final) for seat in result.seats)
    yield f"the end, {ends} left, {result.cards} cards dealt, digest {result.digest.hex()[:8]}"


def _next(flow: Any, answer: Any) -> Turn[Any, Any] | None:
    try:
        turn: Turn[Any, Any] = flow.send(answer)
    except StopIteration:
        return None
    return turn


class _Examined:
    """The turns of a table, which must survive sending to a player in another process."""

    def __init__(self, block: Block) -> None:
        self._game = block.rules.game
        codec: Any = self._game.codec()
        self._write, self._read = codec.writer(), codec.reader()
        self._shown: list[tuple[Turn[Any, Any], str, Any]] = []  # of this round
        self._round = 0

    def look_at(self, turn: Turn[Any, Any]) -> None:
        """Check that a turn can be sent."""
        if turn.round != self._round:
            self.look_back()
            self._round = turn.round
        where = f"round {turn.round}, {turn.call}"
        self._check_legal(turn, where)
        seen = self._game.seen(turn)
        if not isinstance(seen, str) or not seen.isprintable():
            raise GameFaultError(
                f"{where}: the text of the view is not one line: {seen!r}",
                "write __str__ of the view, or `seen` of the game",
            )
        copy = self._sent(turn, where)
        if self._game.seen(turn._replace(view=copy.view)) != seen:
            raise GameFaultError(
                f"{where}: the view {seen} becomes {self._game.seen(copy)} in another process",
                "build views from frozen data of your module and of the platform",
            )
        self._shown.append((turn, seen, copy.view if copy.view == turn.view else None))

    def look_back(self) -> None:
        """Check that the round did not change its earlier views."""
        for turn, seen, copy in self._shown:
            if self._game.seen(turn) != seen or (copy is not None and copy != turn.view):
                raise GameFaultError(
                    f"round {turn.round}, {turn.call}: the round changed a view after showing it: "
                    f"{seen} became {self._game.seen(turn)}",
                    "give the view a tuple or another copy of the round's data",
                )
        self._shown.clear()

    def _check_legal(self, turn: Turn[Any, Any], where: str) -> None:
        legal = turn.legal
        if type(legal) is not tuple or not 0 < len(legal) <= MOST_LEGAL:
            raise GameFaultError(
                f"{where}: expected a tuple of 1 to {MOST_LEGAL:,} legal actions, got {legal!r}",
                "end legal_actions with: return tuple(…)",
            )
        for place, action in enumerate(legal):
            if type(action).__hash__ is None:
                raise GameFaultError(
                    f"{where}: the legal action {self._game.told(action)} cannot be hashed",
                    "make actions members of an Enum or frozen dataclasses",
                )
            if legal.index(action) != place:
                raise GameFaultError(
                    f"{where}: the legal action {self._game.told(action)} appears twice",
                    "list each action once",
                )

    def _sent(self, turn: Turn[Any, Any], where: str) -> Turn[Any, Any]:
        """Send a turn to a player in another process, and receive each answer."""
        try:
            (asked,) = self._read(self._write([QuestionBatch(turn.seat, turn)]))
        except (pickle.PickleError, AttributeError, TypeError) as error:
            raise GameFaultError(
                f"{where}: the view and actions cannot be sent to a player in another process: "
                f"{type(error).__name__}: {error}",
                "build them from tuples, enumerations, numbers, text and frozen dataclasses of "
                "your module",
            ) from error
        copy: Turn[Any, Any] = asked.turn
        for action, sent in zip(turn.legal, copy.legal, strict=True):
            if (taken := self._game.accept(sent, turn)) is None or taken != action:
                raise GameFaultError(
                    f"{where}: the action {self._game.told(action)} is no longer legal after it "
                    "was sent, because actions are not equal by value",
                    "make actions members of an Enum or frozen dataclasses",
                )
        return copy


def at_one_seat(block: Block) -> Block:
    """Give all seats of a block to one entrant."""
    return replace(block, seats=tuple(replace(seat, entrant=0) for seat in block.seats))
