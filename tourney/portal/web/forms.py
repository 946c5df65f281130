"""Forms that are shown again with their values: after a rejection, and for re-authentication.

Passwords must be typed again, and files chosen again. The values are shown only to their sender,
and always as text.
"""

import re
from collections.abc import Mapping
from html.parser import HTMLParser

from markupsafe import escape
from starlette.responses import HTMLResponse, Response

from tourney.portal.database import now
from tourney.portal.guesses import TooManyError
from tourney.portal.web.pages import Page, RequestContext

PROOF = "once_more"
"""The password field for re-authentication; no other form has a field of this name."""
UNKEPT = frozenset({"password", "file", "hidden"})
"""Kinds of fields without typed content, or with content that must not be repeated."""

Attributes = Mapping[str, str | None]


def form_page(context: RequestContext, page: Page) -> Page | None:
    """Give the page that contains a form; `None` if there is no such page."""
    shown = (each for each in context.site.pages if each.method == "GET")
    if page.form:
        return next(each for each in shown if each.name == page.form)
    return next((each for each in shown if each.path == page.path), None)


async def refused_form(context: RequestContext, page: Page) -> Response | None:
    """Answer a rejected form with its page, and the reason above it.

    Args:
        context: The request, by an account that may see that page, with the reason.
        page: The page that contains the form.
    Returns: `None` if the page cannot be shown.
    Raises: PortalError, HTTPException, if the values cannot be read or the page does not exist.
    """
    typed = {name: value for name, value in await context.typed() if name != PROOF}
    shown = await page.answer(context)
    if not isinstance(shown, HTMLResponse) or shown.status_code != 200:  # noqa: PLR2004 - of HTTP
        return None
    text = bytes(shown.body).decode()
    return HTMLResponse(Filled(text, context.request.url.path, typed).page, 422)


async def not_proved(context: RequestContext, page: Page) -> Response | None:
    """Ask for re-authentication on a form that holds all sent values; `None` if it is done.

    Raises: PortalError, HTTPException, if the values cannot be read.
    """
    typed, fault = await context.typed(), ""
    proofs = [value for name, value in typed if name == PROOF]
    if proofs:
        fault = await _prove(context, proofs[0])
        if not fault:
            return None
    home = form_page(context, page)
    return context.page(
        "prove.html",
        422 if fault else 403,
        fault=fault,
        action=context.request.url.path,
        proof=PROOF,
        fields=[(name, value) for name, value in typed if name != PROOF],
        back=context.link(home.name, **_parts(context, home)) if home else "/",
    )


def _parts(context: RequestContext, page: Page) -> Mapping[str, object]:
    """Give the path parameters of a page, with the values of the request."""
    return {name: context.request.path_params[name] for name in re.findall(r"{(\w+)", page.path)}


async def _prove(context: RequestContext, password: str) -> str:
    """Check the repeated password; give the fault, or ''."""
    assert context.session
    try:
        if not await context.is_password(password):
            return "the password is wrong; try again"
    except TooManyError as error:
        return str(error)
    sql = "UPDATE sessions SET proved = ? WHERE id = ? AND account = ?"
    context.database.execute(sql, (now(), context.session.id, context.account.id))
    return ""


class Filled(HTMLParser):
    """A page with typed values in the fields of one of its forms.

    A hidden field keeps the page's value; if that is empty, it takes the sent one.

    >>> form = '<form action="/a"><input name="b" value="1"><input name="c" type="password"></form>'
    >>> Filled(form, "/a", {"b": '"2"', "c": "3"}).page
    '<form action="/a"><input name="b" value="&#34;2&#34;"><input name="c" type="password"></form>'
    """

    def __init__(self, page: str, action: str, typed: Mapping[str, str]) -> None:
        super().__init__(convert_charrefs=False)
        self._action, self._typed = action, typed
        self._is_in, self._is_over = False, False  # inside the form; inside replaced text
        self._choice: str | None = None
        self._written: list[str] = []
        self.feed(page)
        self.close()

    @property
    def page(self) -> str:
        """The current text of the page."""
        return "".join(self._written)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Copy a tag; fill a field with its typed value."""
        told = dict(attrs)
        if tag == "form":
            self._is_in = told.get("action") == self._action
        text = (self._field(tag, told) if self._is_in else "") or self.get_starttag_text()
        self._written.append(text or "")

    def _field(self, tag: str, told: dict[str, str | None]) -> str:
        """Give a field with its new value; empty if it does not change."""
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
        """Copy it."""
        self._is_over = False
        if tag == "select":
            self._choice = None  # options of a list of suggestions are no choices
        self._written.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        """Copy it."""
        self._write(data)

    def handle_entityref(self, name: str) -> None:
        """Copy it."""
        self._write(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """Copy it."""
        self._write(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        """Copy it."""
        self._write(f"<!{decl}>")

    def _write(self, text: str) -> None:
        if not self._is_over:
            self._written.append(text)


def _takes(told: Attributes) -> bool:
    """Give whether an input repeats its typed value."""
    kind = told.get("type")
    return kind not in UNKEPT or (kind == "hidden" and not told.get("value"))


def _written(tag: str, told: Attributes, sign: str = "", *, is_so: bool = False) -> str:
    """Give an element with or without a boolean attribute."""
    kept = {name: value for name, value in told.items() if name != sign}
    if is_so:
        kept[sign] = None
    words = [
        escape(name) if value is None else f'{escape(name)}="{escape(value)}"'
        for name, value in kept.items()
    ]
    return f"<{' '.join([tag, *words])}>"
