"""Oracles stand beside the tests that use them, and beside each other."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
