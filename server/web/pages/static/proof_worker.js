// Fetches a battle file and checks it beside the page: `{ file, table }` are the addresses of both. Answers with
// `{ progress }`, and at the end with `{ found }`, or `{ lost: true }` if the file could not be fetched.

import { check } from "./proof.js";

addEventListener("message", async ({ data }) => {
  const [file, table] = await Promise.all([fetched(data.file), fetched(data.table)]);
  if (!file || !table) {
    postMessage({ lost: true });
    return;
  }
  const size = Number(file.headers.get("Content-Length")) || 0;
  const progress = ({ read, judged, of }) => postMessage({ progress: read ? { done: read, of: size } : { done: judged, of, isJudging: true } });
  try {
    const found = await check(piecesOf(file.body.getReader()), await table.json(), progress);
    postMessage({ found });
  } catch (reason) {
    postMessage({ lost: true });
    throw reason;
  }
});

async function fetched(address) {
  const answer = await fetch(address, { cache: "no-store" }).catch(() => null);
  return answer?.ok ? answer : null;
}

async function* piecesOf(reader) {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
