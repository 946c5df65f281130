// Frames from and to the referee, with the layout of tourney/sandbox/wire.py.
#ifndef TOURNEY_FRAMES_H
#define TOURNEY_FRAMES_H

#include "faults.h"

namespace tourney {

enum Kind : uint32_t { LOADED = 4, ANSWER = 5 };

struct Header {
    uint32_t magic, kind, sequence, size;
};

// Read `size` bytes; the process ends if there are no more.
void read_all(void *to, size_t size);

// Allocate the longest frame for a number of seats, before any player runs.
void make_room(size_t seats);

// Send answers and the faults among them, in the order of the questions.
void send(Kind kind, uint32_t sequence, const HostVector<int64_t> &answers, size_t count,
          const HostVector<Fault> &faults);

}  // namespace tourney

#endif
