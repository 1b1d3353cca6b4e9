import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import test from "node:test";

import { hex } from "../../../server/web/pages/static/bytes.js";
import { hmac, sha256 } from "../../../server/web/pages/static/sha256.js";

const filled = (/** @type {number} */ length) => Uint8Array.from({ length }, (_, at) => (at * 167 + length) % 256);

test("a hash is that of others, whatever the length", () => {
  for (let length = 0; length <= 200; length += 1) {
    assert.equal(hex(sha256(filled(length))), createHash("sha256").update(filled(length)).digest("hex"), `${length} bytes`);
  }
});

test("so is one under a key, shorter and longer than a block", () => {
  for (const size of [0, 16, 32, 63, 64, 65, 200]) {
    for (const length of [0, 1, 55, 56, 64, 300]) {
      assert.equal(hex(hmac(filled(size), filled(length))), createHmac("sha256", filled(size)).update(filled(length)).digest("hex"));
    }
  }
});
