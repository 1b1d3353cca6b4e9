// The text of the order box as lines, as the tray shows and changes it. Nothing here knows the page.

// The lines that are orders, each with its place in the text: no empty lines, no comments.
/** @type {(text: string) => { at: number, line: string }[]} */
export function ordersIn(text) {
  return text.split("\n").map((line, at) => ({ at, line: line.trim() })).filter(({ line }) => line && !line.startsWith("#"));
}

/** @type {(text: string, order: string) => boolean} */
export function hasOrder(text, order) {
  const wanted = plain(order);
  return ordersIn(text).some(({ line }) => plain(line) === wanted);
}

/** @type {(text: string, order: string) => string} */
export function withOrder(text, order) {
  return joined(text, `${order}\n`);
}

/** @type {(text: string, at: number) => string} */
export function withoutLine(text, at) {
  return text.split("\n").filter((_, place) => place !== at).join("\n");
}

// The order at one place exchanged with its neighbour among the orders: `by` is -1 for earlier, 1 for later.
/** @type {(text: string, at: number, by: number) => string} */
export function movedLine(text, at, by) {
  const places = ordersIn(text).map((order) => order.at), other = places[places.indexOf(at) + by];
  if (other === undefined || !places.includes(at)) return text;
  const lines = text.split("\n");
  [lines[at], lines[other]] = [lines[other], lines[at]];
  return lines.join("\n");
}

// The order at one place put before the order at another; behind the last if there is no such place.
/** @type {(text: string, at: number, before: number) => string} */
export function placedLine(text, at, before) {
  const lines = text.split("\n"), moved = lines[at];
  if (moved === undefined || at === before) return text;
  const rest = lines.filter((_, place) => place !== at), places = ordersIn(rest.join("\n")).map((order) => order.at);
  const behind = places.length ? places[places.length - 1] + 1 : 0;
  rest.splice(before < 0 ? behind : before - (at < before ? 1 : 0), 0, moved);
  return rest.join("\n");
}

// The ways to play one order (docs/scripts.md), as they are written and read.
/** @type {Record<string, { written: (order: string) => string, read: RegExp | null }>} */
const WAYS = {
  once: { written: (order) => order, read: null },
  again: { written: (order) => `repeat ${order} until it fails`, read: /^repeat (?!\d)(.+) until it fails$/i },
  twice: { written: (order) => `repeat 2 ${order}`, read: /^repeat 2 (?:times )?(.+)$/i },
  passes: { written: (order) => `if it passes: ${order}`, read: /^if it passes: *(.+)$/i },
  fails: { written: (order) => `if it fails: ${order}`, read: /^if it fails: *(.+)$/i },
};
const OTHER_WAYS = /^(repeat|if|else|end if|on|stop|try|standing|phrase|seal|preview)\b|[:;]/i;

export const ways = Object.keys(WAYS);

// The order of a line, and in which of the ways it is played; "" for a line that is none of them.
/** @type {(line: string) => { way: string, order: string }} */
export function wayOf(line) {
  for (const [way, { read }] of Object.entries(WAYS)) {
    const order = read?.exec(line)?.[1];
    if (order && !OTHER_WAYS.test(order)) return { way, order };
  }
  return OTHER_WAYS.test(line) ? { way: "", order: line } : { way: "once", order: line };
}

// The text with the order at one place played in another way.
/** @type {(text: string, at: number, way: string) => string} */
export function inWay(text, at, way) {
  const lines = text.split("\n"), { order } = wayOf(lines[at].trim());
  lines[at] = WAYS[way].written(order);
  return lines.join("\n");
}

// What stays in the box when the answer comes: `left` is what the server leaves of what was `sent`, and all that was
// written meanwhile stays behind it.
/** @type {(now: string, sent: string, left: string) => string} */
export function afterSending(now, sent, left) {
  if (now === sent) return left;
  return joined(left, now.startsWith(sent) ? now.slice(sent.length) : minus(now, sent));
}

// Two drafts that grew out of one: nothing of either is lost.
/** @type {(mine: string, base: string, theirs: string) => string} */
export function merged(mine, base, theirs) {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  return joined(minus(theirs, mine), mine);
}

/** @type {(text: string, other: string) => string} */
function minus(text, other) {
  const taken = ordersIn(other).map(({ line }) => plain(line));
  const kept = text.split("\n").filter((line) => {
    const at = taken.indexOf(plain(line));
    if (at >= 0) taken.splice(at, 1);
    return at < 0;
  });
  return kept.join("\n");
}

// The end of the second stays as it is: somebody may be writing there.
/** @type {(first: string, second: string) => string} */
function joined(first, second) {
  const before = first.trimEnd(), behind = second.replace(/^\n+/, "");
  if (!behind.trim()) return before ? `${before}\n` : "";
  return before ? `${before}\n${behind}` : behind;
}

/** @type {(line: string) => string} */
function plain(line) {
  return line.trim().replace(/\s+/g, " ").toLowerCase();
}
