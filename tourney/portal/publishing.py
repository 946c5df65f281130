"""The pages of a run, in the portal's folder of sites."""

import shutil
from datetime import UTC, datetime

from tourney.event.entering import enter_again
from tourney.event.store import Store
from tourney.portal.accounts import Course
from tourney.portal.boards import PortalRun
from tourney.portal.follower import policy_now
from tourney.portal.places import Places
from tourney.portal.playing import registry, sites_of
from tourney.show.policy import told
from tourney.show.publish import Wanted, collect
from tourney.show.site import write_site
from tourney.show.terms import pseudonyms_of


def publish(places: Places, course: Course, store: Store, noted: PortalRun, wanted: Wanted) -> None:
    """Write the pages of a run in one piece, in place of those there were."""
    record = store.run(noted.number)
    tournament = enter_again(record, registry())
    data = collect(tournament, store, record, registry(), wanted=wanted)
    known = pseudonyms_of(tournament.records)
    withheld = noted.withheld(tournament.records)
    shown = told(policy_now(tournament, noted), data, datetime.now(UTC), known, withheld)
    sites = sites_of(places, course)
    new, place = sites / f".new-{noted.id}", sites / str(noted.id)
    sites.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(new, ignore_errors=True)
    write_site(shown, new)
    if place.is_dir():
        shutil.rmtree(place)
    new.rename(place)
