import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";

import { solution, zeros } from "../../../server/web/pages/static/solving.js";

test("the zeros of a text are those of its digest", () => {
  for (let number = 0; number < 300; number += 1) {
    const first = createHash("sha256").update(`ticket ${number}`).digest().readUInt32BE(0);
    assert.equal(zeros(`ticket ${number}`), Math.clz32(first), `${number}`);
  }
});

test("the smallest number with enough zeros solves a ticket", () => {
  const found = solution("ticket", 8, 0, 5000);
  assert.ok(zeros(`ticket ${found}`) >= 8);
  for (let number = 0; number < found; number += 1) assert.ok(zeros(`ticket ${number}`) < 8);
});

test("a range ends before its second number", () => {
  const found = solution("ticket", 8, 0, 5000);
  assert.equal(solution("ticket", 8, 0, found), -1);
  assert.equal(solution("ticket", 8, found, found + 1), found);
});
