"""Laws of validation: a catalog with every key flows in, one mistake is made, and one finding says so where it is."""

import copy
import json
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
import yaml
from fragments import FULL

from errgen.diagnostics import Diagnostic
from errgen.shapes import Path, problems
from errgen.source import Document, parse
from errgen.validate import check

# Through JSON, in which every key is text.
_DATA: Final[Any] = json.loads(json.dumps(yaml.safe_load(FULL)))
# Words of schemas and of Python, which mean nothing to who writes a catalog.
_JARGON: Final = re.compile(
    r"\b(?:object|array|schema|propert\w+|None|True|False|regex|pattern|instance|dict|str|int)\b"
)
_VALUES: Final[tuple[Any, ...]] = (None, -1.5, "x", [], {}, {"a": 1})


def walk(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every value."""
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from walk(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from walk(item, (*path, index))


def at(data: Any, path: Path) -> Any:
    """Return the value at a path."""
    for step in path:
        data = data[step]
    return data


def sentence(path: Path) -> str:
    """Return a path as a test's name."""
    return ".".join(str(step) for step in path) or "the catalog"


def fixed(path: Path) -> bool:
    """Tell whether the format fixes the key at the end of a path, which then is no name that the owner chose."""
    match path:
        case (str(),):
            return not str(path[0]).startswith("x-")
        case ("limits", _) | ("response", _) | ("response", "success", _):
            return True
        case ("ranges" | "reserved", _, str()):
            return True
        case ("layers" | "categories" | "retry_policies" | "operations" | "translations", _, _):
            return True
        case ("errors", _, _) | ("errors", _, "recovery" | "deprecated", _):
            return True
        case ("errors", _, "params" | "private_params", _, _) | ("errors", _, "examples", _, str()):
            return True
        case ("response", *_, "fields", _, _):
            return True
        case _:
            return False


def shape(path: Path) -> Path:
    """Return a path with the owner's names and the places in lists left open."""
    return tuple(step if fixed(path[: end + 1]) else "*" for end, step in enumerate(path))


# Of paths that differ in names alone, the longest entry's stand for all.
_PATHS: Final = list({shape(path): path for path in walk(_DATA)}.values())
_KEYS: Final = [path for path in _PATHS if fixed(path)]


def document(data: Any) -> Document:
    """Read data as a catalog with a line a value: JSON is YAML."""
    return parse(json.dumps(data, indent=1).encode(), "c.yaml")


def with_value(path: Path, value: Any) -> Document:
    """Return the full catalog with another value at a path."""
    if not path:
        return document(value)
    data = copy.deepcopy(_DATA)
    at(data, path[:-1])[path[-1]] = value
    return document(data)


def with_key(path: Path, key: str | None) -> Document:
    """Return the full catalog with the key at the end of a path written otherwise, or not at all."""
    data = copy.deepcopy(_DATA)
    owner = at(data, path[:-1])
    items = [(key if name == path[-1] else name, value) for name, value in owner.items()]
    owner.clear()
    owner.update((name, value) for name, value in items if name is not None)
    return document(data)


def assert_readable(found: tuple[Diagnostic, ...]) -> None:
    """Assert that findings are sentences for the author of a catalog."""
    for item in found:
        for words in (item.message, item.help):
            assert words
            assert len(words) < 600
            assert words.isprintable()
            assert not _JARGON.search(re.sub(r"'[^']*'|\"[^\"]*\"", "", words)), words


def test_the_full_catalog_is_clean() -> None:
    assert check(parse(FULL.encode(), "c.yaml")) == ()


@pytest.mark.parametrize("path", _PATHS, ids=sentence)
def test_a_wrong_value_is_refused_where_it_stands_and_nothing_follows(path: Path) -> None:
    for value in _VALUES:
        changed = with_value(path, value)
        found = check(changed)
        refused = problems(changed.data) if found else ()
        assert_readable(found)
        assert all(item.place[: len(path)] == path for item in refused)
        if refused and not (isinstance(value, dict) and value):
            assert len(found) == len(refused), [item.message for item in found]


@pytest.mark.parametrize("path", _KEYS, ids=sentence)
def test_a_misspelt_key_is_one_finding(path: Path) -> None:
    wrong = str(path[-1])[:-1]
    changed = with_key(path, wrong)
    (found,) = check(changed)
    assert found.message.startswith(f"unknown key '{wrong}' in ")
    assert found.help == f"did you mean '{path[-1]}'?"
    assert found.location == changed.locate(*path[:-1], wrong, key=True)


@pytest.mark.parametrize("path", _KEYS, ids=sentence)
def test_a_missing_key_is_one_finding_of_the_schema_at_most(path: Path) -> None:
    changed = with_key(path, None)
    found = check(changed)
    refused = problems(changed.data) if found else ()
    assert_readable(found)
    assert len(refused) <= 1
    if refused:
        assert [item.code.name for item in found] == ["MISSING_KEY"]
        assert found[0].location == changed.locate(*path[:-1], key=True)


@pytest.mark.parametrize(
    "path", [path for path in _PATHS if isinstance(at(_DATA, path), dict)], ids=sentence
)
def test_keys_for_templates_are_welcome_beside_fixed_keys_alone(path: Path) -> None:
    data = copy.deepcopy(_DATA)
    at(data, path)["x-note"] = {"any": ["thing", None]}
    found = check(document(data))
    is_open = (
        any(fixed((*path, key)) for key in at(_DATA, path)) or path[:1] == ("x-owner",) or not path
    )
    assert (found == ()) == is_open


@pytest.mark.parametrize(
    ("entry", "message", "remedy"),
    [
        ("errgen: '1'", "errgen is '1', not 1", "write 1 without quotes"),
        ("errgen: 1.0", "errgen is 1.0, not 1", "write 1"),
        ("errgen: true", "errgen is true, not 1", "write 1"),
        ("version: 1", "version is the number 1, not text", "write three numbers, such as 1.0.0"),
        (
            "version: '1.0'",
            "version is '1.0', not a SemVer version such as 1.0.0",
            "write a SemVer version such as 1.0.0",
        ),
        (
            "limits: { message: '20' }",
            "message of limits is the text '20', not an integer",
            "write 20 without quotes",
        ),
        (
            "limits: { message: 1_000 }",
            "message of limits is the text '1_000', not an integer",
            "write 1000 without quotes",
        ),
        (
            "limits: { message: 20.0 }",
            "message of limits is the number 20.0, not an integer",
            "write 20",
        ),
        (
            "limits: { message: 1e300 }",
            "message of limits is the number 1e+300, not an integer",
            "change the value",
        ),
        (
            "limits: { message: }",
            "message of limits is empty, not an integer",
            "write a value after the key, or delete the key",
        ),
        (
            "limits: { message: true }",
            "message of limits is the boolean true, not an integer",
            "change the value",
        ),
        (
            "operations: { a: { effect: read, max_attempts: 1, default: yes } }",
            "default of operation 'a' is the text 'yes', not true or false",
            "write true",
        ),
        (
            "operations: { a: { effect: read, max_attempts: 1, default: 'false' } }",
            "default of operation 'a' is the text 'false', not true or false",
            "write false without quotes",
        ),
        (
            "operations: { a: { effect: Read, max_attempts: 1 } }",
            "effect of operation 'a' is 'Read', not one of 'read' or 'write'",
            "did you mean 'read'?",
        ),
        (
            "retry_policies: { a: { retryable: no } }",
            "retryable of retry policy 'a' is 'no', not one of true, false or 'varies'",
            "write false",
        ),
        (
            "retry_policies: { a: { retryable: 1 } }",
            "retryable of retry policy 'a' is 1, not one of true, false or 'varies'",
            "use one of those values",
        ),
        (
            "retry_policies: [never]",
            "retry_policies is a list, not a mapping",
            "write its keys below it, indented, or in { }",
        ),
        (
            "errors: { A: { category: c, message: {field}, retry: never } }",
            "message of error A is a mapping, not text",
            'put it in quotes: "{field} …"',
        ),
        (
            "errors: { A: { category: c, message: { a: 1 }, retry: never } }",
            "message of error A is a mapping, not text",
            "change the value",
        ),
        (
            "errors: { A: { category: c, message: m, retry: false } }",
            "retry of error A is the boolean false, not text",
            "write never",
        ),
        (
            "errors: { A: { category: c, message: m, retry: true } }",
            "retry of error A is the boolean true, not text",
            'put it in quotes: "true"',
        ),
        (
            "errors: { A: { category: c, message: m, retry: off } }",
            "retry of error A names retry policy 'off', which the catalog does not have",
            "write never",
        ),
        (
            "errors: { A: { category: c, message: m, retry: never, since: 1.2 } }",
            "since of error A is the number 1.2, not text",
            "write three numbers, such as 1.0.0",
        ),
        (
            "docs_url: https://x.org/errors#top",
            (
                "docs_url is 'https://x.org/errors#top', not an address without a fragment, "
                "as each error's link adds one"
            ),
            "write https://x.org/errors",
        ),
        (
            "retry_policies: { a: { retryable: true, max_attempts: 1, retry_after: 1s } }",
            "retry policy 'a' is retryable but has max_attempts 1, which allows no second attempt",
            "write max_attempts: 2 or more, or retryable: false",
        ),
        (
            "retry_policies: { a: { retryable: true, max_attempts: 2, retry_after: 0.0005 } }",
            "retry policy 'a' has retry_after 0.0005, a part of a millisecond",
            "write whole milliseconds, such as 1ms",
        ),
        ("ranges: { first: 1 }", "ranges is a mapping, not a list", "write it as a list: [ … ]"),
    ],
)
def test_a_value_of_another_type_is_told_in_words(entry: str, message: str, remedy: str) -> None:
    key = entry.partition(":")[0]
    lines = (
        "errgen: 1\nname: a\nversion: 1.0.0\ncategories: { c: {} }\n"
        "errors: { A: { category: c, message: m, retry: never, range_waiver: r, code: 1 } }\n"
    )
    text = "".join(
        line for line in lines.splitlines(keepends=True) if not line.startswith(f"{key}:")
    )
    (found,) = check(parse(f"{text}{entry}\n".encode(), "c.yaml"))
    assert (found.message, found.help) == (message, remedy)


@pytest.mark.parametrize(
    ("message", "unknown", "text"),
    [
        ("Slow, too fast.", ["too fast."], "Slow, too fast."),
        ("Slow, wait", ["wait"], "Slow, wait"),
        (
            "One, two of it, three of it",
            ["two of it", "three of it"],
            "One, two of it, three of it",
        ),
    ],
)
def test_a_text_that_a_comma_cuts_is_to_be_quoted(
    message: str, unknown: list[str], text: str
) -> None:
    entry = f"  ONE: {{ code: 2010, message: {message}, category: validation }}\n"
    found = check(parse((FULL + entry).encode(), "c.yaml"))
    assert [item.message for item in found] == [
        f"unknown key '{key}' in error ONE" for key in unknown
    ]
    assert {item.help for item in found} == {f'quote the text: message: "{text}"'}


@pytest.mark.parametrize(
    "entry",
    ["{ code: 2010, message: m, category: validation, zzz: 1 }", "{ zzz: }", "{ code: 1, zzz: }"],
)
def test_no_other_key_is_taken_for_the_rest_of_a_text(entry: str) -> None:
    found = check(parse(f"{FULL}  ONE: {entry}\n".encode(), "c.yaml"))
    assert not any(item.help.startswith("quote") for item in found)


def test_a_mistake_that_an_alias_repeats_is_one_finding() -> None:
    text = FULL + "  ONE: &one { code: 2010, category: validation, mesage: m }\n  TWO: *one\n"
    (found,) = check(parse(text.encode(), "c.yaml"))
    assert found.message == "unknown key 'mesage' in error ONE"


def test_keys_beside_their_entry_are_one_finding() -> None:
    text = FULL + "  LAST:\n  code: 2010\n  category: validation\n  message: m\n"
    (found,) = check(parse(text.encode(), "c.yaml"))
    assert (found.message, found.help) == (
        "unknown key 'code' in errors",
        "indent it below error LAST",
    )


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        (
            "    NESTED: { code: 2011 }\n",
            "indent it like the other errors if it is an error of its own",
        ),
        ("NESTED: { code: 2011 }\n", "indent it below errors if it is an error"),
    ],
)
def test_an_error_at_the_wrong_depth_is_told_where_it_belongs(text: str, remedy: str) -> None:
    last = "  LAST:\n    code: 2010\n    category: validation\n    message: m\n"
    (found,) = check(parse(f"{FULL}{last}{text}".encode(), "c.yaml"))
    assert found.help == remedy


def test_nothing_moves_the_cursor_of_a_terminal() -> None:
    text = FULL.replace("name: full", 'name: "a\\e[2J\\u202E"')
    (found,) = check(parse(text.encode(), "c.yaml"))
    assert found.message == (r"name is 'a\x1b[2J\u202e', not a kebab-case name such as mcp-server")


def test_thousands_of_mistakes_are_all_told() -> None:
    entry = "  ERROR_{0:05}: {{ code: {0}, category: validation, message: m, see_also: [EROR_{0:05}] }}\n"
    head = FULL.split("errors:")[0].replace("first: 2000, last: 2999", "first: 20000, last: 29999")
    head = head.split("translations:")[0]
    count = 1_000
    text = f"{head}errors:\n" + "".join(entry.format(20000 + n) for n in range(count))
    assert len(check(parse(text.encode(), "c.yaml"))) == count
