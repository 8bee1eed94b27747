"""The TypeScript target: the strictest tsc accepts it, node runs it as it is, and it says what the catalog says."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Checker, Node
from support import CATALOGS, catalog_of, rendered, write_catalog

from errgen.model import Catalog, ErrorSpec

_DUMP = """
const found = {};
for (const file of process.argv.slice(1)) {
  const module = await import(file);
  const specs = Object.values(module.errorSpecs);
  found[file] = {
    ...module,
    enums: Object.fromEntries(Object.entries(module).filter(([name]) => /^[A-Z]/.test(name))),
    found: specs.map((spec) => module.find(spec.code) === spec),
    named: specs.map((spec) => [spec.name, ...(spec.aliases ?? [])].every((n) => module.findByName(n) === spec)),
    isCode: specs.map((spec) => module.isCode(spec.code)),
    strangers: [true, 1.5, NaN, null, undefined, "", "constructor", "__proto__", "toString", {}, []].map(
      (value) => module.find(value) === undefined && !module.isCode(value),
    ),
  };
}
console.log(JSON.stringify(found));
"""
_FIELDS = {
    "name": "name",
    "message": "message",
    "safe_to_retry": "safeToRetry",
    "outcome": "outcome",
    "recovery_action": "recoveryAction",
    "recovery_hint": "recoveryHint",
    "http_status": "httpStatus",
    "grpc_status": "grpcStatus",
    "jsonrpc_code": "jsonrpcCode",
    "severity": "severity",
    "is_internal": "isInternal",
    "since": "since",
    "aliases": "aliases",
    "tags": "tags",
    "docs_url": "docsUrl",
    "description": "description",
    "extensions": "extensions",
}
_HOSTILE = (
    "*/ alert(1) /*",
    "</script><!-- -->",
    "`${process.exit(1)}`",
    "ends in a backslash \\",
    "\"double\" and 'single'",
    "@deprecated at the start",
    "{@link nothing}",
    "separators \u00a0 and emoji 🏴",
    "// comment",
)
Made = tuple[Catalog, dict[str, Any]]


def plain(value: Any) -> Any:
    """Return a value as JSON gives it back."""
    return json.loads(json.dumps(value))


def dump(node: Node, folder: Path, texts: dict[str, str]) -> dict[str, Any]:
    """Write modules, let one node run them all, and return what they export."""
    files = {name: folder / f"{name}.ts" for name in texts}
    for name, file in files.items():
        file.write_text(texts[name], "utf-8")
    (folder / "package.json").write_text('{ "type": "module" }')
    paths = [str(file) for file in files.values()]
    result = node("--input-type=module", "--eval", _DUMP, *paths, cwd=folder)
    assert (result.returncode, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    return {name: found[str(file)] for name, file in files.items()}


@pytest.fixture(scope="module")
def dumped(node: Node, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what node reads from the module of every real catalog."""
    texts = {
        name: next(iter(rendered(path, "typescript").values())) for name, path in CATALOGS.items()
    }
    return dump(node, tmp_path_factory.mktemp("typescript"), texts)


@pytest.fixture(params=CATALOGS)
def made(request: pytest.FixtureRequest, dumped: dict[str, Any]) -> Made:
    """Return a real catalog and what node read from its module."""
    return catalog_of(CATALOGS[request.param]), dumped[request.param]


def test_enums_have_exactly_the_errors_of_their_layer(made: Made) -> None:
    catalog, module = made
    for layer, errors in catalog.errors_by_layer:
        names = [(name, error.code) for error in errors for name in (error.name, *error.aliases)]
        assert list(module["enums"][layer.enum].items()) == names
    for enum, items in (("Category", catalog.categories), ("RetryPolicyName", catalog.policies)):
        assert module["enums"][enum] == {item.member: item.name for item in items}
    operations = {item.member: item.name for item in catalog.operations}
    assert module["enums"].get("OperationName", {}) == operations


def test_specs_say_what_the_catalog_says(made: Made) -> None:
    catalog, module = made
    specs = module["errorSpecs"]
    assert len(specs) == len(catalog.errors)
    by_name = {spec["name"]: spec for spec in specs.values()}
    for error in catalog.errors:
        assert_same(by_name[error.name], error)


def assert_same(spec: dict[str, Any], error: ErrorSpec) -> None:
    """Compare a record field by field; what the catalog does not say is absent."""
    for attribute, field in _FIELDS.items():
        value = plain(getattr(error, attribute))
        if value in (None, "", [], {}, False):
            assert field not in spec, (error.name, field)
        else:
            assert spec[field] == value, (error.name, field)
    assert spec["retryable"] is error.retryable
    assert (spec["code"], spec["layer"], spec["category"], spec["retry"]) == (
        error.code,
        error.layer.name,
        error.category.name,
        error.policy.name,
    )
    assert spec.get("concealAs") == (error.conceal_as and error.conceal_as.code)
    links = [link.url or (link.error and link.error.name) for link in error.see_also]
    assert spec.get("seeAlso", []) == links
    params = [
        (item["name"], item["type"], item.get("description", "")) for item in spec.get("params", [])
    ]
    assert params == [(param.name, param.type, param.description) for param in error.params]
    examples = [(item["message"], item.get("params", {})) for item in spec.get("examples", [])]
    assert examples == [(example.message, example.params) for example in error.examples]
    deprecated = error.deprecated
    if deprecated is None:
        assert "deprecated" not in spec
    else:
        instead = {"replacedBy": deprecated.replaced_by.name} if deprecated.replaced_by else {}
        assert spec["deprecated"] == {
            "since": deprecated.since,
            "reason": deprecated.reason,
            **instead,
        }


def test_policies_and_operations_say_what_the_catalog_says(made: Made) -> None:
    catalog, module = made
    for policy in catalog.policies:
        found = module["retryPolicies"][policy.name]
        assert found["retryable"] is policy.retryable
        assert found["safeToRetry"] == policy.safe_to_retry
        assert (
            found.get("initialDelayMs"),
            found.get("maxDelayMs"),
            found.get("retryAfterMs"),
        ) == (
            policy.initial_delay_ms,
            policy.max_delay_ms,
            policy.retry_after_ms,
        )
        assert (found.get("strategy"), found.get("multiplier"), found.get("maxAttempts")) == (
            policy.strategy,
            policy.multiplier,
            policy.max_attempts,
        )
        assert found.get("jitter", "none") == policy.jitter
    for operation in catalog.operations:
        found = module["operations"][operation.name]
        assert (found["effect"], found["idempotent"], found["maxAttempts"]) == (
            operation.effect,
            operation.idempotent,
            operation.max_attempts,
        )
        assert operation.is_default is (operation.name == module["defaultOperation"])


def test_an_error_is_found_by_code_name_and_alias_and_nothing_else_is(made: Made) -> None:
    _, module = made
    for answers in ("found", "named", "isCode", "strangers"):
        assert module[answers]
        assert all(module[answers]), answers


def test_reservations_say_what_the_catalog_says(made: Made) -> None:
    catalog, module = made
    names = ("reason", "code", "name", "first", "last", "prefix", "since")
    assert [tuple(item.get(name) for name in names) for item in module.get("reserved", [])] == [
        tuple(getattr(item, name) for name in names) for item in catalog.reserved
    ]


def test_tsc_accepts_every_module_and_knows_what_the_catalog_fixes(
    tsc: Checker, tmp_path: Path
) -> None:
    files = []
    for name, path in CATALOGS.items():
        files.append(tmp_path / f"{name}.ts")
        (text,) = rendered(path, "typescript").values()
        files[-1].write_text(text, "utf-8")
    files.append(tmp_path / "types.ts")
    files[-1].write_text(
        """\
import { type Code, ErrorCode, type ErrorResponse, find, isErrorCode, ProtocolErrorCode, spec } from "./reference.ts";

export const yes: true = spec(ErrorCode.TIMEOUT).retryable;
export const no: false = spec(ErrorCode.MISSING_REQUIRED_FIELD).retryable;
export const varies: null = spec(ErrorCode.ADAPTER_ERROR).retryable;
export const code: 3002 = ErrorCode.TIMEOUT;
export const negative: -32700 = spec(ProtocolErrorCode.PARSE_ERROR).code;
export const unknownCode: boolean | null | undefined = find(12345)?.retryable;
export function narrow(value: unknown): ErrorCode | undefined {
  return isErrorCode(value) ? value : undefined;
}
export const body: ErrorResponse = {
  code: 1, name: "n", category: "c", message: "m", retryable: true, safe_to_retry: false,
};
// @ts-expect-error a timeout is retryable
export const wrong: false = spec(ErrorCode.TIMEOUT).retryable;
// @ts-expect-error no such code
export const none: Code = 12345;
// @ts-expect-error a protocol code is no tool code
export const tier: ErrorCode = ProtocolErrorCode.PARSE_ERROR;
// @ts-expect-error what the catalog says cannot be changed
ErrorCode.TIMEOUT = 1;
// @ts-expect-error the body must say whether to retry
export const partial: ErrorResponse = { code: 1, name: "n", category: "c", message: "m", safe_to_retry: true };
""",
        "utf-8",
    )
    result = tsc(*files)
    assert (result.returncode, result.stdout) == (0, "")


@pytest.mark.parametrize("name", CATALOGS)
def test_modules_import_nothing_and_use_no_enum(name: str) -> None:
    (text,) = rendered(CATALOGS[name], "typescript").values()
    code = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:[^\"\\]|\\.)*\"", "", text, flags=re.DOTALL)
    # A class declares again, with its own type, what the class above it already has.
    code = re.sub(r"\n  declare readonly (?=code|spec|data|body|relayed)", "", code)
    assert not re.search(r"\b(?:import|require|enum|namespace|declare|any)\b", code)


def test_hostile_text_is_read_back_unchanged(node: Node, tsc: Checker, tmp_path: Path) -> None:
    errors = {
        f"E{index}": {
            "category": "a",
            "message": text.replace("{", "{{").replace("}", "}}"),
            "description": text,
            "deprecated": {"since": "1.0.0", "reason": text},
            "recovery": {"action": "none", "hint": text},
            "x-data": {text: [text, None, 1.5, True]},
        }
        for index, text in enumerate(_HOSTILE)
    }
    catalog = {
        "errgen": 1,
        "name": "hostile",
        "version": "1.0.0",
        "title": _HOSTILE[0],
        "description": "\n\n".join(_HOSTILE),
        "categories": {"a": {"title": _HOSTILE[0], "description": _HOSTILE[0], "retry": "never"}},
        "reserved": [{"code": "X1", "reason": text} for text in _HOSTILE],
        "response": {
            "type": "Body",
            "fields": {
                "code": {"from": "code"},
                **{text: {"type": "string", "description": text} for text in _HOSTILE},
            },
        },
        "errors": errors,
    }
    path = write_catalog(tmp_path, json.dumps(catalog, ensure_ascii=False))
    (text,) = rendered(path, "typescript").values()
    module = dump(node, tmp_path, {"hostile": text})["hostile"]
    assert tsc(tmp_path / "hostile.ts").stdout == ""
    for error in catalog_of(path).errors:
        assert_same(module["errorSpecs"][error.name], error)
    assert [item["reason"] for item in module["reserved"]] == list(_HOSTILE)
    assert "</script" not in text
