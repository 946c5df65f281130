// Random cuts as the header describes them.
#include "rand.h"

#include <cstdlib>

int get_cut() {
    return 13 + rand() % 27;
}
