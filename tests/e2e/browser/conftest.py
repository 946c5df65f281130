"""A browser, and a site of a small run of each kind."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.browser.chromium import Chromium, find_chromium
from tests.e2e.browser.sites import Sites, make_large_board

ROOT = Path(__file__).parents[3]
AXE = ("AXE_CORE", ROOT / "node_modules" / "axe-core" / "axe.min.js")


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Sites:
    """Give the folders of published sites, by what they show."""
    return Sites(tmp_path_factory.mktemp("sites"))


@pytest.fixture(scope="session")
def large(sites: Sites, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of a site with a board of 250."""
    return make_large_board(sites["duplicate"], tmp_path_factory.mktemp("large") / "site")


@pytest.fixture(scope="session")
def browser() -> Iterator[Chromium]:
    """Give a browser; there must be one where CI asks for it."""
    program = find_chromium()
    if program is None:
        assert not os.environ.get("NEEDS_BROWSER"), "expected a chromium, got none on the path"
        pytest.skip("no chromium on the path: apt-get install chromium")
    with Chromium(program) as started:
        yield started


@pytest.fixture(scope="session")
def axe() -> str:
    """Give the text of axe-core, which looks for what keeps people from using a page."""
    variable, place = AXE
    path = Path(os.environ.get(variable, place))
    if not path.is_file():
        assert not os.environ.get("NEEDS_BROWSER"), f"expected axe-core, got none at {path}"
        pytest.skip("no axe-core: npm install --no-save axe-core")
    return path.read_text(encoding="utf-8")
