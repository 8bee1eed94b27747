// Carries out the plan with the first generation of the TypeScript SDK.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { exercise } from "./exercise.mjs";

await exercise("@modelcontextprotocol/sdk", McpError, async (server) => {
  const client = new Client({ name: "exercise", version: "1.0.0" });
  const transport = new StdioClientTransport(server);
  let protocol;
  // What was agreed is told to the transport alone.
  transport.setProtocolVersion = (version) => {
    protocol = version;
  };
  await client.connect(transport);
  return { client, protocol };
});
