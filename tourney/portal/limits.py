"""Limits for the requests of one account, address or network."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import IPv4Address, ip_address, ip_network
from math import ceil

from tourney.errors import PortalError

ASKED, ASKED_A_MINUTE = 600, 600.0
"""Cost of requests that one account may send: initially, and per minute; see `Page.cost`."""
MOST_KEPT = 20_000


class TooManyError(PortalError):
    """A request that is rejected for now."""

    def __init__(self, words: str, seconds: float, status: int = 429) -> None:
        """Store the text, the seconds until a retry, and the HTTP status."""
        self.seconds, self.status = max(1, ceil(seconds)), status
        unit = "second" if self.seconds == 1 else "seconds"
        super().__init__(f"{words}; try again in {self.seconds} {unit}")


@dataclass(slots=True)
class Buckets:
    """A number for each key, which falls by one at every use and rises with time.

    Args:
        size: Of a full bucket.
        a_minute: Refill per minute.
        clock: In seconds.
    """

    size: float
    a_minute: float
    clock: Callable[[], float] = time.monotonic
    _kept: dict[str, tuple[float, float]] = field(default_factory=dict)

    def has_some(self, key: str, count: float = 1) -> bool:
        """Give whether a key has `count` left."""
        return self._left(key) >= count

    def wait(self, key: str, count: float) -> float:
        """Give the seconds until a key has `count`."""
        return max(0.0, (count - self._left(key)) * 60 / self.a_minute)

    def take(self, key: str, count: float = 1) -> None:
        """Use up `count` of a key."""
        if len(self._kept) >= MOST_KEPT and key not in self._kept:
            fullest = sorted(self._kept, key=self._left, reverse=True)
            for each in fullest[: MOST_KEPT // 2]:
                del self._kept[each]
        self._kept[key] = (max(0.0, self._left(key) - count), self.clock())

    def _left(self, key: str) -> float:
        left, since = self._kept.get(key, (self.size, 0.0))
        return min(self.size, left + (self.clock() - since) * self.a_minute / 60)


@dataclass(slots=True)
class Slots:
    """Allows a limited number of simultaneous users, with a limited queue; rejects the others.

    Args:
        most: Simultaneous users.
        waiting: Limit of the queue.
        each: Users and waiters of one key.
        words: Shown to rejected users.
    """

    most: int
    waiting: int
    each: int
    words: str
    _count: Counter[str] = field(default_factory=Counter)
    _turns: asyncio.Semaphore | None = None

    @asynccontextmanager
    async def slot(self, key: str) -> AsyncIterator[None]:
        """Wait for a slot and hold it.

        Raises: TooManyError, if the queue is full.
        """
        if self._count.total() >= self.most + self.waiting or self._count[key] >= self.each:
            raise TooManyError(self.words, 5, 503)
        self._turns = self._turns or asyncio.Semaphore(self.most)
        self._count[key] += 1
        try:
            async with self._turns:
                yield
        finally:
            self._count[key] -= 1
            self._count += Counter()  # removes keys with a count of 0


def source_of(address: str) -> str:
    """Give the source that an address belongs to: an IPv4 address, or an IPv6 network of /64.

    >>> source_of("192.0.2.17"), source_of("2001:db8:1:2::3"), source_of("::ffff:192.0.2.17")
    ('192.0.2.17', '2001:db8:1:2::/64', '192.0.2.17')
    """
    return _network(address, 32, 64)


def network_of(address: str) -> str:
    """Give the network that an address belongs to: /24 of IPv4, /48 of IPv6.

    >>> network_of("192.0.2.17"), network_of("2001:db8:1:2::3"), network_of("a socket")
    ('192.0.2.0/24', '2001:db8:1::/48', 'a socket')
    """
    return _network(address, 24, 48)


def _network(address: str, short: int, long: int) -> str:
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    found = getattr(found, "ipv4_mapped", None) or found
    is_short = isinstance(found, IPv4Address)
    network = ip_network((found, short if is_short else long), strict=False)
    return str(network).removesuffix("/32") if is_short else str(network)
