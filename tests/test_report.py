"""Reporters: the same findings as text, JSON and GitHub annotations."""

import json
from dataclasses import replace

import jsonschema
import pytest
from support import ROOT

from errgen.codes import DiagnosticCode as Code
from errgen.diagnostics import Diagnostic, Location, finding
from errgen.report import REPORTERS, summary, text

_PLACE = Location("catalog/errors.yaml", 12, 11)
_CODE = finding(
    Code.DUPLICATE_CODE,
    _PLACE,
    code=2001,
    other="INVALID",
    line=4,
    related=[Location("catalog/errors.yaml", 4, 5)],
    help="choose a free code",
)
_DRIFT = finding(
    Code.OUTPUT_CHANGED, Location("generated/a.py"), help="run errgen build", detail="-old\n+new\n"
)
_WARNING = finding(Code.REPLACEMENT_DEPRECATED, _PLACE, name="A", other="B", help="name another")


def test_text_says_place_code_message_and_remedy() -> None:
    assert REPORTERS["text"]([_CODE]) == (
        "catalog/errors.yaml:12:11: EG201 code 2001 is already used by INVALID on line 4\n"
        "  help: choose a free code\n"
    )


def test_text_shows_what_differs_and_names_a_warning() -> None:
    assert REPORTERS["text"]([_DRIFT, _WARNING]) == (
        "generated/a.py: EG711 differs from what the catalog makes\n"
        "  help: run errgen build\n-old\n+new\n"
        "catalog/errors.yaml:12:11: EG611 warning: A is replaced by B, which is deprecated itself\n"
        "  help: name another\n"
    )


def test_color_surrounds_the_code_alone() -> None:
    plain, painted = (text([_CODE], color=color) for color in (False, True))
    assert painted.replace("\x1b[1;31m", "").replace("\x1b[0m", "") == plain
    assert "\x1b[1;31mEG201\x1b[0m" in painted


def test_json_holds_every_field() -> None:
    assert json.loads(REPORTERS["json"]([_CODE])) == [
        {
            "path": "catalog/errors.yaml",
            "line": 12,
            "column": 11,
            "code": "EG201",
            "name": "DUPLICATE_CODE",
            "level": "error",
            "message": "code 2001 is already used by INVALID on line 4",
            "help": "choose a free code",
            "related": [{"path": "catalog/errors.yaml", "line": 4, "column": 5}],
            "detail": None,
        }
    ]


def test_json_of_nothing_is_an_empty_array() -> None:
    assert json.loads(REPORTERS["json"]([])) == []


@pytest.mark.parametrize(
    ("given", "line"),
    [
        pytest.param(
            _WARNING,
            "::warning file=catalog/errors.yaml,line=12,col=11,title=EG611 replacement deprecated::"
            "A is replaced by B, which is deprecated itself%0Ahelp: name another\n",
            id="a warning is a warning",
        ),
        pytest.param(
            finding(
                Code.YAML_SYNTAX,
                Location("a,b:c.yaml", 1, 2),
                problem="100% bad\nnow",
                help="x:y,z",
            ),
            "::error file=a%2Cb%3Ac.yaml,line=1,col=2,title=EG003 yaml syntax::"
            "not YAML: 100%25 bad%0Anow%0Ahelp: x:y,z\n",
            id="percent signs, line breaks, colons and commas are escaped where they must be",
        ),
        pytest.param(
            finding(Code.OUTPUT_MISSING, Location("generated/a.py"), help="h"),
            "::error file=generated/a.py,title=EG712 output missing::is missing%0Ahelp: h\n",
            id="a whole file has no line",
        ),
    ],
)
def test_github_annotations(given: Diagnostic, line: str) -> None:
    assert REPORTERS["github"]([given]) == line


_SCHEMA = ROOT / "tests/js/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"
_NOTE = finding(Code.NOTE_CHANGE, Location("a b/é.yaml", 1, 1), change="c")


@pytest.mark.parametrize("given", [[], [_CODE, _DRIFT, _WARNING, _NOTE, _CODE]])
def test_sarif_is_what_its_schema_asks_for(given: list[Diagnostic]) -> None:
    log = json.loads(REPORTERS["sarif"](given))
    jsonschema.Draft7Validator(json.loads(_SCHEMA.read_text("utf-8"))).validate(log)
    (run,) = log["runs"]
    for item, result in zip(given, run["results"], strict=True):
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        assert rule["id"] == result["ruleId"] == item.code
        assert result["message"]["text"] == f"{item.message}\n{item.help}"
        assert (
            result["level"] == {"error": "error", "warning": "warning", "info": "note"}[item.level]
        )


def test_sarif_says_where() -> None:
    (run,) = json.loads(REPORTERS["sarif"]([_CODE, _DRIFT, _NOTE]))["runs"]
    places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    assert places == [
        {
            "artifactLocation": {"uri": "catalog/errors.yaml"},
            "region": {"startLine": 12, "startColumn": 11},
        },
        {"artifactLocation": {"uri": "generated/a.py"}},
        {
            "artifactLocation": {"uri": "a%20b/%C3%A9.yaml"},
            "region": {"startLine": 1, "startColumn": 1},
        },
    ]
    (related,) = run["results"][0]["relatedLocations"]
    assert related["physicalLocation"]["region"] == {"startLine": 4, "startColumn": 5}


def test_gitlab_gets_what_it_needs() -> None:
    issues = json.loads(REPORTERS["gitlab"]([_CODE, _DRIFT, _WARNING, _NOTE]))
    assert [(item["check_name"], item["severity"]) for item in issues] == [
        ("EG201", "major"),
        ("EG711", "major"),
        ("EG611", "minor"),
        ("EG805", "info"),
    ]
    assert issues[0]["location"] == {"path": "catalog/errors.yaml", "lines": {"begin": 12}}
    assert issues[1]["location"]["lines"] == {"begin": 1}
    assert issues[0]["description"].startswith("EG201 code 2001 is already used")


def test_gitlab_tells_findings_apart_wherever_they_move() -> None:
    moved = replace(_CODE, location=Location("catalog/errors.yaml", 99, 1))
    marks = [
        item["fingerprint"] for item in json.loads(REPORTERS["gitlab"]([_CODE, _WARNING, _CODE]))
    ]
    assert len(set(marks)) == 3
    assert json.loads(REPORTERS["gitlab"]([moved]))[0]["fingerprint"] == marks[0]


@pytest.mark.parametrize(
    ("line", "column", "shown"),
    [
        ("a: 1", 4, ["1 | a: 1", "  |    ^"]),
        ("a: { b: word, c: d }", 9, ["1 | a: { b: word, c: d }", "  |         ^^^^"]),
        ('a: "two \\" words" # x', 4, ['1 | a: "two \\" words" # x', "  |    ^^^^^^^^^^^^^^"]),
        ("a: 'it''s' b", 4, ["1 | a: 'it''s' b", "  |    ^^^^^^^"]),
        ("é: 漢字: x", 6, ["1 | é: 漢字: x", "  |        ^"]),
        ("漢字: x", 1, ["1 | 漢字: x", "  | ^^^^^"]),
        ("\ta: b", 2, ["1 |  a: b", "  |  ^^"]),
        ("a: \x1b[31m", 4, ["1 | a: \\x1b[31m", "  |    ^^^^^^^^"]),
        ("a", 2, ["1 | a", "  |  ^"]),
    ],
)
def test_a_caret_stands_below_the_mistake(line: str, column: int, shown: list[str]) -> None:
    item = finding(Code.OUTPUT_CHANGED, Location("c.yaml", 1, column), help="h")
    told = text([item], lines_of=lambda _: [line]).splitlines()
    assert told[1:-1] == [f"  {row}" for row in shown]


def test_a_long_line_is_cut_around_the_mistake() -> None:
    line = "x" * 500 + " here " + "y" * 500
    item = finding(Code.OUTPUT_CHANGED, Location("c.yaml", 1, 502), help="h")
    _, source, caret, _ = text([item], lines_of=lambda _: [line]).splitlines()
    assert len(source) < 130
    assert source[caret.index("^") :].startswith("here ")
    assert caret.count("^") == 4


@pytest.mark.parametrize("place", [Location("c.yaml"), Location("c.yaml", 9, 1)])
def test_what_is_nowhere_has_no_caret(place: Location) -> None:
    item = finding(Code.OUTPUT_CHANGED, place, help="h")
    assert "|" not in text([item], lines_of=lambda _: ["a"])


@pytest.mark.parametrize(
    ("findings", "words"),
    [
        ([], "no findings"),
        ([_CODE], "1 error"),
        ([_CODE, _DRIFT, _WARNING], "2 errors and 1 warning"),
    ],
)
def test_summary_counts_errors_and_warnings(findings: list[Diagnostic], words: str) -> None:
    assert summary(findings) == words
