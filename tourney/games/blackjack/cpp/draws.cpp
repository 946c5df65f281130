// Asks players of player.h, the contract of VE280 and EECS 280: to wager, and to draw.
#include "player.h"
#include "questions.h"

__attribute__((weak)) Player *get_Simple();
__attribute__((weak)) Player *get_Counting();
__attribute__((weak)) Player *get_Competitor();

namespace tourney {

namespace {

Questions asked;
SEAT_STATE Player *player = nullptr;

Card card(uint8_t code) {
    return Card{Spot(code % SPOT_SIZE), Suit(code / SPOT_SIZE)};
}

}  // namespace

const int64_t seat_flags = WATCHES;

bool make_player() {
    player = get_Competitor ? get_Competitor() : get_Counting ? get_Counting() : get_Simple();
    return player;
}

Batch read_batch(const char *body) {
    return asked.read(body);
}

int64_t ask(size_t place) {
    asked.show(player, place, card);
    if (asked.calls[place] == WAGER) return asked.wager(player, place);
    if (asked.calls[place] != DRAW) return 0;
    call_now = "draw";
    Hand hand;
    for (int64_t at = asked.first_card(place); at < asked.card_stops[place]; at++)
        hand.addCard(card(asked.cards[at]));
    return player->draw(card(asked.dealer[2 * place]), hand) ? HITS : STANDS;
}

}  // namespace tourney
