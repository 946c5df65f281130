// The interface between a game's part of a program and the platform's, which knows no game.
//
// Each question of a batch goes to another seat. Before a seat is asked, all memory that its
// competitor's files can write is restored as that seat left it; exceptions are the seat's faults.
#ifndef TOURNEY_GAME_H
#define TOURNEY_GAME_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

// Marks a variable of the platform that every seat has separately; without a constructor.
#define SEAT_STATE __attribute__((section("seat_state")))

namespace tourney {

const int64_t FAULT = -1;  // in the place of an answer

// A text of fixed size, so that there is a verdict even if a competitor has used up all memory.
struct Text {
    static const int MOST = 600;
    uint16_t size = 0;
    char chars[MOST];

    Text &operator+=(const char *more) {
        for (; *more && size < MOST; more++)
            chars[size++] = *more >= ' ' && *more <= '~' ? *more : '?';
        return *this;
    }

    Text &operator+=(int64_t number) {
        char digits[24];
        snprintf(digits, sizeof digits, "%lld", static_cast<long long>(number));
        return *this += digits;
    }
};

// Allocates without `operator new`, which a competitor's files may replace.
template <typename T> struct HostAllocator {
    typedef T value_type;

    HostAllocator() = default;
    template <typename Other> HostAllocator(const HostAllocator<Other> &) { }

    T *allocate(size_t count) {
        void *room = count > SIZE_MAX / sizeof(T) ? nullptr : malloc(count * sizeof(T));
        if (!room) throw std::bad_alloc();
        return static_cast<T *>(room);
    }

    void deallocate(T *room, size_t) { free(room); }
};

template <typename T, typename U>
bool operator==(const HostAllocator<T> &, const HostAllocator<U> &) {
    return true;
}

template <typename T, typename U>
bool operator!=(const HostAllocator<T> &, const HostAllocator<U> &) {
    return false;
}

// For data of the host; players receive plain std::vectors.
template <typename T> using HostVector = std::vector<T, HostAllocator<T>>;

struct Batch {
    size_t count;
    const int32_t *seats;   // the seats that are asked
    const int64_t *rounds;  // the rounds of the questions
};

// ---- Defined by the game.

// Whether seats choose among all moves, and whether they watch cards; sent to the table.
enum { CHOOSES = 1, WATCHES = 2 };
extern const int64_t seat_flags;

// The lines of an opening whose questions read_batch() reads, by the places of their columns.
extern const char opening_lines[];

// Give the seat its player, whose objects have just been made; return whether there is one.
bool make_player();

// Read the body of a frame, which stays valid until all of its questions are answered.
Batch read_batch(const char *body);

// Ask the player of the seat; return its answer as a number, or the result of refuse().
int64_t ask(size_t place);

// ---- Defined by the platform.

// The method of the player that is being called, for verdicts.
extern const char *call_now;

// Make a fault of an illegal answer, with the expected and the actual answer. Returns FAULT.
int64_t refuse(const Text &message);

}  // namespace tourney

#endif
