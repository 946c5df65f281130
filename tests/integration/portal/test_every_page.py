"""Every page for everybody, in Chromium: with any tool, on any screen, by keyboard alone.

Pages stand in `furnished.ADDRESSES`; one without an address fails. Each is opened as everybody who
may see it; where two are sent the same but for their own name, once. The browser is spoken to at
both widths without loading again.
"""

import asyncio
import itertools
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

import pytest
import uvicorn

from tests.e2e.browser.chromium import Chromium
from tests.e2e.browser.conftest import axe, browser
from tests.e2e.browser.sites import make_site
from tests.support.proving import with_more
from tourney.portal.places import Places
from tourney.portal.web.server import PAGES, application

from .furnished import ADDRESSES, furnish
from .portals import PEOPLE, Portal, make_portal
from .served import free_port, wait_until

__all__ = ["axe", "browser"]  # fixtures

WHO = ("", *PEOPLE)
OFTEN = ("",)
"""Who looks without an account; all others do where `make prove` asks them to."""
PARTS = ("entrants", "hands")
NARROW, WIDE = 320, 1280
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
"""Of axe: all that WCAG 2.2 asks for at level AA."""
REFUSED = "Failed to load resource: the server responded with a status of 4"
"""Said of a page that says why not; nothing that a page loads is refused."""
ANSWERS = [
    ("", "/sign-in", "/sign-in", "The login or the password is wrong"),
    ("student", "/account/second", "/second", "The code is wrong or was already used"),
    ("student", "/account/tokens", "/tokens", "Your new token"),
    ("student", "/c/cards/matches", "/matches", "Student and 1: queued"),
    ("lecturer", "/c/cards/people", "/reset", "this link to choose a new password"),
    ("lecturer", "/c/cards/finals/new", "/new", "has passed"),
]
"""Who sends which form of which page as it stands, with a 1 where nothing does, and what comes."""
SEND = """(() => {
  const form = document.querySelector("form[action$='%s']");
  for (const each of form.elements) if (each.name && !each.value)
    each.value = each.type === 'datetime-local' ? '2020-01-01T00:00' : '1';
  form.submit();
})()"""
BEFORE = "setInterval = () => 0;"
"""Pages that wait for something look again by themselves, which would be in the midst of a look."""
CHANGING = (
    r"data:image[^\"]*|[0-9a-f]{16}|\d{4}-\d\d-\d\d[T ][\d:.]+|otpauth:[^\"]*"
    r"|\b([A-Z2-7]{32}|([A-Z2-7]{4} ){8})"
)
"""What is another at every look: keys of sessions, times, secrets."""
FACTS = """JSON.stringify({
  title: document.title,
  headings: [...document.querySelectorAll('h1,h2,h3,h4')].map((each) => +each.tagName[1]),
  wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  shut: [...document.querySelectorAll('.scroll')]
    .filter((each) => each.scrollWidth > each.clientWidth && each.tabIndex < 0)
    .map((each) => each.outerHTML.slice(0, 99)),
})"""
LOOK = """(rules) => axe.run({
  runOnly: {type: 'tag', values: rules}, resultTypes: ['violations'],
}).then((told) => JSON.stringify(told.violations.map((each) =>
    [each.id, each.help, each.nodes.map((node) => node.html.slice(0, 200))])))"""
WATCH = """(() => {
  const shown = (each) => each.checkVisibility({visibilityProperty: true}) && !each.disabled;
  const all = [...document.querySelectorAll(
    'a[href],button,input:not([type=hidden]),select,textarea,summary,[tabindex]')].filter(shown);
  window.left = new Set(all);
  window.unseen = [];
  document.addEventListener('focusin', ({target}) => {
    left.delete(target);
    const {outlineStyle, outlineWidth} = getComputedStyle(target);
    const box = target.getBoundingClientRect();
    const isIn = box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight;
    if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2 || !isIn || !box.width)
      unseen.push(target.outerHTML.slice(0, 200));
  });
  const parts = {'datetime-local': 8, date: 4, time: 4};
  return all.reduce((sum, each) => sum + (parts[each.type] ?? 1), 1);
})()"""
MISSED = "JSON.stringify([[...left].map((each) => each.outerHTML.slice(0, 200)), unseen])"


@contextmanager
def answering(places: Places) -> Iterator[str]:
    """Answer on loopback, in a thread; give the address."""
    port = free_port()

    async def serve() -> None:
        app = application(places)  # in the thread that alone may use its database
        config = uvicorn.Config(
            app, port=port, log_level="error", timeout_graceful_shutdown=1, access_log=False
        )
        server.append(uvicorn.Server(config))
        with closing(app.state.site.database):
            await server[0].serve()

    server: list[uvicorn.Server] = []
    thread = Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    try:
        assert wait_until(lambda: bool(server) and server[0].started)
        yield f"http://127.0.0.1:{port}"
    finally:
        server[0].should_exit = True
        thread.join()


@dataclass
class Shown:
    """A portal in which everything has happened, and a browser that looks at it."""

    portal: Portal
    chromium: Chromium
    url: str
    numbers: dict[str, int]
    seen: set[str] = field(default_factory=set)  # pages, without the name of who looks

    def sit_down(self, who: str) -> None:
        """Let somebody, or nobody, be signed in."""
        self.chromium.ask("Network.clearBrowserCookies")
        if who:
            code = self.portal.browser(who).cookies["tourney"]
            cookie = {"name": "tourney", "value": code, "url": self.url}
            self.chromium.ask("Network.setCookies", cookies=[cookie])

    def paths(self, who: str) -> Iterator[str]:
        """Give the addresses of what somebody may see and nobody has seen alike."""
        browser = self.portal.browser(who)
        for page in PAGES:
            for pattern in ADDRESSES.get(page.name, ()) if page.method == "GET" else ():
                path = pattern.format(**self.numbers)
                if page.path.endswith(("/events", "/{path:path}")):
                    continue
                answer = browser.get(path)
                kind = answer.headers.get("content-type", "")
                if answer.is_redirect or not kind.startswith("text/html"):
                    continue
                like = alike(answer.text, who)
                if like not in self.seen:
                    self.seen.add(like)
                    yield path


@pytest.fixture(scope="module")
def shown(browser: Chromium, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    """Let everything happen, and answer."""
    with asyncio.Runner() as runner:
        portal = make_portal(tmp_path_factory.mktemp("every") / "portal", runner)
        numbers = dict(furnish(portal))
        with closing(portal), answering(portal.places) as url:
            yield Shown(portal, browser, url, numbers)


def test_every_page_has_an_address() -> None:
    """A new one without is not looked at, so it fails here."""
    assert set(ADDRESSES) == {page.name for page in PAGES if page.method == "GET"}


@contextmanager
def looking(chromium: Chromium, axe: str) -> Iterator[None]:
    """Have axe on every page, and let none load itself again."""
    added = chromium.ask("Page.addScriptToEvaluateOnNewDocument", source=BEFORE + axe)
    yield
    chromium.ask("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])


@pytest.mark.parametrize("who", with_more(OFTEN, [who for who in WHO if who not in OFTEN]))
def test_everybody_can_use_every_page(shown: Shown, axe: str, who: str) -> None:
    """At both widths, light and dark, and by Tab alone."""
    faults = []
    shown.sit_down(who)
    with looking(shown.chromium, axe):
        for path in shown.paths(who):
            shown.chromium.screen(WIDE, 900)
            shown.chromium.visit(shown.url + path)
            faults += [(who, path, each) for each in used(shown.chromium)]
    assert not faults, "\n".join(map(str, faults))


@pytest.mark.parametrize(("who", "path", "action", "words"), ANSWERS)
def test_everybody_can_use_what_a_form_is_answered_by(
    shown: Shown, axe: str, who: str, path: str, action: str, words: str
) -> None:
    """A fault, a code that is shown once."""
    chromium = shown.chromium
    shown.sit_down(who)
    with looking(chromium, axe):
        chromium.screen(WIDE, 900)
        chromium.visit(shown.url + path)
        chromium.run(SEND % action)
        assert wait_until(lambda: says(chromium, words))
        assert used(chromium) == []


def test_everybody_can_use_the_page_that_asks_once_more(shown: Shown, axe: str) -> None:
    """Before what is grave."""
    chromium = shown.chromium
    shown.sit_down("student")
    with looking(chromium, axe):
        chromium.screen(WIDE, 900)
        chromium.visit(f"{shown.url}/account/tokens")
        shown.portal.database.execute("UPDATE sessions SET proved = '2020-01-01T00:00:00+00:00'")
        chromium.run(SEND % "/tokens")
        assert wait_until(lambda: says(chromium, "Confirm your password to continue."))
        assert used(chromium) == []


LONG_NAME = 2 * "Wolfeschlegelsteinhausenbergerdorff"
WIDER = """(() => {
  const all = (path) => [...document.querySelectorAll(path)];
  const names = all('td.who, th.who').filter((each) => each.offsetWidth > 160);
  const tables = all('.scroll').filter((each) => each.scrollWidth > each.clientWidth);
  return JSON.stringify([
    document.documentElement.scrollWidth - document.documentElement.clientWidth,
    (document.documentElement.clientWidth < 600 ? names : tables).length,
  ]);
})()"""


@pytest.mark.parametrize(
    ("who", "path"),
    [
        ("student", "/c/cards/board"),
        ("student", "/c/cards/tests"),
        ("lecturer", "/c/cards/people"),
        ("admin", "/admin/accounts"),
    ],
)
def test_a_long_name_widens_neither_a_page_nor_its_column(
    browser: Chromium, tmp_path: Path, who: str, path: str
) -> None:
    """On a phone and on a desk."""
    with asyncio.Runner() as runner:
        portal = make_portal(tmp_path / "portal", runner)
        furnish(portal, lambda word: LONG_NAME if word in {who.title(), "Mate"} else word)
        with closing(portal), answering(portal.places) as url:
            Shown(portal, browser, url, {}).sit_down(who)
            for width in (390, WIDE):
                browser.screen(width, 800)
                browser.visit(url + path)
                assert LONG_NAME in browser.run("document.body.innerText")
                assert json.loads(browser.run(WIDER)) == [0, 0]


def says(chromium: Chromium, words: str) -> bool:
    """Say whether a page that says something stands by now, with its style."""
    stands = f"document.readyState === 'complete' && document.body.innerText.includes('{words}')"
    try:
        return bool(chromium.run(stands))
    except AssertionError:  # the page was just going
        return False


def used(chromium: Chromium) -> list[str]:
    """Give what is amiss on the page that stands, at both widths and by keyboard."""
    faults = [*looked(chromium), *tabbed(chromium)]
    chromium.screen(NARROW, 640, is_dark=True)
    faults += [f"at {NARROW} pixels: {each}" for each in looked(chromium)]
    return faults + [each for each in chromium.page.complaints if not each.startswith(REFUSED)]


def alike(page: str, who: str) -> str:
    """Give what a page says, whoever looks and whenever."""
    text = page.partition("<main")[2]
    if who:
        text = text.replace(who.title(), "").replace(who, "")
    return re.sub(CHANGING, "", text)


def looked(chromium: Chromium) -> list[str]:
    """Give what is amiss on a page as it stands."""
    chromium.run("document.activeElement.blur()")  # what skips the menu would cover it
    faults = [str(each) for each in json.loads(chromium.run(f"({LOOK})({RULES})"))]
    facts = json.loads(chromium.run(FACTS))
    levels = facts["headings"]
    steps = itertools.pairwise(levels)
    if not facts["title"] or levels.count(1) != 1 or levels[0] != 1:
        faults.append(f"expected a title and one heading above all, got {facts}")
    if any(after > before + 1 for before, after in steps):
        faults.append(f"expected headings that go down one by one, got {levels}")
    if facts["wide"] > 0:
        faults.append(f"expected nothing wider than the screen, got {facts['wide']} pixels more")
    if facts["shut"]:
        faults.append(f"expected tables that the keyboard scrolls, got {facts['shut']}")
    return faults


def tabbed(chromium: Chromium) -> list[str]:
    """Press Tab until all has had its turn; give what had none, or did not show it."""
    for _ in range(chromium.run(WATCH)):
        chromium.press("Tab", 9)
    left, unseen = json.loads(chromium.run(MISSED))
    return [f"never reached: {each}" for each in left] + [
        f"without a sign: {each}" for each in unseen
    ]


def test_headings_sort_a_board_while_scripts_run(shown: Shown) -> None:
    """Also those that come with a frame, as the first does soon."""
    shown.sit_down("student")
    shown.chromium.screen(WIDE, 900)
    shown.chromium.visit(f"{shown.url}/c/cards/board")
    buttons = "[...document.querySelectorAll('thead button')].map((each) => each.disabled)"
    assert set(shown.chromium.run(buttons)) == {False}


def test_a_double_click_sends_a_form_once(shown: Shown) -> None:
    """Else there were two finals, or a submission of today less."""
    shown.sit_down("lecturer")
    shown.chromium.visit(f"{shown.url}/c/cards/finals/new")
    sent = """(() => {
      let count = 0;
      addEventListener("submit", (event) => {
        if (!event.defaultPrevented) count += 1;
        event.preventDefault();
      });
      const button = document.querySelector("main form button");
      button.click();
      button.click();
      return count;
    })()"""
    assert shown.chromium.run(sent) == 1


@pytest.mark.prove
def test_published_pages_keep_to_the_policy(shown: Shown, tmp_path: Path) -> None:
    """The site of a run as `publish` writes it works under the policy of the portal."""
    made = make_site(tmp_path, "duplicate")
    site = shown.portal.places.site("cards", shown.numbers["over"])
    shutil.copytree(made, site, dirs_exist_ok=True)
    shown.sit_down("")
    shown.chromium.screen(WIDE, 900)
    pages = [
        *sorted(made.glob("*.html")),
        *(min(made.glob(f"{each}/*.html")) for each in PARTS),
    ]
    for path in pages:
        address = f"/c/cards/site/{shown.numbers['over']}/{path.relative_to(made)}"
        page = shown.chromium.visit(shown.url + address)
        assert page.complaints == [], address
        assert all(each.startswith((shown.url, "data:")) for each in page.requests), address
