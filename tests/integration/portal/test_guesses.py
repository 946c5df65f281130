"""Guesses are slowed down and nobody is locked out, in virtual time.

A check of a password takes `CHECK` seconds here. Bounds that the guide for running a portal states
are compared with those of a recurrence that knows nothing of lines and tables.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from itertools import count

import pytest

from tourney.portal import guesses
from tourney.portal.guesses import (
    LONGEST_WAIT,
    PASSWORDS,
    SECOND_CODES,
    Counts,
    Guess,
    Line,
    Pace,
    Paces,
    TooManyError,
)

from .virtual_time import now, run

CHECK = 0.025
A_DAY, HOURS = 86_400, 7_200
ADA = "account 1"
Who = Callable[[Line, int], Awaitable[float | None]]
"""Guesses at something, by the number of the guess."""


def line_of(paces: Paces = PASSWORDS) -> Line:
    """Give a line like that of a portal, in virtual time."""
    return Line(paces, 2, 1, now)


async def guess(
    line: Line,
    account: str = ADA,
    address: str = "192.0.2.1",
    *,
    is_known: bool = True,
    trusted: str = "",
    is_right: bool = False,
) -> float | None:
    """Guess; give the seconds until the answer, None if it was refused."""
    begun = now()
    try:
        async with line.turn(Guess(account, address, is_known, trusted)) as turn:
            await asyncio.sleep(CHECK)
            if not is_right:
                turn.was_wrong()
    except TooManyError:
        return None
    return now() - begun


async def flood(line: Line, many: int, who: Who) -> tuple["asyncio.Task[None]", Counter[bool]]:
    """Guess wrong without an end, so many at once; count who was answered and who refused."""
    numbers, ends = count(), Counter[bool]()

    async def one() -> None:
        while True:
            took = await who(line, next(numbers))
            ends[took is not None] += 1
            if took is None:
                await asyncio.sleep(1)

    async def all_of_them() -> None:
        await asyncio.gather(*(one() for _ in range(many)))

    return asyncio.create_task(all_of_them()), ends


async def while_flooded(
    many: int,
    who: Who,
    right: Callable[[Line], Awaitable[float | None]],
    minutes: float = 0.5,
) -> list[float | None]:
    """Send right guesses while others are sent; give the seconds that each took."""
    line = line_of()
    task, _ = await flood(line, many, who)
    await asyncio.sleep(60 * minutes)
    took = []
    for _ in range(5):
        took.append(await right(line))
        await asyncio.sleep(1)
    task.cancel()
    return took


def slowest(took: list[float | None]) -> float:
    """Give the longest time; endless if a guess was refused."""
    return max(float("inf") if each is None else each for each in took)


async def at_ada(line: Line, _: int) -> float | None:
    """Guess at one account from one address."""
    return await guess(line)


async def at_nobody(line: Line, number: int) -> float | None:
    """Guess at an account that does not exist, another one each time."""
    return await guess(line, f"login {number}", is_known=False)


async def at_the_class(line: Line, number: int) -> float | None:
    """Guess at the accounts of a class."""
    return await guess(line, f"account {number % 300}")


async def from_everywhere(line: Line, number: int) -> float | None:
    """Guess at one account, from one address after the other of a thousand."""
    return await guess(line, ADA, f"10.{number % 10}.{number // 10 % 10}.{number // 100 % 10}")


@pytest.mark.parametrize(
    ("who", "address", "trusted", "seconds"),
    [
        (at_nobody, "192.0.2.1", "", 1),
        (at_nobody, "192.0.2.9", "", 1),
        (at_the_class, "192.0.2.1", "", 20),
        (at_the_class, "192.0.2.9", "", 5),
        (at_the_class, "198.51.100.1", "", 5),
        (at_ada, "192.0.2.1", "", LONGEST_WAIT),
        (at_ada, "192.0.2.9", "", 10),
        (at_ada, "198.51.100.1", "", 10),
        (from_everywhere, "198.51.100.1", "", 10),
        (at_ada, "192.0.2.1", "browser 1", 2 * CHECK),
        (from_everywhere, "198.51.100.1", "browser 1", 2 * CHECK),
        (at_the_class, "192.0.2.1", "browser 1", 2 * CHECK),
    ],
)
def test_a_right_password_gets_in_while_others_guess(
    who: Who, address: str, trusted: str, seconds: float
) -> None:
    """At the same account, at all of a class and at none; from the same address and others."""

    async def right(line: Line) -> float | None:
        return await guess(line, is_right=True, address=address, trusted=trusted)

    assert slowest(run(while_flooded(16, who, right))) <= seconds + 1e-6


def test_eight_wrong_ones_keep_the_owner_waiting_for_no_time() -> None:
    """Nor do a hundred, from the same address."""

    async def took() -> float | None:
        line = line_of()
        for _ in range(100):
            await guess(line)
        return await guess(line, is_right=True)

    assert slowest([run(took())]) < 1.2


def paced(pace: Pace, seconds: float) -> int:
    """Count the guesses in some seconds by the stated rule alone: the oracle."""
    time, wrong, guessed = 0.0, 0.0, 0
    while time < seconds:
        guessed, wrong = guessed + 1, wrong + 1
        wait = max(CHECK, min(pace.longest, pace.step * wrong))
        time, wrong = time + wait, max(0.0, wrong - wait / pace.forget)
    return guessed


async def guessed_in(seconds: float, line: Line, who: Who) -> int:
    """Count the guesses that are answered, of as many at once as are ever let wait."""
    task, ends = await flood(line, 20, who)
    await asyncio.sleep(seconds)
    task.cancel()
    return ends[True]


@pytest.mark.parametrize(
    ("paces", "who", "a_day"),
    [
        (PASSWORDS, at_ada, 11_500),
        (PASSWORDS, from_everywhere, 20_000),
        (SECOND_CODES, at_ada, 3_100),
        (SECOND_CODES, from_everywhere, 5_500),
    ],
)
def test_guesses_a_day_are_as_few_as_is_stated(paces: Paces, who: Who, a_day: int) -> None:
    """Against one account, from one address and from a thousand, and the recurrence agrees."""
    pace = paces.source if who is at_ada else paces.account
    guessed = run(guessed_in(HOURS, line_of(paces), who))
    assert guessed == pytest.approx(paced(pace, HOURS), rel=0.02)
    assert 0.9 * a_day < paced(pace, A_DAY) <= a_day


def test_networks_of_a_provider_are_one_source() -> None:
    """A new /64 of the same /48 for each guess gains a factor of 16, not of 65,536."""

    async def roaming(line: Line, number: int) -> float | None:
        return await guess(line, ADA, f"2001:db8:1:{number % 65536:x}::1")

    line = line_of(Paces(PASSWORDS.source, Pace(0, 0, 30)))
    guessed, most = run(guessed_in(120, line, roaming)), 16 * paced(PASSWORDS.source, 120)
    assert most / 2 < guessed <= most


def test_a_browser_that_is_trusted_waits_for_its_own_wrong_guesses() -> None:
    """So a stolen cookie is worth no more guesses than an address."""

    async def stolen(line: Line, number: int) -> float | None:
        return await guess(line, ADA, f"192.0.2.{number % 256}", trusted="browser 1")

    assert run(guessed_in(HOURS, line_of(), stolen)) <= 1.02 * paced(PASSWORDS.source, HOURS)


def test_an_account_that_does_not_exist_is_answered_as_one_that_does() -> None:
    """As late, and as often; so the time tells nobody whether it exists."""

    async def took(*, is_known: bool) -> list[float | None]:
        line = line_of()
        for number in range(300):  # which others have guessed at before, from the same network
            await guess(line, f"account {number + 2}", "192.0.2.77")
        return [
            await guess(line, "x", f"192.0.2.{number % 3}", is_known=is_known)
            for number in range(300)
        ]

    known, unknown = run(took(is_known=True)), run(took(is_known=False))
    assert sum(filter(None, known)) == pytest.approx(sum(filter(None, unknown)), rel=0.02)
    assert known[:5] == pytest.approx(unknown[:5], abs=1e-6)


def test_a_flood_makes_no_table_grow_and_flushes_no_large_count() -> None:
    """Neither logins that do not exist, nor sources without an end."""

    async def kept() -> tuple[list[int], float, float]:
        line = line_of()
        for _ in range(50):
            await guess(line)
        before = line.known.source.wrong(f"{ADA} from 192.0.2.1", now())
        for number in range(21_000):
            line.count(Guess(f"login {number}", "192.0.2.1", is_known=False))
            line.count(Guess("account 2", f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"))
        tables = (line.known, line.unknown)
        sizes = [len(each.source) for each in tables] + [len(each.account) for each in tables]
        return sizes, before, line.known.source.wrong(f"{ADA} from 192.0.2.1", now())

    sizes, before, after = run(kept())
    assert max(sizes) <= guesses.MOST_KEPT
    assert after == before > 48


def test_few_are_checked_at_once_and_all_turns_come_back() -> None:
    """Also of those who leave before their turn, at it, or just then."""

    async def most_at_once() -> tuple[int, float | None]:
        line, busy, most = line_of(), 0, 0

        async def one(number: int) -> None:
            nonlocal busy, most
            trusted = "browser 1" if number % 3 == 0 else ""
            who = Guess(f"account {number}", f"192.0.{number % 7}.1", trusted=trusted)
            async with line.turn(who):
                busy += 1
                most = max(most, busy)
                try:
                    await asyncio.sleep(CHECK)
                finally:
                    busy -= 1

        tasks = [asyncio.create_task(one(number)) for number in range(60)]
        for number, task in enumerate(tasks):
            await asyncio.sleep(CHECK / 4 if number % 5 else 0)
            if number % 2:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        both = (await guess(line), await guess(line, trusted="browser 1"))
        assert slowest(list(both)) <= CHECK + 1e-9
        return most, both[0]

    most, _ = run(most_at_once())
    assert most == 2


def test_so_many_wait_and_no_more() -> None:
    """Of one account and in all; whoever has guessed wrong leaves first."""

    async def waiting() -> tuple[Counter[bool], Counter[bool], float | None]:
        line = line_of()
        one = Counter(
            each is not None for each in await asyncio.gather(*(guess(line) for _ in range(50)))
        )
        everybody = [guess(line, f"account {number}") for number in range(1000)]
        owner = guess(line, "account 2000", is_right=True, trusted="browser 1")
        *ends, took = await asyncio.gather(*everybody, owner)
        return one, Counter(each is not None for each in ends), took

    one, everybody, owner = run(waiting())
    assert one[True] == guesses.MOST_OF_ONE + 1  # with the one that is checked
    assert everybody[False] >= 1000 - guesses.MOST_WAITING - 1
    assert owner is not None
    assert owner <= 3 * CHECK


def test_whoever_waits_too_long_behind_others_is_told_to_come_back() -> None:
    """On a busy machine, without a wrong guess of theirs: the line was full, not they at fault."""

    async def refusal() -> TooManyError:
        line = line_of()
        async with line.turn(Guess("account 2", "203.0.113.1")):  # takes longer than anybody waits
            with pytest.raises(TooManyError) as refused:
                async with line.turn(Guess(ADA, "192.0.2.1")):
                    raise AssertionError("a turn was given twice")
        assert await guess(line, is_right=True) is not None
        return refused.value

    error = run(refusal())
    assert (error.status, error.seconds) == (503, 5)
    assert str(error) == "too many people are signing in now; try again in 5 seconds"


def test_a_line_that_one_network_fills_has_room_for_another() -> None:
    """A flood of names that do not exist keeps no right password out, even after a wrong one."""

    async def took() -> float | None:
        line = line_of()
        await guess(line, "account 3", "198.51.100.1")
        async with line.turn(Guess("account 2", "203.0.113.1")):  # so that all others wait
            tasks = [
                asyncio.create_task(
                    guess(line, f"login {number}", f"192.0.2.{number % 2}", is_known=False)
                )
                for number in range(2 * guesses.MOST_WAITING)
            ]
            await asyncio.sleep(0)
            owner = asyncio.create_task(guess(line, "account 3", "198.51.100.1", is_right=True))
            await asyncio.sleep(1)
        await asyncio.gather(*tasks)
        return await owner

    assert slowest([run(took())]) <= 1 + 2 * CHECK


def wrong_left(times: list[float], at: float, forget: float) -> float:
    """Count what is not forgotten of wrong guesses, step by step: the oracle."""
    left, last = 0.0, 0.0
    for time in [*times, at]:
        left, last = max(0.0, left - (time - last) / forget), time
        left += time != at or time in times
    return left


def test_wrong_guesses_are_forgotten_one_by_one() -> None:
    """As the oracle says."""
    counts, times = Counts(Pace(1, 10, 30)), [0.0, 1.0, 2.0, 100.0, 101.0]
    for time in times:
        counts.add("a", time)
    for at in (102.0, 115.0, 130.0, 500.0):
        assert counts.wrong("a", at) == pytest.approx(wrong_left(times, at, 30))


@pytest.mark.parametrize(
    ("wrong", "seconds"), [(0, 0), (1, 0.002), (100, 0.2), (5000, 10), (100_000, 10)]
)
def test_the_wait_grows_with_the_wrong_ones_up_to_a_limit(wrong: int, seconds: float) -> None:
    """As the guide states it for passwords."""
    assert PASSWORDS.source.seconds(wrong) == pytest.approx(seconds)
