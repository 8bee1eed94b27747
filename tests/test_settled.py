"""Rows that black does not see are as black leaves them: the whole file is what black makes of it."""

import json
from pathlib import Path

import black
import pytest
from black.mode import TargetVersion
from catalogs import catalog
from hypothesis import given, settings
from hypothesis import strategies as st
from support import CATALOGS, catalog_of, rendered, write_catalog
from test_hostile import TEXTS, catalog_with
from test_hostile_names import catalog_with_names

from errgen.filters.pyrows import pylaid

_MODE = black.Mode(target_versions={TargetVersion.PY311})


def assert_settled(path: Path) -> None:
    (text,) = rendered(path, "python").values()
    assert "__settled_" not in text
    assert black.format_str(text, mode=_MODE) == text


@pytest.mark.parametrize("name", CATALOGS)
def test_a_real_catalog(name: str) -> None:
    assert_settled(CATALOGS[name])


@pytest.mark.parametrize(
    "text",
    [
        catalog(150),
        json.dumps(catalog_with([text.strip() for text in TEXTS.values()]), ensure_ascii=False),
        json.dumps(catalog_with_names()),
    ],
    ids=["large", "hostile texts", "hostile names"],
)
def test_a_catalog_of_another_kind(text: str, tmp_path: Path) -> None:
    path = write_catalog(tmp_path, text)
    assert catalog_of(path).errors
    assert_settled(path)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    # Any text that is printable.
    | st.text(max_size=90),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(max_size=20), inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(_JSON, st.integers(1, 12).map("k".__mul__))
def test_any_value(value: object, name: str) -> None:
    text = f"x = f(\n    {name}={pylaid(value, 4, 5 + len(name))},\n)\n"
    assert black.format_str(text, mode=_MODE) == text
