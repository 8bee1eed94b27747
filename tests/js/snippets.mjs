// Runs the manual's snippets, each with what it handles and with something else, and prints what they did as JSON.

import { readFileSync } from "node:fs";

const waits = [];
// The milliseconds are collected, and none of them is waited for.
globalThis.setTimeout = (done, wait) => {
  waits.push(wait);
  queueMicrotask(done);
};
Math.random = () => 0.5;

const done = [];
for (const { file, runs } of JSON.parse(readFileSync("plan.json", "utf-8"))) {
  const { handle } = await import(file);
  for (const [message, attempt, operation, hasHappened] of runs) {
    waits.length = 0;
    const end = await handle(message, attempt, operation, async () => hasHappened).then(
      () => ({}),
      (error) => ({ thrown: error.name }),
    );
    done.push({ waits: [...waits], ...end });
  }
}
console.log(JSON.stringify(done));
