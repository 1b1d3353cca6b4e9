// The text of the order box as lines, as the tray shows and changes it. Nothing here knows the page.

// The lines that are orders, each with its place in the text: no empty lines, no comments.
export function ordersIn(text) {
  return text.split("\n").map((line, at) => ({ at, line: line.trim() })).filter(({ line }) => line && !line.startsWith("#"));
}

export function hasOrder(text, order) {
  const wanted = plain(order);
  return ordersIn(text).some(({ line }) => plain(line) === wanted);
}

export function withOrder(text, order) {
  return joined(text, `${order}\n`);
}

export function withoutLine(text, at) {
  return text.split("\n").filter((_, place) => place !== at).join("\n");
}

// The order at one place exchanged with its neighbour among the orders: `by` is -1 for earlier, 1 for later.
export function movedLine(text, at, by) {
  const places = ordersIn(text).map((order) => order.at), other = places[places.indexOf(at) + by];
  if (other === undefined || !places.includes(at)) return text;
  const lines = text.split("\n");
  [lines[at], lines[other]] = [lines[other], lines[at]];
  return lines.join("\n");
}

// What stays in the box when the answer comes: `left` is what the server leaves of what was `sent`, and all that was
// written meanwhile stays behind it.
export function afterSending(now, sent, left) {
  if (now === sent) return left;
  return joined(left, now.startsWith(sent) ? now.slice(sent.length) : minus(now, sent));
}

// Two drafts that grew out of one: nothing of either is lost.
export function merged(mine, base, theirs) {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  return joined(minus(theirs, mine), mine);
}

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
function joined(first, second) {
  const before = first.trimEnd(), behind = second.replace(/^\n+/, "");
  if (!behind.trim()) return before ? `${before}\n` : "";
  return before ? `${before}\n${behind}` : behind;
}

function plain(line) {
  return line.trim().replace(/\s+/g, " ").toLowerCase();
}
