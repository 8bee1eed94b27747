"""The manual's example and snippets of each error: they are right about each other, type-checked, and run."""

import itertools
import json
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
import yaml
from conftest import Checker, Node
from markdown_it import MarkdownIt
from support import (
    CASES,
    CATALOGS,
    ROOT,
    catalog_of,
    module_of,
    page_of,
    rendered,
    write_catalog,
)
from test_markdown import minimal

from errgen.filters.markdown.snippets import mdjson
from errgen.guidance import delays
from errgen.model import ErrorSpec

# Some that no real catalog has: errors after which a write is looked up before it is repeated.
_DOUBTFUL: Final = {path.stem: path for path in sorted((CASES.parent / "snippets").glob("*.yaml"))}
_PATHS: Final = {**CATALOGS, **_DOUBTFUL}
_TRAVELLING: Final = [name for name, path in _PATHS.items() if catalog_of(path).travels]
# One catalog with classes of operation, and one without.
_CHECKED: Final = ("reference", "s0-mcp-server", *_DOUBTFUL)
_FOREIGN: Final = {"something": "else"}
_ENOUGH: Final = 99


class Handled(NamedTuple):
    """What the manual shows of an error: an example of what is sent, and code that handles it."""

    error: ErrorSpec
    message: Any
    python: str
    typescript: str


@cache
def python(name: str) -> Any:
    return module_of(_PATHS[name], f"snippets_{name}")


def handled(name: str) -> Iterator[Handled]:
    """Yield what the manual of a catalog shows of each error that leaves the process."""
    text = page_of(_PATHS[name])
    for error in catalog_of(_PATHS[name]).errors:
        (section,) = re.findall(
            rf"^#### {error.name}\n(.*?)(?=^#|\Z)", text, re.DOTALL | re.MULTILINE
        )
        fold = re.search(r"<details>(.*?)</details>", section, re.DOTALL)
        if fold is None:
            assert error.is_internal
            continue
        fences = [token for token in MarkdownIt().parse(fold[1]) if token.type == "fence"]
        assert [token.info for token in fences] == ["json", "python", "ts"]
        message, python, typescript = (token.content for token in fences)
        yield Handled(error, json.loads(message), python, typescript)


def conformance(name: str) -> Any:
    (text,) = rendered(_PATHS[name], "conformance").values()
    return json.loads(text)


@pytest.mark.parametrize("name", _TRAVELLING)
def test_the_example_is_what_generated_code_sends(name: str) -> None:
    forms = {item["name"]: item["forms"] for item in conformance(name)["errors"]}
    for error, message, *_ in handled(name):
        sent = forms[error.name][error.layer.wire]
        assert message == sent
        received = python(name).from_wire(message)
        assert (received.code, received.name) == (error.code, error.name)


_WIRES: Final = ("body", "jsonrpc-result", "mcp-tool-result", "http-problem")
_BODIES: Final = [
    *({"type": "Failure", "fields": {name: {"from": name}}} for name in ("code", "name")),
    {"type": "Failure", "wrap": "error", "fields": {"number": {"from": "code"}}},
]


@pytest.mark.parametrize(
    ("wire", "body"),
    [
        *((wire, body) for wire in _WIRES for body in _BODIES),
        # A result holds a body, and so needs one.
        *((wire, None) for wire in _WIRES if wire != "jsonrpc-result"),
    ],
)
def test_the_example_tells_which_error_it_is(wire: str, body: Any, tmp_path: Path) -> None:
    data = minimal()
    data["layers"] = {"one": {"enum": "OneCode", "code": "integer", "wire": wire}}
    data["errors"]["INVALID"]["http_status"] = 400
    if body:
        data["response"] = body
    path = write_catalog(tmp_path, yaml.safe_dump(data))
    (text,) = re.findall(r"<details>.*?```json\n(.*?)```", page_of(path), re.DOTALL)
    assert module_of(path).from_wire(json.loads(text)).code == 2001


def function(index: int, snippet: str, known: str) -> str:
    """Return a function that holds a snippet as it stands; `known` is what a client knows of its operation."""
    body = textwrap.indent(snippet, "    ")
    given = f"message: object, attempt: int, {known}, has_happened: Callable[[], bool]"
    return f"def handle_{index}({given}) -> None:\n{body}\n"


class Run(NamedTuple):
    """What a client knows when it meets an error, and whether it should then call again."""

    message: Any
    attempt: int
    operation: Any
    has_happened: bool
    repeats: bool


def runs(name: str, error: ErrorSpec, message: Any) -> Iterator[Run]:
    """Yield what may befall a snippet: first and last attempts of reads and writes, done or not done."""
    module, classes = python(name), catalog_of(_PATHS[name]).operations
    is_doubtful = error.outcome in ("unknown", "partial") or error.safe_to_retry == "reconciled"
    given: dict[Any, dict[str, Any]] = (
        {item.name: {"operation": module.OperationName(item.name)} for item in classes}
        if classes
        else {True: {"is_read": True}, False: {"is_read": False}}
    )
    for (operation, known), attempt, has_happened in itertools.product(
        given.items(), (1, _ENOUGH), (True, False)
    ):
        yield Run(_FOREIGN, attempt, operation, has_happened, repeats=False)
        retry = partial(module.should_retry, module.from_wire(message), attempt=attempt, **known)
        is_absent = is_doubtful and not has_happened
        repeats = retry() or (is_absent and retry(reconciled=True))
        yield Run(message, attempt, operation, has_happened, repeats)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Write what a catalog makes in Python beside all its snippets in one module."""

    def write(name: str) -> Path:
        stem = _PATHS[name].stem
        (text,) = rendered(_PATHS[name], "python").values()
        (tmp_path / f"{stem}.py").write_text(text, "utf-8")
        has_classes = bool(catalog_of(_PATHS[name]).operations)
        known = "operation: OperationName | None" if has_classes else "is_read: bool"
        head = "from collections.abc import Callable\n"
        head += f"from {stem} import OperationName\n" if has_classes else ""
        snippets = (function(index, item.python, known) for index, item in enumerate(handled(name)))
        (tmp_path / "snippets.py").write_text("\n\n".join((head, *snippets)), "utf-8")
        monkeypatch.setitem(sys.modules, stem, python(name))
        return tmp_path

    return write


@pytest.mark.parametrize("name", _CHECKED)
def test_python_takes_every_snippet(
    name: str, folder: Callable[[str], Path], mypy_strict: Checker
) -> None:
    result = mypy_strict(folder(name) / "snippets.py")
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("name", _TRAVELLING)
def test_every_snippet_handles_its_error_in_python(
    name: str, folder: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    names: dict[str, Any] = {}
    text = (folder(name) / "snippets.py").read_text("utf-8")
    exec(text, names)  # noqa: S102 - it is the manual that is tested
    for index, (error, message, *_) in enumerate(handled(name)):
        for run in runs(name, error, message):
            handle = partial(
                names[f"handle_{index}"],
                *run[:2],
                run.operation,
                lambda run=run: run.has_happened,
            )
            if run.repeats or run.message is _FOREIGN:
                handle()
            else:
                with pytest.raises(python(name).CatalogError) as raised:
                    handle()
                assert raised.value.code == error.code
            assert len(waits) == run.repeats
            assert all(0 <= wait * 1000 <= longest(error) for wait in waits)
            waits.clear()


@pytest.mark.parametrize("name", _DOUBTFUL)
def test_a_write_that_may_have_happened_is_looked_up_before_it_is_repeated(name: str) -> None:
    looked_up = {"NO_ANSWER", "HALF_DONE", "ASK_FIRST"}
    assert {
        item.error.name for item in handled(name) if "has_happened()" in item.python
    } == looked_up
    assert {
        item.error.name for item in handled(name) if "hasHappened()" in item.typescript
    } == looked_up
    (last,) = (item for item in handled(name) if item.error.name == "GIVEN_UP")
    assert last.python.endswith("raise error  # it may have happened: ask for its state\n")


@pytest.mark.parametrize("name", _TRAVELLING)
def test_no_snippet_says_that_what_was_called_is_a_read(name: str) -> None:
    assert not re.search(
        r"OperationName\.|is_?read(=|: )true", page_of(_PATHS[name]), re.IGNORECASE
    )


def longest(error: ErrorSpec) -> float:
    return max(*delays(error.policy), error.policy.retry_after_ms or 0)


def test_every_snippet_handles_its_error_in_typescript(
    node: Node, tsc: Checker, tmp_path: Path
) -> None:
    plan, told, files = [], [], []
    for name in _TRAVELLING:
        (tmp_path / name).mkdir()
        (text,) = rendered(_PATHS[name], "typescript").values()
        (tmp_path / name / f"{_PATHS[name].stem}.ts").write_text(text, "utf-8")
        has_classes = bool(catalog_of(_PATHS[name]).operations)
        for index, (error, message, _, snippet) in enumerate(handled(name)):
            files.append(tmp_path / name / f"snippet{index}.ts")
            files[-1].write_text(typescript_of(snippet, has_classes=has_classes), "utf-8")
            met = list(runs(name, error, message))
            plan.append({"file": f"./{name}/snippet{index}.ts", "runs": [run[:4] for run in met]})
            told += [(error, run) for run in met]
    checked = tsc(*files)
    assert checked.returncode == 0, checked.stdout
    (tmp_path / "plan.json").write_text(json.dumps(plan), "utf-8")
    shutil.copy(ROOT / "tests" / "js" / "snippets.mjs", tmp_path)
    result = node("snippets.mjs", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    for done, (error, run) in zip(json.loads(result.stdout), told, strict=True):
        is_quiet = run.repeats or run.message is _FOREIGN
        assert done.get("thrown") == (None if is_quiet else error.name)
        assert len(done["waits"]) == run.repeats
        assert all(0 <= wait <= longest(error) for wait in done["waits"])


def typescript_of(snippet: str, *, has_classes: bool) -> str:
    """Return a module whose function holds a snippet as it stands, its imports aside."""
    head, _, body = snippet.partition("\n\n")
    module = head.rpartition(" from ")[2].rstrip(";")
    known = "operation" if has_classes else "isRead"
    kind = f"import({module}).OperationName" if has_classes else "boolean"
    return (
        f"{head}\n\ndeclare function setTimeout(done: (value?: unknown) => void, wait: number): void;\n\n"
        f"export async function handle(message: unknown, attempt: number, {known}: {kind}, "
        f"hasHappened: () => Promise<boolean>): Promise<void> {{\n"
        f"  void [attempt, {known}, hasHappened];\n{textwrap.indent(body, '  ')}}}\n"
    )


@pytest.mark.parametrize("value", [{}, [], {"a": {}}, "x" * 99, [["y" * 50, {"z": "z" * 50}]], 1.5])
def test_json_is_short_and_reads_back(value: Any) -> None:
    for wrapped in (value, {"k": value, "l": [value] * 9}):
        text = mdjson(wrapped)
        assert json.loads(text) == wrapped
        wide = [line for line in text.split("\n") if len(line) > 81]
        assert all("x" * 99 in line for line in wide)


@pytest.mark.parametrize("name", _DOUBTFUL)
def test_the_example_of_an_error_with_params_is_filled_in_without_being_written(name: str) -> None:
    (message,) = (item.message for item in handled(name) if item.error.name == "NO_PAYMENT")
    assert message["message"] == "There is no payment pay_1 of 1"
    assert message["payment"] == "pay_1"


_GIVING: Final = [
    name
    for name, path in _PATHS.items()
    if (body := catalog_of(path).response) and body.given and not body.context
]


@pytest.mark.parametrize("name", _GIVING)
def test_the_page_shows_how_a_server_gives_a_field(name: str) -> None:
    text = page_of(_PATHS[name])
    (made,) = re.findall(r"^(?:error = |.*such as )(\w+\.\w+\(.*fields=.*\))$", text, re.MULTILINE)
    error = eval(made, vars(python(name)))  # noqa: S307 - it is the manual that is tested
    assert flattened(error.options["fields"]) <= flattened(error.to_response())
    assert re.search(r"\w+\.\w+\(.*\{ fields: \{ .* \} \}\)", text)


def flattened(value: Any, path: str = "") -> set[tuple[str, str]]:
    """Return the leaves of a body, each with its path."""
    if isinstance(value, dict):
        return {leaf for key, inner in value.items() for leaf in flattened(inner, f"{path}.{key}")}
    return {(path, str(value))}
