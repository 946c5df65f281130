// Chance and time, of each seat its own.
#ifndef TOURNEY_CHANCE_H
#define TOURNEY_CHANCE_H

#include <cstddef>

namespace tourney {

extern int asked_seat;  // whose chance and time it is

// Keep the keys of all seats: the generator of each is seeded when it is first used.
void keep_keys(const char *keys, size_t seats, size_t bytes);

}  // namespace tourney

#endif
