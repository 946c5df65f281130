"""How often boards claim an order that is not there, and how wide their rank sets are.

    python benchmarks/rank_coverage.py                the figures of docs/explanation/rankings.md
    python benchmarks/rank_coverage.py --quick        the same with a tenth of the fields
    python benchmarks/rank_coverage.py --only ruin    one part: grid, weak, rare, own, looks,
                                                      widths, ruin, runs or price

Fields of entrants with known skill play tables whose results are drawn; at most 5 % of them may
be told something false about an order. What the cards give to all alike is left out, as it is no
part of a difference. Ruin is not drawn: entrants that double their wagers play blackjack, tables
by tables, and boards are made of these. Widths are compared with those of somebody who knows by
which law results are drawn, and looks up critical values among as many fields of equals.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from tabulate import tabulate

from tourney import play_tournament
from tourney.standings.bounded_differences import Bounds
from tourney.standings.confidence import alpha_at
from tourney.standings.rank_sets import ALPHA, RankSets, rank_sets, tables_that_tell
from tourney.standings.sample import Played, sample_of
from tourney.standings.standing import Standing
from tourney.store.store import Store

Results = NDArray[np.float64]
"""By table and entrant."""

ENTRANTS = (2, 8, 20, 60, 300)
TABLES = (2, 5, 10, 20, 40, 100, 400)
FIELDS = {2: 4_000, 8: 2_000, 20: 1_000, 60: 400, 300: 60}
"""How many of each kind, by entrants."""

RARE_TABLES, RARE_ENTRANTS = (10, 14, 20, 28, 40, 100, 400), (2, 8, 20)
"""Where one entrant among equals has rare, large losses."""

PRICES = {  # by what a run of Straights plays: kind, tables and rounds or games
    "42 tables of 10 deals": ("duplicate", 42, 10),
    "140 tables of 3 deals": ("duplicate", 140, 3),
    "420 tables of 1 deal": ("duplicate", 420, 1),
    "1,400 tables of 1 deal": ("duplicate", 1400, 1),
    "42 tables of 1 game": ("match", 42, 1),
    "105 tables of 1 game": ("match", 105, 1),
}
STRAIGHTS = (
    *("first-legal", "thrifty", "blocker", "bookkeeper"),
    *("gatekeeper", "pathfinder", "salvager", "surveyor"),
)
RANGES = (3.0, 6.0, 12.0, 30.0)
"""Of a result, in standard deviations of a table."""

WIDTH_DRAWS = {2: 4_000, 8: 4_000, 20: 2_000, 60: 1_000, 300: 300}
WIDTH_FIELDS = {2: 400, 8: 200, 20: 100, 60: 40, 300: 10}
NEARLY = 0.03
"""Between neighbours, in standard deviations of a table: easily seen the wrong way round."""

STEPS = (0.15, 0.5, 1.0)
"""The same where widths are compared."""

LOOKS = ((400, 800, 1600, 3200), (20, 40, 80, 160))
HANDS, CHANCES = (-1.0, 0.0, 1.0, 1.5), (0.4755, 0.0866, 0.3896, 0.0483)
"""What a hand of blackjack comes to."""


@dataclass(frozen=True, slots=True)
class Law:
    """What an entrant's tables come to: mean 0 and standard deviation 1."""

    name: str
    draw: Callable[[np.random.Generator, tuple[int, int]], Results]


def _normal(rng: np.random.Generator, shape: tuple[int, int]) -> Results:
    return rng.standard_normal(shape)


def _atomic(rng: np.random.Generator, shape: tuple[int, int]) -> Results:
    values, chances = np.array(HANDS), np.array(CHANCES)
    mean = values @ chances
    sd = sqrt(values**2 @ chances - mean**2)
    return (rng.choice(values, shape, p=chances / chances.sum()) - mean) / sd


def _opposed(sigma: float) -> Law:
    """Give results that lean to the wins for one half and to the losses for the other."""
    mean, variance = np.exp(sigma**2 / 2), (np.exp(sigma**2) - 1) * np.exp(sigma**2)

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Results:
        signs = np.where(np.arange(shape[1]) % 2, -1.0, 1.0)
        drawn: Results = signs * (rng.lognormal(0, sigma, shape) - mean) / sqrt(variance)
        return drawn

    return Law(f"opposed log-normal, sigma {sigma:g}", draw)


def _exponential(rng: np.random.Generator, shape: tuple[int, int]) -> Results:
    signs = np.where(np.arange(shape[1]) % 2, -1.0, 1.0)
    drawn: Results = signs * (rng.standard_exponential(shape) - 1)
    return drawn


def _lottery(chance: float) -> Law:
    """Give one half a small win nearly always and a great loss else, and the other the opposite.

    No chips that moved tell of it.
    """
    sd = sqrt(chance * (1 - chance))

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Results:
        signs = np.where(np.arange(shape[1]) % 2, -1.0, 1.0)
        drawn: Results = signs * (chance - (rng.random(shape) < chance)) / sd
        return drawn

    return Law(f"opposed lotteries of {chance:.0%}", draw)


def _rare(chance: float) -> Law:
    """Give one entrant 1 but for rare, large losses, and the others normal results."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Results:
        drawn: Results = rng.standard_normal(shape)
        drawn[:, 0] = np.where(rng.random(shape[0]) < chance, 1 - 1 / chance, 1.0)
        return drawn

    return Law(f"+1, and {1 - 1 / chance:.0f} in {chance:.0%}", draw)


NORMAL, ATOMIC, OPPOSED = Law("normal", _normal), Law("hands", _atomic), _opposed(1.0)
LAWS = (NORMAL, ATOMIC, OPPOSED)
EXPONENTIAL = Law("opposed exponential", _exponential)


def judged(
    results: Results,
    *,
    is_shared: bool = True,
    alpha: float = ALPHA,
    bounds: Bounds | None = None,
) -> RankSets:
    """Give what is known, by column of the results."""
    shared = [(0, 0, table) for table in range(len(results))]
    field = [
        Played(shared if is_shared else [(0, who, table) for *_, table in shared], (who,), values)
        for who, values in enumerate(np.ascontiguousarray(results.T))
    ]
    return rank_sets(sample_of(field, bounds), alpha)


def is_false(sets: RankSets, skills: Results) -> bool:
    """Say whether anybody is said to be better who is not."""
    return bool((sets.decided & (skills[:, None] <= skills[None, :])).any())


def graded(entrants: int, step: float) -> Results:
    """Give skills in equal steps, in an order that has nothing to do with leaning."""
    return step * np.random.default_rng(entrants).permutation(entrants).astype(float)


def rate(wrong: int, fields: int) -> str:
    """Write a rate in per cent with its standard error; of none, what it is below at 95 %."""
    if not wrong:
        return f"0 (< {300 / fields:.2g})"
    part = wrong / fields
    return f"{100 * part:.2g} ± {100 * sqrt(part * (1 - part) / fields):.1g}"


def false_orders(
    law: Law,
    skills: Results,
    tables: int,
    fields: int,
    *,
    is_shared: bool = True,
    bounds: Bounds | None = None,
) -> str:
    """Give how many of so many fields are told something false."""
    rng = np.random.default_rng([len(skills), tables, is_shared])
    shape = tables, len(skills)
    wrong = sum(
        is_false(judged(skills + law.draw(rng, shape), is_shared=is_shared, bounds=bounds), skills)
        for _ in range(fields)
    )
    return rate(wrong, fields)


@dataclass(frozen=True, slots=True)
class Study:
    """All parts, each of which gives headers and rows."""

    part: float  # of the usual number of fields

    def fields(self, usual: int) -> int:
        """Give how many fields are drawn."""
        return max(10, round(self.part * usual))

    def grid(self) -> Iterator[list[str]]:
        """False orders in per cent, by law, kind of field and numbers of entrants and tables."""
        yield ["Results", "Field", "Entrants", *(f"{tables} tables" for tables in TABLES)]
        for law in LAWS:
            for kind in ("equal", "graded"):
                for entrants in ENTRANTS:
                    skills = graded(entrants, 0.0 if kind == "equal" else NEARLY)
                    fields = self.fields(FIELDS[entrants])
                    yield [
                        law.name,
                        kind,
                        str(entrants),
                        *(false_orders(law, skills, tables, fields) for tables in TABLES),
                    ]

    def weak(self) -> Iterator[list[str]]:
        """False orders in per cent among equals, where the method is known to be weak."""
        yield ["Results", "Entrants", *(f"{tables} tables" for tables in TABLES[3:])]
        for law in (_opposed(1.5), _lottery(0.05), _lottery(0.02)):
            for entrants in ENTRANTS:
                fields = self.fields(FIELDS[entrants])
                skills = np.zeros(entrants)
                rates = (false_orders(law, skills, tables, fields) for tables in TABLES[3:])
                yield [law.name, str(entrants), *rates]

    def rare(self) -> Iterator[list[str]]:
        """False orders in per cent, where one entrant among equals has rare, large losses."""
        yield ["One entrant", "Entrants", "Bounds", *(f"{each} tables" for each in RARE_TABLES)]
        for chance in (0.05, 0.02):
            law, most = _rare(chance), 1 / chance - 1
            for bounds in (None, Bounds(-most, most)):
                for entrants in RARE_ENTRANTS:
                    fields = self.fields(FIELDS[entrants] // 2)
                    skills = np.zeros(entrants)
                    yield [
                        law.name,
                        str(entrants),
                        f"-{most:.0f} to {most:.0f}" if bounds else "none",
                        *(
                            false_orders(law, skills, tables, fields, bounds=bounds)
                            for tables in RARE_TABLES
                        ),
                    ]

    def price(self) -> Iterator[list[str]]:
        """Mean ranks in a set with declared bounds and without: graded normal fields, Straights."""
        yield ["Field", "Tables", "Range", "without bounds", "with bounds"]
        for tables in (40, 100, 400, 1600):
            for span in RANGES:
                without, within = self._priced(tables, span)
                yield [
                    "8, half an SD apart",
                    f"{tables:,}",
                    f"{span:g} SD",
                    f"{without:.2f}",
                    f"{within:.2f}",
                ]
        for words, (kind, tables, rounds) in PRICES.items():
            without, within = (
                fmean(_straights(kind, tables, rounds, bounds, seed) for seed in range(5))
                for bounds in ("ignore", "declared")
            )
            span = "0 to 154" if kind == "duplicate" else "1 to 4"
            yield ["8 of Straights", words, span, f"{without:.2f}", f"{within:.2f}"]

    def _priced(self, tables: int, span: float) -> tuple[float, float]:
        rng, skills = np.random.default_rng(4), graded(8, 0.5)
        bounds = Bounds(skills.mean() - span / 2, skills.mean() + span / 2)
        found: dict[Bounds | None, list[float]] = {None: [], bounds: []}
        for _ in range(self.fields(100)):
            results = np.clip(skills + _normal(rng, (tables, 8)), *bounds)
            for each, widths in found.items():
                sets = judged(results, bounds=each)
                widths.append(float((sets.worst - sets.best + 1).mean()))
        without, within = (fmean(widths) for widths in found.values())
        return without, within

    def own(self) -> Iterator[list[str]]:
        """False orders in per cent among equals that play tables of their own."""
        yield ["Results", "Entrants", *(f"{tables} tables" for tables in TABLES[2:])]
        for law in LAWS:
            for entrants in (2, 8, 20, 60):
                fields = self.fields(FIELDS[entrants])
                skills = np.zeros(entrants)
                yield [
                    law.name,
                    str(entrants),
                    *(
                        false_orders(law, skills, tables, fields, is_shared=False)
                        for tables in TABLES[2:]
                    ),
                ]

    def looks(self) -> Iterator[list[str]]:
        """False orders in per cent at any of several looks, among eight equals."""
        yield ["Looks after", "5 % for all of them", "5 % for each"]
        for looks in LOOKS:
            fields = self.fields(2_000 if looks[-1] < 1_000 else 1_000)
            shown = ", ".join(f"{each:,}" for each in looks)
            yield [shown, *(self._looking(looks, fields, spends=each) for each in (True, False))]

    def _looking(self, looks: tuple[int, ...], fields: int, *, spends: bool) -> str:
        rng, skills, wrong = np.random.default_rng(3), np.zeros(8), 0
        for _ in range(fields):
            results = _normal(rng, (looks[-1], len(skills)))
            wrong += any(
                is_false(
                    judged(results[:tables], alpha=alpha_at(look, looks) if spends else ALPHA),
                    skills,
                )
                for look, tables in enumerate(looks, start=1)
            )
        return rate(wrong, fields)

    def widths(self) -> Iterator[list[str]]:
        """Ranks in a set, and of somebody who knows the law; from four times the least tables."""
        yield ["Results", "Entrants", "Tables", "Step", "Ranks in a set", "known law", "ratio"]
        for law in (*LAWS, EXPONENTIAL):
            for entrants in ENTRANTS:
                least = 4 * tables_that_tell(entrants)
                for tables in (least, 2 * least):
                    known = KnownLaw(law, entrants, tables, self.fields(WIDTH_DRAWS[entrants]))
                    for step in STEPS:
                        mine, theirs = self._widths(law, known, graded(entrants, step))
                        yield [
                            law.name,
                            str(entrants),
                            str(tables),
                            f"{step:g}",
                            f"{mine:.2f}",
                            f"{theirs:.2f}",
                            f"{mine / theirs:.2f}",
                        ]

    def _widths(self, law: Law, known: "KnownLaw", skills: Results) -> tuple[float, float]:
        fields = self.fields(WIDTH_FIELDS[known.entrants])
        rng = np.random.default_rng(2)
        mine = theirs = 0.0
        for _ in range(fields):
            results = skills + law.draw(rng, (known.tables, known.entrants))
            sets = judged(results)
            mine += float((sets.worst - sets.best + 1).mean())
            theirs += known.width(results)
        return mine / fields, theirs / fields

    def ruin(self) -> Iterator[list[str]]:
        """False orders in per cent where some double, from blackjack that was really played."""
        boards = ("20", "40", "100", "200", "400")
        yield ["Shuffle", "Bankroll", "Ruin", "Shoes", *(f"{each} tables" for each in boards)]
        for shuffle in ("riffle", "uniform"):
            for bankroll in (5_000, 20_000, 100_000):
                pool = Pool.played(shuffle, bankroll, self.fields(4_000))
                for is_shared in (True, False):
                    yield [
                        shuffle,
                        f"{bankroll:,}",
                        f"{pool.ruin:.1%}",
                        "shared" if is_shared else "own",
                        *(
                            pool.false_orders(int(each), self.fields(1_000), is_shared=is_shared)
                            for each in boards
                        ),
                    ]

    def runs(self) -> Iterator[list[str]]:
        """Boards of real runs that claim an order among equals, in per cent."""
        yield ["Entrants", "Format", "Luck", "Rounds", *(f"{each} tables" for each in RUN_TABLES)]
        for entrants in (8, 20):
            for kind in ("duplicate", "independent"):
                for luck in ("true", "false"):
                    fields = self.fields(400 if entrants == 8 else 200)
                    rates = (
                        rate(_claims(entrants, kind, luck, tables, fields), fields)
                        for tables in RUN_TABLES
                    )
                    yield [str(entrants), kind, luck, str(RUN_ROUNDS), *rates]


class KnownLaw:
    """Knows by which law results are drawn: how far the largest of many t strays among equals."""

    def __init__(self, law: Law, entrants: int, tables: int, draws: int) -> None:
        self.entrants, self.tables = entrants, tables
        rng = np.random.default_rng(7)
        off = ~np.eye(entrants, dtype=bool)
        self._off = off
        self._strays = np.array(
            [_students(law.draw(rng, (tables, entrants)))[off] for _ in range(draws)], np.float32
        )

    def width(self, results: Results) -> float:
        """Give the mean number of ranks in a set, after as many steps as it takes."""
        found = _students(results)[self._off]
        decided = np.zeros(len(found), bool)
        while True:
            largest = self._strays[:, ~decided].max(axis=1)
            again = found > np.quantile(largest, 1 - ALPHA)
            if not (again & ~decided).any():
                return float(self.entrants - 2 * decided.sum() / self.entrants)
            decided |= again


def _students(results: Results) -> Results:
    """Give t of the difference of every two."""
    tables = len(results)
    means = results.mean(axis=0)
    covariance = np.atleast_2d(np.cov(results.T)) / tables
    own = np.diag(covariance)
    spread = own[:, None] + own[None, :] - 2 * covariance
    np.fill_diagonal(spread, 1.0)
    found: Results = (means[:, None] - means[None, :]) / np.sqrt(np.maximum(spread, 1e-12))
    return found


DOUBLER = """\
from tourney.strategies.simple import Simple


class Doubler(Simple):
    def __init__(self, least=1):
        self._least = self._next = least
        self._before = None

    def bet(self, bankroll, minimum):
        if self._before is not None and bankroll != self._before:
            self._next = self._least if bankroll > self._before else 2 * self._next
        self._before = bankroll
        return min(self._next * minimum, bankroll)
"""
STEADY = ("simple", "counting", "mimic", "never-bust", "progression")
DOUBLERS = (1, 2)
"""Minimums that they begin with."""

POOL_ROUNDS = 100
COIN = """\
from tourney.strategies.simple import Simple


class Coin(Simple):
    def bet(self, bankroll, minimum):
        return minimum * self.random.choice((1, 2))
"""
"""As good as any other, but no two wager alike."""

RUN_TABLES, RUN_ROUNDS = (4, 8, 16, 40), 20


def _tournament(folder: Path, head: str, entrants: list[str]) -> tuple[Standing, ...]:
    """Play a tournament of blackjack at the tables of ve280; give its board."""
    lines = "".join(f"  - {each}\n" for each in entrants)
    config = folder / "cup.yaml"
    config.write_text(f"name: Cup\nminimum: 5\n{head}entrants:\n{lines}", encoding="utf-8")
    return play_tournament(config, store=folder / "cup.db", trust_submissions=True).standings


@dataclass(frozen=True, slots=True)
class Pool:
    """Tables of which boards are made, by table and entrant; nobody knows their luck."""

    profits: Results
    squares: Results
    truth: Results  # what a table is worth
    ruin: float  # part of the tables of the first who doubles

    @classmethod
    def played(cls, shuffle: str, bankroll: int, tables: int) -> "Pool":
        """Play them."""
        entrants = [f"{{strategy: {name}}}" for name in STEADY]
        entrants += [
            f"{{file: doubler.py, as: D{least}, options: {{least: {least}}}}}" for least in DOUBLERS
        ]
        head = (
            f"seed: 5\nluck_adjustment: false\ngame: {{preset: ve280, shuffle: {shuffle}}}\n"
            f"bankroll: {bankroll}\n"
            f"format: {{kind: duplicate, tables: {tables}, rounds: {POOL_ROUNDS}}}\n"
        )
        shape = tables, len(entrants)
        profits, squares, handle = np.zeros(shape), np.zeros(shape), np.zeros(shape[1])
        with TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "doubler.py").write_text(DOUBLER, encoding="utf-8")
            _tournament(folder, head, entrants)
            with Store.open(folder / "cup.db", create=False) as kept:
                for key, seat in kept.seat_results(1):
                    profits[key.table, seat.entrant] = seat.net
                    squares[key.table, seat.entrant] = seat.squares
                    handle[seat.entrant] += seat.handle / tables
        truth = profits.mean(axis=0)
        # Of those who double the mean is known far better from what they wager.
        doubles = slice(len(STEADY), None)
        truth[doubles] = truth[0] / handle[0] * handle[doubles]
        ruined = profits[:, len(STEADY)] < 5 - bankroll
        return cls(profits, squares, truth, float(ruined.mean()))

    def false_orders(self, tables: int, boards: int, *, is_shared: bool) -> str:
        """Make boards of so many tables of these; give how many say something false."""
        rng = np.random.default_rng(tables)
        wrong = 0
        for _ in range(boards):
            picked = rng.choice(len(self.profits), tables, replace=False)[:, None]
            if not is_shared:
                entrants = len(self.truth)
                picked = rng.integers(len(self.profits), size=(tables, entrants))
            wrong += is_false(self._judged(picked, is_shared=is_shared), self.truth)
        return rate(wrong, boards)

    def _judged(self, picked: NDArray[np.int64], *, is_shared: bool) -> RankSets:
        who = np.arange(len(self.truth))
        profits, squares = self.profits[picked, who], self.squares[picked, who]
        field = []
        for number in who:
            row = replace(
                ROW,
                tables=len(profits),
                sd=float(profits[:, number].std(ddof=1)),
                moved_sd=sqrt(squares[:, number].mean()),
            )
            keys = [(0, 0 if is_shared else int(number), table) for table in range(len(profits))]
            moved, hidden = row.moved_sd or 0.0, row.hidden_variance
            values = profits[:, number]
            field.append(Played(keys, (int(number),), values, moved, hidden))
        return rank_sets(sample_of(field))


def _claims(entrants: int, kind: str, luck: str, tables: int, runs: int) -> int:
    """Play runs of equals; count the boards that tell any apart."""
    claims = 0
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "coin.py").write_text(COIN, encoding="utf-8")
        field = [f"{{file: coin.py, as: C{number}}}" for number in range(entrants)]
        for seed in range(runs):
            head = (
                f"seed: {seed}\nluck_adjustment: {luck}\n"
                "game: {preset: ve280, shuffle: uniform}\n"
                "bankroll: 1000\n"
                f"format: {{kind: {kind}, tables: {tables}, rounds: {RUN_ROUNDS}}}\n"
            )
            rows = _tournament(folder, head, field)
            claims += any(row.rank_set != (1, entrants) for row in rows)
    return claims


def _straights(kind: str, tables: int, rounds: int, bounds: str, seed: int) -> float:
    """Play Straights; give the mean number of ranks in a set."""
    lasting = {"rounds" if kind == "duplicate" else "games": rounds}
    with TemporaryDirectory() as name:
        config = {
            "name": "Price",
            "seed": seed,
            "game": "straights",
            "format": {"kind": kind, "tables": tables, "bounds": bounds, **lasting},
            "entrants": [{"strategy": each} for each in STRAIGHTS],
        }
        rows = play_tournament(config, store=Path(name) / "cup.db").standings
    return fmean(row.rank_set[1] - row.rank_set[0] + 1 for row in rows if row.rank_set)


ROW = Standing(
    *(None, "", "", None, 2, 2, Fraction(0), None, (0.0, 0.0, 0.0), 0.0, 0.0, 0, 0, None)
)
"""To be filled in."""
PARTS = ("grid", "weak", "rare", "own", "looks", "widths", "ruin", "runs", "price")


def main() -> None:
    """Print all figures, a Markdown table for each part."""
    parser = argparse.ArgumentParser(description="Measure what rank sets promise.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the fields")
    parser.add_argument("--only", choices=PARTS, action="append", help="this part, or these")
    asked = parser.parse_args()
    study = Study(0.1 if asked.quick else 1.0)
    for name in asked.only or PARTS:
        part = getattr(study, name)
        headers, *rows = part()
        print(f"### {name}\n\n{part.__doc__}\n", flush=True)
        print(tabulate(rows, headers, "github", disable_numparse=True), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
