// The events of a log in their shapes: those of the protocol in any game, those of a game in the version that this script
// knows. As `replay/proof/shapes.py`. An event gets `data` as its shape has it, defaults filled in, and `raw` as it stands.

import { Fault } from "./proof_lines.js";
import { CORE_TYPES } from "./proof_tables.js";

const PROTOCOL_MEMBERS = ["opens", "scope", "sealed", "set_by", "shown", "side"];
const ONLY_IN_SHAPES = ["face", "opens", "sealed", "set_by", "shown"];
const TYPE = /^([A-Z][A-Za-z0-9]{0,63})(?:@[1-9][0-9]{0,3})?$/;

// `game` is the table of the game, null if it is unknown here; `rules` the version in force before the first of these events.
// Gives that behind the last of them.
/** @type {(events: LogEvent[], rules: string, game: any) => string} */
export function shapeEvents(events, rules, game) {
  const shapes = [game?.types ?? {}, CORE_TYPES];
  let version = rules;
  for (const event of events) {
    const { n, type } = event, raw = event.raw ?? event.data;
    let shape = shapes.find((types) => Object.hasOwn(types, type))?.[type] ?? null;
    if (!shape || !fits(shape, raw)) {
      if (game && version === game.version) throw new Fault(n, shape ? "wrong-data" : "unknown-type");
      shape = foreignShape(n, type, raw);
    }
    if (type === "NonceDisclosed") throw new Fault(n, "unknown-type");
    event.raw = raw;
    event.data = shape ? filled(shape, raw) : Object.fromEntries(PROTOCOL_MEMBERS.filter((name) => name in raw).map((name) => [name, raw[name]]));
    const stray = shape && ONLY_IN_SHAPES.find((name) => Object.hasOwn(raw, name) && !Object.hasOwn(shape.o, name));
    if (stray) throw new Fault(n, stray === "sealed" ? "may-not-be-sealed" : "wrong-data");
    if (type === "RulesChanged") version = event.data.to;
  }
  return version;
}

// The shape of an event of rules that are not ours, if it is of the protocol; null for a game's own.
/** @type {(n: number, type: string, raw: any) => any} */
function foreignShape(n, type, raw) {
  if (Object.hasOwn(CORE_TYPES, type)) {
    if (!fits(CORE_TYPES[type], raw)) throw new Fault(n, "wrong-data");
    return CORE_TYPES[type];
  }
  const name = TYPE.exec(type)?.[1];
  if (!name || Object.hasOwn(CORE_TYPES, name)) throw new Fault(n, "unknown-type");
  return null;
}

// --- a value and its type, as `server/web/pages/proof_tables.py` writes it

/** @type {(shape: any, value: any) => boolean} */
function fits(shape, value) {
  if (typeof shape === "string") return SIMPLE[shape](value);
  if (shape.u) return shape.u.some((/** @type {any} */ one) => fits(one, value));
  if (shape.l) return shape.l.includes(value);
  if (shape.v) return Array.isArray(value) && value.every((one) => fits(shape.v, one));
  if (shape.t) return Array.isArray(value) && value.length === shape.t.length && value.every((one, at) => fits(shape.t[at], one));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if (shape.d) return Object.entries(value).every(([key, one]) => (!shape.k || shape.k.includes(key)) && fits(shape.d, one));
  if (shape.x && Object.keys(value).some((name) => !Object.hasOwn(shape.o, name))) return false;
  return Object.entries(shape.o).every(([name, [kind, isRequired]]) => (Object.hasOwn(value, name) ? fits(kind, value[name]) : !isRequired));
}

/** @type {Record<string, (value: any) => boolean>} */
const SIMPLE = {
  s: (value) => typeof value === "string",
  i: (value) => typeof value === "number",
  b: (value) => typeof value === "boolean",
  0: (value) => value === null,
  "*": () => true,
};

// The members that a shape has, with what is there if they are left out.
/** @type {(shape: any, value: any) => any} */
function filled(shape, value) {
  /** @type {any} */
  const data = {};
  for (const [name, [kind, , otherwise]] of /** @type {[string, any][]} */ (Object.entries(shape.o))) {
    const given = Object.hasOwn(value, name) ? value[name] : otherwise;
    if (given !== undefined) data[name] = deeplyFilled(kind, given);
  }
  return data;
}

/** @type {(kind: any, value: any) => any} */
function deeplyFilled(kind, value) {
  if (kind.o) return filled(kind, value);
  if (kind.d?.o) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(kind.d, one)]));
  return value;
}
