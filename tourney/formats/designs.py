"""Seating plans in which all entrants meet equally often: all pairs, or balanced fours.

In a plan each entrant sits at the same number of tables, and each pair of entrants shares the same
number of tables. Fours are developed from starter blocks: adding each element of a group to each
block gives all tables.

In `STARTERS` each word is a starter block, and each character is an entrant: "0" to "9", "a" to
"z", "A" to "Z", "+" and "/" for 0 to 63. Three characters form a block with entrant 0. Two form a
block with entrant 0 and the fixed entrant. Four are a block as written. "~" and an element of order
three stand for that subgroup with the fixed entrant, once for each coset. The blocks were found by
simulated annealing on the differences between entrants (the one for 10 is a classic), and the tests
verify that they are balanced.

Source: [ColbournDinitz2007] in docs/sources.md, and [Hanani1961] for the number of times that two
entrants must meet.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, product
from math import gcd
from types import MappingProxyType

CHARACTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/"

STARTERS: Mapping[int, str] = MappingProxyType(
    {
        4: "~1",
        5: "234",
        6: "12 13 134",
        7: "234",
        8: "26 345",
        9: "135 167",
        10: "0123 0145 0246 0378 0579 0689 1278 1369 1479 1568 2359 2489 2567 3458 3467",
        11: "46a 578 57a 589 789",
        12: "47 16a 28a",
        13: "15b",
        14: "2a 79 136 156 17b 19c 479",
        15: "1ce 349 37d 45c 57d 59c 9ab",
        16: "~5 8ce",
        17: "15f 1ac 39d 5eg",
        18: "4e 79 23b 269 27d 356 456 47g 49g",
        19: "27i 29d afg",
        20: "gh 37c 45d 8ag cei",
        21: "14c 17h 1dj 35a 7fj",
        22: "~7 ~7 14c 26b 5ik",
        23: "19j 1fm 34g 47b 4ai 4hm 68k 6bd 8el bkm fil",
        24: "1l 1ai 2fm 59k 6hj 7ej",
        25: "acl hmn",
        26: "1g go 2dj 2ik 3ae 3cd 458 57j 6ad 6em 9ae ain jlo",
        27: "1jn 45g 68e 6gk 7cd 8in 9gh 9ln aho egh fik foq jmp",
        28: "~1 7el 8bh",
        29: "18p 1ij 2gl 2kr 8dn 9nq gmp",
        30: "2b 4g 17f 25r 2iq 45a 47r 4jq 5ei 6ck 8gj bcj bgs djs hjk",
        31: "4jq 567 9cr aln eks",
        32: "hn 15i 1gm 27a 2bu 2em 4as 5ko",
        33: "49c 58b 79m 9aq aef cnp eqw erv",
        34: "~b ~b 1qw 3hu afj aqs clp",
        35: "1di 28t 2fq 2ks 3hu 49w 6cm 8kn 9gy 9jy ano buw egm gqv hsv osv txy",
        36: "jt 1cq 1gh 3rv 47m 57t 5ad 68q ceq",
        37: "9wz frx gho",
        38: "bq wz 1vw 2ab 37g 6kq 7gt 8co 8ej 8pr beg clr dxA eiA erw fjm koA ksu pry",
        39: "1ez 1mo 29i 2bj 2or 34s 3fA 3gw 49a 5do 6by 78z 8ft 9lv dht djr ekx kuB wyz",
        40: "~d 2it 89e hwA",
        41: "1sv 26a 4al 56m 8dk cfy etw guD hwx lyD",
        42: "fA gx 1pw 23E 2br 3dn 46j 46m 69r 7oA 7py 89l 8zB 9av adA erx fkq hmu itu joq uxB",
        43: "1ct 267 3qz 8ux erA fjC prB",
        44: "bq 145 27m 2gk 3ab 6rB 9bz 9es dkB dlv iru",
        45: "1cf 2wB 6aC 6op 78q 8mG 9dn bfh hkt mrH otA",
        46: "~f ~f 35F 9zG dDE egr ekB hpF noz",
        47: (
            "13G 3ip 48F 4kp 5yK 67s 7hA 7oB 9gz aiv bIJ bkI bqs cmG czD dsK egk fkn ftw mnv oAJ "
            "sBF vEG"
        ),
        48: "3h 14u 1DF 2co 3dm 7kl 9fk ahl ciH fkD ivx nvG",
        49: "6fM awJ itB lIK",
        50: (
            "9k GL 18D 2hJ 35q 48e 6uG 7kK 8aG 9hl aty brx cgB clM emx htw iot ixz jkK pDK puM "
            "qyz rAJ uHM xAL"
        ),
        51: (
            "1fl 1mo 34M 3yG 48H 4jE 7jo 9hs aFM bgq boI bqN dlE gFK gty ijG ilI kBN mtv qAO qtz "
            "sxy wFJ xBJ zBN"
        ),
        52: "~h 26K 3pz ckx rAO",
        53: "3gr 3vx 5jk 69L 6mt 7zN 8pQ afo amn bjl dhl izB lqx",
        54: (
            "9E nL 1dF 2kM 39o 3qt 3uy 49t 7aN 7hC 8af aci ahJ bCJ bJL bgr byC cLP dmO est evL "
            "jzA kwx moJ nwx wBF yzM"
        ),
        55: "3nA 5fh 5qP 8bz LMN aBP gyE hxK pAM",
        56: "tJ 1vD 27n 4vS 6GR 6dA 9aI 9ev 9lt ceN fEH fiP qIM sGJ",
        57: "1zS 2iO 5iU 89P 8aD beP cpA gEI jvE mBL nrO sxN uzB vHK",
        58: "~j ~j 16Q 1dG 8bx 9cH dhR iqx ktL kuT yAO",
        59: (
            "1CM 1bU 3cd 5cJ 5ck 5eg 6dx 7KO 8lB 8zF apR avE bdi bhj dhE eqT fBR foC hQU hkB hps "
            "ijy jBN nIW noS npT nwV rzR svx"
        ),
        60: "1E 25L 46I 4eA 8ES OSV ahH dgL hiF myQ nvD ozK rsR tDO tIO",
        61: "1be fvE hot jnF qRX",
        62: (
            "8u 9u 18X 1ab 1cJ 1uB 2MT 2oB 2vE 47m 4ET 5as 5bC 6qM 8pH IMY bet dsy jnw kpV kyD "
            "kyE npI prB rzL sGJ uBR uzK wDH xNQ zNQ"
        ),
        63: (
            "1bQ 2bq 3WX 3dH 3pU 5uz 6OV 6oN 6oY 7j+ 8f+ 8sZ 8tH EVY bgO dBT eEG fAB fLR fjw fwA "
            "hyK imw jLZ mJS nOX oCZ pBF sLW tUW xPQ"
        ),
        64: "~l DNV bnC hYZ quW yLU",
    }
)


PAIR, SEATS = 2, 4
MOST_ENTRANTS = 1000
"""A plan for more would have more than half a million tables."""

COSETS = "~"  # marks a subgroup in the list of starters

# No cyclic group has starters for these, but a product of smaller groups has.
PRODUCTS = {25: (5, 5), 28: (3, 3, 3)}


def plan_of(entrants: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """Return the smallest known plan: the entrants at each of its tables.

    Args:
        entrants: Number of entrants; `has_plan` must be true for it.
        seats: Seats at a table, 2 or 4.

    >>> plan_of(3, 2)
    ((0, 1), (0, 2), (1, 2))
    """
    return tuple(combinations(range(entrants), PAIR)) if seats == PAIR else fours(entrants)


@cache
def fours(entrants: int) -> tuple[tuple[int, ...], ...]:
    """Return the smallest known plan of fours: the four entrants at each of its tables.

    Args:
        entrants: Number of entrants; `has_plan` must be true for it.

    >>> fours(5)
    ((0, 2, 3, 4), (1, 3, 4, 0), (2, 4, 0, 1), (3, 0, 1, 2), (4, 1, 2, 3))
    """
    found = _developed(entrants) if entrants in STARTERS else _staircase(entrants)
    return tuple(found)


def has_plan(entrants: int, seats: int = SEATS) -> bool:
    """Return whether a plan for this number of entrants and seats is known.

    >>> [number for number in (3, 4, 63, 64, 65, 66, 67, 1001) if has_plan(number)]
    [4, 63, 64, 65, 66, 67]
    """
    if seats == PAIR:
        return entrants <= MOST_ENTRANTS
    if entrants in STARTERS:
        return True
    is_listed = entrants <= max(STARTERS) or entrants > MOST_ENTRANTS
    return not is_listed and gcd(_odd(entrants), 6) == 1


def tables_each(entrants: int, seats: int = SEATS) -> int:
    """Return the number of tables at which each entrant sits in the plan.

    >>> [tables_each(number) for number in (4, 5, 6, 7, 8, 9, 10, 13, 16)]
    [1, 4, 10, 4, 7, 8, 6, 4, 5]
    """
    if seats == PAIR:
        return entrants - 1
    if entrants in STARTERS:
        return _meetings(entrants) * (entrants - 1) // (SEATS - 1)
    return 2 * (entrants - 1)


def nearest_plans(entrants: int, seats: int = SEATS) -> tuple[int, ...]:
    """Return the nearest numbers of entrants, below and above, for which a plan is known."""
    fewer = range(min(entrants - 1, MOST_ENTRANTS), seats - 1, -1)
    more = range(max(entrants + 1, seats), MOST_ENTRANTS + 1)
    below, above = (next((n for n in some if has_plan(n, seats)), None) for some in (fewer, more))
    return tuple(number for number in (below, above) if number is not None)


def _odd(entrants: int) -> int:
    """Return the number of entrants that change places during development, an odd number."""
    return entrants if entrants % 2 else entrants - 1


def _meetings(entrants: int) -> int:
    """Return the least number of times that two entrants must meet for whole tables."""
    return next(
        times
        for times in (1, 2, 3, 6)
        if times * (entrants - 1) % (SEATS - 1) == 0
        and times * entrants * (entrants - 1) % (SEATS * (SEATS - 1)) == 0
    )


def _developed(entrants: int) -> Iterator[tuple[int, ...]]:
    """Develop the starters of the list."""
    group = _Group(PRODUCTS.get(entrants, (_odd(entrants),)))
    for word in STARTERS[entrants].split():
        numbers = tuple(CHARACTERS.find(character) for character in word)
        if word.startswith(COSETS):
            yield from group.cosets(numbers[1])
        elif len(word) == SEATS:
            yield numbers
        else:
            yield from group.orbit((0, *numbers))


def _staircase(entrants: int) -> Iterator[tuple[int, ...]]:
    """Develop a plan with two tables for each pair, for numbers without the factors 2 and 3.

    The starters are 0, i, 2i and 3i: their differences are i three times, 2i twice and 3i once, so
    over all i each difference comes six times. For an even number of entrants, two threes with the
    fixed entrant have the differences of i = 1.
    """
    moving = _odd(entrants)
    group = _Group((moving,))
    first = 1
    if moving < entrants:
        yield from group.orbit((0, 1, 2))
        yield from group.orbit((0, 1, 3))
        first = 2
    for step in range(first, (moving + 1) // 2):
        yield from group.orbit(tuple(step * times % moving for times in range(SEATS)))


class _Group:
    """Sums of entrants: each is written in mixed radix and added digit by digit.

    The fixed entrant, if any, has the number after all of them.
    """

    def __init__(self, radices: tuple[int, ...]) -> None:
        self._digits = [each[::-1] for each in product(*map(range, reversed(radices)))]
        self._radices = radices
        self._numbers = {digits: number for number, digits in enumerate(self._digits)}

    def add(self, one: int, other: int) -> int:
        """Add two entrants."""
        parts = zip(self._digits[one], self._digits[other], self._radices, strict=True)
        return self._numbers[tuple((a + b) % radix for a, b, radix in parts)]

    def orbit(self, block: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Add each element to a block; the fixed entrant completes a block of three."""
        still = (len(self._digits),) * (SEATS - len(block))
        for element in range(len(self._digits)):
            yield (*(self.add(each, element) for each in block), *still)

    def cosets(self, third: int) -> Iterator[tuple[int, ...]]:
        """Return the cosets of a subgroup of three, each with the fixed entrant."""
        subgroup = (0, third, self.add(third, third))
        seen: set[int] = set()
        for element in range(len(self._digits)):
            if element not in seen:
                coset = tuple(self.add(each, element) for each in subgroup)
                seen.update(coset)
                yield (*coset, len(self._digits))
