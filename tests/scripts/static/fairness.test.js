import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { bytesOf, hex } from "../../../server/web/pages/static/bytes.js";
import { Stream, chainOf, commitmentOf, plainContribution, scopeLabel } from "../../../server/web/pages/static/fairness.js";
import { sealFromText, sealText } from "../../../server/web/pages/static/seals.js";

const VECTORS = JSON.parse(readFileSync(new URL("../../domain/fairness-vectors.json", import.meta.url), "utf8"));

test("the commitment is that of the published vectors", async () => {
  const anchors = Object.fromEntries(VECTORS.chains.map((/** @type {any} */ { chain, anchor }) => [chain, bytesOf(anchor)]));
  assert.equal(hex(await commitmentOf(VECTORS.gid, VECTORS.length, anchors)), VECTORS.commitment);
});

test("a plain contribution is that of the published vectors", async () => {
  for (const { t, seat, phrase, order, value } of VECTORS.plain) {
    assert.equal(hex(await plainContribution(VECTORS.gid, t, seat, phrase, order)), value);
  }
});

test("a stream gives the published numbers", async () => {
  const { seed, sizes, numbers, words_used: used } = VECTORS.words, stream = new Stream(bytesOf(seed));
  for (const [at, size] of sizes.entries()) assert.equal(String(await stream.below(BigInt(size))), String(numbers[at]));
  assert.equal(stream.position, used);
});

test("a hand has a chain of its own, everything else the public one", () => {
  assert.deepEqual(["hand:north", "hand:north/r2", "dice:north", "common"].map(chainOf), ["hand:north", "hand:north", "public", "public"]);
  assert.deepEqual([scopeLabel("common", 0), scopeLabel("common", 3)], ["common", "common/r3"]);
});

test("a seal is typed as it is printed, and nothing else is one", () => {
  const seal = VECTORS.seals[0].anchor, text = sealText(seal);
  assert.equal(text.length, 26);
  assert.equal(sealFromText(` ${text.slice(0, 13).toLowerCase()}-${text.slice(13)} `), seal);
  for (const wrong of ["", text.slice(1), `${text}A`, text.replace(/^./, "1")]) assert.equal(sealFromText(wrong), "");
});
