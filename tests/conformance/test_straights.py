"""Every bundled player of Straights keeps the contract."""

from strategies.blocker import Blocker
from strategies.bookkeeper import Bookkeeper
from strategies.first_legal import FirstLegal
from strategies.gatekeeper import Gatekeeper
from strategies.pathfinder import Pathfinder
from strategies.salvager import Salvager
from strategies.surveyor import Surveyor
from strategies.thrifty import Thrifty
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
