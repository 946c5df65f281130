"""Every bundled chart keeps the contract of players that act."""

from tourney.games.blackjack.rules import EUROPEAN, SINGLE_DECK, SIX_DECKS_H17, SIX_DECKS_S17
from tourney.strategies.basic import (
    BasicEuropean,
    BasicSingleDeck,
    BasicSixDecksH17,
    BasicSixDecksS17,
)
from tourney.strategies.charted import EasyBJChart, MimicChart, NeverBustChart
from tourney.strategies.counter import Counter
from tourney.testing import ActPlayerConformance


class TestTheDocumentsChart(ActPlayerConformance):
    competitor = EasyBJChart


class TestMimicChart(ActPlayerConformance):
    competitor = MimicChart


class TestNeverBustChart(ActPlayerConformance):
    competitor = NeverBustChart


class TestBasicSixDecksH17(ActPlayerConformance):
    competitor = BasicSixDecksH17
    dealer_shows_both = False
    tables = ((SIX_DECKS_H17, 1), (SIX_DECKS_H17, 3))


class TestBasicSixDecksS17(ActPlayerConformance):
    competitor = BasicSixDecksS17
    dealer_shows_both = False
    tables = ((SIX_DECKS_S17, 1), (SIX_DECKS_S17, 3))


class TestBasicSingleDeck(ActPlayerConformance):
    competitor = BasicSingleDeck
    dealer_shows_both = False
    tables = ((SINGLE_DECK, 1), (SINGLE_DECK, 3))


class TestBasicEuropean(ActPlayerConformance):
    competitor = BasicEuropean
    dealer_shows_both = False
    tables = ((EUROPEAN, 1), (EUROPEAN, 3))


class TestCounter(ActPlayerConformance):
    competitor = Counter
    dealer_shows_both = False
    tables = ((SIX_DECKS_H17, 1), (SIX_DECKS_H17, 3))
