"""The notebook: every cell runs in a kernel of its own, and shows what it is about."""

import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebooks" / "blackjack.ipynb"
PICTURES = 5


@pytest.mark.prove
@pytest.mark.skipif(sys.platform == "win32", reason="what it exports is dealt again on Linux")
def test_every_cell_of_the_notebook_runs(tmp_path: Path) -> None:
    """In an empty folder; its pictures are pictures, and what it trained stands on a board."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]  # it has no types
    assert all(not cell.get("outputs") for cell in notebook.cells), "kept without outputs"
    # The kernel is this Python, whatever kernels a machine has.
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [each for cell in notebook.cells for each in cell.get("outputs", ())]
    assert sum("image/png" in each.get("data", {}) for each in outputs) == PICTURES
    shown = "".join(each.get("data", {}).get("text/plain", "") for each in outputs)
    assert "mine.py at ve280: passed" in shown
    assert "Cup: takes " in shown
    tables = [each["data"]["text/html"] for each in outputs if "text/html" in each.get("data", {})]
    assert any("Result of a round (95 %)" in each for each in tables)
    assert any("hard 16" in each for each in tables)
    assert any("<td>counter</td>" in each or "<th>counter</th>" in each for each in tables)
    assert "<td>learner</td>" in tables[-1]
    assert "<td>easybj-chart</td>" in tables[-1]
