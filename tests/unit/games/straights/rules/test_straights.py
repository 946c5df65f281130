"""The rules of Straights, clause by clause: docs/rules/straights.md.

Clauses 14 and 15, on the original program, are proved by the goldens and by
tests/unit/games/straights/test_straights.py; clause 11 by whoever plays whole games.
"""

from random import Random
from typing import Any

import pytest

from tourney import Card, Rank, StraightsView, Suit
from tourney.errors import CardsError, IllegalActionError
from tourney.game.cards.card import CARDS, short_name
from tourney.games.straights.program import play_straights
from tourney.games.straights.records import Discarded, FaceDown, Played
from tourney.games.straights.round import Round
from tourney.games.straights.rules import PRESETS, StraightsRules
from tourney.games.straights.suits import BY_SHORT_NAME, NEW_DECK, points_of
from tourney.strategies.first_legal import FirstLegal

SPADES, REST = (
    "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS",
    [
        "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH",
        "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC",
        "AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD",
    ],
)


def cards(names: str) -> list[Card]:
    """Make cards of a text such as `7S TH`."""
    return [BY_SHORT_NAME[name] for name in names.split()]


def suited() -> Round:
    """Deal a suit to each seat: the first has all spades."""
    return Round([cards(names) for names in (SPADES, *REST)])


def shuffled(rng_seed: int) -> Round:
    """Deal a shuffled deck."""
    deck = list(CARDS)
    Random(rng_seed).shuffle(deck)
    return Round([deck[start : start + 13] for start in range(0, 52, 13)])


def act(state: Round, names: str) -> None:
    """Let the seats play or discard cards in turn."""
    for card in cards(names):
        state.apply_action(card)


def offered(state: Round) -> str:
    """Name the cards that may be chosen."""
    return " ".join(map(short_name, state.legal_actions()))


def finished(state: Round) -> Round:
    """Play a round to its end, always the first choice."""
    while not state.is_over:
        state.apply_action(state.legal_actions()[0])
    return state


def test_rule_1_a_deal_is_one_whole_deck_for_four() -> None:
    """Thirteen each, held as dealt."""
    state = suited()
    assert [len(state.observation(seat).hand) for seat in range(4)] == [13] * 4
    assert state.observation(0).hand == tuple(cards(SPADES))
    assert StraightsRules.seats == range(4, 5)


@pytest.mark.parametrize(
    ("hands", "got"),
    [
        ([SPADES, *REST[:2], REST[1]], r"hands of .* with 39 different cards"),
        ([SPADES, *REST[:2]], r"hands of \[13, 13, 13\]"),
        ([f"{SPADES} AH", REST[0][3:], *REST[1:]], r"hands of \[14, 12, 13, 13\]"),
    ],
    ids=["a suit twice", "three hands", "unequal hands"],
)
def test_rule_1_any_other_deal_is_refused(hands: list[str], got: str) -> None:
    """A deal that cannot be is a mistake of the caller."""
    with pytest.raises(CardsError, match=rf"{got}.* are not one whole deck; deal 4 hands of 13"):
        Round([cards(names) for names in hands])


def test_rule_1_every_seat_has_a_score() -> None:
    """Four of them, whatever they are."""
    with pytest.raises(CardsError, match="scores has 2 entries, and the round has 4 seats"):
        Round([cards(names) for names in (SPADES, *REST)], (0, 0))


def test_rule_2_the_king_is_no_neighbour_of_the_ace() -> None:
    """With seven to king of spades on the table, the ace must still be discarded."""
    hands = ["7S 8S 9S TS JS QS KS AS 2S 3S 4S 5S AH", f"6S {REST[0][3:]}", *REST[1:]]
    state = Round([cards(names) for names in hands])
    for turn in range(7 * 4):
        # The last choice: seat 1 goes up in hearts and keeps the six of spades.
        state.apply_action(state.legal_actions()[0 if turn % 4 == 0 else -1])
    pile = state.observation(0).table[Suit.SPADES]
    assert (pile.low, pile.high, pile.above) == (7, 13, None)
    assert state.is_discard
    assert offered(state) == "AS 2S 3S 4S 5S AH"


def test_rule_3_turns_go_round_and_round() -> None:
    """Fifty-two turns, thirteen each, starting anywhere."""
    state = shuffled(1)
    first, turns = state.to_act, []
    while state.to_act is not None:
        turns.append(state.to_act)
        state.apply_action(state.legal_actions()[0])
    assert first is not None
    assert turns == [(first + turn) % 4 for turn in range(52)]
    assert state.is_over


@pytest.mark.parametrize("seat", range(4))
def test_rule_4_the_seven_of_spades_begins(seat: int) -> None:
    """Its holder has no other choice, not even another seven."""
    hands = [REST[0], REST[1], REST[2]]
    hands.insert(seat, SPADES)
    state = Round([cards(names) for names in hands])
    assert state.to_act == seat
    assert offered(state) == "7S"
    with pytest.raises(IllegalActionError, match=r"Eight of Spades .*choose a legal play \(7S\)"):
        act(state, "8S")


def test_rule_5_sevens_and_neighbours_may_be_played() -> None:
    """After the seven of spades: its neighbours, and any other seven."""
    state = suited()
    act(state, "7S")
    assert offered(state) == "7H"
    act(state, "7H 7C 7D")
    assert offered(state) == "6S 8S"
    act(state, "8S 8H 8C 8D")
    assert offered(state) == "6S 9S"


def test_rule_6_a_legal_play_must_be_made() -> None:
    """The choice is which, not whether."""
    state = suited()
    act(state, "7S 7H 7C 7D")
    with pytest.raises(
        IllegalActionError, match="King of Spades cannot be played, and you may not discard"
    ):
        act(state, "KS")
    record = state.apply_action(BY_SHORT_NAME["6S"])
    assert record == Played(0, Card(Rank.SIX, Suit.SPADES))


def test_rule_7_who_has_none_discards_any_card() -> None:
    """All cards of the hand are offered, in its order."""
    hands = [SPADES, *REST]
    hands[1] = "AH 2H 3H 4H 5H 6H 8H 9H TH JH QH KH AC"
    hands[2] = "7H 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    state = Round([cards(names) for names in hands])
    act(state, "7S")
    assert state.is_discard
    assert offered(state) == hands[1]
    record = state.apply_action(BY_SHORT_NAME["KH"])
    assert record == Discarded(1, Card(Rank.KING, Suit.HEARTS))
    assert not state.is_discard


def test_rule_8_a_discard_is_hidden_from_the_others() -> None:
    """They see that there was one; its owner sees the card."""
    state = finished(shuffled(5))
    discarded = [record for record in state.records if isinstance(record, Discarded)]
    assert discarded
    for seat in range(4):
        view = state.observation(seat)
        assert view.discards == tuple(each.card for each in discarded if each.seat == seat)
        assert not [event for event in view.history if isinstance(event, Discarded)]
        assert len([e for e in view.history if isinstance(e, FaceDown)]) == len(discarded)
        assert view.discard_counts == tuple(
            len([each for each in discarded if each.seat == other]) for other in range(4)
        )


def test_rule_8_a_view_never_changes() -> None:
    """What was shown before a move stays as it was, and cannot be written to."""
    state = suited()
    view = state.observation(0)
    act(state, "7S")
    assert view.history == ()
    assert all(pile.is_empty for pile in view.table)
    assert view.hand == tuple(cards(SPADES))
    with pytest.raises(AttributeError):
        view.hand = ()  # type: ignore[misc]  # on purpose


def test_rule_9_discards_cost_their_ranks() -> None:
    """The document's example: an ace, a six and a king make 20."""
    assert sum(map(points_of, cards("AS 6S KS"))) == 20
    assert [points_of(card) for card in cards(SPADES)] == list(range(1, 14))
    state = finished(shuffled(5))
    for seat, points in enumerate(state.results()):
        assert points == sum(map(points_of, state.discards(seat)))


def test_rule_9_results_come_at_the_end() -> None:
    """Not before, and then nothing can be played any more."""
    state = suited()
    with pytest.raises(IllegalActionError, match="the round is not over"):
        state.results()
    finished(state)
    assert state.results() == (0, 0, 0, 0)
    assert state.legal_actions() == ()
    with pytest.raises(IllegalActionError, match=r"the round is over; .* cannot be played"):
        act(state, "7S")


def test_rule_10_a_player_sees_the_scores_before_the_round() -> None:
    """They do not change while it is played."""
    state = Round([cards(names) for names in (SPADES, *REST)], (10, 0, 79, 3))
    finished(state)
    assert state.observation(2).scores == (10, 0, 79, 3)


def test_rule_11_a_limit_belongs_to_the_rules() -> None:
    """The preset has none: rounds are played as scheduled."""
    assert PRESETS["straights"].limit is None
    assert StraightsRules(limit=80).limit == 80


@pytest.mark.parametrize("answer", [None, "7S", 7, Rank.SEVEN])
def test_rule_12_an_answer_is_a_card(answer: Any) -> None:
    """And the message says where to take one from."""
    with pytest.raises(IllegalActionError, match=r"expected a card, got .*view\.legal_plays"):
        suited().apply_action(answer)


def test_rule_12_an_answer_is_a_card_of_the_hand() -> None:
    """Not one that somebody else holds."""
    with pytest.raises(IllegalActionError, match="Ace of Hearts is not in the hand"):
        act(suited(), "AH")


def test_rule_12_an_equal_card_is_as_good() -> None:
    """A player may make its answer itself."""
    record = suited().apply_action(Card(Rank.SEVEN, Suit.SPADES))
    assert record == Played(0, Card(Rank.SEVEN, Suit.SPADES))


def test_rule_12_the_last_cards_are_asked_for_too() -> None:
    """Thirteen questions for each seat, even where there is no choice."""
    asked = [0] * 4
    state = shuffled(3)
    while state.to_act is not None:
        view: StraightsView = state.observation(state.to_act)
        asked[view.seat] += 1
        state.apply_action(FirstLegal().play(view))
    assert asked == [13] * 4


def test_rule_13_first_legal_takes_the_first_card_it_may() -> None:
    """The first legal play of its hand, else the first card of its hand."""
    state = shuffled(8)
    while state.to_act is not None:
        card = FirstLegal().play(state.observation(state.to_act))
        assert card == state.legal_actions()[0]
        state.apply_action(card)


def test_rule_14_the_new_deck_is_in_the_documents_order() -> None:
    """Clubs from ace to king, diamonds, hearts, spades."""
    names = [short_name(card) for card in NEW_DECK]
    assert names[:2] + names[12:14] + names[-1:] == ["AC", "2C", "KC", "AD", "KS"]
    assert [names[start][1] for start in range(0, 52, 13)] == list("CDHS")


def test_rule_15_what_cannot_be_chosen_is_asked_again() -> None:
    """An unknown command and somebody else's card cost nothing; the end of the input ends it."""
    lines = iter(["h", "c", "c", "c", "pass", "play 7S"])
    written: list[str] = []
    play_straights(6788, lambda: next(lines, None), written.append)
    first, second, third = "".join(written).split("Legal plays:\n>", 1)[1].split("\n>")
    assert first.endswith("got 'pass'.")
    assert second == "Expected a card of your hand, got 7S."
    assert third.strip() == ""


def test_rule_15_a_computer_takes_over_at_once() -> None:
    """It makes the move that the human owed, and asks nothing."""
    lines = iter(["h", "c", "c", "c", "ragequit"])
    written: list[str] = []
    play_straights(6788, lambda: next(lines, None), written.append)
    after = "".join(written).split("Legal plays:\n>", 1)[1]
    assert after.startswith("Player1 ragequits. A computer will now take over.\nPlayer1 discards ")
    assert after.count(">") == 0
