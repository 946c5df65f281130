"""Entrants that enter many times, and what they want where they may choose."""

import pytest

from tourney.config.model import Catalog, PolicyConfig
from tourney.config.schema import json_schema
from tourney.config.tournament import loads
from tourney.errors import ConfigError

HEAD = """\
name: Many
game: ve280
bankroll: 1000
minimum: 5
format: duplicate
"""


def faults_of(text: str, catalog: Catalog) -> list[str]:
    """Give the faults of a configuration, without the file's name."""
    with pytest.raises(ConfigError) as caught:
        loads(HEAD + text, catalog)
    return [str(fault).removeprefix("<text>:") for fault in caught.value.faults]


def test_a_strategy_enters_many_times(catalog: Catalog) -> None:
    """Under its name, or that of `as`, with a number behind it."""
    text = "entrants: [{strategy: simple, count: 2}, {strategy: simple, as: S, count: 3}]"
    names = [entrant.name for entrant in loads(HEAD + text, catalog).entrants]
    assert names == ["simple 1", "simple 2", "S 1", "S 2", "S 3"]


def test_numbered_names_are_names_of_their_own(catalog: Catalog) -> None:
    """Whoever has one of them already is told."""
    text = "entrants: [{strategy: simple, count: 2}, {strategy: simple, as: simple 2}]"
    (fault,) = faults_of(text, catalog)
    assert "'simple 2' is already an entrant" in fault


@pytest.mark.parametrize("count", ["1", "0", "-3", "many", "2.5", "10000000"])
def test_a_count_is_two_or_more(catalog: Catalog, count: str) -> None:
    """And not without end."""
    faults = faults_of(f"entrants: [{{strategy: simple, count: {count}}}]", catalog)
    assert any("entrants[0].count" in fault for fault in faults)


def test_a_numbered_name_is_not_too_long(catalog: Catalog) -> None:
    """The number counts."""
    (fault,) = faults_of(f"entrants: [{{strategy: simple, as: {'x' * 79}, count: 2}}]", catalog)
    assert "choose another with 'as'" in fault


def test_a_policy_is_refused_where_nothing_is_to_be_chosen(catalog: Catalog) -> None:
    """Else somebody would wait for re-buys that never come."""
    (fault,) = faults_of("entrants: [{strategy: simple, policy: {rebuys: 1}}]", catalog)
    assert "duplicate uses no policy, but " in fault
    assert "duplicate uses no policy, but simple sets rebuys" in fault


def test_a_policy_has_settings_of_its_own(catalog: Catalog) -> None:
    """Misspelt ones are found, and an editor knows them."""
    faults = faults_of("entrants: [{strategy: simple, policy: {rebuy: 1}}]", catalog)
    assert any("did you mean 'rebuys'?" in fault for fault in faults)
    entrant = json_schema(catalog)["properties"]["entrants"]["items"]["properties"]
    assert set(entrant["policy"]["properties"]) == {"late", "rebuys", "addon", "reentries"}
    assert entrant["count"]["minimum"] == 2


def test_without_a_policy_nothing_is_wanted(catalog: Catalog) -> None:
    """Nobody comes late or buys chips."""
    (entrant,) = loads(f"{HEAD}entrants: [{{strategy: simple}}]", catalog).entrants
    assert entrant.policy == PolicyConfig(late=0, rebuys=0, addon=False, reentries=None)
