import assert from "node:assert/strict";
import { test } from "node:test";

import { oneByOne } from "../../../server/web/pages/static/one_by_one.js";

test("what is sent waits for what was sent before it", async () => {
  /** @type {string[]} */
  const done = [];
  /** @type {(value?: unknown) => void} */
  let answer = () => {};
  const first = oneByOne(() => new Promise((resolve) => { answer = resolve; }).then(() => done.push("first")));
  const second = oneByOne(async () => done.push("second"));
  await Promise.resolve();
  assert.deepEqual(done, []);
  answer();
  await Promise.all([first, second]);
  assert.deepEqual(done, ["first", "second"]);
});

test("what fails is told to whoever sent it, and the next goes", async () => {
  const failing = oneByOne(async () => { throw new Error("unreachable"); });
  const next = oneByOne(async () => "sent");
  await assert.rejects(failing, /unreachable/);
  assert.equal(await next, "sent");
});
