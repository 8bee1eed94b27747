"""Reporters: the same findings as text, JSON and GitHub annotations."""

import json

import pytest

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
