#ifndef DECK_H
#define DECK_H

#include "card.h"

// Thrown by deal() when no card is left.
class DeckEmpty {
};

const int DeckSize = 52;

// The cards of one deck, from which no joker is dealt.
class Deck {
    Card deck[DeckSize];
    int next;

 public:
    // A newly opened deck: spades from two to ace, then hearts, clubs and diamonds.
    Deck();

    // Make it newly opened again.
    void reset();

    // Cut after n cards, 0 to 52, and weave both parts, beginning with the right one.
    void shuffle(int n);

    // Deal the next card; throws DeckEmpty if there is none.
    Card deal();

    // How many cards have not been dealt since the last reset or shuffle.
    int cardsLeft();
};

#endif
