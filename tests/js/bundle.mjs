// Bundles each client that a file lists, as applications do, and prints the bundles as JSON.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { tools, clients } = JSON.parse(readFileSync("plan.json", "utf-8"));
const { build } = createRequire(tools)("esbuild");
const made = Object.entries(clients).map(async ([name, contents]) => {
  const stdin = { contents, loader: "ts", resolveDir: process.cwd() };
  const options = { bundle: true, minify: true, format: "esm", write: false, charset: "utf8" };
  const { outputFiles } = await build({ stdin, ...options });
  return [name, outputFiles[0].text];
});
console.log(JSON.stringify(Object.fromEntries(await Promise.all(made))));
