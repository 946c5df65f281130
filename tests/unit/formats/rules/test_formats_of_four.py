"""The rules of the formats for four at a table, clause by clause: docs/rules/formats.md."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import pytest

from tourney import Card, StraightsPlayer, StraightsView
from tourney.config.tournament import loads
from tourney.errors import ConfigError, FormatError
from tourney.formats import Duplicate, Format, Independent, Match
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockResult, SeatResult
from tourney.game.seats import play_block
from tourney.game.turns import Watcher
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.straights.records import Played as PlayedCard
from tourney.games.straights.records import Record
from tourney.games.straights.rules import StraightsRules
from tourney.games.straights.suits import points_of
from tourney.plugins.loading import load_plugins
from tourney.standings.fold import fold_blocks
from tourney.standings.standing import EntrantLabel, Standing
from tourney.standings.tallies import Scoring
from tourney.tournament.catalog import catalog_of

WORST = 154


class First(StraightsPlayer):
    """Takes the first card it may."""

    def play(self, view: StraightsView) -> Card:
        """Take the first."""
        return (view.legal_plays or view.hand)[0]


class Cheap(StraightsPlayer):
    """Takes the cheapest card it may."""

    def play(self, view: StraightsView) -> Card:
        """Take the cheapest."""
        return min(view.legal_plays or view.hand, key=view.points_of)


class Fragile(First):
    """Plays like First, and fails when it must discard with a deuce in its hand."""

    def play(self, view: StraightsView) -> Card:
        """Fail now and then."""
        if view.must_discard and any(points_of(card) == 2 for card in view.hand):
            raise ValueError
        return super().play(view)


class Stubborn(First):
    """Always answers its first card, whether it may be played or not."""

    def play(self, view: StraightsView) -> Card:
        """Answer the first card."""
        return view.hand[0]


class Hands(Watcher):
    """Writes down the deals, and what was played."""

    def __init__(self) -> None:
        self.deals: list[list[tuple[Card, ...]]] = []
        self.records: list[Record] = []

    def dealt(self, hands: Sequence[Sequence[Card]]) -> None:
        """Write down a deal."""
        self.deals.append([tuple(hand) for hand in hands])

    def happened(self, record: Record) -> None:
        """Write down a card."""
        self.records.append(record)


@dataclass(frozen=True)
class Tournament:
    """A tournament that has been played."""

    blocks: tuple[Block, ...]
    results: tuple[BlockResult, ...]
    seen: tuple[Hands, ...]
    standings: tuple[Standing, ...]

    def tables(self) -> dict[int, list[int]]:
        """Give the positions of the blocks of every table."""
        found = defaultdict(list)
        for position, block in enumerate(self.blocks):
            found[block.key.table].append(position)
        return found

    def seats(self, entrant: int) -> Iterator[tuple[Block, SeatResult]]:
        """Give an entrant's results."""
        for block, result in zip(self.blocks, self.results, strict=True):
            yield from ((block, seat) for seat in result.seats if seat.entrant == entrant)


def play(
    options: Format, *kinds: type[StraightsPlayer], rules: StraightsRules | None = None
) -> Tournament:
    """Play a tournament."""
    rules = rules or StraightsRules()
    options.check(len(kinds), rules)
    field = Field(len(kinds), rules, 0, 0, 0, Secret.from_seed(7))
    blocks = [
        block
        for wave in options.schedule(field).waves()
        for batch in wave
        for block in batch.blocks
    ]
    seen = [Hands() for _ in blocks]
    results = [
        play_block(block, lambda entrant: kinds[entrant](), watcher)
        for block, watcher in zip(blocks, seen, strict=True)
    ]
    labels = [EntrantLabel(f"{kind.__name__} {n}", "") for n, kind in enumerate(kinds)]
    measure = options.measure(rules)
    scoring = Scoring(rules, 0, 0, options.scheduled_rounds, options.fault, measure)
    standings = fold_blocks(results, labels, scoring)
    return Tournament(tuple(blocks), tuple(results), tuple(seen), standings)


def means(played: Tournament) -> dict[str, Fraction]:
    """Give the mean of every entrant."""
    return {row.name: row.mean for row in played.standings}


FOUR = (First, Cheap, First, Cheap)


def test_rule_8_everybody_holds_every_hand_of_a_deal_once() -> None:
    """In four seatings, each one seat further on, of the same deals."""
    played = play(Duplicate(tables=3, rounds=2), *FOUR)
    for places in played.tables().values():
        assert [played.blocks[place].key.seating for place in places] == [0, 1, 2, 3]
        deals = [played.seen[place].deals for place in places]
        assert deals[0] == deals[1] == deals[2] == deals[3]
        orders = [[seat.entrant for seat in played.blocks[place].seats] for place in places]
        for before, after in zip(orders, [*orders[1:], orders[0]], strict=True):
            assert after == [*before[1:], before[0]]


def test_rule_8_a_batch_holds_one_rotation_of_a_table() -> None:
    """Or players of one batch would know a deal from another seat."""
    field = Field(5, StraightsRules(), 0, 0, 0, Secret.from_seed(7))
    for options in (Duplicate(tables=8, rounds=4, block_rounds=2), Match(tables=8, games=3)):
        schedule = options.schedule(field)
        batches = [batch for wave in schedule.waves() for batch in wave]
        assert len(batches) <= schedule.batches
        assert [batch.number for batch in batches] == list(range(len(batches)))
        for batch in batches:
            assert len({block.key.seating for block in batch.blocks}) == 1
            assert len({block.shoe_key for block in batch.blocks}) == len(batch.blocks)


@pytest.mark.parametrize(("entrants", "tables"), [(4, 2), (5, 8), (7, 4), (9, 8)])
def test_rule_9_everybody_meets_everybody_equally_often(entrants: int, tables: int) -> None:
    """At as many tables as the organiser says, counted one by one."""
    played = play(Duplicate(tables=tables, rounds=1), *[First] * entrants)
    groups = [
        frozenset(seat.entrant for seat in played.blocks[places[0]].seats)
        for places in played.tables().values()
    ]
    seats = Counter(entrant for group in groups for entrant in group)
    assert set(seats.values()) == {tables}
    pairs = Counter(pair for group in groups for pair in combinations(sorted(group), 2))
    assert len(pairs) == entrants * (entrants - 1) // 2
    assert len(set(pairs.values())) == 1


def test_rule_9_what_does_not_come_out_even_is_refused() -> None:
    """Too few entrants, or tables that are no multiple."""
    with pytest.raises(FormatError, match="instead of at least 4"):
        play(Duplicate(tables=1, rounds=1), First, First, First)
    with pytest.raises(FormatError, match="multiple of 4"):
        play(Match(tables=5), *[First] * 5)


def test_rule_10_neighbours_and_groups_vary() -> None:
    """Four entrants have all six cyclic orders; a plan that is repeated has other groups."""
    field = Field(4, StraightsRules(), 0, 0, 0, Secret.from_seed(7))
    orders = set()
    for wave in Duplicate(tables=60, rounds=1).schedule(field).waves():
        for block in (block for batch in wave for block in batch.blocks):
            orders.add(tuple(seat.entrant for seat in block.seats))
    assert len(orders) == 24
    field = Field(7, StraightsRules(), 0, 0, 0, Secret.from_seed(7))
    groups = Counter(
        frozenset(seat.entrant for seat in block.seats)
        for wave in Duplicate(tables=40, rounds=1).schedule(field).waves()
        for batch in wave
        for block in batch.blocks
    )
    assert len(groups) > 14


def test_rule_11_a_table_counts_as_points_a_round() -> None:
    """Of all its deals in all four seatings; fewest are best."""
    played = play(Duplicate(tables=3, rounds=5), *FOUR)
    for entrant, kind in enumerate(FOUR):
        points = sum(seat.net for _, seat in played.seats(entrant))
        assert means(played)[f"{kind.__name__} {entrant}"] == Fraction(points, 3 * 4 * 5)
    assert [row.name.split()[0] for row in played.standings] == ["Cheap"] * 2 + ["First"] * 2
    assert {row.rounds for row in played.standings} == {60}


def test_rule_11_points_are_what_discards_count() -> None:
    """And the squares are of rounds; the cards are the round's."""
    played = play(Duplicate(tables=1, rounds=3), *FOUR)
    for result, seen in zip(played.results, played.seen, strict=True):
        for seat in result.seats:
            rounds = [0, 0, 0]
            for move, record in enumerate(seen.records):
                if record.seat == seat.seat and not isinstance(record, PlayedCard):
                    rounds[move // 52] += points_of(record.card)
            assert (seat.net, seat.handle) == (sum(rounds), 0)
            assert seat.squares == sum(points**2 for points in rounds)
        assert (result.rounds, result.shuffles, result.cards) == (3, 3, 156)


def test_rule_11_with_block_rounds_new_players_sit_down() -> None:
    """And new deals begin."""
    played = play(Duplicate(tables=1, rounds=5, block_rounds=2), *FOUR)
    places = played.tables()[0]
    keys = [(played.blocks[at].key.seating, played.blocks[at].key.first_round) for at in places]
    assert keys == [(seating, first) for seating in range(4) for first in (1, 3, 5)]
    assert [played.results[at].rounds for at in places] == [2, 2, 1] * 4
    assert {row.rounds for row in played.standings} == {20}


def test_rule_11_a_limit_is_refused() -> None:
    """Its rounds would not be those that are scheduled."""
    with pytest.raises(FormatError, match=r"limit: 80 would end games .* remove the limit, or use"):
        play(Duplicate(tables=1, rounds=1), *FOUR, rules=StraightsRules(limit=80))


@pytest.mark.parametrize("limit", [None, 40])
def test_rule_12_a_game_ends_when_somebody_has_the_limit(limit: int | None) -> None:
    """80 points, if the rules have none; games have deals of their own."""
    played = play(Match(tables=2, games=3), *FOUR, rules=StraightsRules(limit=limit))
    assert len(played.results) == 2 * 3 * 4
    for result in played.results:
        assert max(seat.final for seat in result.seats) >= (limit or 80)
        assert min(seat.rounds for seat in result.seats) == result.rounds
    first = {played.blocks[at].shoe_key for at in played.tables()[0]}
    assert len(first) == 3


def test_rule_12_a_table_counts_as_a_mean_place() -> None:
    """Who are equal share the places they take, and the win; so all places come to the same."""
    played = play(Match(tables=6, games=2), *FOUR, rules=StraightsRules(limit=1))
    by_hand: dict[int, list[Fraction]] = defaultdict(list)
    wins: dict[int, list[Fraction]] = defaultdict(list)
    for result in played.results:
        ordered = sorted(seat.net for seat in result.seats)
        for seat in result.seats:
            taken = [place for place, net in enumerate(ordered, 1) if net == seat.net]
            by_hand[seat.entrant].append(Fraction(sum(taken), len(taken)))
            wins[seat.entrant].append(Fraction(1 in taken, len(taken)))
    assert any(place.denominator == 2 for places in by_hand.values() for place in places)
    for entrant, kind in enumerate(FOUR):
        row = next(row for row in played.standings if row.name == f"{kind.__name__} {entrant}")
        assert row.mean == sum(by_hand[entrant]) / 48
        assert row.wins == pytest.approx(float(sum(wins[entrant]) / 48))
        assert row.games == 48
    assert sum(row.mean for row in played.standings) == 10
    assert sum(row.wins for row in played.standings) == pytest.approx(1)


def test_rule_12_after_its_rounds_a_game_is_over_in_any_case() -> None:
    """However few points anybody has."""
    played = play(Match(tables=1, games=2, rounds=1), *FOUR)
    assert {result.rounds for result in played.results} == {1}
    assert {row.games for row in played.standings} == {2 * 4}


def test_rule_13_lowest_is_first_and_equals_share_a_place() -> None:
    """Four who play alike and in all seats come to the same."""
    played = play(Duplicate(tables=2, rounds=4), *[First] * 4)
    assert [row.place for row in played.standings] == [1, 1, 1, 1]
    played = play(Match(tables=2, games=2), *FOUR)
    assert [row.mean for row in played.standings] == sorted(row.mean for row in played.standings)


@pytest.mark.parametrize("kind", [Fragile, Stubborn])
def test_rule_14_a_stand_in_plays_on_with_the_first_legal_card(
    kind: type[StraightsPlayer],
) -> None:
    """So the whole block is what it would have been with a player that does."""
    options = Duplicate(tables=3, rounds=4)
    faulty, sound = play(options, kind, Cheap, First, Cheap), play(options, First, *FOUR[1:])
    verdicts = 0
    for (_, one), (_, other) in zip(faulty.seats(0), sound.seats(0), strict=True):
        assert (one.net, one.rounds, one.mix) == (other.net, other.rounds, other.mix)
        if one.verdict:
            verdicts += 1
            assert one.left_round == one.verdict.round
            assert one.verdict.call == "play"
    assert verdicts
    for entrant in (1, 2, 3):
        assert list(faulty.seats(entrant)) == list(sound.seats(entrant))


@pytest.mark.parametrize(
    ("options", "worst"), [(Duplicate(tables=4, rounds=3), WORST), (Match(tables=4), 4)]
)
def test_rule_14_a_table_that_ends_in_a_verdict_is_lost(options: Format, worst: int) -> None:
    """It counts as the most points there are, or as the last place."""
    played = play(options, Stubborn, *FOUR[1:])
    assert all(seat.verdict for _, seat in played.seats(0))
    last = played.standings[-1]
    assert (last.name, last.mean) == ("Stubborn 0", worst)


def test_rule_14_the_most_points_are_thirteen_of_the_dearest_cards() -> None:
    """All kings, queens and jacks, and a ten."""
    assert 4 * (13 + 12 + 11) + 10 == WORST == StraightsRules.most_points


def test_rule_14_an_entrant_with_a_verdict_may_be_out_or_stand() -> None:
    """Out is below all others; stands is what the table came to."""
    out = play(Duplicate(tables=2, rounds=3, on_fault="disqualify"), Stubborn, *FOUR[1:])
    assert [row.place for row in out.standings] == [1, 2, 3, None]
    stands = play(Duplicate(tables=2, rounds=3, on_fault="keep"), Stubborn, *FOUR[1:])
    points = sum(seat.net for _, seat in stands.seats(0))
    assert means(stands)["Stubborn 0"] == Fraction(points, 24)


def test_rule_15_formats_that_make_no_sense_are_refused() -> None:
    """Independent tables in Straights, and matches for chips."""
    with pytest.raises(
        FormatError, match=r"straights is played by four .* use the format duplicate, match or"
    ):
        play(Independent(tables=1, rounds=1), *FOUR)
    with pytest.raises(
        FormatError, match=r"blackjack is a game .* use the format duplicate or independent"
    ):
        Match(tables=1).check(4, BlackjackRules())


def read(text: str) -> None:
    """Read the configuration of a tournament of Straights, but for some settings."""
    fixed = "name: Four\ngame: straights\n"
    loads(fixed + text, catalog_of(load_plugins()), "four.yaml")


ENTRANTS = "entrants:\n" + "".join(
    f"  - {{strategy: first-legal, as: {name}}}\n" for name in "ABCD"
)
FORM = "format: {kind: duplicate, tables: 1, rounds: 1}\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            f"bankroll: 100\n{FORM}{ENTRANTS}",
            "four.yaml:3:11: bankroll: straights is played without chips; remove 'bankroll'",
        ),
        (
            f"minimum: 1\nmaximum: 5\n{FORM}{ENTRANTS}",
            "four.yaml:3:10: minimum: straights is played without chips; "
            "remove 'minimum'\n"
            "four.yaml:4:10: maximum: straights is played without chips; "
            "remove 'maximum'",
        ),
        (
            f"{FORM}{ENTRANTS}leaderboard: {{columns: [rank, profit_per_round]}}\n",
            "four.yaml:9:31: leaderboard.columns[1]: 'profit_per_round' does not fit a board "
            "of mean points per round in straights; choose another column, such as rank, rank_set, "
            "entrant, above, mean_points, q05, q95, rounds, faults, points_per_round",
        ),
        (
            f"{FORM}{ENTRANTS}  - {{strategy: simple}}\n",
            "four.yaml:9:16: entrants[4].strategy: 'simple' plays blackjack, not "
            "straights; choose ",
        ),
        (
            f"format: {{kind: match, tables: 5}}\n{ENTRANTS}  - {{strategy: thrifty}}\n",
            "four.yaml:3:9: format: tables: 5 is not a multiple of 4, which 5 entrants need to "
            "meet each other equally often; use 4 or 8",
        ),
        (
            f"format: {{kind: independent, tables: 4, rounds: 1}}\n{ENTRANTS}",
            "four.yaml:3:9: format: straights is played by four at a table, and in "
            "independent each entrant sits alone; use the format duplicate, match or roundrobin",
        ),
    ],
)
def test_rule_16_what_does_not_fit_is_a_fault_with_a_place(text: str, fault: str) -> None:
    """Chips, columns, strategies and numbers, each with a remedy."""
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert str(caught.value).startswith(fault)


def test_rule_16_a_strategy_of_straights_is_a_fault_in_blackjack() -> None:
    """With the strategies of blackjack to choose from."""
    text = "name: A\ngame: ve280\nbankroll: 9\nminimum: 1\n" + FORM
    with pytest.raises(
        ConfigError, match=r"a\.yaml:6:23: .*'first-legal' plays straights, not blackjack; choose b"
    ):
        loads(
            f"{text}entrants: [{{strategy: first-legal}}]\n", catalog_of(load_plugins()), "a.yaml"
        )
