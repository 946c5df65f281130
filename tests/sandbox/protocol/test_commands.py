"""Commands that answer lines of JSON: only for those who trust them, and never believed."""

import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import sleep

import pytest

from tests.sandbox.attacks.asking import SEAT_REQUESTS, SEATS, questions
from tests.sandbox.cpp.test_twins import blocks, never
from tests.sandbox.process.test_hosts import lives
from tourney import Card, Hand, Player
from tourney.competitors.programs import Command
from tourney.errors import ConfinementError, PluginError, StoreError, SubmissionError, TourneyError
from tourney.game.lineup import Lineup
from tourney.game.players import Undeclared
from tourney.games.blackjack.engines.lockstep_play import play_lockstep
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.players.questions import Call
from tourney.plugins.loading import load_plugins
from tourney.sandbox.budgets import Budget
from tourney.sandbox.levels import Level, setup_for
from tourney.sandbox.referee import SandboxedPool
from tourney.strategies.counting import Counting
from tourney.strategies.simple import Simple
from tourney.tournament.loading import enter, run_record
from tourney.tournament.sandbox_level import level_of_run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="commands play on Linux")

EXAMPLES = Path(__file__).parents[3] / "examples" / "protocol"
LEAST_COUNT, STANDS = 2, 17
PATIENT = Budget(loading=60.0, base=60.0, stall=60.0)
WAGERS = """#!{python}
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    number, columns = asked["number"], asked.get("columns")
    answers = [0] * len(asked.get("rounds", ()))
    if columns:
        answers = columns["table"][2::22]
    told = {"number": number, "answers": answers}
    {act}
    print(json.dumps(told), flush=True)
"""
CUP = """
name: cup
seed: 7
game: {preset: ve280}
bankroll: 1000
minimum: 5
format: {kind: duplicate, tables: 2, rounds: 2}
entrants:
  - command: bot
  - strategy: simple
"""


def pool_of(text: str, level: Level = Level.UNSAFE, budget: Budget = PATIENT) -> SandboxedPool:
    """Give the pool of a command."""
    submitted = Command().sandboxed("bot", (("bot", text),))
    return SandboxedPool(BLACKJACK, submitted, setup_for(level), budget)


def that(act: str) -> str:
    """Write a command that wagers the minimum, and does something else before it answers."""
    return WAGERS.replace("{act}", act).replace("{python}", sys.executable)


class HighLow(Player):
    """Wagers twice the minimum from a count of two on; hits until 17, and soft 17."""

    count = 0

    def bet(self, bankroll: int, minimum: int) -> int:
        """Follow the count."""
        return min(2 * minimum, bankroll) if self.count >= LEAST_COUNT else minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Look at the own hand alone."""
        return player.total < STANDS + player.soft

    def expose(self, card: Card) -> None:
        """Count it."""
        self.count += (2 <= card.value <= 6) - (card.value >= 10)

    def shuffled(self) -> None:
        """Begin again."""
        self.count = 0


@pytest.mark.parametrize(
    ("runs", "script", "twin"),
    [
        ("node", "simple.js", Simple),
        ("perl", "counting.pl", Counting),
        ("tclsh", "high_low.tcl", HighLow),
    ],
)
def test_an_example_plays_like_its_twin_in_python(
    runs: str, script: str, twin: type[Player]
) -> None:
    """Digests of every table, over 5,000 hands."""
    if not shutil.which(runs):
        pytest.skip(f"there is no {runs} here")
    drawn = blocks(50)
    here = play_lockstep(drawn, Lineup(lambda _: twin(), lambda *_: Undeclared("asked"))).results
    text = (EXAMPLES / script).read_text(encoding="utf-8")
    there = play_lockstep(drawn, Lineup(never, never, confined=lambda _: pool_of(text))).results
    assert [each.digest for each in there] == [each.digest for each in here]


@pytest.mark.parametrize(
    ("act", "cause", "message"),
    [
        ("pass", "", ""),
        ("number > 1 and print(json.dumps(told))", "raised", "is followed by|came instead of line"),
        ("told['number'] -= number > 1", "raised", "line 1 came instead of line 2"),
        ("number > 1 and answers.append(5)", "raised", "expected 3 answers, got 4"),
        ("number > 1 and answers.pop()", "raised", "expected 3 answers, got 2"),
        (
            "number > 1 and answers.__setitem__(0, True)",
            "raised",
            "is not a whole number of 64 bits",
        ),
        (
            "number > 1 and answers.__setitem__(0, 1 << 63)",
            "raised",
            "is not a whole number of 64 bits",
        ),
        ("number > 1 and answers.__setitem__(0, 3)", "protocol", "expected a legal answer"),
        ("number > 1 and print('[' * 99_999)", "raised", "has more than"),
        ("number > 1 and told.pop('answers')", "raised", "in JSON, got {"),
        ("number > 1 and print('{')", "raised", "is followed by|in JSON"),
        ("number > 1 and sys.exit(3)", "raised", "its process ended: 3"),
        ("number > 1 and __import__('time').sleep(9)", "stalled", "it slept for"),
    ],
)
def test_who_answers_amiss_has_a_verdict(act: str, cause: str, message: str) -> None:
    """On every seat, and from then on."""
    budget = PATIENT._replace(stall=1.0) if cause == "stalled" else PATIENT
    with pool_of(that(act), budget=budget) as pool:
        assert not any(each.verdict for each in pool.sit(SEAT_REQUESTS))
        for round_ in (1, 2, 3):
            decided = pool.decide(questions(Call.WAGER, round_, [0, 1, 2]))
    found = [*decided.faults.values()]
    assert [each.cause for each in found] == [cause] * SEATS * bool(cause)
    assert all(any(said in each.message for said in message.split("|")) for each in found)


def test_a_command_may_give_up_a_seat() -> None:
    """The others play on."""
    with pool_of(that("columns and answers.__setitem__(1, -1)")) as pool:
        pool.sit(SEAT_REQUESTS)
        decided = pool.decide(questions(Call.WAGER, 1, [0, 1, 2]))
    assert decided.answers.tolist() == [10, -1, 10]
    assert [(place, each.cause) for place, each in decided.faults.items()] == [(1, "raised")]


def test_what_runs_it_has_to_be_there() -> None:
    """The message says so, and nothing is left behind."""
    with pool_of("#!/nowhere/at-all\n") as pool:
        verdicts = [each.verdict for each in pool.sit(SEAT_REQUESTS)]
    assert all(
        each and "bot:1: the command in this line cannot be started" in each.message
        for each in verdicts
    )


@pytest.mark.parametrize("level", [Level.FULL, Level.REDUCED])
def test_a_command_is_never_started_where_players_are_confined(level: Level) -> None:
    """Not even in a jail: it would need what nobody gets there."""
    with pytest.raises(ConfinementError, match="needs all permissions"):
        pool_of(that("pass"), level)


@pytest.fixture
def cup(tmp_path: Path) -> Callable[[str], Path]:
    """Write a tournament of a command."""

    def write(text: str) -> Path:
        (tmp_path / "bot").write_text(text, encoding="utf-8")
        (tmp_path / "cup.yaml").write_text(CUP, encoding="utf-8")
        return tmp_path / "cup.yaml"

    return write


def test_only_who_trusts_it_enters_a_command(cup: Callable[[str], Path]) -> None:
    """And then the run says that it is confined by nothing."""
    path = cup(that("pass"))
    with pytest.raises(
        TourneyError, match=r"\(bot\).*commands cannot run in a sandbox.*--no-sandbox"
    ):
        enter(path, load_plugins())
    tournament = enter(path, load_plugins(), trusts_files=True)
    assert tournament.confinement is Level.UNSAFE
    assert [spec.confinement for spec in tournament.entrants] == [Level.UNSAFE, None]


@pytest.mark.parametrize("claimed", ["", "unsafe"])
def test_no_store_makes_a_command_trusted(cup: Callable[[str], Path], claimed: str) -> None:
    """Whatever it says, whoever plays it again has to trust it anew."""
    run = run_record(enter(cup(that("pass")), load_plugins(), trusts_files=True))
    with pytest.raises(TourneyError, match="--no-sandbox"):
        level_of_run(replace(run, confinement=claimed), trusts_files=False)


@pytest.mark.parametrize("trusts", [False, True])
def test_a_store_cannot_say_that_a_command_was_confined(
    cup: Callable[[str], Path], trusts: bool
) -> None:
    """It was not."""
    run = run_record(enter(cup(that("pass")), load_plugins(), trusts_files=True))
    with pytest.raises(StoreError, match="a command cannot have sandbox level full"):
        level_of_run(replace(run, confinement="full"), trusts_files=trusts)


def test_a_command_says_what_runs_it(cup: Callable[[str], Path]) -> None:
    """In its first line; else there is nothing to start."""
    with pytest.raises(SubmissionError, match=r"bot:1: expected what runs it, such as '#!"):
        enter(cup("print(1)\n"), load_plugins(), trusts_files=True)


def test_nobody_hands_in_a_command() -> None:
    """Whatever it is called."""
    assert not any(Command().recognises([name]) for name in ("bot", "bot.js", "bot.command"))
    with pytest.raises(PluginError, match="a command cannot play in this process"):
        Command().load("bot", (("bot", that("pass")),))


def test_a_command_ends_with_its_pool() -> None:
    """Nothing of it goes on or is left behind, and what it told people is kept."""
    act = "number or print(__import__('os').getpid(), __file__, file=sys.stderr, flush=True)"
    with pool_of(that(act)) as pool:
        pool.sit(SEAT_REQUESTS)
        pool.decide(questions(Call.WAGER, 1, [0, 1, 2]))
    number, script = pool.printed.split()
    for _ in range(500):  # it was killed with its host, and nobody waits for it
        if not lives(Path("/proc", number)):
            break
        sleep(0.01)
    assert not lives(Path("/proc", number))
    assert not Path(script).parent.exists()
