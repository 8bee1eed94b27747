"""The running part of generated TypeScript: messages, bodies, concealment, retries, translations and the safety net.

What it must do stands in js/runtime.mjs, so that one Node does it all; here is what tsc must say.
"""

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from conftest import Checker, Node
from support import CATALOGS, catalog_of, rendered, write_catalog

_CHECKS: Final = Path(__file__).parent / "js" / "runtime.mjs"
_TAKEN: Final = """\
errgen: 1
name: taken
version: 1.0.0
categories: { a: { retry: never } }
response:
  type: Body
  fields:
    code: { from: code }
    __proto__: { type: string, nullable: true }
    more:
      optional: true
      fields: { constructor: { type: any, optional: true }, __proto__: { type: any, optional: true } }
translations:
  http: { kind: http-status, map: { 5xx: PARAMS }, default: PARAMS, fill: { more.constructor: status } }
errors:
  NAME: { category: a, message: Name }
  LENGTH: { category: a, message: Length }
  PROTOTYPE: { category: a, message: Prototype }
  CALLER: { category: a, message: Caller }
  ARGUMENTS: { category: a, message: Arguments }
  CALL: { category: a, message: Call }
  TO_STRING: { category: a, message: To string }
  CONSTRUCTOR: { category: a, message: Constructor }
  CAPTURE_STACK_TRACE: { category: a, message: Capture }
  STACK_TRACE_LIMIT: { category: a, message: Limit }
  PREPARE_STACK_TRACE: { category: a, message: Prepare }
  IMPORT: { category: a, message: Import }
  NEW: { category: a, message: New }
  PARAMS:
    category: a
    message: "{constructor} {options} {params} {fields} {status} {class}"
    params:
      constructor: { type: string }
      options: { type: string }
      params: { type: string }
      fields: { type: string }
      status: { type: string }
      class: { type: string }
"""


_MIXED: Final = """\
errgen: 1
name: mixed
version: 1.0.0
layers:
  protocol: { enum: ProtocolErrorCode, code: integer, wire: jsonrpc-error }
  tool: { enum: ToolErrorCode, code: string, wire: mcp-tool-result }
categories: { p: { layer: protocol, retry: never }, t: { layer: tool, retry: never } }
ranges: [{ first: -32099, last: -32000, category: p }]
response:
  type: Body
  wrap: error
  fields: { code: { from: code }, message: { from: message }, what: { type: string } }
translations: { net: { kind: exception, map: { E: NOT_FOUND }, default: NOT_FOUND } }
reserved:
  - { first: -32059, last: -32050, reason: Span }
  - { code: -32051, name: OLD, reason: Number }
  - { prefix: X-, reason: Prefix }
  - { code: X-1, name: X_1, replaced_by: OPEN, reason: Text }
  - { name: NAME_ALONE, reason: Name }
errors:
  GONE: { code: -32001, category: p, message: Gone }
  SEALED: { code: -32002, category: p, message: Sealed, visibility: internal, conceal_as: GONE }
  NOT_FOUND: { category: t, message: There is nothing, jsonrpc_code: -32003 }
  HIDDEN:
    category: t
    message: There is {x}
    params: { x: { type: string } }
    visibility: internal
    conceal_as: OPEN
  OPEN: { category: t, message: "There was {x}", params: { x: { type: string } } }
"""


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write the modules that the cases use; return their files."""
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "package.json").write_text('{ "type": "module" }', "utf-8")
    names = {"ref": "reference", "s1": "s1-gateway", "s3": "s3-sdk", "s4": "s4-envelope"}
    paths = {short: CATALOGS[name] for short, name in names.items()}
    paths["taken"] = write_catalog(folder, _TAKEN, "taken.yaml")
    paths["mixed"] = write_catalog(folder, _MIXED, "mixed.yaml")
    files = {}
    for short, path in paths.items():
        (text,) = rendered(path, "typescript").values()
        files[short] = folder / f"{short}.ts"
        files[short].write_text(text, "utf-8")
    return files


def test_the_running_part_does_what_it_promises(node: Node, modules: dict[str, Path]) -> None:
    files = modules["ref"].with_name("files.json")
    files.write_text(json.dumps([str(file) for file in modules.values()]), "utf-8")
    result = node(str(_CHECKS), str(files), cwd=files.parent)
    assert result.stderr == ""
    checks = json.loads(result.stdout)
    assert {name: found for name, found, _ in checks} == {name: must for name, _, must in checks}
    assert len(checks) > 70


_WRONG = """\
import * as s1 from "./s1.ts"; import * as mixed from "./mixed.ts";
import { translateExceptions, translateUpstreamHttp } from "./ref.ts";
import { asToolResult, ErrorCode, fromWire, OperationName, ProtocolError, ProtocolErrorCode } from "./ref.ts";
import { shouldRetry, ToolError, toResponse, toToolResult, toWire } from "./ref.ts";
const error = ToolError.timeout();
new ToolError(ProtocolErrorCode.PARSE_ERROR);
new ProtocolError(ErrorCode.TIMEOUT);
toToolResult(ProtocolError.parseError());
toResponse(ProtocolError.parseError());
toWire(fromWire({}));
toWire(new Error("x"));
ToolError.missingRequiredField();
ToolError.missingRequiredField("field");
ToolError.missingRequiredField({ field: 1 });
ToolError.missingRequiredField({ field: "f", other: 1 });
ToolError.adapterError();
ToolError.adapterError({});
ToolError.timeout({ retryable: false });
ToolError.timeout({ data: 1 });
ToolError.timeout({ fields: { detials: {} } });
ToolError.timeout({ operation: "wirte" });
ToolError.unexpectedFailure({ tools: "t" });
shouldRetry(error, OperationName.READ);
shouldRetry(error, "raed", 1);
shouldRetry(error, OperationName.READ, 1, true);
toResponse(error, { fields: { detials: {} } });
toToolResult(error, { bodyIn: "meta" });
translateUpstreamHttp("404", { retryable: false });
translateUpstreamHttp(404);
s1.translateUpstreamHttp(404);
s1.translateUpstreamHttp(404, {});
s1.translateUpstreamHttp(404, { connector: "c", reason: "r" });
translateExceptions(error, { tool: "t" });
asToolResult(error, { params: { tools: "t" } });
asToolResult(error, { cause: 1 });
error.code = 1;
error.params["x"] = 1;
export const code: 1 = error.code;
s1.toWire(s1.KnownError.timeout());
s1.toResponse(s1.KnownError.timeout(), {});
s1.toResponse(s1.KnownError.timeout(), { fields: { operation: "o" } });
s1.toWire(s1.KnownError.timeout(), { requestId: 1 });
mixed.toWire(mixed.ToolError.notFound());
mixed.toWire(mixed.ToolError.notFound(), {});
mixed.toJsonrpcError(mixed.ToolError.notFound(), { requestId: 1 });
mixed.toWire(mixed.ToolError.notFound() as mixed.ToolError | mixed.ProtocolError);
mixed.asToolResult(error);
s1.toWire(error, { fields: { operation: "o", subsystem: "s", correlationId: "c" } });
"""
_RIGHT = """\
import * as mixed from "./mixed.ts";
import * as s1 from "./s1.ts";
import * as s4 from "./s4.ts";
import {
  asToolResult, CatalogError, fromWire, ProtocolError, retryDelayMs, shouldRetry, ToolError, toResponse, toWire,
  translateExceptions, translateUpstreamHttp,
} from "./ref.ts";

export const code: 3002 | number = ToolError.timeout().code;
export const varied = ToolError.adapterError({ retryable: true, operation: "read", cause: new Error("x") });
export const data: unknown = ProtocolError.invalidParams({ method: "m" }, { data: 1 }).data;
export const maybe: string | undefined = fromWire({})?.spec?.recoveryHint;
export const id: string = toWire(ProtocolError.parseError(), { requestId: "a" }).id;
export const noId: null = toWire(ProtocolError.parseError()).id;
const what = { fields: { what: "w" } };
export const forms: readonly unknown[] = [
  mixed.toWire(mixed.ProtocolError.gone()).error.code,
  mixed.toWire(mixed.ToolError.notFound(), what).content,
  mixed.toJsonrpcError(mixed.ToolError.notFound(), { ...what, requestId: 1 }).error.data,
  mixed.toWire(mixed.ToolError.notFound() as mixed.ToolError | mixed.ProtocolError, what),
  mixed.asToolResult(null, what).isError,
];
export const text: string = toWire(ToolError.timeout()).content[0]?.text ?? "";
export const flag: boolean = toResponse(ToolError.timeout()).retryable;
const fields = { operation: "o", subsystem: "s", correlationId: "c" };
export const body: s1.ErrorResponse = s1.toWire(s1.KnownError.timeout(), { fields });
export const foreign: readonly (CatalogError | s1.CatalogError)[] = [
  s1.translateUpstreamHttp(404, { params: { connector: "c", reason: "r" }, cause: 1 }),
  translateUpstreamHttp(404, { retryable: true, operation: "read" }),
  translateExceptions(1),
  translateExceptions(1, { params: { tool: "t" } }),
];
export function sent(error: ToolError | ProtocolError): object {
  return toWire(error);
}
export function again(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof CatalogError) || !shouldRetry(error, undefined, attempt)) return undefined;
  return retryDelayMs(error, attempt, Math.random, { previousMs: undefined });
}
export function read(response: unknown): number | undefined {
  return s4.isSuccess(response) ? Object.keys(response.data).length : undefined;
}
// What the SDKs take: an object with any other member.
export const result: {
  [name: string]: unknown;
  content: ({ type: "text"; text: string } | { type: "image"; data: string })[];
  structuredContent?: { [name: string]: unknown };
  _meta?: { [name: string]: unknown };
  isError?: boolean;
} = asToolResult("thrown", { params: { tool: "t" }, log: (made) => made.logMessage });
"""


def test_mistakes_are_type_errors_and_nothing_else_is(
    tsc: Checker, modules: dict[str, Path]
) -> None:
    folder = modules["ref"].parent
    (folder / "wrong.ts").write_text(_WRONG, "utf-8")
    (folder / "right.ts").write_text(_RIGHT, "utf-8")
    found = tsc(folder / "wrong.ts", folder / "right.ts", *modules.values()).stdout
    marks = [line.partition(": error")[0] for line in found.splitlines() if ": error" in line]
    expected = {f"wrong.ts({number}," for number in range(6, len(_WRONG.splitlines()) + 1)}
    assert {mark.rpartition("/")[2].partition(",")[0] + "," for mark in marks} == expected, found


def varied_catalogs() -> dict[str, dict[str, Any]]:
    """Return a catalog for each wire form, without a response, with the least and with the most of one."""
    fields = {"code": {"from": "code"}}
    given = {"what": {"type": "string"}, "in": {"optional": True, "fields": {"x": {"type": "any"}}}}
    sources = ("name", "message", "retryable", "safe_to_retry", "retry_after_ms", "layer", "x-a")
    most = {**fields, **given, **{source: {"from": source, "nullable": True} for source in sources}}
    success = {"fields": {"data": {"type": "object"}}}
    responses: tuple[Any, ...] = (
        None,
        {"type": "Body", "fields": fields},
        {"type": "Body", "wrap": "error", "fields": most, "success": success},
    )
    wires = ("body", "jsonrpc-error", "jsonrpc-result", "mcp-tool-result", "http-problem")
    catalogs = {}
    for wire, (index, response), facts in itertools.product(
        wires, enumerate(responses), (False, True)
    ):
        if wire == "jsonrpc-result" and response is None:
            continue
        catalogs[f"{wire}-{index}-{facts}"] = _varied(wire, response, is_full=facts)
    return catalogs


def _varied(wire: str, response: Any, *, is_full: bool) -> dict[str, Any]:
    is_protocol = wire == "jsonrpc-error"
    error: dict[str, Any] = {"category": "a", "message": "Gone"}
    if is_protocol:
        error["code"] = -32001
    if is_full:
        error |= {"http_status": 410, "x-a": 1}
    if is_full and not is_protocol:
        error["jsonrpc_code"] = -32002
    catalog: dict[str, Any] = {
        "errgen": 1,
        "name": "varied",
        "version": "1.0.0",
        "layers": {
            "one": {
                "enum": "Codes",
                "code": "integer" if is_protocol else "string",
                "wire": wire,
            }
        },
        "categories": {"a": {"retry": "paced"}},
        "retry_policies": {
            "paced": {
                "retryable": True,
                "strategy": "fixed",
                "retry_after": "1s",
                "max_attempts": 2,
            }
        },
        "errors": {"GONE": error},
    }
    if is_protocol:
        catalog["ranges"] = [{"first": -32099, "last": -32000, "category": "a"}]
    if response is not None and not is_protocol:
        catalog["response"] = response
    if is_full:
        catalog["operations"] = {"read": {"effect": "read", "max_attempts": 2}}
        catalog["translations"] = {
            "http": {"kind": "http-status", "map": {"404": "GONE"}, "default": "GONE"},
            "codes": {"kind": "code", "map": {"__proto__": "GONE"}, "default": "GONE"},
            "thrown": {"kind": "exception", "map": {"Error": "GONE"}, "default": "GONE"},
        }
    return catalog


def test_every_kind_of_catalog_makes_what_tsc_accepts(tsc: Checker, tmp_path: Path) -> None:
    files = []
    for name, catalog in varied_catalogs().items():
        path = write_catalog(tmp_path, json.dumps(catalog), f"{name}.yaml")
        (text,) = rendered(path, "typescript").values()
        files.append(tmp_path / f"{name}.ts")
        files[-1].write_text(text, "utf-8")
    assert tsc(*files).stdout == ""


_AROUND: Final = """\
declare const console: { warn(...values: unknown[]): void };
declare function setTimeout(act: (value: unknown) => void, delay: number): void;
declare function work(): object;
declare function call(): Promise<object>;
declare const context: CONTEXT;
declare const isRead: boolean;
declare const operation: KIND;
export const known: readonly unknown[] = [
  console, setTimeout, work, call, context, isRead, operation,
];
export async function snippet() {
"""
_RETRIES: Final = """\
export default function pRetry<T>(call: () => Promise<T>, options: {
  retries: number; minTimeout: number;
  shouldRetry(context: { error: Error; attemptNumber: number }): Promise<boolean>;
}): Promise<T> {
  return options.retries < 0 ? Promise.reject(new Error()) : call();
}
"""


def snippets_of(path: Path) -> Iterator[str]:
    """Yield a module for each piece of TypeScript on the page of a catalog that is about all errors."""
    response = catalog_of(path).response
    names = [item.name for item in response.context] if response else []
    context = f'import("./{path.stem}.ts").{names[-1]}' if names else "unknown"
    kind = f'import("./{path.stem}.ts").OperationName' if catalog_of(path).operations else "string"
    (page,) = (text for name, text in rendered(path, "markdown").items() if name.endswith(".md"))
    general = re.sub(r"<details>.*?</details>", "", page, flags=re.DOTALL)
    for code in re.findall(r"```ts\n(.*?)```", general, re.DOTALL):
        imports = [line for line in code.splitlines() if line.startswith("import ")]
        inner = [line for line in code.splitlines() if line not in imports]
        last = "return result;" if "const result" in code else ""
        lines = [
            *imports,
            _AROUND.replace("CONTEXT", context).replace("KIND", kind),
            *inner,
            last,
            "}",
        ]
        yield "\n".join(lines).replace('"p-retry"', '"./retry.ts"')


def test_the_examples_of_the_docs_compile(tsc: Checker, tmp_path: Path) -> None:
    files = []
    for name, path in CATALOGS.items():
        folder = tmp_path / name
        folder.mkdir()
        (text,) = rendered(path, "typescript").values()
        (folder / f"{path.stem}.ts").write_text(text, "utf-8")
        (folder / "retry.ts").write_text(_RETRIES, "utf-8")
        for index, snippet in enumerate(snippets_of(path)):
            files.append(folder / f"snippet{index}.ts")
            files[-1].write_text(snippet, "utf-8")
    assert len(files) >= 2 * (len(CATALOGS) - 1)
    assert tsc(*files).stdout == ""
