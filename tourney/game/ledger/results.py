"""What a block leaves behind: frozen results, their verdicts and their digests."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from tourney.game.ledger.keys import BlockKey

UNREPEATABLE = "unrepeatable"
"""Asked the same again, a player of the same competitor gave another answer."""

CAUSES = (
    *("raised", "illegal", "cpu", "memory", "died", "stalled", "protocol", "syscall"),
    UNREPEATABLE,
)
"""What a verdict can be about: an exception, or an answer the rules do not allow; and, of a player
in a process of its own, what it took or tried there, or that it is never the same twice."""

MACHINE_CAUSES = frozenset({"cpu", "memory", "died", "stalled"})
"""Those that depend on the machine, too: such a verdict is never derived again, but taken from the
store, and stands only if a second play gives one as well."""

RECORDED_CAUSES = MACHINE_CAUSES | {UNREPEATABLE}
"""Those that are never derived again: chance decides where two plays differ, too."""

ENDING_CAUSES = frozenset({"cpu", "died", "stalled", "protocol", "syscall"})
"""Those that end a player's process, and with it all seats that it has in a batch."""

NO_QUESTIONS = frozenset({"import", "constructor"})
"""Calls before a player is asked anything."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A competitor's fault: what it was and where."""

    cause: str  # one of CAUSES
    call: str  # the question it failed at: such as "constructor", "bet" or "play"
    round: int  # of the heat, from 1
    decision: int  # questions the seat was asked in the block before this one
    message: str  # one line: what was expected and what came
    place: str  # "file:line" in the author's code; empty if unknown
    traceback: str  # the author's part of the traceback; empty for an illegal answer
    seen: str = field(default="", compare=False)  # what lay before the seat; empty if unasked
    is_confirmed: bool = field(default=False, compare=False)  # of MACHINE_CAUSES only


def caveat(cause: str, call: str, tables: int) -> str:
    """Say that a verdict may be about another question than it names; empty if it is not.

    Args:
        cause: Of the verdict.
        call: What it was asked.
        tables: At how many its player has a verdict of this cause.
    """
    if cause not in ENDING_CAUSES or call in NO_QUESTIONS or tables == 1:
        return ""
    return (
        "its process ended, and with it all its tables of a batch: any decision that it was asked "
        "for there may have done it, not just this one"
    )


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What a block did to one seat. Chips are whole, in the unit of the rules.

    In a game without chips points stand where chips do: they begin at 0, add up, and nothing
    is wagered; the actions in the mix are the cards that the seat let go. A stand-in's points
    are the seat's, which is played on.
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
    """What playing a block gave; equal for equal blocks, whoever plays them."""

    key: BlockKey
    rounds: int  # rounds dealt at the table
    shuffles: int  # shoes begun, the first included
    cards: int  # cards dealt
    seats: tuple[SeatResult, ...]

    @property
    def digest(self) -> bytes:
        """BLAKE2b of everything that may not differ between two plays; 16 bytes."""
        return blake2b(
            repr(self._facts()).encode(), digest_size=16, person=b"tourney.block"
        ).digest()

    def without_luck(self) -> "BlockResult":
        """Give the same of a play in which the luck of the cards was not followed."""
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
    """What is worth knowing of an entrant in a batch besides its results; in no digest."""

    entrant: int  # number of the entrant in the run
    message: str  # one line
    key: BlockKey | None = None  # of the block of the fault, or of its first that was replayed
    verdict: Verdict | None = None  # that a second play did not confirm where it was

    @property
    def is_warning(self) -> bool:
        """Whether it is about no fault, such as much of a budget that is used up."""
        return self.key is None

    @property
    def is_replay(self) -> bool:
        """Whether it says that the batch was played again, which is nobody's fault."""
        return self.key is not None and self.verdict is None


def replay_remarks(results: Iterable[BlockResult], reason: str) -> tuple[Remark, ...]:
    """Note for every entrant of a batch that the batch was played again, and why."""
    first: dict[int, BlockKey] = {}
    for result in results:
        for seat in result.seats:
            first.setdefault(seat.entrant, result.key)
    return tuple(Remark(entrant, reason, key) for entrant, key in sorted(first.items()))


def batch_digest(results: tuple[BlockResult, ...]) -> bytes:
    """Give the BLAKE2b over a batch's block digests, in order; 16 bytes."""
    hasher = blake2b(digest_size=16, person=b"tourney.batch")
    for result in results:
        hasher.update(result.digest)
    return hasher.digest()
