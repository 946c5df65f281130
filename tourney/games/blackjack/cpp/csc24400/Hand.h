#ifndef CSC24400_HAND_H
#define CSC24400_HAND_H

#include "Card.h"

// The cards of one hand.
class Hand {
    int BJsum;
    int size;
    Card *cptr;

 public:
    // Print the cards, with "XX" for the last one.
    void DisplayNoHole();

    // Print the cards.
    void Display();

    // Add a card.
    void Append(Card C);

    // What the cards add up to, where aces count 11 as long as that is not over 21.
    int ComputeBJsum();

    // The same, without the last card.
    int ComputeBJsumNoHole();

    int getSize();

    Hand();
    Hand(Hand &H);
    Hand &operator=(Hand &H);
    ~Hand();
};

#endif
