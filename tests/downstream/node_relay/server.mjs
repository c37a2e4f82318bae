// A relay server in another language: Node's own http and fetch, no packages.
//   node server.mjs PORT UPSTREAM_PORT

import { once } from "node:events";
import { createServer } from "node:http";
import { isFrame, isRequest } from "./contracts.mjs";

const [port, upstream] = process.argv.slice(2).map(Number);
const token = process.env.RELAY_TOKEN ?? "portproof";
const limit = Number(process.env.RELAY_LIMIT ?? 1048576);
const failed = { channel: "error", message: "relay provider failed" };

class Refusal extends Error {
  constructor(status) {
    super(`refused with ${status}`);
    this.status = status;
  }
}

async function readBody(request) {
  const pieces = [];
  let size = 0;
  for await (const piece of request) {
    size += piece.length;
    if (size >= limit) throw new Refusal(413);
    pieces.push(piece);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

async function readRequest(request) {
  if (request.headers.authorization !== `Bearer ${token}`) throw new Refusal(401);
  const text = await readBody(request);
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal(400);
  }
  if (!isRequest(value)) throw new Refusal(400);
  return value;
}

async function* linesOf(body) {
  const decoder = new TextDecoder();
  let held = "";
  for await (const piece of body) {
    held += decoder.decode(piece, { stream: true });
    const lines = held.split("\n");
    held = lines.pop();
    yield* lines;
  }
  yield held + decoder.decode();
}

async function* framesOf(value, signal) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`http://127.0.0.1:${upstream}/`, {
    method: "POST",
    body: JSON.stringify(value),
    headers,
    signal,
  });
  for await (const line of linesOf(answer.body)) {
    if (line.trim() === "") continue;
    const frame = JSON.parse(line);
    if (!isFrame(frame)) throw new TypeError("no frame");
    yield frame.channel === "error" ? failed : frame;
    if (!["content", "thinking"].includes(frame.channel)) return;
  }
  throw new TypeError("no result");
}

async function write(response, frame) {
  if (!response.write(`${JSON.stringify(frame)}\n`)) await once(response, "drain", { signal: response.gone });
}

async function stream(value, response) {
  const leaving = new AbortController();
  response.gone = leaving.signal;
  response.on("close", () => leaving.abort());
  response.writeHead(200, { "content-type": "application/x-ndjson; charset=utf-8", "cache-control": "no-store" });
  response.flushHeaders();
  try {
    for await (const frame of framesOf(value, leaving.signal)) await write(response, frame);
  } catch {
    if (!leaving.signal.aborted) response.write(`${JSON.stringify(failed)}\n`);
  }
  response.end();
}

async function answer(request, response) {
  let value;
  try {
    value = await readRequest(request);
  } catch (error) {
    response.writeHead(error instanceof Refusal ? error.status : 400, { "content-length": 0, connection: "close" });
    response.end();
    return;
  }
  await stream(value, response);
}

const server = createServer((request, response) => answer(request, response).catch(() => response.destroy()));
server.listen(port, "127.0.0.1", () => console.log("listening"));
