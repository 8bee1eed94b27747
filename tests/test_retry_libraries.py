"""The manual's snippets for libraries that retry, taken from the generated Markdown and run with those libraries."""

import random
import sys
from collections.abc import Iterator
from typing import Any, Final

import pytest
from markdown_it import MarkdownIt
from support import CATALOGS, python_of, rendered

# A catalog with operations and one without, and the factory class of its tools' errors.
_CATALOGS: Final = {"reference": "ToolError", "s0-mcp-server": "DomainError"}


def snippet(name: str, language: str, library: str) -> str:
    """Return the one block of code in a catalog's manual that uses a library."""
    (text,) = rendered(CATALOGS[name], "markdown").values()
    fences = (token for token in MarkdownIt().parse(text) if token.type == "fence")
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
    names: dict[str, Any] = {"call": call}
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
