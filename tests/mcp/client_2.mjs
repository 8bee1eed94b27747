// Carries out the plan with the second generation of the TypeScript SDK.

import { Client, ProtocolError } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { exercise } from "./exercise.mjs";

await exercise("@modelcontextprotocol/client", ProtocolError, async (server) => {
  // Without this the client does not ask for the newest protocol.
  const options = { versionNegotiation: { mode: "auto" } };
  const client = new Client({ name: "exercise", version: "1.0.0" }, options);
  await client.connect(new StdioClientTransport(server));
  return { client, protocol: client.getNegotiatedProtocolVersion() };
});
