"""Where everything is in a portal's folder."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Places:
    """A portal's folder."""

    root: Path

    @property
    def database(self) -> Path:
        """Accounts, sessions, jobs, boards and the audit log."""
        return self.root / "portal.db"

    @property
    def lock(self) -> Path:
        """Locked as long as any process of the portal lives."""
        return self.root / "serve.lock"

    @property
    def inbox(self) -> Path:
        """What was uploaded, until its job has filed it."""
        return self.root / "inbox"

    def course(self, slug: str) -> Path:
        """The folder of a course, as `tourney class` makes it."""
        return self.root / "courses" / slug

    def practice_store(self, slug: str) -> Path:
        """The store of a course's practice runs."""
        return self.course(slug) / "practice.db"

    def final_store(self, slug: str) -> Path:
        """The store of a course's finals."""
        return self.course(slug) / "tourney.db"

    def site(self, slug: str, run: int) -> Path:
        """The published pages of a final."""
        return self.root / "sites" / slug / str(run)
