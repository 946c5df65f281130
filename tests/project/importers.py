"""Runs a command and writes down which modules it loaded, and who imported each of them first.

    python tests/project/importers.py FILE COMMAND...

FILE gets JSON: importers by the module that they imported. `python -X importtime` would do but for
modules that are imported by `import_module`, which it leaves out.
"""

import json
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType

GO_BETWEENS = ("importlib", "_frozen_importlib", "tourney.lazy", "pkgutil")


class Witness(MetaPathFinder):
    """Sees who asks for a module, and leaves it to others to find it."""

    def __init__(self) -> None:
        self.importers: dict[str, str] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> None:
        """Note the first frame that is not of the machinery of imports."""
        del path, target
        frame = sys._getframe(1)
        while frame.f_back and str(frame.f_globals["__name__"]).startswith(GO_BETWEENS):
            frame = frame.f_back
        self.importers.setdefault(fullname, frame.f_globals["__name__"])


if __name__ == "__main__":
    file, *command = sys.argv[1:]
    witness = Witness()
    sys.meta_path.insert(0, witness)
    from tourney.cli import main

    status = main(command)
    loaded = {name: by for name, by in witness.importers.items() if name in sys.modules}
    Path(file).write_text(json.dumps(loaded), encoding="utf-8")
    sys.exit(status)
