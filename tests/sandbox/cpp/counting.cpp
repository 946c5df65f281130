// A student's file.
#include <iostream>
#include "player.h"
using namespace std;

class Simple : public Player {
 public:
    int bet(unsigned int bankroll, unsigned int minimum) { return minimum; }
    bool draw(Card dealer, const Hand &player) {
        HandValue v = player.handValue();
        if (!v.soft) {
            if (v.count <= 11) return true;
            if (v.count == 12) return dealer.spot < FOUR || dealer.spot > SIX;
            if (v.count <= 16) return dealer.spot > SIX;
            return false;
        }
        if (v.count <= 17) return true;
        if (v.count == 18) return !(dealer.spot == TWO || dealer.spot == SEVEN || dealer.spot == EIGHT);
        return false;
    }
    void expose(Card) { }
    void shuffled() { }
};

class Counting : public Simple {
    int count;
 public:
    Counting() : count(0) { }
    int bet(unsigned int bankroll, unsigned int minimum) {
        return count >= 2 && bankroll >= 2 * minimum ? 2 * minimum : minimum;
    }
    void expose(Card c) {
        if (c.spot >= TEN) count--;
        else if (c.spot <= SIX) count++;
    }
    void shuffled() { count = 0; }
};

static Simple simple;
static Counting counting;
Player *get_Simple() { return &simple; }
Player *get_Counting() { return &counting; }
