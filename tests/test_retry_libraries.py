"""The manual's snippets for libraries that retry, taken from the generated Markdown and run with those libraries."""

import json
import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from conftest import Node
from markdown_it import MarkdownIt
from support import CATALOGS, ROOT, page_of, python_of, rendered

_JS: Final = ROOT / "tests" / "js"
# A catalog with operations and one without, and the factory class of its tools' errors.
_CATALOGS: Final = {"reference": "ToolError", "s0-mcp-server": "DomainError"}


def snippet(name: str, language: str, library: str) -> str:
    """Return the one block of code in a catalog's manual that uses a library."""
    tokens = MarkdownIt().parse(page_of(CATALOGS[name]))
    fences = (token for token in tokens if token.type == "fence")
    (found,) = (
        token.content for token in fences if token.info == language and library in token.content
    )
    return found


class Calls:
    """Makes the `call` of a snippet: it raises one error after the other, then returns."""

    def __init__(self, errors: Iterator[Exception]) -> None:
        """Take the errors, which need have no end."""
        self.errors = errors
        self.count = 0

    def __call__(self) -> str:
        """Fail or work."""
        self.count += 1
        for error in self.errors:
            raise error
        return "done"


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Collect the seconds that are asked for, and wait for none of them."""
    asked: list[float] = []
    monkeypatch.setattr("time.sleep", asked.append)
    return asked


def run(name: str, call: Calls, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run the snippet for tenacity as it stands, and return its result."""
    monkeypatch.setitem(sys.modules, CATALOGS[name].stem, python_of(name))
    classes = getattr(python_of(name), "OperationName", None)
    known = {"operation": classes.READ} if classes else {"is_read": True}
    names: dict[str, Any] = {"call": call, **known}
    exec(snippet(name, "python", "tenacity"), names)  # noqa: S102 - it is the manual that is tested
    return names["result"]


def errors_of(name: str, factory: str, times: int) -> list[Exception]:
    """Make errors of a catalog."""
    kind = getattr(python_of(name), _CATALOGS[name])
    return [getattr(kind, factory)() for _ in range(times)]


@pytest.mark.parametrize("name", _CATALOGS)
def test_tenacity_repeats_a_call_until_it_works(
    name: str, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    errors: list[Any] = errors_of(name, "backend_unavailable", 2)
    random.seed(1)
    expected = [error.delay_ms(attempt) / 1000 for attempt, error in enumerate(errors, start=1)]
    assert 0 < expected[0] < 0.2
    assert 0 < expected[1] < 0.4
    random.seed(1)
    call = Calls(iter(errors))
    assert run(name, call, monkeypatch) == "done"
    assert (call.count, waits) == (3, expected)


def test_tenacity_waits_as_long_as_the_server_asks(
    waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = python_of("reference").ToolError
    errors = [
        kind.rate_limit_exceeded(),
        kind.rate_limit_exceeded(retry_after_ms=45_500),
    ]
    call = Calls(iter(errors))
    assert run("reference", call, monkeypatch) == "done"
    assert (call.count, waits) == (3, [30.0, 45.5])


@pytest.mark.parametrize(("name", "attempts"), [("reference", 3), ("s0-mcp-server", 5)])
def test_tenacity_ends_with_the_original_error(
    name: str, attempts: int, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = errors_of(name, "backend_unavailable", 9)
    call = Calls(iter(errors))
    with pytest.raises(type(errors[0])) as raised:
        run(name, call, monkeypatch)
    assert raised.value is errors[attempts - 1]
    assert (call.count, len(waits)) == (attempts, attempts - 1)


@pytest.mark.parametrize("name", _CATALOGS)
@pytest.mark.parametrize("is_known", [True, False])
def test_tenacity_stops_at_once_where_repeating_is_of_no_use(
    name: str, is_known: bool, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    error = errors_of(name, "not_implemented", 1)[0] if is_known else KeyError("city")
    call = Calls(iter([error]))
    with pytest.raises(type(error)) as raised:
        run(name, call, monkeypatch)
    assert raised.value is error
    assert (call.count, waits) == (1, [])


_UNAVAILABLE: Final = ["backendUnavailable"]
_SITUATIONS: Final = [
    [_UNAVAILABLE, _UNAVAILABLE],
    [["rateLimitExceeded"], ["rateLimitExceeded", {"retryAfterMs": 45_500}]],
    [_UNAVAILABLE] * 9,
    [["notImplemented"]],
    [["foreign"]],
    [],
]


@pytest.mark.parametrize(
    ("name", "paced", "ends"),
    [
        ("reference", [30_000, 45_500], {"calls": 3, "waits": [100, 200], "thrown": 2}),
        # Without operations there is no cap but the policy's; the errors of S0 are not paced.
        (
            "s0-mcp-server",
            [100, 45_500],
            {"calls": 5, "waits": [100, 200, 400, 800], "thrown": 4},
        ),
    ],
)
def test_p_retry_does_what_the_catalog_says(
    name: str, paced: list[int], ends: dict[str, Any], tmp_path: Path, node: Node
) -> None:
    stem = CATALOGS[name].stem
    (typescript,) = rendered(CATALOGS[name], "typescript").values()
    text = snippet(name, "ts", "p-retry")
    (tmp_path / f"{stem}.ts").write_text(typescript, "utf-8")
    # The snippet stands as it is between what it is given and what is wanted of it.
    is_classed = hasattr(python_of(name), "OperationName")
    known = 'const operation = "read";' if is_classed else "const isRead = true;"
    (tmp_path / "snippet.ts").write_text(f"{known}\n{text}\nexport {{ result }};\n", "utf-8")
    plan = {"kind": _CATALOGS[name], "module": f"./{stem}.ts", "situations": _SITUATIONS}
    (tmp_path / "plan.json").write_text(json.dumps(plan), "utf-8")
    shutil.copy(_JS / "retries.mjs", tmp_path)
    (tmp_path / "node_modules").symlink_to(_JS / "node_modules", target_is_directory=True)
    result = node("retries.mjs", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == [
        {"calls": 3, "waits": [100, 200], "result": "done"},
        {"calls": 3, "waits": paced, "result": "done"},
        ends,
        {"calls": 1, "waits": [], "thrown": 0},
        {"calls": 1, "waits": [], "thrown": 0},
        {"calls": 1, "waits": [], "result": "done"},
    ]
