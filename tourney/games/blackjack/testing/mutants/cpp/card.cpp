// What the documents give to everybody.
#include <cstdlib>

#include "card.h"
#include "rand.h"

const char *SuitNames[] = {"Spades", "Hearts", "Clubs", "Diamonds"};
const char *SpotNames[] = {"Two", "Three", "Four", "Five", "Six", "Seven", "Eight",
                           "Nine", "Ten", "Jack", "Queen", "King", "Ace"};

int get_cut() {
    return 13 + rand() % 27;
}
