// Fetches a battle file and checks it beside the page: `file` is its address, `lang` the language of the page. Answers with
// `{ progress }`, and at the end with `{ found, lines }`, or `{ lost: true }` if the file could not be fetched.

import { check } from "./proof.js";
import { verdictLines } from "./proof_verdict.js";

addEventListener("message", async (/** @type {any} */ { data }) => {
  const file = await fetched(data.file);
  if (!file) {
    postMessage({ lost: true });
    return;
  }
  const size = Number(file.headers.get("Content-Length")) || 0;
  /** @type {(told: { read?: number, judged?: number, of?: number }) => void} */
  const progress = ({ read, judged, of }) => postMessage({ progress: read ? { done: read, of: size } : { done: judged, of, isJudging: true } });
  try {
    const found = await check(piecesOf(file.body.getReader()), undefined, progress);
    postMessage({ found, lines: found.fault || found.other ? [] : verdictLines(found, data.lang) });
  } catch (reason) {
    postMessage({ lost: true });
    throw reason;
  }
});

/** @type {(address: string) => Promise<any>} */
async function fetched(address) {
  const answer = await fetch(address, { cache: "no-store" }).catch(() => null);
  return answer?.ok ? answer : null;
}

/** @type {(reader: any) => AsyncGenerator<Uint8Array, void, unknown>} */
async function* piecesOf(reader) {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
