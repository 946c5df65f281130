"""The command group `serve`: the portal, and a demonstration course.

The people and players of the demonstration are invented. Their submissions pass through the queue,
the check and practice like all others. Second factors are off and passwords are printed, so a
demonstration listens on loopback only.
"""

import asyncio
import json
import logging
import os
import re
import signal
import socket
from argparse import Namespace
from collections.abc import Mapping
from contextlib import closing
from errno import ECONNREFUSED
from functools import partial
from importlib.util import find_spec
from ipaddress import ip_network
from pathlib import Path
from secrets import token_urlsafe
from typing import Any
from urllib.parse import urlsplit

import click

from tourney.cli.options import (
    CLUSTER,
    INSECURE_CLUSTER,
    NamedFile,
    cluster_of,
    note,
    refuse_beside,
    shared_option,
)
from tourney.config.games import load_game
from tourney.course.class_folder import TOURNAMENT, begin_class
from tourney.course.roster import Person
from tourney.errors import PortalError, TourneyError
from tourney.plugins.loading import load_plugins
from tourney.portal import audit, jobs
from tourney.portal.accounts import add_account, add_course, add_member
from tourney.portal.course_jobs import told_of
from tourney.portal.database import open_database, set_setting
from tourney.portal.jobs import put
from tourney.portal.passwords import hash_password
from tourney.portal.places import OTHERS, Places
from tourney.sqlite.database import Database
from tourney.tournament.catalog import catalog_of

COURSE, GAME = "cards", "ve280,shuffle=uniform"
HOUSE_PLAYERS = ("simple", "counting")
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
        _add_house_players(places.course(COURSE) / TOURNAMENT)
        hashes = asyncio.run(_hashed(passwords))
        with database.transaction():
            course = _add_people(database, places, hashes)
        for name, text in PLAYERS.items():
            _hand_in(database, places, course, name, text)
    return passwords


def _add_house_players(tournament: Path) -> None:
    """Enter strategies in the course's tournament, with which practice compares the students."""
    lines = (f"  - strategy: {name}\n" for name in HOUSE_PLAYERS)
    tournament.write_text(tournament.read_text(encoding="utf-8") + "".join(lines), encoding="utf-8")


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


NEEDED = ("argon2", "authlib", "pyotp", "segno", "starlette", "uvicorn")
DEFAULT = "start"
PORTS = {"http": 80, "https": 443}
"""Default ports, which browsers omit from addresses."""


LOOPBACK = {"127.0.0.1", "::1", "localhost"}


def _checked_url(_: click.Context, __: click.Parameter, url: str) -> str:
    """Give the portal's address as browsers write it; empty without one.

    Raises: TourneyError, if it is not a web address.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        is_fit = not url or (
            parts.scheme in PORTS
            and re.fullmatch(r"[a-z0-9.:_-]+", host) is not None
            and port != 0
            and not (parts.path.strip("/") or parts.query or parts.fragment or parts.username)
        )
    except ValueError:
        is_fit = False
    if not is_fit:
        raise TourneyError(
            f"--url: {url[:99]!r} is not a web address of a machine; use one such as "
            "https://cards.example.edu"
        )
    name = f"[{host}]" if ":" in host else host
    place = name if port in {None, PORTS.get(parts.scheme)} else f"{name}:{port}"
    return url and f"{parts.scheme}://{place}"


def _checked_proxies(
    _: click.Context, __: click.Parameter, proxies: tuple[str, ...]
) -> tuple[str, ...]:
    """Give the addresses or networks of proxies; `*` means any address.

    Raises: TourneyError, if an entry is invalid: it would match no proxy.
    """
    for each in proxies:
        try:
            ip_network("0.0.0.0/0" if each == "*" else each)
        except ValueError:
            raise TourneyError(
                f"--proxy: {each[:99]!r} is not an address; use that of a proxy, such as "
                "127.0.0.1, or of a network, such as 10.0.0.0/8"
            ) from None
    return proxies


class ServeGroup(click.Group):
    """A group whose first command may be omitted: `tourney serve DIR`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Add the omitted command."""
        if not args or (args[0] not in self.commands and args[0] not in {"-h", "--help"}):
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options of the omitted command, then the commands."""
        self.commands[DEFAULT].format_options(ctx, formatter)
        self.format_commands(ctx, formatter)


@click.group("serve", cls=ServeGroup, subcommand_metavar="[DIR | COMMAND [ARGS]...]")
def serve_command() -> None:
    """Serve a portal where students submit competitors.

    `tourney serve DIR` starts the portal in the folder DIR, which holds all its data. The first
    start prints a link with which the administrator creates an account.
    """


@serve_command.command(DEFAULT)
@click.argument(
    "folder", type=NamedFile(file_okay=False, path_type=Path), metavar="[DIR]", default="portal"
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option(
    "--port",
    default=8080,
    show_default=True,
    type=click.IntRange(1, 65535),
    help="Port to listen at.",
)
@click.option("--socket", default="", metavar="FILE", help="Listen at a Unix socket instead.")
@shared_option("--url", metavar="URL", default="", callback=_checked_url)
@click.option(
    "--proxy",
    multiple=True,
    metavar="ADDRESS",
    callback=_checked_proxies,
    help="Trust this proxy to name the sources of requests; may be repeated.",
)
@click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    default=None,
    help="Form of the log on standard error.  [default: text at a terminal, else json]",
)
@click.option(
    "--demo",
    is_flag=True,
    help="Create a demonstration course with people and players in a new DIR.",
)
@CLUSTER
@INSECURE_CLUSTER
def start_command(folder: Path, demo: bool, **how: Any) -> int:
    """Start the portal.

    The first start prints a link with which the administrator creates an account.
    """
    _check_installed()
    cluster_of(how["cluster"], is_insecure=how["insecure_cluster"])
    if how["socket"]:
        refuse_beside("--socket", "host", "port")
    from tourney.portal import logs  # noqa: PLC0415 - an extra
    from tourney.portal.supervisor import Supervisor  # noqa: PLC0415 - likewise

    how["log"] = how["log"] or logs.usual_style()
    places = Places(folder)
    os.umask(OTHERS)  # all processes inherit it
    _make_folders(places)
    logs.set_up("supervisor", how["log"])
    tell = partial(logs.say, level=logging.WARNING)

    def prepare() -> None:
        _check_free(how)
        if demo:
            _make_demo(places, how)

    supervisor = Supervisor(
        places,
        how,
        tell,
        prepare=prepare,
        is_ready=partial(_answers, how),
        announce=partial(_announce, places, how),
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, supervisor.stop)
    supervisor.run()
    return 0


def _answers(how: dict[str, Any]) -> bool:
    """Give whether the web process accepts connections."""
    if how["socket"]:
        family, address = socket.AF_UNIX, how["socket"]
    else:
        here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(how["host"], how["host"])  # noqa: S104 - asked for
        family = socket.AF_INET6 if ":" in here else socket.AF_INET
        address = (here, how["port"])
    with socket.socket(family) as tried:
        tried.settimeout(1)
        return tried.connect_ex(address) == 0


def _announce(places: Places, how: dict[str, Any]) -> None:
    """Print the address, and on a first start the link to create an account."""
    from tourney.portal.admin_actions import set_up_link  # noqa: PLC0415 - as above
    from tourney.portal.notifier import address_of  # noqa: PLC0415 - as above

    address = how["url"] or how["socket"] or address_of(Namespace(**how))
    link = set_up_link(places, address)
    click.echo(f"the portal in {places.root} answers at {address}")
    if not how["url"] and not how["socket"] and how["host"] not in LOOPBACK:
        click.echo(
            "it answers only to IP addresses and this machine's own name; set others with --url"
        )
    if link:
        click.echo(f"create the first account with this link (works once): {link}")


@serve_command.command("backup")
@click.argument("folder", type=NamedFile(file_okay=False, path_type=Path), metavar="DIR")
@click.argument("file", type=NamedFile(path_type=Path))
def backup_command(folder: Path, file: Path) -> None:
    """Write a portal into one file, while it is in use.

    FILE contains accounts, submissions and the secrets of runs. Protect it accordingly.
    """
    from tourney.portal.backup import back_up  # noqa: PLC0415 - as above

    count = back_up(Places(folder), file)
    note(f"{file}: {count} files of {folder}")


@serve_command.command("restore")
@click.argument("file", type=NamedFile(exists=True, dir_okay=False, path_type=Path))
@click.argument("folder", type=NamedFile(file_okay=False, path_type=Path), metavar="DIR")
def restore_command(file: Path, folder: Path) -> None:
    """Put a portal from a backup into a new folder."""
    from tourney.portal.backup import restore  # noqa: PLC0415 - as above

    restore(file, Places(folder))
    note(f"restored {folder}; start it with: tourney serve {folder}")


@serve_command.command("reset")
@click.argument("folder", type=NamedFile(file_okay=False, path_type=Path), metavar="DIR")
@click.option("--login", required=True, help="Login of the account.")
@click.option("--second-factor", is_flag=True, help="Reset the second factor, too.")
@shared_option(
    "--url",
    metavar="URL",
    default="http://127.0.0.1:8080",
    callback=_checked_url,
    show_default=True,
)
def reset_command(folder: Path, login: str, second_factor: bool, url: str) -> None:
    """Print a link for choosing a new password; it works once.

    For an administrator without another administrator; run it as the account that serves the
    portal. --url is the address given to `tourney serve`.
    """
    from tourney.portal.admin_actions import reset_link  # noqa: PLC0415 - as above

    click.echo(reset_link(Places(folder), login, url, with_second=second_factor))


def _make_demo(places: Places, how: dict[str, Any]) -> None:
    if how["host"] not in LOOPBACK or how["url"]:
        raise click.UsageError(
            "--demo: other machines could reach this address; use the default --host, without --url"
        )

    click.echo("a demonstration: no second factors; these passwords:")
    for login, password in make_demo(places).items():
        click.echo(f"  {login:10} {password}")


def _make_folders(places: Places) -> None:
    """Create the folders of a new or existing portal.

    Raises: TourneyError, if the folder holds other files or cannot be written.
    """
    own = {places.database, places.lock, places.inbox}
    try:
        entries = set(places.root.iterdir()) if places.root.is_dir() else set()
        if entries - own and places.database not in entries:
            raise TourneyError(
                f"{places.root}: the folder has other files than a portal; choose a new or empty "
                "folder"
            )
        places.make_private()
    except OSError as error:
        raise TourneyError(
            f"{places.root}: this account cannot write the folder ({error.strerror}); name another "
            "one, or change its owner"
        ) from error


def _check_free(how: dict[str, Any]) -> None:
    """Listen briefly at the address of the web process."""
    if how["socket"]:
        _check_socket(Path(how["socket"]))
        return
    host, port = how["host"], how["port"]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((host, port))
        except OSError as error:
            raise TourneyError(
                f"--host {host} --port {port}: cannot listen at this address ({error.strerror}); "
                "name another port, or end the program that listens there"
            ) from error


def _check_socket(path: Path) -> None:
    """Listen briefly at a Unix socket; remove one that an ended portal has left."""
    with socket.socket(socket.AF_UNIX) as asked, socket.socket(socket.AF_UNIX) as tried:
        try:
            if path.is_socket() and asked.connect_ex(str(path)) == ECONNREFUSED:
                path.unlink()
            tried.bind(str(path))
            path.unlink()
        except OSError as error:
            raise TourneyError(
                f"--socket {path}: cannot listen at this socket ({error.strerror or error}); name "
                "another one in a folder of this account, or end the program that listens there"
            ) from error


def _check_installed() -> None:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise TourneyError(
            f"serve: the packages {', '.join(missing)} are missing; install them: pip install "
            "'tourney-cards[serve]'"
        )
