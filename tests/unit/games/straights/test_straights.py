"""The original Straights without a terminal: what it says to whom."""

from collections.abc import Iterator

import pytest

from tourney.games.straights.program import play_straights

SEED = 6788  # the document's example: Player4 begins, Player1 cannot play
TABLE = "Cards on the table:\n"


def said(*lines: str, rng_seed: int = SEED) -> str:
    """Play with the lines that are typed; give all that is written."""
    typed: Iterator[str] = iter(lines)
    written: list[str] = []
    play_straights(rng_seed, lambda: next(typed, None), written.append)
    return "".join(written)


def first_turn(*lines: str) -> str:
    """Give what Player1, the only human, is told after its first prompt."""
    return said("h", "c", "c", "c", *lines).split("Legal plays:\n>", 1)[1]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("play 4H", "This is not a legal play.\n"),
        ("play 7S", "Expected a card of your hand, got 7S.\n"),
        ("discard 7S", "Expected a card of your hand, got 7S.\n"),
        ("play 10H", "Expected a card such as 7S or TH, got '10H'.\n"),
        ("discard", "Expected a card after discard, such as: discard 7S\n"),
        ("", ""),
        ("   ", ""),
        (
            "deal",
            "Expected play and a card, discard and a card, deck, quit or ragequit, got 'deal'.\n",
        ),
        (
            "QUIT now",
            "Expected play and a card, discard and a card, deck, quit or ragequit, "
            "got 'QUIT now'.\n",
        ),
    ],
)
def test_what_cannot_be_done_is_answered_and_asked_again(line: str, answer: str) -> None:
    """One line for every mistake, and the prompt again."""
    assert first_turn(line) == f"{answer}>"


def test_who_has_a_legal_play_may_not_discard() -> None:
    """Whatever the card is, in the words of the document."""
    turns = first_turn("discard AS", "discard 4H", "discard KD", "play 6C")
    _, second = turns.split("Legal plays: 6C\n>", 1)
    refusal = "You have a legal play. You may not discard.\n>"
    assert second.startswith(f"{refusal}{refusal}Player1 plays 6C.\n")


def test_cards_may_be_typed_in_small_letters() -> None:
    """And with spaces around them."""
    assert first_turn("  discard   as ").startswith("Player1 discards AS.\n")


def test_quit_ends_at_once() -> None:
    """Nothing is said after it."""
    assert first_turn("quit", "deck") == ""


def test_a_human_that_ragequits_is_a_computer_from_then_on() -> None:
    """It moves at once, by the computer's rule, and is not asked again."""
    rest = first_turn("ragequit")
    assert rest.startswith(
        "Player1 ragequits. A computer will now take over.\nPlayer1 discards 4H.\n"
    )
    assert TABLE not in rest
    assert rest.endswith("wins!\n")


def test_only_h_and_c_invite_a_player() -> None:
    """Other answers are explained, and the question is asked again."""
    question = "Is Player1 a human (h) or a computer (c)?\n>"
    assert said("x", "human", "") == (
        f"{question}Expected h or c, got 'x'.\n{question}Expected h or c, got 'human'.\n"
        f"{question}Expected h or c, got ''.\n{question}"
    )
    assert said("H", "C", "c", "c").count(TABLE) == 1


def test_the_end_of_the_input_ends_the_game_anywhere() -> None:
    """While inviting and in a round."""
    assert said() == "Is Player1 a human (h) or a computer (c)?\n>"
    assert said("c", "h").endswith("Is Player3 a human (h) or a computer (c)?\n>")
    assert first_turn() == ""


def test_long_answers_are_cut_short() -> None:
    """A screen is not flooded with what was pasted by mistake."""
    assert first_turn("play " + "X" * 5000) == (
        f"Expected a card such as 7S or TH, got '{'X' * 40}'.\n>"
    )


def test_everybody_with_the_fewest_points_wins() -> None:
    """The document's rule for ties."""
    assert said("c", "c", "c", "c", rng_seed=25).endswith("Player1 wins!\nPlayer3 wins!\n")
