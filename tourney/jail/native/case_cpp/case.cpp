// What the program of a test case is linked with: it says where it ended, as a player's does.
//
// Chance, clocks and ends are those of host.cpp, whose own main, which asks players, never runs.
#define main ask_players
#include "host.cpp"
#undef main

namespace {

__attribute__((constructor(101))) void begin() {
    char here;
    top_of_stack = &here;
    key_words.assign(1, 0);
    watch_signals();
}

}  // namespace
