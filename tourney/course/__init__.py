"""Taking in what others hand in: read, checked, kept in every version, chosen for a tournament.

A folder of submissions is plain files that can be looked at and backed up. Nothing in here runs
or parses a competitor's Python but the check, which whoever takes in brings along.
"""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.course.classes import ClassDownload, HandIn, read_class
    from tourney.course.copies import Copies, copies
    from tourney.course.enrolling import Enrolment, enrol
    from tourney.course.entering import how_to_withdraw, other_games, submitted
    from tourney.course.folder import Check, Submissions
    from tourney.course.games import game_for, game_text, keep_game
    from tourney.course.missing import Missing, missing
    from tourney.course.names import check_name
    from tourney.course.places import fault_of_folder, fault_of_target
    from tourney.course.receiving import Outcome, take_class
    from tourney.course.records import LIMITS, RULES, Limit, Override, Rule, Status, Submission
    from tourney.course.refusals import Refusal, keep_refusals, read_refusals
    from tourney.course.report import CheckReport, Finding, Measured
    from tourney.course.roster import Person, Roster
    from tourney.course.roster_file import read_roster, written
    from tourney.course.source import Source, read_handed_in, source_of
    from tourney.course.starting import starting_files
    from tourney.course.terms import Terms, moment_of, read_terms
else:
    __getattr__ = exports(__name__)
