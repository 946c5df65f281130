"""Random durations from named streams: one for each purpose at each block.

A block has separate streams, whatever table and dealer it gets. So an additional table or dealer
does not change other durations, and two floors can be compared block by block.
"""

from collections.abc import Iterator
from hashlib import blake2b
from math import exp, log, log1p, sqrt
from statistics import NormalDist
from struct import pack

from tourney.config.model import Drawn, Exponential, Lognormal, Normal, Triangular, Uniform
from tourney.game.cards.generator import HALF, Generator

_KEY_BYTES = 16
_STANDARD = NormalDist()


class Streams:
    """All streams of a run, or of one replication of its floor."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes = bytes(_KEY_BYTES)) -> None:
        """Create streams from a key.

        Args:
            key: 16 bytes; equal keys give equal streams.
        """
        self._key = key

    def shares(self, purpose: str, place: tuple[int, ...]) -> Iterator[float]:
        """Yield endless uniform random numbers between 0 and 1.

        Args:
            purpose: Name of the duration, at most 16 letters.
            place: The block.
        """
        message = pack(f"<{len(place)}q", *place)
        person = purpose.encode()
        key = blake2b(message, key=self._key, digest_size=_KEY_BYTES, person=person).digest()
        for half in Generator(key).halves(0):
            yield (half + 0.5) / (1 << HALF)


def seconds_at(drawn: Drawn, share: float) -> float:
    """Return the quantile of a distribution.

    Args:
        drawn: The distribution of durations.
        share: Probability, between 0 and 1, both excluded.

    >>> seconds_at(Uniform((30, 50)), 0.25), seconds_at(Normal(40, 10), 0.5)
    (35.0, 40.0)
    >>> round(seconds_at(Exponential(40), 0.5), 3), seconds_at(Triangular((30, 40, 50)), 0.5)
    (27.726, 40.0)
    """
    match drawn:
        case Exponential(mean):
            return -mean * log1p(-share)
        case Normal(mean, deviation):
            return max(0.0, mean + deviation * _STANDARD.inv_cdf(share))
        case Lognormal(mean, deviation):
            variance = log(1 + (deviation / mean) ** 2)
            return mean * exp(sqrt(variance) * _STANDARD.inv_cdf(share) - variance / 2)
        case Uniform((least, most)):
            return least + share * (most - least)
        case Triangular((least, likeliest, most)):
            width = most - least
            if share * width < likeliest - least:
                return least + sqrt(share * width * (likeliest - least))
            return most - sqrt((1 - share) * width * (most - likeliest))
