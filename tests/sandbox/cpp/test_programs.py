"""Programs in C++ as competitors: each seat is asked by itself, and every fault has its line."""

import random
import shutil

import numpy as np
import pytest

from tests.sandbox.attacks.asking import SEAT_REQUESTS, SEATS, questions
from tests.sandbox.cpp.written import COUNTING, WAGER, one, play
from tests.support.cpp_build import build
from tourney.game.asking.exchange import SeatRequest
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.players.questions import Call, Questions, pick
from tourney.sandbox.budgets import Budget
from tourney.sandbox.host_process import Setup
from tourney.sandbox.levels import Level, probe, setup_for
from tourney.sandbox.lockdown import Limits
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import Submitted

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL or not shutil.which("g++"), reason="nothing can be compiled here"
)

PATIENT = Budget(loading=5.0, base=5.0)
TOP = (
    "int no() noexcept { throw 3; } struct P { P() { call(); } void call() { f(); }"
    " virtual void f() = 0; }; struct Q : P { void f() { } }; void pure(void *) { Q q; }"
)
ENDED = "bet: its process ended: "


@pytest.mark.parametrize("file", ["honest.py", "a\\nhonest: raised", "/x/y.cpp", "player.cpp"])
def test_a_place_is_never_in_another_file(file: str) -> None:
    """A source may claim by #line to be any file, and any line of it."""
    came = play(one(f'\n#line 900000 "{file}"\n throw 3;'))
    assert {(each.cause, each.call, each.place) for each in came.verdicts} == {
        ("raised", "bet", "")
    }


@pytest.mark.parametrize(
    ("bet", "cause", "message", "place"),
    [
        ("assert(minimum == 0); return 1;", "died", f"{ENDED}abort(), as", WAGER),
        ("abort();", "died", f"{ENDED}abort(), as", WAGER),
        ("return no();", "died", f"{ENDED}abort(), as", "player.cpp:8"),
        ("volatile int z = 0; return 3 / z;", "died", f"{ENDED}a division by zero", WAGER),
        ("int *p = 0; return *(volatile int *)p;", "died", f"{ENDED}a pointer that leads", WAGER),
        (
            "volatile char a[999]; a[0] = 1; return bet(1, a[0]) + a[0];",
            "died",
            f"{ENDED}a full stack",
            WAGER,
        ),
        ("exit(3);", "died", f"{ENDED}exit(), which", WAGER),
        ("_Exit(3);", "died", f"{ENDED}exit status 3", ""),
        (
            "int (*volatile f)() = nullptr; return f() + 1;",
            "died",
            f"{ENDED}a pointer that leads",
            WAGER,
        ),
        (
            "int *volatile p = new int(1); delete p; delete p; return 1;",
            "died",
            f"{ENDED}damaged memory, as after a write past the end of an array or a second delete: "
            "free(): double free detected in tcache 2",
            None,
        ),
        ("pure(this); return 1;", "died", f"{ENDED}a call of a virtual", "player.cpp:8"),
        ("throw 3;", "raised", "bet: expected an answer, got a thrown int", WAGER),
        ('throw "no";', "raised", "bet: expected an answer, got no", WAGER),
        ('throw std::string("no");', "raised", "bet: expected an answer, got no", WAGER),
        (
            'throw std::runtime_error("\\x1b[2J");',
            "raised",
            "bet: expected an answer, got std::runtime_error: ?[2J",
            WAGER,
        ),
        ("return std::vector<int>().at(3);", "raised", "got std::out_of_range: vector", WAGER),
        ('return std::stoi("x");', "raised", "got std::invalid_argument: stoi", WAGER),
        (
            "return 3;",
            "illegal",
            "bet: your bet must be a whole number from 10 to 1000; you bet 3",
            "",
        ),
        (
            "return -1;",
            "illegal",
            "your bet must be a whole number from 10 to 1000; you bet -1",
            "",
        ),
        (
            "for (;;) { volatile char *p = new char[1 << 20]; p[5] = 3; }",
            "memory",
            "got std::bad_alloc",
            None,
        ),
    ],
)
def test_every_fault_has_its_cause_and_its_line(
    bet: str, cause: str, message: str, place: str | None
) -> None:
    """And an honest one is never called a breach."""
    came = play(one(bet, top=TOP), budget=PATIENT)
    assert len(came.verdicts) == SEATS
    for verdict in came.verdicts:
        assert (verdict.cause, verdict.call) == (cause, "bet")
        assert message in verdict.message
        assert place in {verdict.place, None}


def test_an_endless_loop_is_stopped_by_the_budget() -> None:
    """The referee looks at the process's clock, and has the program say where it is."""
    came = play(one("for (volatile int i = 0;;) i = i + 1;"))
    assert [verdict.cause for verdict in came.verdicts] == ["cpu"] * SEATS
    assert {verdict.place for verdict in came.verdicts} == {WAGER}
    came = play(one("std::string s; for (;;) s = std::to_string(s.size() + 1);"))
    assert {verdict.place for verdict in came.verdicts} == {WAGER}
    assert came.printed == ""
    made = play(one(more="One() { for (volatile int i = 0;;) i = i + 1; }"))
    assert {verdict.place for verdict in made.verdicts} == {"player.cpp:11"}


def test_damaged_memory_is_called_so_where_it_also_takes_the_report_of_the_end() -> None:
    """Finding the line of the end allocates memory, which fails then."""
    came = play(
        one(
            "int *volatile p = new int[3]; for (int i = 0; i < 9999; i++) p[i] = 1;"
            " int *volatile q = 0; return *q;"
        )
    )
    assert len(came.verdicts) == SEATS
    assert all("a second delete: malloc(): " in verdict.message for verdict in came.verdicts)
    assert "@ended" not in came.printed


def test_a_loop_need_not_say_where_it_is() -> None:
    """Who will not be interrupted is ended without a line."""
    came = play(
        one("signal(SIGXCPU, SIG_IGN); for (volatile int i = 0;;) i = 1;", "#include <csignal>")
    )
    assert {(verdict.cause, verdict.place) for verdict in came.verdicts} == {("cpu", "")}


@pytest.mark.parametrize(
    ("made", "cause", "message"),
    [
        ("One() { throw 3; }", "raised", "constructor: expected an answer, got a thrown int"),
        (
            "One() { volatile char *p = new char[1ul << 40]; p[0] = 1; }",
            "memory",
            "constructor: expected an answer, got std::",
        ),
        (
            "One() { for (volatile int i = 0;;) i = i + 1; }",
            "cpu",
            "import: it computed for more than",
        ),
        (
            "One() { abort(); }",
            "died",
            "import: its process ended: abort",
        ),
    ],
)
def test_a_constructor_may_fail_like_a_decision(made: str, cause: str, message: str) -> None:
    """It is run for every seat, before anybody is asked."""
    came = play(one(more=made))
    assert [verdict.cause for verdict in came.verdicts] == [cause] * SEATS
    assert all(message in verdict.message for verdict in came.verdicts)


def test_a_seat_that_fails_does_not_stop_the_others() -> None:
    """A fault is its own."""
    text = one("if (rand() % 2) throw 3; return minimum;")
    came = play(text)
    key = [int.from_bytes(each.random_key, "little") for each in SEAT_REQUESTS]
    failing = [random.Random(each).getrandbits(31) % 2 == 1 for each in key]
    assert came.answers == tuple(-1 if fails else 10 for fails in failing)
    assert 0 < sum(failing) < SEATS
    assert len(came.verdicts) == sum(failing)


def test_what_it_prints_is_kept_for_its_author() -> None:
    """Up to a limit, beyond which it plays on."""
    assert (
        play(one('std::cout << "seen " << minimum; return minimum;')).printed == "seen 10" * SEATS
    )
    came = play(
        one("for (int i = 0; i < 9999; i++) std::cout << 123456789 << std::endl; return minimum;")
    )
    assert came.answers == (10,) * SEATS
    assert len(came.printed) <= Limits().output


def test_rand_is_the_stream_of_a_python_players_random() -> None:
    """So that a twin in Python can roll the same dice; `srand` seeds as `seed` does."""
    text = one("for (int i = 0; i < 700; i++) rand(); return 10 + rand() % 900;")
    expected = []
    for seat in SEAT_REQUESTS:
        dice = random.Random(int.from_bytes(seat.random_key, "little"))
        rolled = [dice.getrandbits(31) for _ in range(701)]
        expected.append(10 + rolled[-1] % 900)
    assert play(text).answers == tuple(expected)
    seeded = 10 + random.Random(77).getrandbits(31) % 900
    assert play(one("srand(77); return 10 + rand() % 900;")).answers == (seeded,) * SEATS


def test_clocks_are_the_same_every_time() -> None:
    """They begin with the year 2000, for every seat, and go on when they are looked at."""
    text = one(
        "auto t = std::chrono::system_clock::now().time_since_epoch();"
        " std::cout << time(0) << ' ' << clock() << ' '"
        " << t.count() << ' ' << std::random_device()() << std::endl; return minimum;",
        top="#include <chrono>\n#include <ctime>\n#include <random>",
    )
    printed = play(text).printed
    assert [line.split()[0] for line in printed.splitlines()] == ["946684800"] * SEATS
    assert printed == play(text).printed


STATES = {
    "member": one("return minimum + n++ % 7;", more="    int n = 0;"),
    "function static": one("static int n = 0; return minimum + n++ % 7;"),
    "static": one("return minimum + n++ % 7;", top="static int n = 3;"),
    "inline": one("return minimum + n++ % 7;", top="inline int n = 3;"),
    "template": one(
        "return minimum + N<int>::n++ % 7;",
        top="template <class T> struct N { static int n; };\ntemplate <class T> int N<T>::n = 0;",
    ),
    "heap": one("v.push_back(1); return minimum + v.size() % 7;", more="    std::vector<int> v;"),
    "pointer": one("return minimum + (*n)++ % 7;", more="    int *n = new int(5);"),
    "string": one('s += "x"; return minimum + s.size() % 7;', top="static std::string s;"),
    "map": one(
        "m[m.size()] = 1; return minimum + m.size() % 7;",
        top="#include <map>\nstatic std::map<int, int> m;",
    ),
    "rand": one("return minimum + rand() % 7;"),
    "stream": one(
        "o << 'x'; return minimum + o.str().size() % 7;",
        top="#include <sstream>\nstatic std::ostringstream o;",
    ),
}


def asked_in_turn(text: str, keys: list[bytes], order: list[list[int]]) -> list[dict[int, int]]:
    """Seat as many as there are keys, ask some of them again and again, and give the answers."""
    submitted = Submitted("player.cpp", b"", program=build((("player.cpp", text),)).program)
    told = []
    with SandboxedPool(BLACKJACK, submitted, budget=PATIENT) as pool:
        pool.sit([SeatRequest(1, key) for key in keys])
        for round_, seats in enumerate(order, 1):
            decided = pool.decide(questions(Call.WAGER, round_, seats))
            assert not decided.faults
            told.append(dict(zip(seats, decided.answers.tolist(), strict=True)))
    return told


@pytest.mark.parametrize("state", STATES)
def test_every_seat_has_what_a_process_of_its_own_would_have(state: str) -> None:
    """One program plays many seats, and none can tell, whatever its file keeps where."""
    chooser = random.Random(state)
    keys = [bytes([seat]) * 16 for seat in range(8)]
    order = [sorted(chooser.sample(range(8), chooser.randint(1, 8))) for _ in range(40)]
    together = asked_in_turn(STATES[state], keys, order)
    for seat in range(8):
        mine = [[0] for seats in order if seat in seats]
        alone = [told[0] for told in asked_in_turn(STATES[state], [keys[seat]], mine)]
        assert alone == [told[seat] for told in together if seat in told]
        assert len(set(alone)) > 1


def test_cards_hands_and_shuffles_arrive() -> None:
    """A counter sees what it is shown, and our Hand counts soft aces."""
    submitted = Submitted("player.cpp", b"", program=build((("player.cpp", COUNTING),)).program)
    with SandboxedPool(BLACKJACK, submitted) as pool:
        pool.sit([SeatRequest(1, bytes(16))] * 2)
        low, ten, ace = 0, 8, 12
        shown = wagers([[low, low, ten, low], [low, ten]])
        assert pool.decide(shown).answers.tolist() == [20, 10]
        assert pool.decide(wagers([[255, low], [low, low]])).answers.tolist() == [10, 20]
        hands = [([ace, 5], 0), ([ace, 5, ten], 4), ([ten, 4, ace, ace], 4), ([ace, 6], 13 * 3 + 5)]
        from tourney.game.cards.card import CARDS
        from tourney.games.blackjack.hand import SeenHand
        from tourney.strategies.simple import Simple

        for cards, up in hands:
            hand = SeenHand.opening(CARDS[cards[0]], CARDS[cards[1]])
            for code in cards[2:]:
                hand = hand.with_card(CARDS[code])
            expected = 1 if Simple().draw(CARDS[up], hand) else 2
            assert pool.decide(draw(cards, up)).answers.tolist() == [expected]


def wagers(shown: list[list[int]]) -> Questions:
    """Ask for wagers, after some cards."""
    asked = questions(Call.WAGER, 1, list(range(len(shown))))
    return asked._replace(
        exposed=np.array(sum(shown, []), np.uint8),  # noqa: RUF017 - a few cards
        exposed_stops=np.cumsum([len(each) for each in shown]),
    )


def draw(cards: list[int], up: int) -> Questions:
    """Ask one seat whether it draws."""
    asked = pick(questions(Call.DRAW, 1, [0]), np.array([0]))
    return asked._replace(
        cards=np.array(cards, np.uint8),
        card_stops=np.array([len(cards)]),
        dealer=np.array([[up, 255]], np.uint8),
        exposed=np.zeros(0, np.uint8),
        exposed_stops=np.zeros(1, np.int64),
    )


@pytest.mark.parametrize("level", [Level.FULL, Level.REDUCED])
def test_a_program_plays_at_every_level_that_confines(level: Level) -> None:
    """Confinement changes no answer."""
    setup = setup_for(level, Setup())
    assert play(one("return minimum + rand() % 9;"), setup) == play(
        one("return minimum + rand() % 9;")
    )


FREE = (
    " void operator delete(void *p) noexcept { free(p); }"
    " void operator delete(void *p, size_t) noexcept { free(p); }"
)
OWN_NEW = {
    "that counts": (
        "static int news; void *operator new(size_t n) { news++; return malloc(n); }" + FREE,
        "volatile int *p = new int(3); int got = *p + news; delete p; return minimum + got;",
        14,
    ),
    "from static memory": (
        "static char room[1 << 15]; static size_t used;"
        " void *operator new(size_t n) { void *p = room + used; used += (n + 15) & -16;"
        " if (used > sizeof room) throw std::bad_alloc(); return p; }"
        " void operator delete(void *) noexcept { }"
        " void operator delete(void *, size_t) noexcept { }",
        "std::vector<int> v(99, rand() % 2); return minimum + v.size() + 0 * v[0];",
        109,
    ),
    "that marks what it gives": (
        "void *operator new(size_t n) { long *p = (long *)malloc(n + 16); *p = 77; return p + 2; }"
        " void operator delete(void *p) noexcept"
        " { if (p) { long *q = (long *)p - 2; if (*q != 77) abort(); *q = 0; free(q); } }"
        " void operator delete(void *p, size_t) noexcept { operator delete(p); }",
        "std::string s(40, 'x'); s += std::to_string(minimum) + s;"
        " std::vector<std::string> v(9, s);"
        " try { throw std::runtime_error(s); } catch (std::exception &e) { s = e.what() + v[3]; }"
        " return minimum + s.size();",
        174,
    ),
}


@pytest.mark.parametrize("kind", OWN_NEW)
def test_a_player_may_replace_operator_new(kind: str) -> None:
    """As the language allows; nothing of the platform's own depends on it."""
    top, bet, answer = OWN_NEW[kind]
    came = play(one(bet, top=top))
    assert came.verdicts == ()
    assert came.answers == (answer,) * SEATS


@pytest.mark.parametrize(
    ("act", "cause", "message"),
    [
        ("throw std::bad_alloc();", "memory", "bet: expected an answer, got std::bad_alloc"),
        ("return *(char *volatile *)8;", "died", "a pointer that leads nowhere"),
        ("abort();", "died", "abort(), as after a failed assert"),
        ("for (volatile int i = 0;;) i = 1;", "cpu", "it computed for more than"),
        ("exit(0);", "died", "exit(), which ends its program"),
    ],
)
def test_a_fault_of_the_players_operator_new_has_its_line(
    act: str, cause: str, message: str
) -> None:
    """It is never called a breach of protocol."""
    top = f"void *operator new(size_t) {{ {act} }}"
    came = play(one("return *new int(minimum);", top=top))
    assert len(came.verdicts) == SEATS
    for verdict in came.verdicts:
        assert (verdict.cause, verdict.place) == (cause, "player.cpp:8")
        assert message in verdict.message
