import assert from "node:assert/strict";
import test from "node:test";

import { kindOf } from "../../../server/web/pages/static/proof_faults.js";

test("a fault has the sentence of its kind, and any other that of the log", () => {
  const kinds = { "wrong-hash": "line", "bad-signature": "signature", "key-differs": "keys", "disclosure-missing": "owed", "seal-too-early": "given", "card-differs": "draw", "opened-twice": "sealed" };
  for (const [what, kind] of Object.entries(kinds)) assert.equal(kindOf(what), kind, what);
  assert.equal(kindOf("not-there"), "log");
});
