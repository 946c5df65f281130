// What players of blackjack are asked, whatever they are asked in: the layout of a batch is that
// of tourney/games/blackjack/players/questions.py.
#ifndef TOURNEY_QUESTIONS_H
#define TOURNEY_QUESTIONS_H

#include <cstring>

#include "game.h"

namespace tourney {

enum Call { LOOK, WAGER, DRAW, ACT };
const uint8_t SHUFFLED = 255;  // among exposed cards
const uint8_t NO_CARD = 255;   // where the dealer shows no second one
const int64_t HITS = 1, STANDS = 2;

// What lies where below; the one source that includes this defines it for its program.
const char opening_lines[] =
    "game blackjack\n"
    "column card_stops q 1\n"
    "column exposed_stops q 1\n"
    "column rounds q 1\n"
    "column table q 22\n"
    "column seats i 1\n"
    "column calls B 1\n"
    "column legal B 1\n"
    "column dealer B 2\n"
    "column cards B 0\n";

struct Questions {
    static const size_t HEAD = 16;
    enum { MINIMUM = 2, MAXIMUM = 3, BANKROLLS = 5, WIDTH = 22 };  // of a row of the table

    size_t count;
    const int64_t *card_stops, *exposed_stops, *rounds, *table;
    const int32_t *seats;
    const uint8_t *calls, *legal, *dealer, *cards, *exposed;

    Batch read(const char *body) {
        uint32_t head[2];
        memcpy(head, body, sizeof head);
        count = head[0];
        card_stops = reinterpret_cast<const int64_t *>(body + HEAD);
        exposed_stops = card_stops + count;
        rounds = exposed_stops + count;
        table = rounds + count;
        seats = reinterpret_cast<const int32_t *>(table + WIDTH * count);
        calls = reinterpret_cast<const uint8_t *>(seats + count);
        legal = calls + count;
        dealer = legal + count;
        cards = dealer + 2 * count;
        exposed = cards + (count ? card_stops[count - 1] : 0);
        return Batch{count, seats, rounds};
    }

    // Show a player what lay face up since its last question.
    template <class Player, class MakeCard>
    void show(Player *player, size_t place, MakeCard card) const {
        int64_t begin = place ? exposed_stops[place - 1] : 0;
        for (int64_t at = begin; at < exposed_stops[place]; at++) {
            bool is_shuffle = exposed[at] == SHUFFLED;
            call_now = is_shuffle ? "shuffled" : "expose";
            if (is_shuffle) player->shuffled();
            else player->expose(card(exposed[at]));
        }
    }

    // The least wager, in chips.
    int64_t least(size_t place) const { return table[WIDTH * place + MINIMUM]; }

    // Ask a player for its wager.
    template <class Player> int64_t wager(Player *player, size_t place) const {
        const int64_t *row = table + WIDTH * place, widest = UINT32_MAX;
        int64_t bankroll = row[BANKROLLS + row[0]], minimum = least(place);
        int64_t most = bankroll < row[MAXIMUM] ? bankroll : row[MAXIMUM];
        call_now = "bet";
        int64_t chips = player->bet(bankroll < widest ? bankroll : widest, minimum);
        if (minimum <= chips && chips <= most) return chips;
        Text message;
        if (minimum == most) {
            (message += "bet: your bet must be exactly ") += most;
            (message += " here; you bet ") += chips;
            return refuse(message);
        }
        (message += "bet: your bet must be a whole number from ") += minimum;
        (message += " to ") += most;
        (message += "; you bet ") += chips;
        return refuse(message);
    }

    // Where the hand in play begins among the cards.
    int64_t first_card(size_t place) const { return place ? card_stops[place - 1] : 0; }
};

}  // namespace tourney

#endif
