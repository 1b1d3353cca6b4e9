import assert from "node:assert/strict";
import test from "node:test";

import { afterSending, hasOrder, inWay, merged, movedLine, ordersIn, placedLine, wayOf, ways, withOrder, withoutLine } from "../../../server/web/pages/static/lines.js";

const TEXT = "R1 ahead\n# wait\n\nR2 ahead\nR3 ahead\n";

test("orders are the lines that are neither empty nor comments", () => {
  assert.deepEqual(ordersIn(TEXT), [{ at: 0, line: "R1 ahead" }, { at: 3, line: "R2 ahead" }, { at: 4, line: "R3 ahead" }]);
  assert.deepEqual(ordersIn(""), []);
});

test("an order is known by its words", () => {
  assert.ok(hasOrder("r1   AHEAD\n", "R1 ahead"));
  assert.ok(!hasOrder("# R1 ahead\n", "R1 ahead"));
});

test("an order is added behind the others, and taken out", () => {
  assert.equal(withOrder("", "R1 ahead"), "R1 ahead\n");
  assert.equal(withOrder("R1 ahead", "R2 ahead"), "R1 ahead\nR2 ahead\n");
  assert.equal(withoutLine(TEXT, 3), "R1 ahead\n# wait\n\nR3 ahead\n");
});

test("an order changes its place among orders, comments stay", () => {
  assert.equal(movedLine(TEXT, 0, 1), "R2 ahead\n# wait\n\nR1 ahead\nR3 ahead\n");
  assert.equal(movedLine(TEXT, 0, -1), TEXT);
  assert.equal(movedLine(TEXT, 1, 1), TEXT);
  assert.equal(placedLine("a\nb\nc\n", 2, 0), "c\na\nb\n");
  assert.equal(placedLine("a\nb\nc\n", 0, -1), "b\nc\na\n");
  assert.equal(placedLine("a\nb\n", 9, 0), "a\nb\n");
});

test("what one way writes is read as that way", () => {
  for (const way of ways) assert.deepEqual(wayOf(inWay("R1 ahead", 0, way)), { way, order: "R1 ahead" });
  assert.deepEqual(wayOf("repeat 3 R1 ahead"), { way: "", order: "repeat 3 R1 ahead" });
  assert.deepEqual(wayOf("if it passes: repeat 2 R1 ahead").way, "");
});

test("what was written while orders were sent stays", () => {
  assert.equal(afterSending("R1 ahead\n", "R1 ahead\n", ""), "");
  assert.equal(afterSending("R1 ahead\nR2 ahead", "R1 ahead\n", ""), "R2 ahead");
  assert.equal(afterSending("R1 x\nR2 ahead\nR3 b", "R1 x\nR2 ahead", "R2 ahead\n"), "R2 ahead\nR3 b");
});

test("of two drafts nothing is lost", () => {
  assert.equal(merged("mine", "old", "old"), "mine");
  assert.equal(merged("old", "old", "theirs"), "theirs");
  assert.equal(merged("old\nmine", "old", "came back\nold"), "came back\nold\nmine");
});
