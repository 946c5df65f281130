"""`serve`: the portal."""

import logging
import os
import re
import signal
import socket
from errno import ECONNREFUSED
from functools import partial
from importlib.util import find_spec
from ipaddress import ip_network
from pathlib import Path
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
from tourney.errors import TourneyError
from tourney.portal.places import OTHERS, Places

NEEDED = ("argon2", "authlib", "pyotp", "starlette", "uvicorn")
DEFAULT = "start"
PORTS = {"http": 80, "https": 443}
"""Which browsers leave out of the address of a page."""


LOOPBACK = {"127.0.0.1", "::1", "localhost"}


def _checked_url(_: click.Context, __: click.Parameter, url: str) -> str:
    """Give the address of a portal as browsers write it; empty if there is none.

    Raises: TourneyError, if browsers could not reach one there.
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
            f"--url: expected http or https and the name of a machine, such as "
            f"https://cards.example.edu, got {url[:99]!r}"
        )
    name = f"[{host}]" if ":" in host else host
    place = name if port in {None, PORTS.get(parts.scheme)} else f"{name}:{port}"
    return url and f"{parts.scheme}://{place}"


def _checked_proxies(
    _: click.Context, __: click.Parameter, proxies: tuple[str, ...]
) -> tuple[str, ...]:
    """Give the addresses of proxies, or of networks of them; `*` is everybody's.

    Raises: TourneyError, if one is none: it would be trusted by nobody.
    """
    for each in proxies:
        try:
            ip_network("0.0.0.0/0" if each == "*" else each)
        except ValueError:
            raise TourneyError(
                f"--proxy: expected the address of a proxy, such as 127.0.0.1, or of a network, "
                f"such as 10.0.0.0/8, got {each[:99]!r}"
            ) from None
    return proxies


class ServeGroup(click.Group):
    """A group whose first command need not be named: `tourney serve DIR`."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is meant."""
        if not args or args[0] not in self.commands:
            args = [DEFAULT, *args]
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Let options of the unnamed command pass."""
        if not args or (args[0] not in self.commands and args[0] not in {"-h", "--help"}):
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)


@click.group("serve", cls=ServeGroup)
def serve_command() -> None:
    """Serve a portal, on which a course hands in and competes.

    `tourney serve DIR` starts it; DIR keeps all of it.
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
    help="Address of a proxy whose word on who asks is taken; may be given again.",
)
@click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    default=None,
    help="How to log on standard error.  [default: text at a terminal, else json]",
)
@click.option(
    "--demo",
    is_flag=True,
    help="Make a course with people and players to look around in; DIR is new.",
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
    os.umask(OTHERS)  # which all processes inherit
    _make_folders(places)
    logs.set_up("supervisor", how["log"])
    tell = partial(logs.say, level=logging.WARNING)
    prepare = partial(_prepare, places, how, is_demo=demo)
    supervisor = Supervisor(places, tuple(_arguments(how)), tell, prepare=prepare)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, supervisor.stop)
    supervisor.run()
    return 0


def _prepare(places: Places, how: dict[str, Any], *, is_demo: bool) -> None:
    """Do what has to be done before the first process starts, with the folder to ourselves."""
    from tourney.portal.account_links import set_up_link  # noqa: PLC0415 - as above

    _check_free(how)
    if is_demo:
        _make_demo(places, how)
    address = how["url"] or how["socket"] or f"http://{how['host']}:{how['port']}"
    link = set_up_link(places, address)
    click.echo(f"the portal in {places.root} answers at {address}")
    if not how["url"] and not how["socket"] and how["host"] not in LOOPBACK:
        click.echo(
            "it answers under IP addresses and this machine's own name only; give --url for another"
        )
    if link:
        click.echo(f"to set it up, once: {link}")


@serve_command.command("backup")
@click.argument("folder", type=NamedFile(file_okay=False, path_type=Path), metavar="DIR")
@click.argument("file", type=NamedFile(path_type=Path))
def backup_command(folder: Path, file: Path) -> None:
    """Write a portal into one file, while it is in use.

    FILE holds everything: accounts, submissions and the secrets of runs. Keep it like those.
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
    note(f"{folder} is a portal again: tourney serve {folder}")


@serve_command.command("reset")
@click.argument("folder", type=NamedFile(file_okay=False, path_type=Path), metavar="DIR")
@click.option("--login", required=True, help="Of the account, as its owner signs in.")
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
    from tourney.portal.account_links import reset_link  # noqa: PLC0415 - as above

    click.echo(reset_link(Places(folder), login, url, with_second=second_factor))


def _make_demo(places: Places, how: dict[str, Any]) -> None:
    if how["host"] not in LOOPBACK or how["url"]:
        raise click.UsageError("--demo: expected loopback, got an address that others reach")
    from tourney.portal.demo import make_demo  # noqa: PLC0415 - as above

    click.echo("a demonstration: no second factors, and passwords that stand here")
    for login, password in make_demo(places).items():
        click.echo(f"  {login:10} {password}")


def _arguments(how: dict[str, Any]) -> list[str]:
    said = []
    for name, value in how.items():
        option = f"--{name.replace('_', '-')}"
        values = value if isinstance(value, tuple) else (value,)
        said += [option if each is True else f"{option}={each}" for each in values if each]
    return said


def _make_folders(places: Places) -> None:
    try:
        places.make_private()
    except OSError as error:
        raise TourneyError(
            f"{places.root}: expected a folder that this account can write, got "
            f"'{error.strerror}'; name another, or change who owns it"
        ) from error


def _check_free(how: dict[str, Any]) -> None:
    """Listen for a moment where the web process will."""
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
                f"--host {host} --port {port}: expected an address to listen at, got "
                f"'{error.strerror}'; name another port, or end what listens there"
            ) from error


def _check_socket(path: Path) -> None:
    """Listen for a moment at a Unix socket; one that a portal has left is taken away."""
    with socket.socket(socket.AF_UNIX) as asked, socket.socket(socket.AF_UNIX) as tried:
        try:
            if path.is_socket() and asked.connect_ex(str(path)) == ECONNREFUSED:
                path.unlink()
            tried.bind(str(path))
            path.unlink()
        except OSError as error:
            raise TourneyError(
                f"--socket {path}: expected a place for a socket, got "
                f"'{error.strerror or error}'; name another, in a folder of this account, or end "
                "what listens there"
            ) from error


def _check_installed() -> None:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise TourneyError(
            f"serve: expected the packages of the extra [serve], got none called "
            f"{', '.join(missing)}; install them: pip install 'tourney-cards[serve]'"
        )
