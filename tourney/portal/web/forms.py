"""Forms that are shown again with what was typed: where one is refused, and before what is grave.

Passwords are typed anew, and files chosen. What was typed comes from whoever is shown it, and is
text wherever it stands.
"""

import re
from collections.abc import Mapping
from html.parser import HTMLParser

from markupsafe import escape
from starlette.responses import HTMLResponse, Response

from tourney.portal.database import now
from tourney.portal.limits import TooManyError
from tourney.portal.web.pages import Page, RequestContext

PROOF = "once_more"
"""The field in which the password is typed once more; no form has another of that name."""
UNKEPT = frozenset({"password", "file", "hidden"})
"""Kinds of fields that hold nothing that was typed, or what is not told again."""

Attributes = Mapping[str, str | None]


def form_page(asked: RequestContext, page: Page) -> Page | None:
    """Give the page on which a form stands; None if it has none of its own."""
    shown = (each for each in asked.site.pages if each.method == "GET")
    if page.form:
        return next(each for each in shown if each.name == page.form)
    return next((each for each in shown if each.path == page.path), None)


async def refused_form(asked: RequestContext, page: Page) -> Response | None:
    """Answer a form that was refused by its page, with the refusal above it.

    Args:
        asked: By whoever may see that page, with the refusal.
        page: On which it stands.
    Returns: None where the page cannot be shown.
    Raises: PortalError, HTTPException, if what was typed cannot be read, or nothing is there.
    """
    typed = {name: value for name, value in await asked.typed() if name != PROOF}
    shown = await page.answer(asked)
    if not isinstance(shown, HTMLResponse) or shown.status_code != 200:  # noqa: PLR2004 - of HTTP
        return None
    text = bytes(shown.body).decode()
    return HTMLResponse(Filled(text, asked.request.url.path, typed).page, 422)


async def not_proved(asked: RequestContext, page: Page) -> Response | None:
    """Ask once more who it is, on a form that holds all that was sent; None if that was shown.

    Raises: PortalError, HTTPException, if what was sent cannot be read.
    """
    assert asked.session
    typed, fault = await asked.typed(), ""
    proofs = [value for name, value in typed if name == PROOF]
    if proofs:
        fault = await _prove(asked, asked.session.id, proofs[0])
        if not fault:
            return None
    home = form_page(asked, page)
    return asked.page(
        "prove.html",
        422 if fault else 403,
        fault=fault,
        action=asked.request.url.path,
        proof=PROOF,
        fields=[(name, value) for name, value in typed if name != PROOF],
        back=asked.link(home.name, **_parts(asked, home)) if home else "/",
    )


def _parts(asked: RequestContext, page: Page) -> Mapping[str, object]:
    """Give what stands in the places of a page's address, as it does in the one that was asked."""
    return {name: asked.request.path_params[name] for name in re.findall(r"{(\w+)", page.path)}


async def _prove(asked: RequestContext, session: str, password: str) -> str:
    """Take the password once more; give what is wrong with it, or nothing."""
    number = asked.account.id
    row = asked.database.first("SELECT password FROM accounts WHERE id = ?", (number,))
    assert row
    try:
        is_right = await asked.site.passwords.is_right(
            asked.guess_by_session(), str(row[0]), password
        )
    except TooManyError as error:
        return str(error)
    if not is_right:
        return "expected your password, got another"
    sql = "UPDATE sessions SET proved = ? WHERE id = ? AND account = ?"
    asked.database.execute(sql, (now(), session, number))
    return ""


class Filled(HTMLParser):
    """A page of ours, with what was typed in the fields of one of its forms.

    A hidden field keeps what the page has in it, and takes what was sent where that is nothing.

    >>> form = '<form action="/a"><input name="b" value="1"><input name="c" type="password"></form>'
    >>> Filled(form, "/a", {"b": '"2"', "c": "3"}).page
    '<form action="/a"><input name="b" value="&#34;2&#34;"><input name="c" type="password"></form>'
    """

    def __init__(self, page: str, action: str, typed: Mapping[str, str]) -> None:
        super().__init__(convert_charrefs=False)
        self._action, self._typed = action, typed
        self._is_in, self._is_over = False, False  # the form; text that stands there no more
        self._choice: str | None = None
        self._written: list[str] = []
        self.feed(page)
        self.close()

    @property
    def page(self) -> str:
        """The page as it is now."""
        return "".join(self._written)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write a field with what was typed into it, and anything else as it stands."""
        told = dict(attrs)
        if tag == "form":
            self._is_in = told.get("action") == self._action
        text = (self._field(tag, told) if self._is_in else "") or self.get_starttag_text()
        self._written.append(text or "")

    def _field(self, tag: str, told: dict[str, str | None]) -> str:
        """Give a field as it is written; nothing if it stays as it is."""
        name = told.get("name") or ""
        typed = self._typed.get(name)
        if tag == "select":
            self._choice = typed
        elif tag == "option" and self._choice is not None:
            return _written(tag, told, "selected", is_so=told.get("value") == self._choice)
        elif tag == "input" and told.get("type") == "checkbox":
            return _written(tag, told, "checked", is_so=typed is not None)
        elif tag == "textarea" and typed is not None:
            self._is_over = True
            return f"{self.get_starttag_text()}\n{escape(typed)}"
        elif tag == "input" and typed is not None and _takes(told):
            return _written(tag, told | {"value": typed})
        return ""

    def handle_endtag(self, tag: str) -> None:
        """Write it."""
        self._is_over = False
        self._written.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        """Write it."""
        self._write(data)

    def handle_entityref(self, name: str) -> None:
        """Write it."""
        self._write(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """Write it."""
        self._write(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        """Write it."""
        self._write(f"<!{decl}>")

    def _write(self, text: str) -> None:
        if not self._is_over:
            self._written.append(text)


def _takes(told: Attributes) -> bool:
    """Say whether an input shows again what was typed into it."""
    kind = told.get("type")
    return kind not in UNKEPT or (kind == "hidden" and not told.get("value"))


def _written(tag: str, told: Attributes, sign: str = "", *, is_so: bool = False) -> str:
    """Write an element, with a sign or without it."""
    kept = {name: value for name, value in told.items() if name != sign}
    if is_so:
        kept[sign] = None
    words = [
        escape(name) if value is None else f'{escape(name)}="{escape(value)}"'
        for name, value in kept.items()
    ]
    return f"<{' '.join([tag, *words])}>"
