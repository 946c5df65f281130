"""Every recorded case of the CSC 24400 program, through the real command line.

The header and the footer carry the program's own words, so they are left out.
"""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.programs.csc24400 import Sitting

CASES = sorted((Path(__file__).parent / "csc24400").glob("*.cmd"))
PLAYED = [case for case in CASES if not case.stem.startswith("usage")]
USAGE = b"Usage: Blackjack [-s <number>]\n"
HEADER = "Blackjack\nCSC 24400 Project 4\n-----\n"
FOOTER = "\n{0}\n|      END OF OUTPUT      |\n{0}\n".format("-" * 27)
PROMPT = "Do you wish to play a hand of blackjack? "

OUTCOMES = {
    "Player busted": "player-bust",
    "Dealer busted": "dealer-bust",
    "Dealer has winning hand": "dealer-wins",
    "Player has winning hand": "player-wins",
    "Player has BlackJack": "player-blackjack",
    "Dealer has BlackJack": "dealer-blackjack",
    "Tie - no one wins": "push",
}


@dataclass(frozen=True)
class Seen:
    """A hand as the screen showed it last."""

    dealer: str
    player: str
    dealer_sum: int
    player_sum: int
    outcome: str


def run(case: Path) -> subprocess.CompletedProcess[bytes]:
    """Run the program with the arguments and the input of the original."""
    return subprocess.run(
        [
            *(sys.executable, "-m", "tourney", "play", "csc24400"),
            *case.read_text(encoding="utf-8").split()[1:],
        ],
        input=case.with_suffix(".in").read_bytes(),
        capture_output=True,
        timeout=60,
        check=False,
    )


def body(case: Path) -> str:
    """Give the output of a case without its header and its footer, which must be there."""
    done = run(case)
    assert (done.stderr, done.returncode) == (b"", 0)
    text = done.stdout.decode("ascii")
    assert text.startswith(HEADER)
    assert text.endswith(FOOTER)
    return text.removeprefix(HEADER).removesuffix(FOOTER)


def normal(text: str) -> str:
    """Drop blank lines, collapse spaces, and collapse lines of `=` or `*` to one of them."""
    text = re.sub(r"([=*])\1{64}", r"\n\1\n", text)
    lines = [" ".join(line.split()) for line in text.splitlines()]
    text = "".join(f"{line}\n" for line in lines if line)
    return re.sub(r"^([=*]\n)\1+", r"\1", text, flags=re.MULTILINE)


def hands_in(text: str) -> list[Seen]:
    """Read the hands from the screen."""
    return [seen(hand) for hand in text.split(PROMPT)[1:] if "Dealer Hand:" in hand]


def seen(hand: str) -> Seen:
    """Read what was shown last."""
    shown = re.findall(r"(Dealer|Player) Hand:      sum: (\d+)\n([^\n]+)\n", hand)
    (_, dealer_sum, dealer), (_, player_sum, player) = shown[-2:]
    (outcome,) = [outcome for words, outcome in OUTCOMES.items() if words in hand]
    cards = (" ".join(dealer.split()), " ".join(player.split()))
    return Seen(*cards, int(dealer_sum), int(player_sum), outcome)


def recorded(case: Path) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """Give the recorded hands and their statistics."""
    lines = case.with_suffix(".hands.jsonl").read_text(encoding="utf-8").splitlines()
    *hands, last = map(json.loads, lines)
    return hands, last


@pytest.mark.parametrize("case", PLAYED, ids=lambda path: path.stem)
def test_the_program_prints_what_was_recorded(case: Path) -> None:
    """Byte for byte, and so in the form in which cases are compared as well."""
    printed = body(case)
    assert printed == case.with_suffix(".out").read_text(encoding="ascii")
    assert normal(printed) == case.with_suffix(".norm").read_text(encoding="ascii")


@pytest.mark.parametrize(
    "case", [case for case in CASES if case not in PLAYED], ids=lambda path: path.stem
)
def test_wrong_arguments_get_the_header_and_the_usage_message(case: Path) -> None:
    """On standard output: the header is the document's first step, and arguments its second."""
    done = run(case)
    usage = done.stdout.removeprefix(HEADER.encode())
    assert usage != done.stdout
    assert usage == case.with_suffix(".out").read_bytes() == USAGE
    assert (done.stderr, done.returncode) == (b"", 1)


@pytest.mark.parametrize("case", PLAYED, ids=lambda path: path.stem)
def test_the_screen_shows_the_recorded_hands(case: Path) -> None:
    """Cards, sums and outcomes, whatever the words; and the statistics count them."""
    printed = body(case)
    hands, last = recorded(case)
    assert hands_in(printed) == [
        Seen(**{name: hand[name] for name in Seen.__dataclass_fields__}) for hand in hands
    ]
    assert printed.splitlines()[-3:] == [
        f"A total of {last['hands']} hands were played",
        f"Dealer won {last['dealer_won']} hands",
        f"Player won {last['player_won']} hands",
    ]


@pytest.mark.parametrize(
    ("name", "rng_seed", "decks"),
    [
        ("doc_seed1_20decks", 1, 20),
        ("seed42_6decks_80hands_17", 42, 6),
        ("seed5_1decks_10hands_bust", 5, 1),
    ],
)
def test_the_library_shuffles_where_the_original_did(name: str, rng_seed: int, decks: int) -> None:
    """The same hands, dealt without a screen."""
    hands, _ = recorded(CASES[0].with_name(f"{name}.cmd"))
    sitting = Sitting(rng_seed, decks)
    for hand in hands:
        before = sitting.shuffles
        state = sitting.next_round()
        assert (sitting.shuffles > before) is hand["reshuffled"], hand
        for _ in hand["player"].split()[2:]:
            sitting.act(state, Action.HIT)
        if not state.is_over:
            sitting.act(state, Action.STAND)
        assert state.dealer is not None
        assert state.dealer.total == hand["dealer_sum"]
        assert state.hands[0].hand.total == hand["player_sum"]


def test_all_recorded_cases_are_here() -> None:
    """An empty folder would pass the tests above."""
    assert (len(CASES), len(PLAYED)) == (8, 5)
