"""What may be told: whatever is hidden has no influence on what is shown."""

from datetime import UTC, datetime
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.errors import TourneyError
from tourney.game.ledger import Verdict
from tourney.report.redaction import OPEN, Policy, told, told_rows
from tourney.report.site.model import (
    BlockData,
    CellData,
    ColumnData,
    DuelData,
    EntrantData,
    FloorBlocksData,
    FloorChartData,
    FloorData,
    FloorIntervalData,
    FloorRowData,
    HappeningData,
    IntervalData,
    PolicyData,
    RaceData,
    ResultsData,
    RunData,
    SiteData,
    TableData,
    VerdictData,
)
from tourney.report.site.site_files import site_files
from tourney.standings.columns import COLUMNS
from tourney.standings.data import as_csv
from tourney.standings.standing import Standing

FINISHED = datetime(2026, 5, 1, tzinfo=UTC)
BEFORE, AFTER = FINISHED.replace(month=4), FINISHED.replace(month=6)

NAMES = st.text("abcXYZ<&\"'|", min_size=1, max_size=8)
FACTS = st.tuples(NAMES, NAMES, st.integers(0, 9_999))
"""Of an entrant: its name, its file, and a number that stands for all its results."""


def _data(facts: list[tuple[str, str, int]]) -> SiteData:
    return SiteData(
        run=_run(),
        policy=PolicyData(entrants=len(facts)),
        columns=[
            ColumnData(name="rank", title="Place", is_number=True),
            ColumnData(name="entrant", title="Entrant", is_number=False),
            ColumnData(name="motto", title="Motto", is_number=False),
            ColumnData(name="author", title="Author", is_number=False),
            ColumnData(name="profit_per_round", title="Profit", is_number=True),
        ],
        entrants=[_entrant(place, len(facts), *fact) for place, fact in enumerate(facts, 1)],
        floor=FloorData(
            seconds=60,
            blocks=9,
            rounds=9,
            tables=1,
            tables_used=1,
            dealers=1,
            dealers_used=1,
            happenings=[
                HappeningData(seconds=number, event="out", entrant=place, table=0, value=place)
                for place, (_, _, number) in enumerate(facts, 1)
            ],
            chart=_chart([name for name, _, _ in facts]),
        ),
        race=RaceData(
            rounds=[0, 10],
            entrants=list(range(1, len(facts) + 1)),
            tables=[4] * len(facts),
            medians=[[100, number] for _, _, number in facts],
        ),
    )


def _chart(names: list[str]) -> FloorChartData:
    """Let everybody play alone, in the order of the configuration, as long as the name is."""
    ends = [float(1 + len(name)) for name in names]
    return FloorChartData(
        rows=[
            FloorRowData(
                first_table=1,
                last_table=1,
                blocks=len(names),
                setup_seconds=0,
                play_seconds=sum(ends),
                wait_seconds=0,
                use=1,
                in_use=[],
                waiting=[],
            )
        ],
        intervals=[
            FloorIntervalData(
                begin_seconds=0,
                seconds=60,
                tables_in_use=sum(ends) / 60,
                tables_waiting=0,
                break_seconds=0,
            )
        ],
        breaks=[],
        blocks=FloorBlocksData(
            table=[1] * len(names),
            stage=[1] * len(names),
            heat=[1] * len(names),
            tournament_table=[1] * len(names),
            seats=[[place] for place, _ in enumerate(names, 1)],
            free=[0.0] * len(names),
            begin=[0.0] * len(names),
            play=[0.0] * len(names),
            end=ends,
        ),
        has_single_seats=True,
    )


def _run() -> RunData:
    return RunData(
        name="Cup",
        game="ve280",
        rules={},
        format="duplicate",
        tables="tables",
        status="finished",
        created=FINISHED.isoformat(),
        finished=FINISHED.isoformat(),
        rehearsal=False,
        commitment="c0ffee",
        secret="5ec2e7",  # noqa: S106 - a secret that is published
        salt="5a17",
        confinement="",
        versions={},
        bankroll=100,
        minimum=5,
        unit=1,
        scheduled_rounds=10,
        measure="bankroll",
        measure_title="Mean final bankroll",
        is_low_best=False,
        fault="stands",
    )


def _entrant(place: int, entrants: int, name: str, file: str, number: int) -> EntrantData:
    others = [other for other in range(1, entrants + 1) if other != place]
    return EntrantData(
        number=place,
        name=name,
        strategy=file,
        group=file,
        kind="file",
        cells=[
            CellData(value=place, text=str(place)),
            CellData(value=name, text=name),
            CellData(value=f"I am {name}", text=f"I am {name}"),
            CellData(value=file, text=file),
            CellData(value=number, text=f"+{number}"),
        ],
        interval=IntervalData(mean=0, half_width=1),
        results=ResultsData(
            stage=[1],
            heat=[1],
            table=[1],
            rounds=[10],
            net=[number],
            final=[number],
            luck=None,
            handle=[0],
            faults=[0],
        ),
        fan=None,
        decisions=None,
        duels=[DuelData(rival=other, mean=other, half_width=1, tables=4) for other in others],
        tables=[
            TableData(
                kind="best",
                stage=1,
                heat=1,
                table=1,
                result=number,
                path_rounds=[],
                path=[],
                blocks=[
                    BlockData(
                        seating=1,
                        first_round=1,
                        seats=[place, *others],
                        seat=0,
                        rounds=["100|5|a"],
                        last=[number],
                    )
                ],
            )
        ],
        verdicts=[
            VerdictData(
                cause="raised",
                stage=1,
                heat=1,
                table=1,
                round=1,
                decision=1,
                call="bet",
                message=f"{file} raised",
                seen="",
                place=f"{file}:3",
                traceback=file,
                tables=1,
            )
        ],
    )


def _rows(facts: list[tuple[str, str, int]]) -> list[Standing]:
    return [
        Standing(
            place=place,
            name=name,
            strategy=file,
            group=file,
            author=file,
            tables=1,
            rounds=1,
            mean=Fraction(number),
            half_width=None,
            quantiles=(0, 0, 0),
            ruin=0,
            profit_per_round=0,
            handle=0,
            faults=1,
            verdict=Verdict("raised", "bet", 1, 1, file, file, file),
        )
        for place, (name, file, number) in enumerate(facts, 1)
    ]


def _site(policy: Policy, data: SiteData) -> dict[str, bytes]:
    return dict(site_files(told(policy, data, FINISHED, {})))


def test_an_open_policy_tells_everything() -> None:
    """Nothing is lost where nothing is withheld."""
    data = _data([("Ada", "ada.py", 3), ("Blaise", "blaise.py", 2)])
    assert told(OPEN, data, FINISHED, {}) == data


@tried(15)
@given(st.lists(FACTS, min_size=2, max_size=4), st.data())
def test_names_have_no_influence_on_a_site_with_handles(
    facts: list[tuple[str, str, int]], draw: st.DataObject
) -> None:
    """Other people with the same results give the same bytes."""
    others = [(*draw.draw(st.tuples(NAMES, NAMES)), number) for _, _, number in facts]
    policy = Policy(names="handles")
    assert _site(policy, _data(facts)) == _site(policy, _data(others))


@tried(15)
@given(st.lists(FACTS, min_size=2, max_size=4, unique_by=lambda fact: fact[0]), st.data())
def test_a_name_that_is_withheld_has_no_influence_whatever_the_policy_tells(
    facts: list[tuple[str, str, int]], draw: st.DataObject
) -> None:
    """It may be any other, with another file; everybody else stays."""
    at = draw.draw(st.integers(0, len(facts) - 1))
    others = list(facts)
    others[at] = ("another name", draw.draw(NAMES), facts[at][2])
    freeze = draw.draw(st.sampled_from([None, BEFORE]))
    policy = Policy(names=draw.draw(st.sampled_from(["names", "handles"])), freeze=freeze)
    first, second = (
        told(policy, _data(each), FINISHED, {}, {each[at][0]: "Owl"}) for each in (facts, others)
    )
    assert dict(site_files(first)) == dict(site_files(second))
    if policy == OPEN:
        kept = [each.name for each in first.entrants]
        assert kept == ["Owl" if n == at else name for n, (name, _, _) in enumerate(facts)]


@pytest.mark.parametrize(
    ("policy", "withheld", "is_single", "is_drawn"),
    [
        (OPEN, {}, True, True),
        (Policy(names="handles"), {}, True, False),
        (Policy(names="handles"), {}, False, True),
        (OPEN, {"Ada": "Owl"}, True, False),
        (OPEN, {"Ada": "Owl"}, False, True),
        (Policy(top=1), {}, False, False),
        (Policy(top=2), {}, True, True),
        (Policy(freeze=BEFORE), {}, False, False),
    ],
)
def test_the_blocks_of_the_floor_are_drawn_where_they_identify_no_entrant(
    policy: Policy, withheld: dict[str, str], is_single: bool, is_drawn: bool
) -> None:
    """Blocks of one seat are in the order of the configuration; others last as long as entrants."""
    data = _data([("Ada", "ada.py", 3), ("Blaise", "blaise.py", 2)])
    assert data.floor
    assert data.floor.chart
    chart = data.floor.chart.model_copy(update={"has_single_seats": is_single})
    floor = data.floor.model_copy(update={"chart": chart})
    shown = told(policy, data.model_copy(update={"floor": floor}), FINISHED, {}, withheld).floor
    assert bool(shown and shown.chart) is is_drawn


def test_the_place_in_the_configuration_is_nothing_a_handle_tells() -> None:
    """Of who sits alone it is the number of the seating; no shoe hangs on it."""
    data = _data([("Ada", "ada.py", 3), ("Blaise", "blaise.py", 2)])
    seated = data.model_dump()
    for number, entrant in enumerate(seated["entrants"]):
        for block in entrant["tables"][0]["blocks"]:
            block["seating"] = 7 - number
    elsewhere = SiteData.model_validate(seated)
    policy = Policy(names="handles")
    assert _site(policy, data) == _site(policy, elsewhere)
    assert _site(OPEN, data) != _site(OPEN, elsewhere)


@tried(15)
@given(st.lists(FACTS, min_size=2, max_size=4), st.data())
def test_names_have_no_influence_on_a_table_with_handles(
    facts: list[tuple[str, str, int]], draw: st.DataObject
) -> None:
    """No column of the platform says who somebody is, nor who wrote it."""
    others = [(*draw.draw(st.tuples(NAMES, NAMES)), number) for _, _, number in facts]
    told_twice = [
        told_rows(Policy(names="handles"), _rows(each), FINISHED.isoformat(), FINISHED, {})
        for each in (facts, others)
    ]
    assert as_csv(told_twice[0], COLUMNS) == as_csv(told_twice[1], COLUMNS)


@tried(15)
@given(st.lists(FACTS, min_size=2, max_size=4), st.data())
def test_who_is_not_shown_has_no_influence_on_the_site(
    facts: list[tuple[str, str, int]], draw: st.DataObject
) -> None:
    """Below the first N, names and results may be any."""
    top = draw.draw(st.integers(1, len(facts)))
    others = facts[:top] + [draw.draw(FACTS) for _ in facts[top:]]
    policy = Policy(top=top)
    assert _site(policy, _data(facts)) == _site(policy, _data(others))


@tried(15)
@given(st.lists(FACTS, min_size=2, max_size=4, unique_by=lambda fact: fact[0]), st.data())
def test_results_have_no_influence_on_a_sealed_site(
    facts: list[tuple[str, str, int]], draw: st.DataObject
) -> None:
    """In whatever order the board is, and whatever numbers stand on it."""
    others = draw.draw(st.permutations(facts))
    others = [(name, file, draw.draw(st.integers(0, 9_999))) for name, file, _ in others]
    policy = Policy(freeze=BEFORE)
    assert _site(policy, _data(facts)) == _site(policy, _data(others))


@pytest.mark.parametrize(
    ("freeze", "reveal", "now", "is_sealed"),
    [
        (None, None, FINISHED, False),
        (BEFORE, None, AFTER, True),
        (AFTER, None, AFTER, False),
        (BEFORE, AFTER, FINISHED, True),
        (BEFORE, AFTER, AFTER, False),
    ],
)
def test_a_freeze_holds_until_it_is_revealed(
    freeze: datetime | None, reveal: datetime | None, now: datetime, is_sealed: bool
) -> None:
    """What came in before the freeze is told at any time."""
    assert (
        told(Policy(freeze=freeze, reveal=reveal), _data([]), now, {}).policy.is_sealed is is_sealed
    )


TIMES = st.sampled_from([BEFORE, FINISHED, AFTER])


@st.composite
def _policies(draw: st.DrawFn) -> Policy:
    freeze = draw(st.none() | TIMES)
    later = [time for time in (BEFORE, FINISHED, AFTER) if freeze and time >= freeze]
    return Policy(
        names=draw(st.sampled_from(["names", "handles"])),
        top=draw(st.none() | st.integers(1, 3)),
        freeze=freeze,
        reveal=draw(st.none() | st.sampled_from(later)) if later else None,
    )


@given(_policies(), _policies(), st.none() | TIMES, TIMES)
def test_two_policies_together_withhold_what_either_does(
    one: Policy, other: Policy, as_of: datetime | None, now: datetime
) -> None:
    """Names, rows and results; and an open one changes nothing."""
    both = one.tightened(other)
    assert (both.names == "handles") == ("handles" in (one.names, other.names))
    assert both.top == min([each.top for each in (one, other) if each.top], default=None)
    if one.seals(as_of, now) or other.seals(as_of, now):
        assert both.seals(as_of, now)
    assert one.tightened(OPEN) == OPEN.tightened(one) == one


def test_who_shares_the_last_place_is_shown_too() -> None:
    """A tie is not broken by the order of the rows."""
    data = _data([("Ada", "a", 1), ("Blaise", "b", 1), ("Carl", "c", 1)])
    tied = [CellData(value=1, text="1")]
    entrants = [
        each.model_copy(update={"cells": tied + each.cells[1:]}) for each in data.entrants[:2]
    ]
    data = data.model_copy(update={"entrants": [*entrants, data.entrants[2]]})
    shown = told(Policy(top=1), data, FINISHED, {}).entrants
    assert [each.name for each in shown] == ["Ada", "Blaise"]


def test_a_policy_that_makes_no_sense_is_refused() -> None:
    """Before anything is published."""
    with pytest.raises(TourneyError, match="top: expected at least 1, got 0"):
        Policy(top=0)
    with pytest.raises(TourneyError, match="reveal needs a freeze time before it"):
        Policy(reveal=AFTER)
    with pytest.raises(TourneyError, match=r"reveal: .* is before the freeze at"):
        Policy(freeze=AFTER, reveal=BEFORE)
