"""Pages as they are asked for in a furnished course, by whom."""

import re
from collections.abc import Mapping

from tourney.portal.web.pages import Page

THERE = {
    "run": "over", "job": "accepted", "version": "good", "match": "good", "token": "good",
    "account": "good", "notice": "notice", "invite": "notice",
}  # fmt: skip
"""Which of the numbers of `furnish` stands in a place of an address."""
ASKERS = {"anybody": "", "account": "student", "member": "student", "staff": "lecturer"}


def addressed(page: Page, numbers: Mapping[str, int], **others: str) -> str:
    """Give a page's address with something there in each place, or with other values there."""
    known = {"course": "cards", "path": "index.html", "number": "1"}
    parts = known | {part: str(numbers[name]) for part, name in THERE.items()} | others
    return re.sub(r"\{(\w+)(:\w+)?\}", lambda found: parts[found[1]], page.path)


def asker(page: Page) -> str:
    """Give somebody who may ask for a page."""
    return ASKERS.get(page.who, page.who)
