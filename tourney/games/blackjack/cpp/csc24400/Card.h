#ifndef CSC24400_CARD_H
#define CSC24400_CARD_H

#include <string>

using std::string;

// A playing card: its face is "2" to "10", "J", "Q", "K" or "A", its suit "S", "H", "C" or "D".
class Card {
    int value;
    string face;
    string suit;

 public:
    // No card.
    Card();

    // A card as in blackjack.
    Card(string f, string s);

    // Make it a card that counts as in poker: court cards 11 to 13, an ace 14.
    void setCardPoker(string f, string s);

    // Make it a card that counts as in blackjack: court cards 10, an ace 11.
    void setCardBlackJack(string f, string s);

    int getValue();
    string getFace();
    string getSuit();
    void setFace(string f);
    void setSuit(string s);

    // Print it, three characters wide.
    void Display();
};

#endif
