// Runs the manual's snippet for p-retry in several situations, and prints what it did in each as JSON.

import { readFileSync } from "node:fs";

const { kind, module, situations } = JSON.parse(readFileSync("plan.json", "utf-8"));
const catalog = await import(module);
const waits = [];

// The milliseconds are collected, and none of them is waited for.
globalThis.setTimeout = (done, wait) => {
  waits.push(wait);
  queueMicrotask(done);
};
Math.random = () => 0.5;

/** Make the `call` of the snippet: it throws one error after the other, then returns. */
function failing(errors) {
  const call = async () => {
    const error = errors[call.count++];
    if (error !== undefined) throw error;
    return "done";
  };
  call.count = 0;
  return call;
}

const made = ([factory, ...given]) =>
  factory === "foreign" ? new RangeError("city") : catalog[kind][factory](...given);

const done = [];
for (const [index, factories] of situations.entries()) {
  const errors = factories.map(made);
  globalThis.call = failing(errors);
  waits.length = 0;
  // Another query makes another module, so that each situation runs the snippet anew.
  const end = await import(`./snippet.ts?${index}`).then(
    ({ result }) => ({ result }),
    (error) => ({ thrown: errors.indexOf(error) }),
  );
  done.push({ calls: globalThis.call.count, waits: [...waits], ...end });
}
console.log(JSON.stringify(done));
