"""The idea of each competitor in Straights, in a case one can follow by hand."""

from itertools import pairwise
from random import Random

import pytest

from tourney import Card, StraightsPlayer, StraightsView
from tourney.game.cards.card import CARDS, short_name
from tourney.games.straights.records import FaceDown, Played, PublicEvent
from tourney.games.straights.round import Round
from tourney.games.straights.suits import (
    BEFORE,
    BEHIND,
    BY_SHORT_NAME,
    EMPTY_TABLE,
    Pile,
    points_of,
    with_card,
)
from tourney.strategies.blocker import Blocker
from tourney.strategies.bookkeeper import Bookkeeper, playable_codes
from tourney.strategies.first_legal import FirstLegal
from tourney.strategies.gatekeeper import Gatekeeper
from tourney.strategies.pathfinder import Pathfinder
from tourney.strategies.salvager import Salvager
from tourney.strategies.surveyor import Surveyor
from tourney.strategies.thrifty import Thrifty

COMPETITORS = (
    FirstLegal,
    Thrifty,
    Gatekeeper,
    Blocker,
    Pathfinder,
    Salvager,
    Surveyor,
    Bookkeeper,
)  # fmt: skip - a list of names
AT_FOUR = (0, 0, 0, 0)


def cards(names: str) -> tuple[Card, ...]:
    """Make cards of a text such as `7S TH`."""
    return tuple(BY_SHORT_NAME[name] for name in names.split())


def view(hand: str, played: str, discards: str = "", history: str = "") -> StraightsView:
    """Show a hand and a table to the first seat.

    Args:
        hand: The cards left.
        played: The cards on the table, in an order in which they can be played.
        discards: The seat's own.
        history: Moves of the seats in turn, from the second: a card, or `--` face down.
    """
    table = list(EMPTY_TABLE)
    for card in cards(played):
        table[card.suit] = with_card(table[card.suit], points_of(card))
    ends = {card for pile in table for card in (pile.below, pile.above)}
    ends |= {BY_SHORT_NAME[f"7{letter}"] for letter in "SHCD"} - set(cards(played))
    events: list[PublicEvent] = []
    for turn, word in enumerate(history.split(), start=1):
        seat = turn % 4
        events.append(FaceDown(seat) if word == "--" else Played(seat, BY_SHORT_NAME[word]))
    held = cards(hand)
    face_down = [sum(e.card is None and e.seat == seat for e in events) for seat in range(4)]
    return StraightsView(
        seat=0,
        hand=held,
        legal_plays=tuple(card for card in held if card in ends),
        table=tuple(table),
        hand_sizes=(len(held),) * 4,
        discard_counts=(len(cards(discards)), *face_down[1:]),
        discards=cards(discards),
        scores=AT_FOUR,
        history=tuple(events),
    )


def choice(kind: type[StraightsPlayer], seen: StraightsView) -> str:
    """Name the card that a new player chooses."""
    return short_name(kind().play(seen))


def test_first_legal_takes_the_first() -> None:
    """In the order of the hand, whatever the card is worth."""
    assert choice(FirstLegal, view("KC 8S 6S", "7S")) == "8S"
    assert choice(FirstLegal, view("KC 2C AH", "7S")) == "KC"


def test_thrifty_plays_the_dearest_and_discards_the_cheapest() -> None:
    """Eight before six; the ace goes first."""
    assert choice(Thrifty, view("6S 8S KC", "7S")) == "8S"
    assert choice(Thrifty, view("KC 2C AH", "7S")) == "AH"


def test_gatekeeper_keeps_its_sevens() -> None:
    """It plays the six although the seven is dearer, and the seven if it must."""
    seen = view("7H 6S KC", "7S")
    assert (choice(Gatekeeper, seen), choice(Thrifty, seen)) == ("6S", "7H")
    assert choice(Gatekeeper, view("7H KC", "7S")) == "7H"


def test_blocker_opens_least_for_the_others() -> None:
    """The queen lets one king out, the eight of spades six cards."""
    seen = view("8S QC", "7S 7C 8C 9C TC JC")
    assert choice(Blocker, seen) == "QC"
    assert choice(Blocker, view("6S QC 5S 4S 3S 2S AS", "7S 7C 8C 9C TC JC")) == "6S"


def test_pathfinder_opens_the_way_for_its_own() -> None:
    """Its king and queen wait for the eight of spades, nothing of its own for that of hearts."""
    seen = view("8H 8S QS KS", "7S 7H")
    assert choice(Pathfinder, seen) == "8S"


def test_pathfinder_forgets_what_it_has_lost_itself() -> None:
    """Behind a discarded jack nothing waits any more."""
    seen = view("8S 6H 2H QS KS", "7S 7H", discards="JS")
    assert choice(Pathfinder, seen) == "6H"


def test_salvager_pays_first_what_is_lost_already() -> None:
    """Its king can never be played after its queen was discarded."""
    seen = view("KS 2H", "7S 7H", discards="QS")
    assert (choice(Salvager, seen), choice(Thrifty, seen)) == ("KS", "2H")


def test_salvager_keeps_what_will_soon_be_played() -> None:
    """The five of spades waits for one card; the king of diamonds for six, and so costs less."""
    seen = view("KD 5S", "7S")
    assert (choice(Salvager, seen), choice(Thrifty, seen)) == ("KD", "5S")


def test_salvager_counts_what_waits_for_a_discard() -> None:
    """The nine of hearts is cheaper than the ten of spades, but two court cards wait for it."""
    seen = view("TS 9H JH QH", "7S 7H")
    assert choice(Salvager, seen) == "TS"


def test_surveyor_weighs_both_sides() -> None:
    """Own points draw it to a card; between cards without any it opens the lesser line."""
    assert choice(Surveyor, view("8H 8S QS KS", "7S 7H")) == "8S"
    assert choice(Surveyor, view("8H QC 2D", "7S 7H 7C 8C 9C TC JC")) == "QC"


def test_surveyor_begins_a_suit_rather_than_wait() -> None:
    """With the six of its own behind it, a seven is worth playing."""
    assert choice(Surveyor, view("7H 6H QC", "7S 7C 8C 9C TC JC")) == "7H"


def test_bookkeeper_follows_who_can_hold_what() -> None:
    """Whoever discards has none of the cards that could be played."""
    seen = view("KH 2C", "7S 8S", history="7S -- 8S --")
    playable, lacking = playable_codes(seen)
    assert {short_name(CARDS[code]) for code in playable} == {"6S", "9S", "7H", "7C", "7D"}
    assert {short_name(CARDS[code]) for code in lacking[2]} == {"6S", "8S", "7H", "7C", "7D"}
    assert {short_name(CARDS[code]) for code in lacking[0]} == {"6S", "9S", "7H", "7C", "7D"}
    assert lacking[1] == lacking[3] == set()


def test_bookkeeper_knows_a_card_that_nobody_holds() -> None:
    """All the others discarded although the nine of spades could be played: it lies face down.

    So the queen of spades is lost, and is what to discard; Surveyor still hopes.
    """
    seen = view("QS 2H", "7S 8S 7H 6H 8H", history="7S 8S 7H 6H 8H -- -- --  -- -- -- --")
    assert choice(Bookkeeper, seen) == "QS"
    assert choice(Surveyor, seen) == "2H"


@pytest.mark.parametrize("kind", COMPETITORS)
def test_every_competitor_answers_with_what_it_may(kind: type[StraightsPlayer]) -> None:
    """Ten rounds among themselves, without a complaint of the round."""
    luck = Random(11)
    deck = list(CARDS)
    players = [kind(), FirstLegal(), kind(), Thrifty()]
    for _ in range(10):
        luck.shuffle(deck)
        state = Round([deck[start : start + 13] for start in range(0, 52, 13)])
        while state.to_act is not None:
            state.apply_action(players[state.to_act].play(state.observation(state.to_act)))
        assert state.is_over


def mean_points(kind: type[StraightsPlayer], deals: int) -> float:
    """Give the mean points a round against three of the document's computers."""
    luck = Random(2024)
    deck = list(CARDS)
    points = 0
    for _ in range(deals):
        luck.shuffle(deck)
        hands = [deck[start : start + 13] for start in range(0, 52, 13)]
        for seat in range(4):
            players: list[StraightsPlayer] = [FirstLegal() for _ in range(4)]
            players[seat] = kind()
            state = Round(hands)
            while state.to_act is not None:
                state.apply_action(players[state.to_act].play(state.observation(state.to_act)))
            points += state.results()[seat]
    return points / deals / 4


def test_better_ideas_cost_fewer_points() -> None:
    """On the same deals, in all four seats, by steps far larger than chance."""
    means = [mean_points(kind, 150) for kind in (FirstLegal, Thrifty, Salvager, Surveyor)]
    assert all(worse - better > 0.5 for worse, better in pairwise(means)), means


def test_lines_of_a_suit_are_told_from_its_seven() -> None:
    """What waits for a card, and what a card waits for."""
    by_name = {name: card.code for name, card in BY_SHORT_NAME.items()}

    def line(lines: tuple[Card, ...]) -> str:
        return " ".join(map(short_name, lines))

    assert list(map(line, BEHIND[by_name["7H"]])) == ["6H 5H 4H 3H 2H AH", "8H 9H TH JH QH KH"]
    assert list(map(line, BEHIND[by_name["QC"]])) == ["KC"]
    assert BEHIND[by_name["AD"]] == ()
    assert line(BEFORE[by_name["TS"]]) == "9S 8S 7S"
    assert line(BEFORE[by_name["5S"]]) == "6S 7S"
    assert BEFORE[by_name["7S"]] == ()


def test_what_is_discarded_takes_its_line_along() -> None:
    """A jack takes queen and king."""
    lost = view("2H", "7S", discards="JS 2C").lost_codes()
    assert {short_name(CARDS[code]) for code in lost} == {"JS", "QS", "KS", "2C", "AC"}
    assert Pile(CARDS[0].suit, 7, 7) in view("2H", "7S").table
