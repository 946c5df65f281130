#ifndef ACT_PLAYER_H
#define ACT_PLAYER_H

#include <vector>

#include "hand.h"

// What a player may do. Insurance is taken or declined before all else.
enum Action { HIT = 1, STAND, DOUBLE, SPLIT, SURRENDER, INSURE, DECLINE };

// A hand whose cards lie before you; handValue() says what they are worth.
class SeenHand : public Hand {
    std::vector<Card> seen;

 public:
    // Make it empty again.
    void discardAll() {
        Hand::discardAll();
        seen.clear();
    }

    // Add a card.
    void addCard(Card c) {
        Hand::addCard(c);
        seen.push_back(c);
    }

    // The cards, in the order in which they came.
    const std::vector<Card> &cards() const { return seen; }
};

// Who chooses among all moves, as in Easy Blackjack: inherit, answer act, and give your one object
// away by the function below. The others may stay as they are.
class ActPlayer {
 public:
    // One of the legal moves, when the dealer shows these cards, one or both, and you play that
    // hand. Legal are stand and hit, and perhaps more; of split aces stand and perhaps split;
    // or decline and insure.
    virtual Action act(const SeenHand &dealer, const SeenHand &player,
                       const std::vector<Action> &legal) = 0;

    // Your wager in chips, from minimum to bankroll; asked where rules let you choose it.
    virtual int bet(unsigned int bankroll, unsigned int minimum) { return minimum; }

    // A card was dealt face up, to anybody.
    virtual void expose(Card c) { }

    // The shoe was shuffled: all cards are in it again.
    virtual void shuffled() { }

    virtual ~ActPlayer() { }
};

// Who competes.
extern ActPlayer *get_Competitor();

#endif
