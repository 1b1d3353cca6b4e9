// The check of the one file that verifies: takes the bytes of a battle file, answers with `{ progress }`, and at the end with
// `{ found, lines, isKnown }`: the lines of the verdict by language, and whether this script knows the game.

import { check } from "./proof.js";
import { GAMES } from "./proof_tables.js";
import { verdictLines } from "./proof_verdict.js";
import { WORDS } from "./proof_words.js";

addEventListener("message", async (/** @type {any} */ { data }) => {
  const progress = (/** @type {any} */ { judged, of }) => of && postMessage({ progress: judged / of });
  const found = await check([new Uint8Array(data)], undefined, progress);
  const isRight = !found.fault && !found.other;
  const lines = Object.fromEntries(Object.keys(WORDS).map((lang) => [lang, isRight ? verdictLines(found, lang) : []]));
  postMessage({ found, lines, isKnown: Object.hasOwn(GAMES, String(found.game).split(" ")[0]) });
});
