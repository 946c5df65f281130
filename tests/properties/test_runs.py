"""A result depends on its batch and its players, and on nothing else, wherever it is played."""

from random import Random

import pytest

from tourney.execution.workers.worker_choice import make_workers
from tourney.game.seats import play_block
from tourney.game.turns import Watcher
from tourney.standings.fold import fold
from tourney.tournament.audit import find_blocks, replay_block, verify_run
from tourney.tournament.stored_standings import with_target

from .any_run import Club, PlayedRun

THREE = ("strategy: simple", "strategy: counting", "strategy: ramp")
SOLO = ("duplicate", "independent")
CHAINED = "{kind: duplicate, tables: 8, rounds: 40, block_rounds: 15, batch_tables: 3}"

PARTY = """\
from tourney import Card, Hand, Player


class Party(Player):
    decisions = 0

    def bet(self, bankroll: int, minimum: int) -> int:
        Party.decisions += 1
        return min(bankroll, minimum * (1 + Party.decisions % 7))

    def draw(self, dealer: Card, player: Hand) -> bool:
        Party.decisions += 1
        return (player.total + Party.decisions) % 11 < 6
"""
PARTIES = ("{file: party.py, as: One}", "{file: party.py, as: Two}", "strategy: simple")

MANY_WAYS = pytest.mark.parametrize(
    ("workers", "batches_a_task"), [(1, 3), (2, None), (2, 1), (2, 3)]
)


def replay(played: PlayedRun) -> int:
    """Replay every block of a run alone, and give how many there were."""
    how = (played.tournament, played.store, played.record)
    entrants = range(len(played.tournament.entrants))
    places = [
        place
        for entrant in entrants
        for table in range(played.tournament.format.tables)  # type: ignore[attr-defined]  # of these two
        for place in find_blocks(*how, entrant, table)
    ]
    for place in places:
        replay_block(*how, place, Watcher())  # raises if it comes to anything else
    return len(places)


@MANY_WAYS
def test_the_number_of_workers_is_no_matter(
    club: Club, workers: int, batches_a_task: int | None
) -> None:
    """Nor is how many batches travel together: digest, standings and floor are the same."""
    alone = club.play(*THREE, form=CHAINED)
    together = club.play(*THREE, form=CHAINED, workers=workers, batches_a_task=batches_a_task)
    assert together.digest == alone.digest
    assert together.result.standings == alone.result.standings
    assert together.result.floor == alone.result.floor


@MANY_WAYS
def test_players_that_share_what_their_class_keeps_are_no_matter(
    club: Club, workers: int, batches_a_task: int | None
) -> None:
    """They share it within a batch and no further, so any worker may play any batch."""
    club.add_file("party.py", PARTY)
    alone = club.play(*PARTIES)
    together = club.play(*PARTIES, workers=workers, batches_a_task=batches_a_task)
    assert together.digest == alone.digest


def test_players_share_what_their_class_keeps_within_a_batch(club: Club) -> None:
    """Between tables of a batch, but neither between batches nor between entrants."""
    club.add_file("party.py", PARTY)
    form = "{{kind: duplicate, tables: 4, rounds: 40, batch_tables: {}}}"
    pairs, singles = (club.play(*PARTIES, form=form.format(tables)) for tables in (2, 1))
    one, two = pairs.blocks(0), pairs.blocks(1)
    alone = singles.blocks(0)
    assert [block.seats[0].mix for block in one] == [block.seats[0].mix for block in two]
    assert [a == b for a, b in zip(one, alone, strict=True)] == [True, False, True, False]


def test_players_that_share_what_their_class_keeps_can_be_replayed(club: Club) -> None:
    """Each block and each batch comes to what it was."""
    club.add_file("party.py", PARTY)
    played = club.play(*PARTIES)
    assert replay(played) == 36
    seen = verify_run(played.tournament, played.store, played.record, sample=None)
    assert (seen.replayed, seen.differing) == (18, ())


def test_the_number_of_dealers_changes_times_only(club: Club) -> None:
    """The floor takes longer with fewer; chips fall as they did."""
    many, few = (club.play(*THREE, floor=f"{{tables: 6, dealers: {n}}}") for n in (6, 2))
    assert few.result.floor.seconds > many.result.floor.seconds
    assert few.result.floor.rounds == many.result.floor.rounds
    assert few.digest == many.digest
    assert few.result.standings == many.result.standings


@pytest.mark.parametrize("kind", SOLO)
def test_a_block_can_be_replayed_alone(club: Club, kind: str) -> None:
    """Whatever table, entrant and place in the order of the rounds it has."""
    form = f"{{kind: {kind}, tables: 6, rounds: 40, block_rounds: 15, batch_tables: 4}}"
    played = club.play(*THREE, form=form)
    assert replay(played) == sum(len(played.blocks(entrant)) for entrant in range(len(THREE)))


@pytest.mark.parametrize("kind", SOLO)
def test_batches_may_be_played_in_any_order(club: Club, kind: str) -> None:
    """The results of a wave and the standings are those of the run."""
    form = f"{{kind: {kind}, tables: 12, rounds: 40, batch_tables: 2}}"
    played = club.play(*THREE, form=form)
    tournament = played.tournament
    (wave,) = tournament.format.schedule(tournament.field).waves()
    batches = list(wave)
    Random(3).shuffle(batches)
    with make_workers(1, tournament.specs()) as crew:
        results = {one.number: one.results for one in crew.play(batches)}
    for number, blocks in results.items():
        assert played.store.batch_results(played.record.number, number) == blocks
    seats = [
        (block.key, seat) for blocks in results.values() for block in blocks for seat in block.seats
    ]
    rows = fold(seats, tournament.labels, tournament.scoring)
    assert with_target(tournament, rows) == played.result.standings


@pytest.mark.parametrize("kind", SOLO)
def test_blocks_may_be_played_without_their_batches(club: Club, kind: str) -> None:
    """The engine comes to the stored results from the blocks alone."""
    form = f"{{kind: {kind}, tables: 5, rounds: 40, batch_tables: 5}}"
    played = club.play(*THREE, form=form)
    tournament = played.tournament
    for wave in tournament.format.schedule(tournament.field).waves():
        for block in (block for batch in wave for block in batch.blocks):
            result = play_block(block, lambda entrant: tournament.entrants[entrant].load()())
            assert played.store.block_result(played.record.number, block.key) == result


@pytest.mark.parametrize("kind", SOLO)
def test_another_entrant_changes_nothing_for_the_others(club: Club, kind: str) -> None:
    """Their results are the same to the bit, so a run can be extended."""
    form = f"{{kind: {kind}, tables: 8, rounds: 40, batch_tables: 3}}"
    two, three = club.play(*THREE[:2], form=form), club.play(*THREE, form=form)
    for entrant in (0, 1):
        assert [block.seats for block in two.blocks(entrant)] == [
            block.seats for block in three.blocks(entrant)
        ]
        assert two.blocks(entrant) == three.blocks(entrant)


def test_duplicate_deals_everybody_the_same_shoes(club: Club) -> None:
    """Two that play alike have results alike, table by table; in independent they have not."""
    alike = ("{strategy: simple, as: One}", "{strategy: simple, as: Two}")
    for kind, is_alike in (("duplicate", True), ("independent", False)):
        played = club.play(*alike, form=f"{{kind: {kind}, tables: 8, rounds: 40}}")
        one, two = ([block.seats[0].mix for block in played.blocks(n)] for n in (0, 1))
        assert (one == two) is is_alike


def test_chained_blocks_carry_the_bankroll(club: Club) -> None:
    """Each begins with what the one before left, and none follows one that left too little."""
    played = club.play(*THREE, form=CHAINED)
    lengths = set()
    for entrant in range(len(THREE)):
        for table in range(8):
            blocks = played.blocks(entrant, table)
            seats = [block.seats[0] for block in blocks]
            assert [seat.initial for seat in seats] == [100, *(seat.final for seat in seats[:-1])]
            assert [block.key.first_round for block in blocks] == [1, 16, 31][: len(blocks)]
            assert len(blocks) == 3 or seats[-1].final < 5
            lengths.add(len(blocks))
    assert len(lengths) > 1  # somebody is ruined before the last block
