"""NumPy, loaded when the first array is made.

NumPy takes longer to load than most commands take to run. Modules that are imported often and
need arrays rarely import `np` from here and postpone annotations
(`from __future__ import annotations`). Other modules import NumPy as usual.
"""

from typing import TYPE_CHECKING

from tourney import lazy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = lazy.Module("numpy")
    NDArray = None  # used in annotations only

__all__ = ["NDArray", "np"]
