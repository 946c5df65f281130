// A new deck: 52 cards in the order of the documents, then DeckEmpty; and again after reset.
#include "deck.h"

static bool isNew(Deck &deck) {
    for (int place = 0; place < 52; place++) {
        if (deck.cardsLeft() != 52 - place) return false;
        Card card = deck.deal();
        if (card.spot != place % 13 || card.suit != place / 13) return false;
    }
    return deck.cardsLeft() == 0;
}

int main() {
    Deck deck;
    if (!isNew(deck)) return -1;
    try {
        deck.deal();
        return -1;
    } catch (DeckEmpty) {
    }
    deck.reset();
    return isNew(deck) ? 0 : -1;
}
