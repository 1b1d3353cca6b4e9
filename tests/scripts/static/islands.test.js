import assert from "node:assert/strict";
import test from "node:test";

import { read } from "../../../server/web/pages/static/islands.js";

/** @type {(text: string | null) => any} */
const part = (text) => {
  const found = text === null ? null : { textContent: text };
  return { querySelector: (/** @type {string} */ name) => (name === '[data-island="targets"]' ? found : null) };
};

test("an island is read once", () => {
  const there = part('[{"order":"R1 ahead"}]'), first = read("targets", there, []);
  assert.deepEqual(first, [{ order: "R1 ahead" }]);
  assert.equal(read("targets", there, []), first);
});

test("where there is no part or no island there is nothing", () => {
  for (const there of [null, undefined, part(null)]) assert.deepEqual(read("targets", there, []), []);
  assert.deepEqual(read("others", part("[1]"), []), []);
});
