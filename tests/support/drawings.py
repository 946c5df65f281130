"""The drawings of a published page, read from its markup alone."""

from html.parser import HTMLParser

Attributes = dict[str, str]


class Drawings(HTMLParser):
    """Rectangles and lines by the nearest `id` around them, and the cells of tables by theirs."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rects: dict[str, list[Attributes]] = {}
        self.lines: list[list[tuple[float, float]]] = []
        self.tables: dict[str, list[list[str]]] = {}
        self._groups: list[str] = []
        self._table: list[list[str]] | None = None
        self._is_in_cell = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take a shape or a cell, and remember the groups around it."""
        own = {name: value or "" for name, value in attrs}
        match tag:
            case "g":
                self._groups.append(own.get("id", ""))
            case "rect":
                group = next((each for each in reversed(self._groups) if each), "")
                self.rects.setdefault(group, []).append(own)
            case "polyline":
                pairs = (pair.split(",") for pair in own["points"].split())
                self.lines.append([(float(x), float(y)) for x, y in pairs])
            case "table":
                self._table = self.tables.setdefault(own.get("id", ""), [])
            case "tr" if self._table is not None:
                self._table.append([])
            case "td" | "th" if self._table is not None:
                self._table[-1].append("")
                self._is_in_cell = True

    def handle_endtag(self, tag: str) -> None:
        """Leave a group, a table or a cell."""
        match tag:
            case "g":
                self._groups.pop()
            case "table":
                self._table = None
            case "td" | "th":
                self._is_in_cell = False

    def handle_data(self, data: str) -> None:
        """Add text to its cell."""
        if self._table is not None and self._is_in_cell:
            self._table[-1][-1] += data
