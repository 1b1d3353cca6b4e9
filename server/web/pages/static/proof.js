// A battle file checked by the protocol alone (docs/fairness.md): as `phalera verify`, to the kind of a fault and its event,
// in everything but the moves. It asks no server: what must be known of a game is in `proof_tables.js`.

import { joined } from "./bytes.js";
import { canVerify, fingerprintOf, kidOf } from "./notes.js";
import { blocksOf, lastOf } from "./proof_blocks.js";
import { wrongClaim } from "./proof_claims.js";
import { Fault, requireWhole } from "./proof_lines.js";
import { BattleFile } from "./proof_log.js";
import { scenarioTold } from "./proof_scenario.js";
import { seatsOf } from "./proof_seats.js";
import { shapeEvents } from "./proof_shapes.js";
import { GAMES } from "./proof_tables.js";
import { Walk } from "./proof_walk.js";

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
  const signatures = await canVerify(), file = new BattleFile(signatures);
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
    return foundIn(file, signatures, faultOf(reason, 0), null);
  }
  return file.other ? foundIn(file, signatures, null, null) : checkLog(file, signatures, games, progress);
}

// Check a log that was read: its events, its chain and its notes hold.
/**
 * @param {BattleFile} file
 * @param {boolean} signatures
 * @param {Record<string, any>} games
 * @param {(told: { judged?: number, of?: number }) => void} progress
 * @param {boolean} isClosed whether the file of a battle that is over must be signed
 */
export async function checkLog(file, signatures, games = GAMES, progress = () => {}, isClosed = true) {
  const { events } = file, header = /** @type {LogHeader} */ (file.header), game = Object.hasOwn(games, header.ruleset) ? games[header.ruleset] : null;
  /** @type {Walk | null} */
  let walk = null;
  let scenario;
  /** @type {Fault | null} */
  let first = null;
  try {
    shapeEvents(events, header.rules, game);
    const names = seatsOf(game, events[0].data);
    first = wrongClaim(events, header.ruleset, game, names);
    scenario = await scenarioTold(header, events[0].raw, game);
    walk = new Walk(file, game, names, signatures);
    await walk.all((judged) => progress({ judged, of: events.length }), first?.n ?? Infinity);
    if (walk.ended && isClosed && !file.isSigned) throw new Fault(events.length, "unsigned");
  } catch (reason) {
    const fault = faultOf(reason, reason instanceof Fault ? 0 : blockEnd(events, walk?.done ?? 0));
    if (!first || fault.n < first.n) first = fault;
  }
  return foundIn(file, signatures, first, walk, scenario);
}

/** @typedef {import("./proof_scenario.js").ScenarioTold} ScenarioTold */

/** @type {(file: BattleFile, signatures: boolean, fault: Fault | null, walk: Walk | null, scenario?: ScenarioTold) => Promise<any>} */
async function foundIn(file, signatures, fault, walk, scenario = { given: [], name: "", isKnown: false }) {
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
    fingerprint: key && (await fingerprintOf(key)),
    kid: file.firstKey ? await kidOf(file.firstKey) : "",
    ended: walk?.ended ?? 0,
    draws: tally?.count ?? 0,
    ...(tally?.counts ?? { checked: 0, bound: 0, secret: 0 }),
    unknown: tally?.unknown ?? 0,
    scenario,
    branch: walk?.branch ?? null,
    states: [...(tally?.states ?? [])],
    ...(walk && !fault ? await walk.told() : { seats: [], listed: [], unopened: [], continuedFrom: 0 }),
  };
}

// A log may claim anything; what cannot even be read is at fault where it stands.
/** @type {(reason: unknown, n: number) => Fault} */
function faultOf(reason, n) {
  if (reason instanceof Fault) return reason;
  if (n && (reason instanceof TypeError || reason instanceof RangeError)) return new Fault(n, "not-readable");
  throw reason;
}

// The last event of the block behind event `done`.
/** @type {(events: LogEvent[], done: number) => number} */
function blockEnd(events, done) {
  const behind = blocksOf(events).find((block) => lastOf(block) > done);
  return behind ? lastOf(behind) : events.length;
}
