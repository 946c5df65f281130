"""Boards whose entrants have groups: the text of an entrant has its group, the name has not."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from tourney.portal import boards, grade_jobs, jobs, worker
from tourney.portal.accounts import add_member
from tourney.portal.boards import Audience
from tourney.store.records import RunRecord

from .test_board_rows import OWN
from .test_sealing import FREEZE, Course, course, record

__all__ = ["record"]  # a fixture


@contextmanager
def frozen_final(record: RunRecord, setting: str = "") -> Iterator[Course]:
    """Give a frozen final of two entrants with a group each, with results from before."""
    config = record.config
    for name in ("Student", "Mate"):
        config = config.replace(f"as: {name}}}", f"as: {name}, group: '001'}}")
    config = config.replace("leaderboard: {", f"leaderboard: {{{setting}")
    entrants = tuple(
        replace(each, group="001", pseudonym=f"Quiet {each.name[0]}") for each in record.entrants
    )
    grouped = replace(record, config=config, entrants=entrants)
    with (
        pytest.MonkeyPatch.context() as patch,
        asyncio.Runner() as runner,
        course(grouped, runner) as made,
    ):
        patch.setattr("tourney.portal.follower._now", lambda: FREEZE - timedelta(hours=1))
        made.take([900, 1200] * 2)
        made.follower.look()
        patch.setattr("tourney.portal.follower._now", lambda: FREEZE + timedelta(hours=1))
        made.take([900, 1200] * 38)
        made.end()
        made.follower.look()
        jobs.insert(made.portal.database, "final", {}, course=made.portal.courses["cards"])
        yield made


def entrants(final: Course, audience: Audience) -> list[str]:
    """Give the texts of the entrants on the board of an audience."""
    board = boards.board_of(final.portal.database, final.run.id, audience)
    shown = json.loads(board.shown) if board else {"columns": [], "rows": []}
    at = [each["name"] for each in shown["columns"]].index("entrant")
    return [row["cells"][at]["text"] for row in shown["rows"]]


def exclude(final: Course, name: str) -> None:
    """Let a lecturer exclude an entrant."""
    lecturer = final.portal.browser("lecturer")
    form = {"entrant": name, "reason": "copied"}
    answer = lecturer.post(f"/c/cards/final/{final.run.id}/exclude", form)
    assert answer.status_code == 303, answer.text
    worker.do_all(final.portal.places, grade_jobs.HANDLERS)
    final.follower.look()


def test_the_own_row_is_marked(record: RunRecord) -> None:
    """And a page names the entrant with the group."""
    with frozen_final(record) as final:
        portal = final.portal
        student = portal.people["student"]
        add_member(portal.database, 1, student, "student", person="Student", name="Student")
        page = portal.browser("student").get(f"/c/cards/final/{final.run.id}").text
        assert OWN.findall(page) == ["Student"]
        assert "Student [001]" in page


@pytest.mark.parametrize("revealed", [None, 1, 2])
def test_a_pseudonym_is_marked_and_told_to_its_own_student_alone(
    record: RunRecord, revealed: int | None
) -> None:
    """On the frozen board, and once the row is revealed; whose it is stands on no other page."""
    with frozen_final(record, "names: handles, ") as final:
        portal, home = final.portal, f"/c/cards/final/{final.run.id}"
        if revealed is not None:
            boards.change(portal.database, final.run, revealed=revealed)
        final.follower.look()
        for who in ("Student", "Mate"):
            own, is_shown = f"Quiet {who[0]}", (who, revealed) != ("Mate", 1)
            browser = portal.browser(who.lower())
            page = browser.get(home).text
            assert OWN.findall(page) == [own] * is_shown
            assert (f"You play here as <strong>{own}</strong>" in page) is is_shown
            assert page.count("You play here as <strong>Q") == is_shown
            assert browser.get(f"{home}/me").json()["pseudonym"] == (own if is_shown else "")
        assert final.portal.browser("student").get(f"{home}/board.json").text.count("Student") == 0
        for who in ("", "lecturer", "spectator"):
            page = portal.browser(who).get(home).text
            assert "as <strong></strong>" in page
            assert not OWN.findall(page)


def test_an_entrant_with_a_group_is_excluded(record: RunRecord) -> None:
    """The list has its name, and the frozen board loses its row at once."""
    with frozen_final(record) as final:
        page = final.portal.browser("lecturer").get(f"/c/cards/final/{final.run.id}/control").text
        assert "<option>Mate</option>" in page
        assert entrants(final, "public") == ["Mate [001]", "Student [001]"]
        exclude(final, "Mate")
        for audience in ("staff", "course", "public"):
            assert entrants(final, audience) == ["Student [001]"]


def test_an_excluded_entrant_with_a_pseudonym_leaves_the_frozen_board(record: RunRecord) -> None:
    """Its own row, too."""
    with frozen_final(record, "names: handles, ") as final:
        assert sorted(entrants(final, "course")) == ["Quiet M", "Quiet S"]
        exclude(final, "Mate")
        assert entrants(final, "course") == ["Quiet S"]
        board = boards.board_of(final.portal.database, final.run.id, "course")
        assert board
        assert list(board.own) == ["Student"]


def test_an_erased_person_with_a_group_has_a_pseudonym_on_the_frozen_board(
    record: RunRecord,
) -> None:
    """The group would name a small section."""
    with frozen_final(record) as final:
        boards.change(final.portal.database, final.run, withheld={"1": "Quiet Heron 1000"})
        final.follower.look()
        assert entrants(final, "public") == ["Quiet Heron 1000", "Student [001]"]


def test_an_exclusion_reveals_no_further_place(record: RunRecord) -> None:
    """If the entrant's row is revealed, the next one stays hidden."""
    with frozen_final(record) as final:
        boards.change(final.portal.database, final.run, revealed=1)
        final.follower.look()
        assert entrants(final, "public") == ["Student [001]"]
        exclude(final, "Student")
        assert entrants(final, "public") == []
        assert entrants(final, "staff") == ["Mate [001]"]


def test_results_are_open_when_an_exclusion_leaves_no_hidden_place(record: RunRecord) -> None:
    """So that the portal writes the pages."""
    with frozen_final(record) as final:
        boards.change(final.portal.database, final.run, revealed=1)
        final.follower.look()
        exclude(final, "Mate")
        final.follower.look()
        run = boards.runs_of(final.portal.database, final.run.course, "final")[0]
        assert run.settings["opened"]
        assert run.settings["asked"]
