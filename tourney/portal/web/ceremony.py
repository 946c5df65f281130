"""The ceremony: a final's places in large type for a projector, from the last place to the first.

It shows the board of the course, so it never shows more than the students' own pages. While results
are hidden, each step reveals a place for all readers. Once all results are visible, a step only
changes this page, by the number of shown places in its address.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from starlette.responses import Response

from tourney.portal.boards import PortalRun
from tourney.portal.web.boards import laid_out
from tourney.portal.web.finals import reveal_step
from tourney.portal.web.pages import Page, RequestContext, board_content, final_of
from tourney.standings.board_columns import large_columns

FOLLOWED_SECONDS = 2.0
"""Longest wait for the process that writes boards; after it, the page loads itself again."""
LOOK_EVERY = 0.1  # seconds


@dataclass(frozen=True, slots=True)
class Stage:
    """The places that the ceremony shows now, the newest first."""

    state: str  # of the board of the course: sealed, revealing, over; others before the end
    columns: Sequence[Mapping[str, Any]]
    rows: Sequence[Mapping[str, Any]]  # each with `entrant` and the `cells` of the columns
    hidden: int | None  # places; None while their number is unknown
    is_behind: bool  # the board does not show the last step yet

    @property
    def shown(self) -> int:
        """The number of shown places."""
        return len(self.rows)


def stage_of(run: PortalRun, content: Mapping[str, Any], shown: int) -> Stage:
    """Give the shown places of a final.

    Args:
        run: The final.
        content: The board of its course; empty before the first.
        shown: Number of places to show once all results are visible.
    """
    state, board = str(content.get("state", "")), laid_out(content)
    chosen = large_columns([each["name"] for each in board["columns"]])
    rows = board["rows"] if state in {"revealing", "over"} else []
    hidden = content.get("hidden") if state == "revealing" else None
    if state == "over":
        hidden = len(rows) - min(shown, len(rows))
        rows = rows[hidden:]
    wanted = int(run.settings.get("revealed", 0))
    return Stage(
        state=state,
        columns=[board["columns"][at] for at in chosen],
        rows=[{**row, "cells": [row["cells"][at] for at in chosen]} for row in rows],
        hidden=hidden,
        is_behind=state in {"sealed", "revealing"} and len(rows) != wanted,
    )


async def ceremony(context: RequestContext) -> Response:
    """Show the places that are revealed so far."""
    run = final_of(context)
    content = board_content(context, run, "course")
    return context.page(
        "ceremony.html",
        run=run,
        stage=stage_of(run, content, context.query_number("shown")),
        is_counted=board_content(context, run, "staff").get("state") == "over",
        address=context.link("ceremony", run=run.id),
    )


async def step(context: RequestContext, places: int) -> Response:
    """Reveal the next place for all readers; or, with -1, hide the last one again.

    A second press of a key changes nothing.
    """
    reveal_step(context, places, await context.number("revealed"))
    shown = await _followed(context)
    run = context.request.path_params["run"]
    return context.go_back(f"{context.link('ceremony', run=run)}?shown={shown}#newest")


async def _followed(context: RequestContext) -> int:
    """Wait until the board shows the last step; give the number of its places."""
    for _ in range(int(FOLLOWED_SECONDS / LOOK_EVERY)):
        run = final_of(context)
        content = board_content(context, run, "course")
        is_open = bool(run.settings.get("opened"))
        if content.get("state") == "over" if is_open else not stage_of(run, content, 0).is_behind:
            break
        await asyncio.sleep(LOOK_EVERY)
    return int(final_of(context).settings.get("revealed", 0))


_CEREMONY = "/c/{course}/final/{run:int}/ceremony"
_on_ceremony = partial(Page, method="POST", form="ceremony")
PAGES = (
    Page(_CEREMONY, "ceremony", "staff", ceremony),
    _on_ceremony(f"{_CEREMONY}/step", "ceremony-step", "lecturer", partial(step, places=1)),
    _on_ceremony(f"{_CEREMONY}/undo", "ceremony-undo", "lecturer", partial(step, places=-1)),
)
