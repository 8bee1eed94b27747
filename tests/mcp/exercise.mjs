// Carries out a plan of calls with a client of either generation, and prints what came of each as JSON.

import { readFileSync } from "node:fs";
import * as reference from "./reference.ts";
import * as s0 from "./s0.ts";

const MODULES = { reference, s0 };
const PING = { tool: "ping", arguments: {} };

const read = (path) => JSON.parse(readFileSync(path, "utf-8"));

/** Make one call, and return which form its answer has and the answer. */
async function answer(client, WireError, step) {
  try {
    return { form: "result", raw: await send(client, step) };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return { form: "error", raw: { code: error.code, message: error.message, data: error.data } };
  }
}

function send(client, step) {
  if ("tool" in step) return client.callTool({ name: step.tool, arguments: step.arguments });
  if ("prompt" in step) return client.getPrompt({ name: step.prompt, arguments: step.arguments });
  return client.readResource({ uri: step.resource });
}

/** Show what the generated module knows of an error. */
function shown(error) {
  if (error === undefined) return null;
  const { name, code, message, retryable, body } = error;
  return { name, code, message, retryable, body };
}

/** Carry out a step, then prove with another call that the session has survived it. */
async function stepped(client, WireError, step) {
  const { fromJsonrpcError, fromToolResult } = MODULES[step.catalog];
  const { form, raw } = await answer(client, WireError, step);
  const seen =
    form === "error"
      ? { error: shown(fromJsonrpcError(raw)) }
      : {
          error: shown(fromToolResult(raw)),
          text: shown(fromToolResult({ content: raw.content })),
        };
  const pong = await answer(client, WireError, PING);
  return { form, raw, ...seen, after: pong.raw.content[0].text };
}

/** Call a tool until it works or is not to be called again; the waits are asked for, not waited. */
async function retried(client, WireError, step) {
  const { fromToolResult, retryDelayMs, shouldRetry } = MODULES[step.catalog];
  const delays = [];
  for (let attempt = 1; ; attempt++) {
    const { raw } = await answer(client, WireError, step);
    const error = fromToolResult(raw);
    const rule = step.operation ? [step.operation, attempt] : [attempt, { isRead: step.is_read }];
    if (error === undefined || !shouldRetry(error, ...rule)) {
      return { calls: attempt, delays, error: shown(error) };
    }
    delays.push(retryDelayMs(error, attempt, () => 0.5));
  }
}

/** Carry out the plan in one session; `connect` returns a client and the protocol that it agreed on. */
export async function exercise(sdk, WireError, connect) {
  const plan = read(process.argv[2]);
  const { client, protocol } = await connect(plan.server);
  // A client that knows the tools holds each result against the schema of its tool.
  await client.listTools();
  const steps = {};
  for (const [name, step] of Object.entries(plan.steps)) {
    const carryOut = name.startsWith("retry ") ? retried : stepped;
    steps[name] = await carryOut(client, WireError, step);
  }
  const server = client.getServerVersion().version;
  await client.close();
  const { version } = read(new URL(`node_modules/${sdk}/package.json`, import.meta.url));
  console.log(JSON.stringify({ met: { client: version, server, protocol }, steps }));
}
