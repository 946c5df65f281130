"""A portal on the web: students submit and compete there, and organisers run their courses.

Open `web.server` and `processes` first: they start the web process and the workers; `jobs` is the
queue between them. This part is optional: nothing else of the platform imports it.

One folder holds all of it, so that it can be copied, restored and looked into:

    portal.db              accounts, sessions, jobs, boards and the audit log
    inbox/                 what was uploaded, until its job has filed it
    courses/cs101/         a class as `tourney class` makes it: roster, terms, submissions
      practice.db          the store of practice runs
      tourney.db           the store of finals
    sites/cs101/           finished runs, as `tourney publish` writes them

Five processes work on it, and a sixth, `tourney serve` itself, starts them again when they end:

- `web` answers browsers. It reads and writes portal.db, takes uploads into the inbox, and serves
  sites. It never opens a course's folder otherwise, and never imports what plays or confines.
- `checker` checks and files what was uploaded, and does what organisers ask of a course's folder.
- `practice` and `runner` play: the one practice boards and matches, the other finals.
- `follower` looks at the stores and writes boards for every audience into portal.db.

Whatever takes longer than a page is a job (`jobs`): it is written down before it is promised, done
by one process at a time, and done again if that process ends before it says so.
"""
