"""A small world of names for configurations to choose from."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Protocol

import pytest
from pydantic import Field

from tourney.config.model import Catalog, FileEntry
from tourney.errors import FormatError, RulesError


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRules:
    """Rules with every kind of setting that rules may have."""

    decks: Annotated[int, Field(ge=1, le=20)] | Literal["infinite"] = 1
    """Decks in the shoe."""

    shuffle: Literal["uniform", "riffle"] = "riffle"
    natural: Literal["3:2", "6:5", "1:1"] = "3:2"
    peek: bool = False
    share: Annotated[float, Field(gt=0, lt=1)] = 0.5
    label: str = "cards"
    dealt: int = 0

    game: ClassVar[str] = "cards"
    unit: ClassVar[int] = 1
    minimum: ClassVar[None] = None
    most_points: ClassVar[None] = None

    def __post_init__(self) -> None:
        """Refuse a contradiction."""
        if self.decks == "infinite" and self.shuffle == "riffle":
            raise RulesError("shuffle: expected 'uniform' for an endless shoe, got 'riffle'")

    def may_play(self, bankroll: int, minimum: int) -> bool:
        """Ask for two wagers."""
        return bankroll >= 2 * minimum


class AnyFormat:
    """What configurations ask of a format."""

    asks_policies: ClassVar[tuple[str, ...]] = ()
    named_entrants: ClassVar[tuple[str, ...]] = ()

    def check(self, entrants: int, rules: Any) -> None:
        """Take any number of entrants."""


@dataclass(frozen=True)
class Duplicate(AnyFormat):
    """A format whose options all have defaults."""

    tables: Annotated[int, Field(ge=1)] = 400
    rounds: Annotated[int, Field(ge=1)] = 1000


@dataclass(frozen=True)
class Knockout(AnyFormat):
    """A format that has to be told something."""

    advance: Annotated[int, Field(ge=1)]
    """Entrants that go on from each table."""

    cuts: tuple[int, ...] = ()
    seats: int | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        if self.seats is not None and self.advance >= self.seats:
            raise FormatError(f"advance: expected fewer than {self.seats}, got {self.advance}")


class Simple:
    """A strategy without options."""


class Shape(Protocol):
    """What Python gives a constructor that takes anything."""


class Shaped(Shape):
    """A strategy without options that follows a protocol."""


class Ramp:
    """A strategy with options of every sort."""

    def __init__(  # type: ignore[no-untyped-def]  # on purpose
        self,
        spread: "Annotated[int, Field(ge=1, le=100)]" = 8,
        *,
        base: "NoSuchType" = 1,  # type: ignore[name-defined]  # noqa: F821 - on purpose
        mood=None,  # noqa: ANN001 - on purpose
    ) -> None:
        """Take anything."""


class Chart:
    """A strategy that has to be told something, and takes other options as well."""

    def __init__(self, chart: str, **others: Any) -> None:
        """Take anything."""


@pytest.fixture
def catalog() -> Catalog:
    """Every name that the tests may use."""
    rules = CardRules()
    return Catalog(
        presets={"ve280": rules, "easybj": CardRules(decks=6, shuffle="uniform")},
        formats={"duplicate": Duplicate, "knockout": Knockout},
        strategies={"simple": Simple, "shaped": Shaped, "ramp": Ramp, "chart": Chart},
        columns=("rank", "entrant", "mean_final_bankroll", "ruin"),
        files={
            "file": FileEntry("path of a file with a strategy"),
            "chart": FileEntry("path of a chart", takes_options=False, takes_patterns=True),
        },
        resting={"wong": "it failed to import"},
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one file that holds a strategy."""
    (tmp_path / "players").mkdir()
    (tmp_path / "players" / "bold.py").write_text("", encoding="utf-8")
    return tmp_path
