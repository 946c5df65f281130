// Chance and time, separate for each seat. The generator is Python's, with the same seeding.
#include "chance.h"

#include <cstdint>
#include <cstring>
#include <ctime>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include "game.h"

namespace tourney {

int asked_seat = 0;

namespace {

class Chance {
    uint32_t state[624];
    int next;

    static uint32_t mix(uint32_t before) { return before ^ (before >> 30); }

 public:
    Chance(const uint32_t *key, int length) {
        state[0] = 19650218;
        for (int i = 1; i < 624; i++) state[i] = 1812433253u * mix(state[i - 1]) + i;
        int i = 1, j = 0;
        for (int left = length > 624 ? length : 624; left; left--) {
            state[i] = (state[i] ^ (mix(state[i - 1]) * 1664525u)) + key[j] + j;
            if (++i == 624) state[0] = state[623], i = 1;
            if (++j == length) j = 0;
        }
        for (int left = 623; left; left--) {
            state[i] = (state[i] ^ (mix(state[i - 1]) * 1566083941u)) - i;
            if (++i == 624) state[0] = state[623], i = 1;
        }
        state[0] = 0x80000000u;
        next = 624;
    }

    uint32_t word() {
        if (next == 624) {
            for (int i = 0; i < 624; i++) {
                uint32_t both = (state[i] & 0x80000000u) | (state[(i + 1) % 624] & 0x7FFFFFFFu);
                state[i] = state[(i + 397) % 624] ^ (both >> 1) ^ (both & 1 ? 0x9908B0DFu : 0);
            }
            next = 0;
        }
        uint32_t y = state[next++];
        y ^= y >> 11;
        y ^= (y << 7) & 0x9D2C5680u;
        y ^= (y << 15) & 0xEFC60000u;
        return y ^ (y >> 18);
    }
};

HostVector<uint32_t> key_words;  // of all seats, one after another
int words_of_key = 1;
SEAT_STATE Chance *chance = nullptr;  // made at its first use
SEAT_STATE int64_t looks = 0;         // at any clock

Chance *made(const uint32_t *key, int length) {
    return new (HostAllocator<Chance>().allocate(1)) Chance(key, length);
}

uint32_t chance_word() {
    if (!chance) {
        const uint32_t *key = &key_words[size_t(asked_seat) * words_of_key];
        int length = words_of_key;
        while (length > 1 && !key[length - 1]) length--;
        chance = made(key, length);
    }
    return chance->word();
}

void seed_chance(uint32_t seed) {
    if (chance) *chance = Chance(&seed, 1);
    else chance = made(&seed, 1);
}

const int64_t SECOND = 1000000000, EPOCH = 946684800 * SECOND, A_LOOK = 1000003;

int64_t nanoseconds() {
    return EPOCH + A_LOOK * ++looks;
}

}  // namespace

void keep_keys(const char *keys, size_t seats, size_t bytes) {
    words_of_key = bytes ? int((bytes + 3) / 4) : 1;
    key_words.assign(seats * words_of_key, 0);
    for (size_t seat = 0; seat < seats; seat++)
        memcpy(&key_words[seat * words_of_key], keys + bytes * seat, bytes);
}

}  // namespace tourney

using namespace tourney;

extern "C" {

int __wrap_rand() { return chance_word() >> 1; }
long __wrap_random() { return chance_word() >> 1; }
void __wrap_srand(unsigned seed) { seed_chance(seed); }
void __wrap_srandom(unsigned seed) { seed_chance(seed); }
unsigned __wrap__ZNSt13random_device9_M_getvalEv(void *) { return chance_word(); }

ssize_t __wrap_getrandom(void *to, size_t size, unsigned) {
    for (size_t at = 0; at < size; at++) static_cast<uint8_t *>(to)[at] = uint8_t(chance_word());
    return ssize_t(size);
}

int __wrap_getentropy(void *to, size_t size) {
    return __wrap_getrandom(to, size, 0) < 0;
}

time_t __wrap_time(time_t *to) {
    time_t now = nanoseconds() / SECOND;
    if (to) *to = now;
    return now;
}

clock_t __wrap_clock() { return (nanoseconds() - EPOCH) / (SECOND / CLOCKS_PER_SEC); }

int __wrap_clock_gettime(clockid_t, timespec *to) {
    int64_t now = nanoseconds();
    to->tv_sec = now / SECOND;
    to->tv_nsec = now % SECOND;
    return 0;
}

int __wrap_clock_getres(clockid_t, timespec *to) {
    if (to) *to = {0, A_LOOK};
    return 0;
}

int __wrap_timespec_get(timespec *to, int base) {
    __wrap_clock_gettime(CLOCK_REALTIME, to);
    return base;
}

clock_t __wrap_times(tms *to) {
    clock_t ticks = (nanoseconds() - EPOCH) / (SECOND / 100);
    if (to) *to = {ticks, 0, 0, 0};
    return ticks;
}

int __wrap_gettimeofday(timeval *to, void *) {
    int64_t now = nanoseconds();
    to->tv_sec = now / SECOND;
    to->tv_usec = now % SECOND / 1000;
    return 0;
}
}
