import assert from "node:assert/strict";
import test from "node:test";

import { NO_WORDS, linesOf, wordsOf } from "../../../server/web/pages/static/dispute_lines.js";

const LINES = linesOf(["south", "north", "east"]);

test("the words of a dispute are read from its line", () => {
  const read = wordsOf("dispute 12 rules the wood was in the way", LINES);
  assert.deepEqual(read, { ...NO_WORDS, verb: "dispute", about: 12, kind: "rules", text: "the wood was in the way" });
});

test("each line of the protocol is one, for each named seat", () => {
  for (const line of [
    "takeback", "answer d1 no", "umpire Ann", `umpire Ann ${"A".repeat(43)}=`, "substitute Bea", "substitute east Bea", "agree umpire",
    "agree d2", "decline d2", "withdraw d2", "halt d2", "go on d2", "offer d3 none", "offer d3 rewind 7", "offer d3 award east", "rule d4 correct",
    "rule d4 draw", "flag east more",
  ]) assert.notEqual(wordsOf(line, LINES), NO_WORDS, line);
});

test("what differs by a letter, a seat or a number is no line", () => {
  for (const line of ["Takeback", "dispute 0 rules", "dispute 1 taste", "agree d0", "flag west lost", "offer d3 award west", "offer d3 correct", " takeback", 7, null]) {
    assert.equal(wordsOf(line, LINES), NO_WORDS, String(line));
  }
});

test("somebody without a seat named is substituted for the seat of who says it", () => {
  assert.deepEqual(wordsOf("substitute Bea", LINES), { ...NO_WORDS, verb: "substitute", player: "Bea" });
  assert.deepEqual(wordsOf("substitute east Bea", LINES), { ...NO_WORDS, verb: "substitute", side: "east", player: "Bea" });
});
