import assert from "node:assert/strict";
import test from "node:test";

import { ownersWith } from "../../../server/web/pages/static/database.js";
import { isNobodys, isOf, without } from "../../../server/web/pages/static/owners.js";

test("what was nobody's is of the first account that keeps it", () => {
  assert.deepEqual(ownersWith(undefined, ""), [""]);
  assert.deepEqual(ownersWith([""], "anna"), ["anna"]);
  assert.deepEqual(ownersWith(undefined, "anna"), ["anna"]);
  assert.deepEqual(ownersWith(["anna"], "bob"), ["anna", "bob"]);
  assert.deepEqual(ownersWith(["anna"], "anna"), ["anna"]);
  assert.deepEqual(ownersWith(["anna"], ""), ["anna"]);
});

test("what is nobody's is of the only account of a browser, and of none where there are several", () => {
  for (const thing of [{}, { owners: [] }, { owners: [""] }]) {
    assert.ok(isNobodys(thing));
    assert.ok(isOf(thing, "anna", true));
    assert.ok(!isOf(thing, "anna", false));
  }
  assert.ok(!isNobodys({ owners: ["bob"] }));
  assert.ok(!isOf({ owners: ["bob"] }, "anna", true));
  assert.ok(isOf({ owners: ["bob", "anna"] }, "anna", false));
});

test("a thing goes on with its other owners, and without any if they had no account", () => {
  assert.deepEqual(without("anna", ["", "anna", "bob"]), ["bob"]);
  assert.deepEqual(without("anna", [""]), []);
  assert.deepEqual(without("anna"), []);
});
