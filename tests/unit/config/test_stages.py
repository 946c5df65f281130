"""Stages in a configuration: read, completed, and refused with their places."""

from dataclasses import replace

import pytest

from tourney.config.model import Catalog, StageConfig
from tourney.config.tournament import loads
from tourney.errors import ConfigError

HEAD = """\
name: Staged
game: ve280
bankroll: 1000
minimum: 5
entrants: [{strategy: simple}]
"""


class Staged(tuple[StageConfig, ...]):
    """Stages as they were read, with what configurations ask of a format."""

    __slots__ = ()

    asks_policies = named_entrants = ()

    def check(self, entrants: int, rules: object) -> None:
        """Take any number of entrants."""


@pytest.fixture
def staging(catalog: Catalog) -> Catalog:
    """Give a catalog that keeps stages as they were read."""
    return replace(catalog, staged=Staged)


def faults_of(text: str, catalog: Catalog) -> list[str]:
    """Give the faults of a configuration, without the file's name."""
    with pytest.raises(ConfigError) as caught:
        loads(HEAD + text, catalog)
    return [str(fault).removeprefix("<text>:") for fault in caught.value.faults]


def test_stages_arrive_with_what_they_take(staging: Catalog) -> None:
    """A stage without a name is called by its number."""
    text = """\
stages:
  - format: duplicate
  - name: Final
    qualifiers: {per_table: 2, wildcards: 1}
    carry_bankrolls: true
    format: {kind: knockout, advance: 1}
"""
    config = loads(HEAD + text, staging)
    first, second = config.format.options
    assert config.format.kind == "stages"
    assert (first.name, first.top, first.per_table, first.wildcards) == ("1", None, None, 0)
    assert (second.name, second.per_table, second.wildcards) == ("Final", 2, 1)
    assert (first.carries, second.carries) == (False, True)
    assert second.format.options.advance == 1


def test_a_format_or_stages(staging: Catalog) -> None:
    """One of them is needed, and no more than one allowed."""
    assert any("'format' is missing" in fault for fault in faults_of("", staging))
    both = "format: duplicate\nstages: [{format: duplicate}]\n"
    assert faults_of(both, staging) == [
        "6:9: format: set either a format or stages; write the format into a stage"
    ]


def test_faults_of_stages_are_told_at_once(staging: Catalog) -> None:
    """With their places."""
    text = """\
stages:
  - qualifiers: {top: 3}
    format: duplicate
  - qualifiers: {top: 1, per_table: 1}
    carry_bankrolls: keep
    format: duplicate
  - qualifiers: {}
    format: nothing
"""
    told = faults_of(text, staging)
    assert len(told) == 5
    assert told[0].startswith(
        "7:17: stages[0].qualifiers: the first stage has no 'qualifiers'; remove it"
    )
    assert told[1] == "9:17: stages[1].qualifiers: set either top or per_table, not both"
    assert told[2].startswith("10:22: stages[1].carry_bankrolls: expected true or false, got")
    assert (
        told[3]
        == "12:17: stages[2].qualifiers: no entrant advances; add top, per_table or wildcards"
    )
    assert told[4].startswith("13:13: stages[2].format: expected")


@pytest.mark.parametrize("stages", ["[]", "5", "duplicate"])
def test_stages_are_a_list(stages: str, staging: Catalog) -> None:
    """With something in it."""
    (fault,) = faults_of(f"stages: {stages}\n", staging)
    assert "expected a list of stages" in fault
