"""Answers for everybody of a class: what became of what they handed in, told to them alone.

The rule: whoever asks is told all about their own competitor, whatever `names` and `top` withhold
from the public, but nothing of results before these may be told at all. Of others stands there
what the board tells: what those beside one on it are called there, and how far away they are.
"""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.show.feedback.comments import as_comments, filled
    from tourney.show.feedback.gathering import Board, board_of, gather
    from tourney.show.feedback.linking import Site, site_at
    from tourney.show.feedback.model import Answer
    from tourney.show.feedback.pages import as_html, file_name, write_answers
else:
    __getattr__ = exports(__name__)
