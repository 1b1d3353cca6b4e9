// Judges battle files by the script of the page: paths as JSON on standard input, [kind, event] of each fault as JSON out,
// and behind them the lines of the verdict where there is none.

import { readFileSync } from "node:fs";

import { check } from "../../server/web/pages/static/proof.js";
import { verdictLines } from "../../server/web/pages/static/proof_verdict.js";

const found = [];
for (const path of JSON.parse(readFileSync(0, "utf8"))) {
  const answer = await check([readFileSync(path)]), { fault } = answer;
  found.push(fault ? [fault.what, fault.n, []] : ["", 0, verdictLines(answer, "en")]);
}
console.log(JSON.stringify(found));
