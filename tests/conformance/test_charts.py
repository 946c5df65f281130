"""Every bundled chart keeps the contract of players that act."""

from strategies.charted import EasyBJChart, MimicChart, NeverBustChart
from tourney.testing import ActPlayerConformance


class TestTheDocumentsChart(ActPlayerConformance):
    competitor = EasyBJChart


class TestMimicChart(ActPlayerConformance):
    competitor = MimicChart


class TestNeverBustChart(ActPlayerConformance):
    competitor = NeverBustChart
