"""The page about randomness: its program deals the shoes of the platform, without it."""

import re
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest

from tourney.game.cards.card import CARDS
from tourney.game.cards.keys import Secret
from tourney.game.cards.shoe import make_shoe

from .console import ROOT, blocks

PAGE = (ROOT / "docs" / "reference" / "randomness.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def program() -> dict[str, Any]:
    """Run the page's program; give what it defines and, as `printed`, what it prints."""
    (source,) = (block["body"] for block in blocks(PAGE) if block["kind"] == "python")
    assert not re.search(r"\btourney\b(?!\.\w+\")", re.sub(r"b\"tourney\.\w+\"", "", source))
    names: dict[str, Any] = {}
    printed = StringIO()
    with redirect_stdout(printed):
        exec(source, names)  # noqa: S102 - the page's program is what is tested
    return {**names, "printed": printed.getvalue()}


def test_the_program_prints_what_the_page_shows(program: dict[str, Any]) -> None:
    """The first four cards of the quickstart."""
    (shown,) = (block["body"] for block in blocks(PAGE) if block["kind"] == "text")
    assert program["printed"] == shown


def test_the_program_knows_the_secret_of_a_seed(program: dict[str, Any]) -> None:
    """Secret and commitment of a rehearsal follow from its seed."""
    secret = Secret.from_seed(280)
    assert program["secret_of_seed"](280) == secret.value
    assert program["commitment"](secret.value, secret.salt) == secret.commitment


def test_the_program_mixes_in_a_public_value(program: dict[str, Any]) -> None:
    """The keys of a run with a public value are those of the mixture; without, of the secret."""
    secret = Secret.draw()
    mixed = replace(secret, public_value="round 7: ü")
    root = program["with_public_value"](secret.value, "round 7: ü")
    assert program["shoe_key"](root, 0, 3, 17, 251) == mixed.shoe_key(0, 3, 17, 251)
    assert mixed.shoe_key(0, 3, 17, 251) != secret.shoe_key(0, 3, 17, 251)
    assert mixed.commitment == secret.commitment


@pytest.mark.parametrize("decks", [1, 2, 6, 20])
@pytest.mark.parametrize("place", [(0, 0, 0, 1), (0, 3, 17, 251)])
def test_the_program_deals_the_same_shoes(
    program: dict[str, Any], decks: int, place: tuple[int, int, int, int]
) -> None:
    """Several shoes in a row, wherever the table stands."""
    secret = Secret.draw()
    key = program["shoe_key"](secret.value, *place)
    assert key == secret.shoe_key(*place)
    shoe = make_shoe(decks, "uniform", key)
    for number in range(3):
        shoe.shuffle()
        assert program["deal"](key, number, decks) == [str(card) for card in shoe.cards]


def test_the_page_says_how_an_infinite_shoe_is_dealt(program: dict[str, Any]) -> None:
    """Groups of four bounds of 52, each index a card of the new deck."""
    key = Secret.draw().shoe_key(0, 0, 0, 1)
    shoe = make_shoe("infinite", "uniform", key)
    shoe.shuffle()
    source = program["halves"](key, 0)
    for _ in range(5):
        for index in program["indices"]((52,) * 4, source):
            assert next(shoe.cards) == CARDS[index]


def test_the_page_says_how_a_riffled_shoe_is_cut(program: dict[str, Any]) -> None:
    """Seven indices below 27, each plus 13."""
    key = Secret.draw().shoe_key(0, 0, 0, 1)
    shoe: Any = make_shoe(1, "riffle", key)
    for number in range(3):
        shoe.shuffle()
        drawn = program["indices"]((27,) * 7, program["halves"](key, number))
        assert shoe.cuts == tuple(13 + index for index in drawn)
