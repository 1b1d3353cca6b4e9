import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { blocksOf, lastOf, momentsOf } from "../../../server/web/pages/static/proof_blocks.js";
import { BattleFile, Fault, canonical } from "../../../server/web/pages/static/proof_log.js";

const GOLDEN = readFileSync(new URL("../../golden/agreed-draw.battle", import.meta.url));

/** @type {(bytes: Uint8Array, size: number) => Promise<BattleFile>} */
async function readIn(bytes, size) {
  const file = new BattleFile(false);
  for (let at = 0; at < bytes.length; at += size) await file.take(bytes.subarray(at, at + size));
  file.end();
  return file;
}

test("a kept battle is read the same in pieces of any size", async () => {
  const whole = await readIn(GOLDEN, GOLDEN.length), cut = await readIn(GOLDEN, 997);
  assert.equal(whole.head, cut.head);
  assert.deepEqual(whole.events, cut.events);
  assert.ok(whole.isSigned && whole.events.length > 10);
});

test("one letter that differs is found where it stands", async () => {
  const line = GOLDEN.indexOf('"n":3,'), changed = Uint8Array.from(GOLDEN), at = GOLDEN.lastIndexOf('"data":', line) + 12;
  changed[at] = changed[at] === 97 ? 98 : 97;
  await assert.rejects(readIn(changed, 4096), (fault) => fault instanceof Fault && fault.n === 3);
});

test("a file without its last line feed is no file", async () => {
  await assert.rejects(readIn(GOLDEN.subarray(0, -1), 4096), { what: "no-final-newline" });
});

test("every event stands in one block, and happens in one moment", async () => {
  const { events } = await readIn(GOLDEN, 4096), blocks = blocksOf(events), moments = momentsOf(blocks, ["north", "south"]);
  assert.deepEqual(blocks.flat(), events);
  assert.equal(lastOf(blocks[blocks.length - 1]), events.length);
  assert.equal(moments.fault, null);
  assert.equal(moments.before.length, events.length);
  assert.ok(moments.before.every(({ t }, at) => !at || t >= moments.before[at - 1].t));
});

test("there is one spelling of plain data", () => {
  assert.equal(canonical({ b: [1, null, "é"], a: {} }), '{"a":{},"b":[1,null,"é"]}');
  assert.throws(() => canonical(1.5), RangeError);
  assert.throws(() => canonical(Array.from({ length: 40 }).reduce((inner) => [inner], 0)), RangeError);
});

test("files of the versions 2 and 3 are read, others are told apart", async () => {
  const of = (/** @type {number} */ version) =>
    Uint8Array.from(Buffer.from(GOLDEN.toString("utf8").replace('"version":2}', `"version":${version}}`), "utf8"));
  await assert.rejects(readIn(of(3), 4096), { n: 1, what: "wrong-hash" });
  for (const version of [1, 4]) {
    const file = new BattleFile(false);
    await file.take(of(version));
    assert.equal(file.other, version);
  }
});
