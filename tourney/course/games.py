"""The game of a folder of submissions: named once, and kept in the submission rules."""

import json
from dataclasses import replace
from pathlib import Path

from tourney.config.model import Catalog, GameConfig
from tourney.config.words import hint
from tourney.course.files import only_one, write_whole
from tourney.course.folder import near_folder
from tourney.course.submission_rules import TERMS, SubmissionRules, read_terms_text, text_of_terms
from tourney.errors import ConfigError, SubmissionError


def game_for(folder: Path, terms: SubmissionRules, asked: GameConfig | None) -> GameConfig:
    """Return the game of a folder.

    Args:
        folder: Folder of submissions; may be missing.
        terms: Its submission rules.
        asked: The game that the user names, if any.
    Raises: SubmissionError, if no game is named, or the rules name another one.
    """
    if terms.game is None and asked is None:
        meant = "" if folder.is_dir() else hint(near_folder(folder))
        raise SubmissionError(
            f"{folder} names no game yet{meant}. Name it once with --game GAME, such as "
            "--game ve280; the folder keeps it."
        )
    if terms.game and asked and not same_contract(terms.game, asked):
        raise SubmissionError(
            f"--game is {game_text(asked)}, and {folder / TERMS} names "
            f"{game_text(terms.game)}. Leave --game out, or use another folder."
        )
    game = terms.game or asked
    assert game
    return game


def for_tournament(folder: Path, terms: SubmissionRules, game: GameConfig) -> SubmissionRules:
    """Return the submission rules with the game of their tournament.

    Args:
        folder: Folder of submissions.
        terms: Its rules, which name a tournament.
        game: The game of the tournament.
    Raises: SubmissionError, if the rules name another game.
    """
    if terms.game and not same_contract(terms.game, game):
        raise SubmissionError(
            f"{folder / TERMS}: game is {game_text(terms.game)}, and {terms.tournament} plays "
            f"{game_text(game)}. Name another tournament, or use another folder."
        )
    return replace(terms, game=game)


def same_contract(one: GameConfig, other: GameConfig) -> bool:
    """Return whether a competitor checked for one game needs no check for the other."""
    game = one.rules.game
    return bool(game == other.rules.game and game.same_contract(one.rules, other.rules))


def keep_game(folder: Path, game: GameConfig, catalog: Catalog) -> bool:
    """Write a game into the submission rules of a folder, as the first line.

    A game that another first submission wrote meanwhile stays.

    Args:
        folder: Folder of submissions, which exists.
        game: The game.
        catalog: The known games.
    Returns: Whether it was written.
    Raises: SubmissionError, if the rules name another game now, or the line does not fit in.
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
            raise SubmissionError(
                f"{folder / TERMS}: the game could not be added; write {line!r} into it"
            )
        write_whole(folder / TERMS, text)
    return True


def game_text(game: GameConfig) -> str:
    """Write a game as terms and tournaments have it.

    >>> game_text(GameConfig("ve280", (), None))
    've280'
    >>> game_text(GameConfig("ve280", (("decks", 2), ("shuffle", "uniform")), None))
    '{preset: ve280, decks: 2, shuffle: "uniform"}'
    """
    if not game.overrides:
        return game.preset
    # JSON is valid YAML, and quotes texts that look like numbers.
    overrides = (f"{name}: {json.dumps(value)}" for name, value in game.overrides)
    return f"{{{', '.join((f'preset: {game.preset}', *overrides))}}}"


def game_words(game: GameConfig) -> str:
    """Describe a game for students.

    >>> game_words(GameConfig("eecs280", (("shuffle", "uniform"), ("dealer_hits", True)), None))
    'eecs280, shuffle uniform, dealer hits true'
    """
    overrides = (
        f"{name.replace('_', ' ')} {value if isinstance(value, str) else json.dumps(value)}"
        for name, value in game.overrides
    )
    return ", ".join((game.preset, *overrides))
