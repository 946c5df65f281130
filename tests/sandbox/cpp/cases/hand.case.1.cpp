// Hands and what they are worth.
#include <cassert>

#include "hand.h"

static void check(Hand &hand, int count, bool soft) {
    assert(hand.handValue().count == count);
    assert(hand.handValue().soft == soft);
}

static void add(Hand &hand, Spot spot) {
    Card card = {spot, HEARTS};
    hand.addCard(card);
}

int main() {
    Hand hand;
    check(hand, 0, false);
    add(hand, ACE);
    check(hand, 11, true);
    add(hand, SIX);
    check(hand, 17, true);
    add(hand, TEN);
    check(hand, 17, false);
    hand.discardAll();
    check(hand, 0, false);
    add(hand, ACE);
    hand.discardAll();
    check(hand, 0, false);
    add(hand, ACE);
    add(hand, KING);
    check(hand, 21, true);
    hand.discardAll();
    add(hand, FIVE);
    add(hand, SIX);
    add(hand, ACE);
    check(hand, 12, false);
    hand.discardAll();
    add(hand, ACE);
    add(hand, ACE);
    check(hand, 12, true);
    add(hand, TEN);
    check(hand, 12, false);
    add(hand, JACK);
    assert(hand.handValue().count > 21);
    return 0;
}
