"""The rules of the formats, clause by clause: docs/rules/formats.md."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest

from tourney import Card, Hand, Player
from tourney.formats import Duplicate, Format, Independent
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.cards.shoe import Shoe
from tourney.game.ledger import BlockResult, SeatResult
from tourney.game.seats import play_block
from tourney.game.turns import Watcher
from tourney.games.blackjack.records import Dealt, Record
from tourney.games.blackjack.rules import BlackjackRules
from tourney.standings.fold import fold
from tourney.standings.standing import EntrantLabel, Standing
from tourney.standings.tallies import Scoring

BANKROLL, MINIMUM, MAXIMUM = 200, 5, 100


class Steady(Player):
    """Bets the minimum and stands at 15."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the minimum."""
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit up to 14."""
        return player.total < 15


class Daring(Steady):
    """Bets a quarter of the bankroll and draws to 19."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet a quarter, as far as the table lets it."""
        return min(max(minimum, bankroll // 4), MAXIMUM)

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit up to 18."""
        return player.total < 19


class Fragile(Steady):
    """Plays like Steady, and fails at the sight of a 13."""

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Fail at a 13."""
        if player.total == 13:
            raise ValueError
        return super().draw(dealer, player)


class Cards(Watcher):
    """Writes down the cards of every shoe."""

    def __init__(self) -> None:
        self.shoes: list[list[Card]] = []

    def shuffled(self, shoe: Shoe) -> None:
        """Begin a list."""
        self.shoes.append([])

    def happened(self, record: Record) -> None:
        """Write down a card, face up or down."""
        if isinstance(record, Dealt):
            self.shoes[-1].append(record.card)


@dataclass(frozen=True)
class Played:
    """A tournament that has been played."""

    blocks: tuple[Block, ...]
    results: tuple[BlockResult, ...]
    shoes: tuple[list[list[Card]], ...]  # of every block
    made: tuple[Player, ...]
    standings: tuple[Standing, ...]

    def seats(self, entrant: int) -> list[SeatResult]:
        """Give an entrant's results in the order they were played."""
        seats = [seat for result in self.results for seat in result.seats]
        return [seat for seat in seats if seat.entrant == entrant]

    def at(self, entrant: int, table: int) -> list[int]:
        """Give the positions of the blocks that an entrant played at a table."""
        return [
            position
            for position, block in enumerate(self.blocks)
            if (block.seats[0].entrant, block.key.table) == (entrant, table)
        ]


def play(options: Format, *entrants: type[Player]) -> Played:
    """Play a tournament."""
    secret = Secret.from_seed(7)
    field = Field(len(entrants), BlackjackRules(), BANKROLL, MINIMUM, MAXIMUM, secret)
    made: list[Player] = []

    def make(entrant: int) -> Player:
        made.append(entrants[entrant]())
        return made[-1]

    blocks, results, shoes = [], [], []
    for block, result, cards in _play(options, field, make):
        blocks.append(block)
        results.append(result)
        shoes.append(cards)
    return Played(
        tuple(blocks),
        tuple(results),
        tuple(shoes),
        tuple(made),
        standings(options, entrants, results),
    )


def _play(
    options: Format, field: Field, make: Callable[[int], Player]
) -> Iterator[tuple[Block, BlockResult, list[list[Card]]]]:
    schedule = options.schedule(field)
    for wave in schedule.waves():
        taken = []
        for block in (block for batch in wave for block in batch.blocks):
            watcher = Cards()
            result = play_block(block, make, watcher)
            taken.append(result)
            yield block, result, watcher.shoes
        for result in taken:
            schedule.take(result)


def standings(
    options: Format, entrants: Sequence[type[Player]], results: Sequence[BlockResult]
) -> tuple[Standing, ...]:
    """Fold the results into standings, under the names of the classes."""
    labels = [EntrantLabel(kind.__name__, "", None) for kind in entrants]
    scoring = Scoring(BlackjackRules(), BANKROLL, MINIMUM, options.scheduled_rounds, options.fault)
    return fold(((one.key, seat) for one in results for seat in one.seats), labels, scoring)


def agree(one: Sequence[Sequence[Card]], other: Sequence[Sequence[Card]]) -> bool:
    """Say whether shoes are alike, as far as both sides saw them."""
    return all(
        card == card_there
        for shoe, shoe_there in zip(one, other, strict=False)
        for card, card_there in zip(shoe, shoe_there, strict=False)
    )


BOTH = pytest.mark.parametrize("kind", [Duplicate, Independent])
Solo = type[Duplicate] | type[Independent]


@BOTH
def test_rule_1_all_start_alike_and_play_the_same_number_of_rounds(kind: Solo) -> None:
    """At every table; whose bankroll does not last plays fewer."""
    played = play(kind(tables=6, rounds=60), Steady, Daring)
    for entrant in (0, 1):
        seats = played.seats(entrant)
        assert [seat.initial for seat in seats] == [BANKROLL] * 6
        for seat in seats:
            assert seat.rounds == 60 if seat.final >= MINIMUM else seat.rounds <= 60
    assert {seat.rounds for seat in played.seats(0)} == {60}
    assert any(seat.rounds < 60 for seat in played.seats(1))


def test_rule_2_a_table_of_duplicate_deals_the_same_shoes_to_everybody() -> None:
    """Whatever they do: one draws more cards and so begins other rounds in a shoe."""
    played = play(Duplicate(tables=3, rounds=30), Steady, Daring)
    for table in range(3):
        (steady,), (daring,) = played.at(0, table), played.at(1, table)
        assert len(played.shoes[steady]) > 2
        assert agree(played.shoes[steady], played.shoes[daring])
        assert played.results[steady].seats[0].mix != played.results[daring].seats[0].mix
    assert not agree(played.shoes[played.at(0, 0)[0]], played.shoes[played.at(0, 1)[0]])


def test_rule_2_every_entrant_sits_alone() -> None:
    """At each of the tables, once."""
    played = play(Duplicate(tables=5, rounds=4, batch_tables=2), Steady, Daring)
    assert all(len(block.seats) == 1 for block in played.blocks)
    tables = defaultdict(list)
    for block in played.blocks:
        tables[block.seats[0].entrant].append(block.key.table)
    assert tables == {0: [0, 1, 2, 3, 4], 1: [0, 1, 2, 3, 4]}


def test_rule_3_in_independent_nobodys_shoes_are_alike() -> None:
    """Not even those of two entrants that play the same."""
    played = play(Independent(tables=4, rounds=10), Steady, Steady)
    firsts = [tuple(shoes[0][:5]) for shoes in played.shoes]
    assert len(set(firsts)) == 8
    assert len({block.shoe_key for block in played.blocks}) == 8
    assert all(len(block.seats) == 1 for block in played.blocks)


@BOTH
def test_rule_4_a_tables_rounds_may_be_several_blocks(kind: Solo) -> None:
    """With a new shoe and a new player each, and the bankroll the one before ended with."""
    played = play(kind(tables=2, rounds=25, block_rounds=10), Steady, Steady)
    for entrant, table in ((0, 0), (0, 1), (1, 0), (1, 1)):
        places = played.at(entrant, table)
        seats = [played.results[place].seats[0] for place in places]
        assert [played.blocks[place].key.first_round for place in places] == [1, 11, 21]
        assert [seat.rounds for seat in seats] == [10, 10, 5]
        assert [seat.initial for seat in seats] == [BANKROLL, seats[0].final, seats[1].final]
        assert not agree(played.shoes[places[0]], played.shoes[places[1]])
    assert len(set(map(id, played.made))) == len(played.blocks)


def test_rule_4_without_block_rounds_a_table_is_one_block() -> None:
    """All of its rounds, with one player."""
    played = play(Duplicate(tables=1, rounds=25), Steady)
    assert [result.rounds for result in played.results] == [25]
    assert len(played.made) == 1


def test_rule_4_a_table_whose_bankroll_is_gone_has_no_further_block() -> None:
    """Its last block decides."""
    played = play(Duplicate(tables=8, rounds=80, block_rounds=20), Daring)
    lasts = [played.at(0, table)[-1] for table in range(8)]
    ruined = [place for place in lasts if played.blocks[place].key.first_round < 61]
    assert ruined
    assert all(played.results[place].seats[0].final < MINIMUM for place in ruined)
    finals = [played.results[place].seats[0].final for place in lasts]
    assert played.standings[0].mean == Fraction(sum(finals), 8)


@BOTH
def test_rule_5_the_standings_order_by_the_mean_final_bankroll(kind: Solo) -> None:
    """Over all tables, exactly."""
    played = play(kind(tables=7, rounds=40), Daring, Steady)
    means = {}
    for entrant, name in enumerate(("Daring", "Steady")):
        means[name] = Fraction(sum(seat.final for seat in played.seats(entrant)), 7)
    assert {row.name: row.mean for row in played.standings} == means
    assert [row.place for row in played.standings] == [1, 2]
    assert played.standings[0].mean > played.standings[1].mean


def test_rule_5_equal_means_share_a_place() -> None:
    """And the place after them is left out."""
    played = play(Duplicate(tables=7, rounds=40), Steady, Daring, Steady)
    places = {row.name: row.place for row in played.standings}
    assert sorted(row.place or 0 for row in played.standings) in ([1, 1, 3], [1, 2, 2])
    assert places["Steady"] != places["Daring"]


def test_rule_6_a_table_that_ends_in_a_verdict_is_lost() -> None:
    """It counts as a final bankroll of 0, and the others count as they are."""
    played = play(Duplicate(tables=12, rounds=4, on_fault="zero"), Fragile)
    seats = played.seats(0)
    assert 0 < sum(seat.verdict is not None for seat in seats) < 12
    (row,) = played.standings
    assert row.place == 1
    assert row.mean == Fraction(sum(0 if seat.verdict else seat.final for seat in seats), 12)


def test_rule_6_an_entrant_with_a_verdict_may_be_out() -> None:
    """It stands below the others, without a place."""
    played = play(Duplicate(tables=12, rounds=4, on_fault="disqualify"), Fragile, Steady)
    assert [(row.name, row.place) for row in played.standings] == [("Steady", 1), ("Fragile", None)]


def test_rule_6_the_bankroll_at_a_verdict_may_stand() -> None:
    """The wager in play is lost; what is left counts."""
    played = play(Duplicate(tables=12, rounds=4, on_fault="keep"), Fragile)
    seats = played.seats(0)
    (row,) = played.standings
    assert any(seat.verdict and 0 < seat.final < BANKROLL for seat in seats)
    assert row.mean == Fraction(sum(seat.final for seat in seats), 12)


@pytest.mark.parametrize("fault", ["zero", "disqualify", "keep"])
def test_rule_6_a_table_with_a_verdict_is_over(fault: str) -> None:
    """In a format of several blocks, too: no block follows it."""
    options = Duplicate(tables=12, rounds=12, block_rounds=3, on_fault=fault)  # type: ignore[arg-type]  # text
    played = play(options, Fragile)
    seen = 0
    for table in range(12):
        seats = [played.results[place].seats[0] for place in played.at(0, table)]
        assert all(seat.verdict is None for seat in seats[:-1])
        seen += seats[-1].verdict is not None
    assert seen


def test_rule_6_a_verdict_costs_nobody_else_anything() -> None:
    """Everybody else's results are the same to the bit."""
    options = Duplicate(tables=6, rounds=10)
    with_it, without = play(options, Steady, Fragile), play(options, Steady, Steady)
    assert with_it.seats(0) == without.seats(0)


def test_rule_7_a_table_is_ruined_if_its_bankroll_cannot_meet_the_minimum() -> None:
    """As many of the tables as the standings say."""
    played = play(Duplicate(tables=10, rounds=80), Daring)
    finals = [seat.final for seat in played.seats(0)]
    ruined = sum(final < MINIMUM for final in finals)
    assert 0 < ruined < 10
    assert played.standings[0].ruin == ruined / 10


def test_rule_7_a_verdict_is_no_ruin() -> None:
    """Not even where the table is lost by it."""
    played = play(Duplicate(tables=12, rounds=4, on_fault="zero"), Fragile)
    assert played.standings[0].faults > 0
    assert played.standings[0].ruin == 0
