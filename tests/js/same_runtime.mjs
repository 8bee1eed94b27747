// Do with generated TypeScript what a file of jobs says, and print what came of it as JSON.
import { readFile } from "node:fs/promises";

function attempt(act) {
  try {
    return act() ?? null;
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return error.constructor.name;
    throw error;
  }
}

/** Make an error as a description says: by its code, of a body, or an unknown one. */
function make(module, { code, params, options, body, unknown, kind }) {
  if (body !== undefined) return module.parseResponse(body);
  if (unknown !== undefined) return new module.UnknownError(1, "m", { retryable: unknown });
  return new module[kind](code, params, options);
}

function send(module, { error, form, fields }) {
  return senders[form](module, make(module, error), fields);
}

const senders = {
  body: (module, error, fields) => module.toResponse(error, { fields }),
  wire: (module, error, fields) => module.toWire(error, { fields, requestId: 1 }),
  "jsonrpc-error": (module, error, fields) =>
    module.toJsonrpcError(error, { fields, requestId: 1 }),
  "jsonrpc-result": (module, error, fields) =>
    module.toJsonrpcResult(error, { fields, requestId: 1 }),
  "http-problem": (module, error, fields) => module.toProblem(error, { fields }),
  "mcp-tool-result": (module, error, fields) => module.toToolResult(error, { fields }),
  "mcp-tool-result in _meta": (module, error, fields) =>
    module.toToolResult(error, { fields, bodyIn: "_meta" }),
};

/** Return all that a program can learn of an error, and each form in which it goes on. */
function summary(error, module, { forms, fields }) {
  if (error === undefined) return null;
  const sent = error.spec === undefined ? {} : forms[error.spec.layer];
  return {
    type: error.constructor.name,
    code: error.code ?? null,
    name: error.name,
    message: error.message,
    logMessage: error.logMessage,
    retryable: error.retryable,
    safeToRetry: error.safeToRetry ?? null,
    retryAfterMs: error.retryAfterMs ?? null,
    maxAttempts: error.maxAttempts ?? null,
    params: error.params,
    body: error.body ?? null,
    data: error.data ?? null,
    forms: Object.values(sent).map((form) => attempt(() => senders[form](module, error, fields))),
  };
}

/** Return for each operation, attempt and answer to `reconciled` whether to retry, as digits. */
function decisions(module, error, { operations, attempts }) {
  let digits = "";
  for (const operation of operations) {
    for (const count of attempts) {
      for (const reconciled of [false, true]) {
        const again = module.OperationName
          ? module.shouldRetry(error, operation ?? undefined, count, { reconciled })
          : module.shouldRetry(error, count, { ...operation, reconciled });
        digits += again ? "1" : "0";
      }
    }
  }
  return digits;
}

function delays(module, { counts, randoms, waits }) {
  let calls = 0;
  const rng = () => randoms[calls++ % randoms.length];
  const found = [];
  const unknown = new module.UnknownError(1, "m", { retryable: true });
  for (const count of counts) {
    for (const policy of Object.values(module.retryPolicies)) {
      for (const [retryAfterMs, previousMs] of waits) {
        const options = {
          retryAfterMs: retryAfterMs ?? undefined,
          previousMs: previousMs ?? undefined,
        };
        found.push(module.policyDelayMs(policy, count, rng, options));
      }
    }
    found.push(module.retryDelayMs(unknown, count, rng));
    for (const spec of Object.values(module.errorSpecs)) {
      const error = { spec, options: { retryAfterMs: 2 } };
      found.push(module.retryDelayMs(error, count, rng, { previousMs: 7 }));
    }
  }
  return [found, calls];
}

function translated(module, job, { name, kind, value, params, options }) {
  const said = params === null ? options : { ...options, params };
  return summary(module[name](value, said), module, job);
}

const jobs = JSON.parse(await readFile(process.argv[2], "utf-8"));
const found = {};
for (const [name, job] of Object.entries(jobs)) {
  const module = await import(job.file);
  found[name] = {
    sent: job.examples.map((example) => attempt(() => send(module, example))),
    read: job.messages.map((message) =>
      attempt(() => summary(module.fromWire(message), module, job)),
    ),
    parsed: job.bodies.map((body) =>
      attempt(() => summary(module.parseResponse(body), module, job)),
    ),
    decided: job.errors.map((error) => decisions(module, make(module, error), job)),
    delays: delays(module, job),
    made: job.made.map((error) => attempt(() => summary(make(module, error), module, job))),
    translated: job.foreign.map((foreign) => attempt(() => translated(module, job, foreign))),
  };
}
console.log(JSON.stringify(found));
