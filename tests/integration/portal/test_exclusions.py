"""An entrant is taken off the boards of a final, and put back."""

from tourney.portal import (
    checker,
    folder_erasure,
    grade_jobs,
    jobs,
    runner,
    worker,
)
from tourney.store.store import Store

from .classes import CONFINED
from .portals import Portal
from .test_finals import ask, look, the_final, told

pytestmark = CONFINED


def played(portal: Portal) -> str:
    """Play a final of three; give the address of its pages."""
    ask(portal, title="Cup", audience="public")
    worker.do_all(portal.places, runner.HANDLERS)
    look(portal)
    worker.do_all(portal.places, runner.HANDLERS)  # its pages
    return f"/c/cards/final/{the_final(portal).id}"


def do_it(portal: Portal) -> None:
    """Do what was asked for, and write the boards and pages anew."""
    worker.do_all(portal.places, grade_jobs.HANDLERS)
    look(portal)
    worker.do_all(portal.places, runner.HANDLERS)


def names(portal: Portal) -> set[str]:
    """Give the names on the public board."""
    return {each["cells"][1]["text"] for each in told(portal, "public")["rows"]}


def test_a_lecturer_takes_an_entrant_off_all_boards_and_puts_it_back(portal: Portal) -> None:
    """Board, own row, pages and feedback; the reason is in the store, and nowhere else."""
    path, lecturer = played(portal), portal.browser("lecturer")
    site = f"/c/cards/site/{the_final(portal).id}/index.html"
    assert "Mate" in portal.browser().get(path).text
    assert "Mate" in portal.browser().get(site).text
    form = {"entrant": "Mate", "reason": "dropped the course"}
    assert lecturer.post(f"{path}/exclude", form).status_code == 303
    assert "Working on it" in lecturer.get(f"{path}/control").text
    do_it(portal)
    assert "Mate is excluded." in lecturer.get(f"{path}/control").text
    for page in (path, site):
        assert "Third" in portal.browser().get(page).text
        assert "Mate" not in portal.browser().get(page).text
    with Store.open(portal.places.final_store("cards"), create=False) as store:
        (mate,) = [each for each in store.run().entrants if each.name == "Mate"]
    assert mate.excluded == "dropped the course"
    assert "entrant excluded" in lecturer.get("/c/cards/audit").text
    dump = "".join(map(str, portal.database.read(iter, "SELECT * FROM jobs", ())))
    assert "dropped the course" not in dump
    answer = portal.browser("mate").get(f"{path}/feedback").text
    assert "taken off the board after the run" in answer
    assert "dropped the course" not in answer
    assert lecturer.post(f"{path}/put-back", {"entrant": "Mate"}).status_code == 303
    do_it(portal)
    assert "Mate is excluded." not in lecturer.get(f"{path}/control").text
    assert "Mate" in portal.browser().get(path).text
    assert "Mate" in portal.browser().get(site).text


def test_only_lecturers_of_the_course_exclude(portal: Portal) -> None:
    """Nobody else gets as far as a job."""
    path = played(portal)
    form = {"entrant": "Mate", "reason": "envy"}
    for person in ("student", "assistant", "outsider", None):
        browser = portal.browser(person) if person else portal.browser()
        assert browser.post(f"{path}/exclude", form).status_code in {303, 401, 403, 404}
    assert not jobs.of_course(portal.database, portal.courses["cards"], ["exclude"])
    assert checker.grade_jobs.HANDLERS is grade_jobs.HANDLERS


def test_what_cannot_be_done_is_refused(portal: Portal) -> None:
    """Before it becomes a job, or with the reason on the page."""
    path, lecturer = played(portal), portal.browser("lecturer")
    for form, said in (
        ({"entrant": "Mate", "reason": " "}, "write why the entrant is excluded"),
        ({"entrant": "Nobody", "reason": "x"}, "choose one of the list"),
    ):
        assert said in lecturer.post(f"{path}/exclude", form).text
    assert "it is not excluded" in lecturer.post(f"{path}/put-back", {"entrant": "Mate"}).text
    for name in ("Student", "Mate"):
        lecturer.post(f"{path}/exclude", {"entrant": name, "reason": "x"})
    do_it(portal)
    lecturer.post(f"{path}/exclude", {"entrant": "Third", "reason": "x"})
    do_it(portal)
    assert "Third is the last entrant on the board" in lecturer.get(f"{path}/control").text


def test_the_reason_goes_with_the_person(portal: Portal) -> None:
    """The exclusion stays; the words are erased, as is the name on the page."""
    path, lecturer = played(portal), portal.browser("lecturer")
    lecturer.post(f"{path}/exclude", {"entrant": "Student", "reason": "wrote a rude comment"})
    do_it(portal)
    account = portal.people["student"]
    jobs.add(
        portal.database, folder_erasure.MEMBER, {}, course=portal.courses["cards"], account=account
    )
    worker.do_all(portal.places, folder_erasure.HANDLERS)
    with Store.open(portal.places.final_store("cards"), create=False) as store:
        (gone,) = [each for each in store.run().entrants if each.name == "Student"]
    assert gone.excluded == ""
    assert "Student is excluded" not in lecturer.get(f"{path}/control").text
    assert " is excluded." in lecturer.get(f"{path}/control").text
