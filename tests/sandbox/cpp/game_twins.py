"""Competitors for the contracts of other games and courses, in C++ and in Python.

Each mixes all that it is shown, and luck of its own, into one number and decides by that: a card
that came otherwise, or not at all, would change what it does ever after.
"""

from tourney import Action, ActPlayer, Card, Hand, Player, StraightsPlayer, StraightsView

WORD = 2**64

MIXES = """\
static unsigned long mixed = 7;
static void mix(long number) { mixed = mixed * 1000003 + number; }
static int chosen(int count) { return (mixed >> 20) % count; }
"""


class Mixes:
    """What the twins have in common: a number of 64 bits."""

    mixed = 7

    def mix(self, *numbers: int) -> None:
        """Mix numbers in."""
        for number in numbers:
            self.mixed = (self.mixed * 1_000_003 + number) % WORD

    def chosen(self, count: int) -> int:
        """Choose among so many."""
        return (self.mixed >> 20) % count


ACTS = f"""\
#include <cstdlib>
#include "act_player.h"
{MIXES}
class Competitor : public ActPlayer {{
    void see(const SeenHand &hand) {{
        mix(hand.handValue().count + 100 * hand.handValue().soft);
        for (Card each : hand.cards()) expose(each);
    }}

 public:
    Action act(const SeenHand &dealer, const SeenHand &player, const std::vector<Action> &legal) {{
        see(dealer);
        see(player);
        for (Action each : legal) mix(each);
        mix(rand());
        return legal[chosen(legal.size())];
    }}
    int bet(unsigned int bankroll, unsigned int minimum) {{
        mix(bankroll);
        unsigned int wager = minimum + chosen(4);
        return wager <= bankroll ? wager : minimum;
    }}
    void expose(Card c) {{ mix(c.spot + 20 * c.suit); }}
    void shuffled() {{ mix(-1); }}
}};
static Competitor competitor;
ActPlayer *get_Competitor() {{ return &competitor; }}
"""


class Acts(ActPlayer, Mixes):
    """Moves by all that it has seen."""

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Choose any legal move."""
        for hand in (dealer, player):
            self.mix(hand.total + 100 * hand.soft)
            for card in hand.cards:
                self.expose(card)
        self.mix(*legal)
        self.mix(self.random.getrandbits(31))
        return legal[self.chosen(len(legal))]

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager a little more than the minimum."""
        self.mix(bankroll)
        wager = minimum + self.chosen(4)
        return wager if wager <= bankroll else minimum

    def expose(self, card: Card) -> None:
        """Mix it in."""
        self.mix(card.rank - 2 + 20 * card.suit)

    def shuffled(self) -> None:
        """Mix it in."""
        self.mix(-1)


QUIET_ACTS = """\
#include "act_player.h"

class Competitor : public ActPlayer {
    Action act(const SeenHand &dealer, const SeenHand &player, const std::vector<Action> &legal) {
        if (legal[0] == DECLINE) return DECLINE;
        bool is_pair = player.cards()[0].spot == player.cards()[1].spot;
        for (Action each : legal) {
            if (each == SPLIT && is_pair && player.cards()[0].spot == EIGHT) return SPLIT;
            if (each == DOUBLE && player.handValue().count == 11) return DOUBLE;
            if (each == SURRENDER && player.handValue().count == 16) return SURRENDER;
        }
        return legal.size() > 1 && player.handValue().count < 17 ? HIT : STAND;
    }
};
static Competitor competitor;
ActPlayer *get_Competitor() { return &competitor; }
"""


class QuietActs(ActPlayer):
    """Moves by its hand alone, and does not watch."""

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Split eights, double 11, give 16 up, and else draw to 17."""
        first, second, *_ = player.cards
        wishes = {
            Action.DECLINE: True,
            Action.SPLIT: first.rank == second.rank == 8,
            Action.DOUBLE: player.total == 11,
            Action.SURRENDER: player.total == 16,
        }
        if wished := [each for each in legal if wishes.get(each)]:
            return min(wished, key=[*wishes].index)
        return Action.HIT if Action.HIT in legal and player.total < 17 else Action.STAND


CSC24400 = f"""\
#include <cstdlib>
#include "csc24400.h"
{MIXES}
class Competitor : public Player {{
 public:
    bool draw(Card dealer, Hand &player) {{
        expose(dealer);
        mix(player.ComputeBJsum());
        mix(player.ComputeBJsumNoHole());
        mix(player.getSize());
        mix(rand());
        Hand other = player;
        other = player;
        other.Append(dealer);
        mix(other.ComputeBJsum() + other.getSize());
        return player.ComputeBJsum() < 12 + chosen(8);
    }}
    void expose(Card c) {{
        mix(c.getValue());
        mix(c.getFace()[0]);
        mix(c.getSuit()[0]);
    }}
    void shuffled() {{ mix(-1); }}
}};
static Competitor competitor;
Player *get_Competitor() {{ return &competitor; }}
"""


class Csc24400(Player, Mixes):
    """Draws by all that it has seen, and wagers the minimum."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager the minimum."""
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Draw to some total."""
        self.expose(dealer)
        self.mix(player.total, Hand(player.cards[:-1]).total, len(player))
        self.mix(self.random.getrandbits(31))
        other = Hand((*player.cards, dealer))
        self.mix(other.total + len(other))
        return player.total < 12 + self.chosen(8)

    def expose(self, card: Card) -> None:
        """Mix it in, as the document writes it."""
        face = str(card.rank)[0] if card.rank > 10 else str(int(card.rank))
        self.mix(card.value, ord(face[0]), ord(str(card.suit)[0]))

    def shuffled(self) -> None:
        """Mix it in."""
        self.mix(-1)


PLAYS = f"""\
#include <cstdlib>
#include "straights_player.h"
{MIXES}
static void see(const std::vector<Card> &cards) {{
    for (const Card &each : cards) mix(each.rank + 20 * each.suit);
    mix(cards.size());
}}

class Competitor : public StraightsPlayer {{
    Card play(const StraightsView &view) {{
        mix(view.seat);
        see(view.hand);
        see(view.legalPlays);
        see(view.discards);
        for (Pile each : view.table) mix(each.low + 20 * each.high);
        for (int seat = 0; seat < SEATS; seat++) {{
            mix(view.handSizes[seat]);
            mix(view.discardCounts[seat]);
            mix(view.scores[seat]);
        }}
        for (const Move &each : view.history) {{
            mix(each.seat);
            mix(each.isDiscard ? -1 : each.card.rank + 20 * each.card.suit);
        }}
        mix(rand());
        const std::vector<Card> &cards = view.mustDiscard() ? view.hand : view.legalPlays;
        return cards[chosen(cards.size())];
    }}
}};
static Competitor competitor;
StraightsPlayer *get_Competitor() {{ return &competitor; }}
"""

SUITS = "CDHS"
"""In the order of the document."""


def rank_of(card: Card) -> int:
    """Give the rank as the document counts it."""
    return StraightsView.points_of(card)


def told(card: Card) -> int:
    """Number a card."""
    return rank_of(card) + 20 * SUITS.index(str(card.suit)[0])


class Plays(StraightsPlayer, Mixes):
    """Plays by all that it has seen."""

    def play(self, view: StraightsView) -> Card:
        """Choose any legal card."""
        self.mix(view.seat)
        for cards in (view.hand, view.legal_plays, view.discards):
            self.mix(*map(told, cards), len(cards))
        for pile in sorted(view.table, key=lambda each: SUITS.index(str(each.suit)[0])):
            self.mix(pile.low + 20 * pile.high)
        for sizes in zip(view.hand_sizes, view.discard_counts, view.scores, strict=True):
            self.mix(*sizes)
        for event in view.history:
            self.mix(event.seat, -1 if event.card is None else told(event.card))
        self.mix(self.random.getrandbits(31))
        cards = view.legal_plays or view.hand
        return cards[self.chosen(len(cards))]


FIRST = """\
#include "straights_player.h"

class First : public StraightsPlayer {
    Card play(const StraightsView &view) {
        return view.mustDiscard() ? view.hand[0] : view.legalPlays[0];
    }
};
static First first;
StraightsPlayer *get_Competitor() { return &first; }
"""
"""The document's computer; its twin is `tourney.strategies.first_legal`."""

THRIFTY = """\
#include "straights_player.h"

class Thrifty : public StraightsPlayer {
    Card play(const StraightsView &view) {
        const std::vector<Card> &cards = view.mustDiscard() ? view.hand : view.legalPlays;
        Card best = cards[0];
        for (const Card &each : cards)
            if (view.mustDiscard() ? each.rank < best.rank : each.rank > best.rank) best = each;
        return best;
    }
};
static Thrifty thrifty;
StraightsPlayer *get_Competitor() { return &thrifty; }
"""
"""Its twin is `tourney.strategies.thrifty`."""
