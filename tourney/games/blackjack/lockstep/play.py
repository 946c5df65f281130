"""Playing blocks in lockstep: the results of the reference engine, for any players of blackjack.

Machine code plays every table until it has to ask; then the players of each entrant are asked
all at once, and all tables go on. To import this page loads numba.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

from tourney.game import MakePlayer
from tourney.game.blocks import Block
from tourney.game.declares import Declared
from tourney.game.ledger import BlockResult, SeatResult, Verdict
from tourney.game.rules import Rules
from tourney.game.seats import play_block
from tourney.games.blackjack.compiled.play import worths_of
from tourney.games.blackjack.kernels.declared_blocks import TableEnd, TableStart
from tourney.games.blackjack.kernels.suspended_tables import WaitingTables
from tourney.games.blackjack.lockstep.fits import may_have_overflowed
from tourney.games.blackjack.lockstep.guests import Guests
from tourney.games.blackjack.lockstep.part import Part, Record, play_parts
from tourney.games.blackjack.rules import BlackjackRules

MOST_TABLES = 4_000
"""Tables that advance together; more would take more memory and hardly save time."""


def play_lockstep(
    blocks: Sequence[Block],
    make_player: MakePlayer,
    declared: Callable[[int, Rules], Declared],
) -> list[BlockResult]:
    """Play blocks: a pure function of the blocks and their players.

    Args:
        blocks: Those that fit; see `fits`. Blocks of the same rules advance together.
        make_player: Makes a new player for an entrant.
        declared: Gives what an entrant declares; such seats are not asked, nor are players made.
    Returns: Their results, in any order.
    """
    results: list[BlockResult] = []
    for rules, wave in waves(blocks):
        played = play_wave(rules, Guests(wave, make_player, declared))
        for block, result in zip(wave, played, strict=True):
            is_certain = not may_have_overflowed(result)
            results.append(result if is_certain else play_block(block, make_player))
    return results


def waves(blocks: Sequence[Block]) -> Iterator[tuple[BlackjackRules, list[Block]]]:
    """Give the blocks that advance together: of the same rules, and not too many."""
    by_rules: dict[BlackjackRules, list[Block]] = {}
    for block in blocks:
        assert isinstance(block.rules, BlackjackRules)
        by_rules.setdefault(block.rules, []).append(block)
    for rules, alike in by_rules.items():
        for first in range(0, len(alike), MOST_TABLES):
            yield rules, alike[first : first + MOST_TABLES]


def play_wave(
    rules: BlackjackRules,
    guests: Guests,
    records: list[Record] | None = None,
    *,
    halves: bool = False,
) -> list[BlockResult]:
    """Play blocks that advance together.

    Args:
        rules: Of all the blocks.
        guests: Who plays in them.
        records: Takes what was answered, if anybody wants to know.
        halves: Let one half of the tables play while the players at the other one think.
    Raises: FailedTogether, if in halves an entrant failed at all its seats of a half at once.
    """
    with closing(guests):
        starts = guests.sit()
        worths = worths_of(rules, guests.blocks)
        parts: list[Part] = []
        first = 0  # seat of the part's first table
        for own in _halved(starts) if halves else [starts]:
            tables = WaitingTables(rules, own, guests.declarations, worths)
            parts.append(Part(guests, tables, first))
            first += sum(len(start.seats) for start in own)
        for record in play_parts(parts):
            if records is not None:
                records.append(record)
        ends = [end for part in parts for end in part.tables.ends()]
        return _results(guests.blocks, ends, guests.verdicts)


def _halved(starts: list[TableStart]) -> tuple[list[TableStart], list[TableStart]]:
    middle = len(starts) // 2
    return starts[:middle], starts[middle:]


def _results(
    blocks: Sequence[Block], ends: Sequence[TableEnd], verdicts: dict[int, Verdict]
) -> list[BlockResult]:
    results = []
    row = 0
    for block, end in zip(blocks, ends, strict=True):
        seats = []
        for number, (seat, after) in enumerate(zip(block.seats, end.seats, strict=True)):
            facts = after._asdict()
            verdict = verdicts.get(row)
            seats.append(
                SeatResult(
                    seat=number,
                    entrant=seat.entrant,
                    initial=seat.bankroll,
                    verdict=verdict,
                    **facts,
                )
            )
            row += 1
        results.append(BlockResult(block.key, end.rounds, end.shuffles, end.cards, tuple(seats)))
    return results
