// Where orders lead, as the page lists them (server.shown.targets): which concern a unit, and what they say of a spot. Nothing
// here knows the page.

/** @type {OrderTarget["act"][]} */
const ACTS = ["charge", "shoot", "move", "place", "join", "stay"]; // the first of several names a spot

// The units that an order moves as a group, each with its box at the end.
/** @type {(aim: TargetShown) => Map<string, string>} */
export function groupOf(aim) {
  return new Map(aim.target.group);
}

// Whether an order is one to a group.
/** @type {(aim: TargetShown) => boolean} */
export function isOfGroup(aim) {
  return groupOf(aim).size > 0;
}

// The aims of a unit, or of another group of the list: its own, and where it goes with a group.
/** @type {(under: string, all: TargetShown[]) => TargetShown[]} */
export function aimsOf(under, all) {
  const alone = all.filter((aim) => (aim.under ?? "") === under && !isOfGroup(aim)), together = all.filter((aim) => groupOf(aim).has(under));
  return [...alone, ...together.map((aim) => (aim.target.act === "move" ? inBox(aim, groupOf(aim).get(under)) : aim))];
}

// The aims of units that were chosen together: everywhere that one of them comes to.
/** @type {(all: TargetShown[]) => TargetShown[]} */
export function aimsTogether(all) {
  return all.flatMap((aim) => (aim.target.act === "move" && isOfGroup(aim) ? [...groupOf(aim).values()].map((box) => inBox(aim, box)) : [aim]));
}

// The same aim with its spot in another box.
/** @type {(aim: TargetShown, box: string | undefined) => TargetShown} */
export function inBox(aim, box) {
  return { ...aim, target: { ...aim.target, box } };
}

// The name of the spot of an aim: a box, or a point of the scene.
/** @type {(aim: TargetShown) => string} */
export function keyOf({ target }) {
  return target.point ? target.point.join(" ") : target.box ?? "";
}

// Aims by spot.
/** @type {(aims: TargetShown[]) => Map<string, TargetShown[]>} */
export function bySpot(aims) {
  /** @type {Map<string, TargetShown[]>} */
  const spots = new Map();
  for (const aim of aims) spots.set(keyOf(aim), [...(spots.get(keyOf(aim)) ?? []), aim]);
  return spots;
}

// What is done at a spot, and the best chance of the orders that lead there, in percent; 0 where none is known.
/** @type {(there: TargetShown[]) => { act: OrderTarget["act"], best: number }} */
export function signOf(there) {
  const act = ACTS.find((one) => there.some(({ target }) => target.act === one)) ?? "stay";
  return { act, best: Math.max(...there.map(({ chance }) => Number.parseInt(chance ?? "", 10) || 0)) };
}

// The line that an aim is written as: with its box where such words mean it.
/** @type {(aim: TargetShown) => string} */
export function lineOf(aim) {
  return aim.target.said || aim.order;
}

// The aim of a line of orders, in either way to write it.
/** @type {(line: string, all: TargetShown[]) => TargetShown | undefined} */
export function aimOf(line, all) {
  const wanted = line.toLowerCase();
  return all.find(({ order, target }) => order.toLowerCase() === wanted || target.said?.toLowerCase() === wanted);
}
