"""The pages as a whole: links lead somewhere, generated parts are fresh, nothing is left out."""

import json
import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tourney.cli.commands import command_names
from tourney.config.schema import json_schema
from tourney.plugins.hook_spec import HOOKS
from tourney.plugins.loading import load_plugins
from tourney.tournament.catalog import catalog_of

from .console import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")


@pytest.fixture(scope="module")
def generate() -> Any:
    """Load docs/generate.py, which is a script and no module of a package."""
    spec = spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def texts(*names: str) -> str:
    """Give the text of pages, or of all of them."""
    paths = [ROOT / name for name in names] or PAGES
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def anchors(path: Path) -> set[str]:
    """Give the anchors of a page's headings, as a reader's browser knows them."""
    headings = re.findall(r"(?m)^#+ (.+)$", path.read_text(encoding="utf-8"))
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in kept}


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_every_link_leads_somewhere(page: Path) -> None:
    """Relative links name files that are there, and headings in them."""
    for link in LINK.finditer(page.read_text(encoding="utf-8")):
        target, _, anchor = unquote(link["target"]).partition("#")
        if "://" in target:
            continue
        path = (page.parent / target).resolve() if target else page
        assert path.exists(), f"{page.name}: expected {target} to be there"
        if anchor:
            assert anchor in anchors(path), f"{page.name}: expected a heading #{anchor} in {target}"


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_every_page_can_be_reached(page: Path) -> None:
    """The README, or a page it leads to, has a link to the page or to its folder."""
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        here = waiting.pop()
        if here in reached:
            continue
        reached.add(here)
        if here.suffix == ".md":
            links = LINK.finditer(here.read_text(encoding="utf-8"))
            targets = [link["target"].partition("#")[0] for link in links]
            waiting += [(here.parent / each).resolve() for each in targets if "://" not in each]
    assert page in reached or page.parent in reached


def test_every_command_is_documented() -> None:
    """The page of the command line has them all."""
    page = texts("docs/reference/command-line.md")
    for name in command_names():
        assert f"## tourney {name}" in page


def test_every_setting_is_documented() -> None:
    """The page of configurations has every key of the schema, and every column's meaning."""
    catalog = catalog_of(load_plugins())
    page = texts("docs/reference/configuration.md")
    pending, names = [json_schema(catalog)], set(catalog.columns)
    while pending:
        schema = pending.pop()
        names |= set(schema.get("properties", {}))
        pending += [*schema.get("properties", {}).values(), *schema.get("oneOf", ())]
        pending += [schema["items"]] if isinstance(schema.get("items"), dict) else []
    for name in names:
        assert f"`{name}`" in page or f"`{name}:" in page, f"expected {name} to be documented"


def test_every_hook_is_documented() -> None:
    """The page of hooks has them all."""
    page = texts("docs/reference/hooks.md")
    for hook in HOOKS:
        assert f"## {hook}" in page


def test_every_bundled_strategy_is_documented() -> None:
    """Their page has them all, each with its limits and its source."""
    page = texts("docs/reference/strategies.md")
    for name, strategy in load_plugins().strategies.items():
        if strategy.distribution == "tourney":
            _, _, story = page.partition(f"## {name}\n")
            story = story.partition("\n## ")[0]
            assert "Why it might win" in story
            assert "Limits:" in story
            assert "Source:" in story


def test_the_generated_parts_are_fresh() -> None:
    """`make docs` would change nothing, but for the board, which takes a run to make.

    In a process of its own, as commands remember the plugins that other tests have installed.
    """
    command = [sys.executable, "docs/generate.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), "run `make docs`"


def test_a_stale_part_is_named(
    generate: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Somebody's change of a generated part is found and undone; what is around it stays."""
    page = tmp_path / "README.md"
    page.write_text("Before\n<!-- generated: commands -->\nold\n<!-- end: commands -->\nAfter\n")
    with page.open("a") as file:
        file.write("```python a.py\nx = 1\n```\n")
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    monkeypatch.setattr(generate, "PAGES", ("README.md",))
    monkeypatch.setattr(generate, "FOR_STUDENTS", ("README.md",))
    (tmp_path / generate.EXAMPLES).parent.mkdir(parents=True)
    for arguments, status in ((["--check"], 1), ([], 0), (["--check"], 0)):
        monkeypatch.setattr(sys, "argv", ["generate.py", *arguments])
        assert generate.main() == status
    assert capsys.readouterr().err == (
        "README.md: its generated parts are stale; run `make docs`\n"
        "tourney/course/page_examples.json: it is stale; run `make docs`\n"
    )
    assert json.loads((tmp_path / generate.EXAMPLES).read_text()) == {"README.md: a.py": "x = 1\n"}
    assert page.read_text().startswith("Before\n<!-- generated: commands -->\n| Command |")
    assert page.read_text().endswith("-->\nAfter\n```python a.py\nx = 1\n```\n")


def test_a_board_of_another_run_is_noticed(generate: Any) -> None:
    """The README shows the output of `make demo`, row by row."""
    board = texts("README.md").partition("generated: board -->")[2].partition("<!-- end")[0]
    assert generate.has_board(f"a line of make\n{board}")
    assert not generate.has_board(board.replace("counting", "Counting"))


def test_nothing_is_promised_of_other_machines() -> None:
    """No page names a folder of the machine it was written on."""
    assert not re.search(r"(?:^|[\s(`'\"])/(?:tmp|work|root)\b", texts())
