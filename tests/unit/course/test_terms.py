"""The organiser's terms and roster: what they say, and every fault at once with its place."""

from datetime import datetime
from pathlib import Path

import pytest

from tourney.course.roster import Person, Roster
from tourney.course.roster_file import read_roster
from tourney.course.submission_rules import SubmissionRules, read_terms
from tourney.errors import ConfigError, SubmissionError

TERMS = """\
submission_rule: best
per_day: 5
deadline: "2026-12-01 23:59+01:00"
late_days: 2
roster: people.csv
"""

CSV = """\
person,as,ids,late_days
Ada Lovelace,Ada,lovelaceada;ada@example.org,2
"Pascal, Blaise",Seine;Blaise,0042,

René Descartes,René,,0
"""

YAML = """\
- {person: Ada Lovelace, as: Ada, ids: [lovelaceada, ada@example.org], late_days: 2}
- person: Pascal, Blaise
  as: [Seine, Blaise]
  ids: 0042
- {person: René Descartes, as: René, late_days: 0}
"""

PEOPLE = (
    Person("Ada Lovelace", ("Ada",), ("lovelaceada", "ada@example.org"), 2),
    Person("Pascal, Blaise", ("Seine", "Blaise"), ("0042",)),
    Person("René Descartes", ("René",), (), 0),
)


def test_a_folder_without_terms_has_the_defaults(tmp_path: Path) -> None:
    """The last version plays, whenever it came, whoever it is from."""
    assert read_terms(tmp_path) == read_terms(tmp_path / "nowhere") == SubmissionRules()


def test_terms_are_read_with_their_roster(tmp_path: Path) -> None:
    """Which lies beside them."""
    (tmp_path / "submissions.yaml").write_text(TERMS, "utf-8")
    (tmp_path / "people.csv").write_text(CSV, "utf-8")
    assert read_terms(tmp_path) == SubmissionRules(
        rule="best",
        per_day=5,
        deadline=datetime.fromisoformat("2026-12-01T22:59:00+00:00"),
        late_days=2,
        roster=Roster(PEOPLE),
    )


def test_all_faults_of_terms_are_told_at_once(tmp_path: Path) -> None:
    """Each with its line, what was expected, and what came."""
    text = "submission_rule: first\nper_day: 0\ndeadline: 2026-12-01\nlate: 2\n"
    (tmp_path / "submissions.yaml").write_text(text, "utf-8")
    with pytest.raises(ConfigError) as caught:
        read_terms(tmp_path)
    said = [str(fault).partition("submissions.yaml:")[2] for fault in caught.value.faults]
    assert said[0].startswith("1:18: submission_rule: expected best, last or pinned; got 'first'")
    assert said[1].startswith("2:10: per_day: expected a whole number from 1 to 1000, got 0")
    assert said[2].startswith("3:11: deadline: expected a time with its offset")
    assert said[3].startswith("4:1: late: unknown setting 'late'")


def test_a_deadline_has_an_offset(tmp_path: Path) -> None:
    """Or students in another place would be late."""
    (tmp_path / "submissions.yaml").write_text('deadline: "2026-12-01 23:59"\n', "utf-8")
    with pytest.raises(ConfigError, match="a time with its offset, such as '2026-12-01"):
        read_terms(tmp_path)


@pytest.mark.parametrize(("name", "text"), [("people.csv", CSV), ("people.yaml", YAML)])
def test_a_roster_is_a_table_or_a_list(tmp_path: Path, name: str, text: str) -> None:
    """Both say the same."""
    text = text.replace("person: Pascal, Blaise", 'person: "Pascal, Blaise"')
    (tmp_path / name).write_text(text, "utf-8-sig")
    assert read_roster(tmp_path / name) == Roster(PEOPLE)


def test_a_person_is_found_by_whatever_a_platform_calls_them() -> None:
    """By name in any case, last name first and in one word, and by ids."""
    roster = Roster(PEOPLE)
    for who in ("ada lovelace", "ADA  LOVELACE", "LovelaceAda", "adalovelace", "Ada@Example.org"):
        assert roster.find(who) is PEOPLE[0]
    assert roster.find("0042") is PEOPLE[1]
    assert roster.find("42") is PEOPLE[1]  # as a spreadsheet leaves it
    assert roster.find("402") is None
    assert roster.find("") is None


def test_a_person_without_a_name_to_play_under_plays_as_themselves(tmp_path: Path) -> None:
    """A roster may be a list of people and nothing else."""
    path = tmp_path / "people.csv"
    path.write_text("person\nAda Lovelace\n", "utf-8")
    assert read_roster(path).people == (Person("Ada Lovelace", ("Ada Lovelace",)),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "",
            "1:1: expected a heading with person, as, ids, email, groups, handle, team, late_days, "
            "excluded; got an empty line",
        ),
        (
            "persn,as\nAda,Ada\n",
            "1:1: expected a heading with person, as, ids, email, groups, handle, team, late_days, "
            "excluded; got 'persn, as': the first "
            "line names the columns (did you mean 'person'?)",
        ),
        ("person,as\nAda,=Ada\n", "2:5: as: name '=Ada': it begins with '=', and a spreadsheet"),
        ("person,late_days\nAda,two\n", "2:5: late_days: expected a whole number from 0 to 1000"),
        ("person,as\n,Ada\n", "2:1: 'person' is missing (name of the person)"),
        (
            "person,tem\nAda,x\n",
            "2:5: tem: unknown setting 'tem'; choose person, as, ids, email, groups, handle, team,",
        ),
        (
            "person,ids\nAda,7\nBob,7\n",
            "3:1: '7' is also Ada. Give each student different ids, or write their kinds, as in",
        ),
        ("person,as\nA,Ada\nB,ADA\n", "3:1: 'ADA' is too much like 'Ada'; choose another name"),
        (
            "person,as\nAda,A\nADA,A\n",
            "3:1: 'ada as A' is also Ada. Give each student different ids.",
        ),
        (
            "person,as\nLovelace, Ada,Ada\n",
            "2:1: this line has 3 cells, and the heading has 2. Put a text with ',' into quotes.",
        ),
        (
            "person,ids\nAda,2.0213E+12\n",
            "2:1: a spreadsheet program has shortened the id '2.0213E+12'; write it whole",
        ),
    ],
)
def test_a_fault_of_a_roster_has_its_line(tmp_path: Path, text: str, said: str) -> None:
    """As an editor counts them."""
    path = tmp_path / "people.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError) as caught:
        read_roster(path)
    assert str(caught.value).startswith(f"{path}:{said}")


def test_a_roster_may_have_been_saved_by_excel(tmp_path: Path) -> None:
    """Where semicolons separate cells, it takes a line with commas for one cell."""
    path = tmp_path / "people.csv"
    path.write_text('person,as,ids\n"Ada Lovelace,Ada,7;ada"\n', "cp1252")
    assert read_roster(path).people == (Person("Ada Lovelace", ("Ada",), ("7", "ada")),)
    path.write_text("person;ids\nŁucja Żak;7\n", "cp1250")
    with pytest.raises(SubmissionError, match=r"csv:2: the letters of this line come from another"):
        read_roster(path)


ROSTER_OF_FAULTS = """\
person,as,ids,late_days,handle
Ada,Ada,7,-1,x
Bob,Bob,,2,x
Cleo,=Cleo,,many,
Ada,Di,7,1,
Eve,ADA,,,
"""


def test_all_faults_of_a_roster_are_told_at_once(tmp_path: Path) -> None:
    """Those of single cells, and what is wrong between people, beside those of the terms."""
    (tmp_path / "people.csv").write_text(ROSTER_OF_FAULTS, "utf-8")
    (tmp_path / "submissions.yaml").write_text("roster: people.csv\nper_day: 0\n", "utf-8")
    with pytest.raises(ConfigError) as caught:
        read_terms(tmp_path)
    told = [(Path(each.source).name, each.line, each.path) for each in caught.value.faults]
    assert told == [
        ("people.csv", 2, "late_days"),
        ("people.csv", 3, ""),
        ("people.csv", 4, "as"),
        ("people.csv", 4, "late_days"),
        ("people.csv", 5, ""),
        ("people.csv", 6, ""),
        ("submissions.yaml", 2, "per_day"),
    ]


def test_whoever_is_not_told_apart_by_a_fault_is_not_told_of_twice(tmp_path: Path) -> None:
    """Two people of one name have ids, of which nobody knows one."""
    path = tmp_path / "people.yaml"
    path.write_text("- {person: Ada, ids: {a: 1}}\n- {person: Ada}\n", "utf-8")
    with pytest.raises(ConfigError) as caught:
        read_roster(path)
    assert [(each.line, each.path) for each in caught.value.faults] == [(1, "[0].ids")]


def test_a_roster_that_is_not_there_is_named(tmp_path: Path) -> None:
    """As everywhere."""
    with pytest.raises(SubmissionError, match=r"people\.csv cannot be read: No such file"):
        read_roster(tmp_path / "people.csv")
