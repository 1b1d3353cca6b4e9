import assert from "node:assert/strict";
import test from "node:test";

import { aimOf, aimsOf, aimsTogether, bySpot, groupOf, keyOf, lineOf, signOf } from "../../../server/web/pages/static/aims.js";

/** @type {(order: string, target: Partial<OrderTarget>, more?: Partial<TargetShown>) => TargetShown} */
const aim = (order, target, more = {}) => ({ order, target: { act: "move", ...target }, ...more });

const ahead = aim("R1 ahead", { box: "C3", said: "R1 to C3" }, { under: "R1", chance: "90%" });
const shot = aim("R1 shoot D5", { act: "shoot", box: "D5", unit: "B2" }, { under: "R1", chance: "40%" });
const group = aim("R1 R2 ahead", { box: "C3", group: [["R1", "C3"], ["R2", "C4"]] });
const wood = aim("place wood C5", { act: "place", box: "C5" }, { under: "place-wood" });
const all = [ahead, shot, group, wood];

test("a unit has its own aims, and its box of a group", () => {
  assert.deepEqual(aimsOf("R1", all).map(keyOf), ["C3", "D5", "C3"]);
  assert.deepEqual(aimsOf("R2", all).map(keyOf), ["C4"]);
  assert.deepEqual(aimsOf("place-wood", all), [wood]);
  assert.equal(group.target.box, "C3", "the list stays as it is");
});

test("an attack of a group stays where it is", () => {
  const charge = aim("R1 R2 charge D4", { act: "charge", box: "D4", group: [["R1", "D3"], ["R2", "D5"]] });
  assert.deepEqual(aimsOf("R2", [charge]), [charge]);
  assert.deepEqual(aimsTogether([charge]), [charge]);
});

test("an aim under no group is the side's", () => {
  const pass = aim("scout", { act: "stay", box: "A1" });
  assert.deepEqual(aimsOf("", [pass, ahead]), [pass]);
});

test("units together light up each box that one of them comes to", () => {
  assert.deepEqual(aimsTogether([group]).map(keyOf), ["C3", "C4"]);
});

test("a spot is a box or a point", () => {
  assert.equal(keyOf(aim("u1 move", { point: [120, 45] })), "120 45");
  assert.deepEqual([...bySpot(all).keys()], ["C3", "D5", "C5"]);
  assert.deepEqual(bySpot(all).get("C3"), [ahead, group]);
});

test("of several acts at a spot the first is shown, of several chances the best", () => {
  assert.deepEqual(signOf([ahead, shot]), { act: "shoot", best: 90 });
  assert.deepEqual(signOf([aim("R1 ahead", {}, { chance: "52 %" })]), { act: "move", best: 52 });
  assert.deepEqual(signOf([wood]), { act: "place", best: 0 });
});

test("a line is found in either way to write it, whatever its case", () => {
  assert.equal(aimOf("r1 TO c3", all), ahead);
  assert.equal(aimOf("R1 ahead", all), ahead);
  assert.equal(aimOf("R9 ahead", all), undefined);
  assert.deepEqual([lineOf(ahead), lineOf(shot)], ["R1 to C3", "R1 shoot D5"]);
  assert.deepEqual([...groupOf(group).keys()], ["R1", "R2"]);
});
