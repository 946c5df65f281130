// Counting: what each card adds, when it doubles, and what a shuffle does.
#include <cassert>

#include "player.h"

static void show(Player *player, int spot, int times) {
    Card card = {Spot(spot), DIAMONDS};
    for (; times; times--) player->expose(card);
}

int main() {
    Player *counting = get_Counting();
    assert(counting->bet(100, 10) == 10);
    show(counting, TWO, 1);
    assert(counting->bet(100, 10) == 10);
    show(counting, TWO, 1);
    assert(counting->bet(100, 10) == 20 && counting->bet(100, 10) == 20);
    assert(counting->bet(20, 10) == 20 && counting->bet(19, 10) == 10);
    show(counting, TWO, 1);
    assert(counting->bet(100, 10) == 20);
    counting->shuffled();
    assert(counting->bet(100, 10) == 10);
    for (int spot = TWO; spot <= ACE; spot++) {
        int tag = spot <= SIX ? 1 : spot >= TEN ? -1 : 0;
        counting->shuffled();
        show(counting, SIX, 8);
        show(counting, KING, 4);
        show(counting, spot, 2);
        for (int count = 4 + 2 * tag; count > 2; count--) show(counting, QUEEN, 1);
        assert(counting->bet(100, 10) == 20);
        show(counting, QUEEN, 1);
        assert(counting->bet(100, 10) == 10);
    }
    counting->shuffled();
    show(counting, JACK, 3);
    counting->shuffled();
    show(counting, THREE, 2);
    assert(counting->bet(100, 10) == 20);
    counting->shuffled();
    show(counting, JACK, 3);
    show(counting, THREE, 4);
    return counting->bet(100, 10) == 10 ? 0 : 1;
}
