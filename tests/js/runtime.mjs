// What generated TypeScript does, and what it has to do: each check prints both as JSON.
import { readFile } from "node:fs/promises";

const files = JSON.parse(await readFile(process.argv[2], "utf-8"));
const [ref, s1, s3, s4, taken, mixed] = await Promise.all(files.map((file) => import(file)));
const { ToolError, ProtocolError, UnknownError } = ref;
const context = { operation: "o", subsystem: "s", correlationId: "c" };
const bare = ["content", "isError"];
const checks = [];

function check(name, act, expected) {
  checks.push([name, plain(act), plain(() => expected)]);
}

/** Return what a function returns, as JSON has it; an exception is its class and text. */
function plain(act) {
  try {
    return JSON.parse(JSON.stringify(act() ?? null));
  } catch (error) {
    return `${error.constructor.name}: ${error.message}`;
  }
}

function fails(name, act, expected) {
  check(`${name} is refused`, act, expected);
}

const lines = [
  ["one\ntwo\r\n\tthree", "one two three"],
  ["  spaced   out  ", "spaced out"],
  ["line\u2028separator\u2029", "line separator"],
  ["\x1b[31mred\x1b[0m", "[31mred[0m"],
  ["bell\x07null\x00", "bellnull"],
  ["right\u202eleft", "rightleft"],
  ["zero\u200bwidth\ufeff", "zerowidth"],
  ["half \ud83d pair", "half \ufffd pair"],
  ["whole \u{1f600} pair", "whole \u{1f600} pair"],
  ["{field} {{}}", "{field} {{}}"],
  ["$& $1 $` $'", "$& $1 $` $'"],
];
check(
  "a param cannot break the line",
  () => lines.map(([reason]) => ToolError.validationError({ reason }).message),
  lines.map(([, shown]) => `The input is not valid: ${shown}`),
);
const numbers = [
  [-0, "0"],
  [1e-5, "0.00001"],
  [1.5e-7, "1.5e-7"],
  [1e20, "100000000000000000000"],
  [1e21, "1e+21"],
  [NaN, "NaN"],
  [-Infinity, "-Infinity"],
];
check(
  "numbers are written as in other languages",
  () =>
    numbers.map(
      ([minimum]) => ToolError.valueOutOfRange({ field: "f", minimum, maximum: 2 }).message,
    ),
  numbers.map(([, shown]) => `Field f must be from ${shown} to 2`),
);
check(
  "a message is cut between characters",
  () => {
    const { message } = s3.ToolError.toolFailed({ reason: "\u{1f600}".repeat(600) });
    return [Array.from(message).length, message.slice(-3)];
  },
  [512, "\u{1f600}…"],
);
check(
  "the log message alone has private params",
  () => {
    const error = ToolError.unexpectedFailure({ tool: "search", exception: "line 1\nline 2" });
    const listed = [error, Object.entries(error), { ...error }, ref.toWire(error), String(error)];
    const shown = JSON.stringify(listed);
    return [
      error.logMessage,
      shown.includes("search"),
      shown.includes("line"),
      "logMessage" in error,
    ];
  },
  ["UNEXPECTED_FAILURE (4003): tool search failed: line 1 line 2", false, false, true],
);
check(
  "what is not known is a question mark",
  () => ToolError.unexpectedFailure({ tool: null }).logMessage,
  "UNEXPECTED_FAILURE (4003): tool ? failed: ?",
);
check(
  "an error has the facts of the catalog",
  () => {
    const error = ToolError.timeout();
    const { name, code, retryable, options, params, body, data } = error;
    const kinds = [error instanceof Error, error instanceof ref.CatalogError, error.spec.name];
    return [...kinds, name, code, retryable, options, params, body, data];
  },
  [true, true, "TIMEOUT", "TIMEOUT", 3002, true, {}, {}, null, null],
);
check(
  "no spec and no body is listed",
  () => Object.keys(ref.parseResponse(ref.toResponse(ToolError.timeout()))),
  ["code", "name", "retryable", "safeToRetry", "params", "options"],
);
check(
  "an internal error without the one that conceals it shows nothing of itself",
  () => {
    const facts = { spec: ref.errorSpecs.OBJECT_HIDDEN, retryable: false };
    return JSON.stringify(new ref.CatalogError(3006, "Gone", facts));
  },
  '{"name":"UNKNOWN","message":"Gone","retryable":false}',
);
fails("a code of another layer", () => new ToolError(-32700), "RangeError: -32700 is no ErrorCode");
fails("a tool code", () => new ProtocolError(3002), "RangeError: 3002 is no ProtocolErrorCode");
fails("a code as text", () => new ToolError("3002"), "RangeError: 3002 is no ErrorCode");
fails(
  "a missing param",
  () => new ToolError(2002),
  "RangeError: MISSING_REQUIRED_FIELD takes the params field; check field",
);
fails(
  "a misspelt param",
  () => ToolError.missingRequiredField({ field: null, feild: 1 }),
  "RangeError: MISSING_REQUIRED_FIELD takes the params field; check feild, field",
);
fails(
  "a param of none",
  () => new ToolError(3002, JSON.parse('{ "why": 1, "__proto__": 2 }')),
  "RangeError: TIMEOUT takes the params none; check __proto__, why",
);
fails(
  "an undecided retry",
  () => ToolError.adapterError(),
  "RangeError: say whether this ADAPTER_ERROR is retryable: the catalog cannot know",
);
fails(
  "a contradiction",
  () => ToolError.timeout({ retryable: false }),
  "RangeError: the catalog says that TIMEOUT has retryable=true",
);
fails(
  "an error without a code of JSON-RPC",
  () => ref.toJsonrpcError(ToolError.notFound()),
  "RangeError: NOT_FOUND has no jsonrpcCode",
);
fails(
  "a field that does not exist",
  () => ref.toResponse(ToolError.timeout({ fields: { detials: {} } })),
  "RangeError: the body has no field detials to be given",
);
fails(
  "an inner field that does not exist",
  () => ref.toResponse(ToolError.timeout(), { fields: { details: { feild: 1 } } }),
  "RangeError: the body has no field details.feild to be given",
);
fails(
  "a body without its fields",
  () => s1.toResponse(s1.KnownError.timeout(), { fields: {} }),
  "RangeError: the body of TIMEOUT needs a value for operation, subsystem, correlationId",
);
fails(
  "a body of a protocol error",
  () => ref.toResponse(ProtocolError.parseError()),
  "TypeError: PARSE_ERROR does not travel as a body",
);
fails(
  "a tool result of a protocol error",
  () => ref.toToolResult(ProtocolError.parseError()),
  "TypeError: PARSE_ERROR does not travel as a result of a tool",
);
fails(
  "a tool result of an unknown error",
  () => ref.toToolResult(ref.parseResponse({})),
  "TypeError: UNKNOWN does not travel as a result of a tool",
);
fails(
  "an unknown error on the wire",
  () => ref.toWire(new UnknownError(1, "m", { retryable: true })),
  "TypeError: UNKNOWN does not travel",
);
for (const attempt of [0, -1, NaN]) {
  const expected = `RangeError: attempts count from 1, not from ${attempt}`;
  const unknown = new UnknownError(1, "m", { retryable: true });
  fails(
    `attempt ${attempt} of a delay`,
    () => ref.retryDelayMs(ToolError.timeout(), attempt),
    expected,
  );
  fails(
    `attempt ${attempt} of an unknown error`,
    () => ref.retryDelayMs(unknown, attempt),
    expected,
  );
  fails(`attempt ${attempt} of a retry`, () => ref.shouldRetry(null, undefined, attempt), expected);
}
fails(
  "a success",
  () => s4.parseResponse({ success: true, data: {} }),
  "RangeError: the body is that of a success",
);
check(
  "the cause is kept and never sent",
  () => {
    const cause = new Error("secret");
    const error = ToolError.backendUnavailable({ cause });
    const told = JSON.stringify([error, ref.toWire(error)]);
    const silent = ToolError.timeout({ cause: undefined });
    return [
      error.cause === cause,
      told.includes("secret"),
      "cause" in ToolError.timeout(),
      "cause" in silent,
    ];
  },
  [true, false, false, true],
);
check(
  "details of an internal error stay here",
  () => {
    const params = { subject: "Eve", object_id: "i" };
    const fields = { details: { context: "secret" } };
    const hidden = ToolError.objectHidden(params, { fields, retryAfterMs: 5000 });
    const same =
      JSON.stringify(ref.toWire(hidden)) === JSON.stringify(ref.toWire(ToolError.notFound()));
    const sent = ref.toResponse(hidden, { fields: { correlation_id: "c" } });
    return [same, sent.correlation_id, hidden.name, hidden.logMessage];
  },
  [true, "c", "OBJECT_HIDDEN", "OBJECT_HIDDEN (3006): Eve may not know of i"],
);
check(
  "fields of the sender and of the raiser are both sent",
  () => {
    const raised = { details: { reason: "absent" }, correlation_id: "inner" };
    const error = ToolError.missingRequiredField({ field: "a.b" }, { fields: raised });
    const fields = { correlation_id: "outer", details: { context: null } };
    const body = ref.toResponse(error, { fields });
    return [body.correlation_id, body.details];
  },
  ["inner", { field: "a.b", reason: "absent", context: null }],
);
check(
  "safe to retry is worked out for the operation that failed",
  () =>
    [undefined, "read", "idempotent_write", "write", "new", "__proto__"].map(
      (operation) => ref.toResponse(ToolError.backendUnavailable({ operation })).safe_to_retry,
    ),
  [false, true, true, false, false, false],
);
check(
  "the longer wait is sent in whole seconds",
  () =>
    [undefined, 1, 30_001, 30_000.5, 45_000, 2 ** 40, Infinity, NaN].map((retryAfterMs) => {
      const error = ToolError.rateLimitExceeded({ retryAfterMs });
      const seconds = ref.toResponse(error).retry_after_seconds;
      return [seconds, error.retryAfterMs, ref.retryDelayMs(error, 1)];
    }),
  [
    [30, 30_000, 30_000],
    [30, 30_000, 30_000],
    [31, 30_001, 30_001],
    [31, 30_001, 30_001],
    [45, 45_000, 45_000],
    [2_147_484, 2 ** 31 - 1, 2 ** 31 - 1],
    [2_147_484, 2 ** 31 - 1, 2 ** 31 - 1],
    [30, 30_000, 30_000],
  ],
);
check(
  "a received error goes on as it came",
  () => {
    const body = { ...ref.toResponse(ToolError.timeout()), newer: { field: [1] } };
    const error = ref.parseResponse(body);
    const isMade = Object.getPrototypeOf(error) === ToolError.prototype;
    return [
      isMade,
      error.body === body,
      error.code,
      error.stack.includes("at "),
      ref.toResponse(error),
    ];
  },
  [true, true, 3002, true, { ...ref.toResponse(ToolError.timeout()), newer: { field: [1] } }],
);
check(
  "an unknown error is retried slowly and not for ever",
  () => {
    const error = ref.parseResponse({ code: 9999, retryable: true, retry_after_seconds: 1.5 });
    const delays = [1, 2, 3].map((attempt) => ref.retryDelayMs(error, attempt, () => 0.5));
    const { code, name, message, logMessage, maxAttempts } = error;
    return [
      ...delays,
      ref.retryDelayMs(error, 99, () => 0),
      code,
      name,
      message,
      logMessage,
      maxAttempts,
    ];
  },
  [
    1500,
    1500,
    3000,
    15_000,
    9999,
    "UNKNOWN",
    "unknown error",
    "UNKNOWN (9999): unknown error",
    3,
  ],
);
check(
  "nothing but an error of the catalog is retried",
  () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const others = [
      null,
      undefined,
      "x",
      new Error("x"),
      proxy,
      { retryable: true, maxAttempts: 9 },
    ];
    return others.map((error) => ref.shouldRetry(error, "read", 1));
  },
  [false, false, false, false, false, false],
);
check(
  "a protocol error from problem details travels as any other",
  () => {
    const read = ref.fromProblem(ref.toProblem(ProtocolError.internalError()));
    return [read.constructor.name, read.data, ref.toWire(read).error];
  },
  ["ProtocolError", null, { code: -32603, message: ProtocolError.internalError().message }],
);
check(
  "a protocol error keeps its data",
  () => {
    const error = ProtocolError.invalidParams({ method: "tools/call" }, { data: { field: "a" } });
    const wire = ref.toWire(error, { requestId: 7 });
    return [wire.id, ref.fromWire(wire).data, ref.fromWire(wire.error).data, ref.toWire(error).id];
  },
  [7, { field: "a" }, { field: "a" }, null],
);
check(
  "a tool with an output schema has the body elsewhere",
  () => {
    const error = ToolError.timeout();
    const result = ref.toToolResult(error, { bodyIn: "_meta" });
    const nothing = ref.toToolResult(error, { bodyIn: null });
    return [Object.keys(result), result._meta, ref.fromWire(result).code, Object.keys(nothing)];
  },
  [
    ["content", "_meta", "isError"],
    { "errgen/error": ref.toResponse(ToolError.timeout()) },
    3002,
    bare,
  ],
);
check(
  "an error is read from its text alone",
  () => {
    const { content } = ref.toToolResult(
      ToolError.missingRequiredField({ field: "a: b. Hint: c" }),
    );
    return [{ content }, { content, isError: true }].map((result) => {
      const { code, message, logMessage, body } = ref.fromWire(result);
      return [code, message, logMessage, body];
    });
  },
  Array(2).fill([
    2002,
    "Required field a: b. Hint: c is missing",
    "MISSING_REQUIRED_FIELD (2002): Required field a: b. Hint: c is missing",
    null,
  ]),
);
check(
  "a failed tool that says nothing is an unknown error",
  () =>
    [[], [{ type: "image" }], [{ type: "text", text: "boom\n" }], null].map((content) => {
      const error = ref.fromWire({ content, isError: true });
      return [error.constructor.name, error.message, error.body];
    }),
  [
    ["UnknownError", "unknown error", { content: [], isError: true }],
    ["UnknownError", "unknown error", { content: [{ type: "image" }], isError: true }],
    ["UnknownError", "boom", { content: [{ type: "text", text: "boom\n" }], isError: true }],
    ["UnknownError", "unknown error", { content: null, isError: true }],
  ],
);
check(
  "isError decides where a body is both",
  () => {
    const structuredContent = { success: true, data: {}, error_code: "NOT_FOUND" };
    const text = "NOT_FOUND: x";
    const answers = [
      { content: [], structuredContent, isError: true },
      { content: [], structuredContent },
      { content: [], structuredContent, isError: false },
      { content: [{ type: "text", text }], structuredContent: { success: true, data: {} } },
      { content: [{ type: "text", text }], structuredContent: { data: {} } },
      { content: [{ type: "text", text: s4.toToolResult(s4.ToolError.notFound({ resource: "x" })).content[0].text }] },
    ];
    return answers.map((answer) => s4.fromToolResult(answer)?.code);
  },
  ["NOT_FOUND", null, null, null, null, "NOT_FOUND"],
);
check(
  "a success is told from all else",
  () => [s4.successResponse({ data: { a: 1 } }), { success: 1 }, null, []].map(s4.isSuccess),
  [true, false, false, false],
);
fails(
  "a field of no success",
  () => s4.successResponse({ dta: 1 }),
  "RangeError: the body has no field dta to be given",
);
check(
  "a status comes before its class",
  () =>
    [503, 500, 599, 404, 200, 0].map((status) => {
      const error = s1.translateUpstreamHttp(status, { params: { connector: "Gitea", reason: "r" } });
      return [error.name, s1.toResponse(error, { fields: context }).error.upstreamStatus];
    }),
  [
    ["CONNECTOR_UNAVAILABLE", 503],
    ["TARGET_UNAVAILABLE", 500],
    ["TARGET_UNAVAILABLE", 599],
    ["UPSTREAM_PROTOCOL_ERROR", 404],
    ["UPSTREAM_PROTOCOL_ERROR", 200],
    ["UPSTREAM_PROTOCOL_ERROR", 0],
  ],
);
check(
  "a code that is no longer in use is found by its number, its span or its prefix",
  () =>
    [-32051, -32050, -32059, -32060, -32049, "X-1", "X-2", "x-1", "-32051"].map(
      (code) => mixed.findReserved(code)?.reason,
    ),
  ["Number", "Span", "Span", null, null, "Text", "Prefix", null, null],
);
check(
  "what is no code is not reserved, and what is in use is not",
  () =>
    [undefined, null, true, -32050.5, NaN, {}, -32001, "NOT_FOUND", "NAME_ALONE"].map(
      mixed.findReserved,
    ),
  Array(9).fill(null),
);
check(
  "a retired code is an unknown error, which is not repeated blindly",
  () => {
    const body = { code: 2004, message: "Bad encoding", retryable: true };
    const error = ref.parseResponse({ ...body, details: {} });
    const again = [ref.OperationName.READ, undefined].map((item) => ref.shouldRetry(error, item, 1));
    return [error instanceof ref.UnknownError, error.spec, ...again, ref.findReserved(error.code).replacedBy];
  },
  [true, null, true, false, "INVALID_FORMAT"],
);
check("a catalog without reservations has no look-up for them", () => "findReserved" in taken, false);
const underscored =
  "name length prototype caller arguments call toString constructor captureStackTrace stackTraceLimit prepareStackTrace";
check(
  "names that every class has get an underscore",
  () => {
    const made = underscored.split(" ").map((name) => taken.KnownError[`${name}_`]().name);
    return [...made, taken.KnownError.import().name, taken.KnownError.new().name];
  },
  [
    ...["NAME", "LENGTH", "PROTOTYPE", "CALLER", "ARGUMENTS", "CALL", "TO_STRING", "CONSTRUCTOR"],
    ...["CAPTURE_STACK_TRACE", "STACK_TRACE_LIMIT", "PREPARE_STACK_TRACE", "IMPORT", "NEW"],
  ],
);
const odd = { constructor: "a", options: "b", params: "c", fields: "d", status: "e", class: "f" };
check(
  "params may be called as anything",
  () => {
    const error = taken.translateHttp(500, { params: odd });
    return [error.message, error.params, JSON.stringify(taken.toResponse(error))];
  },
  ["a b c d e f", odd, '{"code":"PARAMS","__proto__":null,"more":{"constructor":500}}'],
);
check(
  "a field called __proto__ is a field",
  () => {
    const fields = JSON.parse('{ "__proto__": "p", "more": { "__proto__": { "x": 1 } } }');
    const error = taken.KnownError.name_({ fields });
    const body = taken.toResponse(error, { fields: { more: { constructor: 1 } } });
    return [JSON.stringify(body), JSON.stringify(taken.parseResponse(body).body), "x" in {}];
  },
  [
    '{"code":"NAME","__proto__":"p","more":{"constructor":1,"__proto__":{"x":1}}}',
    '{"code":"NAME","__proto__":"p","more":{"constructor":1,"__proto__":{"x":1}}}',
    false,
  ],
);
check(
  "the data of an internal protocol error stay here",
  () => {
    const made = mixed.ProtocolError.sealed({ data: { secret: 1 } });
    const received = mixed.fromWire({ code: -32002, message: "Sealed", data: { secret: 1 } });
    return [made, received].map((error) => [error.data, mixed.toWire(error)]);
  },
  Array(2).fill([
    { secret: 1 },
    { jsonrpc: "2.0", error: { code: -32001, message: "Gone" }, id: null },
  ]),
);
check(
  "a received internal error goes on as the one that conceals it",
  () => {
    const body = { error: { code: "HIDDEN", message: "There is a safe", what: "safe" } };
    const error = mixed.parseResponse(body);
    const result = mixed.toToolResult(error, { fields: { what: "thing" } });
    return [error.name, error.message, error.logMessage, error.body, JSON.stringify(error), result];
  },
  [
    "HIDDEN",
    "There was ?",
    "HIDDEN: There is a safe",
    { error: { code: "HIDDEN", message: "There is a safe", what: "safe" } },
    '{"name":"OPEN","code":"OPEN","message":"There was ?","retryable":false}',
    {
      content: [{ type: "text", text: "OPEN: There was ?" }],
      structuredContent: { error: { code: "OPEN", message: "There was ?", what: "thing" } },
      isError: true,
    },
  ],
);
check(
  "the safety net holds without the options that it needs",
  () => [undefined, null, {}, { fields: { what: "5" } }].map((given) => mixed.asToolResult(1, given)),
  [
    ...Array(3).fill({
      content: [{ type: "text", text: "NOT_FOUND: There is nothing" }],
      isError: true,
    }),
    {
      content: [{ type: "text", text: "NOT_FOUND: There is nothing" }],
      structuredContent: { error: { code: "NOT_FOUND", message: "There is nothing", what: "5" } },
      isError: true,
    },
  ],
);

class TimeoutError extends Error {}
class LateError extends TimeoutError {}
class RenamedError extends Error {
  name = "AbortError";
}
const trap = { getPrototypeOf: () => new Proxy({}, trap) };
const hostile = new Error();
for (const key of ["name", "message", "constructor", "stack", "cause"]) {
  Object.defineProperty(hostile, key, {
    get() {
      throw hostile;
    },
  });
}

function revoked(target) {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function throwing() {
  throw new Error();
}

const thrown = {
  "a class of the table": [new TimeoutError("x"), "TIMEOUT", "x"],
  "a class below one": [new LateError("x"), "TIMEOUT", "x"],
  "a name alone": [Object.assign(new Error("x"), { name: "TimeoutError" }), "TIMEOUT", "x"],
  "an AbortError": [new DOMException("x", "AbortError"), "CANCELLED", "x"],
  "a name that its class gives": [new RenamedError("x"), "CANCELLED", "x"],
  "another class": [new TypeError("x"), "UNEXPECTED_FAILURE", "x"],
  "a text": ["TimeoutError", "UNEXPECTED_FAILURE", "TimeoutError"],
  "a plain object": [{ name: "TimeoutError" }, "TIMEOUT", "[object Object]"],
  null: [null, "UNEXPECTED_FAILURE", "null"],
  undefined: [undefined, "UNEXPECTED_FAILURE", "undefined"],
  "a number": [5, "UNEXPECTED_FAILURE", "5"],
  "a symbol": [Symbol("s"), "UNEXPECTED_FAILURE", "Symbol(s)"],
  "a function": [throwing, "UNEXPECTED_FAILURE", String(throwing).replace(/\s+/g, " ")],
  "an object without a class": [Object.create(null), "UNEXPECTED_FAILURE", "object"],
  "a revoked proxy": [revoked({}), "UNEXPECTED_FAILURE", "object"],
  "a revoked function": [revoked(throwing), "UNEXPECTED_FAILURE", "function"],
  "a chain without an end": [new Proxy({}, trap), "UNEXPECTED_FAILURE", "[object Object]"],
  "getters that throw": [hostile, "UNEXPECTED_FAILURE", "Error"],
  "an object that looks like one": [Object.create(ToolError.prototype), "UNEXPECTED_FAILURE", ""],
  "a text that cannot be had": [{ toString: throwing }, "UNEXPECTED_FAILURE", "Object"],
  "a message that is no text": [{ message: 5, toString: () => "six" }, "UNEXPECTED_FAILURE", "six"],
  "an error of the catalog": [ToolError.conflict(), "CONFLICT"],
  "a protocol error": [
    ProtocolError.parseError(),
    "UNEXPECTED_FAILURE",
    ProtocolError.parseError().message,
  ],
};
for (const [what, [value, name, text]] of Object.entries(thrown)) {
  check(
    `${what} is translated`,
    () => {
      const made = ref.translateExceptions(value, { params: { tool: "t" } });
      const { structuredContent, isError } = ref.asToolResult(value, {
        fields: { correlation_id: "c" },
      });
      const isKept = made === value || Object.is(made.cause, value);
      const said = name === "UNEXPECTED_FAILURE" ? made.logMessage : undefined;
      return [
        made.name,
        isKept,
        isError,
        structuredContent.name,
        structuredContent.correlation_id,
        said,
      ];
    },
    [
      name,
      true,
      true,
      name,
      "c",
      name === "UNEXPECTED_FAILURE" ? `UNEXPECTED_FAILURE (4003): tool t failed: ${text}`.trim() : null,
    ],
  );
}
check(
  "the safety net logs what it does not send",
  () => {
    const seen = [];
    const error = new Error("secret");
    const options = { params: { tool: "search" }, log: (made) => seen.push(made) };
    const result = ref.asToolResult(error, options);
    const [made] = seen;
    return [
      result.isError,
      JSON.stringify(result).includes("secret"),
      made.logMessage,
      made.cause === error,
    ];
  },
  [true, false, "UNEXPECTED_FAILURE (4003): tool search failed: secret", true],
);
check(
  "a log that fails does not keep the answer back",
  () => ref.asToolResult(new Error(), { log: throwing }).structuredContent.name,
  "UNEXPECTED_FAILURE",
);
check(
  "the safety net sends the text where the body cannot be made",
  () => {
    const given = [{ nope: 1 }, { details: { nope: 1 } }, "text"];
    const raised = ref.asToolResult(ToolError.timeout({ fields: { nope: 1 } }));
    const results = given.map((fields) => ref.asToolResult(new Error(), { fields }));
    return [raised.content[0].text.slice(0, 15), ...[raised, ...results].map(Object.keys)];
  },
  ["TIMEOUT (3002):", bare, bare, bare, bare],
);
check(
  "the safety net puts the body where it is told",
  () =>
    ["structuredContent", "_meta", null, undefined].map((bodyIn) =>
      Object.keys(ref.asToolResult(ToolError.timeout(), { bodyIn })),
    ),
  [
    ["content", "structuredContent", "isError"],
    ["content", "_meta", "isError"],
    bare,
    ["content", "structuredContent", "isError"],
  ],
);

console.log(JSON.stringify(checks));
