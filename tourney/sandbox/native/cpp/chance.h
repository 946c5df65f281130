// Chance and time, separate for each seat.
#ifndef TOURNEY_CHANCE_H
#define TOURNEY_CHANCE_H

#include <cstddef>

namespace tourney {

extern int asked_seat;  // the seat whose chance and time are used

// Keep the keys of all seats: the generator of each seat is seeded at its first use.
void keep_keys(const char *keys, size_t seats, size_t bytes);

}  // namespace tourney

#endif
