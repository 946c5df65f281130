"""`replay --lost` and `--against`: lost rounds only, or those that two entrants play apart."""

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

CUP = """\
name: Cup
seed: 3
game: {{preset: ve280, shuffle: uniform}}
bankroll: 300
minimum: 5
format: {{kind: {kind}, tables: 3, rounds: 40, block_rounds: {rounds}}}
entrants:
  - {{strategy: mimic, as: Blaise}}
  - {{strategy: never-bust, as: Sofja}}
"""
STRAIGHTS = """\
name: Four
seed: 5
game: straights
format: {kind: duplicate, tables: 2, rounds: 6}
entrants:
  - {strategy: thrifty, as: A}
  - {strategy: thrifty, as: B}
  - {strategy: first-legal, as: C}
  - {strategy: first-legal, as: D}
"""
HAND = re.compile(r"^# Hand (\d+) bankroll (\d+)$", re.MULTILINE)


@pytest.fixture
def played(cli: Cli, write: Write) -> Cli:
    """Play a small cup, in blocks of 15 rounds."""
    write("cup.yaml", CUP.format(kind="duplicate", rounds=15))
    assert cli("run", "cup.yaml", "--workers", "1").status == 0
    return cli


def _net_of(text: str) -> dict[int, int]:
    """Return the result of each round but the last, from the bankrolls of a transcript."""
    hands = [(int(number), int(chips)) for number, chips in HAND.findall(text)]
    return {number: after - before for (number, before), (_, after) in pairwise(hands)}


def _parts(text: str) -> dict[int, str]:
    """Return the text of each round, without its bankroll."""
    # A shuffle is printed before the hand that it is for.
    found = re.split(HAND, text.replace("# Shuffling the deck\n", ""))
    return {int(number): part for number, part in zip(found[1::3], found[3::3], strict=True)}


def test_only_lost_rounds_are_shown_in_order(played: Cli) -> None:
    """Those after which the bankroll is smaller, word for word as in the whole transcript."""
    asked = ("replay", "--entrant", "Sofja", "--table", "2")
    whole = played(*asked)
    lost = played(*asked, "--lost")
    assert (whole.status, lost.status, lost.err) == (0, 0, "")
    wanted = [number for number, net in _net_of(whole.out).items() if net < 0]
    shown = [int(number) for number, _ in HAND.findall(lost.out)]
    assert [number for number in shown if number < 40] == wanted
    assert 0 < len(wanted) < 39
    parts, parts_lost = _parts(whole.out), _parts(lost.out)
    assert all(parts_lost[number] == parts[number] for number in shown[:-1])


def test_lost_rounds_can_be_shown_as_seen_and_in_a_range(played: Cli) -> None:
    """A range without a lost round says so."""
    asked = ("replay", "--entrant", "Sofja", "--table", "2")
    net = _net_of(played(*asked).out)
    wanted = [number for number in range(10, 21) if net[number] < 0]
    ran = played(*asked, "--range", "10-20", "--lost", "--as-seen")
    assert re.findall(r"^Round (\d+)$", ran.out, re.MULTILINE) == list(map(str, wanted))
    won = next(number for number in net if net[number] > 0)
    ran = played(*asked, "--range", f"{won}-{won}", "--lost")
    assert ran.status == 0
    assert "Sofja lost none of these rounds" in ran.err
    assert not HAND.search(ran.out)


def test_a_round_with_points_is_lost(cli: Cli, write: Write) -> None:
    """In Straights points are bad, so a round without points is not lost."""
    write("four.yaml", STRAIGHTS)
    assert cli("run", "four.yaml", "--workers", "1").status == 0
    asked = ("replay", "--entrant", "A", "--table", "1")
    whole, lost = (_points_of(cli(*asked, *more).out, "A") for more in ((), ("--lost",)))
    assert {place: points for place, points in whole.items() if points} == lost
    assert 0 < len(lost) < len(whole)


def _points_of(text: str, name: str) -> dict[tuple[str, str], int]:
    """Return the points of an entrant, by seating and round of a transcript of Straights."""
    found = {}
    for seating in text.split("# Seating ")[1:]:
        player = re.search(rf"(Player\d) {name}\b", seating)
        assert player
        for part in seating.split("# Round ")[1:]:
            points = re.search(rf"{player[1]}'s score: \d+ \+ (\d+) = ", part)
            assert points
            found[seating[0], part.split("\n")[0]] = int(points[1])
    return found


def test_an_entrant_does_not_differ_from_itself(played: Cli) -> None:
    """In no round."""
    ran = played("replay", "--entrant", "Blaise", "--table", "1", "--against", "Blaise")
    assert (ran.status, ran.out) == (0, "0 of 40 rounds differ\n")


def test_two_entrants_are_compared_side_by_side(played: Cli) -> None:
    """All rounds with another result are shown, and none that reads the same for both."""
    asked = ("replay", "--table", "2", "--entrant")
    texts = [played(*asked, name).out for name in ("Blaise", "Sofja")]
    ran = played(*asked, "Blaise", "--against", "Sofja")
    assert (ran.status, ran.err) == (0, "")
    heads = dict(re.findall(r"^Round (\d+): (.+)$", ran.out, re.MULTILINE))
    shown = set(map(int, heads))
    first, second = map(_net_of, texts)
    assert {number for number in first if first[number] != second[number]} <= shown
    one, other = map(_parts, texts)
    assert all(one[number] != other[number] for number in shown)
    assert heads[str(min(shown))] == "different decisions with the same cards"
    assert set(heads.values()) <= {
        "different decisions with the same cards",
        "different cards",
        "different results",
    }
    assert max(map(len, ran.lines[:-1])) <= 80
    assert re.search(rf"^{len(shown)} of 40 rounds differ, ", ran.lines[-1])


def test_a_decision_is_shown_beside_the_other_one(played: Cli) -> None:
    """In a round with the same cards, one stands where the other hits."""
    asked = ("replay", "--table", "2", "--entrant", "Blaise", "--against", "Sofja")
    heads = re.findall(r"^Round (\d+): (.+)$", played(*asked).out, re.MULTILINE)
    number = next(number for number, words in heads if words.startswith("different decisions"))
    ran = played(*asked, "--range", f"{number}-{number}")
    left, right = zip(*(row_of(line) for line in ran.lines[1:-2]), strict=True)
    words = [" ".join(" ".join(each).split()) for each in (left, right)]
    assert words[0].startswith("Blaise")
    assert words[1].startswith("Sofja")
    moves = [re.findall(r"-> (hit|stand)", each) for each in words]
    differing = next(pair for pair in zip(*moves, strict=False) if pair[0] != pair[1])
    assert differing == ("hit", "stand")


def row_of(line: str) -> tuple[str, str]:
    """Split a line into its two columns, which are two spaces apart."""
    cells = re.split(r"\s{2,}", line.strip(), maxsplit=1)
    if len(cells) == 2:
        return cells[0], cells[1]
    return (line.strip(), "") if not line.startswith(" ") else ("", line.strip())


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--against", "Sofja", "--lost"), "leave out --lost and --as-seen"),
        (("--against", "Sofja", "--as-seen"), "leave out --lost and --as-seen"),
        (("--against", "Sofya"), "'Sofya' is not an entrant; choose Blaise or Sofja"),
    ],
)
def test_a_comparison_that_is_not_possible_is_rejected(
    played: Cli, more: tuple[str, ...], words: str
) -> None:
    """With the reason, and a fix."""
    ran = played("replay", "--entrant", "Blaise", "--table", "1", *more)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err


def test_entrants_with_different_cards_are_not_compared(cli: Cli, write: Write) -> None:
    """Each has its own shoes in this format."""
    write("own.yaml", CUP.format(kind="independent", rounds=40))
    assert cli("run", "own.yaml", "--workers", "1").status == 0
    ran = cli("replay", "--entrant", "Blaise", "--table", "1", "--against", "Sofja")
    assert (ran.status, ran.out) == (2, "")
    assert "Blaise and Sofja had different cards at this table. Choose entrants of a" in ran.err
