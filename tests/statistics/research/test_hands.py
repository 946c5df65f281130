"""How single hands, shoes and bankrolls come out, against exact figures."""

from collections import Counter
from collections.abc import Callable
from math import sqrt
from statistics import fmean, stdev, variance

from tourney.execution.workers.task import EntrantSpec
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.cards.shoe import Shoe
from tourney.game.ledger import BlockKey, SeatResult
from tourney.game.seats import play_block
from tourney.game.turns import Watcher
from tourney.games.blackjack.records import Outcome, Record, Settled
from tourney.games.blackjack.rules import BlackjackRules

MakeEntrant = Callable[[str], EntrantSpec]

LOSSES = {Outcome.BUST, Outcome.LOSS}
WINS = {Outcome.WIN, Outcome.DEALER_BUST}
DEEP_POCKETS = 10**9


class Outcomes(Watcher):
    """Counts how hands end, and how many a shoe serves."""

    def __init__(self) -> None:
        self.ends: Counter[Outcome] = Counter()
        self.hands_of_shoes: list[int] = []

    def shuffled(self, shoe: Shoe) -> None:
        """Begin to count a shoe."""
        self.hands_of_shoes.append(0)

    def happened(self, record: Record) -> None:
        """Count the end of a hand."""
        if isinstance(record, Settled):
            self.ends[record.outcome] += 1
            self.hands_of_shoes[-1] += 1


def blocks(
    rules: BlackjackRules, tables: int, rounds: int, bankroll: int, minimum: int
) -> list[Block]:
    """Draw up tables for one entrant."""
    field = Field(1, rules, bankroll, minimum, 100 * minimum, Secret.from_seed(280))
    keys = [BlockKey(0, 0, table, 0, 1) for table in range(tables)]
    return [field.block(key, ((0, bankroll),), rounds) for key in keys]


def watched(entrant: EntrantSpec, rules: BlackjackRules, hands: int) -> Outcomes:
    """Watch a strategy for some hands."""
    outcomes = Outcomes()
    (block,) = blocks(rules, 1, hands, DEEP_POCKETS, 10)
    make = entrant.load()
    play_block(block, lambda _: make(), outcomes)
    return outcomes


def seats(entrant: EntrantSpec, drawn_up: list[Block]) -> list[SeatResult]:
    """Let a strategy play some tables."""
    make = entrant.load()
    return [play_block(block, lambda _: make()).seats[0] for block in drawn_up]


def test_how_hands_end_with_a_fresh_deck(
    entrant: MakeEntrant, fresh_deck: BlackjackRules, times: int
) -> None:
    """Lost, pushed, won and natural as often as dynamic programming says."""
    hands = times * 10_000
    ends = watched(entrant("simple"), fresh_deck, hands).ends
    exact = {
        "lost": (LOSSES, 0.4755484602976904),
        "pushed": ({Outcome.PUSH}, 0.0866282633463592),
        "won": (WINS, 0.3895578163257844),
        "natural": ({Outcome.NATURAL}, 0.0482654600301659),
    }
    assert ends.total() == hands
    for name, (outcomes, p) in exact.items():
        found = sum(ends[outcome] for outcome in outcomes)
        assert abs(found - hands * p) < 4 * sqrt(hands * p * (1 - p)), name


def test_how_many_hands_a_deck_serves(
    entrant: MakeEntrant, one_deck: BlackjackRules, times: int
) -> None:
    """Shuffled when fewer than 20 cards are left, one deck serves 6.43645 hands."""
    *whole, _ = watched(entrant("simple"), one_deck, times * 5_000).hands_of_shoes
    assert abs(fmean(whole) - 6.43645) < 4 * stdev(whole) / sqrt(len(whole))


def test_what_a_thousand_hands_leave_of_a_bankroll(
    entrant: MakeEntrant, fresh_deck: BlackjackRules, times: int
) -> None:
    """Of 1,000 chips at a minimum of 5, ruin included, 907.905 on average."""
    played = seats(entrant("simple"), blocks(fresh_deck, times * 40, 1_000, 1_000, 5))
    finals = [seat.final for seat in played]
    assert abs(fmean(finals) - 907.905000366) < 4 * stdev(finals) / sqrt(len(finals))


def test_common_shoes_make_a_difference_sharp(
    entrant: MakeEntrant, one_deck: BlackjackRules, times: int
) -> None:
    """Counting less Simple varies a fifth as much, and less, as from shoes of their own."""
    tables = blocks(one_deck, times * 40, 100, DEEP_POCKETS, 10)
    simple = [seat.net for seat in seats(entrant("simple"), tables)]
    counting = [seat.net for seat in seats(entrant("counting"), tables)]
    paired = [two - one for one, two in zip(simple, counting, strict=True)]
    assert variance(simple) + variance(counting) > 5 * variance(paired)
