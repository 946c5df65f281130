// A deck as a student writes it: correct where DECK is 0, else with the bug of that number.
#include "deck.h"

Deck::Deck() {
    for (int place = 0; place < DeckSize; place++) {
        int suit = place / SPOT_SIZE, spot = place % SPOT_SIZE;

        // Deck 1: Opens with spades, hearts, diamonds and then clubs.
        // Caught by: the suit of the 27th card of a new deck.
        if (DECK == 1 && suit >= CLUBS) suit = CLUBS + DIAMONDS - suit;

        // Deck 2: Opens every suit with its ace.
        // Caught by: the first card of a new deck.
        if (DECK == 2) spot = (spot + ACE) % SPOT_SIZE;

        // Deck 3: Has a second queen of diamonds for the king.
        // Caught by: the 51st card of a new deck, or that all 52 cards differ.
        if (DECK == 3 && place == 50) spot = QUEEN;

        deck[place].spot = Spot(spot);
        deck[place].suit = Suit(suit);
    }
    next = 0;
}

void Deck::reset() {
    int dealt = next;

    // Deck 4: Leaves the shuffled order as it is when it is reset.
    // Caught by: a shuffle and then reset.
    if (DECK == 4) next = 0;
    else *this = Deck();

    // Deck 5: Leaves the dealt cards out when it is reset.
    // Caught by: cardsLeft, or the next card, after a deal and reset.
    if (DECK == 5) next = dealt;
}

void Deck::shuffle(int n) {
    // Deck 6: Does nothing where the left part would be empty.
    // Caught by: a deal and then shuffle(0).
    if (DECK == 6 && n == 0) return;

    // Deck 7: Opens a new deck before every shuffle.
    // Caught by: the order after two shuffles.
    if (DECK == 7) reset();

    // Deck 8: Puts the dealt cards below the others before it shuffles.
    // Caught by: the order after some deals and a shuffle.
    if (DECK == 8) {
        Deck before = *this;
        for (int place = 0; place < DeckSize; place++)
            deck[place] = before.deck[(place + next) % DeckSize];
    }

    // Deck 9: Puts one card too many into the left part.
    // Caught by: the first card after a shuffle.
    if (DECK == 9 && n < DeckSize) n++;

    // Deck 10: Cuts at 26, whatever cut is asked for.
    // Caught by: a shuffle with another cut.
    if (DECK == 10) n = 26;

    // Deck 11: Begins with the left part.
    // Caught by: the first card after a shuffle.
    int first = DECK == 11 ? 1 : 0;

    Card woven[DeckSize];
    int left = 0, right = n, place = 0;
    for (; left < n && right < DeckSize; place++)
        woven[place] = place % 2 == first ? deck[right++] : deck[left++];

    // Deck 12: Turns over what is left of a longer left part.
    // Caught by: the last cards after a shuffle with a cut far above 26.
    for (int last = n - 1; left < n; place++, left++)
        woven[place] = deck[DECK == 12 ? last-- : left];
    for (; right < DeckSize; place++) woven[place] = deck[right++];
    for (place = 0; place < DeckSize; place++) deck[place] = woven[place];

    // Deck 13: Goes on after the dealt cards when it is shuffled.
    // Caught by: cardsLeft, or the next card, after a deal and a shuffle.
    if (DECK != 13) next = 0;
}

Card Deck::deal() {
    // Deck 14: Throws DeckEmpty instead of dealing its last card, as if it had 51.
    // Caught by: dealing all 52 cards.
    int size = DECK == 14 ? DeckSize - 1 : DeckSize;

    if (next >= size) {
        // Deck 15: Deals from the top again when no card is left.
        // Caught by: DeckEmpty after 52 cards.
        if (DECK == 15) next = 0;

        // Deck 16: Throws a number where no card is left.
        // Caught by: that it is DeckEmpty which an empty deck throws.
        else if (DECK == 16) throw next;

        else throw DeckEmpty();
    }

    // Deck 17: Deals its top card again and again.
    // Caught by: two cards in a row.
    return deck[DECK == 17 ? next++ * 0 : next++];
}

int Deck::cardsLeft() {
    // Deck 18: Says how many cards were dealt, not how many are left.
    // Caught by: cardsLeft of a new deck.
    if (DECK == 18) return next;

    // Deck 19: Says one card too few once a card was dealt.
    // Caught by: cardsLeft after a deal.
    if (DECK == 19 && next) return DeckSize - next - 1;

    return DeckSize - next;
}
