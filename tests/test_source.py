"""Reading: bytes of YAML flow in; data as people meant it, or findings at exact places, flow out."""

import json
import os
from pathlib import Path
from typing import Any, Final

import pytest

from errgen import builder
from errgen.diagnostics import CatalogError, Diagnostic
from errgen.source import MAX_BYTES, Document, lines_of, load, parse


def read(text: str) -> Document:
    """Read text that is YAML, whatever the findings are."""
    return parse(text.encode(), "c.yaml")


def problems(content: str | bytes) -> tuple[Diagnostic, ...]:
    """Return the findings of reading, whether they left the data usable or not."""
    raw = content.encode() if isinstance(content, str) else content
    try:
        return parse(raw, "c.yaml").problems
    except CatalogError as error:
        return error.diagnostics


def places(content: str | bytes) -> list[str]:
    """Return each finding as its name, line and column."""
    return [
        f"{item.code.name} {item.location.line}:{item.location.column}"
        for item in problems(content)
    ]


_VALUES: Final[dict[str, Any]] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "nULL": "nULL",
    "true": True,
    "False": False,
    "TRUE": True,
    "tRUE": "tRUE",
    "yes": "yes",
    "no": "no",
    "NO": "NO",
    "on": "on",
    "Off": "Off",
    "y": "y",
    "0": 0,
    "-0": 0,
    "+7": 7,
    "2001": 2001,
    "-32700": -32700,
    "0x7D1": 2001,
    "-0x1": "-0x1",
    "0b11": "0b11",
    "1_000": "1_000",
    "1,000": "1,000",
    "12:30": "12:30",
    "12:30:45": "12:30:45",
    "2026-01-31": "2026-01-31",
    "2026-01-31T12:00:00Z": "2026-01-31T12:00:00Z",
    "1.0.0": "1.0.0",
    "1.0": 1.0,
    ".5": 0.5,
    "5.": 5.0,
    "1e3": 1000.0,
    "-1.5E-3": -0.0015,
    "0.1": 0.1,
    "1e-999": 0.0,
    ".": ".",
    "+": "+",
    "...x": "...x",
    "inf": "inf",
    "nan": "nan",
    "=": "=",
    "100ms": "100ms",
    "9" * 40: int("9" * 40),
}


@pytest.mark.parametrize(("text", "value"), list(_VALUES.items()))
def test_a_plain_word_means_what_yaml_1_2_says(text: str, value: Any) -> None:
    document = read(f"key: {text}\n")
    assert document.problems == ()
    assert document.data == {"key": value}
    assert type(document.data["key"]) is type(value)


@pytest.mark.parametrize("text", ["true", "null", "2001", "010", ".inf", "~", "<<"])
def test_a_quoted_word_is_text(text: str) -> None:
    assert read(f"a: \"{text}\"\nb: '{text}'\n").data == {"a": text, "b": text}


@pytest.mark.parametrize(
    ("text", "stand_in", "remedy"),
    [
        ("010", 10, 'write 10 for the number or "010" for the text'),
        ("-007", -7, 'write -7 for the number or "-007" for the text'),
        ("00", 0, 'write 0 for the number or "00" for the text'),
        ("0o17", 15, 'write 15 for the number or "0o17" for the text'),
        (".inf", 0, ""),
        ("-.INF", 0, ""),
        (".nan", 0, ""),
        ("1e999", 0, ""),
        ("9" * 41, 0, ""),
        ("0x" + "f" * 41, 0, ""),
        ("0" * 41, 0, ""),
        ("1." + "1" * 41, 0, ""),
    ],
)
def test_a_number_that_readers_take_differently_is_found(
    text: str, stand_in: int, remedy: str
) -> None:
    document = read(f"key:  {text}\n")
    (found,) = document.problems
    assert (found.code.name, found.location.line, found.location.column) == (
        "AMBIGUOUS_NUMBER",
        1,
        7,
    )
    assert found.help == (remedy or "write a plain decimal number or put the text in quotes")
    assert document.data == {"key": stand_in}


_PLACES: Final = {
    "a repeated key": ("a: 1\nb: 2\na: 3\n", ["DUPLICATE_KEY 3:1"]),
    "a key repeated in quotes": ('a: 1\n"a": 2\n', ["DUPLICATE_KEY 2:1"]),
    "a key repeated in a nested flow mapping": (
        "a: [ { b: { c: 1, c: 2 } } ]\n",
        ["DUPLICATE_KEY 1:19"],
    ),
    "each repetition of a key": ("a: 1\na: 2\na: 3\n", ["DUPLICATE_KEY 2:1", "DUPLICATE_KEY 3:1"]),
    "what is wrong inside a repeated key": (
        "a: 1\na: { b: 010 }\n",
        ["DUPLICATE_KEY 2:1", "AMBIGUOUS_NUMBER 2:9"],
    ),
    "a tag on a value": ("a: !!int 5\n", ["TAG 1:4"]),
    "a tag on a key": ("!!str a: 5\n", ["TAG 1:1"]),
    "a tag on a mapping": ("a: !!map\n  b: 1\n", ["TAG 1:4"]),
    "a tag that runs code": ("a: !!python/object/apply:os.system [ls]\n", ["TAG 1:4"]),
    "a key that is a boolean": ("a:\n  true: 1\n", ["KEY_NOT_TEXT 2:3"]),
    "a key that is nothing": ("~: 1\n", ["KEY_NOT_TEXT 1:1"]),
    "a key that is a fraction": ("1.5: 1\n", ["KEY_NOT_TEXT 1:1"]),
    "a key with a leading zero": ("0404: 1\n", ["KEY_NOT_TEXT 1:1"]),
    "a key that is a list": ("a: 1\n? [b]\n: 1\n", ["KEY_NOT_TEXT 2:3"]),
    "a key that is a mapping": ("{ {a: b}: c }\n", ["KEY_NOT_TEXT 1:3"]),
    "a key that is an alias": ("x: &k name\n*k : 1\n", ["KEY_NOT_TEXT 2:1"]),
    "an alias without anchor": ("a: *b\n", ["ALIAS 1:4"]),
    "an alias before its anchor": ("a: *b\nb: &b 1\n", ["ALIAS 1:4"]),
    "a list in itself": ("a: &a [1, *a]\n", ["ALIAS 1:11"]),
    "a mapping deep in itself": ("a: &a { b: { c: [ *a ] } }\n", ["ALIAS 1:19"]),
    "a merge": ("a: &a { x: 1 }\nb:\n  <<: *a\n", ["MERGE_KEY 3:3"]),
    "a second document": ("a: 1\n---\nb: 2\n", ["DOCUMENT_COUNT 2:1"]),
    "a document after the end of one": ("a: 1\n...\n---\nb: 2\n", ["DOCUMENT_COUNT 3:1"]),
    "no document": ("", ["DOCUMENT_COUNT 1:1"]),
    "comments alone": ("# nothing\n\n# here\n", ["DOCUMENT_COUNT 1:1"]),
    "a tab before a key": ("a:\n\tb: 1\n", ["YAML_SYNTAX 2:1"]),
    "an open quotation mark": ('a: 1\nb: "text\nc: 2\n', ["YAML_SYNTAX 2:4"]),
    "an open bracket": ("a: [1, 2\nb: 3\n", ["YAML_SYNTAX 1:4"]),
    "an open brace": ("a: { b: 1\nc: 3\n", ["YAML_SYNTAX 1:4"]),
    "a line without a colon": ("a: 1\nb\nc: 2\n", ["YAML_SYNTAX 2:1"]),
    "a colon in plain text": ("a: b: c\n", ["YAML_SYNTAX 1:5"]),
    "a key one column too far left": ("a:\n    b: 1\n   c: 2\n", ["YAML_SYNTAX 3:4"]),
    "a key one column too far right": ("a:\n  b: 1\n   c: 2\n", ["YAML_SYNTAX 3:5"]),
    "text that begins with a star": ("a: **bold**\n", ["YAML_SYNTAX 1:5"]),
    "text that begins with an at sign": ("a: @b\n", ["YAML_SYNTAX 1:4"]),
    "an unknown escape": ('a: "\\d"\n', ["YAML_SYNTAX 1:5"]),
    "half a surrogate pair": ('a: "\\ud800"\n', ["YAML_SYNTAX 1:7"]),
    "a colon without its space": ("a:\n  code:2001\n  b: c\n", ["YAML_SYNTAX 2:8"]),
    "a colon without its space, then text": ("a:\n  b: c\n  code:4\n", ["YAML_SYNTAX 3:8"]),
    "text that begins with braces": ("a: {b} is missing\nc: d\n", ["YAML_SYNTAX 1:4"]),
    "a merge conflict": (
        "a:\n<<<<<<< HEAD\n  b: 1\n=======\n  b: 2\n>>>>>>> c\n",
        ["YAML_SYNTAX 2:1"],
    ),
    "a merge conflict in lines that end in CRLF": (
        "a:\r\n  b: 1\r\n=======\r\n  c: 2\r\n",
        ["YAML_SYNTAX 3:1"],
    ),
    "a later version of YAML": ("%YAML 2.0\n---\na: 1\n", ["YAML_SYNTAX 1:1"]),
    "what came before an end": ("a: 1\na: 2\nb: [3\n", ["DUPLICATE_KEY 2:1", "YAML_SYNTAX 3:4"]),
    "a bell": ("a: 1\nb: x\x07\n", ["RAW_CONTROL 2:5"]),
    "a NUL": ("a: \0\n", ["RAW_CONTROL 1:4"]),
    "a line separator": ("é: 1\nb: x\u2028\n", ["RAW_CONTROL 2:5"]),
    "a byte order mark inside": ("a: 1\n\ufeffb: 2\n", ["RAW_CONTROL 2:1"]),
    "latin-1": ("é: 1\nb: caf".encode() + b"\xe9\n", ["NOT_UTF8 2:7"]),
    "latin-1 after carriage returns": (b"a: 1\rb: \xe9\r", ["NOT_UTF8 2:4"]),
    "a cut character": ("a: é".encode()[:-1], ["NOT_UTF8 1:4"]),
    "UTF-16": ("a: 1\n".encode("utf-16"), ["NOT_UTF8 1:1"]),
    "UTF-16 without a byte order mark": ("a: 1\n".encode("utf-16-le"), ["RAW_CONTROL 1:2"]),
    "places after a byte order mark": ("\ufeffa: 1\na: 2\n", ["DUPLICATE_KEY 2:1"]),
    "the first line after a byte order mark": ("\ufeffa: 010\n", ["AMBIGUOUS_NUMBER 1:4"]),
    "places behind wide characters": ("😀é: { a: 010 }\n", ["AMBIGUOUS_NUMBER 1:10"]),
    "places in lines that end in CR LF": ("a: 1\r\na: 2\r\n", ["DUPLICATE_KEY 2:1"]),
    "places in lines that end in CR": ("a: 1\ra: 2\r", ["DUPLICATE_KEY 2:1"]),
    "the last line without an end": ("a: 1\na: 2", ["DUPLICATE_KEY 2:1"]),
}


@pytest.mark.parametrize(("content", "expected"), _PLACES.values(), ids=_PLACES)
def test_a_finding_stands_where_the_mistake_is(content: str | bytes, expected: list[str]) -> None:
    assert places(content) == expected


_MERGE_HELP: Final = "keep one side of this merge conflict, or both, and delete its marks"


@pytest.mark.parametrize(
    ("content", "remedy"),
    [
        ("a:\n  code:2001\n  b: c\n", "put a space after the colon: 'code: 2001'"),
        ("a: 1\n<<<<<<< HEAD\nb: 1\n", _MERGE_HELP),
        ("- code:2001\n  b: c\n", "put a space after the colon: 'code: 2001'"),
        ("a: {b} is missing\nc: d\n", 'put the text in quotes: "{b} is missing"'),
        ('a: {b} is "bad" or\nc: d\n', 'put the text in quotes: "{b} is \\"bad\\" or"'),
        ("a: { b: 1, c: 2 } }\nc: d\n", None),
        ("a: https://x\n b: c\n", None),
    ],
)
def test_a_slip_of_the_pen_is_told_with_the_right_line(content: str, remedy: str | None) -> None:
    (found,) = problems(content)
    if remedy:
        assert found.help == remedy
    else:
        assert not str(found.help).startswith("put ")


@pytest.mark.parametrize("content", [content for content, _ in _PLACES.values()], ids=_PLACES)
def test_a_finding_says_what_to_do(content: str | bytes) -> None:
    assert all(item.help for item in problems(content))


@pytest.mark.parametrize(
    "content",
    [
        "a: 1\n...\n",
        "---\na: 1\n",
        "%YAML 1.2\n---\na: 1\n",
        "\ufeffa: 1\n",
        "a: 1",
        "? a\n: 1\n",
        "a: 1 # comment\n",
        "{a: 1}",
    ],
)
def test_other_ways_to_write_one_mapping_are_no_findings(content: str) -> None:
    document = read(content)
    assert (document.data, document.problems) == ({"a": 1}, ())


@pytest.mark.parametrize(
    ("content", "data"),
    [("- a\n", ["a"]), ("text\n", "text"), ("---\n", None), ("42\n", 42), ("[]", [])],
)
def test_a_document_of_another_kind_is_data(content: str, data: Any) -> None:
    assert read(content).data == data


def test_a_repeated_key_names_the_first() -> None:
    (found,) = problems("x: 1\na: 1\nb: 2\na: 3\n")
    assert found.message == "key 'a' is already used on line 2"
    assert [(place.line, place.column) for place in found.related] == [(2, 1)]


def test_the_first_of_two_equal_keys_counts() -> None:
    assert read("a: 1\na: { b: 2 }\nc: 3\n").data == {"a": 1, "c": 3}


def test_two_sections_of_one_name_are_read_as_one() -> None:
    document = read("s: { a: 1, b: 2 }\nt: [1]\ns: { b: 3, c: 4 }\nt: [2]\n")
    assert document.data == {"s": {"a": 1, "b": 2, "c": 4}, "t": [1, 2]}
    assert [item.location.line for item in document.problems] == [3, 3, 4]


@pytest.mark.parametrize(
    "text",
    ["a: &a [x]\na: [*a]\n", "a: &a [x]\nb: &b [*a]\na: [*b]\n", "a: &a { x: y }\na: { z: *a }\n"],
)
def test_a_section_never_becomes_a_part_of_itself(text: str) -> None:
    assert places(text) == [f"DUPLICATE_KEY {text.count(chr(10))}:1"]
    assert json.dumps(parse(text.encode(), "x").data)


def test_an_alias_repeats_the_value_of_its_anchor() -> None:
    document = read("a: &text hello\nb: *text\nc: &list [1]\nd: { e: *list }\n")
    assert document.data == {"a": "hello", "b": "hello", "c": [1], "d": {"e": [1]}}
    assert document.problems == ()


def test_an_anchor_may_stand_at_a_key_and_be_set_again() -> None:
    assert read("&k a: &v 1\nb: *k\nc: &v 2\nd: *v\n").data == {"a": 1, "b": "a", "c": 2, "d": 2}


@pytest.mark.parametrize(
    ("merged", "expected"),
    [
        ("{ <<: *a, y: 3 }", {"x": 1, "y": 3}),
        ("{ y: 3, <<: *a }", {"y": 3, "x": 1}),
        ("{ <<: [*a, *b] }", {"x": 1, "y": 2, "z": 9}),
        ("{ <<: { <<: *b } }", {"x": 8, "z": 9}),
        ("{ <<: text, y: 3 }", {"y": 3}),
    ],
)
def test_a_merge_stands_in_for_the_keys_that_it_means(merged: str, expected: Any) -> None:
    document = read(f"a: &a {{ x: 1, y: 2 }}\nb: &b {{ x: 8, z: 9 }}\nc: {merged}\n")
    assert document.data["c"] == expected


_DOCUMENT: Final = """\
a:
  b: [ 10, { c: 20 } ]
  "d": text
x: &x { y: { z: 1 } }
w: *x
m: { <<: *x, n: 2 }
"""


@pytest.mark.parametrize(
    ("path", "key", "expected"),
    [
        ((), False, (1, 1)),
        (("a",), True, (1, 1)),
        (("a",), False, (2, 3)),
        (("a", "b"), True, (2, 3)),
        (("a", "b"), False, (2, 6)),
        (("a", "b", 0), False, (2, 8)),
        (("a", "b", 1, "c"), True, (2, 14)),
        (("a", "b", 1, "c"), False, (2, 17)),
        (("a", "d"), True, (3, 3)),
        (("a", "d"), False, (3, 8)),
        (("a", "b", 7), False, (2, 3)),
        (("a", "nothing"), False, (1, 1)),
        (("a", "nothing", "below"), True, (1, 1)),
        (("nothing",), False, (1, 1)),
        (("x", "y", "z"), False, (4, 17)),
        (("w",), True, (5, 1)),
        (("w", "y", "z"), False, (5, 4)),
        (("w", "nothing"), False, (5, 4)),
        (("m", "y"), True, (6, 6)),
        (("m", "y", "z"), False, (6, 10)),
        (("m", "n"), False, (6, 17)),
    ],
)
def test_every_part_of_a_document_has_a_place(
    path: tuple[str | int, ...], key: bool, expected: tuple[int, int]
) -> None:
    place = read(_DOCUMENT).locate(*path, key=key)
    assert (place.path, place.line, place.column) == ("c.yaml", *expected)


_LAUGHS: Final = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(_LAUGHS, "ALIAS 5:36", id="a billion laughs"),
        pytest.param(
            f"a: &a {'x' * 1_000_000}\nb: [{'*a, ' * 20}]\n",
            "ALIAS 2:41",
            id="a long text many times",
        ),
        pytest.param("a: " + "[" * 900, "TOO_DEEP 1:67", id="lists in one line"),
        pytest.param("[\n" * 100_000, "TOO_DEEP 65:1", id="lists in many lines"),
        pytest.param("{a: " * 100_000, "TOO_DEEP 1:257", id="mappings in one line"),
        pytest.param("- " * 100_000 + "a", "TOO_DEEP 1:129", id="dashes in one line"),
        pytest.param(
            "".join(f"{' ' * depth}a:\n" for depth in range(2_000)),
            "TOO_DEEP 65:65",
            id="indented mappings",
        ),
        pytest.param("a: " + "9" * 10_000_000, "AMBIGUOUS_NUMBER 1:4", id="ten million digits"),
        pytest.param("a: 1." + "9" * 10_000_000, "AMBIGUOUS_NUMBER 1:4", id="a long fraction"),
        pytest.param(
            "? " + "a" * 5_000_000 + "\n: 1\n? " + "a" * 5_000_000 + "\n: 1\n",
            "DUPLICATE_KEY 3:3",
            id="a long key twice",
        ),
        pytest.param(f"a: !{'t' * 100_000} b\n", "TAG 1:4", id="a long tag"),
    ],
)
def test_a_hostile_file_is_one_short_finding(content: str, expected: str) -> None:
    (found,) = problems(content)
    assert f"{found.code.name} {found.location.line}:{found.location.column}" == expected
    assert len(found.message) + len(found.help) < 300


def test_nesting_that_the_parser_itself_refuses_is_refused_alike() -> None:
    (found,) = problems("[" * 100_000)
    assert found.message == "values are nested more than 64 levels deep"


def test_a_text_of_ten_megabytes_is_read() -> None:
    assert len(read(f"a: \"{'x' * 10_000_000}\"\n").data["a"]) == 10_000_000


def test_nesting_ends_at_a_limit() -> None:
    deep = "[" * builder.MAX_DEPTH + "]" * builder.MAX_DEPTH
    assert problems(deep) == ()
    assert places(f"[{deep}]") == [f"TOO_DEEP 1:{builder.MAX_DEPTH + 1}"]


def test_aliases_nest_no_deeper_than_values_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "MAX_DEPTH", 4)
    assert problems("a: &a [x]\nb: &b [*a]\nc: [[*a], *b, *a]\nd: &d x\ne: [[[*d]]]\n") == ()
    assert places("a: &a [x]\nb: &b [*a, x]\nc: &c [*b]\nd: [*c]\n") == ["TOO_DEEP 4:5"]
    assert places("a: &a [[x], x]\nb: { x: { y: *a } }\n") == ["TOO_DEEP 2:14"]


def test_aliases_end_at_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "MAX_ALIASED", 6)
    assert problems("a: &a [x, x]\nb: [*a, *a]\n") == ()
    assert places("a: &a [x, x]\nb: [*a, *a]\nc: &c x\nd: *c\n") == ["ALIAS 4:4"]


def test_values_end_at_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "MAX_NODES", 5)
    assert problems("[a, b, c, d]") == ()
    assert places("[a, b, c, d, e]") == ["UNREADABLE 1:14"]


def unreadable(path: Path) -> str:
    """Return why a path cannot be read."""
    with pytest.raises(CatalogError) as caught:
        load(path, "shown.yaml")
    (found,) = caught.value.diagnostics
    assert (found.code.name, found.location.path) == ("UNREADABLE", "shown.yaml")
    return found.message.removeprefix("cannot read the file: ")


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_bytes(b"a: 1\n")
    assert load(path, "shown.yaml").data == {"a": 1}


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert unreadable(tmp_path / "none.yaml") == "No such file or directory"


def test_a_folder_is_no_catalog(tmp_path: Path) -> None:
    assert unreadable(tmp_path) == "it is a folder"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no FIFOs")
def test_a_fifo_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    assert unreadable(tmp_path / "fifo") == "it is not a regular file"


def test_a_file_that_may_not_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "c.yaml"
    path.write_bytes(b"a: 1\n")

    def refuse(*_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    # root may read everything, so the mode of the file would prove nothing
    monkeypatch.setattr(Path, "open", refuse)
    assert unreadable(path) == "Permission denied"


def test_a_path_that_no_system_has_is_named(tmp_path: Path) -> None:
    assert unreadable(tmp_path / "a\0b") == "its name holds a NUL character"
    assert unreadable(tmp_path / ("a" * 5_000)) == "File name too long"


def test_a_file_that_is_too_large_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    with path.open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)
    assert unreadable(path) == "it is larger than 64 MiB"


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"a: 1\nb: 2\n", ["a: 1", "b: 2", ""]),
        (b"\xef\xbb\xbfa: 1\r\nb: 2\rc: 3", ["a: 1", "b: 2", "c: 3"]),
        (b"a: \xff\n", []),
        (None, []),
    ],
)
def test_lines_are_those_that_positions_count(
    tmp_path: Path, content: bytes | None, lines: list[str]
) -> None:
    path = tmp_path / "c.yaml"
    if content is not None:
        path.write_bytes(content)
    assert lines_of(path) == lines


@pytest.mark.parametrize(
    "text",
    [
        '"a\\tb": 1\n"a\\tb": 2\n',
        '&a "a\\tb": *a\n*b : c\n',
        '"\\e[2J": { "\\u202e": 1, "\\u202e": 2 }\n',
        "a: !x\u00a0y b\n",
    ],
)
def test_nothing_that_a_finding_quotes_moves_the_cursor(text: str) -> None:
    found = problems(text)
    assert found
    for item in found:
        assert item.message.isprintable()
        assert item.help.isprintable()
