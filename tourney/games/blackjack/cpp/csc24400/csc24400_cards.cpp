// Cards and hands as the headers describe them, for every competitor the same.
#include <iomanip>
#include <iostream>

#include "Hand.h"

namespace {

const int BEST = 21, ACE = 11, LESS = 10;  // what an ace that counts 1 counts less

int sum(Card *cards, int size) {
    int total = 0, aces = 0;
    for (int at = 0; at < size; at++) {
        total += cards[at].getValue();
        aces += cards[at].getValue() == ACE;
    }
    for (; total > BEST && aces; aces--) total -= LESS;
    return total;
}

int court_or_spot(const string &face, int jack, int queen, int king, int ace) {
    if (face == "J") return jack;
    if (face == "Q") return queen;
    if (face == "K") return king;
    if (face == "A") return ace;
    return std::stoi(face);
}

Card *copied(Card *cards, int size, int room) {
    Card *copy = new Card[room];
    for (int at = 0; at < size; at++) copy[at] = cards[at];
    return copy;
}

}  // namespace

Card::Card() : value(0) {
}

Card::Card(string f, string s) {
    setCardBlackJack(f, s);
}

void Card::setCardPoker(string f, string s) {
    face = f;
    suit = s;
    value = court_or_spot(f, 11, 12, 13, 14);
}

void Card::setCardBlackJack(string f, string s) {
    face = f;
    suit = s;
    value = court_or_spot(f, 10, 10, 10, ACE);
}

int Card::getValue() {
    return value;
}

string Card::getFace() {
    return face;
}

string Card::getSuit() {
    return suit;
}

void Card::setFace(string f) {
    face = f;
}

void Card::setSuit(string s) {
    suit = s;
}

void Card::Display() {
    std::cout << std::setw(3) << face + suit;
}

void Hand::DisplayNoHole() {
    for (int at = 0; at + 1 < size; at++) {
        cptr[at].Display();
        std::cout << ' ';
    }
    std::cout << " XX" << std::endl;
}

void Hand::Display() {
    for (int at = 0; at < size; at++) {
        if (at) std::cout << ' ';
        cptr[at].Display();
    }
    std::cout << std::endl;
}

void Hand::Append(Card C) {
    Card *longer = copied(cptr, size, size + 1);
    longer[size++] = C;
    delete[] cptr;
    cptr = longer;
}

int Hand::ComputeBJsum() {
    return BJsum = sum(cptr, size);
}

int Hand::ComputeBJsumNoHole() {
    return BJsum = sum(cptr, size ? size - 1 : 0);
}

int Hand::getSize() {
    return size;
}

Hand::Hand() : BJsum(0), size(0), cptr(nullptr) {
}

Hand::Hand(Hand &H) : BJsum(H.BJsum), size(H.size), cptr(copied(H.cptr, H.size, H.size)) {
}

Hand &Hand::operator=(Hand &H) {
    if (this == &H) return *this;
    Card *copy = copied(H.cptr, H.size, H.size);
    delete[] cptr;
    BJsum = H.BJsum;
    size = H.size;
    cptr = copy;
    return *this;
}

Hand::~Hand() {
    delete[] cptr;
}
