// What goes wrong in a program: of a seat, as it is thrown, or of all, as the process ends.
#ifndef TOURNEY_FAULTS_H
#define TOURNEY_FAULTS_H

#include "game.h"

namespace tourney {

struct Fault {
    uint32_t place;  // of the question in its batch
    int64_t round;
    const char *cause, *call;
    Text message, where;  // where: addresses, for whoever has the program
};

// Say of every signal of the process's own why and where it came, before it ends the process.
void watch_signals(char *top_of_stack);

// Make a fault of what is being caught.
Fault thrown(uint32_t place, int64_t round);

}  // namespace tourney

#endif
