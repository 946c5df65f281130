"""Taking in what others hand in: read, checked, kept in every version, chosen for a tournament.

A folder of submissions is plain files that can be looked at and backed up. Nothing in here runs
or parses a competitor's Python but the check, which whoever takes in brings along.
"""

from tourney.submissions.classes import ClassDownload, HandIn, read_class
from tourney.submissions.desk import Outcome, take_class
from tourney.submissions.entering import how_to_withdraw, other_games, submitted
from tourney.submissions.folder import Check, Submissions
from tourney.submissions.games import game_for, game_text, keep_game, misfit_of_chart
from tourney.submissions.names import check_name
from tourney.submissions.places import fault_of_folder
from tourney.submissions.reading import read_handed_in
from tourney.submissions.records import RULES, Rule, Status, Submission
from tourney.submissions.report import CheckReport, Finding, Measured
from tourney.submissions.roster import Person, Roster, read_roster
from tourney.submissions.source import Kind, Source, source_of
from tourney.submissions.starting import starting_files
from tourney.submissions.terms import Terms, read_terms

__all__ = [
    "RULES",
    "Check",
    "CheckReport",
    "ClassDownload",
    "Finding",
    "HandIn",
    "Kind",
    "Measured",
    "Outcome",
    "Person",
    "Roster",
    "Rule",
    "Source",
    "Status",
    "Submission",
    "Submissions",
    "Terms",
    "check_name",
    "fault_of_folder",
    "game_for",
    "game_text",
    "how_to_withdraw",
    "keep_game",
    "misfit_of_chart",
    "other_games",
    "read_class",
    "read_handed_in",
    "read_roster",
    "read_terms",
    "source_of",
    "starting_files",
    "submitted",
    "take_class",
]
