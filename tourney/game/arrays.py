"""NumPy for modules that are imported often and need arrays seldom.

It takes longer to load than most commands take, so here it is loaded when the first array is made.
Who takes it from here postpones annotations (`from __future__ import annotations`).
Modules that nobody imports but to work with arrays import it as usual.
"""

from typing import TYPE_CHECKING

from tourney import lazy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = lazy.Module("numpy")
    NDArray = None  # stands in annotations only

__all__ = ["NDArray", "np"]
