#ifndef PLAYER_H
#define PLAYER_H

#include "hand.h"

// Who plays: inherit, answer all four, and give your one object away by a function below.
class Player {
 public:
    // Your wager in chips, from minimum to bankroll.
    virtual int bet(unsigned int bankroll, unsigned int minimum) = 0;

    // Whether you want another card, when the dealer shows this one and you hold that hand.
    virtual bool draw(Card dealer, const Hand &player) = 0;

    // A card was dealt face up, to anybody.
    virtual void expose(Card c) = 0;

    // The deck was shuffled: all cards are in it again.
    virtual void shuffled() = 0;

    virtual ~Player() { }
};

// The first of these that a file defines is who competes: get_Competitor, get_Counting, get_Simple.
extern Player *get_Simple();
extern Player *get_Counting();
extern Player *get_Competitor();

#endif
