// A deck as the header describes it.
#include "deck.h"

Deck::Deck() {
    reset();
}

void Deck::reset() {
    for (int place = 0; place < DeckSize; place++) {
        deck[place].spot = Spot(place % SPOT_SIZE);
        deck[place].suit = Suit(place / SPOT_SIZE);
    }
    next = 0;
}

void Deck::shuffle(int n) {
    Card woven[DeckSize];
    int left = 0, right = n;
    for (int place = 0; place < DeckSize; place++) {
        bool from_right = right < DeckSize && (left == n || place % 2 == 0);
        woven[place] = deck[from_right ? right++ : left++];
    }
    for (int place = 0; place < DeckSize; place++) deck[place] = woven[place];
    next = 0;
}

Card Deck::deal() {
    if (next == DeckSize) throw DeckEmpty();
    return deck[next++];
}

int Deck::cardsLeft() {
    return DeckSize - next;
}
