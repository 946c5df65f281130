"""The tests that a perfect student would hand in: together they catch every mutant.

Their names begin with what they test. They run as they are, under pytest or `tourney mutants`.
"""

from itertools import combinations_with_replacement

from tourney import Card, Deck, DeckEmpty, Hand, Rank, Suit
from tourney.strategies.counting import Counting
from tourney.strategies.simple import Simple

NEW = [Card(rank, suit) for suit in Suit for rank in Rank]
BANKROLL, MINIMUM = 1000, 5


def dealt(deck: Deck, number: int = 52) -> list[Card]:
    """Deal some cards."""
    return [deck.deal() for _ in range(number)]


def shuffled(cards: list[Card], cut: int) -> list[Card]:
    """Riffle by the words of the document."""
    left, right, both = cards[:cut], cards[cut:], []
    while left or right:
        both += right[:1] + left[:1] if left and right else left[:1] or right[:1]
        left, right = left[1:], right[1:]
    return both


def hand(*ranks: Rank) -> Hand:
    """Make a hand card by card."""
    made = Hand()
    for rank in ranks:
        made.add_card(Card(rank, Suit.HEARTS))
    return made


def is_empty(deck: Deck) -> bool:
    """Say whether a deck refuses to deal."""
    try:
        deck.deal()
    except DeckEmpty:
        return True
    return False


def test_deck_is_new() -> None:
    """Spades, hearts, clubs, diamonds, each from the two to the ace."""
    assert dealt(Deck()) == NEW


def test_deck_is_empty_after_its_last_card() -> None:
    """And stays so."""
    deck = Deck()
    dealt(deck)
    assert is_empty(deck)
    assert is_empty(deck)


def test_deck_counts_its_cards() -> None:
    """From 52 to none."""
    deck = Deck()
    for left in range(52, 0, -1):
        assert deck.cards_left == left
        deck.deal()
    assert deck.cards_left == 0


def test_deck_is_reset() -> None:
    """To the order of a new one, with all its cards."""
    deck = Deck()
    deck.shuffle(20)
    dealt(deck, 7)
    deck.reset()
    assert deck.cards_left == 52
    assert dealt(deck) == NEW


def test_deck_is_cut_and_riffled() -> None:
    """With any cut, and all cards again."""
    for cut in range(53):
        deck = Deck()
        dealt(deck, 5)
        deck.shuffle(cut)
        assert deck.cards_left == 52
        assert dealt(deck) == shuffled(NEW, cut)


def test_deck_is_shuffled_twice() -> None:
    """The second riffle starts from the order of the first."""
    deck = Deck()
    deck.shuffle(26)
    deck.shuffle(30)
    assert dealt(deck) == shuffled(shuffled(NEW, 26), 30)


def test_hand_totals_as_much_as_it_may() -> None:
    """All hands of up to three ranks, in both orders, and some long ones."""
    hands = [ranks for size in range(4) for ranks in combinations_with_replacement(Rank, size)]
    for ranks in (*hands, (Rank.TWO,) * 7, (Rank.ACE,) * 9):
        for order in (ranks, ranks[::-1]):
            lowest = sum(min(rank, 10) if rank is not Rank.ACE else 1 for rank in order)
            soft = Rank.ACE in order and lowest <= 11
            made = hand(*order)
            if lowest <= 21:
                assert (made.total, made.soft) == (lowest + 10 * soft, soft)
            else:
                assert made.total > 21


def test_hand_discards_all() -> None:
    """Nothing is left of a soft hand."""
    made = hand(Rank.ACE, Rank.SIX)
    made.discard_all()
    assert (made.total, made.soft) == (0, False)
    made.add_card(Card(Rank.NINE, Suit.CLUBS))
    assert (made.total, made.soft) == (9, False)


def expected(upcard: Rank, made: Hand) -> bool:
    """Answer by the words of the document."""
    shows = 11 if upcard is Rank.ACE else min(upcard, 10)
    if made.soft:
        return made.total <= 17 or (made.total == 18 and shows not in {2, 7, 8})
    if made.total == 12:
        return shows not in {4, 5, 6}
    return made.total <= 11 or (made.total <= 16 and shows > 6)


def plays_by_the_chart(player: Simple) -> bool:
    """Ask about every hand of two cards, and of two and an ace."""
    pairs = list(combinations_with_replacement(Rank, 2))
    hands = [hand(*ranks, *more) for ranks in pairs for more in ((), (Rank.ACE,))]
    asked = {(made.total, made.soft, len(made.cards)): made for made in hands if made.total <= 21}
    return all(
        player.draw(Card(upcard, Suit.CLUBS), made) == expected(upcard, made)
        for upcard in Rank
        for made in asked.values()
    )


def test_simple_bets_the_minimum() -> None:
    """Whatever it has."""
    for minimum in (1, 5, 10):
        assert Simple().bet(BANKROLL, minimum) == minimum


def test_simple_plays_by_the_chart() -> None:
    """Every hand against every upcard."""
    assert plays_by_the_chart(Simple())


def wager(player: Counting, *ranks: Rank, bankroll: int = BANKROLL) -> int:
    """Show cards, and ask for a wager."""
    for rank in ranks:
        player.expose(Card(rank, Suit.CLUBS))
    return player.bet(bankroll, MINIMUM)


def test_counting_adds_a_point_for_low_cards() -> None:
    """Two of them are enough."""
    for rank in (Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE, Rank.SIX):
        assert wager(Counting(), rank) == MINIMUM
        assert wager(Counting(), rank, rank) == 2 * MINIMUM
        assert wager(Counting(), rank, rank, rank) == 2 * MINIMUM


def test_counting_takes_a_point_for_high_cards() -> None:
    """Also where it is below zero."""
    for rank in (Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE):
        assert wager(Counting(), Rank.FIVE, Rank.FIVE, rank) == MINIMUM
        assert wager(Counting(), rank, Rank.FIVE, Rank.FIVE) == MINIMUM
        assert wager(Counting(), rank, Rank.FIVE, Rank.FIVE, Rank.FIVE) == 2 * MINIMUM
        assert wager(Counting(), rank, rank) == MINIMUM


def test_counting_ignores_middle_cards() -> None:
    """Seven, eight and nine."""
    for rank in (Rank.SEVEN, Rank.EIGHT, Rank.NINE):
        assert wager(Counting(), rank, rank) == MINIMUM
        assert wager(Counting(), Rank.FIVE, Rank.FIVE, rank) == 2 * MINIMUM


def test_counting_doubles_only_if_it_can() -> None:
    """The double is enough, a chip less is not."""
    low = (Rank.FIVE,) * 3
    assert wager(Counting(), *low, bankroll=2 * MINIMUM) == 2 * MINIMUM
    assert wager(Counting(), *low, bankroll=2 * MINIMUM - 1) == MINIMUM


def test_counting_never_wagers_more_than_double() -> None:
    """However high the count."""
    assert wager(Counting(), *[Rank.FIVE] * 4, *[Rank.SIX] * 4) == 2 * MINIMUM


def test_counting_remembers_between_rounds() -> None:
    """And changes its mind when the count falls."""
    player = Counting()
    assert wager(player, Rank.FIVE, Rank.FIVE) == 2 * MINIMUM
    assert wager(player) == 2 * MINIMUM
    assert wager(player, Rank.KING) == MINIMUM


def test_counting_forgets_at_a_shuffle() -> None:
    """What was high, and what was low."""
    for rank, double in ((Rank.FIVE, MINIMUM), (Rank.KING, MINIMUM)):
        player = Counting()
        wager(player, rank, rank, rank)
        player.shuffled()
        assert wager(player) == double
        assert wager(player, Rank.TWO, Rank.THREE) == 2 * MINIMUM


def test_counting_plays_by_the_chart() -> None:
    """At every count."""
    player = Counting()
    assert plays_by_the_chart(player)
    wager(player, *[Rank.FIVE] * 4)
    assert plays_by_the_chart(player)
