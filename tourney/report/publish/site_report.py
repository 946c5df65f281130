"""What looking at a site has shown, line by line."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class SiteReport:
    """What looking at a site has shown."""

    verified: list[str] = field(default_factory=list)  # a line each
    differing: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)  # what could not be verified, and why
