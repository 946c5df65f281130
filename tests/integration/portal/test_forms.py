"""Forms that are shown again: nothing that was typed is lost, and nothing secret is told again."""

from html.parser import HTMLParser

import pytest

from tourney.portal.passwords import hash_password
from tourney.portal.web.forms import PROOF, Filled
from tourney.portal.web.server import PAGES

from .addresses import addressed
from .furnished import ADDRESSES, furnish
from .portals import Portal
from .test_people import PASSWORD, invited

MARKUP = "<b>\"'&amp;"
KEPT = ("lines", "codes", "grades", "feedback", "notices", "accounts")
DAYS = {f"keep_{name}_days": "7" for name in KEPT}
ALONE = {"sign-out", "keep-roster", "tournament-form"}
"""Forms of pages that are no form's own: on every page, or on what a job came to."""


class Forms(HTMLParser):
    """Reads what stands in the fields of all forms of a page, as a browser would send it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, dict[str, str]] = {}  # of each form, by its action
        self.kinds: dict[str, set[str]] = {}
        self._action = self._choice = self._text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read a field."""
        told = {name: value or "" for name, value in attrs}
        name, kind = told.get("name", ""), told.get("type", "text")
        if tag == "form":
            self._action = told["action"]
        own = self.fields.setdefault(self._action, {})
        if tag in {"select", "textarea"}:
            self._choice = name
            self._text = name if tag == "textarea" else ""
        elif tag == "datalist":
            self._choice = ""
        elif tag == "option" and self._choice and ("selected" in told or self._choice not in own):
            own[self._choice] = told.get("value", "")
        elif tag == "input" and (kind != "checkbox" or "checked" in told):
            own[name] = told.get("value", "on" if kind == "checkbox" else "")
            self.kinds.setdefault(self._action, set()).add(kind)

    def handle_data(self, data: str) -> None:
        """Read the text of an area; the first end of a line there is none."""
        if self._text:
            self.fields[self._action][self._text] = data.removeprefix("\n")
            self._text = ""


FINAL = {"title": MARKUP, "begins": "", "freeze": "2030-05-02T12:00", "reveal": "2030-05-01T12:00"}
REFUSED = [
    ("", "/join", {"code": "abc", "name": MARKUP, "login": "a@b"}, "Code: it is unknown"),
    ("", "/set-up", {"code": MARKUP, "name": "Ada", "login": "a@b"}, "Password: use 10"),
    ("", "/reset", {"code": MARKUP}, "Password: use 10"),
    ("lecturer", "/c/cards/finals/new", {**FINAL, "audience": "public", "names": "handles"}, "re"),
    ("lecturer", "/c/cards/practice-terms", {"tables": "x", "rounds": "7", "days": "5"}, "Tables:"),
    ("assistant", "/c/cards/extensions",
     {"whom": "student Mate", "kind": "per_day", "date": "2020-01-01", "time": "10:00",
      "because": MARKUP}, "has already passed"),
    ("lecturer", "/c/cards/terms",
     {"date": "2030-01-01", "time": "10:00", "time_zone": MARKUP, "grace_minutes": "5",
      "late_days": "3", "per_day": "4", "submission_rule": "best", "tests": "",
      "largest_team": "2"},
     "Time zone: there is no zone"),
    ("student", "/account/tokens", {"title": MARKUP * 20}, "Title: use 1 to"),
    ("student", "/account/data/erase", {"login": MARKUP}, "Login: it differs from yours"),
    ("student", "/c/cards/matches", {"opponent": "Mate", "classmate": MARKUP * 50},
     "Opponent: choose"),
    ("student", "/c/cards/tests", {"title": MARKUP * 20, "text": f"\n{MARKUP}\n"}, ""),
    ("admin", "/new-course", {"title": MARKUP, "slug": "No Slug"}, "Short name: "),
    ("admin", "/admin/settings",
     {**DAYS, "portal_title": MARKUP, "second_factor": "off", "keep_codes_days": "x"}, " not "),
    ("admin", "/admin/provider",
     {"issuer": MARKUP, "client": "a", "secret_file": "", "act": "keep"}, "; use https"),
]  # fmt: skip


@pytest.mark.parametrize(("who", "path", "typed", "words"), REFUSED)
def test_what_was_typed_stands_in_a_form_that_is_refused(
    portal: Portal, who: str, path: str, typed: dict[str, str], words: str
) -> None:
    """As text, on the page of the form, under what is wrong; no password stands there."""
    furnish(portal)
    secrets = {"password": "shorty-9"} if not who else {}
    answer = portal.browser(who).post(path, typed | secrets)
    assert answer.status_code == 422
    assert 'role="alert">Not done. ' in answer.text
    assert words in answer.text
    (fields,) = (each for action, each in Forms(answer.text).fields.items() if action == path)
    assert typed.items() - {("act", "keep")} <= fields.items()
    assert set(fields) - set(typed) <= {"password", "file"}
    assert MARKUP not in answer.text.replace("&lt;", "")
    assert "shorty-9" not in answer.text


def test_a_program_hears_of_a_refusal_in_words(portal: Portal) -> None:
    """As before."""
    asks = {"accept": "application/json"}
    answer = portal.browser("student").post("/account/tokens", {"title": ""}, **asks)
    assert (answer.status_code, set(answer.json())) == (422, {"error"})


def test_what_was_typed_as_terms_stands_where_they_are_refused(portal: Portal) -> None:
    """Beside what stands there now, which stays."""
    numbers = furnish(portal)
    typed = {"time_zone": "Europe/Zurich", "date": "2036-12-01", "time": "12:00",
             "grace_minutes": "", "late_days": "7", "per_day": "", "submission_rule": "best",
             "tests": "", "largest_team": "2"}  # fmt: skip
    lecturer = portal.browser("lecturer")
    assert lecturer.post("/c/cards/terms", typed).status_code == 303
    portal.database.execute(
        "UPDATE jobs SET state = 'done', result = ?, payload = (SELECT payload FROM jobs "
        "ORDER BY id DESC LIMIT 1) WHERE id = ?",
        ('{"status": "refused", "reason": "submissions.yaml:1: a fault"}', numbers["fault"]),
    )
    page = lecturer.get(f"/c/cards/doing/{numbers['fault']}").text
    assert Forms(page).fields["/c/cards/terms"] == typed
    assert Forms(lecturer.get("/c/cards/organise").text).fields["/c/cards/terms"] != typed


@pytest.mark.parametrize("who", ["", "admin", "lecturer", "student"])
def test_nothing_else_of_a_page_is_written_anew(portal: Portal, who: str) -> None:
    """And every form has a page that it is shown on again; none that is grave has a password."""
    numbers, browser, forms = furnish(portal), portal.browser(who), {}
    for name, patterns in ADDRESSES.items():
        for pattern in patterns if not name.endswith("events") else ():
            answer = browser.get(pattern.format(**numbers))
            if answer.headers.get("content-type", "").startswith("text/html"):
                assert Filled(answer.text, "/nowhere", {}).page == answer.text
                forms |= Forms(answer.text).kinds
    posts = {addressed(page, numbers): page for page in PAGES if page.method == "POST"}
    gets = {page.path for page in PAGES if page.method == "GET"}
    assert {page.form for page in PAGES} <= {"", *ADDRESSES}
    for page in (posts[action] for action in forms if action in posts):
        assert page.form or page.path in gets or page.name in ALONE, page.name
        assert not page.is_grave or not {"password", "file"} & forms[addressed(page, numbers)]


def proved_long_ago(portal: Portal) -> None:
    """Give everybody a password, and let who signed in have shown that long ago."""
    hashed = portal.runner.run(hash_password(PASSWORD))
    portal.database.execute("UPDATE accounts SET password = ?", (hashed,))
    portal.database.execute("UPDATE sessions SET proved = '2020-01-01T00:00:00+00:00'")


def test_a_grave_form_goes_on_with_all_that_was_typed(portal: Portal) -> None:
    """After the password: a wrong one does nothing, and nothing is told of it."""
    lecturer = portal.browser("lecturer")
    proved_long_ago(portal)
    path, typed = "/c/cards/finals/new", {"title": "Cup <1>", "audience": "public"}
    typed |= {"names": "handles", "begins": "", "freeze": "2030-05-01T12:00", "reveal": ""}
    sent, statuses = typed, []
    for word in (None, "a wrong one", PASSWORD):
        answer = lecturer.post(path, sent | ({PROOF: word} if word else {}))
        statuses.append(answer.status_code)
        if answer.status_code != 303:
            sent = Forms(answer.text).fields[path]
            assert sent == typed | {PROOF: ""}
            assert not word or word not in answer.text
    assert statuses == [403, 422, 303]
    row = portal.database.first("SELECT payload FROM jobs WHERE kind = 'final'")
    assert row
    assert '"title": "Cup <1>"' in row[0]
    assert lecturer.post("/c/cards/people/reset", {"account": "1"}).status_code == 422  # not 403


def test_what_is_wrong_with_a_grave_form_is_said_after_the_password(portal: Portal) -> None:
    """On the form, which has all but the password in it."""
    student = portal.browser("student")
    proved_long_ago(portal)
    answer = student.post("/account/tokens", {"title": "\t", PROOF: PASSWORD})
    assert answer.status_code == 422
    assert "Not done. Title" in answer.text
    assert PASSWORD not in answer.text


def test_a_password_of_somebody_else_or_another_site_is_no_proof(portal: Portal) -> None:
    """And wrong ones do not keep the right one out."""
    student = portal.browser("student")
    proved_long_ago(portal)
    other = portal.runner.run(hash_password("another few words"))
    number = portal.people["student"]
    portal.database.execute("UPDATE accounts SET password = ? WHERE id = ?", (other, number))
    fields = {"title": "a", PROOF: PASSWORD}
    foreign = {"sec-fetch-site": "cross-site"}
    assert student.post("/account/tokens", fields, **foreign).status_code == 403
    for _ in range(8):
        assert "the password is wrong" in student.post("/account/tokens", fields).text
    right = student.post("/account/tokens", fields | {PROOF: "another few words"})
    assert right.status_code == 200
    assert portal.database.first("SELECT count(*) FROM tokens") == (1,)


def test_who_joins_keeps_what_was_typed_but_the_password(portal: Portal) -> None:
    """And joins with it at the next try."""
    browser, code = portal.browser(), invited(portal)
    typed = {"code": code, "name": "Ada", "login": "ada@example.org"}
    answer = browser.post("/join", typed | {"password": "short"})
    fields = Forms(answer.text).fields["/join"]
    assert fields == typed | {"password": ""}
    assert browser.post("/join", fields | {"password": PASSWORD}).status_code == 303


def test_a_page_that_is_missing_or_of_others_is_called_so(portal: Portal) -> None:
    """Its reader has asked for nothing that could be done."""
    student = portal.browser("student")
    assert "<h1>Page not found</h1>" in student.get("/c/cards/nowhere").text
    assert "<h1>No access</h1>" in student.get("/c/cards/people").text
    assert "<h1>Not done</h1>" in student.post("/c/cards/codes", {"role": "student"}).text
