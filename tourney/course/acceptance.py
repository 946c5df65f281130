"""The rules for accepting a submission: its name, its author, its time and earlier withdrawals.

The source itself is for the check.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from tourney.course.names import check_person
from tourney.course.records import NO_OVERRIDE, Override, Submission
from tourney.course.submission_rules import SubmissionRules
from tourney.errors import SubmissionError


def check_author(terms: SubmissionRules, own: Sequence[Submission], name: str, author: str) -> None:
    """Reject an author who may not submit under a name.

    Args:
        terms: The submission rules.
        own: Earlier versions of the name.
        name: The name to play under.
        author: The author of the submission.
    Raises: SubmissionError, with the reason and a remedy.
    """
    check_person(author)
    terms.check_author(author, name)
    first = min(own, key=lambda each: each.times[0], default=None)
    if first and terms.roster is None and first.author != author:
        raise SubmissionError(
            f"name {name!r} belongs to {first.author!r}, and you submit as {author!r}. Choose "
            "another name, or ask the organiser to put both of you on a roster."
        )


def admit(
    terms: SubmissionRules,
    own: Sequence[Submission],
    name: str,
    *,
    is_same: Callable[[Submission], bool],
    author: str,
    now: datetime,
    late_days: int,
    override: Override = NO_OVERRIDE,
) -> None:
    """Reject a submission with a wrong author, that is too late or that was withdrawn.

    Args:
        terms: The submission rules.
        own: Earlier versions of the name.
        name: The name to play under.
        is_same: Returns whether a version has the submitted source.
        author: The author of the submission.
        now: Time of the submission, with its offset.
        late_days: Days after the deadline.
        override: Rules that are waived for this submission.
    Raises: SubmissionError, with the reason and a remedy.
    """
    check_author(terms, own, name, author)
    for each in own:
        if each.status == "withdrawn" and is_same(each):
            raise SubmissionError(
                f"name {name!r}: version {each.digest[:12]} was withdrawn: {each.reason}. "
                "Submit another version."
            )
    if "deadline" not in override.limits:
        terms.check_time(author, name, late_days)
    today = terms.local(now).date()
    taken = sum(terms.local(time).date() == today for each in own for time in each.times)
    if "per_day" not in override.limits and terms.per_day is not None and taken >= terms.per_day:
        raise SubmissionError(
            f"name {name!r} has used its limit of {terms.per_day} versions a day "
            f"({terms.zone_words}). Submit this one tomorrow."
        )


def judged_again(terms: SubmissionRules, filed: Submission) -> Submission:
    """Apply the present deadlines to the record of a version.

    The record keeps the time that a platform stated, so a deadline that is set, moved or extended
    later counts. Records without such a statement do not change. A version that was received here
    stays accepted, since its author was told so; a later deadline still reduces its late days.
    """
    if filed.stated is None:
        return filed
    allowed = terms.late_days_of(filed.author, filed.name)
    late = _late_days(terms, filed, allowed)
    if filed.stated == "received":
        return replace(filed, late_days=min(filed.late_days, late))
    is_waived = filed.waives("deadline")
    is_open = filed.stated == "nothing" and not is_waived
    untimed = is_open and terms.late_days_at(filed.times[0], filed.author, filed.name) > 0
    again = replace(filed, late_days=late, untimed=untimed)
    if again.plays and not is_waived:
        try:
            terms.check_time(filed.author, filed.name, late)
        except SubmissionError as error:
            return replace(again, status="rejected", reason=str(error))
    return again


def _late_days(terms: SubmissionRules, filed: Submission, allowed: int) -> int:
    if filed.stated in {"in time", "nothing"}:
        return 0
    if filed.stated == "late":
        return terms.stated_late_days(filed.author, filed.name)
    late = [terms.late_days_at(time, filed.author, filed.name) for time in filed.times]
    return next((each for each in reversed(late) if each <= allowed), late[0])
