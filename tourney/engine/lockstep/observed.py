"""What lay before a seat that was asked in lockstep, from the arrays of its question.

The same words as the reference engine finds.
"""

from tourney.asking.laid_out import LEGAL
from tourney.asking.observed import action_seen, draw_seen, fixed_seen, wager_seen
from tourney.cards.card import CARDS
from tourney.players.questions import (
    BANKROLLS,
    BEFORE_ROUND,
    MINIMUM,
    NO_CARD,
    SEAT,
    WAGERS,
    Call,
    Questions,
    limits,
    starts,
)


def seen_at(questions: Questions, place: int) -> str:
    """Say what lay before a seat; nothing, if it was only shown the last cards.

    Args:
        questions: A batch.
        place: Of the seat's question in it.
    """
    call, row = Call(questions.calls[place]), questions.table[place]
    if call is Call.LOOK and questions.legal[place] != BEFORE_ROUND:
        return ""
    if call is Call.LOOK:
        return fixed_seen(int(row[BANKROLLS + row[SEAT]]), int(row[MINIMUM]))
    if call is Call.WAGER:
        found = limits(questions.table[place : place + 1])
        bankroll, least, most = (int(each[0]) for each in found)
        return wager_seen(bankroll, least, most)
    chips = int(row[BANKROLLS + row[SEAT]]), int(row[WAGERS + row[SEAT]])
    first, stop = starts(questions.card_stops)[place], questions.card_stops[place]
    hand = [CARDS[code] for code in questions.cards[first:stop].tolist()]
    dealer = [CARDS[code] for code in questions.dealer[place].tolist() if code != NO_CARD]
    if call is Call.DRAW:
        return draw_seen(chips, dealer[0], hand)
    return action_seen(chips, dealer, hand, LEGAL[questions.legal[place]])
