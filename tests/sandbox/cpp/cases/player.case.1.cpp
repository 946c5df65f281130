// Simple: its wagers, and every decision of the documents.
#include <cassert>

#include "player.h"

static Hand hand(int total, bool soft) {
    Hand made;
    Card card = {ACE, CLUBS};
    int rest = total;
    if (soft) {
        made.addCard(card);
        rest -= 11;
    }
    for (; rest > 11; rest -= 10) {
        card.spot = TEN;
        made.addCard(card);
    }
    if (rest == 11) {
        card.spot = NINE;
        made.addCard(card);
        rest = 2;
    }
    if (rest == 1) {
        card.spot = ACE;
        made.addCard(card);
    } else if (rest) {
        card.spot = Spot(rest - 2);
        made.addCard(card);
    }
    return made;
}

static bool stands(int total, bool soft, int shown) {
    if (soft) return total > 18 || (total == 18 && (shown == 2 || shown == 7 || shown == 8));
    if (total == 12) return 4 <= shown && shown <= 6;
    return total > 16 || (total > 12 && shown <= 6);
}

int main() {
    Player *simple = get_Simple();
    assert(simple->bet(100, 10) == 10 && simple->bet(10, 10) == 10);
    for (int spot = TWO; spot <= ACE; spot++) {
        int shown = spot == ACE ? 11 : spot >= TEN ? 10 : spot + 2;
        Card dealer = {Spot(spot), HEARTS};
        for (int total = 4; total <= 21; total++)
            assert(simple->draw(dealer, hand(total, false)) != stands(total, false, shown));
        for (int total = 13; total <= 20; total++)
            assert(simple->draw(dealer, hand(total, true)) != stands(total, true, shown));
    }
    return 0;
}
