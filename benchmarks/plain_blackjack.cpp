// The plain loop of plain_blackjack.py in C++: one seat against the dealer.
//
// It reads the fields of `Plain` as whole numbers from stdin, each array after its length. It plays
// blocks of 1,000 rounds and prints the mean of each round in minimums, the variance of a block's
// mean times 1,000, and nanoseconds of CPU time per round.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

using Numbers = std::vector<int>;
enum { HIT = HIT_CODE, STAND = STAND_CODE, DOUBLE = DOUBLE_CODE, SPLIT = SPLIT_CODE };

static int number() {
    int found;
    if (std::scanf("%d", &found) != 1) std::exit(2);
    return found;
}

static Numbers numbers() {
    Numbers found(number());
    for (int &each : found) each = number();
    return found;
}

struct Hand {
    int total, soft, size, pair, stake, end;
};

static void add(int &total, int &soft, int value) {
    total += value;
    soft += value == 11;
    while (total > 21 && soft) total -= 10, --soft;
    soft = soft > 0;
}

struct Game {
    int decks, reshuffle, hits_soft_17, ends_at_once, shows_both, stands_on_21;
    int doubles, splits, surrenders, hands;
    Numbers moves, stand_from, tags, units, values;
    int first, never;
    std::vector<uint8_t> deck;
    uint32_t left = 0;
    int count = 0;
    uint64_t state[4];

    uint64_t next() {  // xoshiro256++
        auto turn = [](uint64_t word, int by) { return word << by | word >> (64 - by); };
        uint64_t found = turn(state[0] + state[3], 23) + state[0], moved = state[1] << 17;
        state[2] ^= state[0], state[3] ^= state[1], state[1] ^= state[2], state[0] ^= state[3];
        state[2] ^= moved, state[3] = turn(state[3], 45);
        return found;
    }

    int draw() {  // shuffles no more of the shoe than it deals
        uint32_t at = (next() >> 32) * left >> 32;
        std::swap(deck[at], deck[--left]);
        int code = deck[left];
        count += tags[code];
        return values[code];
    }

    int choose(const Hand &hand, int dealer, int upcard, int mask) const {
        if (!moves.empty()) {
            int row = hand.pair ? 44 + hand.pair : hand.soft * 22 + hand.total;
            if (int move = moves[(row * 44 + dealer) * 8 + mask]) return move;
        }
        return stand_from[(hand.soft * 22 + hand.total) * 12 + upcard] == never ? HIT : STAND;
    }

    int play_seat(Hand *held, int dealer, int upcard) {
        int number = 1;
        for (int at = 0; at < number;) {
            Hand &hand = held[at];
            if (hand.end || hand.total > 21 || (stands_on_21 && hand.total == 21)) {
                ++at;
                continue;
            }
            int mask = 0;
            if (hand.size == 2)
                mask = doubles + 2 * (splits && hand.pair && number < hands) +
                       4 * (surrenders && number == 1);
            int move = choose(hand, dealer, upcard, mask);
            if (move == HIT || move == DOUBLE) {
                add(hand.total, hand.soft, draw());
                ++hand.size, hand.pair = 0;
                if (move == DOUBLE) hand.stake = 2, hand.end = 1;
            } else if (move == STAND) {
                hand.end = 1;
            } else if (move == SPLIT) {
                int value = hand.pair;
                for (int one : {at, number}) {
                    int card = draw(), total = value, soft = value == 11;
                    add(total, soft, card);
                    held[one] = {total, soft, 2, value * (card == value), 1, value == 11};
                }
                ++number;
            } else {
                hand.end = 2;
            }
        }
        return number;
    }

    double round() {
        if (left < uint32_t(reshuffle > 1 ? reshuffle : 1)) left = deck.size(), count = 0;
        int step = count > first ? count - first : 0;
        if (step >= int(units.size())) step = units.size() - 1;
        double wager = units[step];
        int low = draw(), upcard = draw(), high = draw(), hole = draw();
        int total = low, soft = low == 11, dealer = upcard, dealer_soft = upcard == 11;
        add(total, soft, high);
        add(dealer, dealer_soft, hole);
        if (ends_at_once && dealer == 21) return total == 21 ? 0 : -wager;
        if (total == 21) return 1.5 * wager;
        Hand held[8] = {{total, soft, 2, low * (low == high), 1, 0}};
        int shown = shows_both ? dealer_soft * 22 + dealer : (upcard == 11) * 22 + upcard;
        int number = play_seat(held, shown, upcard);
        bool waits = false;
        for (int at = 0; at < number; ++at) waits |= held[at].total <= 21 && held[at].end != 2;
        while (waits && (dealer < 17 || (dealer == 17 && dealer_soft && hits_soft_17)))
            add(dealer, dealer_soft, draw());
        double won = 0;
        for (int at = 0; at < number; ++at) {
            double stake = wager * held[at].stake;
            int mine = held[at].total;
            if (held[at].end == 2) won -= stake / 2;
            else if (mine > 21) won -= stake;
            else if (dealer > 21 || mine > dealer) won += stake;
            else if (mine < dealer) won -= stake;
        }
        return won;
    }
};

int main(int, char **arguments) {
    Game game;
    for (int *each : {&game.decks, &game.reshuffle, &game.hits_soft_17, &game.ends_at_once,
                      &game.shows_both, &game.stands_on_21, &game.doubles, &game.splits,
                      &game.surrenders, &game.hands, &game.first, &game.never})
        *each = number();
    for (Numbers *each : {&game.moves, &game.stand_from, &game.tags, &game.units, &game.values})
        *each = numbers();
    for (int card = 0; card < 52 * game.decks; ++card) game.deck.push_back(card % 52);
    for (int at = 0; at < 4; ++at) game.state[at] = 0x9e3779b97f4a7c15u * (at + 1);
    int blocks = std::atoi(arguments[1]);
    double sum = 0, squares = 0;
    std::clock_t began = std::clock();
    for (int block = 0; block < blocks; ++block) {
        double won = 0;
        game.left = 0;
        for (int round = 0; round < 1000; ++round) won += game.round();
        sum += won / 1000, squares += won / 1000 * won / 1000;
    }
    double seconds = double(std::clock() - began) / CLOCKS_PER_SEC, mean = sum / blocks;
    double variance = (squares - blocks * mean * mean) / (blocks - 1) * 1000;
    std::printf("%.9f %.9f %.3f\n", mean, variance, seconds / blocks * 1e6);
}
