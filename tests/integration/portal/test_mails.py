"""Notices by mail: to whom, with which words, and when the mail server fails."""

import re
import socket
import threading
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from tourney.errors import PortalError
from tourney.portal.accounts import add_member
from tourney.portal.database import open_database, set_setting, time_text
from tourney.portal.mails import LONGEST_TITLE, is_address, server_of
from tourney.portal.notices import KINDS, Kind, add, unsent
from tourney.portal.notifier import keep_notifying

from .mail_servers import ADDRESS, SENDER, Inbox, look, serving, use
from .portals import Portal
from .served import free_port, wait_until

STUDENT = "student@example.org"
ROSTER = (
    "person,as,email\nStudent,Student,s.roster@example.edu\nMate,Mate,\nAda,Ada,ada@example.edu\n"
)


def on_roster(portal: Portal) -> None:
    """Put two students on a roster, one with an address."""
    folder = portal.places.course("cards")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "roster.csv").write_text(ROSTER)
    for who in ("Student", "Mate"):
        add_member(portal.database, 1, portal.people[who.lower()], "student", person=who, name=who)


def states(portal: Portal) -> list[str]:
    """Give the state of the mail of every notice, in their order."""
    rows = portal.database.read(tuple, "SELECT mail FROM notices ORDER BY id")
    return [state for (state,) in rows]


def due_now(portal: Portal) -> None:
    """Let the pause before the next try be over."""
    portal.database.execute("UPDATE notices SET not_before = ''")


def test_mails_are_off_until_a_server_is_named(portal: Portal) -> None:
    """What happened before is in the list, and is not sent afterwards."""
    add(portal.database, "password", account=portal.people["student"])
    assert "This portal sends no mails." in portal.browser("student").get("/notices").text
    look(portal)
    inbox = Inbox()
    with serving(inbox) as port:
        use(portal, port)
        look(portal)
        assert states(portal) == ["none"]
        add(portal.database, "reset", account=portal.people["student"])
        look(portal)
    assert states(portal) == ["none", "sent"]
    assert len(inbox.mails) == 1


def test_a_mail_says_what_happened_and_where_to_look(portal: Portal) -> None:
    """From the portal's sender, to one person, by links to the public address."""
    inbox = Inbox()
    add(portal.database, "report", account=portal.people["student"], course=1, job=7)
    with serving(inbox) as port:
        use(portal, port)
        look(portal)
    ((to, mail),) = inbox.mails
    assert to == mail["To"] == STUDENT
    assert mail["From"] == SENDER
    assert mail["Subject"] == "Cards: a check report is ready"
    assert mail["Auto-Submitted"] == "auto-generated"
    body = mail.get_content()
    assert "The check report on a submission is ready." in body
    assert set(re.findall(r"https?://\S+", body)) == {f"{ADDRESS}/notices/1", f"{ADDRESS}/notices"}


@pytest.mark.parametrize("kind", KINDS)
def test_no_mail_holds_a_secret(portal: Portal, kind: Kind) -> None:
    """No detail of a notice but the time of a deadline, and no name of a person."""
    inbox = Inbox()
    about = {"job": 7, "run": 8, "until": "2036-12-01T12:00:00+00:00", "answer": "declined",
             "secret": "s3cr3t"}  # fmt: skip
    add(portal.database, kind, account=portal.people["student"], course=1, **about)
    with serving(inbox) as port:
        use(portal, port)
        look(portal)
    text = bytes(inbox.mails[0][1]).decode()
    assert "s3cr3t" not in text
    assert "code=" not in text
    assert "Student" not in text
    assert not re.search(r"\b[78]\b", text.partition("\n\n")[2])


def test_the_address_on_the_roster_comes_before_the_login(portal: Portal) -> None:
    """Without either there is no mail, and the list has the notice all the same."""
    on_roster(portal)
    portal.database.execute("UPDATE accounts SET login = 'mate' WHERE login LIKE 'mate%'")
    for who in ("student", "mate"):
        add(portal.database, "reveal", account=portal.people[who], course=1, run=1)
    add(portal.database, "password", account=portal.people["student"])
    inbox = Inbox()
    with serving(inbox) as port:
        use(portal, port)
        look(portal)
    assert [to for to, _ in inbox.mails] == ["s.roster@example.edu", STUDENT]
    assert states(portal) == ["sent", "none", "sent"]
    assert "results of a final" in portal.browser("mate").get("/notices").text


def test_a_person_without_an_account_gets_mail_about_a_code(portal: Portal) -> None:
    """At the address on the roster; an account with that login lists it, too."""
    on_roster(portal)
    portal.database.execute("UPDATE accounts SET login = 'ada@example.edu' WHERE name = 'Outsider'")
    for person in ("Ada", "Mate"):
        add(portal.database, "code", course=1, person=person, name=person)
    inbox = Inbox()
    with serving(inbox) as port:
        use(portal, port)
        look(portal)
    ((to, mail),) = inbox.mails
    assert to == "ada@example.edu"
    assert set(re.findall(r"https?://\S+", mail.get_content())) == {f"{ADDRESS}/join"}
    assert "A code to join" in portal.browser("outsider").get("/notices").text
    assert states(portal) == ["sent", "none"]


def test_an_account_with_another_s_address_turns_off_no_mail_about_a_code(portal: Portal) -> None:
    """Nobody verifies that a login is the address of its owner."""
    on_roster(portal)
    portal.database.execute(
        "UPDATE accounts SET login = 'ada@example.edu', has_mails = 0 WHERE name = 'Outsider'"
    )
    add(portal.database, "code", course=1, person="Ada", name="Ada")
    inbox = Inbox()
    with serving(inbox) as port:
        use(portal, port)
        look(portal)
    assert [to for to, _ in inbox.mails] == ["ada@example.edu"]


def test_a_member_turns_mails_off_and_on(portal: Portal) -> None:
    """The list goes on."""
    browser, number = portal.browser("student"), portal.people["student"]
    inbox = Inbox()
    with serving(inbox) as port:
        use(portal, port)
        assert "Turn mails off" in browser.get("/notices").text
        assert browser.post("/notices", {"mails": "off"}).status_code == 303
        add(portal.database, "password", account=number)
        look(portal)
        assert (inbox.mails, states(portal)) == ([], ["none"])
        assert "Your password was changed" in browser.get("/notices").text
        assert browser.post("/notices", {"mails": "on"}).status_code == 303
        add(portal.database, "password", account=number)
        look(portal)
    assert len(inbox.mails) == 1
    assert browser.post("/notices", {"mails": "maybe"}).status_code == 422


def test_a_server_that_is_down_loses_nothing(portal: Portal) -> None:
    """Mails wait, are tried again after a pause, and arrive once it is back."""
    port = free_port()
    use(portal, port)
    for who in ("student", "mate"):
        add(portal.database, "password", account=portal.people[who])
    begun = time.monotonic()
    look(portal)
    look(portal)  # not due yet
    assert time.monotonic() - begun < 5
    assert states(portal) == ["waiting"] * 2
    rows = portal.database.read(tuple, "SELECT tries FROM notices")
    assert tuple(rows) == ((1,), (1,))
    assert unsent(portal.database).waiting == 0, "one failure is nothing to report"
    inbox = Inbox()
    with serving(inbox, port):
        due_now(portal)
        look(portal)
    assert states(portal) == ["sent"] * 2
    assert {to for to, _ in inbox.mails} == {STUDENT, "mate@example.org"}


def test_staff_see_a_server_that_keeps_failing(portal: Portal) -> None:
    """Lecturers of the course that it concerns, and administrators with the reason."""
    use(portal, free_port())
    add(portal.database, "report", account=portal.people["student"], course=1, job=1)
    portal.database.execute("""UPDATE courses SET told = '{"people": [{"person": "Student", \
"name": "Student", "groups": [], "excluded": ""}]}'""")
    lecturer, admin = portal.browser("lecturer"), portal.browser("admin")
    for _ in range(3):
        look(portal)
        due_now(portal)
    assert "Mails to people of the course could not be sent." in lecturer.get("/c/cards").text
    people = lecturer.get("/c/cards/people").text
    assert "1 mail to people of the course could not be sent yet" in people
    assert "refused" not in people, "the words of the server are for administrators"
    assert "Connection refused" in admin.get("/admin/mail").text
    assert "could not be sent" not in portal.browser("stranger").get("/c/other").text
    old = time_text(datetime.now(UTC) - timedelta(days=8))
    portal.database.execute("UPDATE notices SET made = ?", (old,))
    look(portal)
    assert states(portal) == ["failed"], "a week is enough"
    people = lecturer.get("/c/cards/people").text
    assert "Student: the mail server cannot be reached" in people
    assert "refused" not in people
    assert "report on a submission" in portal.browser("student").get("/notices").text


def test_one_bad_address_stops_no_other_mail(portal: Portal) -> None:
    """Staff see whose it is, and an administrator has it sent again when it is corrected."""
    inbox = Inbox(replies={STUDENT: "550 no such user", "mate@example.org": "451 later"})
    for who in ("student", "mate", "lecturer"):
        add(portal.database, "reveal", account=portal.people[who], course=1, run=1)
    with serving(inbox) as port:
        use(portal, port)
        look(portal)
        assert [to for to, _ in inbox.mails] == ["lecturer@example.org"]
        assert states(portal) == ["failed", "waiting", "sent"]
        page = portal.browser("lecturer").get("/c/cards/people").text
        assert "Student: the mail server refuses the address (reply 550)" in page
        inbox.replies.clear()
        assert portal.browser("admin").post("/admin/mail", {"act": "again"}).status_code == 303
        due_now(portal)
        look(portal)
    assert states(portal) == ["sent"] * 3


def test_a_faulty_roster_delays_the_mails_of_its_course_only(portal: Portal) -> None:
    """They are sent when it is corrected."""
    on_roster(portal)
    path = portal.places.course("cards") / "roster.csv"
    path.write_text("who\nStudent\n")
    add(portal.database, "reveal", account=portal.people["student"], course=1, run=1)
    add(portal.database, "password", account=portal.people["student"])
    inbox = Inbox()
    with serving(inbox) as port:
        use(portal, port)
        look(portal)
        assert states(portal) == ["waiting", "sent"]
        path.write_text(ROSTER)
        due_now(portal)
        look(portal)
    assert [to for to, _ in inbox.mails] == [STUDENT, "s.roster@example.edu"]


EVIL = "Cards\r\nBcc: eve@example.org\r\n\r\nBuy this\u2028Bcc: eve@example.org"


def test_names_cannot_add_headers(portal: Portal) -> None:
    """Neither of a course nor of the portal, nor an address on the roster, whatever wrote them."""
    on_roster(portal)
    portal.database.execute("UPDATE courses SET title = ?", (EVIL,))
    portal.database.execute("UPDATE accounts SET name = ?", (EVIL,))
    set_setting(portal.database, "title", EVIL)
    (portal.places.course("cards") / "roster.csv").write_text(
        'person,as,email\nStudent,Student,"s@example.edu\nBcc: eve@example.org"\n'
    )
    add(portal.database, "report", account=portal.people["student"], course=1, job=1)
    add(portal.database, "password", account=portal.people["student"])
    inbox = Inbox()
    with serving(inbox) as port:
        use(portal, port)
        look(portal)
        assert states(portal) == ["waiting", "sent"], "the roster has a fault"
        on_roster(portal)
        due_now(portal)
        look(portal)
    assert [to for to, _ in inbox.mails] == [STUDENT, "s.roster@example.edu"]
    for _, mail in inbox.mails:
        assert isinstance(mail, EmailMessage)
        assert mail.get_all("Bcc") is None
        assert len(mail["Subject"]) < 2 * LONGEST_TITLE
        assert set(mail) == {
            "Subject", "From", "To", "Date", "Message-ID", "Auto-Submitted", "Content-Type",
            "Content-Transfer-Encoding", "MIME-Version",
        }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["", "ada", "@b.org", "ada@", "a@b@c.org", "a b@c.org", "a@b.org\nBcc: c@d.org", "a@b,c@d.org",
     "<a@b.org>", "a..b@c.org", "ä@b.org", f"{'a' * 200}@b.org"],
)  # fmt: skip
def test_only_a_plain_address_gets_mail(text: str) -> None:
    """No lists, no names, no second line."""
    assert not is_address(text)


def test_requests_do_not_wait_for_a_server_that_never_answers(portal: Portal) -> None:
    """The thread waits for it, with no lock on the database."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        use(portal, silent.getsockname()[1])
        add(portal.database, "password", account=portal.people["student"])
        leaving = threading.Event()
        keep_notifying(portal.places, ADDRESS, leaving)
        connection, _ = silent.accept()  # and no word
        begun = time.monotonic()
        browser = portal.browser("mate")
        assert browser.get("/notices").status_code == 200
        assert browser.post("/notices", {"mails": "off"}).status_code == 303
        assert time.monotonic() - begun < 5
        leaving.set()
        connection.close()
        assert wait_until(lambda: "waiting" in states(portal))


def test_an_administrator_names_tests_and_removes_the_server(portal: Portal) -> None:
    """One that does not answer or does not take the sender is not accepted by the test."""
    admin, inbox = portal.browser("admin"), Inbox()
    with serving(inbox) as port:
        fields = {"server": f"smtp://127.0.0.1:{port}", "sender": SENDER, "secret_file": ""}
        answer = admin.post("/admin/mail", fields | {"act": "try"})
        assert "The mail server accepts the portal and its sender." in answer.text
        assert admin.post("/admin/mail", fields | {"act": "keep"}).status_code == 303
    assert f'value="{SENDER}"' in admin.get("/admin/mail").text
    answer = admin.post("/admin/mail", fields | {"act": "try"})
    assert answer.status_code == 422
    assert "it cannot be used" in answer.text
    assert admin.post("/admin/mail", {"act": "keep"}).status_code == 303
    assert f'value="{SENDER}"' not in admin.get("/admin/mail").text
    assert portal.browser("lecturer").get("/admin/mail").status_code == 404


@pytest.mark.parametrize(
    ("server", "sender", "path", "words"),
    [
        ("mail.example.edu", SENDER, "", "mail server: 'mail.example.edu' is not possible"),
        ("http://mail.example.edu", SENDER, "", "use smtp://HOST:PORT"),
        ("smtp://u:secret@mail.example.edu", SENDER, "", "without a password"),
        ("smtp://mail.example.edu:99999", SENDER, "", "use smtp://HOST:PORT"),
        ("smtp://mail.example.edu", "cards", "", "sender: 'cards' is no mail address"),
        ("smtp://u@mail.example.edu", SENDER, "", "needs both the user"),
        ("smtp://mail.example.edu", SENDER, "/none", "needs both the user"),
        ("smtp://u@mail.example.edu", SENDER, "/none", "secret file: it cannot be used"),
    ],
)
def test_a_fault_of_the_settings_is_explained(
    server: str, sender: str, path: str, words: str
) -> None:
    """With the field and the fix."""
    with pytest.raises(PortalError, match=re.escape(words)):
        server_of(server, sender, path)


def test_a_server_may_need_a_login(portal: Portal, tmp_path: Path) -> None:
    """The password stays in its file; a wrong one lets the mails wait."""
    path = tmp_path / "password"
    path.write_text("wrong\n")
    path.chmod(0o600)
    inbox = Inbox()
    with serving(inbox, password="right") as port:  # noqa: S106 - of nobody
        use(portal, port)
        set_setting(portal.database, "mail_server", f"smtp://portal@127.0.0.1:{port}")
        set_setting(portal.database, "mail_secret_file", str(path))
        add(portal.database, "password", account=portal.people["student"])
        look(portal)
        assert states(portal) == ["waiting"]
        path.write_text("right\n")
        due_now(portal)
        look(portal)
    assert states(portal) == ["sent"]
    with closing(open_database(portal.places)) as database:
        rows = tuple(database.read(tuple, "SELECT value FROM settings"))
    assert not any("right" in value for (value,) in rows)
