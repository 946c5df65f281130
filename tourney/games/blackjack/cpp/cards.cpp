// Cards, a deck and a hand as the headers describe them, for every competitor the same.
#include <cstdlib>

#include "deck.h"
#include "hand.h"
#include "rand.h"

const char *SuitNames[] = {"Spades", "Hearts", "Clubs", "Diamonds"};
const char *SpotNames[] = {"Two", "Three", "Four", "Five", "Six", "Seven", "Eight",
                           "Nine", "Ten", "Jack", "Queen", "King", "Ace"};

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

int get_cut() {
    return 13 + rand() % 27;
}
