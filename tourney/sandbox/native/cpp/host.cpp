// Plays a competitor at many seats: reads questions from a pipe, and writes answers to another.
//
// This process is already locked down. A competitor has one object, made when its program starts;
// here it has one for every seat: all memory that its files can write is copied in before a seat is
// asked and copied out afterwards. Addresses never change, so pointers of a seat stay valid.
// game.h describes the questions.
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include "chance.h"
#include "frames.h"
#include "game.h"

extern "C" {
extern char __start_seat_state[], __stop_seat_state[];
extern void (*__start_seat_init[])() __attribute__((weak));
extern void (*__stop_seat_init[])() __attribute__((weak));
}

namespace tourney {

namespace {

const uint32_t VERSION = 1;
const int OTHER_PROTOCOL = 96;

class Seats {
    size_t size = 0, stride = 0;
    char *images = nullptr;

 public:
    void open(size_t count) {
        size = __stop_seat_state - __start_seat_state;
        stride = (size + 63) & ~size_t(63);
        images = static_cast<char *>(malloc(stride * (count + 1)));
        if (!images) throw std::bad_alloc();
        memcpy(images, __start_seat_state, size);  // the state before any code has run
    }

    void begin(int seat) {
        asked_seat = seat;
        memcpy(__start_seat_state, images, size);
        for (auto each = __start_seat_init; each < __stop_seat_init; each++) (*each)();
        if (!make_player()) throw "a null pointer from the function that gives the player";
    }

    void enter(int seat) {
        asked_seat = seat;
        memcpy(__start_seat_state, images + stride * (seat + 1), size);
    }

    void leave() { memcpy(images + stride * (asked_seat + 1), __start_seat_state, size); }
};

Seats seats;
HostVector<int64_t> answers;
HostVector<Fault> faults;
uint32_t asked_place;  // in its batch
int64_t asked_round;

void sit(const char *body) {
    uint32_t head[4];  // version, seats, bytes of a key, bytes of the lines
    memcpy(head, body, sizeof head);
    size_t count = head[1], key = head[2];
    const char *keys = body + sizeof head + 8 * count, *lines = keys + key * count;
    if (head[0] != VERSION || head[3] != strlen(opening_lines) ||
        memcmp(lines, opening_lines, head[3])) {
        fputs("expected the columns that this program was built for\n", stderr);
        _exit(OTHER_PROTOCOL);
    }
    HostVector<int64_t> rounds(count), flags(count, seat_flags);
    memcpy(rounds.data(), body + sizeof head, 8 * count);
    keep_keys(keys, count, key);
    faults.reserve(count);
    answers.resize(count);
    make_room(count);
    call_now = "constructor";
    try {
        seats.open(count);
    } catch (...) {
        for (size_t seat = 0; seat < count; seat++) faults.push_back(thrown(seat, rounds[seat]));
        flags.assign(count, 0);
        return send(LOADED, 0, flags, count, faults);
    }
    for (size_t seat = 0; seat < count; seat++) {
        try {
            seats.begin(seat);
        } catch (...) {
            flags[seat] = 0;
            faults.push_back(thrown(seat, rounds[seat]));
        }
        seats.leave();
    }
    fflush(stdout);
    send(LOADED, 0, flags, count, faults);
}

void answer(const char *body, uint32_t sequence) {
    Batch batch = read_batch(body);
    faults.clear();
    for (size_t place = 0; place < batch.count; place++) {
        asked_place = place;
        asked_round = batch.rounds[place];
        seats.enter(batch.seats[place]);
        try {
            answers[place] = ask(place);
        } catch (...) {
            answers[place] = FAULT;
            faults.push_back(thrown(place, batch.rounds[place]));
        }
        seats.leave();
    }
    fflush(stdout);
    send(ANSWER, sequence, answers, batch.count, faults);
}

}  // namespace

int64_t refuse(const Text &message) {
    faults.push_back(Fault{asked_place, asked_round, "illegal", call_now, message, Text()});
    return FAULT;
}

}  // namespace tourney

using namespace tourney;

int main() {
    char here;
    watch_signals(&here);
    HostVector<int64_t> body;  // aligns all columns
    bool is_open = false;
    for (;;) {
        Header header;
        read_all(&header, sizeof header);
        if (body.size() < header.size / 8 + 1) body.resize(header.size / 8 + 1);
        read_all(body.data(), header.size);
        const char *text = reinterpret_cast<const char *>(body.data());
        if (is_open) answer(text, header.sequence);
        else sit(text);
        is_open = true;
    }
}
