"""How often somebody may guess: buckets that fill again, one for each account and each network.

Never one for an address alone: a whole class sits behind one. Kept in memory, since there is one
web process; after it has ended everybody has a full bucket again.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv4Address, ip_address, ip_network

GUESSES, GUESSES_A_MINUTE = 8, 2.0
"""Of one account or code: at first, and later."""
OF_A_NETWORK, OF_A_NETWORK_A_MINUTE = 600, 300.0
"""Wrong ones of a network of 256 addresses, in which a class may sit."""
ASKED, ASKED_A_MINUTE = 600, 600.0
"""What the requests of one account may cost at first, and later; see `Page.cost`."""
MOST_KEPT = 20_000
TOO_OFTEN = "there were too many wrong passwords; wait a minute, then try again"


@dataclass(slots=True)
class Buckets:
    """A number for each key, that falls by one at every use and rises with time.

    Args:
        size: Of a full bucket.
        a_minute: How much comes back.
        clock: In seconds.
    """

    size: float
    a_minute: float
    clock: Callable[[], float] = time.monotonic
    _kept: dict[str, tuple[float, float]] = field(default_factory=dict)

    def has_some(self, key: str, count: float = 1) -> bool:
        """Say whether there are so many left for a key."""
        return self._left(key) >= count

    def wait(self, key: str, count: float) -> float:
        """Give the seconds until there are so many for a key."""
        return max(0.0, (count - self._left(key)) * 60 / self.a_minute)

    def take(self, key: str, count: float = 1) -> None:
        """Use so many up."""
        if len(self._kept) >= MOST_KEPT:
            full = [each for each in self._kept if self._left(each) >= self.size]
            for each in full or list(self._kept)[: MOST_KEPT // 2]:
                del self._kept[each]
        self._kept[key] = (max(0.0, self._left(key) - count), self.clock())

    def _left(self, key: str) -> float:
        left, since = self._kept.get(key, (self.size, 0.0))
        return min(self.size, left + (self.clock() - since) * self.a_minute / 60)


def network_of(address: str) -> str:
    """Give the network that an address is in: of 256, or what a household has of IPv6.

    >>> network_of("192.0.2.17"), network_of("2001:db8:1:2::3"), network_of("a socket")
    ('192.0.2.0/24', '2001:db8:1::/56', 'a socket')
    """
    try:
        is_short = isinstance(ip_address(address), IPv4Address)
    except ValueError:
        return address
    return str(ip_network(f"{address}/{24 if is_short else 56}", strict=False))


@dataclass(frozen=True, slots=True)
class Guesses:
    """What wrong guesses are counted in; right ones cost nothing."""

    of_one: Buckets = field(default_factory=lambda: Buckets(GUESSES, GUESSES_A_MINUTE))
    of_network: Buckets = field(
        default_factory=lambda: Buckets(OF_A_NETWORK, OF_A_NETWORK_A_MINUTE)
    )

    def may_try(self, what: str, address: str) -> bool:
        """Say whether another guess is answered."""
        return self.of_one.has_some(what) and self.of_network.has_some(network_of(address))

    def was_wrong(self, what: str, address: str) -> None:
        """Count a wrong guess."""
        self.of_one.take(what)
        self.of_network.take(network_of(address))
