#ifndef CSC24400_H
#define CSC24400_H

#include "Card.h"
#include "Hand.h"

// Who hits or stands, as in CSC 24400: inherit, answer draw, and give your one object away by the
// function below. The others may stay as they are. Every wager is the minimum.
class Player {
 public:
    // Whether you hit, when the dealer shows this card and you hold that hand.
    virtual bool draw(Card dealer, Hand &player) = 0;

    // A card was dealt face up, to anybody.
    virtual void expose(Card c) { }

    // The shoe was shuffled: all cards are in it again.
    virtual void shuffled() { }

    virtual ~Player() { }
};

// Who competes.
extern Player *get_Competitor();

#endif
