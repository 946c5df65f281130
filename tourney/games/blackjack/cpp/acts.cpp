// Asks players of act_player.h, who choose among all moves.
#include "act_player.h"
#include "questions.h"

namespace tourney {

namespace {

Questions asked;
SEAT_STATE ActPlayer *player = nullptr;

// The moves in the order in which players are told them.
const Action MOVES[] = {STAND, HIT, DOUBLE, SPLIT, SURRENDER, DECLINE, INSURE};
const char *const NAMES[] = {"",      "HIT",       "STAND",  "DOUBLE",
                             "SPLIT", "SURRENDER", "INSURE", "DECLINE"};

Card card(uint8_t code) {
    return Card{Spot(code % SPOT_SIZE), Suit(code / SPOT_SIZE)};
}

int64_t refused(const std::vector<Action> &legal, Action got) {
    Text message;
    message += "act: expected one of ";
    for (size_t at = 0; at < legal.size(); at++) (message += at ? ", " : "") += NAMES[legal[at]];
    message += ", got ";
    if (HIT <= got && got <= DECLINE) message += NAMES[got];
    else message += int64_t(got);
    return refuse(message);
}

int64_t move(size_t place) {
    SeenHand dealer, hand;
    for (size_t at = 2 * place; at < 2 * place + 2; at++)
        if (asked.dealer[at] != NO_CARD) dealer.addCard(card(asked.dealer[at]));
    for (int64_t at = asked.first_card(place); at < asked.card_stops[place]; at++)
        hand.addCard(card(asked.cards[at]));
    std::vector<Action> legal;
    for (Action each : MOVES)
        if (asked.legal[place] >> each & 1) legal.push_back(each);
    call_now = "act";
    Action chosen = player->act(dealer, hand, legal);
    for (Action each : legal)
        if (each == chosen) return chosen;
    return refused(legal, chosen);
}

}  // namespace

const int64_t seat_flags = CHOOSES | WATCHES;

bool make_player() {
    player = get_Competitor();
    return player;
}

Batch read_batch(const char *body) {
    return asked.read(body);
}

int64_t ask(size_t place) {
    asked.show(player, place, card);
    if (asked.calls[place] == WAGER) return asked.wager(player, place);
    return asked.calls[place] == ACT ? move(place) : 0;
}

}  // namespace tourney
