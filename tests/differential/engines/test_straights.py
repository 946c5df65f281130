"""Compiled Straights against the reference engine and against a naive referee."""

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tourney import Card, PreferencePlayer, WeighsDiscards, WeighsPlays
from tourney.game.blocks import Block, Seat
from tourney.game.cards.card import short_name
from tourney.game.cards.shoe import make_shoe
from tourney.game.ledger import BlockKey, BlockResult, batch_digest
from tourney.game.players import Undeclared
from tourney.game.seats import play_block
from tourney.games.straights.declaration import StraightsDeclaration
from tourney.games.straights.declared_players import straights_declaration_of
from tourney.games.straights.kernels.declared_blocks import play_straights_blocks
from tourney.games.straights.rules import StraightsRules
from tourney.games.straights.suits import BY_SHORT_NAME
from tourney.strategies.blocker import Blocker
from tourney.strategies.first_legal import FirstLegal
from tourney.strategies.gatekeeper import Gatekeeper
from tourney.strategies.pathfinder import Pathfinder
from tourney.strategies.salvager import Salvager
from tourney.strategies.surveyor import Surveyor
from tourney.strategies.thrifty import Thrifty

sys.path.insert(0, str(Path(__file__).parents[1] / "oracles"))

from naive_straights import play_round

from tests.support.proving import tried

BUNDLED = (FirstLegal, Thrifty, Gatekeeper, Blocker, Pathfinder, Salvager, Surveyor)

TABLES = {
    "few": lambda dice: [dice.randint(-2, 2) for _ in range(52)],
    "floats": lambda dice: [dice.uniform(-3, 3) for _ in range(52)],
    "huge": lambda dice: [
        dice.choice((-1, 1)) * 10.0 ** dice.uniform(-300, 300) for _ in range(52)
    ],
    "strict": lambda dice: dice.sample(range(52), 52),
}
"""Worths of many equals, of none, and of sums that round or overflow."""

NAMES = (
    "play_worth",
    "discard_worth",
    "own_worth",
    "strangers_worth",
    "waiting_worth",
    "reach",
    "chance",
)


class Both(WeighsPlays, WeighsDiscards):
    """Weighs everything."""


def author(base: type[PreferencePlayer], tables: Sequence[Sequence[float]]) -> Any:
    """Write a player that answers from tables."""

    def answer(table: Sequence[float]) -> Any:
        return lambda _, card: table[card.code]

    return type("Author", (base,), {name: answer(t) for name, t in zip(NAMES, tables, strict=True)})


def any_author(base: type[PreferencePlayer], worths: list[str], rng_seed: int) -> Any:
    """Write a player that answers from tables of these sorts."""
    dice = Random(rng_seed)
    return author(base, [TABLES[each](dice) for each in worths])


ANY_PLAYER = st.builds(
    any_author,
    st.sampled_from([PreferencePlayer, WeighsPlays, WeighsDiscards, Both]),
    st.lists(st.sampled_from(sorted(TABLES)), min_size=len(NAMES), max_size=len(NAMES)),
    st.integers(0, 2**32),
)


def declared(kind: type[PreferencePlayer]) -> StraightsDeclaration:
    """Give what a strategy declares, which must be something."""
    found = straights_declaration_of(kind())
    assert not isinstance(found, Undeclared), found
    return found


def block(
    entrants: Sequence[int], rounds: int, shoe_key: bytes, limit: int | None = None, points: int = 0
) -> Block:
    """Draw up a block; the first seat brings points along."""
    seats = [Seat(each, 0 if place else points, bytes(16)) for place, each in enumerate(entrants)]
    key = BlockKey(1, 2, 3, 4, 1 + rounds)
    return Block(key, StraightsRules(limit=limit), tuple(seats), 0, 0, rounds, shoe_key)


def both(
    blocks: Sequence[Block], kinds: Sequence[type[PreferencePlayer]]
) -> tuple[tuple[BlockResult, ...], tuple[BlockResult, ...]]:
    """Play blocks compiled and by the reference."""
    declarations = {entrant: declared(kind) for entrant, kind in enumerate(kinds)}
    compiled = play_straights_blocks(blocks, declarations)
    return compiled, tuple(play_block(each, lambda entrant: kinds[entrant]()) for each in blocks)


@tried(150)
@given(
    kinds=st.lists(ANY_PLAYER, min_size=4, max_size=4),
    rounds=st.integers(0, 9),
    shoe_key=st.binary(min_size=16, max_size=16),
    limit=st.one_of(st.none(), st.integers(1, 120)),
    points=st.integers(0, 100),
)
def test_whatever_is_declared_gives_the_same_result(
    kinds: list[type[PreferencePlayer]],
    rounds: int,
    shoe_key: bytes,
    limit: int | None,
    points: int,
) -> None:
    """Any worths, many alike or none, summed to the last bit: every field and the digest."""
    compiled, reference = both([block(range(4), rounds, shoe_key, limit, points)], kinds)
    assert compiled == reference
    assert batch_digest(compiled) == batch_digest(reference)


def test_bundled_strategies_give_the_same_results_in_any_seats() -> None:
    """Many blocks in one call: seatings, lengths and limits mixed."""
    dice = Random(8)
    blocks = [
        block(
            [dice.randrange(len(BUNDLED)) for _ in range(4)],
            dice.choice((0, 1, 3, 4, 5, 8, 11)),
            dice.randbytes(16),
            dice.choice((None, 1, 80, 150)),
        )
        for _ in range(150)
    ]
    compiled, reference = both(blocks, BUNDLED)
    assert compiled == reference
    assert [each.digest for each in compiled] == [each.digest for each in reference]


def test_a_long_block_gives_the_same_result() -> None:
    """Squares, mixes and shoes far beyond the first."""
    blocks = [block((0, 1, 0, 1), 401, b"a table's key 01"), block((2,) * 4, 402, bytes(16))]
    compiled, reference = both(blocks, BUNDLED)
    assert compiled == reference


def test_a_game_ends_after_the_round_in_which_a_seat_reaches_the_limit() -> None:
    """The rounds that were dealt side by side with it do not count."""
    dice = Random(9)
    blocks = [block((0,) * 4, 50, dice.randbytes(16), limit) for limit in range(20, 140)]
    compiled, reference = both(blocks, BUNDLED)
    assert compiled == reference
    assert {each.rounds % 4 for each in compiled} == {0, 1, 2, 3}
    for each, result in zip(blocks, compiled, strict=True):
        assert isinstance(each.rules, StraightsRules)
        assert each.rules.limit is not None
        assert max(seat.final for seat in result.seats) >= each.rules.limit


def test_a_block_whose_limit_is_reached_before_is_not_played() -> None:
    """Nobody draws up such a block, but it has an answer."""
    compiled, reference = both([block((0,) * 4, 5, bytes(16), limit=80, points=80)], BUNDLED)
    assert compiled == reference
    assert compiled[0].rounds == 0


def test_what_a_block_gives_does_not_depend_on_its_neighbours() -> None:
    """Alone or between others, in any order."""
    dice = Random(10)
    blocks = [block((6, 1, 2, 0), 5, dice.randbytes(16), 80) for _ in range(6)]
    declarations = {entrant: declared(kind) for entrant, kind in enumerate(BUNDLED)}
    together = play_straights_blocks(blocks, declarations)
    assert together == play_straights_blocks(blocks[::-1], declarations)[::-1]
    assert together == tuple(play_straights_blocks([each], declarations)[0] for each in blocks)
    assert play_straights_blocks([], declarations) == ()


@tried(60)
@given(
    kinds=st.lists(
        st.builds(
            any_author, st.just(PreferencePlayer), st.just(["few"] * len(NAMES)), st.integers(0, 99)
        ),
        min_size=4,
        max_size=4,
    ),
    shoe_key=st.binary(min_size=16, max_size=16),
)
def test_rounds_go_as_a_naive_referee_says(
    kinds: list[type[PreferencePlayer]], shoe_key: bytes
) -> None:
    """Points and squares of five rounds, from cards that are texts."""
    players = [kind() for kind in kinds]

    def choose(seat: int, hand: list[str], legal: list[str]) -> str:
        player = players[seat]

        def worth(name: str) -> float:
            card: Card = BY_SHORT_NAME[name]
            return player.play_worth(card) if legal else player.discard_worth(card)

        return max(legal or hand, key=worth)

    shoe = make_shoe(1, "uniform", shoe_key)
    points: list[list[int]] = []
    for _ in range(5):
        shoe.shuffle()
        names = [short_name(card) for card in shoe.cards]
        points.append(play_round([names[at : at + 13] for at in range(0, 52, 13)], choose).points)
    declarations = {entrant: declared(kind) for entrant, kind in enumerate(kinds)}
    (result,) = play_straights_blocks([block(range(4), 5, shoe_key)], declarations)
    for seat, each in enumerate(result.seats):
        assert each.final == sum(row[seat] for row in points)
        assert each.squares == sum(row[seat] ** 2 for row in points)
