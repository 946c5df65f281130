"""The game that a folder of submissions is for: said once, and kept in its terms."""

import json
from dataclasses import fields, replace
from pathlib import Path

from tourney.config.model import Catalog, GameConfig
from tourney.course.files import only_one, write_whole
from tourney.course.folder_detection import near_folder
from tourney.course.submission_rules import (
    TERMS,
    SubmissionRules,
    meant_words,
    read_terms_text,
    text_of_terms,
)
from tourney.errors import ConfigError, SubmissionError


def game_for(folder: Path, terms: SubmissionRules, asked: GameConfig | None) -> GameConfig:
    """Say which game is meant.

    Args:
        folder: Of submissions; it need not be there.
        terms: Its terms.
        asked: What somebody says; None if they leave it to the terms.
    Raises: SubmissionError, if nobody says, or if the terms say otherwise.
    """
    if terms.game is None and asked is None:
        meant = "" if folder.is_dir() else meant_words(near_folder(folder))
        raise SubmissionError(
            f"{folder}: expected the game that is to be played, got none{meant}; say it once "
            "with --game GAME, such as --game ve280, and the folder keeps it"
        )
    if terms.game and asked and not same_contract(terms.game, asked):
        raise SubmissionError(
            f"--game: expected {game_text(terms.game)}, as {folder / TERMS} says, got "
            f"{game_text(asked)}; leave --game out, or use another folder"
        )
    game = terms.game or asked
    assert game
    return game


def for_tournament(folder: Path, terms: SubmissionRules, game: GameConfig) -> SubmissionRules:
    """Give terms with the game of the tournament that they name.

    Args:
        folder: Of submissions.
        terms: Its terms, which name a tournament.
        game: What that plays.
    Raises: SubmissionError, if the terms say another game.
    """
    if terms.game and not same_contract(terms.game, game):
        raise SubmissionError(
            f"{folder / TERMS}: tournament: expected one that plays {game_text(terms.game)}, as "
            f"game says, got {terms.tournament}, which plays {game_text(game)}; name another, or "
            "use another folder"
        )
    return replace(terms, game=game)


def same_contract(one: GameConfig, other: GameConfig) -> bool:
    """Say whether what was checked for one game needs no other check for the other."""
    game = one.rules.game
    return bool(game == other.rules.game and game.same_contract(one.rules, other.rules))


def keep_game(folder: Path, game: GameConfig, catalog: Catalog) -> bool:
    """Write a game into the terms of a folder, before whatever they say.

    A game that another first submission wrote meanwhile stays.

    Args:
        folder: Of submissions, which is there.
        game: What is played.
        catalog: What games there are.
    Returns: Whether it was written.
    Raises: SubmissionError, if the terms name another game by now, or cannot take another line.
    """
    line = f"game: {game_text(game)}\n"
    with only_one(folder):
        before = text_of_terms(folder)
        if (known := read_terms_text(before, folder, catalog)).game:
            game_for(folder, known, game)
            return False
        text = line + before
        try:
            terms = read_terms_text(text, folder, catalog)
        except ConfigError:
            terms = SubmissionRules()
        if terms.game is None or terms.game.rules != game.rules:
            raise SubmissionError(f"{folder / TERMS}: expected its game, got none; write {line!r}")
        write_whole(folder / TERMS, text)
    return True


def for_ranking(game: GameConfig) -> GameConfig:
    """Give a preset the shuffle with which luck can be taken out; who said settings keeps them."""
    shuffles = "shuffle" in {each.name for each in fields(game.rules)}
    if game.overrides or not shuffles or not game.rules.game.why_luck_stays(game.rules):
        return game
    uniform = {"shuffle": "uniform"}
    return replace(game, overrides=tuple(uniform.items()), rules=replace(game.rules, **uniform))


def game_text(game: GameConfig) -> str:
    """Write a game as terms and tournaments have it.

    >>> game_text(GameConfig("ve280", (), None))
    've280'
    >>> game_text(GameConfig("ve280", (("decks", 2), ("shuffle", "uniform")), None))
    '{preset: ve280, decks: 2, shuffle: "uniform"}'
    """
    if not game.overrides:
        return game.preset
    # JSON, which YAML takes too, and which leaves no doubt of what is a number.
    overrides = (f"{name}: {json.dumps(value)}" for name, value in game.overrides)
    return f"{{{', '.join((f'preset: {game.preset}', *overrides))}}}"
