// A battle file checked by the protocol alone (docs/fairness.md): as `phalera verify`, to the kind of a fault and its event,
// in everything but the moves. It asks no server: what must be known of a game is in `proof_tables.js`.

import { joined } from "./bytes.js";
import { canVerify, fingerprintOf, kidOf } from "./notes.js";
import { GrowingCheck } from "./proof_growing.js";
import { Fault, requireWhole } from "./proof_lines.js";
import { GAMES } from "./proof_tables.js";

// Check a file whose bytes come in pieces (an async iterable). `games` are the tables of the games; `progress` hears how much
// is read (bytes), then how many of all events are judged.
//
// Gives what was found: `fault` { n, what } is the first that is wrong, null if nothing is; nothing after it was judged.
// `states` has [n, state] of every event that shows a draw; `signature` is `checked`, `unchecked` (this browser has no
// Ed25519) or `none`; `seats` and `listed` are what the verdict says of the seats, and of what the host did not do alone;
// `scenario` is what it says of that, `branch` where the battle began, null if at its beginning;
// `other` is the version of a file that this script does not judge.
/**
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} pieces
 * @param {Record<string, any>} games
 * @param {(told: { read?: number, judged?: number, of?: number }) => void} progress
 */
export async function check(pieces, games = GAMES, progress = () => {}) {
  const signatures = await canVerify(), log = new GrowingCheck(signatures, games), { file } = log;
  /** @type {Uint8Array[]} */
  const read = [];
  let size = 0;
  for await (const piece of pieces) {
    read.push(piece);
    progress({ read: (size += piece.length) });
  }
  try {
    const content = joined(read);
    requireWhole(content);
    await file.take(content);
    if (!file.other) file.end();
  } catch (reason) {
    if (reason instanceof Fault) return found(log, signatures, reason);
    throw reason;
  }
  return found(log, signatures, file.other ? null : await log.judge(true, progress));
}

// The same of a log that was judged.
/** @type {(log: GrowingCheck, signatures: boolean, fault: Fault | null) => any} */
export function found({ file, walk, scenario }, signatures, fault) {
  const key = file.header?.key ?? "", tally = walk?.draws;
  return {
    fault: fault && { n: fault.n, what: fault.what },
    other: file.other,
    version: file.header?.version ?? 0,
    game: file.header && `${file.header.ruleset} ${file.header.rules}`,
    host: file.header?.host ?? "",
    battle: file.header?.battle ?? "",
    events: file.events.length,
    head: file.head,
    signature: !file.isSigned ? "none" : signatures ? "checked" : "unchecked",
    key,
    fingerprint: key && fingerprintOf(key),
    kid: file.firstKey ? kidOf(file.firstKey) : "",
    ended: walk?.ended ?? 0,
    draws: tally?.count ?? 0,
    ...(tally?.counts ?? { checked: 0, bound: 0, secret: 0 }),
    unknown: tally?.unknown ?? 0,
    scenario,
    branch: walk?.branch ?? null,
    states: [...(tally?.states ?? [])],
    ...(walk && !fault ? walk.told() : { seats: [], listed: [], unopened: [], continuedFrom: 0 }),
  };
}
