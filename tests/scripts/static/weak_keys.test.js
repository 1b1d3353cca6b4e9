import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { bytesOf } from "../../../server/web/pages/static/bytes.js";
import { isStrongKey } from "../../../server/web/pages/static/weak_keys.js";

const VECTORS = JSON.parse(readFileSync(new URL("../../domain/log/key-vectors.json", import.meta.url), "utf8"));

for (const kind of ["strong", "weak"]) {
  test(`keys that are ${kind} are told so`, () => {
    assert.ok(VECTORS[kind].length > 5);
    for (const { key, why } of VECTORS[kind]) assert.equal(isStrongKey(bytesOf(key)), kind === "strong", why);
  });
}
