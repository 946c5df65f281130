"""The process `checker`."""

from argparse import Namespace

from tourney.portal import organising
from tourney.portal.places import Places
from tourney.portal.working import work


def main(places: Places, asked: Namespace) -> None:
    """Do jobs until a signal says to leave."""
    del asked
    work(places, organising.HANDLERS)
