"""Limits for requests and for wrong guesses, by account, address or network.

A guess is an attempt with a password or a code. No account is ever locked. Guesses wait in one
line. Sources take turns; among the sources whose turn it is, the one with the fewest wrong guesses
at the account comes first, so the owner overtakes an attacker. A browser that has signed in to the
account before waits for its own wrong guesses only.

A guess for an account that does not exist waits as if it existed, and takes no turn from others.
Counts are in memory, in tables of a fixed size that forget the smallest counts first.
"""

import asyncio
import time
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import IPv4Address, ip_address, ip_network
from math import ceil

from tourney.errors import PortalError

ASKED, ASKED_A_MINUTE = 600, 600.0
"""Cost of requests that one account may send: initially, and per minute; see `Page.cost`."""


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


LONGEST_WAIT = 45.0
"""Longest wait of a guess, in seconds; proxies give up an answer after 60."""
MOST_WAITING, MOST_OF_ONE = 600, 32
"""Limits of waiting guesses: in all, and for one account."""
MOST_KEPT = 20_000
SAMPLE_SECONDS = 0.25
"""Seconds between two real checks for accounts that do not exist; their durations are used for the
others.
"""
CLOCK_SECONDS = 0.001
"""A timer may be early by this many seconds."""
SOURCES_OF_NETWORK = 16
"""A network may guess like this many sources."""
TOO_OFTEN = "there were too many wrong passwords or codes"
BUSY = "too many people are signing in now"


@dataclass(frozen=True, slots=True)
class Pace:
    """The time between two guesses, which grows with the number of wrong ones.

    Args:
        step: Seconds for each wrong guess so far.
        longest: Seconds at most.
        forget: Seconds after which one wrong guess is forgotten.
    """

    step: float
    longest: float
    forget: float

    def seconds(self, wrong: float) -> float:
        """Give the time between two guesses.

        >>> Pace(0.01, 10, 30).seconds(5), Pace(0.01, 10, 30).seconds(5000)
        (0.05, 10)
        """
        return min(self.longest, self.step * wrong)


@dataclass(frozen=True, slots=True)
class Paces:
    """The paces of guesses at one account."""

    source: Pace  # from one source
    account: Pace  # from all sources that are not trusted


PASSWORDS = Paces(Pace(0.002, 10, 30), Pace(0.001, 5, 30))
SECOND_CODES = Paces(Pace(0.1, 30, 60), Pace(0.01, 20, 60))
"""A code has six digits and three are right at a time, so its guesses wait longer."""


@dataclass(frozen=True, slots=True)
class Guess:
    """The source and the account of a guess.

    Args:
        account: The account, or the typed login.
        address: Address of the source.
        is_known: Whether there is such an account.
        trusted: Name of a known browser or a session of the account; empty for others.
    """

    account: str
    address: str
    is_known: bool = True
    trusted: str = ""
    source: str = field(init=False)
    own: str = field(init=False)  # the key of the account and the source
    wider: str = field(init=False)  # the key of the network of its source; empty if it is trusted

    def __post_init__(self) -> None:
        """Make the keys for its counts."""
        source = self.trusted or source_of(self.address)
        wider = "" if self.trusted else f"{self.account} in {network_of(self.address)}"
        object.__setattr__(self, "source", source)
        object.__setattr__(self, "own", f"{self.account} from {source}")
        object.__setattr__(self, "wider", wider)


@dataclass(slots=True)
class _Count:
    wrong: float = 0.0
    counted: float = 0.0  # when
    last: float = float("-inf")  # when a guess was last checked


@dataclass(slots=True)
class Counts:
    """Wrong guesses by key, forgotten one by one."""

    pace: Pace
    most: int = MOST_KEPT
    _kept: dict[str, _Count] = field(default_factory=dict)

    def __len__(self) -> int:
        """Give the number of keys."""
        return len(self._kept)

    def wrong(self, key: str, now: float) -> float:
        """Give the wrong guesses that are not forgotten yet."""
        count = self._kept.get(key)
        return 0.0 if count is None else self._left(count, now)

    def free_at(self, key: str, now: float, share: int = 1) -> float:
        """Give the time at which the next guess may be checked.

        Args:
            key: The key.
            now: The time.
            share: Number of sources that share the key, each with its own pace.
        """
        count = self._kept.get(key)
        if count is None:
            return float("-inf")
        return count.last + self.pace.seconds(self._left(count, now) / share) / share

    def check(self, key: str, now: float) -> None:
        """Record the check of a guess, if its key has guessed wrong before."""
        if key in self._kept:
            self._kept[key].last = now

    def add(self, key: str, now: float) -> None:
        """Count a wrong guess."""
        count = self._entry(key, now)
        count.wrong, count.counted = self._left(count, now) + 1, now

    def _left(self, count: _Count, now: float) -> float:
        return max(0.0, count.wrong - (now - count.counted) / self.pace.forget)

    def _entry(self, key: str, now: float) -> _Count:
        if key not in self._kept and len(self._kept) >= self.most:
            smallest = sorted(self._kept, key=lambda each: self._left(self._kept[each], now))
            for each in smallest[: self.most // 2]:
                del self._kept[each]
        return self._kept.setdefault(key, _Count(counted=now))


@dataclass(slots=True)
class _Tables:
    """The counts of accounts, or of logins without an account."""

    source: Counts
    account: Counts


@dataclass(slots=True, order=True)
class _Waiting:
    """A waiting guess, ordered by rank."""

    rank: tuple[bool, int, float, float, int]
    guess: Guess = field(compare=False)
    turn: "asyncio.Future[bool]" = field(compare=False)


@dataclass(slots=True)
class Turn:
    """The turn of one guess.

    Args:
        is_real: Whether to check the guess; otherwise no account exists, and waiting is enough.
    """

    line: "Line"
    guess: Guess
    is_real: bool

    def was_wrong(self) -> None:
        """Count a wrong guess."""
        self.line.count(self.guess)


@dataclass(slots=True)
class Line:
    """Lets a few guesses be checked at a time.

    Args:
        paces: Their paces.
        most: Simultaneous checks.
        of_strangers: Simultaneous checks for browsers that are not trusted.
        clock: In seconds.
    """

    paces: Paces
    most: int
    of_strangers: int
    clock: Callable[[], float] = time.monotonic
    known: _Tables = field(init=False)
    unknown: _Tables = field(init=False)
    _waiting: list[_Waiting] = field(default_factory=list)  # ordered by rank
    _of_account: Counter[str] = field(default_factory=Counter)  # that wait
    _of_source: Counter[str] = field(default_factory=Counter)  # that wait
    _busy: Counter[bool] = field(default_factory=Counter)  # by trust
    _number: int = 0
    _sampled: float = float("-inf")
    _timer: asyncio.TimerHandle | None = None

    def __post_init__(self) -> None:
        """Make the tables."""
        self.known, self.unknown = (
            _Tables(Counts(self.paces.source), Counts(self.paces.account)) for _ in range(2)
        )

    @asynccontextmanager
    async def turn(self, guess: Guess) -> AsyncIterator[Turn]:
        """Wait for the turn of a guess, and hold it.

        Raises: TooManyError, if that takes too long or too many wait.
        """
        is_real = await self._wait(guess)
        try:
            yield Turn(self, guess, is_real)
        finally:
            if is_real:
                self._end(guess)

    def count(self, guess: Guess) -> None:
        """Count a wrong guess."""
        now, tables = self.clock(), self._tables_of(guess)
        for key in filter(None, (guess.own, guess.wider)):
            tables.source.add(key, now)
        if not guess.trusted:
            tables.account.add(guess.account, now)

    async def _wait(self, guess: Guess) -> bool:
        self._number += 1
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        waiting = _Waiting(self._rank(guess), guess, future)
        self._make_room(waiting)
        insort(self._waiting, waiting)
        self._of_account[guess.account] += 1
        self._of_source[guess.source] += 1
        self._begin_or_wait(waiting, self.clock())
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                return await future
        except (TimeoutError, asyncio.CancelledError) as error:
            if future.done() and not future.cancelled() and future.result():
                self._end(guess)  # its turn came just before
            if isinstance(error, TimeoutError):
                now = self.clock()
                raise _too_late(self._free_at(waiting, now) - now) from None
            raise
        finally:
            self._forget(waiting)

    def _tables_of(self, guess: Guess) -> _Tables:
        return self.known if guess.is_known else self.unknown

    def _rank(self, guess: Guess) -> tuple[bool, int, float, float, int]:
        """Order by trust, by the waiting guesses of the source, and by wrong guesses."""
        now, tables = self.clock(), self._tables_of(guess)
        account = 0.0 if guess.trusted else tables.account.wrong(guess.account, now)
        wider = tables.source.wrong(guess.wider, now) / SOURCES_OF_NETWORK
        wrong = max(tables.source.wrong(guess.own, now), wider)
        return not guess.trusted, self._of_source[guess.source], wrong, account, self._number

    def _make_room(self, waiting: _Waiting) -> None:
        """Reject a guess, or the last in line, if too many wait.

        Raises: TooManyError, if it is the former.
        """
        account = waiting.guess.account
        is_full = len(self._waiting) >= MOST_WAITING
        if not is_full and self._of_account[account] < MOST_OF_ONE:
            return
        rivals = [each for each in self._waiting if is_full or each.guess.account == account]
        if rivals[-1] < waiting:
            raise TooManyError(BUSY, 5, 503) if is_full else _too_often(5)
        self._forget(rivals[-1])
        if not rivals[-1].turn.done():
            rivals[-1].turn.set_exception(_too_often(5))

    def _forget(self, waiting: _Waiting) -> None:
        at = bisect_left(self._waiting, waiting)
        if at < len(self._waiting) and self._waiting[at] is waiting:
            del self._waiting[at]
            for counter, key in (
                (self._of_account, waiting.guess.account),
                (self._of_source, waiting.guess.source),
            ):
                counter[key] -= 1
                if not counter[key]:
                    del counter[key]

    def _end(self, guess: Guess) -> None:
        """Record the end of a check, and start the next ones."""
        self._busy[bool(guess.trusted)] -= 1
        self._look()

    def _look(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        now = self.clock()
        for each in tuple(self._waiting):
            if not self._has_room(is_trusted=True):
                break
            self._begin_or_wait(each, now)

    def _begin_or_wait(self, waiting: _Waiting, now: float) -> None:
        """Start a guess, or try again when its time has come."""
        if not self._has_room(is_trusted=bool(waiting.guess.trusted)):
            return  # the end of a check tries again
        free_at = self._free_at(waiting, now)
        if free_at <= now + CLOCK_SECONDS:
            self._begin(waiting, now)
            return
        loop = asyncio.get_running_loop()
        when = loop.time() + free_at - now
        if self._timer is None or self._timer.when() > when:
            if self._timer:
                self._timer.cancel()
            self._timer = loop.call_at(when, self._look)

    def _has_room(self, *, is_trusted: bool) -> bool:
        is_room = self._busy.total() < self.most
        return is_room and (is_trusted or self._busy[False] < self.of_strangers)

    def _begin(self, waiting: _Waiting, now: float) -> None:
        self._forget(waiting)
        if waiting.turn.done():  # it no longer waits
            return
        guess, tables = waiting.guess, self._tables_of(waiting.guess)
        tables.source.check(guess.own, now)
        if not guess.trusted:
            tables.source.check(guess.wider, now)
            tables.account.check(guess.account, now)
        is_real = guess.is_known or now - self._sampled >= SAMPLE_SECONDS
        if is_real:
            self._sampled = now
            self._busy[bool(guess.trusted)] += 1
        waiting.turn.set_result(is_real)

    def _free_at(self, waiting: _Waiting, now: float) -> float:
        guess, tables = waiting.guess, self._tables_of(waiting.guess)
        free_at = tables.source.free_at(guess.own, now)
        if guess.trusted:
            return free_at
        wider = tables.source.free_at(guess.wider, now, SOURCES_OF_NETWORK)
        return max(free_at, wider, tables.account.free_at(guess.account, now))


def _too_late(seconds: float) -> TooManyError:
    """Give the error for a guess that waited too long, `seconds` before its account is free."""
    return _too_often(seconds) if seconds > 0 else TooManyError(BUSY, 5, 503)


def _too_often(seconds: float) -> TooManyError:
    return TooManyError(TOO_OFTEN, seconds)
