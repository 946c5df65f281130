// Asks players of straights_player.h. The layout of a batch is that of
// tourney/games/straights/codec.py, which tells only what is new; a seat remembers the rest.
#include "straights_player.h"

#include <cstring>

#include "game.h"

namespace tourney {

namespace {

const size_t HEAD = 16;
const uint8_t FACE_DOWN = 255;
const int RANKS = 13, DECK = 52, HAND = DECK / SEATS, ACE = 12;
const Suit SUITS[] = {SPADES, HEARTS, CLUBS, DIAMONDS};  // as codes count them
const char *const SUIT_NAMES[] = {"Clubs", "Diamonds", "Hearts", "Spades"};
const char *const RANK_NAMES[] = {"Ace",   "Two",  "Three", "Four", "Five",  "Six", "Seven",
                                  "Eight", "Nine", "Ten",   "Jack", "Queen", "King"};

Card card(uint8_t code) {
    int rank = code % RANKS;
    return Card{rank == ACE ? 1 : rank + 2, SUITS[code / RANKS]};
}

void name(Text &to, const Card &card) {
    if (card.rank < 1 || card.rank > RANKS || card.suit < CLUBS || card.suit > SPADES) {
        to += "no card";
        return;
    }
    ((to += RANK_NAMES[card.rank - 1]) += " of ") += SUIT_NAMES[card.suit];
}

// What a seat has seen of its round.
struct Seen {
    int64_t round;
    int moves;
    uint8_t seats[DECK], codes[DECK];
};

SEAT_STATE StraightsPlayer *player = nullptr;
SEAT_STATE Seen seen = {};

struct Turns {
    const int64_t *rounds, *scores;
    const uint8_t *places, *sizes, *cards;
    HostVector<size_t> starts;  // of each turn's cards

    Batch read(const char *body) {
        uint32_t head[2];
        memcpy(head, body, sizeof head);
        size_t count = head[0];
        rounds = reinterpret_cast<const int64_t *>(body + HEAD);
        scores = rounds + count;
        const int32_t *seats = reinterpret_cast<const int32_t *>(scores + SEATS * count);
        places = reinterpret_cast<const uint8_t *>(seats + count);
        sizes = places + count;
        cards = sizes + 4 * count;
        starts.resize(count);
        size_t at = 0;
        for (size_t place = 0; place < count; place++) {
            const uint8_t *each = sizes + 4 * place;  // hand, plays, discards, moves
            starts[place] = at;
            at += each[0] + each[1] + each[2] + 2 * each[3];
        }
        return Batch{count, seats, rounds};
    }
};

Turns asked;

void take(std::vector<Card> &to, const uint8_t *&from, int count) {
    for (; count; count--) to.push_back(card(*from++));
}

void remember(int64_t round, const uint8_t *moves, int count) {
    if (seen.round != round) seen = Seen{};
    seen.round = round;
    for (; count; count--, seen.moves++) {
        seen.seats[seen.moves] = *moves++;
        seen.codes[seen.moves] = *moves++;
    }
}

void see(StraightsView &view) {
    for (int at = 0; at < seen.moves; at++) {
        Move move = {seen.seats[at], seen.codes[at] == FACE_DOWN, Card{}};
        if (move.isDiscard) {
            view.discardCounts[move.seat]++;
        } else {
            move.card = card(seen.codes[at]);
            Pile &pile = view.table[move.card.suit];
            if (pile.isEmpty() || move.card.rank < pile.low) pile.low = move.card.rank;
            if (move.card.rank > pile.high) pile.high = move.card.rank;
        }
        view.history.push_back(move);
    }
    int first = seen.moves ? seen.seats[0] : view.seat;
    for (int seat = 0; seat < SEATS; seat++) {
        int after = (seat + SEATS - first) % SEATS;  // the first one's move
        view.handSizes[seat] = HAND - (seen.moves + SEATS - 1 - after) / SEATS;
    }
}

int64_t refused(const StraightsView &view, const Card &got) {
    Text message;
    message += "play: expected to ";
    message += view.mustDiscard() ? "discard one of " : "play one of ";
    const std::vector<Card> &legal = view.mustDiscard() ? view.hand : view.legalPlays;
    for (size_t at = 0; at < legal.size(); at++) name(message += at ? ", " : "", legal[at]);
    name(message += ", got ", got);
    return refuse(message);
}

}  // namespace

const int64_t seat_flags = 0;

const char opening_lines[] =
    "game straights\n"
    "column rounds q 1\n"
    "column scores q 4\n"
    "column seats i 1\n"
    "column places B 1\n"
    "column sizes B 4\n"
    "column cards B 0\n";

bool make_player() {
    player = get_Competitor();
    return player;
}

Batch read_batch(const char *body) {
    return asked.read(body);
}

int64_t ask(size_t place) {
    const uint8_t *sizes = asked.sizes + 4 * place, *from = asked.cards + asked.starts[place];
    StraightsView view = {};
    view.seat = asked.places[place];
    take(view.hand, from, sizes[0]);
    take(view.legalPlays, from, sizes[1]);
    take(view.discards, from, sizes[2]);
    remember(asked.rounds[place], from, sizes[3]);
    see(view);
    for (int seat = 0; seat < SEATS; seat++) view.scores[seat] = asked.scores[SEATS * place + seat];
    call_now = "play";
    Card chosen = player->play(view);
    const std::vector<Card> &legal = view.mustDiscard() ? view.hand : view.legalPlays;
    for (size_t at = 0; at < legal.size(); at++)
        if (legal[at] == chosen) return at;
    return refused(view, chosen);
}

}  // namespace tourney
