"""Basic: the best moves against the upcard if only the size of the shoe is known.

Why it might win: with the doubles, splits and surrenders of the published tables, the house wins
only about half a wager in a hundred rounds. The tables depend on the rules. They double more often
if the dealer hits soft 17. With one deck, every card that is gone matters. Without a hole card, a
double can lose to a natural, so they do not double against a ten or an ace.
Limits: it always wagers the minimum and ignores the cards that are gone; `counter` uses both. It
declines insurance, which loses without a count.
Source: [Griffin1999] and [Schlesinger2005] in docs/sources.md.
"""

from importlib.resources import files

from tourney import ChartPlayer, Player, hookimpl, read_chart

CHARTS = files("tourney.strategies") / "charts"


class BasicSixDecksH17(ChartPlayer):
    """Plays the table for six decks where the dealer hits soft 17."""

    chart = read_chart(
        (CHARTS / "basic_six_decks_h17.txt").read_text(encoding="utf-8"), "basic_six_decks_h17.txt"
    )


class BasicSixDecksS17(ChartPlayer):
    """Plays the table for six decks where the dealer stands on soft 17."""

    chart = read_chart(
        (CHARTS / "basic_six_decks_s17.txt").read_text(encoding="utf-8"), "basic_six_decks_s17.txt"
    )


class BasicSingleDeck(ChartPlayer):
    """Plays the table for one deck where the dealer hits soft 17."""

    chart = read_chart(
        (CHARTS / "basic_single_deck.txt").read_text(encoding="utf-8"), "basic_single_deck.txt"
    )


class BasicEuropean(ChartPlayer):
    """Plays the table for six decks without a hole card."""

    chart = read_chart(
        (CHARTS / "basic_european.txt").read_text(encoding="utf-8"), "basic_european.txt"
    )


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer the charts."""
    return {
        "basic-six-decks-h17": BasicSixDecksH17,
        "basic-six-decks-s17": BasicSixDecksS17,
        "basic-single-deck": BasicSingleDeck,
        "basic-european": BasicEuropean,
    }
