"""The commands of the portal, which `tourney` finds by an entry point."""

from collections.abc import Mapping

COMMANDS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "Servers and editors": {
        "serve": ("tourney.portal.commands.serve", "Serve a portal for a course."),
    },
}
