"""The program's arguments, its sittings and its end."""

import pytest

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.programs.csc24400 import (
    TEXT,
    ArgumentsError,
    Dialogue,
    Sitting,
    play,
    rng_seed_of,
)
from tourney.games.blackjack.records import Outcome

BOTH_NATURAL, THREE_CARDS_21 = 535, 4
"""Seeds that deal such a first hand from one deck."""


def played(answers: list[str], rng_seed: int = 1) -> str:
    """Give what the program shows to a person who gives these answers and goes."""
    coming = iter(answers)
    said: list[str] = []
    play(rng_seed, Dialogue(lambda: next(coming, None), said.append))
    return "".join(said)


@pytest.mark.parametrize(
    ("text", "rng_seed"),
    [
        *(("1", 1), ("-7", -7), ("+7", 7), ("0007", 7), (" 7", 7), ("-0", 0)),
        *((str(2**63 - 1), 2**63 - 1), (str(-(2**63)), -(2**63)), ("4294967297", 2**32 + 1)),
        ("0" * 9000 + "5", 5),
    ],
)
def test_a_seed_is_a_long_of_c(text: str, rng_seed: int) -> None:
    """As `strtol` reads it."""
    assert rng_seed_of(["-s", text]) == rng_seed


@pytest.mark.parametrize(
    "arguments",
    [
        *(["-s", text] for text in ("", "1.5", "1e3", "one", "1x", "1 ", "0x1", "1_0", "٣")),
        *(["-s", text] for text in ("--1", "- 1", "\udcff", str(2**63), str(-(2**63) - 1))),
        *(["-s", "9" * 100_000], ["-s"], ["-x", "1"], ["-S", "1"], ["1"], ["1", "2"], [""]),
        *(["-s", "1", "2"], ["-s", "1", "-s", "1"], ["--", "-s", "1"], ["-s1"], ["--help"]),
    ],
)
def test_any_other_arguments_get_the_usage_message(arguments: list[str]) -> None:
    """Exactly that."""
    with pytest.raises(ArgumentsError) as caught:
        rng_seed_of(arguments)
    assert str(caught.value) == "Usage: Blackjack [-s <number>]"


def test_without_arguments_the_clock_gives_the_seed() -> None:
    """Two programs started one after the other play different cards."""
    assert rng_seed_of([], clock=lambda: 1_500_000_000_000_000) == 1_500_000_000_000_000
    first = rng_seed_of([])
    while (second := rng_seed_of([])) == first:
        pass
    assert first < second < 2**63


def test_only_the_low_32_bits_of_a_seed_count() -> None:
    """The C library takes an unsigned int; the seed is shown as it was given."""
    answers = ["2", *("y", "h", "s", "s") * 9, "n"]
    one, wrapped, minus = (played(answers, rng_seed) for rng_seed in (1, 2**32 + 1, 1 - 2**32))
    assert "Seed value is: 4294967297\n" in wrapped
    assert "Seed value is: -4294967295\n" in minus
    after = [shown[shown.index("How many") :] for shown in (one, wrapped, minus)]
    assert after[0] == after[1] == after[2]


def test_seeds_0_and_1_are_the_same() -> None:
    """So it is in the C library."""
    assert played(["1", "y"], 0)[60:] == played(["1", "y"], 1)[60:]


@pytest.mark.parametrize("answers", [[], ["0"], ["6"], ["6", "maybe"], ["6", "y"], ["6", "y", "x"]])
def test_the_end_of_the_input_ends_the_program_with_its_statistics(answers: list[str]) -> None:
    """A hand that it cuts short is not counted."""
    shown = played(answers)
    assert shown.endswith("|      END OF OUTPUT      |\n---------------------------\n")
    assert "\n" + "*" * 65 + "\nA total of 0 hands were played\nDealer won 0 hands\n" in shown


def test_a_tie_is_a_hand_that_nobody_won() -> None:
    """Hands are more than the wins together."""
    shown = played(["6", *("y", "s", "s") * 60, "n"])
    ties = shown.count("Tie - no one wins")
    (hands,) = [line.split()[3] for line in shown.splitlines() if line.startswith("A total of")]
    won = [int(line.split()[2]) for line in shown.splitlines() if " won " in line]
    assert ties > 0
    assert len(won) == 2
    assert int(hands) == sum(won) + ties


def test_two_naturals_are_a_tie() -> None:
    """The document has no words for it; it counts as a hand."""
    state = Sitting(BOTH_NATURAL, 1).next_round()
    assert state.outcomes == [Outcome.BOTH_NATURAL]
    shown = played(["1", "y", "n"], BOTH_NATURAL)
    assert "**** Player and Dealer have BlackJack - Tie ****\n" in shown
    assert "A total of 1 hands were played\nDealer won 0 hands\nPlayer won 0 hands\n" in shown
    assert "Hit or Stand" not in shown


def test_a_21_of_more_than_two_cards_is_asked_about() -> None:
    """Only a natural ends the turn by itself."""
    sitting = Sitting(THREE_CARDS_21, 1)
    state = sitting.next_round()
    sitting.act(state, Action.HIT)
    assert state.hands[0].hand.total == 21
    shown = played(["1", "y", "h", "s", "n"], THREE_CARDS_21)
    assert shown.count("Hit or Stand: ") == 2


def test_the_text_can_be_read_as_it_stands() -> None:
    """Another order of dealing, no shuffle of each deck, cards sent where numbers say."""
    state = Sitting(1, 20, TEXT).next_round()
    assert state.rules.dealing == "seats-first"
    (played,) = state.hands
    assert played.hand.cards == (state.cards[0], state.cards[2])
    assert state.upcard == state.cards[1]
    assert state.cards != Sitting(1, 20).next_round().cards
