// What event 1 says of its scenario: what it gave instead of chance, and which it is. As `replay/proof/scenario.py`.

import { hex, utf8 } from "./bytes.js";
import { Fault, canonical } from "./proof_lines.js";
import { NOT_OF_A_SCENARIO } from "./proof_tables.js";
import { sha256 } from "./sha256.js";

const MEMBERS = ["given", "scenario_hash"];

/** @typedef {{ given: [string, number][], name: string, isKnown: boolean }} ScenarioTold */

// What the scenario gave, as pairs of side and number; `name` of the packaged scenario that it is, "" if it is none; `isKnown`
// says whether that could be compared. `opening` are the members of event 1 as they stand.
/** @type {(header: LogHeader, opening: any, game: any) => ScenarioTold} */
export function scenarioTold({ version, rules }, opening, game) {
  if (version < 3 && MEMBERS.some((name) => Object.hasOwn(opening, name))) throw new Fault(1, "bad-member");
  if (rules !== game?.version || Object.hasOwn(opening, "position")) return { given: [], name: "", isKnown: false };
  const given = givenIn(opening, game.given);
  if (version < 3) return { given, name: "", isKnown: false };
  if (canonical(Object.fromEntries(given)) !== canonical(opening.given ?? {})) throw new Fault(1, "given-differs");
  const shown = Object.entries(opening).filter(([name]) => !NOT_OF_A_SCENARIO.includes(name));
  const hash = hex(sha256(utf8(canonical(Object.fromEntries(shown)))));
  if (hash !== opening.scenario_hash) throw new Fault(1, "scenario-differs");
  return { given, name: Object.hasOwn(game.scenarios, hash) ? game.scenarios[hash] : "", isKnown: true };
}

// How much the scenario gave each side of what the game draws otherwise; `member` of a side says so, "" in games without one.
/** @type {(opening: any, member: string) => [string, number][]} */
function givenIn({ sides }, member) {
  const counts = member ? Object.entries(sides ?? {}).map(([side, army]) => /** @type {[string, number]} */ ([side, army[member] ?? 0])) : [];
  return counts.filter(([, count]) => count > 0).sort(([one], [other]) => (one < other ? -1 : 1));
}
