// Checks battle files by the script of the page as they grow: [path, ends] of each as JSON on standard input, `ends` the numbers of
// events at which it is looked at. JSON out, for each file: what differs from a check of the same events as a whole ([end, found,
// whole] of each), how many looks there were, and how many events were walked, by each.

import { readFileSync } from "node:fs";

import { GrowingCheck } from "../../server/web/pages/static/proof_growing.js";
import { Fault } from "../../server/web/pages/static/proof_lines.js";
import { verdictLines } from "../../server/web/pages/static/proof_verdict.js";
import { found } from "../../server/web/pages/static/proof.js";

/** @type {(log: GrowingCheck, lines: Uint8Array[]) => Promise<any>} */
async function looked(log, lines) {
  try {
    for (const line of lines) await log.file.take(line);
  } catch (fault) {
    if (fault instanceof Fault) return { bytes: fault };
    throw fault;
  }
  if (log.file.other || !log.file.events.length) return null;
  const all = found(log, true, await log.judge(false));
  return { ...all, lines: all.fault ? [] : verdictLines(all, "en") };
}

/** @type {(bytes: Buffer) => Buffer[]} */
function linesOf(bytes) {
  const lines = [];
  for (let start = 0, end = bytes.indexOf(10); end >= 0; start = end + 1, end = bytes.indexOf(10, start)) lines.push(bytes.subarray(start, end + 1));
  return lines;
}

const told = [];
for (const [path, ends] of JSON.parse(readFileSync(0, "utf8"))) {
  const lines = linesOf(readFileSync(path)), log = new GrowingCheck(true), differ = [];
  let read = 0, looks = 0, walked = 0;
  for (const end of ends) {
    const whole = new GrowingCheck(true), one = await looked(log, lines.slice(read, end + 1)), other = await looked(whole, lines.slice(0, end + 1));
    read = end + 1;
    if (JSON.stringify(one) !== JSON.stringify(other)) differ.push([end, one?.bytes ?? one?.fault, other?.bytes ?? other?.fault]);
    if (!other || other.bytes) break;
    looks += 1;
    walked += log.walked;
  }
  told.push({ differ, looks, walked });
}
console.log(JSON.stringify(told));
