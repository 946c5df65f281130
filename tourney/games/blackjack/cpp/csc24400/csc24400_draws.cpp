// Asks players of csc24400.h, who hit or stand and do not wager.
#include "csc24400.h"
#include "questions.h"

namespace tourney {

namespace {

Questions asked;
SEAT_STATE Player *player = nullptr;

const char *const FACES[] = {"2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"};
const char *const SUITS[] = {"S", "H", "C", "D"};

Card card(uint8_t code) {
    return Card(FACES[code % 13], SUITS[code / 13]);
}

}  // namespace

const int64_t seat_flags = WATCHES;

bool make_player() {
    player = get_Competitor();
    return player;
}

Batch read_batch(const char *body) {
    return asked.read(body);
}

int64_t ask(size_t place) {
    asked.show(player, place, card);
    if (asked.calls[place] == WAGER) return asked.least(place);
    if (asked.calls[place] != DRAW) return 0;
    Hand hand;
    for (int64_t at = asked.first_card(place); at < asked.card_stops[place]; at++)
        hand.Append(card(asked.cards[at]));
    call_now = "draw";
    return player->draw(card(asked.dealer[2 * place]), hand) ? HITS : STANDS;
}

}  // namespace tourney
