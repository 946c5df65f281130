"""The rules and the scoring of a run, from its published data."""

from dataclasses import fields
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tourney.config.model import TournamentConfig
from tourney.errors import TourneyError
from tourney.game.rules import Rules
from tourney.game.words import Words
from tourney.plugins.registry import Registry
from tourney.report.redaction import COSTS
from tourney.report.site.model import RunData
from tourney.standings.bounded_differences import Bounds
from tourney.standings.standing import MEASURES
from tourney.standings.tallies import Scoring

WORDS = {"yes": True, "no": False, "None": None}


def settings_told(rules: Any) -> dict[str, str]:
    """Return the settings of rules, by name."""
    values = {each.name: getattr(rules, each.name) for each in fields(rules)}
    return {
        name: ("yes" if value else "no") if isinstance(value, bool) else str(value)
        for name, value in values.items()
    }


def configured(config: TournamentConfig) -> dict[str, Any]:
    """Return the published data that depend only on the configuration."""
    rules, options = config.game.rules, config.format.options
    measure = options.measure(rules)
    return {
        "name": config.name,
        "game": config.game.preset,
        "rules": settings_told(rules),
        "format": config.format.kind,
        "tables": options.table_words(rules),
        "bankroll": config.bankroll,
        "minimum": config.minimum,
        "unit": rules.unit,
        "words": None if rules.game.words == Words() else rules.game.words._asdict(),
        "scheduled_rounds": options.scheduled_rounds,
        "measure": measure.name,
        "measure_title": measure.title,
        "is_low_best": measure.is_low_best,
        "fault": options.fault,
    }


def rules_again(run: RunData, registry: Registry) -> Rules:
    """Make the rules of a run from their settings.

    Raises: TourneyError, if the game, or its version, is not installed.
    """
    game = registry.games.get(run.game)
    if game is None:
        raise TourneyError(f"game: {run.game!r} is not installed here; install its plugin")
    preset: Any = game.rules
    known = {each.name for each in fields(preset)}
    settings = {name: _value(text) for name, text in run.rules.items() if name in known}
    try:
        rules: Rules = TypeAdapter(type(preset)).validate_python(settings)
    except (ValidationError, TourneyError) as error:
        said = _first_of(error) if isinstance(error, ValidationError) else str(error)
        raise TourneyError(f"rules: the settings do not fit {run.game}: {said}") from None
    if settings_told(rules) != run.rules:
        raise TourneyError(f"rules: the settings are not those of {run.game}")
    if run.unit != rules.unit:
        raise TourneyError(f"run.unit: {run.unit} differs from {rules.unit}, the unit of the rules")
    return rules


def scoring_again(run: RunData, rules: Rules) -> Scoring:
    """Return the scoring of a run.

    Raises: TourneyError, if the scoring is unknown here.
    """
    measure = next((each for each in MEASURES if each.name == run.measure), None)
    if measure is None:
        names = ", ".join(each.name for each in MEASURES)
        raise TourneyError(f"run.measure: expected one of {names}, got {run.measure!r}")
    if (run.measure_title, run.is_low_best) != (measure.title, measure.is_low_best):
        raise TourneyError(f"run: title or order differs from those of {measure.name}")
    if run.fault not in COSTS:
        raise TourneyError(f"run.fault: expected {', '.join(COSTS)}; got {run.fault!r}")
    if run.scheduled_rounds < 1:
        raise TourneyError(f"run.scheduled_rounds: must be above 0; it is {run.scheduled_rounds}")
    return Scoring(
        rules=rules,
        bankroll=round(run.bankroll * rules.unit),
        minimum=round(run.minimum * rules.unit),
        scheduled_rounds=run.scheduled_rounds,
        fault=run.fault,
        measure=measure,
        margin=run.margin,
        looks=tuple(run.looks),
        why_luck_stays=run.why_luck_stays,
        shares_shoes=run.shares_shoes,
        bounds=Bounds(*run.bounds) if run.bounds else None,
    )


def _first_of(error: ValidationError) -> str:
    """Describe the first fault in one line."""
    fault = error.errors()[0]
    return f"{'.'.join(map(str, fault['loc'][:1]))}: {fault['msg'].lower()}"


def _value(text: str) -> Any:
    """Read a setting."""
    if text in WORDS:
        return WORDS[text]
    return int(text) if text.isdecimal() else text
