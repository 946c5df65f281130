"""Every bundled competitor keeps the contract, and is what its file says."""

from typing import ClassVar

from strategies.chaser import Chaser
from strategies.composition import Composition
from strategies.counting import Counting
from strategies.edge import Edge
from strategies.finisher import Finisher
from strategies.kelly import Kelly
from strategies.leader import Leader
from strategies.mimic import Mimic
from strategies.never_bust import NeverBust
from strategies.progression import Progression
from strategies.ramp import Ramp
from strategies.sharp import Sharp
from strategies.simple import Simple
from strategies.survivor import Survivor
from tourney.testing import PlayerConformance

CHART_PLAYER = {
    "watches_cards": False,
    "bets_flat": True,
    "never_busts": False,
    "ignores_upcard": False,
}
COUNTER = {
    "watches_cards": True,
    "bets_flat": False,
    "never_busts": False,
    "ignores_upcard": False,
}


class TestSimple(PlayerConformance):
    competitor = Simple
    traits = CHART_PLAYER


class TestCounting(PlayerConformance):
    competitor = Counting
    traits = COUNTER


class TestNeverBust(PlayerConformance):
    competitor = NeverBust
    traits = CHART_PLAYER | {"never_busts": True, "ignores_upcard": True}


class TestMimic(PlayerConformance):
    competitor = Mimic
    traits = CHART_PLAYER | {"ignores_upcard": True}


class TestProgression(PlayerConformance):
    competitor = Progression
    traits = CHART_PLAYER | {"bets_flat": False}


class TestProgressionThatNeverClimbs(PlayerConformance):
    competitor = Progression
    options: ClassVar = {"most": 1}
    traits = CHART_PLAYER


class TestSharp(PlayerConformance):
    competitor = Sharp
    traits = CHART_PLAYER


class TestRamp(PlayerConformance):
    competitor = Ramp
    traits = COUNTER


class TestRampWithoutASpread(PlayerConformance):
    competitor = Ramp
    options: ClassVar = {"spread": 1, "decks": 2}
    traits = COUNTER | {"bets_flat": True}


class TestComposition(PlayerConformance):
    competitor = Composition
    traits = COUNTER | {"bets_flat": True}


class TestEdge(PlayerConformance):
    competitor = Edge
    traits = COUNTER


class TestKelly(PlayerConformance):
    competitor = Kelly
    options: ClassVar = {"percent": 100}
    traits = COUNTER


class TestSurvivor(PlayerConformance):
    competitor = Survivor
    traits = COUNTER


class TestChaser(PlayerConformance):
    competitor = Chaser
    traits = CHART_PLAYER | {"bets_flat": False}


class TestLeader(PlayerConformance):
    competitor = Leader
    traits = CHART_PLAYER | {"bets_flat": False}


class TestFinisher(PlayerConformance):
    competitor = Finisher
    traits = CHART_PLAYER | {"bets_flat": False}
