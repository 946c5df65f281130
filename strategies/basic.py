"""Basic: what is best against the upcard if nothing is known of the shoe but its size.

Why it might win: to double, split and surrender where the published tables do leaves the house
about half a wager in a hundred rounds. The tables differ with the rules. A dealer who hits soft 17
is doubled against more often; of one deck every card that is gone matters; and who may lose a
double to a natural, as without a hole card, does not double against a ten or an ace.
Leaves out the wager, which is always the minimum, and the cards that have gone; `counter` has
an eye on both. Declines insurance, which loses without a count.
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
