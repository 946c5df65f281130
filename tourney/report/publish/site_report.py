"""The report on the verification of a site, line by line."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class SiteReport:
    """The results of verifying a site."""

    verified: list[str] = field(default_factory=list)  # a line each
    differing: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)  # unverified parts, with reasons
