import assert from "node:assert/strict";
import test from "node:test";

import { once } from "../../../server/web/pages/static/loading.js";

test("all who ask while a script is on its way have one promise", async () => {
  let loads = 0;
  const load = once(async () => { loads += 1; return loads; });
  assert.equal(load(), load());
  assert.equal(await load(), 1);
  assert.equal(loads, 1);
});

test("a script that did not come is asked for again", async () => {
  let loads = 0;
  const load = once(async () => { loads += 1; if (loads === 1) throw new Error("lost"); return loads; });
  await assert.rejects(load());
  assert.equal(await load(), 2);
});
