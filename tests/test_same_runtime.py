"""Generated Python and generated TypeScript: whatever is asked of both has one answer."""

import itertools
import json
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from conftest import Node
from support import CATALOGS, catalog_of, module_of, python_of, rendered, write_catalog

from errgen.cases import success_of
from errgen.filters.pycode import pyparam
from errgen.model import Catalog, ErrorSpec, Translation
from errgen.naming import camel, snake
from errgen.wireforms import META_KEY as _META
from errgen.wireforms import conformance

_HARNESS: Final = Path(__file__).parent / "js" / "same_runtime.mjs"
_SAMPLES: Final = {"string": "x", "integer": 1, "number": 1.5, "boolean": True}
_STRANGE: Final = ("new", "__proto__", "constructor", "")
_ATTEMPTS: Final = (1, 2, 3, 4, 5, 6)
_COUNTS: Final = (*range(1, 13), 100, 2000)
_RANDOMS: Final = [0.0, *(random.Random(1).random() for _ in range(97)), 1 - 2**-53]  # noqa: S311
_WAITS: Final = ((None, None), (5, None), (2**40, None), (None, 0), (None, 1234), (7, 2**31))
_HOSTILE: Final = (
    "",
    " \t\n\r\x0b\x0c ",
    "one\ntwo\r\n\tthree\u2028four\u2029five\x85six",
    "\x1b[31mred\x1b[0m\x00\x07",
    "right\u202eleft\u2066in\u2069\ufeff\u200b\u2060\ufffe",
    "half \ud83d pair \ude00 and \U0001f600",
    "tags \U000e0041\U000e007f and flags \U0001f3f4",
    "{field} {{}} {0} %s ${x} \\u0041 </script>",
    "\U0001f600" * 600,
    "a" * 5000,
    "no\u00a0break\u3000wide \x00 gap",
    "TIMEOUT (3002): x. Hint: y",
    "ends in a stop.",
    "ends in an ellipsis…",
    "$& $1 $` $' \\1",
    "constructor",
    "__proto__",
)
_NUMBERS: Final = (0.1, 1e21, 1e20, 1.5e-7, 0.00001, 123456789.125, -0.0, 12345678901234567890.0)
_ASKED: Final = (0, 1, 90_000_000, 2**31, 2**40, -5)
_FIELDS: Final[tuple[Any, ...]] = (
    {"nope": 1},
    {"__proto__": {"x": 1}},
    {"valueOf": {"what": None}},
    {},
)
_OTHERS: Final[tuple[Any, ...]] = (
    None,
    True,
    False,
    0,
    -1,
    1.5,
    "",
    "text",
    [],
    {},
    [1],
    {"code": None},
)
_EXTRA: Final = {
    "policies": {
        "errgen": 1,
        "name": "policies",
        "version": "1.0.0",
        "categories": {"a": {}},
        "retry_policies": {
            f"{strategy}_{jitter}_{limit}": {
                "retryable": True,
                "strategy": strategy,
                "initial_delay": "130ms",
                "jitter": jitter,
                "max_attempts": 9,
                **({"multiplier": 1.7} if strategy == "exponential" else {}),
                **({"max_delay": "700ms"} if limit == "short" else {}),
                **({"retry_after": "1s"} if limit == "after" else {}),
            }
            for strategy in ("fixed", "linear", "exponential")
            for jitter in ("none", "full", "equal", "decorrelated")
            for limit in ("none", "short", "after")
        },
        "errors": {"ERROR": {"category": "a", "message": "Error", "retry": "linear_equal_short"}},
    },
    "hostile": {
        "errgen": 1,
        "name": "hostile",
        "version": "1.0.0",
        "limits": {"message": 60},
        "layers": {
            "protocol": {"enum": "ProtocolErrorCode", "code": "integer", "wire": "jsonrpc-error"},
            "tool": {"enum": "ToolErrorCode", "code": "string", "wire": "mcp-tool-result"},
        },
        "categories": {
            "p": {"layer": "protocol", "retry": "never"},
            "t": {"layer": "tool", "retry": "paced"},
        },
        "ranges": [{"first": -32099, "last": -32000, "category": "p"}],
        "retry_policies": {
            "never": {"retryable": False},
            "paced": {
                "retryable": True,
                "strategy": "fixed",
                "retry_after": "90m",
                "max_attempts": 4,
                "safe_to_retry": "reconciled",
            },
            "varies": {"retryable": "varies", "max_attempts": 2, "safe_to_retry": "idempotent"},
        },
        "response": {
            "type": "Body",
            "wrap": "__proto__",
            "fields": {
                "constructor": {"from": "code"},
                "toString": {"from": "message"},
                "again": {"from": "retryable"},
                "safe": {"from": "safe_to_retry"},
                "wait": {"from": "retry_after_ms", "optional": True},
                "__proto__": {"type": "string", "nullable": True},
                "valueOf": {"fields": {"what": {"type": "any"}, "x": {"value": {"y": [1, None]}}}},
            },
        },
        "errors": {
            "GONE": {"code": -32001, "category": "p", "message": "Gone", "http_status": 410},
            "SEALED": {
                "code": -32002,
                "category": "p",
                "message": "Sealed",
                "visibility": "internal",
                "conceal_as": "GONE",
            },
            "NOT_FOUND": {
                "category": "t",
                "message": "There is no {what} {{x}}",
                "params": {"what": {"type": "string"}},
                "recovery": {"action": "none", "hint": "Go. Hint: home"},
                "http_status": 404,
                "jsonrpc_code": -32003,
            },
            "HIDDEN": {
                "category": "t",
                "message": "There is a {what} of {constructor}",
                "log_message": "{what} {constructor} {secret}",
                "params": {"what": {"type": "string"}, "constructor": {"type": "string"}},
                "private_params": {"secret": {"type": "string"}},
                "visibility": "internal",
                "conceal_as": "NOT_FOUND",
            },
            "LATER": {
                "category": "t",
                "message": "{amount}",
                "params": {"amount": {"type": "number"}},
                "retry": "varies",
                "outcome": "unknown",
            },
        },
    },
}


Job = dict[str, Any]


def forms_of(catalog: Catalog) -> dict[str, list[str]]:
    """Return the forms that the errors of each layer can be sent in, if they have a code for it."""
    forms: dict[str, list[str]] = {}
    for layer in catalog.layers:
        found = [wire for wire, layers in catalog.wires.items() if layer in layers]
        found = [wire for wire in found if wire != "body" or catalog.response]
        if layer.wire != "body" or catalog.response:
            found.append("wire")
        if layer.wire == "mcp-tool-result" and catalog.response:
            found.append("mcp-tool-result in _meta")
        forms[layer.name] = found
    return forms


def described(error: ErrorSpec, **options: Any) -> Job:
    """Describe an error that both languages can make."""
    params = {param.name: _SAMPLES[param.type] for param in error.params}
    if error.retryable is None:
        options.setdefault("retryable", False)
    return {
        "kind": error.layer.error_type,
        "code": error.code,
        "params": params,
        "options": options,
    }


def bodies_of(catalog: Catalog, error: ErrorSpec) -> Iterator[Any]:
    """Yield bodies of an error that say each thing of a retry, and nothing."""
    response = catalog.response
    if response is None or error.layer.wire == "jsonrpc-error":
        return
    paths = response.paths
    for said in itertools.product((True, False, None), repeat=2):
        body: Job = {}
        put(body, paths[response.identity], getattr(error, response.identity))
        for source, value in zip(("retryable", "safe_to_retry"), said, strict=True):
            if value is not None and source in paths:
                put(body, paths[source], value)
        yield {response.wrap: body} if response.wrap else body


def put(body: Job, path: tuple[str, ...], value: Any) -> None:
    for step in path[:-1]:
        body = body.setdefault(step, {})
    body[path[-1]] = value


def errors_to_decide(catalog: Catalog) -> Iterator[Job]:
    """Yield every error, made here and received, in every way that matters to a retry."""
    for error in catalog.errors:
        for retryable in (True, False) if error.retryable is None else (error.retryable,):
            yield described(error, retryable=retryable)
        yield from ({"body": body} for body in bodies_of(catalog, error))
    yield from ({"unknown": retryable} for retryable in (True, False))
    if response := catalog.response:
        strangers = (body for error in catalog.errors[-1:] for body in bodies_of(catalog, error))
        for body in strangers:
            inner = body[response.wrap] if response.wrap else body
            put(inner, response.paths[response.identity], "A_NEWER_ONE")
            yield {"body": body}


def variants(message: Any) -> Iterator[Any]:
    """Yield a message, and the message without, or with another value in, each place.

    An integer is written as 1.0 too, which JSON does not tell from 1.
    """
    yield message
    for path in places(message):
        for value in (..., *_OTHERS, *_HOSTILE[-4:], 2**40, float):
            changed = deepcopy(message)
            inner = changed
            for step in path[:-1]:
                inner = inner[step]
            if value is float:
                found = inner[path[-1]]
                inner[path[-1]] = float(found) if type(found) is int else found
            elif value is not ...:
                inner[path[-1]] = value
            elif isinstance(inner, dict):
                del inner[path[-1]]
            yield changed


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each value in JSON, outer ones first."""
    items: list[Any] = list(value.items()) if isinstance(value, dict) else []
    for key, item in items + (list(enumerate(value)) if isinstance(value, list) else []):
        yield (*path, key)
        yield from places(item, (*path, key))


def made_errors(catalog: Catalog) -> Iterator[Job]:
    """Yield errors with hostile params and options."""
    for error in catalog.errors:
        yield from (described(error, retryAfterMs=wait) for wait in _ASKED)
        yield described(error, retryable=error.retryable is False)
        yield {**described(error), "params": {"stranger": 1}}
        if catalog.response and catalog.response.given:
            yield from (described(error, fields=fields) for fields in _FIELDS)
        if catalog.operations:
            names = [*(item.name for item in catalog.operations), *_STRANGE]
            yield from (described(error, operation=name) for name in names)
        for kind, values in (("string", _HOSTILE), ("number", _NUMBERS)):
            names = [item.name for item in error.params + error.private_params if item.type == kind]
            for value in values if names else ():
                job = described(error)
                job["params"].update(dict.fromkeys(names, value))
                yield job


def foreign_errors(catalog: Catalog) -> Iterator[Job]:
    """Yield what the translations of statuses and codes have to translate."""
    for item in catalog.translations:
        values: tuple[Any, ...] = ()
        if item.kind == "http-status":
            values = (0, 99, 200, *range(400, 430), *range(499, 520), 599, 999)
        elif item.kind == "code":
            values = (7, *(key for key, _ in item.entries), *_STRANGE, *_HOSTILE)
        params = {param.name: _SAMPLES[param.type] for param in item.params if not param.is_private}
        for value in values:
            yield {
                "name": camel(f"translate_{item.name}"),
                "kind": item.name,
                "value": value,
                "params": params if item.params else None,
                "options": {"retryable": True} if item.varies else {},
            }


def successes(catalog: Catalog) -> Iterator[Job]:
    """Yield results of tools that say two things: a success in the body, and an error beside it."""
    response = catalog.response
    if not response or not response.success or not catalog.wires["mcp-tool-result"]:
        return
    for error in catalog.errors:
        content = [{"type": "text", "text": f"{error.name}: text"}]
        named: Job = {}
        put(named, response.paths[response.identity], getattr(error, response.identity))
        for body, more in itertools.product(({}, success_of(catalog)), ({}, named)):
            for said in ({}, {"isError": True}, {"isError": False}, {"isError": 1}):
                for place in ({"structuredContent": {**more, **body}}, {"_meta": {_META: body}}):
                    yield {"content": content, **place, **said}


def job_of(catalog: Catalog) -> Job:
    """Return everything that both languages have to do with a catalog."""
    cases = [{"forms": {}, **conformance(catalog, error)} for error in catalog.errors]
    examples = [
        {"error": make_case(catalog, case), "form": form, **pick(case, "fields")}
        for case in cases
        for form in case["forms"]
    ]
    # One error of each layer stands for the others where everything in a message is changed.
    first = {case["layer"]: case for case in reversed(cases)}
    messages = [message for case in cases for message in case["forms"].values()]
    hostile = [
        changed
        for case in first.values()
        for message in case["forms"].values()
        for changed in variants(message)
    ]
    bodies = [case["forms"]["body"] for case in first.values() if "body" in case["forms"]]
    fields: Job = {}
    for case in cases:
        fields.update(case.get("fields", {}))
    options = [None, *(item.name for item in catalog.operations), *_STRANGE]
    flags = [{"isRead": one, "isIdempotent": two} for one in (0, 1) for two in (0, 1)]
    flags = [{key: bool(value) for key, value in item.items()} for item in flags]
    return {
        "examples": examples,
        "messages": (
            [*messages, *hostile, *successes(catalog), *_OTHERS, *_HOSTILE]
            if catalog.travels
            else []
        ),
        "bodies": [
            *(changed for body in bodies for changed in variants(body)),
            *(_OTHERS if catalog.response else ()),
        ],
        "errors": list(errors_to_decide(catalog)),
        "operations": options if catalog.operations else flags,
        "attempts": _ATTEMPTS,
        "counts": _COUNTS,
        "randoms": _RANDOMS,
        "waits": _WAITS,
        "made": list(made_errors(catalog)),
        "foreign": list(foreign_errors(catalog)),
        "forms": forms_of(catalog),
        **({"fields": fields} if catalog.response and catalog.response.given else {}),
    }


def pick(values: Job, name: str) -> Job:
    return {name: values[name]} if name in values else {}


def make_case(catalog: Catalog, case: Job) -> Job:
    error = next(error for error in catalog.errors if error.name == case["name"])
    return {**described(error), "params": case.get("params", {})}


def attempt(act: Callable[[], Any]) -> Any:
    try:
        return act()
    except ValueError:
        return "RangeError"


def make(module: Any, job: Job) -> Any:
    """Make an error as a description says."""
    if "body" in job:
        return module.parse_response(job["body"])
    if "unknown" in job:
        return module.UnknownError(1, "m", retryable=job["unknown"])
    spec = module.find(job["code"])
    private = {param.name for param in spec.private_params}
    public = {name: value for name, value in job["params"].items() if name not in private}
    secret = {name: value for name, value in job["params"].items() if name in private}
    options = {snake(name): value for name, value in job["options"].items()}
    return getattr(module, job["kind"])(spec.code, public, private_params=secret, **options)


def send(error: Any, form: str, fields: Job | None) -> Any:
    """Return an error in a form."""
    is_protocol = type(error).__name__ == "ProtocolError"
    given = {} if fields is None or is_protocol else {"fields": fields}
    match form:
        case "body":
            return error.to_response(**given)
        case "wire":
            return error.to_wire(request_id=1, **given)
        case "jsonrpc-error":
            return error.to_jsonrpc_error(request_id=1, **given)
        case "jsonrpc-result":
            return error.to_jsonrpc_result(request_id=1, **given)
        case "http-problem":
            return error.to_problem(**given)
        case "mcp-tool-result":
            return error.to_tool_result(**given)
        case _:
            return error.to_tool_result(**given, body_in="_meta")


def summary(error: Any, job: Job) -> Any:
    """Return all that a program can learn of an error, and each form in which it goes on."""
    if error is None:
        return None
    forms = job["forms"][error.spec.layer] if error.spec else []
    return {
        "type": type(error).__name__,
        "code": getattr(error.code, "value", error.code),
        "name": error.name,
        "message": error.message,
        "logMessage": error.log_message,
        "retryable": error.retryable,
        "safeToRetry": error.safe_to_retry,
        "retryAfterMs": error.retry_after_ms,
        "maxAttempts": error.max_attempts,
        "params": error.params,
        "body": error.body,
        "data": getattr(error, "data", None),
        "forms": [attempt(lambda form=form: send(error, form, job.get("fields"))) for form in forms],  # type: ignore[misc]
    }


def decisions(module: Any, error: Any, job: Job) -> str:
    """Return for each operation, attempt and answer to `reconciled` whether to retry, as digits."""
    digits = ""
    for operation, count, reconciled in itertools.product(
        job["operations"], job["attempts"], (False, True)
    ):
        if hasattr(module, "OperationName"):
            again = module.should_retry(error, operation, count, reconciled=reconciled)
        else:
            flags = {snake(name): value for name, value in operation.items()}
            again = module.should_retry(error, count, **flags, reconciled=reconciled)
        digits += "1" if again else "0"
    return digits


def delays(module: Any, job: Job) -> list[Any]:
    calls = itertools.count()
    randoms = job["randoms"]

    def rng() -> float:
        return float(randoms[next(calls) % len(randoms)])

    found: list[int] = []
    unknown = module.UnknownError(1, "m", retryable=True)
    for count in job["counts"]:
        for policy in module.RETRY_POLICIES.values():
            for wait, previous in job["waits"]:
                found.append(policy.delay_ms(count, rng, retry_after_ms=wait, previous_ms=previous))
        found.append(unknown.delay_ms(count, rng))
        policies = [spec.policy for spec in module.SPECS.values()]
        found += [one.delay_ms(count, rng, retry_after_ms=2, previous_ms=7) for one in policies]
    return [found, next(calls)]


def translated(module: Any, catalog: Catalog, foreign: Job, job: Job) -> Any:
    item: Translation = next(one for one in catalog.translations if one.name == foreign["kind"])
    spelled = {param.name: pyparam(param, translated=True) for param in item.params}
    params = {spelled[name]: value for name, value in (foreign["params"] or {}).items()}
    function = getattr(module, f"translate_{snake(item.name)}")
    return summary(function(foreign["value"], **params, **foreign["options"]), job)


def answers(path: Path, job: Job, name: str) -> dict[str, Any]:
    """Do in Python what the jobs say."""
    module = python_of(name) if name in CATALOGS else module_of(path, name)
    catalog = catalog_of(path)
    return {
        "sent": [
            attempt(lambda one=one: send(make(module, one["error"]), one["form"], one.get("fields")))  # type: ignore[misc]
            for one in job["examples"]
        ],
        "read": [
            attempt(lambda one=one: summary(module.from_wire(one), job)) for one in job["messages"]  # type: ignore[misc]
        ],
        "parsed": [
            attempt(lambda one=one: summary(module.parse_response(one), job)) for one in job["bodies"]  # type: ignore[misc]
        ],
        "decided": [decisions(module, make(module, one), job) for one in job["errors"]],
        "delays": delays(module, job),
        "made": [attempt(lambda one=one: summary(make(module, one), job)) for one in job["made"]],  # type: ignore[misc]
        "translated": [
            attempt(lambda one=one: translated(module, catalog, one, job)) for one in job["foreign"]  # type: ignore[misc]
        ],
    }


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the catalogs: the real ones, and others that try what those do not have."""
    folder = tmp_path_factory.mktemp("same")
    extra = {
        name: write_catalog(folder, json.dumps(data), f"{name}.yaml")
        for name, data in _EXTRA.items()
    }
    return {**CATALOGS, **extra}


@pytest.fixture(scope="module")
def both(
    node: Node, paths: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, tuple[Job, Any, Any]]:
    """Return the jobs of each catalog, what Python makes of them, and what TypeScript does."""
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "package.json").write_text('{ "type": "module" }', "utf-8")
    jobs = {}
    for name, path in paths.items():
        (text,) = rendered(path, "typescript").values()
        file = folder / f"{name}.ts"
        file.write_text(text, "utf-8")
        jobs[name] = {"file": str(file), **job_of(catalog_of(path))}
    (folder / "jobs.json").write_text(json.dumps(jobs), "utf-8")
    result = node(str(_HARNESS), str(folder / "jobs.json"))
    assert result.stderr == ""
    found = json.loads(result.stdout)
    return {name: (job, answers(paths[name], job, name), found[name]) for name, job in jobs.items()}


def plain(value: Any) -> str:
    """Return JSON in the order of its keys, with numbers as JavaScript has them."""
    return json.dumps(_numbers(value))


def _numbers(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return int(float(value)) if float(value).is_integer() else value
    if isinstance(value, list | tuple):
        return [_numbers(item) for item in value]
    if isinstance(value, dict) or hasattr(value, "items"):
        return {key: _numbers(item) for key, item in value.items()}
    return value


@pytest.mark.parametrize(
    ("what", "given"),
    [
        ("sent", "examples"),
        ("read", "messages"),
        ("parsed", "bodies"),
        ("decided", "errors"),
        ("made", "made"),
        ("translated", "foreign"),
    ],
)
@pytest.mark.parametrize("name", [*CATALOGS, *_EXTRA])
def test_python_and_typescript_answer_alike(
    both: dict[str, tuple[Job, Any, Any]], name: str, what: str, given: str
) -> None:
    job, python, typescript = both[name]
    assert len(python[what]) == len(typescript[what]) == len(job[given])
    for question, one, other in zip(job[given], python[what], typescript[what], strict=True):
        assert plain(one) == plain(other), question


@pytest.mark.parametrize("name", [*CATALOGS, *_EXTRA])
def test_every_delay_is_the_same_of_the_same_random_numbers(
    both: dict[str, tuple[Job, Any, Any]], name: str
) -> None:
    _, python, typescript = both[name]
    assert python["delays"] == typescript["delays"]


@pytest.mark.parametrize("name", CATALOGS)
def test_typescript_sends_what_the_conformance_file_has(
    both: dict[str, tuple[Job, Any, Any]], name: str
) -> None:
    job, _, typescript = both[name]
    catalog = catalog_of(CATALOGS[name])
    cases = [conformance(catalog, error) for error in catalog.errors]
    forms = [message for case in cases for message in case.get("forms", {}).values()]
    assert len(forms) == len(job["examples"])
    assert [plain(item) for item in typescript["sent"]] == [plain(item) for item in forms]


@pytest.mark.parametrize("name", CATALOGS)
def test_typescript_reads_what_the_conformance_file_has(
    both: dict[str, tuple[Job, Any, Any]], name: str
) -> None:
    catalog = catalog_of(CATALOGS[name])
    cases = [conformance(catalog, error) for error in catalog.errors]
    read = iter(both[name][2]["read"])
    for case in cases if catalog.travels else ():
        for _ in case["forms"]:
            found = next(read)
            assert found["code"] == case.get("concealed_as", case["code"])
            assert found["message"] == case["message"]
