import assert from "node:assert/strict";
import test from "node:test";

import { fragmentOf, fromFragment, fromWords, locked, markOf, unlocked, wordsOf } from "../../../server/web/pages/static/lockers.js";
import { qrCode } from "../../../server/web/pages/static/qr.js";

const KEY = "000102030405060708090a0b0c0dfeff", PLAYER = "p7xk2m", NAME = { player: PLAYER, kind: "seat", place: "b1", version: 3 };

test("a key goes into a link and comes out of it whole, or not at all", () => {
  const fragment = fragmentOf(KEY, PLAYER);
  assert.deepEqual(fromFragment(`#${fragment}`), { player: PLAYER, key: KEY });
  for (const cut of [fragment.slice(0, -1), `${fragment}0`, "seats=p.", "", "#top"]) assert.equal(fromFragment(cut), null);
});

test("a key goes into nine words and comes out of them; a slip of the pen is found", async () => {
  const words = await wordsOf(KEY, PLAYER), [first, ...others] = words.split(" ");
  assert.equal(others.length, 8);
  assert.equal(await fromWords(`  ${words.toUpperCase().replaceAll(" ", "\n")}.`, PLAYER), KEY);
  assert.equal(await fromWords(words, "p7xk2n"), "");
  for (const wrong of [others.join(" "), [...others, first].join(" "), words.replace(first, "zuzuz"), "", "nine words"]) assert.equal(await fromWords(wrong, PLAYER), "");
});

test("a locker is opened by its key alone, and for what it was made", async () => {
  const thing = { books: [{ tip: "00" }], keys: [] }, text = await locked(KEY, NAME, thing);
  assert.deepEqual(await unlocked(KEY, NAME, text), thing);
  assert.notEqual(await locked(KEY, NAME, thing), text);
  for (const other of [{ player: "p1" }, { kind: "passkey" }, { place: "b2" }, { version: 2 }]) await assert.rejects(unlocked(KEY, { ...NAME, ...other }, text));
  await assert.rejects(unlocked(KEY.replace("ff", "fe"), NAME, text));
  const altered = text.replace(text[20], text[20] === "A" ? "B" : "A");
  for (const wrong of [altered, text.slice(4), "", "AAAA"]) await assert.rejects(unlocked(KEY, NAME, wrong));
});

test("the name of a key differs by player, and is not part of it", async () => {
  assert.notEqual(await markOf(KEY, PLAYER), await markOf(KEY, "p1"));
  assert.ok(!KEY.includes(await markOf(KEY, PLAYER)));
});

test("a code is as large as its text needs, and none is drawn of a text that is too long", () => {
  for (const [length, size] of [[17, 21], [18, 25], [134, 41], [135, 45], [271, 57], [272, 61], [520, 77]]) assert.equal(qrCode("x".repeat(length))?.length, size);
  assert.equal(qrCode("x".repeat(521)), null);
});
