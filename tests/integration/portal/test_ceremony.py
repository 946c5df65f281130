"""The ceremony: places in large type, step by step, which show what the course may see."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.e2e.browser.chromium import Chromium
from tests.e2e.browser.conftest import browser
from tourney.portal import boards, jobs
from tourney.portal.web import ceremony
from tourney.store.records import RunRecord

from .furnished import furnish
from .portals import make_portal
from .served import wait_until
from .test_every_page import Shown, answering
from .test_sealing import FREEZE, Course, course, record

__all__ = ["browser", "record"]  # fixtures
SHOWN = re.compile(r'<th scope="row" class="who">([^<]+)</th>')


@contextmanager
def sealed_final(record: RunRecord, *, is_over: bool = True) -> Iterator[Course]:
    """Give a frozen final that Mate has won against Student."""
    with (
        pytest.MonkeyPatch.context() as patch,
        asyncio.Runner() as runner,
        course(record, runner) as made,
    ):
        patch.setattr(ceremony, "FOLLOWED_SECONDS", 0)
        patch.setattr("tourney.portal.follower._now", lambda: FREEZE - timedelta(hours=1))
        made.follower.look()
        patch.setattr("tourney.portal.follower._now", lambda: FREEZE + timedelta(hours=1))
        made.take([900, 1200] * 40)
        if is_over:
            made.end()
        made.follower.look()
        yield made


class Presenter:
    """Somebody at the ceremony of a final."""

    def __init__(self, final: Course, who: str = "lecturer") -> None:
        """Open the page."""
        self.final, self.browser = final, final.portal.browser(who)
        self.path = f"/c/cards/final/{final.run.id}/ceremony"

    @property
    def page(self) -> str:
        """The page as it is now."""
        return self.browser.get(f"{self.path}?shown=9").text

    @property
    def places(self) -> list[str]:
        """The names on the page, best first."""
        return SHOWN.findall(self.page)

    def press(self, name: str, revealed: int) -> str:
        """Press a button of a page that shows a number of places; give where that leads."""
        answer = self.browser.post(f"{self.path}/{name}", {"revealed": str(revealed)})
        assert answer.status_code == 303, answer.text
        self.final.follower.look()
        return answer.headers["location"]


def names_on_the_board(final: Course) -> list[str]:
    """Give the names that the public sees."""
    page = final.portal.browser().get(f"/c/cards/final/{final.run.id}").text
    return re.findall(r'data-entrant="([^"]+)"', page)


def test_each_step_reveals_a_place_from_the_last_to_the_first(record: RunRecord) -> None:
    """Here and on the public board; the last step shows everything and offers its pages."""
    with sealed_final(record) as final:
        presenter = Presenter(final)
        assert presenter.places == names_on_the_board(final) == []
        assert "All places are hidden." in presenter.page
        assert "Mate" not in presenter.page
        assert presenter.press("step", 0) == f"{presenter.path}?shown=1#newest"
        assert presenter.places == names_on_the_board(final) == ["Student"]
        assert "1 place is hidden." in presenter.page
        assert '<tr id="newest">' in presenter.page
        presenter.press("step", 1)
        assert presenter.places == names_on_the_board(final) == ["Mate", "Student"]
        assert "All places are shown." in presenter.page
        run = boards.runs_of(final.portal.database, final.run.course, "final")[0]
        assert run.settings["opened"]


def test_undo_hides_the_newest_place_again(record: RunRecord) -> None:
    """Also the only one, and the public board follows."""
    with sealed_final(record) as final:
        presenter = Presenter(final)
        presenter.press("step", 0)
        assert names_on_the_board(final) == ["Student"]
        presenter.press("undo", 1)
        assert presenter.places == names_on_the_board(final) == []
        assert "2 places are hidden." in presenter.page
        acts = [row[0] for row in final.portal.database.read(list, "SELECT act FROM audit")]
        assert acts[-2:] == ["row revealed", "row hidden"]
        presenter.press("step", 0)
        assert presenter.places == ["Student"]


def test_a_key_that_is_pressed_twice_reveals_one_place(record: RunRecord) -> None:
    """A form counts only for the places that its page showed; undo stops at the last place."""
    with sealed_final(record) as final:
        presenter = Presenter(final)
        presenter.press("step", 0)
        presenter.press("step", 0)
        assert presenter.places == ["Student"]
        presenter.press("undo", 1)
        presenter.press("undo", 1)
        presenter.press("undo", 0)
        assert presenter.places == []


def test_a_page_to_manage_reveals_one_place_for_two_presses(record: RunRecord) -> None:
    """The second press is told so, on a page that shows the present state; undo works there too."""
    with sealed_final(record) as final:
        lecturer, portal = final.portal.browser("lecturer"), final.portal
        jobs.add(portal.database, "final", {}, course=final.run.course)
        home = f"/c/cards/final/{final.run.id}"
        field = '<input type="hidden" name="revealed" value="{}">'
        first = lecturer.get(f"{home}/control").text
        assert field.format(0) in first
        assert "Undo the last reveal" not in first
        assert lecturer.post(f"{home}/reveal", {"revealed": "0"}).status_code == 303
        again = lecturer.post(f"{home}/reveal", {"revealed": "0"})
        assert again.status_code == 422
        assert "this was done already" in again.text
        assert again.text.count(field.format(1)) == 2
        final.follower.look()
        assert names_on_the_board(final) == ["Student"]
        assert lecturer.post(f"{home}/hide", {"revealed": "1"}).status_code == 303
        assert lecturer.post(f"{home}/hide", {"revealed": "0"}).status_code == 422
        final.follower.look()
        assert names_on_the_board(final) == []


def test_after_the_first_place_nothing_is_hidden_again(record: RunRecord) -> None:
    """The pages are being written by then."""
    with sealed_final(record) as final:
        presenter = Presenter(final)
        presenter.press("step", 0)
        presenter.press("step", 1)
        presenter.press("undo", 2)
        assert names_on_the_board(final) == ["Mate", "Student"]


def test_once_all_results_are_visible_steps_change_the_page_only(record: RunRecord) -> None:
    """They are links, so a lecturer can show a ceremony again, or after a timed reveal."""
    with sealed_final(record) as final:
        presenter = Presenter(final, "assistant")
        Presenter(final).press("step", 0)
        Presenter(final).press("step", 1)
        first = presenter.browser.get(presenter.path).text
        assert SHOWN.findall(first) == []
        assert f'href="{presenter.path}?shown=1#newest">Next place' in first
        second = presenter.browser.get(f"{presenter.path}?shown=1").text
        assert SHOWN.findall(second) == ["Student"]
        assert names_on_the_board(final) == ["Mate", "Student"]


def test_a_final_that_plays_has_no_ceremony_yet(record: RunRecord) -> None:
    """The last place is not known."""
    with sealed_final(record, is_over=False) as final:
        presenter = Presenter(final)
        assert "not finished and counted yet" in presenter.page
        assert "<form" not in presenter.page
        answer = presenter.browser.post(f"{presenter.path}/step", {"revealed": "0"})
        assert answer.status_code == 422
        assert "Not done. Final: it is not finished" in answer.text


def test_a_board_of_the_first_ends_with_its_own_last_place(record: RunRecord) -> None:
    """With `top: 1` one step shows all that is ever shown, and the pages follow."""
    text = record.config.replace("leaderboard: {", "leaderboard: {top: 1, ")
    assert text != record.config
    with sealed_final(replace(record, config=text)) as final:
        presenter = Presenter(final)
        presenter.press("step", 0)
        assert presenter.places == ["Mate"]
        run = boards.runs_of(final.portal.database, final.run.course, "final")[0]
        assert run.settings["opened"]


def test_only_lecturers_reveal_and_only_staff_look(record: RunRecord) -> None:
    """An assistant may show the page; nobody else opens it."""
    with sealed_final(record) as final:
        assistant = Presenter(final, "assistant")
        assert "<form" not in assistant.page
        path = f"{assistant.path}/step"
        for who, status in (("assistant", 403), ("student", 403), ("stranger", 404)):
            assert final.portal.browser(who).post(path, {"revealed": "0"}).status_code == status
        for who in ("student", "spectator"):
            assert final.portal.browser(who).get(assistant.path).status_code == 403
        assert names_on_the_board(final) == []


def test_keys_step_and_the_view_follows_the_newest_place(browser: Chromium, tmp_path: Path) -> None:
    """Right and Page down show the next place, Left goes back; reduced motion is respected."""
    with asyncio.Runner() as runner:
        portal = make_portal(tmp_path / "portal", runner)
        number = furnish(portal)["over"]
        with closing(portal), answering(portal.places) as url:
            Shown(portal, browser, url, {}).sit_down("lecturer")
            browser.screen(1280, 320)
            browser.visit(f"{url}/c/cards/final/{number}/ceremony")
            for key, count in (("ArrowRight", 1), ("PageDown", 2), ("ArrowRight", 3)):
                browser.press(key)
                assert wait_until(lambda count=count: shown(browser) == count)
            top = "document.getElementById('newest').getBoundingClientRect()"
            assert wait_until(lambda: 0 < browser.run(f"{top}.top") < 320)
            animation = "getComputedStyle(document.getElementById('newest').cells[0]).animationName"
            assert wait_until(lambda: browser.run(animation) == "newest")  # once styles are there
            media = [{"name": "prefers-reduced-motion", "value": "reduce"}]
            browser.ask("Emulation.setEmulatedMedia", features=media)
            assert wait_until(lambda: browser.run(animation) == "none")
            browser.press("ArrowLeft")
            assert wait_until(lambda: shown(browser) == 2)


def shown(chromium: Chromium) -> int:
    """Give the number of places on the page; 0 while it loads."""
    try:
        rows = "document.querySelectorAll('.ceremony tbody tr').length"
        return int(chromium.run(f"document.readyState === 'complete' ? {rows} : 0"))
    except AssertionError:  # the page was just going
        return 0
