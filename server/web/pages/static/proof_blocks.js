// A log cut into blocks (an input and what followed from it), and when each event happened. As `replay/proof/blocks.py` and
// `replay/proof/periods.py`.

import { bytesOf, hex } from "./bytes.js";
import { Fault } from "./proof_lines.js";

export const STOPPED = "BattleStopped";
export const INPUTS = new Set([
  "BattleOpened", "SideJoined", "SideLeft", "BattleBegan", "ContributionGiven", "OrderAccepted", "ClockFired", "RulesChanged", "KeyChanged", STOPPED,
]);
export const DISCLOSURES = new Set(["Unsealed", "KeyDisclosed", "KeysContinued", "MasterRevealed"]);
export const DISPUTES = new Set(["DisputeRaised", "DisputeAnswered"]);
export const SETTLEMENTS = new Set([
  "UmpireProposed", "UmpireNamed", "SubstituteAgreed", "RemedyOffered", "DisputeSettled", "RulingGiven", "FlagRuled", "Rewound", "Corrected",
]);
const NOT_ORDINARY = new Set([
  "StandingOrderSet", "DrawOffered", "DrawAccepted", "DrawDeclined", "SideResigned", ...DISPUTES, ...SETTLEMENTS,
]);

/** @typedef {{ before: LogMoment[], last: LogMoment, fault: Fault | null }} Moments */

/** @type {(block: LogBlock) => number} */
export const lastOf = (block) => block[block.length - 1].n;
// What followed from the input of a block by the rules.
/** @type {(block: LogBlock) => LogEvent[]} */
export const factsOf = (block) => block.filter((event, at) => at && !DISCLOSURES.has(event.type));
/** @type {(block: LogBlock) => boolean} */
export const endsBattle = (block) => block[0].type === STOPPED || factsOf(block).some((event) => event.type === "BattleEnded");

// The blocks of a log, each an array of events, the input first; `events` are all, or those from the beginning of a block on.
/** @type {(events: LogEvent[]) => LogBlock[]} */
export function blocksOf(events) {
  if (!INPUTS.has(events[0].type) || (events[0].n === 1 && events[0].type !== "BattleOpened")) throw new Fault(1, "opened-late");
  /** @type {LogBlock[]} */
  const blocks = [];
  for (const event of events) {
    if (INPUTS.has(event.type)) blocks.push([]);
    blocks[blocks.length - 1].push(event);
  }
  return blocks;
}

// Whether a block is an order that belongs to a turn, told by its first consequence.
/** @type {(block: LogBlock) => boolean} */
export function isOrdinaryOrder(block) {
  if (block[0].type !== "OrderAccepted") return false;
  const first = block.find((event, at) => at && event.type !== "DrawLapsed");
  if (first?.type === "DecisionMade") return first.data.standing === true;
  return !first || !NOT_ORDINARY.has(first.type);
}

// The moments of a log up to the first that cannot have been: `before[n - 1]` is that in which event n happens, `last` the
// newest. `index` counts the periods, `t` the player-turns that count; `seats` are those of the game. With `kept`, the moment
// right behind event `kept.n`, they are those of the blocks behind it, none of which takes play back.
/** @type {(blocks: LogBlock[], seats: string[], kept?: { n: number, now: LogMoment } | null) => Moments} */
export function momentsOf(blocks, seats, kept = null) {
  /** @type {LogMoment[]} */
  const before = [];
  /** @type {{ last: number, then: LogMoment }[]} */
  const stack = [];
  const position = kept ? null : blocks[0][0].data.position;
  let now = kept?.now ?? { index: 0, t: position?.t ?? 0, mover: position?.mover ?? "", rewinds: 0, begunBy: "start" }, began = 0;
  if (position) before.push({ ...now, t: 0, mover: "" });
  for (const block of blocks) {
    for (const { n, type, data } of block) {
      before[n - 1] ??= now;
      if (type === "TurnBegan") {
        if (!seats.includes(data.side)) return { before, last: now, fault: new Fault(n, "unknown-side") };
        now = { ...now, index: now.index + 1, t: now.t + 1, mover: data.side, begunBy: "turn" };
      } else if (type === "Rewound") {
        if (!began || !(began <= data.to && data.to < n)) return { before, last: now, fault: new Fault(n, "rewound-to-nowhere") };
        while (stack[stack.length - 1].last > data.to) stack.pop();
        const { last, then } = stack[stack.length - 1];
        if (last !== data.to) return { before, last: now, fault: new Fault(n, "rewound-to-nowhere") };
        now = { index: now.index + 1, t: then.t, mover: then.mover, rewinds: now.rewinds + 1, begunBy: "rewind" };
      }
    }
    stack.push({ last: lastOf(block), then: now });
    if (block[0].type === "BattleBegan") began ||= lastOf(block);
  }
  return { before, last: now, fault: null };
}

// The bytes in a member of event n: exactly so many, in lower-case hex.
/** @type {(n: number, text: unknown, size: number) => Uint8Array} */
export function octets(n, text, size) {
  const value = typeof text === "string" && /^[0-9a-f]*$/.test(text) ? bytesOf(text) : new Uint8Array();
  if (value.length !== size || hex(value) !== text) throw new Fault(n, "bad-hex");
  return value;
}

/** @type {(one: ArrayLike<number>, other: ArrayLike<number>) => boolean} */
export function same(one, other) {
  return hex(one) === hex(other);
}
