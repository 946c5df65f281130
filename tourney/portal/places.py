"""Paths in a portal's folder."""

from dataclasses import dataclass
from pathlib import Path

OTHERS = 0o077
"""Permission bits of other users; no file of a portal has any of them."""


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
        """Locked while any process of the portal lives."""
        return self.root / "serve.lock"

    @property
    def inbox(self) -> Path:
        """Uploads, until their job has filed them."""
        return self.root / "inbox"

    def make_private(self) -> None:
        """Create the folder, and remove all access of other users to it.

        Raises: OSError, if this fails.
        """
        self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.inbox.mkdir(exist_ok=True, mode=0o700)
        homes = (self.inbox, self.course("any").parent, self.site("any", 0).parents[1])
        for path in (*homes, *self.root.glob(f"{self.database.name}*")):
            if path.exists() and path.stat().st_mode & OTHERS:
                path.chmod(path.stat().st_mode & ~OTHERS)

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
