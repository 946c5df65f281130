"""Accounts of seats during a block, and results of blocks with verdicts and digests.

Nothing here depends on cards or rules.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import NamedTuple

from tourney.game.ledger.running_hash import mix, mix_round

UNREPEATABLE = "unrepeatable"
"""A player of the same competitor gave another answer to the same questions."""

CAUSES = (
    *("raised", "illegal", "cpu", "memory", "died", "stalled", "protocol", "syscall"),
    UNREPEATABLE,
)
"""Causes of verdicts: an exception or an illegal answer; and, for a player in its own process,
excess use of resources, forbidden actions, or answers that do not repeat.
"""

MACHINE_CAUSES = frozenset({"cpu", "memory", "died", "stalled"})
"""Causes that also depend on the machine. Such a verdict is read from the store, not reproduced,
and counts only if a second play confirms it.
"""

RECORDED_CAUSES = MACHINE_CAUSES | {UNREPEATABLE}
"""Causes that are never reproduced; chance may also decide where two plays differ."""

ENDING_CAUSES = frozenset({"cpu", "died", "stalled", "protocol", "syscall"})
"""Causes that end a player's process, and so all its seats in a batch."""

NO_QUESTIONS = frozenset({"import", "constructor"})
"""Calls before the first question to a player."""


class BlockKey(NamedTuple):
    """Identifies a block of a run; the store has one result for it."""

    stage: int  # level of the tournament, from 0
    heat: int  # within the stage, from 0
    table: int  # from 0; equal tables of a heat deal equal shoes
    seating: int  # from 0; a format numbers the seatings of its tables
    first_round: int  # of the heat, from 1

    def __str__(self) -> str:
        """Describe the place for people, counting from 1.

        >>> str(BlockKey(0, 0, 11, 2, 1))
        'stage 1, heat 1, table 12, seating 3, round 1'
        """
        return (
            f"stage {self.stage + 1}, heat {self.heat + 1}, table {self.table + 1}, "
            f"seating {self.seating + 1}, round {self.first_round}"
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """A competitor's fault: its cause and place."""

    cause: str  # one of CAUSES
    call: str  # the question it failed at: such as "constructor", "bet" or "play"
    round: int  # of the heat, from 1
    decision: int  # questions the seat was asked in the block before this one
    message: str  # one line
    place: str = ""  # "file:line" in the author's code; empty if unknown
    traceback: str = ""  # the author's part of the traceback; empty for an illegal answer
    seen: str = field(default="", compare=False)  # the seat's view; empty before any question
    is_confirmed: bool = field(default=False, compare=False)  # of MACHINE_CAUSES only


def caveat(cause: str, call: str, tables: int) -> str:
    """Return a warning that another question may have caused a verdict; otherwise empty.

    Args:
        cause: Cause of the verdict.
        call: The method that it names.
        tables: Number of tables at which the player has a verdict of this cause.
    """
    if cause not in ENDING_CAUSES or call in NO_QUESTIONS or tables == 1:
        return ""
    return (
        "the process of the player ended, and with it all its tables of a batch; any of the "
        "decisions asked for at that time may be the cause, not just this one"
    )


@dataclass(frozen=True, slots=True)
class SeatResult:
    """Result of a block for one seat. Chips are whole, in the unit of the rules.

    In a game without chips, points take their place: they start at 0 and add up, and there are no
    wagers; the actions in the mix are the cards that the seat let go. A stand-in's points count for
    the seat, which plays on.
    """

    seat: int  # place at the table, from 0
    entrant: int  # number of the entrant in the run, from 0
    initial: int  # bankroll at the start
    final: int  # bankroll at the end
    lowest: int  # bankroll after any round, the start included
    highest: int
    rounds: int  # rounds played
    left_round: int | None  # the round after which its player left; None if it stayed to the end
    handle: int  # total chips wagered
    squares: int  # sum of the squared net results of the rounds
    mix: int  # 64-bit mix of cards, actions, wagers and nets
    verdict: Verdict | None = None
    luck: int | None = None  # of the cards, in parts of 2**-32 of the unit; None if not followed

    @property
    def net(self) -> int:
        """Sum of the net results of all rounds."""
        return self.final - self.initial


@dataclass(frozen=True, slots=True)
class BlockResult:
    """Result of a block, the same in every play of equal blocks with equal players."""

    key: BlockKey
    rounds: int  # rounds dealt at the table
    shuffles: int  # shoes begun, the first included
    cards: int  # cards dealt
    seats: tuple[SeatResult, ...]

    @property
    def digest(self) -> bytes:
        """BLAKE2b of everything that must be equal in two plays; 16 bytes."""
        return blake2b(
            repr(self._facts()).encode(), digest_size=16, person=b"tourney.block"
        ).digest()

    def without_luck(self) -> "BlockResult":
        """Return the result of the same play without the luck of the cards."""
        return replace(self, seats=tuple(replace(seat, luck=None) for seat in self.seats))

    def _facts(self) -> tuple[object, ...]:
        return (
            tuple(self.key),
            self.rounds,
            self.shuffles,
            self.cards,
            tuple(_seat_facts(seat) for seat in self.seats),
        )


def _seat_facts(result: SeatResult) -> tuple[object, ...]:
    verdict = result.verdict
    return (
        result.seat,
        result.entrant,
        result.initial,
        result.final,
        result.lowest,
        result.highest,
        result.rounds,
        result.left_round,
        result.handle,
        result.squares,
        result.mix,
        # Messages may hold addresses of objects, so only the place of a fault counts.
        verdict and (verdict.cause, verdict.call, verdict.round, verdict.decision),
        *(() if result.luck is None else (result.luck,)),
    )


@dataclass(frozen=True, slots=True)
class Remark:
    """A note about an entrant in a batch, such as a warning; not part of any digest."""

    entrant: int  # number of the entrant in the run
    message: str  # one line
    key: BlockKey | None = None  # the block of the fault, or the first replayed block
    verdict: Verdict | None = None  # a verdict that a second play did not confirm

    @property
    def is_warning(self) -> bool:
        """Whether it is a warning and no fault, such as a nearly exhausted budget."""
        return self.key is None

    @property
    def is_replay(self) -> bool:
        """Whether it reports that the batch was played again, without a fault."""
        return self.key is not None and self.verdict is None


def replay_remarks(results: Iterable[BlockResult], reason: str) -> tuple[Remark, ...]:
    """Return a remark for every entrant of a batch that was played again, with the reason."""
    first: dict[int, BlockKey] = {}
    for result in results:
        for seat in result.seats:
            first.setdefault(seat.entrant, result.key)
    return tuple(Remark(entrant, reason, key) for entrant, key in sorted(first.items()))


def batch_digest(results: tuple[BlockResult, ...]) -> bytes:
    """Return the BLAKE2b of a batch's block digests, in order; 16 bytes."""
    hasher = blake2b(digest_size=16, person=b"tourney.batch")
    for result in results:
        hasher.update(result.digest)
    return hasher.digest()


WORD = 1 << 64


@dataclass(slots=True, eq=False)
class Account:
    """A seat's running totals; chips move only through `settle`."""

    seat: int
    entrant: int
    bankroll: int
    initial: int = field(init=False)
    lowest: int = field(init=False)
    highest: int = field(init=False)
    rounds: int = 0
    handle: int = 0
    squares: int = 0
    mix: int = 0
    left_round: int | None = None
    verdict: Verdict | None = None
    luck: int | None = None

    def __post_init__(self) -> None:
        """Begin with the bankroll of the seat."""
        self.initial = self.lowest = self.highest = self.bankroll

    def settle(self, wager: int, net: int, actions: int, dealt: int) -> None:
        """Pay and record a round.

        Args:
            wager: Chips wagered.
            net: Chips won, negative if lost; never below minus the wager.
            actions: The seat's actions, as its game packs them.
            dealt: Cards dealt from the shoe so far.
        """
        bankroll = self.bankroll = self.bankroll + net
        if bankroll < self.lowest:
            self.lowest = bankroll
        elif bankroll > self.highest:
            self.highest = bankroll
        self.rounds += 1
        self.handle += wager
        self.squares += net * net
        self.mix = mix_round(self.mix, wager, net, actions, dealt)

    def add_luck(self, luck: int) -> None:
        """Add the luck of a round; sums wrap at 64 bits, as in machine code."""
        self.luck = (self.luck or 0) + luck

    def see_shoe(self, word: int) -> None:
        """Add the cards of a shoe to the running hash."""
        self.mix = mix(self.mix, word)

    def result(self) -> SeatResult:
        """Close the account."""
        return SeatResult(
            seat=self.seat,
            entrant=self.entrant,
            initial=self.initial,
            final=self.bankroll,
            lowest=self.lowest,
            highest=self.highest,
            rounds=self.rounds,
            left_round=self.left_round,
            handle=self.handle,
            squares=self.squares,
            mix=self.mix,
            verdict=self.verdict,
            luck=None if self.luck is None else (self.luck + WORD // 2) % WORD - WORD // 2,
        )
