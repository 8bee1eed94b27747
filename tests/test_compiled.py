"""The compiled schema accepts what the validator of the whole schema accepts, and nothing else."""

from typing import Any

import pytest
from support import CATALOGS
from test_validate import _PATHS, _VALUES, sentence, with_value

from errgen.compiled import accepts, compiled, suspects
from errgen.shapes import Path
from errgen.source import parse
from errgen.strict import validator

_STRANGE: tuple[Any, ...] = (
    *_VALUES,
    True,
    0,
    1.0,
    "",
    "x" * 300,
    [[]],
    ["a", "a"],
    {"x-a": None},
    10**400,
)


def is_valid(data: Any) -> bool:
    return next(iter(validator().iter_errors(data)), None) is None


@pytest.mark.parametrize("name", CATALOGS)
def test_a_real_catalog_is_accepted(name: str) -> None:
    data = parse(CATALOGS[name].read_bytes(), "c.yaml").data
    assert accepts(data)
    assert is_valid(data)


@pytest.mark.parametrize("path", _PATHS, ids=sentence)
def test_both_say_the_same_of_any_value_at_any_place(path: Path) -> None:
    for value in _STRANGE:
        data = with_value(path, value).data
        assert accepts(data) == is_valid(data), value


@pytest.mark.parametrize("path", _PATHS, ids=sentence)
def test_what_is_left_to_look_at_has_the_same_errors(path: Path) -> None:
    for value in _VALUES:
        data = with_value(path, value).data
        found = [
            sorted(
                (list(map(str, error.absolute_path)), error.validator, error.message)
                for error in errors
            )
            for errors in (
                validator().iter_errors(data),
                validator().iter_errors(suspects(data)),
            )
        ]
        assert found[0] == found[1]


@pytest.mark.parametrize("part", [{"oneOf": []}, {"patternProperties": {"^y-": {}}}])
def test_a_keyword_that_it_does_not_know_is_refused(part: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no predicate is made of"):
        compiled(part)
