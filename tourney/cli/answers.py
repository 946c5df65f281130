"""What commands print with `--json`, as JSON Schemas: every key, its unit and when it is null."""

from collections.abc import Mapping
from typing import Any

DRAFT = "https://json-schema.org/draft/2020-12/schema"

Schema = Mapping[str, Any]


def _any(kind: str, told: str) -> Schema:
    return {"type": kind, "description": told}


def _text(told: str) -> Schema:
    return _any("string", told)


def _whole(told: str) -> Schema:
    return _any("integer", told)


def _number(told: str) -> Schema:
    return _any("number", told)


def _flag(told: str) -> Schema:
    return _any("boolean", told)


def _or_null(schema: Schema) -> Schema:
    return {**schema, "type": [schema["type"], "null"]}


def _list(told: str, items: Schema) -> Schema:
    return {"type": "array", "description": told, "items": items}


def _object(told: str, /, *optional: str, **properties: Schema) -> Schema:
    """Describe an object with these keys and no others; of those in `optional` some may lack."""
    required = [name for name in properties if name not in optional]
    return {
        "type": "object",
        "description": told,
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


INTERVAL = _object(
    "a mean over replications",
    mean=_number("the mean"),
    half=_number("how far the true one may be from it, at 95 %"),
)
RISK = _object(
    "what a bankroll has to expect",
    ruin=_or_null(_number("probability to lose it, ever")),
    kelly_bankroll=_or_null(_number("for which these wagers are full Kelly; null for none")),
    n0=_or_null(_number("rounds until the mean is one SD above zero; null for never")),
    score=_number("chips won in 100 rounds by Kelly wagers from 10,000"),
    per_100=_number("minimums won in 100 rounds"),
    per_hour=_number("minimums won in an hour"),
    di=_number("1000 means in one SD"),
    kelly_fraction=_number("of a bankroll, that a minimum should be"),
    kelly_exact=_or_null(_number("the same by all results of a round; null where not known")),
)
BY_COUNT = _object(
    "what is won at each true count",
    tags=_text("which count"),
    counts=_list(
        "lowest count first",
        _object(
            "rounds that began at one count",
            count=_whole("rounded down; the lowest and the highest stand for all beyond"),
            rounds=_whole("that began at it"),
            wager=_number("the mean one before the cards, in minimums"),
            rate=_number("won for each minimum of it"),
            half_width=_or_null(_number("95 %, of `rate`; null of too few rounds")),
        ),
    ),
)
MEASURED = _object(
    "What `tourney ev --json` prints of one strategy and game; of several it prints a list.",
    "by_count",
    "risk",
    strategy=_text("with its options"),
    game=_text("a preset with overrides"),
    minimum=_whole("least wager in chips"),
    mean=_number("result of a round, in minimums"),
    standard_error=_number("of `mean`, in minimums"),
    sd=_number("of one round, in minimums"),
    adjusted=_or_null(_number("`mean` without the luck of the cards; null where not known")),
    half_width=_or_null(_number("95 %, of `adjusted`, or else of `mean`, in minimums")),
    rounds=_whole("that were played"),
    seconds=_number("that it took"),
    rounds_per_second=_number("that were played"),
    engine=_text("that played"),
    by_count=BY_COUNT,
    risk=RISK,
)
VALUE: Mapping[str, Schema] = {
    "minimum": _whole("least wager in chips"),
    "mean": _number("result of a round, in minimums"),
    "sd": _or_null(_number("of one round, in minimums; null where only the mean is worked out")),
    "exact": _or_null(_text("`mean` as a fraction; null where digits were lost")),
}
EXACT = _object(
    "What `tourney ev --exact --json` prints of one game; of several it prints a list.",
    "risk",
    **VALUE,
    risk=RISK,
)
SOLVED = _object(
    "What `tourney solve --json` prints.",
    "against",
    game=_text("a preset with overrides"),
    **VALUE,
    chart=_text("the best play, as a chart file holds it"),
    notes=_list("what else is to be said about it", _text("a line")),
    against=_list("with --against: what the other chart costs, and where", _text("a line")),
)
DEVIATIONS = _object(
    "What `tourney solve --deviations N --json` prints.",
    game=_text("a preset with overrides"),
    deviations=_list(
        "those that are worth most first",
        _object(
            "a move that is better from some count on, or up to it",
            hand=_text("such as `hard 16`"),
            against=_text("what the dealer shows"),
            move=_text("what to do"),
            instead_of=_text("what to do beyond that count"),
            true_count=_whole("that it begins or ends at"),
            is_from=_flag("whether from this count on; else up to it"),
            worth=_number("minimums gained in 100 rounds of one minimum each"),
        ),
    ),
    worth=_number("of all there are, also those beyond N"),
)
COMPARED = _object(
    "What `tourney compare --json` prints.",
    one=_text("the first strategy"),
    other=_text("the second"),
    game=_text("a preset with overrides"),
    number=_whole("looks until it stopped"),
    tables=_whole("that each has played"),
    rounds=_whole("of both together"),
    difference=_number("the second less the first, in minimums a round"),
    half_width=_or_null(_number("of that, for all looks at once; null of too few tables")),
    relation=_text("separated, practically equal, equal, or open"),
)
FINDING = _object(
    "something to mend",
    message=_text("what was expected, and what was there"),
    place=_text("such as `bold.py:7`; empty if it is about the whole"),
    remedy=_text("how to mend it; may be empty"),
    is_warning=_flag("whether it may play all the same"),
)
CHECKED = _object(
    "What `tourney check --json` prints.",
    "answers",
    file=_text("as it was named"),
    game=_text("or the tournament that it was checked for"),
    confinement=_text("how well it was confined"),
    passed=_flag("whether it may play"),
    score=_or_null(_number("how well it plays; null if nobody measured")),
    margin=_or_null(_number("half the score's interval of 95 %")),
    findings=_list("faults first", FINDING),
    measured=_list(
        "what was measured",
        _object("one thing", what=_text("its name"), told=_text("what was found")),
    ),
    answers=_text("digest of all that it answered"),
)
SHARES = _list("of the seats who cannot go on, wave by wave", _number("from 0 to 1"))
PLANNED = _object(
    "What `tourney plan --json` prints.",
    name=_text("of the tournament"),
    entrants=_whole("how many"),
    start_time=_or_null(_text("as configured")),
    tables=_whole("on the floor"),
    dealers=_whole("on the floor"),
    rates=_object(
        "what happens at tables",
        out=SHARES,
        rounds=_number("share of a block's rounds that is played where somebody is left"),
        shuffles=_number("in a round"),
        cards=_number("in a round at each seat"),
        trials=_whole("in which they were measured; 0 for none"),
    ),
    replications=_whole("of the event"),
    seconds=INTERVAL,
    late_seconds=_number("within which nine of ten replications are over"),
    blocks=INTERVAL,
    waves=_list(
        "one after the other",
        _object(
            "on average over the replications that have it",
            begin_seconds=_number("when it begins"),
            players=_number("in it"),
            tables=_number("in it"),
            share=_number("of all replications, that have it"),
        ),
    ),
    most_tables=_whole("in play at once, if nobody had to wait"),
    table_use=INTERVAL,
    dealer_use=INTERVAL,
    other_dealers=_list(
        "what one dealer more or less changes",
        _object("a number of dealers", dealers=_whole("how many"), longer_seconds=INTERVAL),
    ),
    pilot=_or_null(
        _object(
            "what a few tables say of how many tell the field apart; null without a trial",
            tables=_whole("that everybody played; 0 if there was no pilot"),
            neighbours=_whole("pairs of them"),
            needed=_list(
                "for half of the neighbours, and for nine of ten",
                _object(
                    "tables that tell so many apart in every second run",
                    pairs=_whole("of neighbours"),
                    least=_or_null(_whole("tables; null for more than anybody plays")),
                    most=_or_null(_whole("tables; null where the pilot leaves it open")),
                ),
            ),
            why_not=_text("why there was none; empty if there was"),
            seconds=_number("always 0: the same seed prints the same"),
        )
    ),
)

SPREAD = _object(
    "how something was distributed",
    mean=_number("the mean"),
    percentiles=_list("those of `percentiles`", _number("in the same unit")),
    most=_number("the greatest"),
)
RESOURCE = _object(
    "what became of the requests for tables, or for dealers",
    name=_text("tables or dealers"),
    capacity=_whole("how many there are"),
    requests=_whole("blocks that asked for one"),
    wait={**SPREAD, "description": "seconds that blocks waited"},
    stay={**SPREAD, "description": "seconds that blocks kept it"},
    queue={**SPREAD, "description": "blocks that waited at a time"},
    in_use={**SPREAD, "description": "in use at a time"},
    use=_number("share of their time"),
)
RESOURCE_INTERVALS = {
    "type": "object",
    "description": "means over replications, by figure",
    "additionalProperties": INTERVAL,
}
FLOOR = _object(
    "What `tourney floor --json` prints.",
    *("replications", "end_interval", "intervals"),
    name=_text("of the tournament"),
    start_time=_or_null(_text("as configured")),
    begin_seconds=_number("end of the warm-up"),
    end_seconds=_number("end of the last block"),
    tables=RESOURCE,
    dealers=RESOURCE,
    dealer_seconds=_object(
        "what dealers did, in seconds of all together",
        dealing=_number("cards"),
        setup=_number("tables made ready"),
        breaks=_number("breaks"),
        idle=_number("nothing"),
        total=_number("all of it"),
    ),
    percentiles=_list("which are told", _whole("in per cent")),
    timetable=_list(
        "levels and breaks",
        _object(
            "a moment",
            seconds=_number("from the beginning"),
            what=_text("such as `level 2`"),
            time=_text("as a clock shows it"),
        ),
    ),
    replications=_whole("of several: how many"),
    end_interval=INTERVAL,
    intervals=_object(
        "of several: for tables and for dealers",
        tables=RESOURCE_INTERVALS,
        dealers=RESOURCE_INTERVALS,
    ),
)
TOLD: Mapping[str, Schema] = {
    "cause": _text("such as `raised` or `stalled`"),
    "confirmed": _or_null(_flag("whether it came again; null where that was not asked")),
    "stage": _whole("from 1"),
    "heat": _whole("from 1"),
    "table": _whole("from 1"),
    "seating": _or_null(_whole("from 1; null where tables have one")),
    "round": _whole("from 1"),
    "decision": _whole("of the block, from 1"),
    "call": _text("what was asked"),
    "message": _text("what was expected, and what came"),
    "seen": _text("what the player saw"),
    "place": _text("in its file; may be empty"),
    "traceback": _text("of its author's lines; may be empty"),
}
VERDICTS = _object(
    "What `tourney verdicts --json` prints.",
    "withheld",
    run=_whole("its number"),
    name=_text("of the run"),
    fault=_text("what a fault costs in this tournament"),
    verdicts=_list(
        "the first of each cause",
        _object(
            "who broke the contract, and how",
            entrant=_text("its name"),
            **TOLD,
            tables=_whole("at which that happened"),
        ),
    ),
    unconfirmed=_list(
        "first faults that a second play did not give there; the second play's result stands",
        _object("who, and what", entrant=_text("its name"), **TOLD),
    ),
    replays=_list(
        "entrants whose batches were played again because a first play was lost; no faults",
        _object("to whom, and why", entrant=_text("its name"), message=_text("in words")),
    ),
    warnings=_list(
        "no faults",
        _object("to whom, and what", entrant=_text("its name"), message=_text("in words")),
    ),
    withheld=_text("what is not told, and until when"),
)
BUGS = _list("by name", _text("of a bug"))
MUTANTS = _object(
    "What `tourney mutants --json` prints.",
    "revealed",
    tests=_list(
        "in the order of the file",
        _object(
            "a test, and what came of it",
            name=_text("as in the file"),
            line=_whole("of the file, from 1"),
            fault=_text("why it does not count; empty if it does"),
            catches=BUGS,
            counts=_flag("whether it passes what is correct"),
        ),
    ),
    classes={
        "type": "object",
        "description": "by class that is tested",
        "additionalProperties": _object("bugs", caught=BUGS, missed=BUGS),
    },
    revealed={
        "type": "object",
        "description": "with --reveal: bugs that no test catches",
        "additionalProperties": _object(
            "one of them",
            bug=_text("what it is"),
            caught_by=_text("what kind of test catches it"),
        ),
    },
)

ANSWERS: Mapping[str, Schema] = {
    "check": CHECKED,
    "compare": COMPARED,
    "deviations": DEVIATIONS,
    "ev": MEASURED,
    "exact": EXACT,
    "floor": FLOOR,
    "mutants": MUTANTS,
    "plan": PLANNED,
    "solve": SOLVED,
    "verdicts": VERDICTS,
}
"""By what `tourney schema` calls them."""


def answer_schema(what: str) -> Schema:
    """Give the JSON Schema of what a command prints: one of ANSWERS."""
    return {"$schema": DRAFT, "title": f"tourney {what}", **ANSWERS[what]}
