// What a log says of its game, its authors and its rules. As `replay/proof/claims.py`.

import { DISCLOSURES, STOPPED } from "./proof_blocks.js";
import { CAMPAIGN, DEADLINE } from "./proof_clock.js";
import { Fault } from "./proof_lines.js";
import { CORE_RULES } from "./proof_tables.js";

const OF_A_SIDE = ["SideJoined", "SideLeft", "ContributionGiven", "OrderAccepted", "ClockFired"];
const OF_THE_SERVER = [...DISCLOSURES, "BattleOpened", "BattleBegan", "RulesChanged", "KeyChanged", STOPPED];

// The first wrong claim of these events, null if there is none; `code` is the game of the header.
/** @type {(events: LogEvent[], code: string, game: any, names: string[]) => Fault | null} */
export function wrongClaim(events, code, game, names) {
  if (events[0]?.n === 1 && events[0].data.ruleset !== code) return new Fault(1, "other-game");
  const authors = [...names, "server", "umpire"];
  for (const { n, type, by, rule, data } of events) {
    if (!authors.includes(by)) return new Fault(n, "other-author");
    const isOfSide = OF_A_SIDE.includes(type);
    if (!isOfSide && !OF_THE_SERVER.includes(type)) continue;
    const isFlag = type === "ClockFired" && [DEADLINE, CAMPAIGN].includes(data.what);
    if (by !== (isOfSide && !isFlag ? data.side : "server")) return new Fault(n, "other-author");
    if (game && ![CORE_RULES[type], game.own[type], game.rules[type]].includes(rule)) return new Fault(n, "other-rule");
  }
  return null;
}
