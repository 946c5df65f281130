"""What a project tells of itself besides its docs: licence, citation, changelog, what is built."""

import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
"""The parts of a version, as Keep a Changelog names them."""


def test_the_changelog_has_the_form_that_it_names() -> None:
    """Versions newest first with a date, below what is not released yet; known kinds of change."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first, *others = re.findall(r"(?m)^## (.*)$", text)
    assert first == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", each) for each in others)
    assert others[0].startswith(f"[{PROJECT['version']}] ")  # that of the source
    assert set(re.findall(r"(?m)^### (.*)$", text)) <= KINDS


def test_the_citation_says_what_its_format_demands() -> None:
    """And the licence that the package has."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= cited.keys()
    assert cited["license"] == PROJECT["license"]
    assert all(author["name"] for author in cited["authors"])
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License\n")


def test_every_target_of_make_is_told_by_its_help() -> None:
    """But for help itself."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    (targets,) = re.findall(r"(?m)^\.PHONY: (.*)$", text)
    told = re.findall(r'@echo "make (\w+) ', text)
    assert sorted(told) == sorted(set(targets.split()) - {"help"})
