#ifndef HAND_H
#define HAND_H

#include "card.h"

struct HandValue {
    int count;  // the highest total up to 21, or some total above
    bool soft;  // whether an ace counts 11
};

// The cards of one hand of blackjack, of which only the total is kept.
class Hand {
    HandValue curValue;

 public:
    // An empty hand.
    Hand();

    // Make it empty again.
    void discardAll();

    // Add a card.
    void addCard(Card c);

    // What the cards are worth now.
    HandValue handValue() const;
};

#endif
