// Frames from the referee and to it, laid out as in tourney/sandbox/wire.py.
#ifndef TOURNEY_FRAMES_H
#define TOURNEY_FRAMES_H

#include "faults.h"

namespace tourney {

enum Kind : uint32_t { LOADED = 4, ANSWER = 5 };

struct Header {
    uint32_t magic, kind, sequence, size;
};

// Read so many bytes; the process ends where there are no more.
void read_all(void *to, size_t size);

// Make room for the longest frame of so many seats, before anybody plays.
void make_room(size_t seats);

// Send answers to as many questions, and the faults among them, in order.
void send(Kind kind, uint32_t sequence, const HostVector<int64_t> &answers, size_t count,
          const HostVector<Fault> &faults);

}  // namespace tourney

#endif
