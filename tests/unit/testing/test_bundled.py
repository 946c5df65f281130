"""Every bundled competitor keeps the contract, and is what its file says."""

from typing import ClassVar

from tourney.strategies.chaser import Chaser
from tourney.strategies.composition import Composition
from tourney.strategies.counting import Counting
from tourney.strategies.edge import Edge
from tourney.strategies.finisher import Finisher
from tourney.strategies.kelly import Kelly
from tourney.strategies.leader import Leader
from tourney.strategies.mimic import Mimic
from tourney.strategies.never_bust import NeverBust
from tourney.strategies.progression import Progression
from tourney.strategies.ramp import Ramp
from tourney.strategies.sharp import Sharp
from tourney.strategies.simple import Simple
from tourney.strategies.survivor import Survivor
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
