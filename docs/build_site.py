"""Make a site of the documentation: `make docs`, then open build/site/html/index.html.

    python docs/build_site.py [FOLDER]    make it there instead of in build/site

The pages of docs/ are written to be read where they lie, on disk or in a forge. They link to files
of the project, and a code block names its file behind its language. For the site, copies are made
in its folder `pages`: the README is the home, whatever file or folder a page links to outside of
docs/ becomes a page, a section lists its pages, and code blocks have the names as titles. Zensical
(the successor of mkdocs-material) then builds it, with the reference of the Python names from their
docstrings. A link that leads nowhere ends it with status 1.

The site also has an example of a published leaderboard: the quickstart is played and published, and
a page shows what `tourney verify --site` says about it.
"""  # noqa: INP001 - a script beside the pages it serves, not a package

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[1]
DOCS, HOME = ROOT / "docs", ROOT / "README.md"
BUILD = ROOT / "build" / "site"
SECTIONS = {
    "tutorial": "Tutorials",
    "how-to": "How to",
    "explanation": "How it works",
    "rules": "Games and formats",
    "reference": "Reference",
    "decisions": "Decisions",
}
LINK = re.compile(r"(?<=\]\()(?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?(?=\))")
FENCE = re.compile(r"^```(?P<language>\w+) (?P<name>\S+)$", re.MULTILINE)
LANGUAGES = {".c": "c", ".js": "js", ".pl": "perl", ".py": "python", ".rs": "rust"}
LANGUAGES |= {".toml": "toml", ".yaml": "yaml"}
EXAMPLE = """\
# An example of a published leaderboard

[Open the leaderboard](example-board/index.html) of the quickstart tournament. It was played and
published when this documentation was built, by these commands:

```console
$ tourney run configs/quickstart.yaml
$ tourney publish --output site
$ tourney verify --site site
{verified}
```

The last command needs only the published files. You can run it on a copy of them, such as the
folder `example-board` of this documentation. [Check a run](how-to/check-a-run.md) explains its
lines.
"""
DATA = {".bin", ".png"}  # files to be loaded, not read
MADE = {"__pycache__", "build", "dist"}  # folders of a checkout that nobody wrote


def main(folder: Path) -> int:
    """Write the pages and build the site in a folder, which is emptied; give the exit status."""
    shutil.rmtree(folder, ignore_errors=True)
    for place, text in _texts():
        path = folder / "pages" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    shutil.copytree(DOCS / "images", folder / "pages" / "images")
    publish_example(folder / "pages")
    for path in filter(_is_data, _linked()):
        (folder / "pages" / _place(path)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder / "pages" / _place(path))
    settings = (ROOT / "docs" / "zensical.toml").read_text(encoding="utf-8")
    settings = settings.replace("[project]\n", f"[project]\nnav = {_order()}\n", 1)
    settings = settings.replace("ROOT", str(ROOT))
    (folder / "zensical.toml").write_text(settings, encoding="utf-8")
    built = [sys.executable, "-m", "zensical", "build", "--strict"]
    return subprocess.run(built, cwd=folder, check=False).returncode  # noqa: S603 - our own words


def _texts() -> Iterator[tuple[str, str]]:
    """Give the places of all pages and their texts."""
    for page in (HOME, *DOCS.rglob("*.md")):
        yield _place(page), _led(page)
    for name, title in SECTIONS.items():
        listed = [f"- [{_title(path)}]({path.name})" for path in _pages_of(name)]
        yield f"{name}/index.md", "\n".join((f"# {title}", "", *listed, ""))
    for path in _linked():
        if not _is_data(path):
            yield _place(path), _shown(path)


def _order() -> str:
    """Give all pages in the order in which a newcomer wants them, as TOML."""
    sections = [
        (title, [f"{name}/index.md", *(f"{name}/{path.name}" for path in _pages_of(name))])
        for name, title in SECTIONS.items()
    ]
    told = [f"{{ {json.dumps(title)} = {json.dumps(paths)} }}" for title, paths in sections]
    others = '"example-board.md", "glossary.md", "sources.md"'
    return f'[{{ Home = "index.md" }}, {", ".join(told)}, {others}]'


def _pages_of(section: str) -> list[Path]:
    return sorted((DOCS / section).glob("*.md"))


def _title(page: Path) -> str:
    return page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def _led(page: Path) -> str:
    """Give a page's text with links that lead to pages of the site, and titled code blocks."""
    here = Path(_place(page)).parent

    def led(link: re.Match[str]) -> str:
        if "://" in link["target"]:
            return link[0]
        place = _place((page.parent / unquote(link["target"])).resolve())
        return os.path.relpath(place, here) + (link["anchor"] or "")

    titled = FENCE.sub(r'```\g<language> title="\g<name>"', page.read_text(encoding="utf-8"))
    return LINK.sub(led, titled)


def _linked() -> set[Path]:
    """Give the files and folders outside of docs/ that a page links to."""
    return {
        path
        for page in (HOME, *DOCS.rglob("*.md"))
        for link in LINK.finditer(page.read_text(encoding="utf-8"))
        if "://" not in link["target"]
        and not (path := (page.parent / unquote(link["target"])).resolve()).is_relative_to(DOCS)
        and path != HOME
    }


def _place(path: Path) -> str:
    """Give the place on the site of a file or folder of the project."""
    if path == HOME:
        return "index.md"
    if path.is_relative_to(DOCS):
        place = str(path.relative_to(DOCS))
        return f"{place}/index.md" if path.is_dir() else place
    return f"files/{path.relative_to(ROOT)}{'' if _is_data(path) else '.md'}"


def _is_data(path: Path) -> bool:
    return path.suffix in DATA


def _shown(path: Path) -> str:
    """Show a file, or all files of a folder, as the text they are."""
    if path.suffix == ".ipynb":
        return _notebook(path)
    files = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]
    parts = [f"# `{path.relative_to(ROOT)}`"]
    for each in files:
        within = each.relative_to(path)
        if any(part in MADE or part.endswith(".egg-info") for part in within.parts):
            continue
        if path.is_dir():
            parts.append(f"## `{within}`")
        text = each.read_text(encoding="utf-8").rstrip("\n")
        parts.append(f"`````{LANGUAGES.get(each.suffix, 'text')}\n{text}\n`````")
    return "\n\n".join(parts) + "\n"


def _notebook(path: Path) -> str:
    """Show the cells of a notebook, which is kept without outputs."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
    return "\n\n".join(parts) + "\n"


def publish_example(pages: Path) -> None:
    """Play and publish the quickstart, verify its site, and write a page about it.

    Raises: CalledProcessError, if the site does not verify.
    """
    with TemporaryDirectory() as name:
        shutil.copy(ROOT / "configs" / "quickstart.yaml", name)
        home = pages.resolve() / "example-board"
        _tourney(name, "run", "quickstart.yaml")
        _tourney(name, "publish", "--output", str(home), "--home", "../example-board.html")
        verified = _tourney(name, "verify", "--site", str(home)).replace(str(home), "site")
    page = EXAMPLE.format(verified=verified.rstrip())
    (pages / "example-board.md").write_text(page, encoding="utf-8")


def _tourney(folder: str, *words: str) -> str:
    """Run a command in a folder, and return what it prints."""
    command = [sys.executable, "-m", "tourney", *words]
    done = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own words
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else BUILD))
