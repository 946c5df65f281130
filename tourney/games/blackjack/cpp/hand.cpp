// A hand as the header describes it.
#include "hand.h"

Hand::Hand() {
    discardAll();
}

void Hand::discardAll() {
    curValue.count = 0;
    curValue.soft = false;
}

void Hand::addCard(Card c) {
    if (c.spot == ACE) curValue.count += 1;
    else if (c.spot >= TEN) curValue.count += 10;
    else curValue.count += c.spot + 2;
    if (c.spot == ACE && !curValue.soft && curValue.count <= 11) {
        curValue.count += 10;
        curValue.soft = true;
    }
    if (curValue.soft && curValue.count > 21) {
        curValue.count -= 10;
        curValue.soft = false;
    }
}

HandValue Hand::handValue() const {
    return curValue;
}
