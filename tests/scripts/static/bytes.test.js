import assert from "node:assert/strict";
import test from "node:test";

import { base64, bigEndian, bytesOf, framed, fromBase64, hex, joined, utf8 } from "../../../server/web/pages/static/bytes.js";

test("hex digits and bytes say the same", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
  assert.equal(hex(bytes), Buffer.from(bytes).toString("hex"));
  assert.deepEqual(bytesOf(hex(bytes)), bytes);
});

test("base64 is read in its one spelling", () => {
  assert.deepEqual(fromBase64(base64(utf8("ab"))), utf8("ab"));
  for (const wrong of ["YWI", "YWJ=", " YWI=", "YW I=", "*"]) assert.equal(fromBase64(wrong), null, wrong);
});

test("a number is written with its high byte first", () => {
  assert.deepEqual([...bigEndian(0x01020304, 4)], [1, 2, 3, 4]);
  assert.deepEqual([...bigEndian(2 ** 40 + 5, 6)], [1, 0, 0, 0, 0, 5]);
});

test("a frame has the length of its tag and of each part before it", () => {
  const whole = joined([[0, 2], utf8("ab"), [0, 0, 0, 3], utf8("cde"), [0, 0, 0, 4], [0, 0, 0, 7], [0, 0, 0, 1], [9]]);
  assert.deepEqual(framed("ab", "cde", 7, Uint8Array.of(9)), whole);
});
