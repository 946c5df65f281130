"""Every bundled player of Straights keeps the contract."""

from tourney.strategies.blocker import Blocker
from tourney.strategies.bookkeeper import Bookkeeper
from tourney.strategies.first_legal import FirstLegal
from tourney.strategies.gatekeeper import Gatekeeper
from tourney.strategies.pathfinder import Pathfinder
from tourney.strategies.salvager import Salvager
from tourney.strategies.surveyor import Surveyor
from tourney.strategies.thrifty import Thrifty
from tourney.testing import StraightsPlayerConformance


class TestFirstLegal(StraightsPlayerConformance):
    competitor = FirstLegal


class TestBlocker(StraightsPlayerConformance):
    competitor = Blocker


class TestGatekeeper(StraightsPlayerConformance):
    competitor = Gatekeeper


class TestThrifty(StraightsPlayerConformance):
    competitor = Thrifty


class TestPathfinder(StraightsPlayerConformance):
    competitor = Pathfinder


class TestSalvager(StraightsPlayerConformance):
    competitor = Salvager


class TestSurveyor(StraightsPlayerConformance):
    competitor = Surveyor


class TestBookkeeper(StraightsPlayerConformance):
    competitor = Bookkeeper
