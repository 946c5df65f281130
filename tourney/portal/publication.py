"""Published pages of a run in the portal's folder of sites, and feedback for students in portal.db.

Feedback is written when results are revealed, so that there is no feedback to request before.
"""

import shutil
from datetime import UTC, datetime

from tourney.course.feedback.collection import board_of, gather, site_at
from tourney.course.feedback.pages import as_html
from tourney.course.folder import Submissions
from tourney.course.submission_status import handed_in
from tourney.portal.accounts import Course
from tourney.portal.boards import PortalRun
from tourney.portal.course_runs import registry, sites_of
from tourney.portal.follower import policy_now
from tourney.portal.places import Places
from tourney.report.disclosure import pseudonyms_of, time_of, told_rows
from tourney.report.publish.collection import Wanted, collect
from tourney.report.redaction import told
from tourney.report.site.model import HomeData
from tourney.report.site.site_files import write_site
from tourney.sqlite.database import Database
from tourney.store.store import Store
from tourney.tournament.loading import enter_again
from tourney.tournament.stored_standings import standings_of


def publish(places: Places, course: Course, store: Store, noted: PortalRun, wanted: Wanted) -> None:
    """Write the pages of a run, replacing all earlier pages in one step."""
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
    home = HomeData(address=f"/c/{course.slug}", title=course.title)
    write_site(shown.model_copy(update={"home": home}), new)
    if place.is_dir():
        shutil.rmtree(place)
    new.rename(place)


SHEET = "/style/site.css"
"""The style sheet of feedback pages, served by the portal; its policy forbids inline styles."""


def answer_everybody(
    places: Places, database: Database, course: Course, store: Store, noted: PortalRun
) -> None:
    """Write the feedback of all students, if results are revealed; earlier feedback is replaced."""
    record = store.run(noted.number)
    tournament, now = enter_again(record, registry(), plays=False), datetime.now(UTC)
    policy = policy_now(tournament, noted)
    if record.status != "finished" or policy.seals(time_of(record.finished), now):
        return
    rows = standings_of(tournament, store, record)
    shown = told_rows(policy, rows, record.finished, now, pseudonyms_of(tournament.records))
    withheld = noted.withheld(tournament.records)
    called = [withheld.get(row.name, row.name) for row in shown]
    board = board_of(tournament, store, record, registry(), called=called, withheld="")
    folder = places.site(course.slug, noted.id)
    site = site_at(folder, record, folder, f"/c/{course.slug}/site/{noted.id}")
    everybody, _ = handed_in(Submissions(places.course(course.slug)))
    pages = [
        (noted.id, name, person.person, as_html(each, record.name, SHEET, site.links))
        for each in gather(board, everybody, site)
        for person in (each.handed_in.person,)
        for name in person.names
    ]
    with database.transaction():
        database.execute("DELETE FROM answers WHERE run = ?", (noted.id,))
        for page in pages:
            database.execute("INSERT INTO answers VALUES (?, ?, ?, ?)", page)
