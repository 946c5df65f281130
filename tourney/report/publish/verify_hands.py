"""Published hands, dealt and played again from the secret of the run and the moves alone.

Shoes follow from the secret, and everything else at a table from shoes, wagers and moves. So the
hands of a table are written again from the published wagers and moves, and must match: every card,
every settlement, every shuffle. No competitor is needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from tourney.errors import TourneyError
from tourney.game.blocks import Block, Seat, TableState
from tourney.game.cards.keys import Secret
from tourney.game.hand_history import Story
from tourney.game.hand_notation import HandsWriter
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.rules import Rules
from tourney.report.publish.published_results import Results, TableResult
from tourney.report.site.model import BlockData, EntrantData, SiteData, TableData
from tourney.standings.standing import BANKROLL
from tourney.standings.tallies import Scoring

MOST_ROUNDS = 1 << 40
"""Numbers of rounds are below this."""

AMISS = (AssertionError, LookupError, RecursionError, TypeError, ValueError, TourneyError)
"""Exceptions that lines from an untrusted site may raise."""

NO_KEY = bytes(16)  # no player draws lots


@dataclass(slots=True)
class Redeal:
    """The result of dealing again."""

    tables: int = 0  # tables dealt again, each once for each entrant that shows it
    rounds: int = 0
    differing: list[str] = field(default_factory=list)  # a line each
    not_drawn: int = 0  # tables that were not checked
    left: int = 0  # tables with hands, but without the data to deal them
    lost: int = 0  # tables that cannot be replayed


class ReplayMismatchError(Exception):
    """The published hands do not follow from the shoes and the moves."""


def redeal(
    data: SiteData, scoring: Scoring, results: Sequence[Results], sample: int | None = None
) -> Redeal:
    """Deal and play the published tables again.

    Args:
        data: The published data, with the secret.
        scoring: How results count.
        results: The tables of all entrants, in the order of the board.
        sample: Number of random tables; `None` for all.
    """
    assert data.run.secret
    assert data.run.salt
    committed = data.run.committed
    secret = Secret(
        bytes.fromhex(data.run.secret),
        bytes.fromhex(data.run.salt),
        data.run.rehearsal,
        (committed and committed.public_value) or "",
    )
    tables = [
        (entrant, own, table)
        for entrant, own in zip(data.entrants, results, strict=True)
        for table in entrant.tables
    ]
    found = Redeal()
    if sample is not None and sample < len(tables):
        found.not_drawn = len(tables) - sample
        tables = Random().sample(tables, sample)  # noqa: S311 - any table may be looked at
    for entrant, own, table in tables:
        if table.is_lost:
            found.lost += 1
            continue
        if not all(block.limits for block in table.blocks):
            found.left += 1
            continue
        found.tables += 1
        found.rounds += sum(len(block.rounds) for block in table.blocks)
        try:
            _check_table(table, secret, scoring, own)
        except ReplayMismatchError as error:
            found.differing.append(f"{_place(entrant, table)}: {error}")
    return found


def _place(entrant: EntrantData, table: TableData) -> str:
    return f"data.json: hands of {entrant.name}, table {table.table}"


def _check_table(table: TableData, secret: Secret, scoring: Scoring, own: Results) -> None:
    """Play the blocks of a table again.

    Raises: ReplayMismatchError, if they differ from the published hands or results.
    """
    place = table.stage - 1, table.heat - 1, table.table - 1
    if place not in own.tables:
        raise ReplayMismatchError("the table is not among the results")
    if any(not 0 <= each.seat < len(each.seats) for each in table.blocks):
        raise ReplayMismatchError("the seat is not at the table")
    if any(not 1 <= each.first_round <= MOST_ROUNDS for each in table.blocks):
        raise ReplayMismatchError(f"the first rounds are not from 1 to {MOST_ROUNDS:,}")
    follows_luck = own.tables[place].follows_luck
    again = TableResult()
    before: BlockData | None = None
    for block in table.blocks:
        key = BlockKey(*place, block.seating - 1, block.first_round)
        laid = replace(_laid(block, key, secret, scoring.rules), follows_luck=follows_luck)
        if scoring.measure is BANKROLL:
            _check_start(block, laid, before, scoring)
        again.add(key, _played(laid, block).seats[block.seat])
        before = block
    kept = own.tables[place]
    if again.has_fault and not kept.has_fault:
        raise ReplayMismatchError("the hands have a fault that is missing in the results")
    told = ["rounds", "net", "final", "handle"]
    told += ["luck"] if follows_luck else []
    told += ["squares"] if scoring.measure is BANKROLL else []
    for name in told:
        expected, got = getattr(again, name), getattr(kept, name)
        # Rounds of a stand-in belong to no entrant; the results hold the cost of the fault.
        if not kept.has_fault and expected != got:
            raise ReplayMismatchError(
                f"{name}: the hands give {expected}, but the results have {got}"
            )


def _check_start(block: BlockData, laid: Block, before: BlockData | None, scoring: Scoring) -> None:
    """Check that a block begins with the bankrolls of the seats."""
    if laid.minimum != scoring.minimum:
        raise ReplayMismatchError(f"expected a minimum of {scoring.minimum}, got {laid.minimum}")
    last = before.last[before.seat] if before and before.last else scoring.bankroll
    start = laid.seats[block.seat].bankroll
    if last is not None and start != last:
        raise ReplayMismatchError(
            f"round {block.first_round}: the bankroll is {start}, but was {last:g} before"
        )


def _laid(block: BlockData, key: BlockKey, secret: Secret, rules: Rules) -> Block:
    """Lay out a block again; the players are named by their seats."""
    limits = block.limits
    assert limits
    if len(limits.bankrolls) != len(block.seats):
        raise ReplayMismatchError(
            f"expected bankrolls of {len(block.seats)} seats, got {len(limits.bankrolls)}"
        )
    if rules.most_points:  # then a format may have set its limit
        rules = replace(rules, limit=limits.points)  # type: ignore[type-var]  # all rules are dataclasses
    return Block(
        key=key,
        rules=rules,
        seats=tuple(Seat(seat, chips, NO_KEY) for seat, chips in enumerate(limits.bankrolls)),
        minimum=limits.minimum,
        maximum=limits.maximum,
        rounds=limits.rounds,
        shoe_key=secret.shoe_key(key.stage, key.heat, key.table, key.first_round),
        state=TableState(moves_button=limits.moves_button),
    )


def _played(laid: Block, told: BlockData) -> BlockResult:
    """Play a block with the published moves, and compare the written hands."""
    story = laid.rules.game.story(laid.rules)
    hands = story.hands(len(laid.seats))
    try:
        result = story.again(laid, told.rounds, hands)
    except AMISS as error:
        hands.closed(0, ())  # the dealt cards are more helpful than the error
        _compare_rounds(story, hands.rounds, told, is_cut_short=True)
        at = told.first_round + max(len(hands.rounds), 1) - 1
        raise ReplayMismatchError(
            f"round {at}: the cards do not allow the published moves ({error})"
        ) from error
    hands.finish()
    _compare(story, hands, told)
    return result


def _compare_rounds(
    story: Story[Any], rounds: Sequence[str], told: BlockData, *, is_cut_short: bool
) -> None:
    """Compare rounds that were written again with the published ones.

    Args:
        story: The story of the game.
        rounds: Lines.
        told: Their published block.
        is_cut_short: Whether the last line ends at a move that the cards do not allow.
    Raises: ReplayMismatchError, if one differs.
    """
    for number, (again, line) in enumerate(zip(rounds, told.rounds, strict=False)):
        is_part = is_cut_short and number == len(rounds) - 1
        difference = story.difference(again, line)
        if again != line and not (is_part and not difference):
            where = f"seating {told.seating}, round {told.first_round + number}"
            raise ReplayMismatchError(f"{where}: {difference or _what_differs(again, line)}")


def _compare(story: Story[Any], hands: HandsWriter, told: BlockData) -> None:
    _compare_rounds(story, hands.rounds, told, is_cut_short=False)
    if len(hands.rounds) != len(told.rounds):
        raise ReplayMismatchError(f"expected {len(hands.rounds)} rounds, got {len(told.rounds)}")
    last = hands.paths[-1] if hands.paths else []
    # Without a round, a player that failed cannot be distinguished from one that was never made.
    begins = told.limits.bankrolls if told.limits and not told.rounds else ()
    if last != told.last and list(begins) != told.last:
        raise ReplayMismatchError(f"expected bankrolls of {last} in the end, got {told.last}")


def _what_differs(again: str, told: str) -> str:
    """Describe the difference between two lines."""
    parts = ("bankrolls", "wagers or hands", "shuffles, moves or outcomes")
    for name, expected, got in zip(parts, again.split("|", 2), told.split("|", 2), strict=False):
        if expected != got:
            return f"expected {name} {expected}, got {got}"
    return f"expected {again}, got {told}"
