// A hand as a student writes it: correct where HAND is 0, else with the bug of that number.
#include "hand.h"

Hand::Hand() {
    curValue.count = 0;
    curValue.soft = false;
}

void Hand::discardAll() {
    // Hand 1: Keeps its cards when it should discard them.
    // Caught by: the count after discardAll.
    if (HAND != 1) curValue.count = 0;

    // Hand 2: Is still soft after discardAll, if it was before.
    // Caught by: the softness after discarding a soft hand.
    if (HAND != 2) curValue.soft = false;
}

void Hand::addCard(Card c) {
    int value = c.spot + 2;

    // Hand 3: Counts jack, queen and king as 11, 12 and 13.
    // Caught by: a hand with a court card.
    if (HAND != 3 && value > 10) value = 10;

    // Hand 4: Counts a ten as 0, for its sign is a 0.
    // Caught by: a hand with a ten.
    if (HAND == 4 && c.spot == TEN) value = 0;

    if (c.spot == ACE) {
        // Hand 5: Counts every ace as 1.
        // Caught by: an ace and a card below 10.
        // Hand 6: Counts an ace as 1 where it would make 21.
        // Caught by: an ace and a ten-value.
        // Hand 7: Counts every ace as 11, even if that is over 21.
        // Caught by: an ace with cards of more than 10, or two aces.
        int most = HAND == 5 ? -1 : HAND == 6 ? 9 : HAND == 7 ? 99 : 10;
        bool high = curValue.count <= most;
        value = high ? 11 : 1;
        curValue.soft = curValue.soft || high;
    }
    curValue.count += value;

    // Hand 8: Decides what an ace counts when it comes, and never again.
    // Caught by: an ace first, and then cards of more than 10.
    // Hand 9: Counts an ace as 11 up to a total of 22.
    // Caught by: an ace with cards of 11.
    int limit = HAND == 6 ? 20 : HAND == 7 || HAND == 8 ? 99 : HAND == 9 ? 22 : 21;
    if (curValue.soft && curValue.count > limit) {
        curValue.count -= 10;

        // Hand 10: Stays soft when its ace has fallen back to 1.
        // Caught by: the softness of an ace, a 6 and a 10.
        if (HAND != 10) curValue.soft = false;
    }

    // Hand 11: Totals 21 when it is over.
    // Caught by: three ten-values.
    if (HAND == 11 && curValue.count > 21) curValue.count = 21;

    // Correct Hand 13: A Hand that totals 22 whenever it is over 21.
    // The documents allow any total over 21 there.
    if (HAND == 13 && curValue.count > 21) curValue.count = 22;
}

HandValue Hand::handValue() const {
    HandValue value = curValue;

    // Hand 12: Says that it is hard, though an ace counts 11.
    // Caught by: the softness of an ace and a 6.
    if (HAND == 12) value.soft = false;

    return value;
}
