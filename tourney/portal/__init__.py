"""The portal: a web application where students submit and compete, and organisers run courses.

Start reading with `web.server` and `processes`, which start the web process and the workers. `jobs`
is the queue between them. The portal is optional: the rest of the platform does not import it.

All data is in one folder, which can be copied, restored and inspected:

    portal.db              accounts, sessions, jobs, boards and the audit log
    inbox/                 uploads, until their job has filed them
    courses/cs101/         a class as `tourney class` makes it: roster, rules, submissions
      practice.db          the store of practice runs
      tourney.db           the store of finals
    sites/cs101/           finished runs, as `tourney publish` writes them

Five processes work on the folder. A sixth, `tourney serve` itself, restarts them when they end:

- `web` answers browsers. It reads and writes portal.db, writes uploads into the inbox, and serves
  sites. It never opens a course's folder, and never imports modules that play or sandbox.
- `checker` checks and files uploads, and does the organisers' jobs on a course's folder.
- `practice` plays practice boards and matches; `runner` plays finals.
- `follower` reads the stores and writes boards for every audience into portal.db.

Work that takes longer than a page is a job (`jobs`): it is recorded before it is acknowledged, done
by one process at a time, and repeated if that process ends before it reports the result.
"""
