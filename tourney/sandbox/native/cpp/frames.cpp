// Frames from the referee and to it.
#include "frames.h"

#include <cstring>
#include <unistd.h>

namespace tourney {

namespace {

const int FROM_REFEREE = 3, TO_REFEREE = 4, PIPE_LOST = 97;
const uint32_t MAGIC = 0x59544F54;

void write_all(const char *from, size_t size) {
    while (size) {
        ssize_t put = write(TO_REFEREE, from, size);
        if (put <= 0) _exit(PIPE_LOST);
        from += put;
        size -= put;
    }
}

HostVector<char> written;  // the frame to send; allocated before any player runs

void put(const void *from, size_t size) {
    const char *first = static_cast<const char *>(from);
    written.insert(written.end(), first, first + size);
}

template <typename Number> void put(Number number) {
    put(&number, sizeof number);
}

}  // namespace

void read_all(void *to, size_t size) {
    for (char *at = static_cast<char *>(to); size;) {
        ssize_t got = read(FROM_REFEREE, at, size);
        if (got <= 0) _exit(got ? PIPE_LOST : 0);
        at += got;
        size -= got;
    }
}

void make_room(size_t seats) {
    written.reserve(64 + (8 + sizeof(Fault)) * seats);
}

void send(Kind kind, uint32_t sequence, const HostVector<int64_t> &answers, size_t count,
          const HostVector<Fault> &faults) {
    written.clear();
    for (uint32_t word : {MAGIC, uint32_t(kind), sequence, 0u}) put(word);
    for (uint32_t size : {uint32_t(count), uint32_t(faults.size()), 0u, 0u}) put(size);
    put(answers.data(), 8 * count);
    for (const Fault &fault : faults) {
        put(fault.place);
        put(fault.round);
        put(int64_t(0));
        uint16_t cause = strlen(fault.cause), call = strlen(fault.call);
        for (uint16_t size : {cause, call, fault.message.size, fault.where.size, uint16_t(0)})
            put(size);
        put(fault.cause, cause);
        put(fault.call, call);
        put(fault.message.chars, fault.message.size);
        put(fault.where.chars, fault.where.size);
    }
    uint32_t size = written.size() - sizeof(Header);
    memcpy(&written[offsetof(Header, size)], &size, sizeof size);
    write_all(written.data(), written.size());
}

}  // namespace tourney
