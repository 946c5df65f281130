"""Who is let in: a name, an author and a time that will do, and a version that was not withdrawn.

Leaves out what is handed in; that is for the check to say.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from tourney.course.names import check_person
from tourney.course.records import NO_OVERRIDE, Override, Submission
from tourney.course.submission_rules import SubmissionRules
from tourney.errors import SubmissionError


def check_author(terms: SubmissionRules, own: Sequence[Submission], name: str, author: str) -> None:
    """Turn away who may not hand in under a name, whatever it is that they hand in.

    Args:
        terms: The organiser's terms.
        own: Versions that are there under the name.
        name: What it shall play under.
        author: Who hands it in.
    Raises: SubmissionError, with the reason and a remedy.
    """
    check_person(author)
    terms.check_author(author, name)
    first = min(own, key=lambda each: each.times[0], default=None)
    if first and terms.roster is None and first.author != author:
        raise SubmissionError(
            f"name {name!r}: expected its author {first.author!r}, got {author!r}; choose "
            "another name, or let the organiser put both of you on a roster"
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
    """Turn away whose author or time will not do.

    Args:
        terms: The organiser's terms.
        own: Versions that are there under the name.
        name: What it shall play under.
        is_same: Says whether a version has the source that is handed in.
        author: Who hands it in.
        now: When, with its offset.
        late_days: Days after the deadline.
        override: What of the terms does not hold for it.
    Raises: SubmissionError, with the reason and a remedy.
    """
    check_author(terms, own, name, author)
    for each in own:
        if each.status == "withdrawn" and is_same(each):
            raise SubmissionError(
                f"name {name!r}: expected a version that was not withdrawn, got "
                f"{each.digest[:12]}: {each.reason}; hand in another"
            )
    if "deadline" not in override.limits:
        terms.check_time(author, name, late_days)
    today = terms.local(now).date()
    taken = sum(terms.local(time).date() == today for each in own for time in each.times)
    if "per_day" not in override.limits and terms.per_day is not None and taken >= terms.per_day:
        raise SubmissionError(
            f"name {name!r}: expected at most {terms.per_day} versions a day ({terms.zone_words}), "
            "got one more; hand it in tomorrow"
        )


def judged_again(terms: SubmissionRules, filed: Submission) -> Submission:
    """Give the record of a version as the deadlines of now judge it.

    What a platform stated about its time is kept in the record, so a deadline that is set, moved or
    extended later counts. Records of earlier versions stay as they are.
    """
    if filed.stated is None:
        return filed
    allowed = terms.late_days_of(filed.author, filed.name)
    late = _late_days(terms, filed, allowed)
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
