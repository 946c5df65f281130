// Plays a competitor at many seats: reads questions from a pipe, and writes answers to another.
//
// By now this process is shut in. A competitor has one object, made when its program starts; here
// it has one for every seat: whatever its files can write is copied in before a seat is asked and
// copied out after it. Addresses never change, so what a seat has allocated stays its own.
// The layouts are those of tourney/jail/frames.py and of the questions of blackjack.
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cxxabi.h>
#include <exception>
#include <new>
#include <string>
#include <sys/time.h>
#include <typeinfo>
#include <unistd.h>
#include <unwind.h>
#include <vector>

#include "player.h"

#define SEAT_STATE __attribute__((section("seat_state")))

extern "C" {
extern char __executable_start, etext;
extern char __start_seat_state[], __stop_seat_state[];
extern void (*__start_seat_init[])() __attribute__((weak));
extern void (*__stop_seat_init[])() __attribute__((weak));
void __real___cxa_throw(void *, void *, void (*)(void *)) __attribute__((noreturn));
}

__attribute__((weak)) Player *get_Simple();
__attribute__((weak)) Player *get_Counting();
__attribute__((weak)) Player *get_Competitor();

namespace {

const int FROM_REFEREE = 3, TO_REFEREE = 4, PIPE_LOST = 97, ABORTED = 134;
const uint32_t MAGIC = 0x59544F54, LOADED = 4, ANSWER = 5;
const size_t SIZES = 16, MOST_TEXT = 600;
const uint8_t SHUFFLED = 255;
enum { LOOK, WAGER, DRAW };
enum { HIT = 1, STAND = 2, FAULT = -1 };
enum { MINIMUM = 2, MAXIMUM = 3, BANKROLLS = 5, WIDTH = 22 };  // of a row of the table
const int64_t WATCHES = 2;

// ---- Where something went wrong, as addresses: whoever has the program finds the lines.

const int MOST_ADDRESSES = 24;
uintptr_t addresses[MOST_ADDRESSES];
int found = 0;

_Unwind_Reason_Code note(_Unwind_Context *context, void *) {
    int is_exact = 0;
    uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
    if (found == MOST_ADDRESSES || !address) return _URC_END_OF_STACK;
    addresses[found++] = is_exact ? address : address - 1;
    return _URC_NO_REASON;
}

void look_back() {
    found = 0;
    _Unwind_Backtrace(note, nullptr);
}

int spell(char *to, uintptr_t address) {
    int digits = 0;
    for (uintptr_t rest = address; rest; rest >>= 4) digits++;
    for (int at = digits; at > 0; address >>= 4) to[--at] = "0123456789abcdef"[address & 15];
    return digits;
}

void tell(const char *text, size_t length) {
    if (write(2, text, length) < 0) return;  // the file is full; nobody hears it
}

void tell_addresses(int from) {
    for (int at = from; at < found; at++) {
        char word[20] = " ";
        tell(word, 1 + spell(word + 1, addresses[at]));
    }
}

char *top_of_stack;
const intptr_t NEAR = 64 << 20;

bool reads_clock(const uint8_t *code) {
    return code[0] == 0x0F && (code[1] == 0x31 || (code[1] == 0x01 && code[2] == 0xF9));
}

const char *reason(int number, siginfo_t *told, uintptr_t at) {
    if (number == SIGFPE) return "division";
    if (number == SIGILL) return "instruction";
    if (number == SIGBUS) return "pointer";
    char *address = static_cast<char *>(told->si_addr);
    if (told->si_code == SI_KERNEL && at > 4096 && reads_clock(reinterpret_cast<uint8_t *>(at)))
        return "clock";
    intptr_t below = top_of_stack - address;
    return below > 0 && below < NEAR ? "stack" : "pointer";
}

bool is_code(uintptr_t at) {
    return uintptr_t(&__executable_start) <= at && at < uintptr_t(&etext);
}

void on_signal(int number, siginfo_t *told, void *context) {
    const greg_t *registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
    uintptr_t at = registers[REG_RIP];
    tell("\n@ended ", 8);
    const char *word = reason(number, told, at);
    tell(word, strlen(word));
    // Who calls what is no function has left on the stack from where.
    addresses[0] = is_code(at) ? at : *reinterpret_cast<uintptr_t *>(registers[REG_RSP]) - 1;
    found = 1;
    tell_addresses(0);
    if (is_code(at) && strcmp(word, "stack")) {  // of a full one the way back has no end
        look_back();
        tell_addresses(0);
    }
    tell("\n", 1);
    // The signal comes again, and ends the process: its handler is there only once.
}

// The referee asks for it once too much was computed, and waits for a moment.
void on_stop(int, siginfo_t *, void *context) {
    tell("\n@ended loop", 12);
    addresses[0] = static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP];
    found = 1;
    tell_addresses(0);
    look_back();
    tell_addresses(0);
    tell("\n", 1);
    _exit(ABORTED);
}

// Say where it ends by itself, and end.
void end(const char *why, int status) {
    fflush(nullptr);
    look_back();
    tell("\n@ended ", 8);
    tell(why, strlen(why));
    tell_addresses(0);
    tell("\n", 1);
    _exit(status);
}

char signal_stack[64 << 10];

void watch_signals() {
    stack_t other = {};
    other.ss_sp = signal_stack;
    other.ss_size = sizeof signal_stack;
    sigaltstack(&other, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(number, &action, nullptr);
    action.sa_sigaction = on_stop;
    sigaction(SIGXCPU, &action, nullptr);
    signal(SIGXFSZ, SIG_IGN);  // what is printed beyond its limit is dropped
}

// ---- Chance and time, of each seat its own. The generator is Python's, seeded as Python does.

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

std::vector<uint32_t> key_words;  // of all seats, one after another
int words_of_key = 1, asked_seat = 0;
SEAT_STATE Chance *chance = nullptr;  // made when it is first asked
SEAT_STATE int64_t looks = 0;         // at any clock

uint32_t chance_word() {
    if (!chance) {
        const uint32_t *key = &key_words[size_t(asked_seat) * words_of_key];
        int length = words_of_key;
        while (length > 1 && !key[length - 1]) length--;
        chance = new Chance(key, length);
    }
    return chance->word();
}

void seed_chance(uint32_t seed) {
    if (chance) *chance = Chance(&seed, 1);
    else chance = new Chance(&seed, 1);
}

const int64_t SECOND = 1000000000, EPOCH = 946684800 * SECOND, A_LOOK = 1000003;

int64_t nanoseconds() {
    return EPOCH + A_LOOK * ++looks;
}

}  // namespace

extern "C" {

int __wrap_rand() { return chance_word() >> 1; }
long __wrap_random() { return chance_word() >> 1; }
void __wrap_srand(unsigned seed) { seed_chance(seed); }
void __wrap_srandom(unsigned seed) { seed_chance(seed); }
unsigned __wrap__ZNSt13random_device9_M_getvalEv(void *) { return chance_word(); }

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

int __wrap_gettimeofday(timeval *to, void *) {
    int64_t now = nanoseconds();
    to->tv_sec = now / SECOND;
    to->tv_usec = now % SECOND / 1000;
    return 0;
}

void __wrap_abort() { end("abort", ABORTED); }
void __cxa_pure_virtual() { end("virtual", ABORTED); }  // else it would be nowhere
void __wrap_exit(int status) { end("exit", status); }

// A program that ends runs nothing of a competitor any more.
int __wrap___cxa_atexit(void (*)(void *), void *, void *) { return 0; }
int __wrap_atexit(void (*)()) { return 0; }

void __wrap___cxa_throw(void *thrown, void *type, void (*destroy)(void *)) {
    look_back();
    __real___cxa_throw(thrown, type, destroy);
}
}

namespace {

// ---- Frames.

struct Header {
    uint32_t magic, kind, sequence, size;
};

void read_all(void *to, size_t size) {
    for (char *at = static_cast<char *>(to); size;) {
        ssize_t got = read(FROM_REFEREE, at, size);
        if (got <= 0) _exit(got ? PIPE_LOST : 0);
        at += got;
        size -= got;
    }
}

void write_all(const char *from, size_t size) {
    while (size) {
        ssize_t put = write(TO_REFEREE, from, size);
        if (put <= 0) _exit(PIPE_LOST);
        from += put;
        size -= put;
    }
}

// A text of its own room: where a competitor has used up all memory, there is still a verdict.
struct Text {
    uint16_t size = 0;
    char chars[MOST_TEXT];

    Text &operator+=(const char *more) {
        for (; *more && size < MOST_TEXT; more++)
            chars[size++] = *more >= ' ' && *more <= '~' ? *more : '?';
        return *this;
    }

    Text &operator+=(int64_t number) {
        char digits[24];
        snprintf(digits, sizeof digits, "%lld", static_cast<long long>(number));
        return *this += digits;
    }
};

struct Told {
    uint32_t place;
    int64_t round;
    const char *cause, *call;
    Text message, where;
};

template <typename Number> void put(std::string &to, Number number) {
    to.append(reinterpret_cast<const char *>(&number), sizeof number);
}

std::string written;  // of the frame that is sent; its room is made before anybody plays

void send(uint32_t kind, uint32_t sequence, const std::vector<int64_t> &answers, size_t count,
          const std::vector<Told> &faults) {
    written.clear();
    for (uint32_t word : {MAGIC, kind, sequence, 0u}) put(written, word);
    for (uint32_t size : {uint32_t(count), uint32_t(faults.size()), 0u, 0u}) put(written, size);
    written.append(reinterpret_cast<const char *>(answers.data()), 8 * count);
    for (const Told &fault : faults) {
        put(written, fault.place);
        put(written, fault.round);
        put(written, int64_t(0));
        uint16_t cause = strlen(fault.cause), call = strlen(fault.call);
        for (uint16_t size : {cause, call, fault.message.size, fault.where.size, uint16_t(0)})
            put(written, size);
        written.append(fault.cause).append(fault.call);
        written.append(fault.message.chars, fault.message.size);
        written.append(fault.where.chars, fault.where.size);
    }
    uint32_t size = written.size() - sizeof(Header);
    memcpy(&written[offsetof(Header, size)], &size, sizeof size);
    write_all(written.data(), written.size());
}

// ---- Faults of a seat.

Text addresses_words() {
    Text words;
    for (int at = 0; at < found && words.size + 20 < MOST_TEXT; at++) {
        char digits[20] = {};
        spell(digits, addresses[at]);
        words += at ? " 0x" : "0x";
        words += digits;
    }
    return words;
}

void add_type(Text &to) {
    const std::type_info *type = abi::__cxa_current_exception_type();
    int status = 0;
    char *name = type ? abi::__cxa_demangle(type->name(), nullptr, nullptr, &status) : nullptr;
    to += name ? name : "an exception";
    free(name);
}

// Say what was thrown; called while it is caught.
Told thrown(uint32_t place, int64_t round, const char *call) {
    Told told{place, round, "raised", call, Text(), addresses_words()};
    Text &message = told.message;
    (message += call) += ": expected an answer, got ";
    try {
        throw;
    } catch (const std::bad_alloc &) {
        told.cause = "memory";
        message += "std::bad_alloc";
    } catch (const std::exception &error) {
        add_type(message);
        (message += ": ") += error.what();
    } catch (const char *text) {
        message += text;
    } catch (const std::string &text) {
        message += text.c_str();
    } catch (...) {
        message += "a thrown ";
        add_type(message);
    }
    return told;
}

// ---- Seats.

Player *player = nullptr;

class Seats {
    size_t size = 0, stride = 0;
    char *images = nullptr;

 public:
    void open(size_t count) {
        size = __stop_seat_state - __start_seat_state;
        stride = (size + 63) & ~size_t(63);
        images = static_cast<char *>(malloc(stride * (count + 1)));
        if (!images) throw std::bad_alloc();
        memcpy(images, __start_seat_state, size);  // as it was before anything ran
    }

    void begin(int seat) {
        asked_seat = seat;
        memcpy(__start_seat_state, images, size);
        for (auto each = __start_seat_init; each < __stop_seat_init; each++) (*each)();
        player = get_Competitor ? get_Competitor() : get_Counting ? get_Counting() : get_Simple();
    }

    void enter(int seat) {
        asked_seat = seat;
        memcpy(__start_seat_state, images + stride * (seat + 1), size);
    }

    void leave() { memcpy(images + stride * (asked_seat + 1), __start_seat_state, size); }
};

Seats seats;
std::vector<Player *> players;  // by seat
std::vector<int64_t> answers;
std::vector<Told> faults;
const size_t A_FAULT = sizeof(Told);  // at most, in a frame

void sit(const char *body) {
    uint32_t sizes[7];
    memcpy(sizes, body, sizeof sizes);
    size_t count = sizes[5], key = sizes[6];
    std::vector<int64_t> rounds(count), flags(count, WATCHES);
    memcpy(rounds.data(), body + sizeof sizes, 8 * count);
    words_of_key = key ? int((key + 3) / 4) : 1;
    key_words.assign(count * words_of_key, 0);
    for (size_t seat = 0; seat < count; seat++)
        memcpy(&key_words[seat * words_of_key], body + sizeof sizes + 8 * count + key * seat, key);
    faults.reserve(count);
    answers.resize(count);
    written.reserve(64 + (8 + A_FAULT) * count);
    players.assign(count, nullptr);
    try {
        seats.open(count);
    } catch (...) {
        for (size_t seat = 0; seat < count; seat++)
            faults.push_back(thrown(seat, rounds[seat], "constructor"));
        flags.assign(count, 0);
        return send(LOADED, 0, flags, count, faults);
    }
    for (size_t seat = 0; seat < count; seat++) {
        try {
            seats.begin(seat);
            players[seat] = player;
        } catch (...) {
            flags[seat] = 0;
            faults.push_back(thrown(seat, rounds[seat], "constructor"));
        }
        seats.leave();
    }
    fflush(stdout);
    send(LOADED, 0, flags, count, faults);
}

// ---- Questions.

struct Questions {
    size_t count;
    const int64_t *card_stops, *exposed_stops, *rounds, *table;
    const int32_t *seats;
    const uint8_t *calls, *dealer, *cards, *exposed;

    explicit Questions(const char *body) {
        uint32_t head[2];
        memcpy(head, body, sizeof head);
        count = head[0];
        card_stops = reinterpret_cast<const int64_t *>(body + SIZES);
        exposed_stops = card_stops + count;
        rounds = exposed_stops + count;
        table = rounds + count;
        seats = reinterpret_cast<const int32_t *>(table + WIDTH * count);
        calls = reinterpret_cast<const uint8_t *>(seats + count);
        dealer = calls + 2 * count;  // the moves that are legal lie between
        cards = dealer + 2 * count;
        exposed = cards + (count ? card_stops[count - 1] : 0);
    }
};

Card card(uint8_t code) {
    return Card{Spot(code % SPOT_SIZE), Suit(code / SPOT_SIZE)};
}

const char *call_now;

int64_t wager(const int64_t *row, uint32_t place, int64_t round) {
    int64_t bankroll = row[BANKROLLS + row[0]], least = row[MINIMUM];
    int64_t most = bankroll < row[MAXIMUM] ? bankroll : row[MAXIMUM];
    const int64_t widest = UINT32_MAX;
    int64_t chips = player->bet(bankroll < widest ? bankroll : widest, least);
    if (least <= chips && chips <= most) return chips;
    Told told{place, round, "illegal", "bet", Text(), Text()};
    Text &message = told.message;
    (message += "bet: expected a whole number from ") += least;
    (message += " to ") += most;
    (message += ", got ") += chips;
    faults.push_back(told);
    return FAULT;
}

int64_t ask(const Questions &asked, size_t i) {
    int64_t begin = i ? asked.exposed_stops[i - 1] : 0;
    for (int64_t at = begin; at < asked.exposed_stops[i]; at++) {
        bool is_shuffle = asked.exposed[at] == SHUFFLED;
        call_now = is_shuffle ? "shuffled" : "expose";
        if (is_shuffle) player->shuffled();
        else player->expose(card(asked.exposed[at]));
    }
    if (asked.calls[i] == WAGER) {
        call_now = "bet";
        return wager(asked.table + WIDTH * i, i, asked.rounds[i]);
    }
    if (asked.calls[i] != DRAW) return 0;
    call_now = "draw";
    Hand hand;
    for (int64_t at = i ? asked.card_stops[i - 1] : 0; at < asked.card_stops[i]; at++)
        hand.addCard(card(asked.cards[at]));
    return player->draw(card(asked.dealer[2 * i]), hand) ? HIT : STAND;
}

void answer(const char *body, uint32_t sequence) {
    Questions asked(body);
    faults.clear();
    for (size_t i = 0; i < asked.count; i++) {
        seats.enter(asked.seats[i]);
        player = players[asked.seats[i]];
        try {
            answers[i] = ask(asked, i);
        } catch (...) {
            answers[i] = FAULT;
            faults.push_back(thrown(i, asked.rounds[i], call_now));
        }
        seats.leave();
    }
    fflush(stdout);
    send(ANSWER, sequence, answers, asked.count, faults);
}

}  // namespace

int main() {
    char here;
    top_of_stack = &here;
    watch_signals();
    std::vector<int64_t> body;  // so that all columns lie aligned
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
