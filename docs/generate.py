"""Write the generated parts of README.md and docs/, or check that they are up to date.

    python docs/generate.py                     write all parts but the board in the README
    python docs/generate.py --board             write that one too: plays configs/quickstart.yaml
    python docs/generate.py --check             compare; list stale pages and exit with 1
    python docs/generate.py --check --demo FILE compare the board with the output of `make demo`

A part is between `<!-- generated: NAME -->` and `<!-- end: NAME -->`. The rest of these files is
written by hand and never changed.
"""  # noqa: INP001 - a script beside the pages it writes, not a package

import argparse
import ast
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import fields
from io import StringIO
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent, fill
from types import SimpleNamespace
from typing import Any, cast, get_type_hints

import click

from tourney import cli
from tourney.cli.commands import tourney as command_tree
from tourney.cli.leaderboard import COLUMNS as TABLE_COLUMNS
from tourney.competitors.builtin_plugin import FORMATS
from tourney.config.model import Catalog
from tourney.config.schema import json_schema
from tourney.config.settings import options_of
from tourney.config.words import EXPECTED, type_words
from tourney.errors import FormatError
from tourney.formats import Format, Schedule, Solo
from tourney.game.blocks import TableState
from tourney.game.rows import Field, RowsWriter
from tourney.game.rules import Rules
from tourney.games.blackjack.history.hand_rows import HandRows
from tourney.games.straights.hand_history import StraightsRows
from tourney.plugins import hook_spec as hooks_page
from tourney.plugins.language import Language
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Registry
from tourney.report.hand_tables import PLACES
from tourney.report.schema import kind_of, where_it_stands
from tourney.report.site.site_files import schema_json
from tourney.sandbox.host_modules import allowed
from tourney.standings.columns import COLUMNS
from tourney.standings.places import Finish
from tourney.standings.standing import Standing
from tourney.tournament.catalog import catalog_of

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ("command-line", "configuration", "exports", "hooks", "strategies")
HOW_TO = ("add-a-column", "add-a-format", "add-a-game", "add-a-language", "check-a-competitor")
PAGES = (
    "README.md",
    "docs/rules/formats.md",
    *(f"docs/reference/{name}.md" for name in REFERENCE),
    *(f"docs/how-to/{name}.md" for name in HOW_TO),
)
FOR_STUDENTS = (
    "README.md",
    *(f"docs/tutorial/first-competitor{suffix}.md" for suffix in ("", "-in-cpp")),
    *(
        f"docs/how-to/{name}.md"
        for name in ("check-a-competitor", "declare-a-strategy", "play-easy-blackjack")
    ),
    *(f"docs/how-to/{name}.md" for name in ("play-casino-rules", "run-straights")),
)
"""Pages whose competitors students may submit; these are not copies of each other."""
EXAMPLES = "tourney/course/page_examples.json"
COMPETITOR = re.compile(r"(?ms)^```(?:python|cpp) (?P<name>\S+)\n(?P<body>.*?)^```$")
PART = re.compile(
    r"(<!-- generated: (?P<name>[\w-]+) -->\n).*?(<!-- end: (?P=name) -->)", re.DOTALL
)
BOARD = "board"
HOLDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "strings": "list of text",
}
DEMO = "configs/quickstart.yaml"
OWN = "tourney"  # the distribution whose plugins are documented; others have their own pages


def table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out a Markdown table."""
    lines = [headers, ["---"] * len(headers), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in line) + " |"
        for line in lines
    )


def code(value: object) -> str:
    """Show a value as YAML would have it."""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def own(registry: Registry) -> Catalog:
    """Return the names of the platform itself, without those of other plugins."""
    catalog = catalog_of(registry)
    plugins = [plugin for plugin in registry.plugins if plugin.distribution == OWN]

    def kept(kind: str, things: Mapping[str, Any]) -> dict[str, Any]:
        names = {name for plugin in plugins for name in getattr(plugin, kind)}
        return {name: thing for name, thing in things.items() if name in names}

    return Catalog(
        presets=kept("games", catalog.presets),
        formats=kept("formats", catalog.formats),
        strategies=kept("strategies", catalog.strategies),
        files=kept("languages", catalog.files),
        games=catalog.games,
        columns=tuple(kept("columns", registry.columns)),
    )


def commands() -> Iterator[tuple[str, click.Command, click.Context]]:
    """Yield every command with its full name, in the order of the help."""
    root = click.Context(command_tree, info_name="tourney", **command_tree.context_settings)
    waiting: list[tuple[click.Command, click.Context]] = [(command_tree, root)]
    while waiting:
        command, context = waiting.pop(0)
        if not isinstance(command, click.Group):
            yield context.command_path, command, context
            continue
        inner = []
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found
            inner.append((found, click.Context(found, parent=context, info_name=name)))
        waiting = inner + waiting


def command_line() -> str:
    """Describe every command with its arguments and options."""
    parts = []
    for path, command, context in commands():
        usage = " ".join([path, *command.collect_usage_pieces(context)])
        text = inspect.cleandoc(command.help or "")
        records = filter(
            None, (each.get_help_record(context) for each in command.get_params(context))
        )
        rows = [(code(names), " ".join(said.split())) for names, said in records if said]
        options = table(["Option", "Effect"], rows)
        parts.append(f"## {path}\n\n    {usage}\n\n{text}\n\n{options}\n")
    return "\n".join(parts)


def option_table() -> str:
    """List every option with its help text and the commands that have it."""
    found: dict[str, tuple[str, list[str]]] = {}
    for path, command, _ in commands():
        for each in command.params:
            if isinstance(each, click.Option):
                text = (each.help or "").partition("  [default: ")[0]
                _, paths = found.setdefault(each.opts[0], (text, []))
                paths.append(path.removeprefix("tourney "))
    rows = [
        (code(name), " ".join(text.split()), ", ".join(map(code, paths)))
        for name, (text, paths) in sorted(found.items())
    ]
    return table(["Option", "Effect", "Commands"], rows)


def command_table() -> str:
    """List the commands in one line each."""
    return table(
        ["Command", "Purpose"],
        [
            (code(path), (command.help or "").partition("\n\n")[0].replace("\n", " "))
            for path, command, _ in commands()
        ],
    )


def taken(schema: Mapping[str, Any]) -> str:
    """Describe the values of a setting, from its schema."""
    match schema:
        case {"anyOf": choices}:
            some = (taken(each) for each in choices if each.get("type") != "null")
            return " or ".join(dict.fromkeys(some))
        case {"enum": values}:
            return ", ".join(map(code, values))
        case {"const": _} | {"type": "string", "examples": _}:
            return code(type_words({key: it for key, it in schema.items() if key != EXPECTED}))
        case {"type": "integer" | "number" as kind, "maximum": most}:
            least = schema.get("minimum", f"more than {schema.get('exclusiveMinimum')}")
            return f"{'whole ' * (kind == 'integer')}number, {least} to {most:,}"
        case {"type": "string", "minLength": least, "maxLength": most}:
            return f"text of {least} to {most:,} characters"
    kinds = {"array": "list", "object": "mapping", "boolean": "true or false"}
    return kinds.get(schema.get("type", ""), "name or mapping")


def settings(schema: Mapping[str, Any], without: Sequence[str] = ()) -> str:
    """Describe the settings of a mapping, a line each."""
    required = schema.get("required", ())
    rows = []
    for name, each in schema["properties"].items():
        if name not in without:
            default = "required" if name in required else ""
            if "default" in each:
                default = code(each["default"])
            meaning = each.get("description", "").rstrip(".")
            rows.append((code(name), taken(each), default, meaning[:1].upper() + meaning[1:]))
    return table(["Setting", "Takes", "Default", "Meaning"], rows)


def presets(catalog: Catalog) -> str:
    """Show the presets of blackjack side by side."""
    names = [name for name, rules in catalog.presets.items() if rules.game.name == "blackjack"]
    shown = {name: _settings(catalog.presets[name]) for name in names}
    rows = [
        (code(field), *(code(shown[name][field]) if field in shown[name] else "" for name in names))
        for field in dict.fromkeys(name for values in shown.values() for name in values)
    ]
    return table(["Setting", *map(code, names)], rows)


def _settings(rules: Any) -> dict[str, object]:
    values = {field.name: getattr(rules, field.name) for field in fields(rules)}
    return {name: value for name, value in values.items() if value is not None}


def configuration(catalog: Catalog) -> dict[str, Callable[[], str]]:
    """Return the writers of the parts about configurations."""
    schema = json_schema(catalog)
    inner = schema["properties"]
    formats = [each for each in inner["format"]["oneOf"] if "properties" in each]
    games = {
        catalog.presets[name].game.name: each
        for each in inner["game"]["oneOf"]
        if "properties" in each
        for name in each["properties"]["preset"]["enum"]
    }
    return {
        "settings": lambda: settings(schema),
        "game": lambda: settings(games["blackjack"], ["preset"]),
        "game-straights": lambda: settings(games["straights"], ["preset"]),
        "presets": lambda: presets(catalog),
        "formats": lambda: "\n\n".join(
            f"### {code(each['title'])}\n\n{catalog.formats[each['title']].summary.capitalize()}."
            f"\n\n{settings(each, ['kind'])}"
            for each in formats
        ),
        "stages": lambda: settings(inner["stages"]["items"]),
        "qualifiers": lambda: settings(inner["stages"]["items"]["properties"]["qualifiers"]),
        "floor": lambda: settings(inner["floor"]),
        "limits": lambda: settings(inner["limits"]),
        "entrants": lambda: settings(inner["entrants"]["items"]),
        "policy": lambda: settings(inner["entrants"]["items"]["properties"]["policy"]),
        "leaderboard": lambda: settings(inner["leaderboard"]),
        "public_value": lambda: settings(inner["public_value"]),
    }


def formats_by_seats() -> str:
    """Write, for each format, the seats of games that it takes."""
    return table(
        ["Format", "Seats of a game of chips", "Seats of a game of points"],
        [
            [code(kind), *(_seats_taken(kind, points) or "none" for points in (None, 1))]
            for kind in sorted(FORMATS)
        ],
    )


def _seats_taken(kind: str, points: int | None) -> str:
    """Write the seats from 1 to 7 of games that some field can play; also any of them."""
    single = {str(seats): range(seats, seats + 1) for seats in range(1, 8)}
    games = {**single, "1 to 7": range(1, 8)}
    return ", ".join(name for name, seats in games.items() if _is_taken(kind, seats, points))


def _is_taken(kind: str, seats: range, points: int | None) -> bool:
    needed = {"tables": 1, "rounds": 2} if issubclass(FORMATS[kind], Solo) else {}
    needed |= {"match": {"tables": 1}, "swiss": {"waves": 1}, "ladder": {"waves": 1}}.get(kind, {})
    game = SimpleNamespace(seats=seats, most_points=points, limit=None, game="the game")
    for entrants in range(2, 9):
        try:
            FORMATS[kind](**needed).check(entrants, cast("Rules", game))
        except FormatError:
            continue
        return True
    return False


def strategies(catalog: Catalog) -> str:
    """Describe every bundled strategy from its own words."""
    parts = []
    for name, make in catalog.strategies.items():
        module = sys.modules[make.__module__]
        summary = inspect.cleandoc(make.__doc__ or "").partition("\n")[0]
        _, _, story = inspect.cleandoc(module.__doc__ or "").partition("\n\n")
        story = re.sub(r"^(Limits:|Source:)", r"\n\1", story, flags=re.MULTILINE)
        story = story.replace("docs/sources.md", "[docs/sources.md](../sources.md)")
        parts.append(f"## {name}\n\n{summary}\n\n{story}\n\n{_options(make)}")
    return "\n".join(parts)


def _options(make: Any) -> str:
    said = inspect.cleandoc(make.__doc__ or "")
    told = dict(re.findall(r"^    (\w+): (.+)$", said, re.MULTILINE))
    rows = [
        (code(each.alias), code(each.default), told.get(each.alias or "", ""))
        for each in options_of(make).model_fields.values()
    ]
    return table(["Option", "Default", "Meaning"], rows) + "\n" if rows else "It has no options.\n"


def hooks() -> str:
    """Describe every hook with its example."""
    parts = [inspect.cleandoc(hooks_page.__doc__ or "").partition("\n\n")[2]]
    for name in hooks_page.HOOKS:
        hook = getattr(hooks_page.Hooks, name)
        text, _, example = inspect.cleandoc(hook.__doc__).partition("Example:\n")
        first, _, returns = text.partition("Returns:")
        said = " ".join(returns.split())
        spaced = re.sub(r"\n\n(?=@|class )", "\n\n\n", dedent(example).strip())
        block = f"```python\n{spaced}\n```"
        parts.append(f"## {name}\n\n{first.strip()}\n\nReturns: {said}\n\n{block}")
    return "\n\n".join(parts)


def members(kind: type) -> Iterator[tuple[str, str, str]]:
    """Yield name, default and description of the public members of a class."""
    source = inspect.getsource(kind)
    lines = source.splitlines()
    body = ast.parse(source).body[0].body  # type: ignore[attr-defined]  # it is a class
    for node, after in pairwise([*body, ast.Pass()]):
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), value=value):
                default = ast.unparse(value) if value else ""
                _, _, said = lines[node.lineno - 1].partition("  # ")
                match after:
                    case ast.Expr(value=ast.Constant(value=str(text))):
                        said = text
            case ast.FunctionDef(name=name):
                default = ""
                said = inspect.cleandoc(ast.get_docstring(node) or "").partition("\n\n")[0]
                match node.body[-1]:
                    case ast.Return(value=ast.expr() as value):
                        default = ast.unparse(value)
            case _:
                continue
        if not name.startswith("_"):
            yield name, default, " ".join(said.split())


def member_table(kind: type) -> str:
    """List the members that a class must or may define."""
    rows = [(code(name), default and code(default), said) for name, default, said in members(kind)]
    return table(["Name", "Default", "Meaning"], rows)


def row_of_a_board() -> str:
    """List the attributes of a row for columns."""
    rows = []
    for name, _, said in members(Standing):
        asked = getattr(Standing, name)
        types = get_type_hints(asked.fget if isinstance(asked, property) else Standing)
        holds = types["return" if isinstance(asked, property) else name]
        # Without the long names of what stands in modules.
        words = re.sub(r"\w+\.", "", inspect.formatannotation(holds))
        rows.append((code(name), code(words), said))
    return table(["Name", "Holds", "Meaning"], rows)


def meanings(kind: type) -> str:
    """List the members of a class and their meanings."""
    return table(["Name", "Meaning"], [(code(name), said) for name, _, said in members(kind)])


def board_columns() -> str:
    """List the columns of the board as data."""
    rows = [
        (code(each.name), each.title, HOLDS[kind_of(each)], each.meaning, where_it_stands(each))
        for each in COLUMNS
    ]
    return table(["Column", "Title", "Holds", "Meaning", "Present"], rows)


def rows_of_hands() -> str:
    """List the columns of hands and of decisions."""
    hands, decisions = RowsWriter.of_hands, RowsWriter.of_decisions
    games: dict[str, type[RowsWriter]] = {"blackjack": HandRows, "Straights": StraightsRows}
    parts: list[tuple[str, Sequence[Field]]] = [
        ("every row begins with", PLACES),
        ("`hands`: a round of a seat", hands),
    ]
    parts += [
        (f"`hands` of {game} also have", kind.of_hands[len(hands) :])
        for game, kind in games.items()
    ]
    parts += [("`decisions`: an answer of a player", decisions)]
    parts += [
        (f"`decisions` of {game} also have", kind.of_decisions[len(decisions) :])
        for game, kind in games.items()
    ]
    return "\n\n".join(
        f"{title[0].upper()}{title[1:]}:\n\n"
        + table(
            ["Column", "Holds", "Meaning"],
            [(code(each.name), HOLDS[each.kind], each.meaning) for each in fields],
        )
        for title, fields in parts
    )


def tables_behind() -> str:
    """List the columns of the tables behind the board."""
    rows = [(code(name), HOLDS[kind], meaning) for name, (kind, meaning) in TABLE_COLUMNS.items()]
    return table(["Column", "Holds", "Meaning"], rows)


def site_data() -> str:
    """Describe everything in the data of a site, the board first."""
    schema = json.loads(schema_json())
    parts = []
    objects = {name: each for name, each in schema["$defs"].items() if "properties" in each}
    for name, each in [(schema["title"], schema), *sorted(objects.items())]:
        rows = [
            (code(field), held(inner), inner.get("description", ""))
            for field, inner in each["properties"].items()
        ]
        said = each["description"].partition("\n")[0]
        parts.append(f"### {name}\n\n{said}\n\n{table(['Name', 'Holds', 'Meaning'], rows)}")
    return "\n\n".join(parts)


def held(schema: Mapping[str, Any]) -> str:
    """Describe the values of a field of exported data, from its schema."""
    kinds = {"integer": "whole number", "string": "text", "boolean": "`true` or `false`"}
    match schema:
        case {"$ref": path}:
            name = path.rpartition("/")[2]
            said = f"[{name}](#{name.lower()})"
        case {"anyOf": choices}:
            said = " or ".join(held(each) for each in choices)
        case {"enum": values}:
            said = ", ".join(map(code, values))
        case {"const": value}:
            said = code(value)
        case {"type": "array", "items": items}:
            said = f"list of {held(items)}"
        case {"type": "object", "additionalProperties": inner}:
            said = f"by name, {held(inner)}"
        case {"type": "null"}:
            said = "`null`"
        case {"type": kind}:
            said = kinds.get(kind, kind)
    return said


def board() -> str:
    """Play the quickstart in a temporary store and return its whole output."""
    seen = StringIO()
    with TemporaryDirectory() as folder, chdir(folder):
        Path("demo").mkdir()
        with redirect_stdout(seen), redirect_stderr(seen):
            status = cli.main(["run", str(ROOT / DEMO), "--store", "demo/tourney.db"])
    if status:
        raise SystemExit(seen.getvalue())
    # A line that only a slow machine prints.
    lines = [each for each in seen.getvalue().splitlines() if not each.startswith("loading ")]
    return "\n".join(["```text", "$ make demo", *lines, "```"])


def modules() -> str:
    """List the modules that a competitor may import."""
    listed = ", ".join(f"`{name}`" for name in allowed())
    return fill(f"{listed}.", width=100, break_on_hyphens=False)


def parts() -> dict[str, Callable[[], str]]:
    """Return the writers of all parts but the board, by name."""
    catalog = own(load_plugins())
    return {
        "board-columns": board_columns,
        "hands-data": rows_of_hands,
        "board-row": row_of_a_board,
        "command-line": command_line,
        "options": option_table,
        "commands": command_table,
        "modules": modules,
        "finish": lambda: meanings(Finish),
        "format": lambda: member_table(Format),
        "hooks": hooks,
        "language": lambda: member_table(Language),
        "per-table": tables_behind,
        "rules": lambda: meanings(Rules),
        "formats-by-seats": formats_by_seats,
        "schedule": lambda: member_table(Schedule),
        "site-data": site_data,
        "table-state": lambda: meanings(TableState),
        "strategies": lambda: strategies(catalog),
        **configuration(catalog),
    }


def filled(text: str, known: Mapping[str, Callable[[], str]]) -> str:
    """Return a page with its known parts written again."""

    def part(match: re.Match[str]) -> str:
        make = known.get(match["name"])
        return f"{match[1]}{make().strip()}\n{match[3]}" if make else match[0]

    return PART.sub(part, text)


def has_board(output: str) -> bool:
    """Return whether the board in the README is the one in this output."""
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = next((each[0] for each in PART.finditer(page) if each["name"] == BOARD), "")
    headers, rule, rows = shown.partition("\n---")
    rows = rows.partition("\non the floor")[0]
    return bool(rows) and headers.rpartition("\n")[2] + rule + rows in output


def examples() -> str:
    """Return the competitors in the pages for students, by page and file, as JSON."""
    texts = {
        f"{page}: {each['name']}": each["body"]
        for page in FOR_STUDENTS
        for each in COMPETITOR.finditer((ROOT / page).read_text(encoding="utf-8"))
    }
    return json.dumps(texts, indent=1) + "\n"


def stale_examples(*, mend: bool) -> Iterator[str]:
    """Yield a line if the stored examples are stale; `mend` writes them again."""
    path, made = ROOT / EXAMPLES, examples()
    if not path.exists() or path.read_text(encoding="utf-8") != made:
        yield f"{EXAMPLES}: it is stale; run `make docs`"
        if mend:
            path.write_text(made, encoding="utf-8", newline="\n")


def stale_pages(known: Mapping[str, Callable[[], str]], *, mend: bool) -> Iterator[str]:
    """Yield a line for each stale page; `mend` writes the pages again."""
    for page in PAGES:
        path = ROOT / page
        before = path.read_text(encoding="utf-8")
        after = filled(before, known)
        if before != after:
            yield f"{page}: its generated parts are stale; run `make docs`"
            if mend:
                path.write_text(after, encoding="utf-8", newline="\n")


def main() -> int:
    """Write or check, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare and write nothing")
    parser.add_argument("--board", action="store_true", help="play for the README's board")
    parser.add_argument("--demo", type=Path, metavar="FILE", help="compare the board with it")
    asked = parser.parse_args()
    known = parts() | ({BOARD: board} if asked.board else {})
    checks = bool(asked.check or asked.demo)
    stale = [*stale_pages(known, mend=not checks), *stale_examples(mend=not checks)]
    if asked.demo and not has_board(asked.demo.read_text(encoding="utf-8")):
        stale.append(
            "README.md: the board differs from that of the demo; run docs/generate.py --board"
        )
    if not checks:
        return 0
    sys.stderr.write("".join(f"{line}\n" for line in stale))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
