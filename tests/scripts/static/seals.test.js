import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { bytesOf, hex } from "../../../server/web/pages/static/bytes.js";
import { sealBefore, sealsOf, tipOf } from "../../../server/web/pages/static/seal_chain.js";
import { newSecret, sealFromText, sealText } from "../../../server/web/pages/static/seals.js";

const { gid, seals } = JSON.parse(readFileSync(new URL("../../domain/fairness-vectors.json", import.meta.url), "utf8"));

test("a seal is written in 26 letters and digits and read whatever its case, spaces and hyphens", () => {
  for (let at = 0; at < 50; at += 1) {
    const seal = hex(newSecret().slice(0, 16)), text = sealText(seal);
    assert.equal(text.length, 26);
    assert.equal(sealFromText(` ${text.slice(0, 13).toLowerCase()}-${text.slice(13)} `), seal);
  }
});

test("what is no seal is none", () => {
  const text = sealText("00".repeat(16));
  for (const wrong of ["", text.slice(1), `${text}A`, `1${text.slice(1)}`, `${text.slice(0, -1)}B`]) assert.equal(sealFromText(wrong), "", wrong);
});

test("each seal follows from the one after it, the anchor first", () => {
  const chain = sealsOf("b", "south", tipOf(bytesOf("07".repeat(32)), "b", "south"), 5);
  assert.equal(chain.length, 6);
  for (let at = 1; at < chain.length; at += 1) assert.equal(sealBefore("b", "south", chain[at]), chain[at - 1]);
  assert.notDeepEqual(sealsOf("b", "north", chain[5], 5).slice(0, 5), chain.slice(0, 5));
});

test("a book is that of the published vectors", () => {
  assert.equal(seals.length, 2);
  for (const { seat, secret, length, anchor, s_1, s_2 } of seals) {
    assert.deepEqual(sealsOf(gid, seat, tipOf(bytesOf(secret), gid, seat), length).slice(0, 3), [anchor, s_1, s_2]);
  }
});
