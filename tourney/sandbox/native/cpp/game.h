// What a game's part of a program gives, and what it may use: nothing else here knows a game.
//
// Of a batch of questions each goes to another seat. Before a seat is asked, all that its
// competitor's files can write is as that seat left it; what is thrown then is the seat's fault.
#ifndef TOURNEY_GAME_H
#define TOURNEY_GAME_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

// Marks a variable of ours that every seat has for itself; without a constructor.
#define SEAT_STATE __attribute__((section("seat_state")))

namespace tourney {

const int64_t FAULT = -1;  // in the place of an answer

// A text of its own room: where a competitor has used up all memory, there is still a verdict.
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

// What the host keeps for itself; whatever a player is given is a plain std::vector.
template <typename T> using HostVector = std::vector<T, HostAllocator<T>>;

struct Batch {
    size_t count;
    const int32_t *seats;   // whom the questions go to
    const int64_t *rounds;  // in which they are asked
};

// ---- Given by the game.

// Whether seats choose among all moves, and whether they watch cards, as their table has to know.
enum { CHOOSES = 1, WATCHES = 2 };
extern const int64_t seat_flags;

// The lines of an opening whose questions read_batch() reads, by the places of their columns.
extern const char opening_lines[];

// Give the seat its player, whose objects have just been made; say whether there is one.
bool make_player();

// Read the body of a frame, which stays where it is until all of its questions are answered.
Batch read_batch(const char *body);

// Ask the player of the seat; give its answer in the game's numbers, or what refuse() gives.
int64_t ask(size_t place);

// ---- Given by the platform.

// The method of the player that is called now, for verdicts.
extern const char *call_now;

// Make a fault of an illegal answer: say what was expected and what came. Gives FAULT.
int64_t refuse(const Text &message);

}  // namespace tourney

#endif
