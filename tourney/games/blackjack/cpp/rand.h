#ifndef RAND_H
#define RAND_H

// A random cut of the deck, from 13 to 39.
int get_cut();

#endif
