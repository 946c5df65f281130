// Players as a student writes them: correct where SIMPLE and COUNTING are 0, else one of them has
// the bug of that number.
#include "player.h"

static int upcard(Card dealer) {
    if (dealer.spot == ACE) return 11;
    return dealer.spot >= TEN ? 10 : dealer.spot + 2;
}

class Simple : public Player {
 public:
    int bet(unsigned int bankroll, unsigned int minimum) {
        // Simple 1: Bets all it has.
        // Caught by: the wager with a bankroll above the minimum.
        if (SIMPLE == 1) return bankroll;

        // Simple 2: Bets five chips, whatever the minimum is.
        // Caught by: the wager at a minimum other than 5.
        if (SIMPLE == 2) return 5;

        return minimum;
    }

    bool draw(Card dealer, const Hand &player) {
        HandValue value = player.handValue();
        int shown = upcard(dealer);

        // Simple 3: Plays soft hands by the rules for hard ones.
        // Caught by: a soft 17, or a soft 13 to 16 against a 2 to 6.
        if (SIMPLE == 3) value.soft = false;

        // Simple 4: Takes the dealer's ace for a 1, and stands on a hard 13 to 16 against it.
        // Caught by: a hard 13 to 16 against an ace.
        if (SIMPLE == 4 && shown == 11) shown = 1;

        return value.soft ? drawsSoft(value.count, shown) : drawsHard(value.count, shown);
    }

    bool drawsHard(int count, int shown) {
        // Simple 5: Stands on a hard 11.
        // Caught by: a hard 11.
        if (count <= (SIMPLE == 5 ? 10 : 11)) return true;

        // Simple 6: Hits a hard 12 against a 4.
        // Caught by: a hard 12 against a 4.
        // Simple 7: Stands on a hard 12 against a 2 or 3, as on 13 to 16.
        // Caught by: a hard 12 against a 2 or 3.
        if (count == 12) return shown < (SIMPLE == 6 ? 5 : SIMPLE == 7 ? 2 : 4) || shown > 6;

        // Simple 8: Stands on a hard 16 against everything.
        // Caught by: a hard 16 against a 7 or more.
        // Simple 9: Hits a hard 17 against a 7 or more.
        // Caught by: a hard 17 against a 7 or more.
        int most = SIMPLE == 8 ? 15 : SIMPLE == 9 ? 17 : 16;

        // Simple 10: Stands on a hard 13 to 16 against a 7 as well.
        // Caught by: a hard 13 to 16 against a 7.
        // Simple 11: Hits a hard 13 to 16 against a 2.
        // Caught by: a hard 13 to 16 against a 2.
        if (SIMPLE == 11 && shown == 2) return count <= most;
        return count <= most && shown > (SIMPLE == 10 ? 7 : 6);
    }

    bool drawsSoft(int count, int shown) {
        // Simple 12: Stands on a soft 17.
        // Caught by: a soft 17.
        if (count <= (SIMPLE == 12 ? 16 : 17)) return true;

        // Simple 13: Stands on a soft 18 against everything.
        // Caught by: a soft 18 against a 3 to 6, or a 9 or more.
        if (count > 18 || SIMPLE == 13) return false;

        // Simple 14: Hits a soft 18 against a 2.
        // Caught by: a soft 18 against a 2.
        if (shown == 2) return SIMPLE == 14;

        // Simple 15: Stands on a soft 18 against a 9 as well.
        // Caught by: a soft 18 against a 9.
        return shown < 7 || shown > (SIMPLE == 15 ? 9 : 8);
    }

    void expose(Card) { }
    void shuffled() { }
};

class Counting : public Simple {
    int count;

 public:
    Counting() : count(0) { }

    int bet(unsigned int bankroll, unsigned int minimum) {
        // Counting 1: Doubles its wager at a count of +1 already.
        // Caught by: the wager at a count of +1.
        // Counting 2: Doubles its wager above a count of +2 only.
        // Caught by: the wager at a count of +2.
        bool high = count >= (COUNTING == 1 ? 1 : COUNTING == 2 ? 3 : 2);

        // Counting 3: Doubles its wager at a count of exactly +2.
        // Caught by: the wager at a count of +3.
        if (COUNTING == 3) high = count == 2;

        // Counting 4: Doubles its wager only with more than the double in its bankroll.
        // Caught by: the wager with a bankroll of exactly the double.
        bool affords = COUNTING == 4 ? bankroll > 2 * minimum : bankroll >= 2 * minimum;

        // Counting 5: Doubles its wager without a look at its bankroll.
        // Caught by: the wager at a high count with less than the double.
        if (COUNTING == 5) affords = true;

        // Counting 6: Bets all it has at a high count if that is less than the double.
        // Caught by: the wager at a high count with a little less than the double.
        if (COUNTING == 6 && high && !affords) return bankroll;

        int wager = high && affords ? 2 * minimum : minimum;

        // Counting 7: Begins its count again with every round.
        // Caught by: two wagers at the same high count.
        if (COUNTING == 7) count = 0;

        return wager;
    }

    void expose(Card c) {
        // Counting 8: Counts sevens as low cards.
        // Caught by: the wager after sevens.
        // Counting 9: Does not count sixes.
        // Caught by: the wager after sixes.
        int low = c.spot <= (COUNTING == 8 ? SEVEN : COUNTING == 9 ? FIVE : SIX);

        // Counting 10: Does not count tens, only court cards and aces.
        // Caught by: the wager after low cards and tens.
        int high = c.spot >= (COUNTING == 10 ? JACK : TEN);

        // Counting 11: Does not count aces.
        // Caught by: the wager after low cards and aces.
        if (COUNTING == 11 && c.spot == ACE) high = 0;

        // Counting 12: Adds for high cards and subtracts for low ones.
        // Caught by: the wager after some low cards.
        count += COUNTING == 12 ? high - low : low - high;

        // Counting 13: Does not count below zero.
        // Caught by: high cards first and then low ones.
        if (COUNTING == 13 && count < 0) count = 0;
    }

    void shuffled() {
        // Counting 14: Keeps its count when the deck is shuffled.
        // Caught by: the wager after a high count and a shuffle.
        // Counting 15: Begins again at zero after a shuffle only if the count was above.
        // Caught by: a low count, a shuffle, and then a count of +2.
        if (COUNTING != 14 && (COUNTING != 15 || count > 0)) count = 0;
    }
};

static Simple simple;
static Counting counting;

Player *get_Simple() { return &simple; }
Player *get_Counting() { return &counting; }
