// Shuffles: after deals, after each other, and with every cut.
#include <cassert>

#include "deck.h"

static int number(Card card) {
    return card.suit * 13 + card.spot;
}

static void weave(int *cards, int n) {
    int woven[52], left = 0, right = n;
    for (int place = 0; place < 52;) {
        if (right < 52) woven[place++] = cards[right++];
        if (left < n) woven[place++] = cards[left++];
    }
    for (int place = 0; place < 52; place++) cards[place] = woven[place];
}

int main() {
    Deck deck;
    int cards[52];
    for (int place = 0; place < 52; place++) cards[place] = place;
    for (int n = 0; n <= 52; n++) {
        for (int dealt = 0; dealt < 3; dealt++) deck.deal();
        deck.shuffle(n);
        weave(cards, n);
        assert(deck.cardsLeft() == 52);
        for (int place = 0; place < 52; place++) assert(number(deck.deal()) == cards[place]);
        deck.shuffle(17);
        weave(cards, 17);
    }
    deck.reset();
    return number(deck.deal()) == 0 ? 0 : 1;
}
