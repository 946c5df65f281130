"""How long something takes: always as long, or drawn anew each time.

Leaves out how a time is drawn, which is the floor's business.
"""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeAlias

from annotated_types import Ge, Gt, Le
from pydantic import AfterValidator, ConfigDict, Field
from pydantic.fields import FieldInfo

MOST_SECONDS = 1_000_000

Seconds: TypeAlias = Annotated[float, Ge(0), Le(MOST_SECONDS)]
Mean: TypeAlias = Annotated[float, Gt(0), Le(MOST_SECONDS)]


def _written(**example: Any) -> ConfigDict:
    """Refuse other keys, and show an example to whoever gets it wrong."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [example]})


def _rising(bounds: tuple[float, ...]) -> tuple[float, ...]:
    rising = sorted(bounds)
    if rising[0] == rising[-1]:
        raise ValueError(f"what always takes as long is written as {rising[0]:g}")
    if list(bounds) != rising:
        words = ", ".join(f"{each:g}" for each in rising)
        raise ValueError(f"write [{words}], as they have to rise")
    return bounds


def _such_as(*example: int) -> FieldInfo:
    info: FieldInfo = Field(json_schema_extra={"examples": [list(example)]})
    return info


@dataclass(frozen=True, slots=True)
class Exponential:
    """Mostly short and sometimes long, with this mean."""

    __pydantic_config__: ClassVar[ConfigDict] = _written(exponential=40)

    exponential: Mean


@dataclass(frozen=True, slots=True)
class Normal:
    """About this mean, with this standard deviation; what would be negative is 0."""

    __pydantic_config__: ClassVar[ConfigDict] = _written(normal=40, deviation=10)

    normal: Mean
    deviation: Mean


@dataclass(frozen=True, slots=True)
class Lognormal:
    """Never negative and with a long tail, with this mean and this standard deviation."""

    __pydantic_config__: ClassVar[ConfigDict] = _written(lognormal=40, deviation=10)

    lognormal: Mean
    deviation: Mean


@dataclass(frozen=True, slots=True)
class Uniform:
    """Any time between two, all equally likely."""

    __pydantic_config__: ClassVar[ConfigDict] = _written(uniform=[30, 50])

    uniform: Annotated[tuple[Seconds, Seconds], _such_as(30, 50), AfterValidator(_rising)]


@dataclass(frozen=True, slots=True)
class Triangular:
    """Between two times, and the nearer to the one in the middle the likelier."""

    __pydantic_config__: ClassVar[ConfigDict] = _written(triangular=[30, 40, 60])

    triangular: Annotated[
        tuple[Seconds, Seconds, Seconds], _such_as(30, 40, 60), AfterValidator(_rising)
    ]


Drawn: TypeAlias = Exponential | Normal | Lognormal | Uniform | Triangular
Duration: TypeAlias = Seconds | Drawn
