"""Private matches: asked for, agreed to, played, and looked at by the two alone."""

import html
import json

import pytest

from tourney.config.games import load_game
from tourney.plugins.loading import load_plugins
from tourney.portal import boards, worker
from tourney.portal.course_jobs import tell_all
from tourney.portal.practice import HANDLERS
from tourney.tournament.catalog import catalog_of

from .classes import (
    CONFINED,
    STRAIGHTS,
    STRAIGHTS_PLAYER,
    TOURNAMENT,
    hand_in,
    make_class,
    player,
)
from .furnished import board, furnish
from .portals import Portal

pytestmark = CONFINED


def the_match(portal: Portal) -> str:
    """Give the address of the pages of the one match there is."""
    (run,) = boards.runs_of(portal.database, portal.courses["cards"], "match")
    return f"/c/cards/site/{run.id}/"


def test_a_mate_has_to_agree_and_both_see_the_hands(portal: Portal) -> None:
    """Nobody else does, staff neither."""
    course = make_class(portal)
    hand_in(course, "Student", player(14))
    hand_in(course, "Mate", player(17))
    student, mate = portal.browser("student"), portal.browser("mate")
    assert student.post("/c/cards/matches", {"opponent": "Mate"}).status_code == 303
    assert worker.do_all(portal.places, HANDLERS) == 0
    assert student.post("/c/cards/matches/1/agree").status_code == 404
    assert "Agree" in mate.get("/c/cards/matches").text
    for _ in range(2):  # once is enough
        assert mate.post("/c/cards/matches/1/agree").status_code == 303
    assert worker.do_all(portal.places, HANDLERS) == 1
    path = the_match(portal)
    assert path in student.get("/c/cards/matches").text
    for who, status in (("student", 200), ("mate", 200), ("lecturer", 404), ("outsider", 404)):
        assert portal.browser(who).get(path).status_code == status
    assert portal.browser().get(path).status_code == 404


@pytest.mark.parametrize("game", ["blackjack", "straights"])
def test_a_strategy_plays_at_once(portal: Portal, game: str) -> None:
    """At shared tables others fill the table; practice takes no match for its run."""
    is_shared = game == "straights"
    course = make_class(portal, STRAIGHTS) if is_shared else make_class(portal)
    hand_in(course, "Student", STRAIGHTS_PLAYER.format(first=0) if is_shared else player(15))
    student = portal.browser("student")
    student.post("/c/cards/matches", {"opponent": "thrifty" if is_shared else "simple"})
    worker.do_all(portal.places, HANDLERS)
    assert student.get(the_match(portal)).status_code == 200


def test_a_student_agrees_only_for_the_present_name(portal: Portal) -> None:
    """Not for a team that was left: its submission belongs to the others."""
    course = make_class(portal)
    hand_in(course, "Student", player(14))
    hand_in(course, "Mate", player(17))
    portal.browser("student").post("/c/cards/matches", {"opponent": "Mate"})
    portal.database.execute("UPDATE members SET name = 'Other' WHERE name = 'Mate'")
    answer = portal.browser("mate").post("/c/cards/matches/1/agree")
    assert answer.status_code == 422
    assert "you play as Other by now, not as Mate" in html.unescape(answer.text)
    assert worker.do_all(portal.places, HANDLERS) == 0


def test_who_is_nobody_and_too_many_are_told_so(portal: Portal) -> None:
    """In words."""
    hand_in(make_class(portal), "Student", player())
    student = portal.browser("student")
    assert student.post("/c/cards/matches", {"opponent": "Student"}).status_code == 422
    for _ in range(10):
        assert student.post("/c/cards/matches", {"opponent": "nobody"}).status_code == 303
    assert student.post("/c/cards/matches", {"opponent": "nobody"}).status_code == 422
    assert worker.do_all(portal.places, HANDLERS) == 10
    assert "nobody" in student.get("/c/cards/matches").text


def test_nobody_is_played_against_who_could_not_agree(portal: Portal) -> None:
    """Such as who handed in before joining the portal."""
    course = make_class(portal)
    hand_in(course, "Student", player())
    hand_in(course, "Absent", player())
    portal.browser("student").post("/c/cards/matches", {"opponent": "Absent"})
    worker.do_all(portal.places, HANDLERS)
    assert "has not joined the portal yet" in portal.browser("student").get("/c/cards/matches").text
    assert not boards.runs_of(portal.database, portal.courses["cards"], "match")


@pytest.mark.parametrize("names", ["names", "handles"])
def test_who_is_misspelt_is_asked_for_among_mates_and_strategies(
    portal: Portal, names: str
) -> None:
    """Of mates by name, where boards call them so."""
    course = make_class(portal, f"{TOURNAMENT}leaderboard: {{names: {names}}}\n")
    for name in ("Student", "Mate"):
        hand_in(course, name, player())
    student = portal.browser("student")
    student.post("/c/cards/matches", {"opponent": "Mtae"})
    worker.do_all(portal.places, HANDLERS)
    page = html.unescape(student.get("/c/cards/matches").text)
    assert "or a strategy of the game (" in page
    assert "there is no opponent 'Mtae'" in page
    assert ("a classmate (Mate)" in page) == (names == "names")
    assert ("did you mean 'Mate'?" in page) == (names == "names")


def test_who_has_handed_nothing_in_is_told_so(portal: Portal) -> None:
    """And no strategies are listed."""
    hand_in(make_class(portal), "Mate", player())
    student = portal.browser("student")
    student.post("/c/cards/matches", {"opponent": "simple"})
    worker.do_all(portal.places, HANDLERS)
    assert (
        "there is no competing version of Student; submit one first"
        in student.get("/c/cards/matches").text
    )


def test_opponents_are_chosen_from_a_list(portal: Portal) -> None:
    """Of strategies of the game, and of classmates whom the practice board shows by name."""
    tell_all(portal.places)
    furnish(portal)
    page = portal.browser("student").get("/c/cards/matches").text
    assert '<option value="counting" title="' in page
    assert '<option value="thrifty"' not in page, "it plays another game"
    assert '<option value="Mate">Mate</option>' in page
    assert '<option value="Student">' not in page
    (run,) = boards.runs_of(portal.database, portal.courses["cards"], "practice")
    hidden = board("playing", lambda word: "Quiet Otter" if word == "Mate" else word)
    boards.show_board(portal.database, run.id, "course", hidden, {})
    page = portal.browser("student").get("/c/cards/matches").text
    assert "Mate</option>" not in page, "where names are hidden, none is told"


def test_only_strategies_that_can_play_the_rules_are_opponents(portal: Portal) -> None:
    """A chart for two open cards of the dealer plays no game that shows one."""
    make_class(portal)
    registry = load_plugins()
    catalog = catalog_of(registry)
    fitting, all_fit = (
        registry.strategies_for(load_game(preset, catalog).rules) for preset in ("ve280", "easybj")
    )
    assert {*all_fit} - {*fitting} == {"easybj-chart", "mimic-chart", "never-bust-chart"}
    tell_all(portal.places)
    told = json.dumps({"preset": "ve280", "strategies": fitting})
    portal.database.execute("UPDATE courses SET told = ?", (told,))
    page = portal.browser("student").get("/c/cards/matches").text
    assert '<option value="basic-european"' in page
    assert "easybj-chart" not in page


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("student", "you cannot play against yourself"),
        ("STU DENT", "you cannot play against yourself"),
        ("mate", "there is no 'mate', but 'Mate'; write it exactly so"),
        ("Simple", "there is no 'Simple', but 'simple'"),
        ("nobody", "no strategy of the game and no student who has joined is called 'nobody'"),
        ("", "choose a strategy or a classmate"),
    ],
)
def test_a_name_that_is_no_opponent_costs_no_try(portal: Portal, typed: str, words: str) -> None:
    """It is said at once."""
    tell_all(portal.places)
    portal.database.execute('UPDATE courses SET told = \'{"preset": "ve280"}\'')
    answer = portal.browser("student").post("/c/cards/matches", {"classmate": typed})
    assert answer.status_code == 422
    assert words in html.unescape(answer.text)
    assert portal.database.first("SELECT count(*) FROM matches") == (0,)


def test_a_match_is_declined_or_withdrawn_by_whose_it_is(portal: Portal) -> None:
    """Then nobody plays it; it still counts as one of the day."""
    student, mate = portal.browser("student"), portal.browser("mate")
    for _ in range(2):
        student.post("/c/cards/matches", {"classmate": "Mate"})
    matches = "/c/cards/matches"
    assert student.post(f"{matches}/1/decline").status_code == 404
    assert mate.post(f"{matches}/1/withdraw").status_code == 404
    assert mate.post(f"{matches}/1/decline").status_code == 303
    assert student.post(f"{matches}/2/withdraw").status_code == 303
    for browser in (student, mate):
        page = browser.get(matches).text
        assert "declined" in page
        assert "withdrawn" in page
        assert "<button>Agree" not in page
    for number in (1, 2):
        assert mate.post(f"{matches}/{number}/agree").status_code == 422
        assert mate.post(f"{matches}/{number}/decline").status_code == 422
    assert portal.database.first("SELECT count(*) FROM jobs") == (0,)
    assert portal.database.first("SELECT count(*) FROM matches") == (2,)


def test_a_match_that_waits_for_its_turn_is_withdrawn(portal: Portal) -> None:
    """One that has begun is not."""
    student = portal.browser("student")
    for number in (1, 2):
        student.post("/c/cards/matches", {"opponent": "simple"})
        if number == 2:
            sql = "UPDATE jobs SET state = 'running', started = received WHERE id = 2"
            portal.database.execute(sql)
        status = student.post(f"/c/cards/matches/{number}/withdraw").status_code
        assert status == (303 if number == 1 else 422)
    assert portal.database.first("SELECT state FROM jobs WHERE id = 1") == ("replaced",)
    assert worker.do_all(portal.places, HANDLERS) == 0
