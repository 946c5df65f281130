"""Show the examples of docstrings on the site as code: an extension of griffe, which reads them."""  # noqa: INP001 - a script beside the pages it serves, not a package

import re

from griffe import Extension, Object

EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^(?!\s*$).*\n?)*)+", re.MULTILINE)


class ExamplesAreCode(Extension):
    """Fences what begins with `>>>`, up to the next empty line."""

    def on_object(self, *, obj: Object, **_: object) -> None:
        """Change the text of a docstring before it is taken apart."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(r"```pycon\n\g<0>\n```\n", obj.docstring.value)
