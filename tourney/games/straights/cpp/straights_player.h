#ifndef STRAIGHTS_PLAYER_H
#define STRAIGHTS_PLAYER_H

#include <vector>

enum Suit { CLUBS, DIAMONDS, HEARTS, SPADES, SUIT_SIZE };

const int SEATS = 4;

// A card; its rank, 1 for an ace to 13 for a king, is also what it costs as a discard.
struct Card {
    int rank;
    Suit suit;
};

inline bool operator==(const Card &one, const Card &other) {
    return one.rank == other.rank && one.suit == other.suit;
}

inline bool operator!=(const Card &one, const Card &other) {
    return !(one == other);
}

// What has been played of a suit: an unbroken row around its seven, or nothing.
struct Pile {
    int low, high;  // ranks of its ends; 0 while it is empty

    bool isEmpty() const { return low == 0; }
};

// A move that everybody saw; of a discard nobody sees the card.
struct Move {
    int seat;
    bool isDiscard;
    Card card;  // of rank 0 for a discard
};

// A round as you see it from your seat. Seats are counted from 0 in order of play.
struct StraightsView {
    int seat;                      // your own
    std::vector<Card> hand;        // the cards left, in the order in which they were dealt
    std::vector<Card> legalPlays;  // those of them that may be played now, in the same order
    std::vector<Card> discards;    // your own, in their order
    Pile table[SUIT_SIZE];         // by suit
    int handSizes[SEATS];          // by seat, cards left
    int discardCounts[SEATS];      // by seat, cards face down
    long scores[SEATS];            // by seat, points of the game before this round
    std::vector<Move> history;     // every move of the round so far

    // Whether nothing can be played, so that a card must be discarded.
    bool mustDiscard() const { return legalPlays.empty(); }
};

// Who plays Straights: inherit, answer play, and give your one object away by the function below.
class StraightsPlayer {
 public:
    // One of view.legalPlays or, if there is none, one of view.hand to discard.
    virtual Card play(const StraightsView &view) = 0;

    virtual ~StraightsPlayer() { }
};

// Who competes.
extern StraightsPlayer *get_Competitor();

#endif
