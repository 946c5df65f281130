"""The documentation as a site: every page and name is there, every link leads somewhere."""

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from html import unescape
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Thread
from types import ModuleType
from urllib.parse import unquote, urlsplit

import pytest

import tourney
from tests.e2e.browser.chromium import Chromium
from tests.e2e.browser.conftest import browser
from tests.integration.portal.served import wait_until

from .console import ROOT

__all__ = ["browser"]  # a fixture
PHONE = 390


def loaded() -> ModuleType:
    """Load docs/build_site.py, which is a script and no module of a package."""
    spec = spec_from_file_location("build_site", ROOT / "docs" / "build_site.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of a site, built as `make docs` builds it."""
    folder = tmp_path_factory.mktemp("site")
    assert loaded().main(folder) == 0
    return folder / "html"


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """Give the address at which the site is served."""
    handler = partial(_Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Read(HTMLParser):
    """The anchors of a page, and what it links to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take what has an identity, and what is linked to or shown."""
        told = {name: value for name, value in attrs if value}
        self.anchors |= {told[name] for name in ("id", "name") if name in told}
        if tag in {"a", "img", "script", "link"} and (link := told.get("href") or told.get("src")):
            self.links.add(link)


@pytest.mark.prove
def test_every_page_is_there_and_every_link_leads_somewhere(site: Path) -> None:
    """Pages of docs/, the README, and the files that these link to."""
    pages = {path.relative_to(site): _Read(path) for path in site.rglob("*.html")}
    written = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    assert {path.with_suffix(".html") for path in written} <= set(pages)
    assert {Path("index.html"), Path("files/configs/quickstart.yaml.html")} <= set(pages)
    lost = [
        f"{page}: {link}"
        for page, read in pages.items()
        if page.name != "404.html"  # is served at any address
        for link in read.links
        if not _leads_somewhere(site, page, link, pages)
    ]
    assert lost == []


def _leads_somewhere(site: Path, page: Path, link: str, pages: dict[Path, _Read]) -> bool:
    parts = urlsplit(link)
    if parts.scheme:
        return parts.scheme in {"data", "http", "https", "mailto"}
    there = (site / page.parent / unquote(parts.path)).resolve() if parts.path else site / page
    there = there / "index.html" if there.is_dir() else there
    if not there.is_file():
        return False
    if there.is_relative_to(site / "example-board" / "hands"):
        return True  # its script opens the round of the fragment
    target = pages.get(there.relative_to(site))
    return not parts.fragment or target is None or unquote(parts.fragment) in target.anchors


@pytest.mark.prove
def test_every_public_name_is_told_from_its_docstring(site: Path) -> None:
    """On one page, with examples as code."""
    page = site / "reference" / "python.html"
    missing = {f"tourney.{name}" for name in tourney.__all__} - _Read(page).anchors
    assert missing == set()
    assert "&gt;&gt;&gt;" not in page.read_text(encoding="utf-8").replace(
        '<span class="gp">&gt;&gt;&gt;', ""
    )


def test_a_link_that_leads_nowhere_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """With the page it stands on."""
    script = loaded()
    for name in ("images", *script.SECTIONS):
        (tmp_path / "docs" / name).mkdir(parents=True)
    for name in ("README.md", "docs/glossary.md", "docs/sources.md"):
        (tmp_path / name).write_text("# Some page\n", encoding="utf-8")
    lost = "# Some page\n\n[there](../glossary.md#nowhere)\n"
    (tmp_path / "docs" / "how-to" / "go.md").write_text(lost, encoding="utf-8")
    monkeypatch.setattr(script, "DOCS", tmp_path / "docs")
    monkeypatch.setattr(script, "HOME", tmp_path / "README.md")
    monkeypatch.setattr(script, "publish_example", _write_no_example)
    assert script.main(tmp_path / "site") != 0
    said = re.sub(r"\x1b\[[\d;]*m", "", "".join(capfd.readouterr()))  # without its colours
    assert "#nowhere" in said
    assert "how-to/go.md" in said


def _write_no_example(pages: Path) -> None:
    (pages / "example-board.md").write_text("# Some page\n", encoding="utf-8")


@pytest.mark.prove
def test_the_example_board_verifies(site: Path) -> None:
    """Its page shows that, and whoever copies the folder finds the same."""
    page = (site / "example-board.html").read_text(encoding="utf-8")
    assert 'href="example-board/index.html"' in page
    order = [sys.executable, "-m", "tourney", "verify", "--site", "example-board"]
    done = subprocess.run(order, cwd=site, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    _, _, last = done.stdout.rstrip().splitlines()[-1].partition(": ")  # after the folder's name
    assert last.startswith("no difference found")
    assert last in re.sub("<[^>]*>", "", unescape(page))


@pytest.mark.prove
@pytest.mark.skipif(sys.platform != "linux", reason="the browser is Debian's")
def test_the_site_is_searched_in_a_browser_and_asks_nobody_else(
    browser: Chromium, address: str
) -> None:
    """Wide and on a phone; the console stays empty."""
    for width, name in ((1280, "index.html"), (PHONE, "how-to/measure-a-strategy.html")):
        browser.screen(width, 900)
        page = browser.visit(f"{address}/{name}")
        assert browser.run("document.documentElement.scrollWidth") <= width
        assert page.complaints == []
        assert [each for each in page.requests if not each.startswith((address, "data:"))] == []
    browser.screen(1280, 900)
    browser.visit(f"{address}/index.html")
    browser.run("document.querySelector('.md-search__button').click()")
    shadow = "document.activeElement?.shadowRoot"  # where the search is
    assert wait_until(lambda: browser.run(f"!!{shadow}?.querySelector('input')"))
    browser.ask("Input.insertText", text="commitment")
    found = (
        f"[...{shadow}.querySelectorAll('a')].some((each) => /commitments.html/.test(each.href))"
    )
    assert wait_until(lambda: browser.run(found))
