"""The rules of the gauntlet, clause by clause: docs/rules/gauntlet.md."""

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from tourney.config.tournament import loads
from tourney.errors import ConfigError, FormatError
from tourney.formats import Gauntlet
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.games.straights.rules import StraightsRules
from tourney.plugins.loading import load_plugins
from tourney.tournament.catalog import catalog_of

from .made_up import at_random, entrants_of, field_of, play_made_up

STRAIGHTS = StraightsRules()
CONFIG = """\
name: Named
seed: 1
game: ve280
bankroll: 100
minimum: 5
format: {kind: gauntlet, against: [simpel]}
entrants: [{strategy: simple}, {strategy: mimic}]
"""


def named_field(entrants: int) -> Field:
    """Give a field of A, B, C and so on."""
    return replace(field_of(entrants), names=tuple("ABCDEFGHIJKLM"[:entrants]))


def by_number(block: Block, entrant: int) -> int:
    """Let those with high numbers win."""
    del block
    return 10 * entrant


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("against", [None, ("C",), ("C", "A"), ("B", "D", "E", "A")])
def test_rule_1_those_named_meet_all_others(against: tuple[str, ...] | None, times: int) -> None:
    """And not each other; without a name the first does."""
    run = play_made_up(Gauntlet(against=against, times=times), named_field(6), at_random(1))
    inside = {"ABCDEF".index(name) for name in against or "A"}
    met = Counter(tuple(sorted(entrants_of([block]))) for block in run.blocks)
    expected = product(inside, set(range(6)) - inside)
    assert met == {tuple(sorted(pair)): times for pair in expected}


def test_rule_2_only_what_is_between_them_and_others_counts() -> None:
    """At a table of four there are three of the others."""
    run = play_made_up(
        Gauntlet(against=("D",)), replace(named_field(7), rules=STRAIGHTS), by_number
    )
    assert {len(block.seats) for block in run.blocks} == {4}
    assert all(3 in entrants_of([block]) for block in run.blocks)
    notes = {finish.entrant: finish.note for finish in run.finishes}
    assert notes == {
        0: "1 of 1",
        1: "1 of 1",
        2: "1 of 1",
        3: "3 of 6",
        4: "0 of 1",
        5: "0 of 1",
        6: "0 of 1",
    }  # fmt: skip - a table
    assert run.places == {0: 1, 1: 1, 2: 1, 3: 4, 4: 5, 5: 5, 6: 5}


@pytest.mark.parametrize("inside", range(1, 8))
def test_rule_3_they_go_from_table_to_table(inside: int) -> None:
    """In as few waves as that takes."""
    options = Gauntlet(against=tuple("ABCDEFGH"[:inside]))
    run = play_made_up(options, named_field(8), at_random(1))
    assert len(run.waves) == max(inside, 8 - inside)
    for wave in run.waves:
        assert max(Counter(entrants_of(wave)).values()) == 1


def test_rule_4_lots_last_for_as_many_times_as_there_are_seats() -> None:
    """And everybody sits one seat further on."""
    run = play_made_up(Gauntlet(seats=3, times=6), field_of(9), at_random(1))
    for table in range(4):
        seats = [entrants_of([block]) for block in run.blocks if block.key.table == table]
        assert seats[1] == [*seats[0][1:], seats[0][0]]
        assert seats[2] == [*seats[1][1:], seats[1][0]]
        assert seats[4] == [*seats[3][1:], seats[3][0]]
    first, fourth = (
        [entrants_of([block]) for block in run.blocks if block.key.heat == heat] for heat in (0, 3)
    )
    assert first != fourth


def test_rule_5_the_first_take_the_part_of_who_has_not_come_so_far() -> None:
    """In a stage of three, of whom one was named."""
    field = replace(named_field(8), entrants=3, numbers=(1, 4, 6))
    for name, number in (("E", 4), ("A", 1)):
        waves = Gauntlet(against=(name,)).schedule(field).waves()
        tables = [entrants_of(batch.blocks) for wave in waves for batch in wave]
        assert len(tables) == 2
        assert all(number in table for table in tables)


def test_rule_6_names_that_nobody_has_are_refused() -> None:
    """With the name that was meant."""
    with pytest.raises(ConfigError) as caught:
        loads(CONFIG, catalog_of(load_plugins()))
    assert "'simpel' is not the name of an entrant (did you mean" in str(caught.value)


def test_rule_6_sides_that_do_not_fill_tables_are_refused() -> None:
    """With numbers that do."""
    rules = field_of(2).rules
    with pytest.raises(
        FormatError, match=r"6 entrants do not fill .* a multiple of 3 others, such as 4 or 7"
    ):
        Gauntlet().check(6, STRAIGHTS)
    with pytest.raises(FormatError, match="a name occurs twice in A, A"):
        Gauntlet(against=("A", "A")).check(6, rules)
    with pytest.raises(FormatError, match="names 2 of 2 entrants"):
        Gauntlet(against=("A", "B")).check(2, rules)
    with pytest.raises(FormatError, match="the list is empty"):
        Gauntlet(against=()).check(2, rules)
