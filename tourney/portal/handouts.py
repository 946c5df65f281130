"""The material of a course next to the form to submit: rules, contract, limits and starter files.

The checker makes it from the game and the course's folder, because the web process loads neither.
Pages read it from `courses.told`.
"""

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from tourney.checks.starter_files import starting_files
from tourney.config.model import Catalog, GameConfig
from tourney.config.settings import field_texts
from tourney.course.submission_check import contract_of
from tourney.course.submission_rules import SubmissionRules
from tourney.errors import ConfigError, SubmissionError
from tourney.plugins.source_files import files_at, texts_of

MOST_CHARACTERS = 100_000
"""Limit for all starter files of a course together."""
STARTER_NAME = "first"
"""Name of the platform's starter competitor."""


def handout_of(folder: Path, terms: SubmissionRules, catalog: Catalog) -> dict[str, Any]:
    """Give the material of a course as JSON values; empty without a game.

    Args:
        folder: The folder of the course.
        terms: Its submission rules.
        catalog: The known games.
    Returns: `rules` (name, value and meaning of each setting), `contract` (signature and meaning
        of each method), `limits` (text), `starter` (name and text of each file), and `problems`
        (faults of the folder that leave a part out).
    """
    problems = []
    limits = ""
    try:
        terms, demands = contract_of(folder, terms, catalog)
        limits = str(demands)
    except (ConfigError, SubmissionError) as error:
        problems.append(str(error).replace(f"{folder}/", ""))
    if terms.game is None:
        return {}
    starter: Mapping[str, str] = {}
    try:
        starter = _starter(terms.game, terms.starter)
    except SubmissionError as error:
        problems.append(f"starter: {str(error).replace(f'{folder}/', '')}")
    return {
        "rules": list(_rules(terms.game)),
        "contract": list(_contract(terms.game)),
        "limits": limits,
        "starter": list(starter.items()),
        "problems": problems,
    }


def _starter(game: GameConfig, place: Path | None) -> Mapping[str, str]:
    """Give the course's starter code; without any, the platform's competitor and its test."""
    if place is None:
        return starting_files(STARTER_NAME, game.rules)
    texts = dict(texts_of(files_at(place)))
    size = sum(map(len, texts.values()))
    if size > MOST_CHARACTERS:
        raise SubmissionError(
            f"{place} has {size:,} characters; use at most {MOST_CHARACTERS:,} so that pages can "
            "show it"
        )
    return texts


def _rules(game: GameConfig) -> Iterator[tuple[str, str, str]]:
    """Give each setting of the rules with its value and its meaning."""
    texts = field_texts(type(game.rules))
    for field in fields(game.rules):
        value = getattr(game.rules, field.name)
        words = "none" if value is None else str(value)
        if isinstance(value, bool):
            words = "yes" if value else "no"
        yield field.name.replace("_", " "), words, " ".join(texts.get(field.name, "").split())


def _contract(game: GameConfig) -> Iterator[tuple[str, str]]:
    """Give the methods of the class that players inherit, each with its meaning."""
    seen = set()
    for kind in game.rules.game.contract().__mro__:
        for name, method in vars(kind).items():
            text = inspect.getdoc(method) if inspect.isfunction(method) else ""
            if text and not name.startswith("_") and name not in seen:
                seen.add(name)
                # Without the modules of types.
                signature = re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", str(inspect.signature(method)))
                yield f"{name}{signature}", text.splitlines()[0]
