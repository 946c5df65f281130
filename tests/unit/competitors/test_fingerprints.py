"""A copy has the shape of its original, whatever its author has renamed."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.competitors.fingerprints import shape_of, shape_of_cpp

PYTHON = '''
from tourney import Player


class CLASS(Player):
    """DOC"""

    LIMIT = 16

    def __init__(self, START=3):
        self.FIELD = START

    def bet(self, bankroll, minimum):
        FIRST = min(bankroll, minimum * self.FIELD)
        for EACH in range(3):
            FIRST += EACH
        return self.HELPER(FIRST, TIMES=2)

    def HELPER(self, x, TIMES):
        return [ONE for ONE in (x, TIMES) if ONE][0]

    def draw(self, dealer, HAND):
        global SHARED
        SHARED = 1
        SECOND = HAND.total

        def INNER():
            nonlocal SECOND
            SECOND = HAND.total  # note

        match SECOND:
            case [CAUGHT, *_]:
                return CAUGHT
        try:
            INNER()
        except ValueError as ERROR:
            print(ERROR)
        return (lambda ARGUMENT: ARGUMENT < self.LIMIT)(SECOND)
'''
CPP = """
#include "player.h"
static int SHARED = 1; // DOC
template <class T> T HELPER(T ONE) { T THIRD = ONE + 1; return THIRD; }
class CLASS : public Player {
    int FIELD;
  public:
    CLASS(int START) : FIELD(START) {}
    int bet(unsigned int bankroll, unsigned int minimum) override {
        int FIRST = HELPER(0);
        for (int EACH = 0; EACH < 3; ++EACH) FIRST += EACH;
        return minimum + FIRST;
    }
    bool draw(Card dealer, const Hand &HAND) override;
    void expose(Card CAUGHT) override { FIELD += CAUGHT.spot; }
    void shuffled() override { this->FIELD = 0; }
};
bool CLASS::draw(Card dealer, const Hand &HAND) {
    int SECOND = HAND.handValue().count;
    bool INNER = HAND.handValue().soft;
    return SECOND < 17 && !INNER && SHARED;
}
static CLASS ERROR(3);
extern "C" Player *get_Competitor() { return &ERROR; }
"""
HOLES = (
    *("CLASS", "DOC", "START", "FIELD", "FIRST", "EACH", "HELPER", "TIMES", "ONE", "HAND"),
    *("SHARED", "SECOND", "INNER", "CAUGHT", "ERROR", "ARGUMENT", "THIRD"),
)
OF_THE_PLATFORM = ("total", "count", "soft", "spot", "player", "hand", "key", "size", "is_soft")
"""Names that students give to variables, though the platform has them, too."""
SHAPES = [(PYTHON, shape_of), (CPP, shape_of_cpp)]
Shape = Callable[[str], str]


def named(text: str, names: dict[str, str]) -> str:
    """Give a program with some names."""
    for hole, name in names.items():
        text = text.replace(hole, name)
    return text


NAMES = st.permutations([*OF_THE_PLATFORM, *(f"v{number}" for number in range(12))])


@pytest.mark.parametrize(("text", "shape"), SHAPES)
@tried(300)
@given(names=NAMES, other=NAMES)
def test_names_do_not_hide_a_copy(
    text: str, shape: Shape, names: list[str], other: list[str]
) -> None:
    """Also names of the platform, and other ones in comments."""
    one, two = (dict(zip(HOLES, each, strict=False)) for each in (names, other))
    assert shape(named(text, one)) == shape(named(text, two)) != ""


@pytest.mark.parametrize(("text", "shape"), SHAPES)
@pytest.mark.parametrize("hole", ["FIRST", "SECOND", "EACH", "HAND"])
@pytest.mark.parametrize("name", ["total", "count"])
def test_a_variable_may_be_renamed_in_one_function_alone(
    text: str, shape: Shape, hole: str, name: str
) -> None:
    """Although both functions had a variable of that name."""
    same = dict.fromkeys(("FIRST", "SECOND"), "shared_name")
    plain = {each: each.lower() for each in HOLES if each not in same}
    assert shape(named(text, plain | same)) == shape(named(text, plain | same | {hole: name}))


@pytest.mark.parametrize(
    ("text", "shape", "before", "after"),
    [
        (PYTHON, shape_of, "SECOND = HAND.total\n\n", "SECOND = HAND.is_soft\n\n"),
        (PYTHON, shape_of, "range(3)", "range(4)"),
        (PYTHON, shape_of, "min(bankroll", "max(bankroll"),
        (PYTHON, shape_of, "ARGUMENT < self", "ARGUMENT <= self"),
        (CPP, shape_of_cpp, "HAND.handValue().count", "HAND.handValue().soft"),
        (CPP, shape_of_cpp, "return minimum + FIRST", "return FIRST + minimum"),
        (CPP, shape_of_cpp, "SECOND < 17", "SECOND < 16"),
        (CPP, shape_of_cpp, "void expose", "void shuffled"),
    ],
)
def test_another_play_has_another_shape(text: str, shape: Shape, before: str, after: str) -> None:
    """What the platform answers, numbers and the order stay as they are."""
    assert before in text
    assert shape(text) != shape(text.replace(before, after))
