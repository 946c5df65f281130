"""A demonstration course: `tourney serve --demo`.

Its people and players are invented. Their submissions pass through the queue, the check and
practice like all others. Second factors are off and passwords are printed, so it listens on
loopback only.
"""

import asyncio
import json
from collections.abc import Mapping
from contextlib import closing
from secrets import token_urlsafe

from tourney.config.games import load_game
from tourney.course.class_folder import begin_class
from tourney.course.roster import Person
from tourney.errors import PortalError
from tourney.plugins.loading import load_plugins
from tourney.portal import audit, jobs
from tourney.portal.accounts import add_account, add_course, add_member
from tourney.portal.course_jobs import told_of
from tourney.portal.database import open_database, set_setting
from tourney.portal.inbox import put
from tourney.portal.passwords import hash_password
from tourney.portal.places import Places
from tourney.sqlite.database import Database
from tourney.tournament.catalog import catalog_of

COURSE, GAME = "cards", "ve280,shuffle=uniform"
PLAYER = '''\
from tourney import Player


class Mine(Player):
    """Draws below {total}, and wagers {times} times the minimum."""

    def bet(self, bankroll, minimum):
        return min(bankroll, minimum * {times})

    def draw(self, dealer, player):
        return player.{attribute} < {total}
'''
PLAYERS: Mapping[str, str] = {
    "Ann": PLAYER.format(attribute="total", total=15, times=1),
    "Ben": PLAYER.format(attribute="total", total=16, times=1),
    "Cleo": PLAYER.format(attribute="total", total=17, times=1),
    "Dan": PLAYER.format(attribute="total", total=12, times=3),
    "Eve": PLAYER.format(attribute="points", total=16, times=1),  # no hand has this attribute
}
"""Submissions of the students; Eve's has a fault, to show its report."""


def make_demo(places: Places) -> Mapping[str, str]:
    """Create a course with people and submissions; give passwords by login.

    Args:
        places: Of a portal without accounts.
    Raises: PortalError, if it has accounts.
    """
    logins = ("lecturer", *(name.lower() for name in PLAYERS))
    passwords = {login: token_urlsafe(9) for login in logins}
    with closing(open_database(places)) as database:
        if database.first("SELECT 1 FROM accounts"):
            raise PortalError(
                f"{places.root}: this portal has accounts; use a new folder for --demo"
            )
        begin_class(
            places.course(COURSE),
            [Person(name, (name,)) for name in PLAYERS],
            load_game(GAME, catalog_of(load_plugins())),
            "Demonstration",
        )
        hashes = asyncio.run(_hashed(passwords))
        with database.transaction():
            course = _add_people(database, places, hashes)
        for name, text in PLAYERS.items():
            _hand_in(database, places, course, name, text)
    return passwords


async def _hashed(passwords: Mapping[str, str]) -> dict[str, str]:
    return {login: await hash_password(password) for login, password in passwords.items()}


def _add_people(database: Database, places: Places, hashes: Mapping[str, str]) -> int:
    set_setting(database, "second_factor", "off")
    set_setting(database, "title", "Demonstration")
    lecturer = add_account(database, "lecturer", "The lecturer", hashes["lecturer"], is_admin=True)
    course = add_course(database, COURSE, "Cards")
    add_member(database, course, lecturer, "lecturer")
    for name in PLAYERS:
        student = add_account(database, name.lower(), name, hashes[name.lower()])
        add_member(database, course, student, "student", person=name, name=name)
    told = json.dumps(told_of(places.course(COURSE)))
    database.execute("UPDATE courses SET told = ? WHERE id = ?", (told, course))
    audit.note(database, "demonstration made", account=lecturer, course=course)
    return course


def _hand_in(database: Database, places: Places, course: int, name: str, text: str) -> None:
    row = database.first("SELECT id FROM accounts WHERE login = ?", (name.lower(),))
    assert row
    upload = put(places, text.encode())
    payload = {"file": upload.name, "title": f"{name.lower()}.py", "author": name}
    jobs.add(database, "check", payload, course=course, account=row[0], name=name)
