// Judges battle files by the script of the page: paths as JSON on standard input, [kind, event] of each fault as JSON out.

import { readFileSync } from "node:fs";

import { check } from "../../server/web/pages/static/proof.js";

const found = [];
for (const path of JSON.parse(readFileSync(0, "utf8"))) {
  const { fault } = await check([readFileSync(path)]);
  found.push(fault ? [fault.what, fault.n] : ["", 0]);
}
console.log(JSON.stringify(found));
