// Faults of a program: of a seat, if thrown, or of all seats, if the process ends.
#ifndef TOURNEY_FAULTS_H
#define TOURNEY_FAULTS_H

#include "game.h"

namespace tourney {

struct Fault {
    uint32_t place;  // of the question in its batch
    int64_t round;
    const char *cause, *call;
    Text message, where;  // where: addresses in the program
};

// Report cause and place of every signal that the process causes, before it ends.
void watch_signals(char *top_of_stack);

// Make a fault from the exception that is being caught.
Fault thrown(uint32_t place, int64_t round);

}  // namespace tourney

#endif
