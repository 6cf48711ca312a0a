// The client of @modelcontextprotocol/client, v2: <era> <requests as JSON> <URL or command>.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [era, requests, target, ...args] = process.argv.slice(2);
const mode = era === "2025-11-25" ? "legacy" : { pin: era };
const client = new Client({ name: "interop", version: "1" }, { versionNegotiation: { mode } });
await client.connect(
  args.length
    ? new StdioClientTransport({ command: target, args, stderr: "ignore" })
    : new StreamableHTTPClientTransport(new URL(target)),
);
await client.listTools();

const methods = {
  "tools/call": (name, given) => client.callTool({ name, arguments: given ?? {} }),
  "resources/read": (uri) => client.readResource({ uri }),
  "prompts/get": (name) => client.getPrompt({ name }),
};
const answers = [];
for (const [method, name, given] of JSON.parse(requests)) {
  const answer = methods[method](name, given).then(
    (result) => ({ result }),
    ({ code, message, data }) => ({ error: { code, message, data } }),
  );
  answers.push(await answer);
}
await client.close();
console.log(JSON.stringify(answers));
